//! Tests of the torso against its reference, and of weights files that are not what they claim to be.

use burn::tensor::Device;
use std::path::PathBuf;
use tuppum_domain::restoration::{Row, Scorer};
use tuppum_nn::torso::{
    Batching, Cancelled, GOLDEN_TOLERANCE, Golden, NeverYields, Torso, TorsoConfig, TorsoError, TorsoScorer, Yield,
    self_test,
};
use tuppum_testing::now;
use tuppum_weights::{Manifest, MemorySource, WeightsError, load_torso, open_folder, read_golden};

const SHIPPED: &str = "models/restorer";
const TINY: &str = "tests/golden/tiny-torso";

fn folder(name: &str) -> PathBuf {
    tuppum_testing::project(name)
}

fn file(name: &str) -> Vec<u8> {
    std::fs::read(folder(name)).unwrap()
}

fn open(name: &str) -> Torso {
    now(open_folder(&folder(name), &Device::flex(), |_, _| (), &NeverYields)).unwrap().torso
}

fn golden(name: &str) -> Golden {
    now(read_golden(&file(&format!("{name}/golden.safetensors")))).unwrap()
}

fn tiny_scorer(batching: Batching) -> TorsoScorer<NeverYields> {
    TorsoScorer::new(open(TINY), NeverYields).with_batching(batching)
}

#[test]
fn the_tiny_torso_agrees_with_its_reference() {
    let difference = now(self_test(&open(TINY), &golden(TINY), &NeverYields)).unwrap();
    assert!(difference < GOLDEN_TOLERANCE, "{difference}");
}

#[test]
fn the_shipped_torso_agrees_with_its_reference() {
    let torso = open(SHIPPED);
    assert_eq!(torso.config().parameter_count(), 28_758_383);
    let difference = now(self_test(&torso, &golden(SHIPPED), &NeverYields)).unwrap();
    println!("largest relative difference: {difference:e}");
    assert!(difference < GOLDEN_TOLERANCE, "{difference}");
}

#[test]
fn the_self_test_notices_wrong_numbers() {
    let mut golden = golden(TINY);
    golden.logits[1][0][7] += 1.0;
    let difference = now(self_test(&open(TINY), &golden, &NeverYields)).unwrap();
    assert!(difference > GOLDEN_TOLERANCE, "{difference}");
    golden.logits.clear();
    assert!(matches!(now(self_test(&open(TINY), &golden, &NeverYields)), Err(TorsoError::Device(_))));
}

/// Tolerance for sums in another order and, in attention, the exact zeros of padding: a few units in the last place of
/// logits near 10.
const SAME_ROW: f32 = 2e-5;

#[test]
fn a_row_scores_the_same_alone_and_padded_in_a_batch() {
    let rows = golden(TINY).rows;
    let apart = Batching { places: 1, pass_cost: 0, round_to: 1, at_once: 1 };
    let mut alone = tiny_scorer(apart);
    let separate = now(alone.score(&rows)).unwrap();
    assert_eq!(alone.passes(), rows.len() as u64);
    let mut batched = tiny_scorer(Batching::GPU);
    let together = now(batched.score(&rows)).unwrap();
    assert_eq!(batched.passes(), 1);
    let pairs = separate.iter().flatten().flatten().zip(together.iter().flatten().flatten());
    let difference = pairs.map(|(one, other)| (one - other).abs()).fold(0.0, f32::max);
    assert!(difference < SAME_ROW, "{difference}");
}

#[test]
fn what_was_scored_is_remembered() {
    let rows = golden(TINY).rows;
    let mut scorer = tiny_scorer(Batching::CPU);
    let first = now(scorer.score(&rows)).unwrap();
    let (passes, twice) = (scorer.passes(), [rows.clone(), rows.clone()].concat());
    let again = now(scorer.score(&twice)).unwrap();
    assert_eq!(scorer.passes(), passes);
    assert_eq!(again, [first.clone(), first].concat());
}

#[test]
fn equal_rows_of_one_question_are_computed_once() {
    let row = golden(TINY).rows[0].clone();
    let mut scorer = tiny_scorer(Batching::CPU);
    let logits = now(scorer.score(&[row.clone(), row])).unwrap();
    assert_eq!(scorer.scored(), 1);
    assert_eq!(logits[0], logits[1]);
}

#[test]
fn rows_without_places_need_no_pass() {
    let row = Row { ids: vec![8, 20], places: Vec::new() };
    assert_eq!(now(open(TINY).logits(&[&row], 0, &NeverYields)).unwrap(), [Vec::<Vec<f32>>::new()]);
}

#[test]
fn impossible_rows_are_refused_with_the_reason() {
    let torso = open(TINY);
    let check = |ids: Vec<u32>, places: Vec<usize>, said: &str| {
        let error = now(torso.logits(&[&Row { ids, places }], 0, &NeverYields)).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    };
    check(Vec::new(), Vec::new(), "it is empty");
    check(vec![8; 769], vec![1], "769 signs, more than 768");
    check(vec![8, 400], vec![1], "token 400 lies outside the vocabulary of 400");
    check(vec![8, 2], vec![2], "place 2 lies outside its 2 signs");
}

/// Yielder that cancels a job after some layers.
struct CancelAfter(std::cell::Cell<u32>);

impl Yield for CancelAfter {
    async fn yield_now(&self) -> Result<(), Cancelled> {
        let left = self.0.get().checked_sub(1).ok_or(Cancelled)?;
        self.0.set(left);
        Ok(())
    }
}

#[test]
fn a_cancelled_job_stops_yield_now() {
    let (torso, row) = (open(TINY), golden(TINY).rows[0].clone());
    let stopping = |layers| CancelAfter(std::cell::Cell::new(layers));
    assert_eq!(now(torso.logits(&[&row], 0, &stopping(1))).unwrap_err(), TorsoError::Stopped);
    assert!(now(torso.logits(&[&row], 0, &stopping(2))).is_ok());
}

#[test]
fn influence_is_relative_to_the_strongest_sign() {
    let (torso, row) = (open(TINY), golden(TINY).rows[0].clone());
    let influence = now(torso.influence(&row.ids, row.places[0], 30, &NeverYields)).unwrap();
    assert_eq!(influence.len(), row.ids.len());
    assert!(influence.iter().all(|size| (0.0..=1.0).contains(size)), "{influence:?}");
    assert_eq!(influence.iter().copied().fold(0.0, f32::max), 1.0);
    assert!(now(torso.influence(&row.ids, row.places[0], 400, &NeverYields)).is_err());
}

fn load(weights: Vec<u8>, config: &TorsoConfig) -> Result<Torso, WeightsError> {
    let manifest = Manifest::from_json(&file(&format!("{TINY}/manifest.json"))).unwrap();
    let entry = manifest.file("restorer.safetensors").unwrap();
    now(load_torso(config, &mut MemorySource::new(weights), Some(entry), &Device::flex(), |_, _| (), &NeverYields))
}

fn load_unchecked(weights: Vec<u8>, config: &TorsoConfig) -> Result<Torso, WeightsError> {
    now(load_torso(config, &mut MemorySource::new(weights), None, &Device::flex(), |_, _| (), &NeverYields))
}

fn tiny() -> (Vec<u8>, TorsoConfig) {
    let config = TorsoConfig::from_json(&file(&format!("{TINY}/config.json"))).unwrap();
    (file(&format!("{TINY}/restorer.safetensors")), config)
}

/// Returns the file with one text in its header replaced by another.
fn with_header(weights: &[u8], from: &str, to: &str) -> Vec<u8> {
    let length = u64::from_le_bytes(weights[..8].try_into().unwrap()) as usize;
    let header = std::str::from_utf8(&weights[8..8 + length]).unwrap();
    assert!(header.contains(from), "{from} is not in the header");
    let header = header.replacen(from, to, 1);
    [&(header.len() as u64).to_le_bytes(), header.as_bytes(), &weights[8 + length..]].concat()
}

#[test]
fn progress_ends_with_the_whole_file() {
    let (weights, config) = tiny();
    let total = weights.len() as u64;
    let mut reported = Vec::new();
    let mut source = MemorySource::new(weights);
    now(load_torso(&config, &mut source, None, &Device::flex(), |done, of| reported.push((done, of)), &NeverYields))
        .unwrap();
    assert_eq!(reported.len(), config.tensors().len());
    assert!(reported.is_sorted());
    assert_eq!(reported.last(), Some(&(total, total)));
}

#[test]
fn a_damaged_weights_file_is_refused_with_the_reason() {
    let (weights, config) = tiny();
    let check = |bytes: Vec<u8>, said: &str| {
        for result in [load_unchecked(bytes.clone(), &config), load(bytes, &config)] {
            let error = result.unwrap_err();
            assert!(!error.hints().is_empty());
            let error = error.to_string();
            assert!(error.contains(said) || error.contains("restorer.safetensors is"), "{error}");
        }
    };
    check(Vec::new(), "truncated: it has 0 bytes");
    check(weights[..7].to_vec(), "truncated: it has 7 bytes of 8");
    check(weights[..100].to_vec(), "truncated");
    check(weights[..weights.len() - 1].to_vec(), "truncated");
    check([&weights[..], b"x"].concat(), "too long");
    check([&u64::MAX.to_le_bytes(), &weights[8..]].concat(), "header claims");
    check(b"<!DOCTYPE html><html>not found</html>".to_vec(), "header claims");
    check(with_header(&weights, "torso.embed.weight", "torso.embed.wait"), "torso.embed.weight is missing");
    check(
        with_header(&weights, "layers.0.attn.k", "layers.0.attn.q"),
        "names tensor torso.layers.0.attn.q.weight twice",
    );
    check(with_header(&weights, "[400,32]", "[32,400]"), "has shape [32, 400]; config.json asks for [400, 32]");
    check(with_header(&weights, "\"F16\"", "\"F64\""), "accepted are F32");
}

#[test]
fn an_altered_weights_file_is_told_from_the_manifest() {
    let (mut weights, config) = tiny();
    let last = weights.len() - 1;
    weights[last] ^= 1;
    assert!(load_unchecked(weights.clone(), &config).is_ok());
    let error = load(weights, &config).unwrap_err().to_string();
    assert!(error.starts_with("restorer.safetensors was altered: its sha256 is"), "{error}");
}

#[test]
fn weights_of_another_torso_are_refused() {
    let (weights, config) = tiny();
    let more = TorsoConfig { layers: 3, ..config.clone() };
    let error = load_unchecked(weights.clone(), &more).unwrap_err().to_string();
    assert!(error.contains("torso.layers.2.attn.q.weight is missing"), "{error}");
    let fewer = TorsoConfig { layers: 1, ..config };
    let error = load_unchecked(weights, &fewer).unwrap_err().to_string();
    assert!(error.contains("is unknown to a torso of this size"), "{error}");
}

#[test]
fn logits_are_divided_by_the_temperature() {
    let (weights, config) = tiny();
    let score = |temperature: f32| {
        let config = TorsoConfig { temperature, ..config.clone() };
        let mut scorer = TorsoScorer::new(load_unchecked(weights.clone(), &config).unwrap(), NeverYields);
        let row = Row { ids: vec![1, 20, 6, 30, 2], places: vec![2] };
        now(scorer.score(std::slice::from_ref(&row))).unwrap().concat().concat()
    };
    let plain = score(1.0);
    assert!(plain.iter().any(|logit| *logit != 0.0));
    // Halving a number is exact.
    assert_eq!(score(2.0), plain.iter().map(|logit| logit / 2.0).collect::<Vec<_>>());
}

#[test]
fn weights_that_are_not_finite_are_refused() {
    let (mut weights, config) = tiny();
    let last = weights.len() - 2;
    weights[last..].copy_from_slice(&[0x00, 0x7e]);
    let error = load_unchecked(weights, &config).unwrap_err().to_string();
    assert!(error.contains("not finite"), "{error}");
}

#[test]
fn loading_can_be_cancelled() {
    let (weights, config) = tiny();
    let yielder = CancelAfter(std::cell::Cell::new(3));
    let loaded = now(load_torso(&config, &mut MemorySource::new(weights), None, &Device::flex(), |_, _| (), &yielder));
    assert_eq!(loaded.unwrap_err(), WeightsError::Stopped);
}

#[test]
fn a_folder_with_a_missing_file_says_which() {
    let error =
        now(open_folder(&folder("tests/golden"), &Device::flex(), |_, _| (), &NeverYields)).unwrap_err().to_string();
    assert!(error.contains("config.json"), "{error}");
}

#[test]
fn a_folder_without_a_manifest_is_that_of_a_saved_run() {
    let saved = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("saved-restorer");
    std::fs::create_dir_all(&saved).unwrap();
    for name in ["config.json", "vocab.json", "restorer.safetensors"] {
        std::fs::copy(folder("tests/golden/tiny-torso").join(name), saved.join(name)).unwrap();
    }
    let model = now(open_folder(&saved, &Device::flex(), |_, _| (), &NeverYields)).unwrap();
    assert_eq!(model.torso.config().layers, 2);
    std::fs::write(saved.join("vocab.json"), "[]").unwrap();
    let error = now(open_folder(&saved, &Device::flex(), |_, _| (), &NeverYields)).unwrap_err().to_string();
    assert!(error.contains("0 tokens"), "{error}");
}
