//! Texts vote by the groups that they share, and the vote is fitted on texts of known origin.

use super::*;
use crate::attested::Builder;
use crate::signs_row::SignsRow;
use tuppum_text::Document;

/// Three letters from Assyria and three from Babylonia, in signs that hardly overlap.
const ROWS: [&str; 6] = [
    "P1\tsaao/saa01\takk-x-neoass\to 1\t-\ta na LUGAL be li₂ ia\t𒀀 𒈾 𒈗 𒁁 𒉌 𒅀\tPPPPPP\t101100",
    "P2\tsaao/saa01\takk-x-neoass\to 1\t-\ta na LUGAL be li₂ ia ARAD ka\t𒀀 𒈾 𒈗 𒁁 𒉌 𒅀 𒀴 𒅗\tPPPPPPPP\t10110010",
    "P3\tsaao/saa05\takk-x-neoass\to 1\t-\tARAD ka a na LUGAL\t𒀴 𒅗 𒀀 𒈾 𒈗\tPPPPP\t10101",
    "P4\tOld Babylonian (ca. 1900-1600 BC)\takk\to 1\t-\tqi₂ bi₂ ma um ma\t𒆠 𒉈 𒈠 𒌝 𒈠\tPPPPP\t10010",
    "P5\tOld Babylonian (ca. 1900-1600 BC) ?\takk\to 1\t-\tqi₂ bi₂ ma um ma šu\t𒆠 𒉈 𒈠 𒌝 𒈠 𒋗\tPPPPPP\t100101",
    "P6\tcams/etana\takk\to 1\t-\tum ma\t𒌝 𒈠\tPP\t10",
];

fn corpus() -> AttestedTexts {
    let mut builder = Builder::default();
    for row in ROWS {
        builder.add(&SignsRow::parse(row).unwrap_or_else(|error| panic!("{error}")));
    }
    builder.build().unwrap_or_else(|error| panic!("{error}"))
}

fn asked_about(text: &str) -> Attribution {
    attribute(&corpus(), &Text::of_document("", &Document::read(text)), None)
}

#[test]
fn the_texts_that_share_most_decide_and_are_named() {
    let found = asked_about("um-ma a-na LUGAL be-li₂-ia");
    assert_eq!((found.periods[0].name.as_str(), found.projects[0].name.as_str()), ("Neo-Assyrian", "saao/saa01"));
    let nearest = &found.nearest[0];
    assert_eq!((nearest.edition.text.as_str(), nearest.period.as_deref()), ("P1", Some("Neo-Assyrian")));
    // Five groups of two and four of three, all of which stand in a-na LUGAL be-li₂-ia.
    assert_eq!((nearest.shared, nearest.rarest.first().map(String::as_str)), (9, Some("-na LUGAL be")));
    for origins in [&found.periods, &found.projects] {
        let sum: f32 = origins.iter().map(|origin| origin.probability).sum();
        // Tolerance: a few roundings of f32.
        assert!((sum - 1.0).abs() < 1e-5, "{origins:?}");
    }
}

#[test]
fn periods_that_are_unsure_are_one_with_the_others() {
    let found = asked_about("qi₂-bi₂-ma um-ma");
    let project = &found.projects[0];
    assert_eq!((project.name.as_str(), project.texts), ("Old Babylonian (ca. 1900-1600 BC)", 2));
    assert_eq!(Origin::Period.of_project("cams/etana", "akk"), None);
}

#[test]
fn nothing_is_said_of_hardly_a_sign() {
    assert_eq!(asked_about("a-na x"), Attribution { signs: 2, ..Attribution::default() });
    assert_eq!(asked_about(""), Attribution::default());
    // A text that shares nothing is attributed to the most frequent origin, without reasons.
    let found = asked_about("ia ka šu");
    assert!(found.nearest.is_empty() && found.periods[0].probability < 0.7, "{found:?}");
}

#[test]
fn the_fit_is_no_worse_than_what_is_shipped() {
    let corpus = corpus();
    let measured: Vec<Measured> = (0..corpus.text_count() as TextNumber)
        .map(|number| {
            let signs: Vec<_> = corpus.signs_of(number).map(|place| corpus.sign(place)).collect();
            let nearest = nearest(&corpus, &signs, 10, Some(number));
            let text = corpus.text(number).cloned().unwrap_or_default();
            Measured {
                project: text.project.to_string(),
                language: text.language.to_string(),
                signs: signs.len(),
                nearest,
            }
        })
        .collect();
    let texts: Vec<&Measured> = measured.iter().collect();
    let scores = |voting: &Voting| OriginScores::of(&corpus, Origin::Period, texts.iter().map(|text| (*text, voting)));
    let fitted = scores(&fit(&corpus, Origin::Period, &texts));
    assert_eq!((fitted.texts, fitted.first, fitted.among_three), (5, 1.0, 1.0));
    assert!(fitted.loss <= scores(&Voting::shipped(Origin::Period)).loss);
    let commonest = scores(&Voting { voters: 0, ..Voting::shipped(Origin::Period) });
    assert_eq!(commonest.first, 0.6);
}
