//! The evaluation against the reference program: same file, same places, same loss.
//!
//! `tests/golden/evaluation/` holds what `recipes/train_restorer.py --evaluate-only --float32` wrote for the first 2,000
//! rows of the Old Assyrian corpus: every masked place with its target, loss and rank. The corpus itself is not part of the project.

use std::path::{Path, PathBuf};
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use tuppum::eval::restoration::{Evaluation, Tally, read_places};
use tuppum::model::torso::{TorsoScorer, Unpaced};
use tuppum::signs::Priors;
use tuppum::text::tokens::Vocabulary;
use tuppum::train::sequences::{Sequence, Texts};
use tuppum::train::signs_file::for_each_row;
use tuppum::weights::open_folder;

const CORPUS: &str = "../shared/data/cdli/monolingual/cdli_old_assyrian_signs.tsv.xz";
const ROWS: usize = 2_000;
/// The whole file takes two minutes and more; the first sequences show the same.
const SEQUENCES: usize = 12;
/// What the two programs may differ in the mean loss: both compute in float32, in different orders.
const TOLERANCE: f64 = 1e-3;

fn root(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("a computation on the CPU waited for something"),
    }
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
    let mut texts = Texts::new(vocabulary);
    for_each_row(corpus, Some(ROWS), |row| texts.add(row)).unwrap_or_else(|error| panic!("{error}"));
    texts.cut(384)
}

#[test]
fn losses_agree_with_the_reference_program() {
    let corpus = root(CORPUS);
    if !corpus.exists() {
        println!("not run: {} is not there", corpus.display());
        return;
    }
    let device = burn::tensor::Device::flex();
    let model = now(open_folder(&root("models/restorer"), &device, |_, _| (), &Unpaced)).unwrap();
    let table = std::fs::read_to_string(root("tests/golden/evaluation/old_assyrian_2000.tsv")).unwrap();
    let sequences = sequences(&corpus, &model.vocabulary);
    assert_eq!(sequences.len(), 95, "as many sequences as the reference made");
    let places = read_places(&table, &sequences).unwrap();
    let mut evaluation = Evaluation::new(false);
    let mut scorer = TorsoScorer::new(model.torso, Unpaced);
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
