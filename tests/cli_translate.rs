//! `tuppum translate` as a user meets it, with the tiny translator and what Hugging Face finds with it.
#![allow(clippy::unwrap_used)] // a test stops where it cannot go on

use serde_json::Value;
use std::process::{Command, Output};

/// Runs `tuppum translate` in the project's folder with this model.
fn translate(model: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tuppum"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(["translate", "--model", model]).args(arguments);
    command.output().unwrap()
}

const TINY: &str = "tests/golden/tiny-translator";
const FIRST: &str = "um-ma a-šur-i-di₂-ma";

/// The outputs of the reference for the first row.
fn golden(way: &str, beams: u64) -> Value {
    let cases: Vec<Value> =
        serde_json::from_slice(include_bytes!("golden/tiny-translator/golden.json").as_slice()).unwrap();
    let wanted = |case: &&Value| case["way"] == way && case["row"] == 0 && case["beams"] == beams;
    cases.iter().find(wanted).unwrap()["outputs"].clone()
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn a_line_is_translated_as_hugging_face_does_it() {
    for (way, more) in [("byte", &[][..]), ("plain", &["--no-bias"][..])] {
        let arguments = [&["--longest", "40", "--answers", "5", FIRST], more].concat();
        let expected: String = golden(way, 5)
            .as_array()
            .unwrap()
            .iter()
            .map(|found| found["text"].as_str().unwrap().to_string() + "\n")
            .collect();
        assert_eq!(text(&translate(TINY, &arguments)), expected);
    }
}

#[test]
fn json_tells_every_byte() {
    let printed = text(&translate(TINY, &["--longest", "40", "--no-bias", "--json", FIRST]));
    let answers: Vec<Value> = serde_json::from_str(&printed).unwrap();
    let best = &answers[0]["translations"][0];
    assert_eq!(answers[0]["source"], FIRST);
    assert_eq!(best["text"], golden("plain", 5)[0]["text"]);
    let bytes = best["text"].as_str().unwrap().len();
    assert_eq!(best["byte_probabilities"].as_array().unwrap().len(), bytes);
    assert_eq!(best["byte_attention"].as_array().unwrap().len(), bytes);
    assert_eq!(best["byte_attention"][0].as_array().unwrap().len(), FIRST.len() + 1);
}

#[test]
fn a_folder_without_a_translator_says_what_is_looked_for() {
    let output = translate("tests/golden/scoreless", &[FIRST]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("config.json"), "{message}");
}
