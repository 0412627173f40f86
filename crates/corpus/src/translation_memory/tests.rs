//! The translation of the nearest source is remembered, and a text can be kept from remembering itself.

use super::*;
use proptest::prelude::*;

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
    // The passage shares the sign na and a few letters with the first letter.
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

#[test]
fn words_decide_between_sources_that_are_as_like() {
    let pair = |text, source, target| PairSource { text, project: "saao/saa06", source, target };
    // Both sources differ from the passage by one word; only its meaning elsewhere tells them apart.
    let memory = TranslationMemory::new([
        pair("P1", "GUD-MEŠ ina IGI-ia i-ba-aš₂-ši", "The oxen are at my disposal."),
        pair("P2", "UDU-MEŠ ina IGI-ia i-ba-aš₂-ši", "The sheep are at my disposal."),
        pair("P3", "UDU.NITA₂-MEŠ 5", "5 sheep"),
        pair("P4", "UDU.NITA₂-MEŠ GAL", "big sheep"),
        pair("P5", "GUD-MEŠ 5", "5 oxen"),
    ])
    .unwrap_or_else(|error| panic!("{error}"));
    let recall = memory.recall(&memory.asked("UDU.NITA₂-MEŠ ina IGI-ia i-ba-aš₂-ši"), None);
    let of = |run: &Remembered| memory.translation(run.pairs.clone());
    assert_eq!(recall.runs.iter().map(of).collect::<Vec<_>>(), ["The sheep are at my disposal."]);
}

#[test]
fn what_is_shown_names_its_place_and_what_is_carried_over() {
    let memory = memory();
    let shown = memory.remembered("lu DI-mu a-na LUGAL EN-ia₂");
    let run = &shown.runs[0];
    assert_eq!((run.edition.text.as_str(), run.translation.as_str()), ("P2", "Good health to the king, my lord!"));
    assert_eq!((run.carried.len(), run.pieces().len()), (0, 1));
}

const SOURCES: [&str; 8] = [
    "a-na LUGAL EN-ia",
    "ARAD-ka {m}da-na-nu",
    "lu DI-mu a-na LUGAL EN-ia",
    "5 MA.NA KUG.UD",
    "12 MA.NA KUG.GI",
    "IGI {m}za-za-a.a",
    "IGI {m}da-na-nu {LU₂}A.BA",
    "{ITI}BARAG UD 10-KAM₂",
];

proptest! {
    #[test]
    fn what_is_remembered_stands_where_it_is_said_to_and_not_in_the_text_left_out(
        texts in prop::collection::vec(prop::collection::vec(0..SOURCES.len(), 1..6), 1..8),
        asked in prop::collection::vec(0..SOURCES.len(), 1..5),
        except in 0..8_usize,
    ) {
        let names: Vec<String> = (0..texts.len()).map(|number| format!("P{number}")).collect();
        let target = |number: usize| format!("Translation {number} of {}", SOURCES[number]);
        let rows: Vec<(&str, &str, String)> = names
            .iter()
            .zip(&texts)
            .flat_map(|(name, lines)| lines.iter().map(|line| (name.as_str(), SOURCES[*line], target(*line))))
            .collect();
        let pairs = rows.iter().map(|(text, source, target)| PairSource { text, project: "", source, target });
        let memory = TranslationMemory::new(pairs).unwrap_or_else(|error| panic!("{error}"));
        let source = asked.iter().map(|line| SOURCES[*line]).collect::<Vec<_>>().join(" ");
        let passage = memory.asked(&source);
        let except = memory.sources().text_number(&format!("P{except}"));
        let recalls = memory.recalls(&passage, except);
        for (recall, _) in &recalls {
            prop_assert!((0.0..=1.001).contains(&recall.similarity), "{}", recall.similarity);
            for run in &recall.runs {
                prop_assert!(Some(run.text) != except);
                let own = memory.sources().signs_of(run.text);
                for line in run.pairs.clone() {
                    let signs = memory.sources().signs_of_line(line);
                    prop_assert!(signs.start >= own.start && signs.end <= own.end);
                }
                let marks = memory.carried_over(&source, run.pairs.clone(), 0..0);
                prop_assert!(marks.iter().all(|mark| source.split(' ').any(|word| word == mark.asked)));
            }
        }
        // A remembered text is found word for word, unless it is left out.
        let whole = texts[0].iter().map(|line| SOURCES[*line]).collect::<Vec<_>>().join(" ");
        let recall = memory.recall(&memory.asked(&whole), None);
        prop_assert!(recall.similarity > 0.99, "{recall:?}");
    }
}
