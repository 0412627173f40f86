//! `--device` as a user meets it: on whatever graphics card there is, on Debian's machines without one Mesa's driver,
//! which computes on the processor.
//!
//! Where no card is found the tests say that they were not run; under `TUPPUM_VULKAN=installed`, which `cargo xtask
//! test` sets once a driver is there, they fail instead.
#![allow(clippy::unwrap_used)] // a test stops where it cannot go on

use burn::tensor::Device;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};
use tuppum_domain::training::OptimiserRule;
use tuppum_domain::training_memory::TrainingMemory;
use tuppum_domain::translation::training::{TranslationPair, TranslatorTrainingPlan, TranslatorTrainingSettings};
use tuppum_nn::byt5::ByT5Config;
use tuppum_nn::yielding::NeverYields;
use tuppum_testing::{TemporaryFolder, now};
use tuppum_train::translator::{TranslatorTrainer, fresh};

const TINY: &str = "tests/golden/tiny-translator";
const GAP: &str = "a-na {d}UTU be-li₂-ia x-bi₂-ma um-ma a-na-ku-ma";

fn tuppum(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tuppum"));
    command.current_dir(tuppum_testing::project("")).args(arguments);
    command
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[track_caller]
fn good(output: &Output) -> String {
    assert!(output.status.success(), "{}", told(output));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Returns `true` if there is a card to test with.
fn has_card() -> bool {
    let tried = tuppum(&["translate", "--model", TINY, "--longest", "1", "--device", "wgpu", "a-na"]);
    if tried.status.success() {
        return true;
    }
    let reason = told(&tried);
    assert!(reason.contains("no graphics card was found"), "{reason}");
    let must = std::env::var_os("TUPPUM_VULKAN").is_some();
    assert!(!must, "a driver for Vulkan is installed, and no graphics card is found by it: {reason}");
    println!("NOT RUN, for there is no graphics card and no driver such as mesa-vulkan-drivers: {reason}");
    false
}

/// Adapter, largest tensor and speed, then by how much the model differs from the reference's golden numbers.
#[track_caller]
fn self_test(told: &str) -> f64 {
    // Mesa says a word of its own where no desktop runs.
    let first = told.lines().find(|line| line.starts_with("computing on ")).unwrap_or_default();
    for part in ["computing on ", " by ", "tensors of up to ", " GFLOP/s in products of "] {
        assert!(first.contains(part), "{part:?} is missing: {told}");
    }
    let rest = told.split("self-test passed: differs by ").nth(1).unwrap_or_else(|| panic!("no self-test: {told}"));
    rest.split(',').next().unwrap().parse().unwrap()
}

/// Asserts that two answers have the same readings, with probabilities that differ by rounding only.
#[track_caller]
fn assert_alike(one: &Value, other: &Value) {
    match (one, other) {
        // The tolerance of the self-test on logits, and as much again for those of other rows.
        (Value::Number(one), Value::Number(other)) => {
            let [one, other] = [one, other].map(|number| number.as_f64().unwrap());
            assert!((one - other).abs() <= 1e-3 * other.abs().max(1.0), "{one} is not {other}");
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            one.iter().zip(other).for_each(|(one, other)| assert_alike(one, other));
        }
        (Value::Object(one), Value::Object(other)) => {
            assert!(one.keys().eq(other.keys()));
            one.iter().for_each(|(name, value)| assert_alike(value, &other[name]));
        }
        (one, other) => assert_eq!(one, other),
    }
}

#[test]
fn a_card_computes_the_golden_logits_and_restores_as_the_processor() {
    if !has_card() {
        return;
    }
    let restored =
        |device| tuppum(&["restore", "--beam", "2", "--top", "3", "--json", "--text", GAP, "--device", device]);
    let [card, processor] = ["wgpu", "cpu"].map(restored);
    let [one, other] = [&card, &processor].map(|output| serde_json::from_str::<Value>(&good(output)).unwrap());
    assert_alike(&one, &other);
    // The golden logits are those of the reference program; the command itself refuses more than 5e-4.
    assert!(self_test(&told(&card)) <= 5e-4);
    let processor = told(&processor);
    assert!(processor.contains("computing on the processor, ") && !processor.contains("self-test"), "{processor}");
}

#[test]
fn a_card_translates_as_the_processor() {
    if !has_card() {
        return;
    }
    for (model, longest) in [(TINY, "40"), ("models/translator", "12")] {
        let own =
            ["translate", "--model", model, "--longest", longest, "--answers", "2", "--all", "um-ma a-šur-i-di₂-ma"];
        let [card, processor] = ["wgpu", "cpu"].map(|device| tuppum(&[&own[..], &["--device", device]].concat()));
        assert_eq!(good(&card), good(&processor));
        assert!(self_test(&told(&card)) <= 5e-4);
    }
}

/// Returns a folder with forty pairs of twenty texts.
fn pairs(folder: &Path) -> String {
    let mut table = "id\ttext_id\tsource\ttarget\n".to_owned();
    for number in 0..40 {
        let text = number % 20 + 1;
        table += &format!("o{number}\tP{text:06}\t{} GIN₂ KU₃.BABBAR\t{} shekels of silver\n", number + 1, number + 1);
    }
    let path = folder.join("pairs.tsv");
    std::fs::write(&path, table).unwrap();
    path.to_string_lossy().into_owned()
}

#[test]
fn five_steps_of_training_are_those_of_the_processor() {
    if !has_card() {
        return;
    }
    let folder = TemporaryFolder::new("graphics-steps");
    let pairs = pairs(&folder);
    // The processor cuts batches in two unless it is told otherwise, which changes the draws of dropout.
    let settings = folder.join("settings.json").to_string_lossy().into_owned();
    std::fs::write(&settings, r#"{"parts": 2}"#).unwrap();
    let curve = |device: &str, rule: &str| -> Vec<Vec<f64>> {
        let out = folder.join(format!("{device}-{rule}")).to_string_lossy().into_owned();
        let own = ["train", &pairs, "--model", TINY, "--out", &out, "--steps", "5", "--rate", "3e-3"];
        let more = ["--batch-bytes", "512", "--translate", "0", "--device", device, "--optimiser", rule];
        good(&tuppum(&[&own[..], &more, &["--settings", &settings]].concat()));
        let curve = std::fs::read_to_string(Path::new(&out).join("curve.tsv")).unwrap();
        // Loss and length of the gradient.
        let row = |row: &str| [2, 4].map(|column| row.split('\t').nth(column).unwrap().parse().unwrap()).to_vec();
        curve.lines().skip(1).map(row).collect()
    };
    for rule in ["adamw", "adafactor", "muon"] {
        let (card, processor) = (curve("wgpu", rule), curve("cpu", rule));
        assert_eq!([card.len(), processor.len()], [5; 2]);
        for (one, other) in card.iter().flatten().zip(processor.iter().flatten()) {
            // Sums in another order differ by 1e-6, of which Adam, dividing by roots of small sums, makes more step by
            // step; measured were 4e-6 in all. A wrong gradient is off by 1e-1 at the second step.
            assert!((one - other).abs() <= 1e-3 * other.abs(), "{rule}: {one} is not {other}");
        }
    }
}

/// Returns the bytes of the card that two steps hold, by its allocator, and the bytes of the estimate.
fn held(device: &Device, rule: OptimiserRule) -> [u64; 2] {
    device.memory_cleanup();
    let reserved = || device.memory_pool_usage().expect("what the allocator holds").bytes_reserved;
    let (before, line) = (reserved(), "a-na be-li ".repeat(2));
    // So wide that the weights outweigh what the layers keep.
    let config = ByT5Config {
        d_model: 384,
        num_heads: 6,
        d_ff: 1152,
        num_layers: 1,
        num_decoder_layers: Some(1),
        geometry_layers: 0,
        ..ByT5Config::named("tiny").unwrap()
    };
    let model = fresh::model(&config, 1, device).unwrap();
    let mut settings = TranslatorTrainingSettings { batch_bytes: 64, held_out: 0.0, ..Default::default() };
    settings.optimiser.rule = rule;
    let pairs = vec![TranslationPair::new("P", line.clone(), line); 4];
    let plan = TranslatorTrainingPlan { pairs, settings };
    let estimate = TrainingMemory::of_translator(config.size(), &plan).bytes_on_card();
    let mut trainer = TranslatorTrainer::new(&model, plan).unwrap();
    drop(model);
    for _ in 0..2 {
        now(trainer.step(&NeverYields)).unwrap();
    }
    [reserved().saturating_sub(before), estimate]
}

#[test]
fn what_training_holds_is_within_the_estimate_whatever_moves_the_weights() {
    if !has_card() {
        return;
    }
    let (device, _) = Device::wgpu_options().init_with_setup().unwrap();
    let all = OptimiserRule::ALL.map(|rule| held(&device, rule));
    println!("held and estimated, by AdamW, Adafactor and Muon: {all:?}");
    assert!(all.iter().all(|[held, estimate]| held < estimate), "{all:?}");
    let [adamw, adafactor, muon] = all.map(|[held, _]| held);
    assert!(adafactor < muon && muon < adamw, "{all:?}");
}

#[test]
fn without_a_card_the_processor_takes_its_place_or_the_reason_is_told() {
    // Neither a driver for Vulkan nor one for OpenGL is found.
    let nowhere = |arguments: &[&str]| {
        let mut command = command(arguments);
        for variable in ["VK_DRIVER_FILES", "VK_ICD_FILENAMES", "__EGL_VENDOR_LIBRARY_FILENAMES"] {
            command.env(variable, "/nonexistent");
        }
        command.env("LIBGL_DRIVERS_PATH", "/nonexistent").output().unwrap()
    };
    let own = ["translate", "--model", TINY, "--longest", "4", "a-na", "--device"];
    let automatic = nowhere(&[&own[..], &["auto"]].concat());
    assert_eq!(good(&automatic), good(&tuppum(&own[..6])));
    let reason = told(&automatic);
    assert!(reason.contains("computing on the processor, ") && reason.contains('('), "{reason}");
    if cfg!(target_os = "linux") {
        let demanded = nowhere(&[&own[..], &["wgpu"]].concat());
        let reason = told(&demanded);
        assert!(!demanded.status.success() && reason.contains("--device wgpu cannot be had: no graphics"), "{reason}");
    }
}
