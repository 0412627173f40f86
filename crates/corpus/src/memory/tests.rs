//! What is remembered is the translation of the nearest source, and a text can be kept from remembering itself.

use super::*;

const PAIRS: [PairSource; 4] = [
    PairSource { text: "P1", project: "saao/saa01", source: "a-na LUGAL EN-ia", target: "To the king, my lord:" },
    PairSource {
        text: "P1",
        project: "saao/saa01",
        source: "ARAD-ka {m}DUG₃.GA-ṣil-E₂.ŠAR₂",
        target: "your servant Ṭab-ṣill-Ešarra.",
    },
    PairSource {
        text: "P2",
        project: "saao/saa01",
        source: "lu DI-mu a-na LUGAL EN-ia",
        target: "Good health to the king, my lord!",
    },
    PairSource { text: "P3", project: "saao/saa01", source: "...", target: "lost" },
];

fn memory() -> TranslationMemory {
    TranslationMemory::new(PAIRS).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_nearest_pair_comes_first() {
    let memory = memory();
    let asked = memory.asked("lu DI-mu a-na LUGAL EN-ia₂");
    let found = memory.nearest(&asked, 5, None);
    assert_eq!(memory.translation(found[0].pairs.clone()), "Good health to the king, my lord!");
    assert!(found[0].similarity > 0.8 && found[0].similarity < 1.0, "{found:?}");
    let other = memory.nearest(&asked, 5, Some(found[0].text));
    assert_eq!(memory.translation(other[0].pairs.clone()), "To the king, my lord:");
}

#[test]
fn pairs_that_follow_one_another_are_one_run() {
    let memory = memory();
    let asked = memory.asked("a-na LUGAL EN-ia ARAD-ka {m}DUG₃.GA-ṣil-E₂.ŠAR₂");
    let recall = memory.recall(&asked, None);
    assert_eq!((recall.runs.len(), recall.similarity), (1, 1.0));
    let translation = memory.translation(recall.runs[0].pairs.clone());
    assert_eq!(translation, "To the king, my lord: your servant Ṭab-ṣill-Ešarra.");
}

#[test]
fn a_passage_of_two_texts_is_put_together_from_both() {
    let memory = memory();
    let asked = memory.asked("ARAD-ka {m}DUG₃.GA-ṣil-E₂.ŠAR₂ lu DI-mu a-na LUGAL EN-ia");
    let recall = memory.recall(&asked, None);
    let translations: Vec<String> = recall.runs.iter().map(|run| memory.translation(run.pairs.clone())).collect();
    assert_eq!(translations, ["your servant Ṭab-ṣill-Ešarra.", "Good health to the king, my lord!"]);
    assert!(recall.similarity > 0.99, "{recall:?}");
}

#[test]
fn what_is_hardly_like_anything_says_so() {
    let memory = memory();
    let recall = memory.recall(&memory.asked("KU₃.BABBAR ma-na x ..."), None);
    // It shares the sign na with the first letter, and a few letters.
    assert!(recall.similarity < 0.4, "{recall:?}");
    assert_eq!(memory.recall(&memory.asked("x x ..."), None), Recall::default());
}

#[test]
fn a_memory_goes_through_a_pack() {
    let memory = memory();
    let read = read(&write(&memory)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(read, memory);
    assert!(super::read(&crate::attested::write(memory.sources())).is_err(), "texts without translations are none");
}
