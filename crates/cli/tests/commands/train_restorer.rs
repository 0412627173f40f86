//! `tuppum train-restorer` as a user meets it, with the tiny torso and a handful of texts.

use burn::tensor::Device;
use futures_lite::future::block_on;
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tuppum_eval::restoration::{RATE, RestorerComparison, SEED, choose, paired};
use tuppum_eval::texts::TextGroups;
use tuppum_eval::translation::SAMPLES;
use tuppum_nn::torso::Torso;
use tuppum_nn::yielding::NeverYields;
use tuppum_random::Random;
use tuppum_train::restorer::{checkpoint, measure};
use tuppum_weights::{FileSource, open_folder};

const TINY: &str = "tests/golden/tiny-torso";

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

/// Returns a folder of its own with twenty texts: ten in a file of transliterations, ten in a corpus of signs.
fn folder(name: &str) -> (PathBuf, [String; 2]) {
    let folder = std::env::temp_dir().join(format!("tuppum-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut letters = String::new();
    let mut corpus =
        "text_id\tproject\tlang\tline\ttransliteration\treadings\tglyphs\tstates\tword_starts\n".to_owned();
    for number in 1..=10 {
        writeln!(letters, "&P{number:06} = letter\n1. a-na {{d}}UTU be-li₂-ia\n2. [u₃] LUGAL ša KUR x\n").unwrap();
        for line in 1..=2 {
            writeln!(corpus, "P1{number:05}\toa\takk\t{line}\t-\tLUGAL GAL u₂ LUGAL šu a na\t-\tPDPPPPM\t1101110")
                .unwrap();
        }
    }
    let paths = [("letters.atf", letters), ("small_signs.tsv", corpus)].map(|(name, text)| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_string_lossy().into_owned()
    });
    (folder, paths)
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn a_cut_run_goes_on_and_ends_as_one_that_was_not_cut() {
    let (folder, [letters, corpus]) = folder("train-restorer");
    let out = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let train_from = |base: &str, out: &str, more: &[&str]| {
        let own = ["train-restorer", &letters, &corpus, "--model", base, "--out", out, "--steps", "8"];
        tuppum(
            &[&own[..], &["--batch-tokens", "64", "--rate", "3e-3", "--held-out", "0.3", "--seed", "3"], more].concat(),
        )
    };
    let train = |out: &str, more: &[&str]| train_from(TINY, out, more);
    let (whole, cut) = (out("whole"), out("cut"));
    let told = good(&train(&whole, &[]));
    // Of twelve signs of a letter two are not whole, of fourteen of the corpus four.
    assert!(told.contains("23.1 % of the signs of these texts are damaged, restored or illegible"), "{told}");
    assert!(told.contains("masks 5 to 50 %") && told.contains("measuring 15 %"), "{told}");
    assert!(told.contains("before") && told.contains("after") && told.contains("hit@1 "), "{told}");
    assert!(good(&train(&cut, &["--budget-minutes", "0"])).contains("step 0 of 8"));
    let other = message(&train_from(&out("whole/model"), &cut, &[]));
    assert!(other.contains("began with another base") && other.contains("--model"), "{other}");
    good(&train(&cut, &["--budget-minutes", "0.002", "--checkpoint-minutes", "0"]));
    good(&train(&cut, &[]));
    let read = |out: &str, name: &str| std::fs::read(Path::new(out).join(name)).unwrap();
    assert!(read(&whole, "model/restorer.safetensors") == read(&cut, "model/restorer.safetensors"));
    let losses = |out: &str| -> Vec<String> {
        let table = String::from_utf8(read(out, "curve.tsv")).unwrap();
        table.lines().map(|row| row.split('\t').nth(2).unwrap().to_owned()).collect()
    };
    assert_eq!(losses(&whole), losses(&cut));
    assert_eq!(losses(&whole).len(), 9);
    let result = json(&Path::new(&whole).join("result.json"));
    let [before, after] = ["first", "second"].map(|side| result["compared"][side]["loss"].as_f64().unwrap());
    assert!(after < before, "{before} {after}");
    assert!(result["compared"]["loss"]["high"].as_f64().is_some() && result["texts"][1].as_u64() > Some(0));
    let expected = compared(Path::new(&whole), 3);
    let mean = result["compared"]["loss"]["mean"].as_f64().unwrap();
    assert!((mean - expected.loss.mean).abs() < 1e-9, "{mean} {expected:?}");
    assert_eq!(result["compared"]["texts"].as_u64(), Some(expected.texts as u64));
    let other = message(&train(&whole, &["--dropout", "0.2"]));
    assert!(other.contains("other texts or settings"), "{other}");
    let model = out("whole/model");
    good(&tuppum(&["restore", "--model", &model, "--text", "a-na x be-li₂-ia"]));
    let measured = good(&tuppum(&["eval", "restore", "--model", &model, "--data", &corpus, "--boundary-given-only"]));
    assert!(measured.contains("given"), "{measured}");
    std::fs::remove_dir_all(folder).unwrap();
}

/// Base and trained model on the held-out texts of a run, with samples drawn by this seed.
fn compared(run: &Path, seed: u64) -> RestorerComparison {
    let mut file = FileSource::open(&run.join("checkpoint.safetensors")).unwrap();
    let trainer = block_on(checkpoint::read("the run", &mut file, &Device::flex())).unwrap();
    let base = block_on(open_folder(&tuppum_testing::project(TINY), &Device::flex(), |_, _| (), &NeverYields)).unwrap();
    let held_out = trainer.held_out(usize::MAX);
    let (places, tokens) = (choose(&held_out, RATE, SEED), trainer.plan().settings.batch_tokens);
    let measured = |torso: &Torso| {
        block_on(measure(torso, trainer.vocabulary(), &held_out, &places, tokens, &NeverYields)).unwrap()
    };
    let (before, after) = (measured(&base.torso), measured(&trainer.model()));
    let texts = TextGroups::of(trainer.held_out_texts(usize::MAX));
    assert_eq!(texts.pairs(), held_out.len());
    paired(&before, &after, &texts, SAMPLES, &mut Random::new(seed)).unwrap()
}

#[test]
fn what_cannot_be_trained_with_is_said() {
    let (folder, [letters, _]) = folder("train-restorer-said");
    let out = folder.join("run").to_string_lossy().into_owned();
    let check = |texts: &str, more: &[&str], expected: &str| {
        let own = ["train-restorer", texts, "--base", TINY, "--out", &out, "--steps", "1"];
        let message = message(&tuppum(&[&own[..], more].concat()));
        assert!(message.contains(expected) && !message.contains("panicked"), "{message}");
    };
    check(&letters, &["--layers", "3"], "3 layers are to train, and the model has 2");
    check(&letters, &["--rate", "0"], "learning rate is 0");
    check("Cargo.toml.none", &[], "Cargo.toml.none cannot be read");
    check("tests/golden", &[], "*_signs.tsv");
    let empty = folder.join("empty.txt");
    std::fs::write(&empty, "\n\n").unwrap();
    check(&empty.to_string_lossy(), &[], "no line of transliteration");
    std::fs::remove_dir_all(folder).unwrap();
}
