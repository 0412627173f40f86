//! `--device` of the laboratory's commands as a user meets it, on whatever graphics card there is.
//!
//! Where no card is found the test says that it was not run; under `TUPPUM_VULKAN=installed`, which `cargo xtask test`
//! sets once a driver is there, it fails instead.
#![allow(clippy::unwrap_used)] // a test stops where it cannot go on

use std::process::{Command, Output};
use tuppum_testing::TemporaryFolder;

fn tuppum(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tuppum-lab"));
    command.current_dir(tuppum_testing::project("")).args(arguments).output().unwrap()
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Returns `true` if there is a card to test with.
fn has_card() -> bool {
    let folder = TemporaryFolder::new("graphics-lab");
    let pairs = folder.join("pairs.tsv");
    let row = |number| format!("o{number}\tP{number:06}\ta-na KU₃\tshekels\n");
    std::fs::write(&pairs, "id\ttext_id\tsource\ttarget\n".to_owned() + &(1..9).map(row).collect::<String>()).unwrap();
    let [pairs, out] = [pairs, folder.join("run")].map(|path| path.to_string_lossy().into_owned());
    let own = ["pretrain", &pairs, "--size", "nano", "--out", &out, "--steps", "1", "--held-out", "0"];
    let tried = tuppum(&[&own[..], &["--device", "wgpu"]].concat());
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

#[test]
fn a_batch_that_is_too_large_is_an_error_that_says_what_would_fit() {
    if !has_card() {
        return;
    }
    let folder = TemporaryFolder::new("graphics-large");
    let (source, target) = ("a-na KU₃ ".repeat(200), "shekels ".repeat(220));
    let row = |number| format!("o{number}\tP{number:06}\t{source}\t{target}\n");
    let pairs = folder.join("pairs.tsv");
    std::fs::write(
        &pairs,
        ["id\ttext_id\tsource\ttarget\n".to_owned()].into_iter().chain((1..9).map(row)).collect::<String>(),
    )
    .unwrap();
    let [pairs, out] = [pairs, folder.join("run")].map(|path| path.to_string_lossy().into_owned());
    // The scores of one layer are eight rows times four heads times 2000 places twice: half a gigabyte.
    let own =
        ["pretrain", &pairs, "--size", "nano", "--out", &out, "--steps", "1", "--held-out", "0", "--longest", "2000"];
    let tried = tuppum(&[&own[..], &["--batch-bytes", "16000", "--device", "wgpu"]].concat());
    let told = told(&tried);
    if tried.status.success() {
        println!("NOT RUN, for the card takes tensors of that size: {told}");
        return;
    }
    assert_eq!(tried.status.code(), Some(1), "{told}");
    let error = told.lines().find(|line| line.starts_with("error: ") && !line.contains("XDG")).unwrap_or(&told);
    for part in ["the computing device failed", "it would take about", "--batch-bytes 8000", "--device cpu"] {
        assert!(error.contains(part), "{part:?} is missing: {told}");
    }
    assert!(!told.contains("panicked"), "{told}");
}
