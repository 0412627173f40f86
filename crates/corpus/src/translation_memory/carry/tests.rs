//! Names and numbers are replaced where it is certain, and nowhere else.

use super::super::{PairSource, TranslationMemory};
use super::numbers::{Numeral, exchanged, numeral};
use super::slots::slots;
use proptest::prelude::*;
use tuppum_domain::attested::pieces;

/// Names as spelled and rendered: the first ones by their letters, the last by logograms.
const NAMES: [(&str, &str); 6] = [
    ("{m}da-na-nu", "Dananu"),
    ("{m}za-za-a.a", "Zazaya"),
    ("{m}su-si-ia", "Susiya"),
    ("{m}ki-qi-la-nu", "Kiqillanu"),
    ("{m}{d}PA-MAN-PAB", "Nabû-šarru-uṣur"),
    ("{m}10-U-U", "Adad-belu-uṣur"),
];

/// Returns a loan, worded as such documents are.
fn loan(minas: u32, creditor: usize, debtor: usize) -> (String, String) {
    let ((spelled, creditor), (other, debtor)) = (NAMES[creditor], NAMES[debtor]);
    let unit = if minas == 1 { "mina" } else { "minas" };
    (
        format!("{minas} MA.NA KUG.UD ša {spelled} ina IGI {other}"),
        format!("{minas} {unit} of silver belonging to {creditor}, at the disposal of {debtor}."),
    )
}

/// Builds a memory of pairs, each a text of its own.
fn memory(pairs: &[(String, String)]) -> TranslationMemory {
    let texts: Vec<String> = (0..pairs.len()).map(|number| format!("P{number:03}")).collect();
    let sources = pairs.iter().zip(&texts).map(|((source, target), text)| PairSource {
        text,
        project: "saao/saa06",
        source,
        target,
    });
    TranslationMemory::new(sources).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns pairs from which names and units are learnt: each name as witness in three texts, each unit in four.
fn teaching() -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    for (spelled, name) in NAMES {
        for office in [("{LU₂}A.BA", "scribe"), ("{LU₂}3.U₅", "third man"), ("{LU₂}SANGA", "priest")] {
            pairs.push((format!("IGI {spelled} {}", office.0), format!("Witness {name}, {}.", office.1)));
        }
    }
    for minas in ["1", "2"].repeat(4) {
        let unit = if minas == "1" { "mina" } else { "minas" };
        pairs.push((format!("{minas} MA.NA ZABAR"), format!("{minas} {unit} of bronze.")));
    }
    pairs
}

/// Returns the translation of a pair with the names and numbers of the passage, and the number of replacements.
fn answer(memory: &TranslationMemory, asked: &str, pair: usize) -> (String, usize) {
    let carried = memory.carried_over(asked, pair..pair + 1, 0..0);
    let translation = memory.translation(pair..pair + 1);
    (pieces(&translation, &carried).iter().map(|piece| piece.text).collect(), carried.len())
}

/// Returns the number of the pair with this source.
fn place(memory: &TranslationMemory, source: &str) -> usize {
    (0..memory.len()).find(|pair| memory.source(*pair) == source).unwrap_or_else(|| panic!("{source}"))
}

/// Returns the translation of a pair for the passage, in a memory with the teaching pairs, if anything was replaced.
fn carried(source: &str, translation: &str, asked: &str) -> Option<String> {
    let mut pairs = teaching();
    pairs.push((source.to_owned(), translation.to_owned()));
    let memory = memory(&pairs);
    let (text, count) = answer(&memory, asked, place(&memory, source));
    (count > 0).then_some(text)
}

#[test]
fn a_name_takes_the_place_of_another() {
    let found = carried("IGI {m}da-na-nu {LU₂}ŠU.I", "Witness Dananu, barber.", "IGI {m}{d}PA-MAN-PAB {LU₂}ŠU.I");
    assert_eq!(found.as_deref(), Some("Witness Nabû-šarru-uṣur, barber."));
    let genitive = carried("E₂ {m}da-na-nu", "Dananu's house", "E₂ {m}su-si-ia");
    assert_eq!(genitive.as_deref(), Some("Susiya's house"));
    let unnamed = carried("IGI {m}... {LU₂}ŠU.I", "Witness NN, barber.", "IGI {m}su-si-ia {LU₂}ŠU.I");
    assert_eq!(unnamed.as_deref(), Some("Witness Susiya, barber."));
}

#[test]
fn a_name_stays_where_anything_about_it_is_unsure() {
    let source = "IGI {m}da-na-nu {LU₂}ŠU.I";
    let cases = [
        ("it is rendered twice", source, "Witness Dananu, barber of Dananu.", "IGI {m}su-si-ia {LU₂}ŠU.I"),
        ("it is not rendered", source, "Witness, the barber.", "IGI {m}su-si-ia {LU₂}ŠU.I"),
        ("the other stands there already", source, "Witness Dananu, barber of Susiya.", "IGI {m}su-si-ia {LU₂}ŠU.I"),
        ("nobody has rendered the other", source, "Witness Dananu, barber.", "IGI {m}ur-{d}IŠKUR {LU₂}ŠU.I"),
        ("the other is broken", source, "Witness Dananu, barber.", "IGI {m}su-x {LU₂}ŠU.I"),
        ("it is no person", source, "Witness Dananu, barber.", "IGI {URU}su-si-ia {LU₂}ŠU.I"),
        ("no word beside it is the same", source, "Witness Dananu, barber.", "ŠU {m}su-si-ia {LU₂}A.BA"),
        (
            "it is spelled twice",
            "IGI {m}da-na-nu DUMU {m}da-na-nu",
            "Witness Dananu, his son.",
            "IGI {m}su-si-ia DUMU {m}da-na-nu",
        ),
    ];
    for (why, source, translation, asked) in cases {
        assert_eq!(carried(source, translation, asked), None, "{why}");
    }
}

#[test]
fn a_month_takes_its_number_along() {
    let mut pairs: Vec<(String, String)> = Vec::new();
    let months = [("BARAG", "Nisan (I)"), ("KIN", "Elul (VI)"), ("ŠE", "Adar (XII)"), ("ZIZ₂", "Shebat (XI)")];
    for (day, (month, name)) in [4, 5, 8].into_iter().flat_map(|day| months.map(|month| (day, month))) {
        pairs.push((format!("{{ITI}}{month} UD {day}-KAM₂"), format!("Month {name}, {day}th day.")));
    }
    let memory = memory(&pairs);
    let (text, _) = answer(&memory, "{ITI}KIN UD 22-KAM₂", place(&memory, "{ITI}BARAG UD 5-KAM₂"));
    assert_eq!(text, "Month Elul (VI), 22nd day.");
}

/// Replaces a number of things in a translation, with minas and horses as nouns.
fn exchange(translation: &str, attested: &str, asked: &str) -> Option<String> {
    let is_noun = |word: &str| ["mina", "minas", "horse", "horses"].contains(&word);
    let (place, text) = exchanged(translation, numeral(attested)?, numeral(asked)?, is_noun)?;
    Some(format!("{}{text}{}", &translation[..place.start], &translation[place.end..]))
}

#[test]
fn numbers_are_written_as_those_in_whose_place_they_stand() {
    let of = |translation, attested, asked| exchange(translation, attested, asked).unwrap_or_default();
    assert_eq!(of("10 minas of silver", "10", "5"), "5 minas of silver");
    assert_eq!(of("Ten minas", "10", "25"), "Twenty-five minas");
    assert_eq!(of("thirty-two horses", "32", "200"), "200 horses");
    assert_eq!(of("1 mina of silver", "1", "3"), "3 minas of silver");
    assert_eq!(of("two horses", "2", "1"), "one horse");
    assert_eq!(of("Month Adar (XII), 16th day", "16-KAM₂", "22-KAM"), "Month Adar (XII), 22nd day");
    assert_eq!(of("day 1", "1-KAM₂", "13-KAM₂"), "day 13");
}

#[test]
fn a_number_stays_where_anything_about_it_is_unsure() {
    for translation in [
        "10 minas and 10 horses",
        "ten minas, 10 in all",
        "no minas",
        "10 1/2 minas",
        "10½ minas",
        "1/10 of it",
        "10,000 horses",
        "ten thousand horses",
        "one hundred and ten horses",
        "the 10th horse",
        "10+ horses",
        "x+10 horses",
    ] {
        assert_eq!(exchange(translation, "10", "5"), None, "{translation}");
    }
    assert_eq!(exchange("one of the horses", "1", "2"), None, "one may be a pronoun");
}

#[test]
fn what_is_no_whole_number_is_none() {
    assert_eq!(numeral("12-KAM₂"), Some(Numeral { value: 12, is_day: true }));
    assert_eq!(["1/2", "10+", "5-su", "0", "", "ME", "x", "1234567"].map(numeral), [None; 8]);
}

#[test]
fn numbers_that_go_on_are_no_slots() {
    let of = |asked: &str, attested: &str| {
        let words = |text: &'static str| text.split(' ').collect::<Vec<_>>();
        let leak = |text: &str| -> &'static str { Box::leak(text.to_owned().into_boxed_str()) };
        slots(&words(leak(asked)), &words(leak(attested))).len()
    };
    assert_eq!(of("5 MA.NA KUG.UD", "10 MA.NA KUG.UD"), 1);
    assert_eq!(of("5 1/2 MA.NA KUG.UD", "10 1/2 MA.NA KUG.UD"), 0, "a fraction");
    assert_eq!(of("5 ME 20 MA.NA", "5 ME 30 MA.NA"), 0, "hundreds");
    assert_eq!(of("n 5 MA.NA", "n 10 MA.NA"), 0, "digits that are lost");
    assert_eq!(of("UD 5 KUG.UD", "UD 5-KAM₂ KUG.UD"), 0, "a day and a number");
    assert_eq!(of("5", "10"), 0, "nothing beside it");
}

proptest! {
    #[test]
    fn what_is_carried_over_stands_in_the_passage_and_comes_out_right(
        remembered in (1..40_u32, 0..6_usize, 0..6_usize),
        asked in (1..40_u32, 0..6_usize, 0..6_usize),
    ) {
        let (source, translation) = loan(remembered.0, remembered.1, remembered.2);
        let (own, right) = loan(asked.0, asked.1, asked.2);
        let mut pairs = teaching();
        pairs.push((source.clone(), translation.clone()));
        let memory = memory(&pairs);
        let pair = place(&memory, &source);
        let marks = memory.carried_over(&own, pair..pair + 1, 0..0);
        for mark in &marks {
            prop_assert!(own.split(' ').any(|word| word == mark.asked));
            prop_assert!(source.split(' ').any(|word| word == mark.attested));
            prop_assert!(translation.get(mark.place.clone()).is_some_and(|there| there != mark.text));
            prop_assert!(right.contains(&mark.text), "{mark:?}");
        }
        prop_assert!(marks.windows(2).all(|two| two[0].place.end <= two[1].place.start));
        let all_pieces = pieces(&translation, &marks);
        let published: String = all_pieces.iter().map(|piece| piece.published.unwrap_or(piece.text)).collect();
        prop_assert_eq!(&published, &translation);
        // If no name occurs twice, everything is certain.
        if remembered.1 != remembered.2 && asked.1 != asked.2 && asked.1 != remembered.2 && asked.2 != remembered.1 {
            prop_assert_eq!(all_pieces.iter().map(|piece| piece.text).collect::<String>(), right);
        }
    }
}
