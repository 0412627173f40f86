//! Fuzzing of run files: descriptions of model, plan and progress in a checkpoint are mutated. The checksum is
//! recomputed, since whoever changes a file can change that too.
#![allow(clippy::unwrap_used)] // golden files that cannot be read are a failure

use burn::tensor::Device;
use serde_json::{Value, json};
use std::fs;
use tuppum_domain::restoration::training::RestorerTrainingPlan;
use tuppum_domain::translation::training::{TranslationPair, TranslatorTrainingPlan};
use tuppum_testing::fuzz::{Counting, Target};
use tuppum_testing::{now, project};
use tuppum_train::{restorer, translator};
use tuppum_weights::{Checksum, MemorySource};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn golden(path: &str) -> Value {
    serde_json::from_slice(&fs::read(project("tests/golden").join(path)).unwrap()).unwrap()
}

/// Returns a run file with this state, one weight, and a correct checksum.
fn checkpoint(state: &[u8]) -> Vec<u8> {
    let mut state = state.to_vec();
    state.resize(state.len().next_multiple_of(4), b' ');
    let end = state.len();
    let entry = |dtype: &str, numbers: usize, from: usize| {
        let bytes = 4 * numbers;
        json!({"dtype": dtype, "shape": [numbers], "data_offsets": [from, from + bytes]})
    };
    let header = json!({
        "run.state": entry("I32", end / 4, 0),
        "own.weight": entry("F32", 2, end),
        "run.sha256": entry("I32", 16, end + 8),
    });
    let mut header = header.to_string().into_bytes();
    header.resize(header.len().next_multiple_of(8), b' ');
    let mut file = [&(header.len() as u64).to_le_bytes()[..], &header, &state, &[0; 8]].concat();
    let mut checksum = Checksum::default();
    checksum.add(&file);
    file.extend(checksum.digits().into_bytes());
    file
}

#[test]
fn fuzz_run() {
    let pair = TranslationPair { source: "a-na".into(), target: "to".into(), ..TranslationPair::default() };
    let translator = TranslatorTrainingPlan { pairs: vec![pair], settings: Default::default() };
    let restorer = RestorerTrainingPlan::default();
    let seeds = [
        json!({"format": 1, "config": golden("tiny-translator/config.json"), "plan": translator, "curve": [],
            "validations": []}),
        json!({"format": 1, "config": golden("tiny-torso/config.json"), "vocabulary": ["[PAD]", "[MASK]", "a"],
            "plan": restorer, "curve": [], "validations": []}),
    ];
    let words =
        ["\"", "{", "}", "[", "]", ",", ":", "0", "1", "1e308", "4294967295", "18446744073709551615", "-1", "null"];
    // Before its first tensor is asked for, a model takes memory only according to its sizes.
    let target = Target::text("run").longest(4_000).seeds(seeds.map(|state| state.to_string())).words(words);
    target.memory(2 << 20, 1_000).run(|input| {
        let file = checkpoint(input);
        let device = Device::flex();
        drop(now(translator::checkpoint::read("run", &mut MemorySource::new(&file), &device, None)));
        drop(now(restorer::checkpoint::read("run", &mut MemorySource::new(&file), &device)));
    });
}
