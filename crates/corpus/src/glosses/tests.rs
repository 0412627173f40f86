//! A word is found as spelt or else under the spelling most like it, and a lexicon survives a pack.

use super::*;
use crate::attested::PackError;
use proptest::prelude::*;
use tuppum_domain::gloss::{GlossedWord, SpellingMatch};
use tuppum_text::Document;

const ROWS: [(&str, &str, &str, &str, u32); 12] = [
    ("LUGAL", "šarru", "king", "N", 7118),
    ("a-na", "ana", "to", "PRP", 17_006),
    ("at-ta", "attā", "you", "IP", 30),
    ("qi-bi₂-ma", "qabû", "say", "V", 9),
    ("{GIŠ}GU.ZA", "kussû", "throne", "N", 50),
    ("KUR", "mātu", "land", "N", 3000),
    ("KUR", "šadû", "mountain", "N", 400),
    ("KUR", "kašādu", "reach", "V", 20),
    ("{m}gu-za-na", "Guzana", "1", "PN", 3),
    ("gu-za-na", "guzannu", "a thing", "N", 70),
    ("{m}x-x", "x", "1", "PN", 4),
    ("a-wi-lu", "awīlu", "man", "N", 12),
];

fn built(rows: impl IntoIterator<Item = usize>) -> Glossary {
    let mut builder = GlossaryBuilder::default();
    for row in rows {
        let (spelling, lemma, guide_word, part_of_speech, count) = ROWS[row];
        builder.add(&LexiconRow { spelling, lemma, guide_word, part_of_speech, count });
    }
    builder.build().unwrap_or_else(|error| panic!("{error}"))
}

fn glossary() -> Glossary {
    built(0..ROWS.len())
}

fn glossed(text: &str) -> Vec<GlossedWord> {
    glossary().gloss(&Document::read(text)).into_iter().flat_map(|line| line.words).collect()
}

#[track_caller]
fn check(word: &str, by: SpellingMatch, spelling: &str, lemmas: &[&str]) {
    let words = glossed(word);
    let [word] = &words[..] else { panic!("{words:?}") };
    let found = word.found.as_ref().map(|found| (found.by, found.spelling.as_str()));
    assert_eq!(found, Some((by, spelling)), "{word:?}");
    assert_eq!(word.glosses.iter().map(|gloss| gloss.lemma.as_str()).collect::<Vec<_>>(), lemmas);
}

#[test]
fn the_commonest_lemma_comes_first() {
    check("KUR", SpellingMatch::AsSpelt, "KUR", &["mātu", "šadû", "kašādu"]);
    check("[a]-⸢na⸣", SpellingMatch::AsSpelt, "a-na", &["ana"]);
}

#[test]
fn what_is_spelt_otherwise_is_found_and_says_how() {
    check("lugal", SpellingMatch::Capitals, "LUGAL", &["šarru"]);
    check("qi₂-bi₄-ma", SpellingMatch::OtherSigns, "qi-bi₂-ma", &["qabû"]);
    check("a-ta", SpellingMatch::DoubledLetters, "at-ta", &["attā"]);
    check("at-ta-ma", SpellingMatch::Ending, "at-ta", &["attā"]);
    check("a-wi-lum", SpellingMatch::FinalM, "a-wi-lu", &["awīlu"]);
    check("GU.ZA", SpellingMatch::Determinatives, "{GIŠ}GU.ZA", &["kussû"]);
    check("{GEŠ}GU.ZA", SpellingMatch::OtherReading, "{GIŠ}GU.ZA", &["kussû"]);
}

#[test]
fn behind_the_determinative_of_a_person_stands_a_name() {
    check("{f}gu-za-na", SpellingMatch::Determinatives, "{m}gu-za-na", &["Guzana"]);
    assert_eq!(glossed("{f}LUGAL")[0].found, None);
}

#[test]
fn words_that_cannot_be_read_have_no_gloss() {
    let words = glossed("o 1. a-na x-na LUGAL ... 1(diš) %sux lugal");
    let glosses: Vec<(&str, bool, bool, usize)> = words
        .iter()
        .map(|word| (word.written.as_str(), word.is_legible, word.is_numeral, word.glosses.len()))
        .collect();
    assert_eq!(
        glosses,
        [
            ("a-na", true, false, 1),
            ("x-na", false, false, 0),
            ("LUGAL", true, false, 1),
            ("...", false, false, 0),
            ("1(diš)", true, true, 0),
            ("lugal", true, false, 0)
        ]
    );
    let text = "o 1. a-na LUGAL";
    assert_eq!(glossed(text)[1].span.of(text), "LUGAL");
}

#[test]
fn a_number_is_no_god_without_a_determinative() {
    let mut builder = GlossaryBuilder::default();
    for spelling in ["30", "{d}30"] {
        builder.add(&LexiconRow { spelling, lemma: "Sin", guide_word: "1", part_of_speech: "DN", count: 500 });
    }
    let glossary = builder.build().unwrap_or_else(|error| panic!("{error}"));
    let lines = glossary.gloss(&Document::read("30 {d}30 5(diš)"));
    let words = lines.iter().flat_map(|line| &line.words);
    let found: Vec<(bool, usize)> = words.map(|word| (word.is_numeral, word.glosses.len())).collect();
    assert_eq!(found, [(true, 0), (true, 1), (true, 0)]);
}

#[test]
fn names_have_no_number_for_a_guide_word() {
    let words = glossed("{m}gu-za-na LUGAL");
    assert_eq!((words[0].glosses[0].guide_word.as_str(), words[1].glosses[0].guide_word.as_str()), ("", "king"));
}

#[test]
fn a_lexicon_goes_through_a_pack_in_any_order() {
    let pack = write(&glossary());
    assert_eq!(read(&pack).unwrap_or_else(|error| panic!("{error}")), glossary());
    assert_eq!(write(&built((0..ROWS.len()).rev())), pack);
    assert_eq!(read(b"something else"), Err(PackError::NoPack));
    assert_eq!(read(&pack[..pack.len() - 3]), Err(PackError::CutOff));
}

#[test]
fn spellings_that_are_left_out_are_met_as_others() {
    let (asked, found) = agreement(&glossary(), 100);
    // All but LUGAL, a-na and KUR; among the others only the two that sound like Guzana are alike.
    assert_eq!(asked, 6);
    let Agreement { found, first, among } = found[SpellingMatch::Determinatives as usize];
    assert_eq!((found, first, among), (1, 0, 0), "gu-za-na is met as the name; the name is met as no name");
}

proptest! {
    #[test]
    fn a_damaged_pack_is_refused_or_read(place in 0_usize..600, bit in 0_u8..8) {
        let mut pack = write(&glossary());
        let place = place % pack.len();
        pack[place] ^= 1 << bit;
        if let Ok(glossary) = read(&pack) {
            let _ = glossary.gloss(&Document::read("KUR lugal qi₂-bi₄-ma {m}gu-za-na a-wi-lum-ma"));
        }
    }
}
