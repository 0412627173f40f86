//! The command line as a user meets it: a text or a question in, an answer or a clear message out.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const TINY: &str = "tests/golden/tiny-torso";

/// Runs `tuppum restore` in the project's folder with the tiny torso unless `arguments` name another model.
fn restore(arguments: &[&str], input: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tuppum"));
    command.current_dir(tuppum_testing::project("")).arg("restore").args(arguments);
    if !arguments.contains(&"--model") {
        command.args(["--model", TINY]);
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A command that refuses its arguments may end before it has read.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

fn output(output: &Output) -> String {
    assert!(output.status.success(), "{}", errors(output));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The command fails, prints nothing else, and says `expected`.
fn refused(arguments: &[&str], input: &[u8], expected: &str) {
    let output = restore(arguments, input);
    let message = errors(&output);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(output.stdout.is_empty());
    assert!(message.contains(expected), "{message}");
    assert!(!message.contains("panicked"), "{message}");
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_str(&self::output(output)).unwrap()
}

/// Returns a copy of the tiny model in a folder of its own.
fn copied_model(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    for file in std::fs::read_dir(tuppum_testing::project(TINY)).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), folder.join(file.file_name())).unwrap();
    }
    folder
}

#[test]
fn a_text_gives_json_that_can_be_asked_again() {
    let first = json(&restore(&["--json", "--text", "a-na x-x LUGAL\nx ša"], b""));
    assert_eq!(first["answer"]["gaps"].as_array().map(Vec::len), Some(3));
    assert_eq!(first["answer"]["joint"][0]["readings"].as_array().map(Vec::len), Some(3));
    assert!(first["note"].as_str().is_some_and(|note| note.starts_with("Machine proposals")));
    let again = json(&restore(&["--json"], first["question"].to_string().as_bytes()));
    assert_eq!(again["question"], first["question"]);
    assert_eq!(again["answer"], first["answer"]);
}

#[test]
fn arguments_change_the_question() {
    let arguments =
        ["--json", "--beam", "2", "--top", "3", "--longest", "2", "--period", "old-assyrian", "--choose", "0"];
    let found = json(&restore(&arguments, "a-na x ... LUGAL".as_bytes()));
    let question = &found["question"];
    assert_eq!((&question["beam"], &question["top"], &question["longest"]), (&2.into(), &3.into(), &2.into()));
    assert_eq!(question["period"], "OldAssyrian");
    let gaps = found["answer"]["gaps"].as_array().unwrap();
    assert_eq!(gaps.iter().map(|gap| gap["sign"].as_u64().unwrap()).collect::<Vec<_>>(), [0, 2, 3]);
    assert!(gaps.iter().all(|gap| gap["proposals"].as_array().unwrap().len() <= 3));
    assert_eq!(gaps[2]["lengths"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_table_and_a_text_say_what_they_are() {
    let table = output(&restore(&["--format", "tsv", "-t", "a-na x LUGAL"], b""));
    assert!(table.starts_with("# Machine proposals"));
    assert!(table.lines().skip(2).all(|row| row.split('\t').count() == 11), "{table}");
    let text = output(&restore(&["-t", "a-na x LUGAL"], b""));
    assert!(text.starts_with("Machine proposals"));
    let restored = text.lines().find(|line| line.starts_with("a-na")).unwrap_or_default();
    assert!(restored.contains('[') && restored.ends_with("LUGAL"), "{text}");
    assert!(text.contains("Sign 2 (x) in line 1"), "{text}");
}

#[test]
fn what_was_odd_in_the_text_is_shown_with_its_place() {
    let output = restore(&["-t", "a-na x\nLUGAL ]"], b"");
    let message = errors(&output);
    assert!(output.status.success());
    assert!(message.contains("--> text:2:7"), "{message}");
    assert!(message.contains("2 | LUGAL ]\n"), "{message}");
    assert!(message.contains("  |       ^\n"), "{message}");
}

#[test]
fn input_without_anything_to_restore_is_refused() {
    refused(&[], b"", "There is no text.");
    refused(&[], b"  \n\n", "There is no text.");
    refused(&[], "a-na LUGAL".as_bytes(), "nothing to restore");
    refused(&["--choose", "7"], b"x", "no sign number 7");
}

#[test]
fn input_that_is_no_text_is_refused() {
    refused(&[], b"a-na \xff\xfe", "standard input is no text: byte 5 is not UTF-8");
    refused(&["no-such-file.txt"], b"", "no-such-file.txt cannot be read");
    refused(&[], b"{\"text\": 1}", "the question cannot be read");
}

#[test]
fn zero_bytes_and_controls_are_kept_as_typed() {
    let found = json(&restore(&["--json"], b"a-na x \x00\x07 LUGAL \xe2\x80\x8f"));
    assert_eq!(found["question"]["text"], "a-na x \u{0}\u{7} LUGAL \u{200F}");
}

#[test]
fn a_missing_model_says_where_it_was_looked_for() {
    refused(&["--model", "no/such/folder", "-t", "x"], b"", "no/such/folder");
}

#[test]
fn damaged_weights_say_what_is_wrong_and_what_to_do() {
    let folder = copied_model("truncated");
    let weights = folder.join("restorer.safetensors");
    let bytes = std::fs::read(&weights).unwrap();
    std::fs::write(&weights, &bytes[..bytes.len() - 100]).unwrap();
    let name = folder.display().to_string();
    refused(&["--model", &name, "-t", "x"], b"", "restorer.safetensors is truncated");
    refused(&["--model", &name, "-t", "x"], b"", "fetch it again");

    let mut altered = bytes;
    let last = altered.len() - 1;
    altered[last] ^= 1;
    std::fs::write(&weights, &altered).unwrap();
    refused(&["--model", &name, "-t", "x"], b"", "restorer.safetensors was altered");
}
