//! The evaluation against the reference program: same file, same places, same loss.
//!
//! `tests/golden/evaluation/` holds what `recipes/train_restorer.py --evaluate-only --float32` wrote for the first
//! 2,000 rows of the Old Assyrian corpus: every masked place with its target, loss and rank. The corpus itself is not
//! part of the project.

use burn::tensor::Device;
use std::path::{Path, PathBuf};
use tuppum_corpus::signs_file::for_each_row;
use tuppum_domain::restoration::texts::texts;
use tuppum_eval::restoration::{Evaluation, RestorationScores, Tally, choose, read_places, scores};
use tuppum_nn::torso::{NeverYields, TorsoScorer};
use tuppum_testing::now;
use tuppum_text::signs::Priors;
use tuppum_text::tokens::Vocabulary;
use tuppum_train::restorer::measure;
use tuppum_train::sequences::{Sequence, TextGatherer, sequences as sequences_of};
use tuppum_weights::open_folder;

const CORPUS: &str = "../shared/data/cdli/monolingual/cdli_old_assyrian_signs.tsv.xz";
const ROWS: usize = 2_000;
/// The whole file takes two minutes and more; the first sequences show the same.
const SEQUENCES: usize = 12;
/// Tolerance of the mean loss: both programs compute in float32, in different orders.
const TOLERANCE: f64 = 1e-3;

fn root(name: &str) -> PathBuf {
    tuppum_testing::project(name)
}

/// Scores of the reference on the first sequences: the columns are sequence, place, target, loss, rank.
fn reference(table: &str) -> Tally {
    let mut tally = Tally::default();
    for row in table.lines().skip(1) {
        let cells: Vec<f64> = row.split('\t').map(|cell| cell.parse().unwrap_or(f64::NAN)).collect();
        if (cells[0] as usize) < SEQUENCES {
            tally.add(-cells[3], cells[4] as usize);
        }
    }
    tally
}

fn sequences(corpus: &Path, vocabulary: &Vocabulary) -> Vec<Sequence> {
    let mut texts = TextGatherer::default();
    for_each_row(corpus, Some(ROWS), |row| texts.add(row)).unwrap_or_else(|error| panic!("{error}"));
    texts.cut(vocabulary, 384)
}

#[test]
fn losses_agree_with_the_reference_program() {
    let corpus = root(CORPUS);
    if !corpus.exists() {
        println!("not run: {} is not there", corpus.display());
        return;
    }
    let model = now(open_folder(&root("models/restorer"), &Device::flex(), |_, _| (), &NeverYields)).unwrap();
    let table = std::fs::read_to_string(root("tests/golden/evaluation/old_assyrian_2000.tsv")).unwrap();
    let sequences = sequences(&corpus, &model.vocabulary);
    assert_eq!(sequences.len(), 95, "as many sequences as the reference made");
    let places = read_places(&table, &sequences).unwrap();
    let mut evaluation = Evaluation::new(false);
    // The reference program knows no temperature.
    let mut scorer = TorsoScorer::new(model.torso, NeverYields).with_temperature(1.0);
    for (sequence, places) in sequences.iter().zip(&places).take(SEQUENCES) {
        now(evaluation.add(sequence, places, &model.vocabulary, Priors::shared(), &mut scorer)).unwrap();
    }
    let (ours, theirs) = (evaluation.report().boundary_given, reference(&table).scores());
    println!("ours {ours:?}\ntheirs {theirs:?}");
    assert_eq!(ours.targets, theirs.targets);
    assert!((ours.loss - theirs.loss).abs() < TOLERANCE, "{} {}", ours.loss, theirs.loss);
    // Ranks may change places only where two logits are equal to float32: nowhere in this sample.
    assert_eq!((ours.hit_1, ours.hit_20), (theirs.hit_1, theirs.hit_20));
}

#[test]
fn a_measurement_of_training_comes_to_what_the_evaluation_finds() {
    let model = now(open_folder(&root("tests/golden/tiny-torso"), &Device::flex(), |_, _| (), &NeverYields)).unwrap();
    let typed =
        "1. a-na {d}UTU be-li₂-ia u₃ LUGAL\n2. ša KUR a-na LUGAL\n\n1. i-na KUR {d}UTU u₂-šu x [...]\n2. LUGAL ša₂ KUR";
    let all: Vec<Sequence> = texts(typed).iter().flat_map(|text| sequences_of(text, &model.vocabulary, 384)).collect();
    assert_eq!(all.len(), 2);
    let places = choose(&all, 0.4, 1);
    let measured = now(measure(&model.torso, &model.vocabulary, &all, &places, 512, &NeverYields)).unwrap();
    let mut evaluation = Evaluation::new(false);
    let mut scorer = TorsoScorer::new(model.torso, NeverYields);
    for (sequence, places) in all.iter().zip(&places) {
        now(evaluation.add(sequence, places, &model.vocabulary, Priors::shared(), &mut scorer)).unwrap();
    }
    let (ours, theirs) = (scores(&measured), evaluation.report().boundary_given);
    assert!(ours.targets > 2 && (ours.loss - theirs.loss).abs() < 1e-5, "{ours:?} {theirs:?}");
    assert_eq!(RestorationScores { loss: theirs.loss, ..ours }, theirs);
}
