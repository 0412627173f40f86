use super::examples::{LemmaPart, MaxOccurrences, NameExamples, View, WordLines};
use super::lexicon::{ClearSpelling, LexiconCounter};
use super::nearest::NearestSpelling;
use super::scores::{KindAnswer, KindScores, loss, temperature};
use super::training::{KindClassifier, KindSettings, MinSpellings, Vocabulary};
use std::collections::HashMap;
use tuppum_corpus::glosses::LexiconRow;
use tuppum_corpus::names::NameClasses;
use tuppum_corpus::signs_row::SignsRow;
use tuppum_domain::names::NameKind;

const MAX_OCCURRENCES: MaxOccurrences = MaxOccurrences { names: 2, others: 1 };
const SETTINGS: KindSettings = KindSettings {
    hyperbolic: true,
    company: true,
    dimension: 4,
    rate: 0.05,
    epochs: 40,
    batch: 4,
    decay: 0.0,
    bare: 0.3,
    dropped: 0.0,
    seed: 3,
};

fn row<'a>(spelling: &'a str, lemma: &'a str, part_of_speech: &'a str, count: u32) -> LexiconRow<'a> {
    LexiconRow { spelling, lemma, guide_word: "1", part_of_speech, count }
}

/// Returns a lexicon and lines in which every class has three words, known by their last sign and the word before them.
fn made() -> (HashMap<String, ClearSpelling>, WordLines) {
    let (mut lexicon, mut lines) = (LexiconCounter::default(), WordLines::default());
    let syllables = ["ba", "da", "ga", "ka", "la", "ma", "na", "pa", "ra", "sa", "ta"];
    for (class, last) in syllables.iter().enumerate() {
        for first in ["bu", "du", "gu"] {
            let letters = NameClasses::kind(class).map_or("PRP", |kind| kind.letters());
            let word = format!("{{d}}{first}-{last}");
            lexicon.add(&row(&word, &word, letters, 5));
            let line = format!("P1\tp\takk\t1\t-\tš{last} {{d}} {first} {last}\t-\tPPPP\t1100");
            (0..3).for_each(|_| lines.add(&SignsRow::parse(&line).unwrap()));
        }
    }
    (lexicon.clear(), lines)
}

#[test]
fn only_clear_spellings_count() {
    let mut lexicon = LexiconCounter::default();
    for entry in [
        row("{d}UTU", "Šamaš", "DN", 99),
        row("{d}UTU", "šamšu", "N", 1),
        row("aš-šur", "Aššur", "DN", 6),
        row("aš-šur", "Aššur", "GN", 4),
        row("a-na", "ana", "PRP", 7),
        row("{m}x", "x", "LN", 3),
        row("LUGAL", "šarru", "N", 3),
        row("{URU}ni-nu-a", "Ninua", "GN", 6),
        row("{URU}ni-nu-a", "Ninua", "SN", 3),
        row("ni-na-a", "Ninua", "GN", 2),
    ] {
        lexicon.add(&entry);
    }
    let clear = lexicon.clear();
    let [god, settlement] = [NameKind::God, NameKind::Settlement].map(|kind| NameClasses::place(Some(kind)));
    assert_eq!(clear.len(), 5, "{clear:?}");
    // What is mostly written as a settlement is one, however it is called and spelt.
    assert!(["{URU} ni nu a", "ni na a"].iter().all(|one| clear[*one].class == settlement));
    assert_eq!(clear["{d} UTU"], ClearSpelling { class: god, lemma: "Šamaš".into(), open: true });
    assert_eq!((clear["a na"].class, clear["a na"].open), (0, false));
    assert!(clear["LUGAL"].open);
    // Closed classes are never held out, of the others some are.
    assert!((0..200).all(|seed| LemmaPart::of(&clear["a na"], seed) == LemmaPart::Train));
    let tests = (0..1000).filter(|seed| LemmaPart::of(&clear["LUGAL"], *seed) == LemmaPart::Test).count();
    assert!((70..130).contains(&tests), "{tests}");
}

#[test]
fn examples_show_what_a_view_allows() {
    let (clear, lines) = made();
    let examples = NameExamples::of(&lines, &clear, MAX_OCCURRENCES);
    // Two occurrences of three of each name, one of each other word.
    assert_eq!(examples.all.len(), 3 + 2 * 30);
    let example = &examples.all[0];
    let texts = |company, determinatives| {
        let seen = example.seen(View { company, determinatives });
        seen.map(|number| examples.features[number as usize].as_str()).collect::<Vec<_>>()
    };
    let [all, bare, alone] = [texts(true, true), texts(true, false), texts(false, false)];
    assert!(all.contains(&"<{d}") && !bare.contains(&"<{d}"), "{all:?}");
    assert!(bare.iter().any(|text| text.starts_with("-1=")) && alone.iter().all(|text| !text.starts_with("-1=")));
    let known = Vocabulary::of(&examples, &[0, 1, 2], MinSpellings { word: 2, company: 4 });
    // Three spellings share their last sign, but none has four.
    assert!(known.texts(&examples).any(|text| text == "ba"));
    assert!(known.texts(&examples).all(|text| text != "bu" && !text.starts_with("-1=")));
}

#[test]
fn training_tells_the_classes_and_moves_every_point() {
    let (clear, lines) = made();
    let examples = NameExamples::of(&lines, &clear, MAX_OCCURRENCES);
    let all: Vec<u32> = (0..examples.all.len() as u32).collect();
    for hyperbolic in [true, false] {
        let vocabulary = Vocabulary::of(&examples, &all, MinSpellings { word: 1, company: 1 });
        let before = KindClassifier::new(KindSettings { hyperbolic, ..SETTINGS }, vocabulary).unwrap();
        let mut trained = before.clone();
        trained.train(&examples, &all);
        for (class, (own, other)) in trained.classes().chunks(4).zip(before.classes().chunks(4)).enumerate() {
            let moved: f64 = own.iter().zip(other).map(|(own, other)| (own - other).powi(2)).sum();
            assert!(moved.sqrt() > 0.05, "{hyperbolic} {class}: {own:?} {other:?}");
        }
        for number in &all {
            let truth = examples.all[*number as usize].class;
            let told = KindAnswer::of(&trained.logits(&examples, *number, false), 1.0, truth);
            assert_eq!(told.class, truth, "{hyperbolic}");
        }
    }
}

#[test]
fn the_model_for_use_proposes_what_the_classifier_tells() {
    let (clear, lines) = made();
    let examples = NameExamples::of(&lines, &clear, MAX_OCCURRENCES);
    let all: Vec<u32> = (0..examples.all.len() as u32).collect();
    let vocabulary = Vocabulary::of(&examples, &all, MinSpellings { word: 1, company: 1 });
    let mut trained = KindClassifier::new(SETTINGS, vocabulary).unwrap();
    trained.train(&examples, &all);
    trained.temperature = 1.5;
    let model = trained.model(&examples).unwrap();
    let read = tuppum_corpus::names::NameModel::read(&model.write()).unwrap();
    let place = examples.spellings.iter().position(|(spelling, _)| spelling == "{d} gu ta").unwrap();
    let number = examples.all.iter().position(|example| example.spelling as usize == place).unwrap();
    let told = KindAnswer::of(&trained.logits(&examples, number as u32, true), 1.5, 10);
    // f32 for f64, then coordinates in steps of 1/127.
    for (model, most) in [(&model, 1e-4), (&read, 0.05)] {
        let guess = model.kinds(&["šta", "{d}gu-ta"], 1);
        assert_eq!(guess.kinds[0].kind, NameKind::Month);
        assert!((f64::from(guess.kinds[0].probability) - told.probability).abs() < most, "{guess:?} {told:?}");
    }
}

#[test]
fn the_nearest_spelling_is_found() {
    let (clear, lines) = made();
    let examples = NameExamples::of(&lines, &clear, MAX_OCCURRENCES);
    let all: Vec<u32> = (0..examples.all.len() as u32).collect();
    let nearest = NearestSpelling::of(&examples, &all, false);
    assert_eq!(nearest.class("{d} du ta"), 10);
    assert_eq!(nearest.class("{m} du x ta"), 10);
    // Nothing in common: the commonest.
    assert_eq!(nearest.class("qu"), 1);
}

#[test]
fn scores_and_temperatures_are_counted_by_hand() {
    let told = |truth, class, probability| KindAnswer { truth, class, probability };
    let scores = KindScores::of(&[told(0, 0, 0.9), told(1, 1, 0.8), told(1, 0, 0.9), told(2, 1, 0.6)]);
    assert_eq!(scores.right, 50.0);
    assert_eq!((scores.classes[1].precision, scores.classes[1].recall, scores.classes[1].f1), (50.0, 50.0, 50.0));
    assert_eq!(scores.mean_f1, 25.0);
    // Of 0.9 twice, one is right; 0.8 is right, 0.6 is wrong.
    assert!((scores.calibration_error - 100.0 * (0.8 + 0.2 + 0.6) / 4.0).abs() < 1e-9, "{scores:?}");
    // Three of four right, at odds of e² : 1, need a temperature of 2 / ln 3.
    let logits: Vec<(Vec<f64>, usize)> = (0..4).map(|at| (vec![2.0, 0.0], usize::from(at == 3))).collect();
    let best = temperature(&logits);
    assert!((best - 2.0 / 3_f64.ln()).abs() < 0.04, "{best}");
    assert!(loss(&logits, best) <= loss(&logits, 1.0));
}
