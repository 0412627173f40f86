use super::*;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde::Deserialize;
use tuppum_random::{Draws, Random};

/// Tolerance: both programs compute in f64, and sums and logarithms may differ in the last bits.
const TOLERANCE: f64 = 1e-9;

#[derive(Deserialize)]
struct Sentences {
    sentences: Vec<Sentence>,
}

#[derive(Deserialize)]
struct Sentence {
    translation: String,
    reference: String,
    tokens: String,
    reference_tokens: String,
    bleu: f64,
    chrf: f64,
    bleu_without_effective_order: f64,
}

#[derive(Deserialize)]
struct Corpora {
    corpora: Vec<Corpus>,
}

#[derive(Deserialize)]
struct Corpus {
    name: String,
    first: usize,
    sentences: usize,
    bleu: f64,
    chrf: f64,
    score: f64,
}

#[derive(Deserialize)]
struct Bootstrap {
    first: Vec<String>,
    second: Vec<String>,
    references: Vec<String>,
    draws: Vec<String>,
    bleu: Tested,
    chrf: Tested,
}

#[derive(Deserialize)]
struct Tested {
    score: f64,
    mean: f64,
    ci: f64,
    p: f64,
}

macro_rules! golden {
    ($name:literal) => {
        serde_json::from_str(include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../tests/golden/scores/",
            $name,
            ".json"
        )))
        .unwrap()
    };
}

fn sentences() -> Vec<Sentence> {
    let golden: Sentences = golden!("sentences");
    golden.sentences
}

fn counts(sentences: &[Sentence]) -> Vec<TranslationCounts> {
    sentences.iter().map(|sentence| TranslationCounts::of(&sentence.translation, &sentence.reference)).collect()
}

#[track_caller]
fn near(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance, "{what}: {found} instead of {expected}");
}

#[test]
fn sentences_agree_with_sacrebleu() {
    let sentences = sentences();
    assert!(sentences.len() > 90);
    for sentence in &sentences {
        let text = &sentence.translation;
        assert_eq!(tokens::tokenised(text), sentence.tokens);
        assert_eq!(tokens::tokenised(&sentence.reference), sentence.reference_tokens);
        let counts = TranslationCounts::of(text, &sentence.reference);
        let found = counts.sentence_scores();
        near(found.bleu, sentence.bleu, TOLERANCE, text);
        near(found.chrf, sentence.chrf, TOLERANCE, text);
        near(counts.scores().bleu, sentence.bleu_without_effective_order, TOLERANCE, text);
    }
}

#[test]
fn corpora_agree_with_sacrebleu() {
    let counts = counts(&sentences());
    let golden: Corpora = golden!("corpora");
    assert!(golden.corpora.len() > 10);
    for corpus in golden.corpora {
        let scores = counts[corpus.first..][..corpus.sentences].iter().collect::<TranslationCounts>().scores();
        near(scores.bleu, corpus.bleu, TOLERANCE, &corpus.name);
        near(scores.chrf, corpus.chrf, TOLERANCE, &corpus.name);
        near(scores.score, corpus.score, TOLERANCE, &corpus.name);
    }
}

/// The sentences that another program drew.
struct Recorded<T>(T);

impl<T: Iterator<Item = usize>> Draws for Recorded<T> {
    fn uniform(&mut self) -> f64 {
        panic!("a bootstrap draws sentences only")
    }

    fn below(&mut self, _: usize) -> usize {
        self.0.next().unwrap()
    }
}

#[test]
fn the_paired_bootstrap_agrees_with_sacrebleu_on_its_draws() {
    let golden: Bootstrap = golden!("bootstrap");
    let of = |system: &[String]| -> Vec<TranslationCounts> {
        system
            .iter()
            .zip(&golden.references)
            .map(|(translation, reference)| TranslationCounts::of(translation, reference))
            .collect()
    };
    let (first, second) = (of(&golden.first), of(&golden.second));
    for (tested, figure) in [
        (&golden.bleu, (|counts: &TranslationCounts| counts.bleu.score()) as fn(&TranslationCounts) -> f64),
        (&golden.chrf, |counts| counts.chrf.score()),
    ] {
        let numbers = golden.draws.iter().flat_map(|sample| sample.split(' ').map(|number| number.parse().unwrap()));
        let found = paired(&first, &second, figure, golden.draws.len(), &mut Recorded(numbers)).unwrap();
        near(found.second.value, tested.score, TOLERANCE, "score");
        // sacreBLEU computes its samples in float32: 100 · 2⁻²⁴ in each of a dozen steps.
        near(found.second.mean, tested.mean, 1e-4, "mean");
        near((found.second.high - found.second.low) / 2.0, tested.ci, 1e-4, "interval");
        near(found.p, tested.p, 1e-12, "p");
    }
}

#[test]
fn the_bootstrap_knows_equal_systems_from_different_ones() {
    let sentences = sentences();
    let ours = counts(&sentences);
    let worse: Vec<TranslationCounts> =
        sentences.iter().map(|sentence| TranslationCounts::of("the", &sentence.reference)).collect();
    let score = |counts: &TranslationCounts| counts.scores().score;
    let run = |second: &[TranslationCounts], seed| paired(&ours, second, score, 200, &mut Random::new(seed)).unwrap();
    let same = run(&ours, 1);
    assert_eq!((same.difference.value, same.difference.low, same.difference.high), (0.0, 0.0, 0.0));
    assert_eq!(same.p, 1.0, "a difference of nothing is no finding");
    let different = run(&worse, 1);
    assert!(different.p < 0.01 && different.difference.high < 0.0, "{different:?}");
    assert!(different.first.low < different.first.value && different.first.value < different.first.high);
    assert_eq!(different, run(&worse, 1), "the same seed gives the same samples");
    assert_ne!(different.first, run(&worse, 2).first);
    let alone = interval(&ours, score, 200, &mut Random::new(1)).unwrap();
    assert_eq!(alone, different.first, "one system alone is drawn like a pair");
}

#[test]
fn a_bootstrap_needs_sentences_of_both_systems() {
    let (one, mut draws) = ([TranslationCounts::default()], Random::new(1));
    let score = |counts: &TranslationCounts| counts.scores().score;
    let message = |first: &[TranslationCounts], samples, draws: &mut Random| {
        paired(first, &one, score, samples, draws).unwrap_err().to_string()
    };
    assert!(message(&[], 10, &mut draws).starts_with("the first system has 0 sentences and the second 1"));
    assert!(message(&one, 0, &mut draws).contains("0 samples"));
    assert!(interval(&[], score, 10, &mut draws).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 256,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::default()
    })]

    #[test]
    fn scores_of_any_text_lie_between_0_and_100(translation in any::<String>(), reference in any::<String>()) {
        let counts = TranslationCounts::of(&translation, &reference);
        for scores in [counts.scores(), counts.sentence_scores()] {
            for score in [scores.bleu, scores.chrf, scores.score] {
                prop_assert!((0.0..=100.0 + TOLERANCE).contains(&score), "{score}");
            }
        }
    }

    #[test]
    fn a_text_agrees_with_itself(text in "[a-zšṭ₂.,{}]{1,6}( [a-zšṭ₂.,{}]{1,6}){3,9}") {
        let scores = TranslationCounts::of(&text, &text).scores();
        prop_assert!((scores.bleu - 100.0).abs() < TOLERANCE, "{}", scores.bleu);
        prop_assert!((scores.chrf - 100.0).abs() < TOLERANCE, "{}", scores.chrf);
    }

    #[test]
    fn tokens_lose_only_spaces_and_are_tokenised_already(text in "[a-z0-9 .,;-]{0,40}") {
        let tokens = tokens::tokenised(&text);
        prop_assert_eq!(tokens.replace(' ', ""), text.replace(' ', ""));
        prop_assert!(!tokens.contains("  ") && tokens.trim() == tokens);
    }

    #[test]
    fn the_order_of_sentences_does_not_matter(order in Just((0..101).collect::<Vec<usize>>()).prop_shuffle()) {
        let counts = counts(&sentences());
        let shuffled: TranslationCounts = order.iter().map(|place| &counts[*place]).collect();
        prop_assert_eq!(shuffled, counts.iter().collect::<TranslationCounts>());
    }
}
