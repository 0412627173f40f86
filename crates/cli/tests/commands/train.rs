//! `tuppum train` as a user meets it, with the tiny translator and a handful of pairs.

use burn::tensor::Device;
use futures_lite::future::block_on;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tuppum_domain::translation::training::{
    Length, TranslationPair, TranslatorTrainingPlan, TranslatorTrainingSettings,
};
use tuppum_nn::yielding::NeverYields;
use tuppum_train::translator::{TranslatorTrainer, checkpoint};
use tuppum_weights::open_translator;

const TINY: &str = "tests/golden/tiny-translator";

fn tuppum(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tuppum"));
    command.current_dir(tuppum_testing::project("")).args(arguments).output().unwrap()
}

#[track_caller]
fn good(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[track_caller]
fn message(output: &Output) -> String {
    assert!(!output.status.success());
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Returns a folder of its own with forty pairs of twenty texts, P000008 among them, which is kept for validation.
fn folder(name: &str) -> (PathBuf, String) {
    let folder = std::env::temp_dir().join(format!("tuppum-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut table = "id\ttext_id\tsource\ttarget\n".to_owned();
    for number in 0..40 {
        let text = number % 20 + 1;
        table += &format!("o{number}\tP{text:06}\t{} GIN₂ KU₃.BABBAR\t{} shekels of silver\n", number + 1, number + 1);
    }
    let pairs = folder.join("pairs.tsv");
    std::fs::write(&pairs, table).unwrap();
    let pairs = pairs.to_string_lossy().into_owned();
    (folder, pairs)
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn a_cut_run_goes_on_and_ends_as_one_that_was_not_cut() {
    let (folder, pairs) = folder("train");
    let out = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let train = |out: &str, more: &[&str]| {
        let own = ["train", &pairs, "--model", TINY, "--out", out, "--steps", "6", "--batch-bytes", "512"];
        tuppum(&[&own[..], &["--rate", "3e-3", "--translate", "2", "--beams", "1"], more].concat())
    };
    let (whole, cut) = (out("whole"), out("cut"));
    let told = good(&train(&whole, &[]));
    assert!(told.contains("held-out bits per byte") && told.contains("the points of the bias moved by"), "{told}");
    assert!(good(&train(&cut, &["--budget-minutes", "0"])).contains("step 0 of 6"));
    let points = ["--points", "assets/geometry/byte-points-soft.safetensors"];
    let other = message(&train(&cut, &points));
    assert!(other.contains("began with another base") && other.contains("--model and --points"), "{other}");
    // An older version noted no base; its run continues.
    std::fs::remove_file(Path::new(&cut).join("base.sha256")).unwrap();
    good(&train(&cut, &["--budget-minutes", "0.005"]));
    good(&train(&cut, &[]));
    let read = |out: &str, name: &str| std::fs::read(Path::new(out).join(name)).unwrap();
    assert!(read(&whole, "model/model.safetensors") == read(&cut, "model/model.safetensors"));
    let steps = |out: &str| String::from_utf8(read(out, "curve.tsv")).unwrap();
    let losses = |table: &str| table.lines().map(|row| row.split('\t').nth(2).unwrap().to_owned()).collect::<Vec<_>>();
    assert_eq!(losses(&steps(&whole)), losses(&steps(&cut)));
    assert_eq!(losses(&steps(&whole)).len(), 7);
    let result = json(&Path::new(&whole).join("result.json"));
    let [before, after] = ["first", "second"].map(|side| result["compared"]["bits"][side].as_f64().unwrap());
    assert!(after < before, "{before} {after}");
    assert!(result["compared"]["score"]["p"].as_f64().is_some());
    let header = steps(&whole).lines().next().unwrap().to_owned();
    assert!(header.ends_with("points_mean\tpoints_largest\tpoints_gradient"), "{header}");
    let last = steps(&whole).lines().last().unwrap().to_owned();
    let ways: Vec<f64> = last.split('\t').skip(9).map(|cell| cell.parse().unwrap()).collect();
    assert_eq!(result["points"]["largest"].as_f64().map(|way| way as f32), Some(ways[1] as f32));
    // Five steps at rates up to 3e-3 times 10, of the few points that these lines have, among 384; not a millionth, as
    // once.
    assert!(ways[0] > 1e-3 && ways[1] < 0.2, "{ways:?}");
    let still = out("still");
    let told = good(&train(&still, &["--freeze-points", "--budget-minutes", "1"]));
    assert!(!told.contains("the points of the bias"), "{told}");
    assert_eq!(json(&Path::new(&still).join("result.json"))["points"], Value::Null);
    let other = message(&train(&whole, &["--seed", "2"]));
    assert!(other.contains("other pairs or settings"), "{other}");
    good(&tuppum(&["translate", "--model", &out("whole/model"), "--longest", "10", "a-na"]));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_bias_is_attached_trained_alone_and_taken_off_without_a_trace() {
    let (folder, pairs) = folder("train-bias");
    let out = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let (bare, run, off) = (out("bare"), out("run"), out("off"));
    good(&tuppum(&["bias", TINY, "--out", &bare, "--no-bias"]));
    assert!(message(&tuppum(&["bias", &bare, "--out", &off, "--no-bias"])).contains("no hyperbolic bias"));
    let train = |more: &[&str]| {
        let own = ["train", &pairs, "--model", &bare, "--out", &run, "--steps", "20", "--translate", "0"];
        tuppum(&[&own[..], &["--batch-bytes", "512", "--learns", "bias"], more].concat())
    };
    let refused = message(&train(&[]));
    assert!(refused.contains("the model has none; choose one"), "{refused}");
    let soft = ["--bias", "soft", "--bias-layers", "2"];
    assert!(good(&train(&[&soft[..], &["--budget-minutes", "0"]].concat())).contains("step 0 of 20"));
    let checkpoint = std::fs::metadata(Path::new(&run).join("checkpoint.safetensors")).unwrap().len();
    assert!(checkpoint < 150_000, "it holds the bias twice and not the model: {checkpoint} bytes");
    let told = good(&train(&soft));
    assert!(told.contains("the points of the bias moved by"), "{told}");
    let result = json(&Path::new(&run).join("result.json"));
    assert!(result["points"]["largest"].as_f64().unwrap() > 1e-3, "{result}");
    good(&tuppum(&["bias", &out("run/model"), "--out", &off, "--no-bias"]));
    let weights = |folder: &str| std::fs::read(Path::new(folder).join("model.safetensors")).unwrap();
    assert!(weights(&off) == weights(&bare), "every other number is as it was");
    let answer = |folder: &str, more: &[&str]| {
        let line = ["translate", "a-na {d}UTU", "--model", folder, "--longest", "10", "--json"];
        good(&tuppum(&[&line[..], more].concat()))
    };
    assert_eq!(answer(&out("run/model"), &["--no-bias"]), answer(&bare, &[]));
    assert_ne!(answer(&out("run/model"), &[]), answer(&bare, &[]));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn held_out_pairs_whose_source_trains_too_are_not_measured() {
    let (folder, pairs) = folder("train-leaks");
    let mut table = "text_id\tsource\ttarget\n".to_owned();
    for number in 0..30 {
        table +=
            &format!("P{number}\tum-ma šar-ru-um\tthus the king\nP{number}\ta-na {number} MU\tfor {number} years\n");
    }
    std::fs::write(&pairs, table).unwrap();
    let out = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let train = |out: &str| {
        let own =
            ["train", &pairs, "--model", TINY, "--out", out, "--steps", "1", "--held-out", "0.3", "--translate", "0"];
        tuppum(&own)
    };
    let output = train(&out("new"));
    good(&output);
    let result = json(&Path::new(&out("new")).join("result.json"));
    let leaks = result["leaks"].as_u64().unwrap();
    assert!(leaks > 2 && result["pairs"] == serde_json::json!([60 - 2 * leaks, leaks]), "{result}");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains(&format!("{leaks} more would be held out")), "{told}");
    // A run that an older version began holds them out; it continues, with the same result.
    let table = std::fs::read_to_string(&pairs).unwrap();
    let cells = |row: &str| row.split('\t').map(str::to_owned).collect::<Vec<_>>();
    let whole =
        table.lines().skip(1).map(cells).map(|cells| TranslationPair::new(&cells[0], &cells[1], &cells[2])).collect();
    let settings =
        TranslatorTrainingSettings { length: Length::Steps(1), held_out: 0.3, ..TranslatorTrainingSettings::default() };
    let model =
        block_on(open_translator(&tuppum_testing::project(TINY), &Device::flex(), |_, _| (), &NeverYields)).unwrap();
    let trainer = TranslatorTrainer::new(&model, TranslatorTrainingPlan { pairs: whole, settings }).unwrap();
    let mut kept = Vec::new();
    block_on(checkpoint::write(&trainer, &mut kept)).unwrap();
    std::fs::create_dir_all(out("old")).unwrap();
    std::fs::write(Path::new(&out("old")).join("checkpoint.safetensors"), kept).unwrap();
    good(&train(&out("old")));
    let old = json(&Path::new(&out("old")).join("result.json"));
    assert_eq!(old["pairs"], serde_json::json!([60 - 2 * leaks, 2 * leaks]));
    assert_eq!(old["compared"]["bits"]["first"], result["compared"]["bits"]["first"]);
    std::fs::remove_dir_all(folder).unwrap();
}
