//! `tuppum translate` as a user meets it, with the tiny translator and what Hugging Face finds with it.

use burn::tensor::Device;
use futures_lite::future::block_on;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};
use tuppum_nn::byt5::{GeometryLevel, HyperbolicBias};
use tuppum_text::signs::taxonomy::SignTree;
use tuppum_train::translator::export;
use tuppum_weights::safetensors::Dtype;

/// Runs `tuppum translate` in the project's folder with this model.
fn translate(model: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tuppum"));
    command.current_dir(tuppum_testing::project("")).args(["translate", "--model", model]).args(arguments);
    command.output().unwrap()
}

const TINY: &str = "tests/golden/tiny-translator";
const FIRST: &str = "um-ma a-šur-i-di₂-ma";

/// Returns the outputs of the reference for the first row.
fn golden(way: &str, beams: u64) -> Value {
    let cases: Vec<Value> = serde_json::from_slice(
        include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/tiny-translator/golden.json"))
            .as_slice(),
    )
    .unwrap();
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

/// Returns the texts that the model was given to read, from the JSON answer.
fn read(arguments: &[&str]) -> Vec<String> {
    let search = ["--longest", "8", "--beams", "1", "--json"];
    let printed = text(&translate(TINY, &[&search[..], arguments].concat()));
    let answers: Vec<Value> = serde_json::from_str(&printed).unwrap();
    answers.iter().map(|answer| answer["source"].as_str().unwrap().to_string()).collect()
}

#[test]
fn a_text_is_read_as_the_page_reads_it() {
    let typed = "&P123456 = Letter\n@obverse\n1. um-ma [a-szur]-i-di2-ma#\n$ 2 lines broken\n2'. a-na x";
    assert_eq!(read(&[typed]), [FIRST, "a-na x"]);
    assert_eq!(read(&["--whole", typed]), [format!("{FIRST} ... a-na x")]);
    assert_eq!(read(&["--raw", "1. um-ma [a]\n\na-na"]), ["1. um-ma [a]", "a-na"]);
    let nothing = translate(TINY, &["[x x x]"]);
    let message = String::from_utf8_lossy(&nothing.stderr).into_owned();
    assert!(!nothing.status.success() && message.contains("nothing to translate"), "{message}");
}

#[test]
fn what_was_translated_before_a_failure_is_printed() {
    let output =
        translate(TINY, &["--longest", "8", "--beams", "1", "--json", &format!("{FIRST}\n{}a", "a-".repeat(1100))]);
    assert_eq!(output.status.code(), Some(1));
    let answers: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((answers.len(), &answers[0]["source"]), (1, &Value::from(FIRST)));
    assert!(String::from_utf8_lossy(&output.stderr).contains("more than 2048"));
}

#[test]
fn a_folder_without_a_translator_says_what_is_looked_for() {
    let output = translate("tests/golden/scoreless", &[FIRST]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("config.json"), "{message}");
}

/// Runs `tuppum eval translate` and returns the JSON that it prints.
fn evaluated(arguments: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tuppum"));
    command.current_dir(tuppum_testing::project("")).args(["eval", "translate", "--json"]).args(arguments);
    serde_json::from_str(&text(&command.output().unwrap())).unwrap()
}

#[test]
fn given_translations_are_scored_as_sacrebleu_does() {
    let golden: Value = serde_json::from_slice(
        include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/scores/sentences.json")).as_slice(),
    )
    .unwrap();
    let folder = tuppum_testing::TemporaryFolder::new("scores");
    let word = |sentence: &Value, part: &str| sentence[part].as_str().unwrap().to_owned();
    let sentences = golden["sentences"].as_array().unwrap().iter();
    let sentences: Vec<(String, String)> =
        sentences.map(|sentence| (word(sentence, "translation"), word(sentence, "reference"))).collect();
    // A table and a list of lines cannot hold every character of the golden sentences.
    let fits = |text: &str| {
        !text.is_empty() && text.trim() == text && !text.contains(['\t', '\n', '\r', '\u{2028}', '\u{85}'])
    };
    let kept: Vec<_> = sentences.iter().filter(|(own, reference)| fits(own) && fits(reference)).collect();
    assert!(kept.len() > 20, "{}", kept.len());
    let table: String = kept.iter().map(|(_, reference)| format!("x\t{reference}\n")).collect();
    std::fs::write(folder.join("pairs.tsv"), format!("source\ttarget\n{table}")).unwrap();
    std::fs::write(folder.join("own.txt"), kept.iter().map(|(own, _)| format!("{own}\n")).collect::<String>()).unwrap();
    let path = |name: &str| folder.join(name).display().to_string();
    let report = evaluated(&["--data", &path("pairs.tsv"), "--translations", &path("own.txt")]);
    // Of one text every sample is the text itself.
    let rows = table.lines().map(|row| format!("P1\t{row}\n")).collect::<String>();
    std::fs::write(folder.join("text.tsv"), format!("text_id\tsource\ttarget\n{rows}")).unwrap();
    let text = evaluated(&["--data", &path("text.tsv"), "--translations", &path("own.txt")]);
    let width = |report: &Value| ["high", "low"].map(|end| report["interval"][end].as_f64().unwrap());
    assert!(width(&report)[0] > width(&report)[1] && width(&text)[0] == width(&text)[1], "{report} {text}");
    let expected = kept.iter().map(|(own, reference)| tuppum_eval::translation::TranslationCounts::of(own, reference));
    let expected: Vec<_> = expected.collect();
    let expected = expected.iter().collect::<tuppum_eval::translation::TranslationCounts>().scores();
    // The library's scores are held to sacreBLEU's by its own tests; here nothing may get lost on the way.
    for (name, expected) in [("BLEU", expected.bleu), ("chrF++", expected.chrf), ("score", expected.score)] {
        assert!((report[name].as_f64().unwrap() - expected).abs() < 1e-9, "{name}: {} and {expected}", report[name]);
    }
    assert_eq!(report["pairs"].as_u64(), Some(kept.len() as u64));
}

/// Returns a folder with the tiny translator, its bias over signs.
fn over_signs(folder: &Path) -> String {
    let mut model = block_on(crate::translator::translator("plain", &Device::flex()));
    let points = (0..SignTree::shared().len() * 32).map(|number| (number % 7) as f32 * 0.02).collect();
    let bias = HyperbolicBias::new(points, 32, 0.5, 1, 1.0, &Device::flex()).unwrap();
    model.attach_over(bias, GeometryLevel::Sign);
    let own = folder.join("over-signs");
    std::fs::create_dir_all(&own).unwrap();
    let mut weights = Vec::new();
    block_on(export::weights(&model, Dtype::F32, &mut weights)).unwrap();
    std::fs::write(own.join("model.safetensors"), weights).unwrap();
    std::fs::write(own.join("config.json"), export::config(&model).unwrap()).unwrap();
    own.display().to_string()
}

#[test]
fn a_bias_over_signs_is_told_which_byte_belongs_to_which() {
    let folder = tuppum_testing::TemporaryFolder::new("over-signs");
    let model = over_signs(&folder);
    let search = ["--longest", "8", "--beams", "1"];
    text(&translate(&model, &[&search[..], &[FIRST]].concat()));
    let (pairs, run) = (folder.join("pairs.tsv").display().to_string(), folder.join("run").display().to_string());
    let rows = (0..8).map(|number| format!("t{number}\t{number} GIN₂ KU₃.BABBAR\t{number} shekels of silver\n"));
    std::fs::write(&pairs, format!("text_id\tsource\ttarget\n{}", rows.collect::<String>())).unwrap();
    let report = evaluated(&[&["--data", &pairs, "--model", &model, "--limit", "2"], &search[..]].concat());
    assert_eq!(report["translations"].as_array().map(Vec::len), Some(2));
    let mut train = Command::new(env!("CARGO_BIN_EXE_tuppum"));
    train.current_dir(tuppum_testing::project("")).args(["train", &pairs, "--model", &model, "--out", &run]);
    train.args(["--steps", "1", "--held-out", "0.4", "--translate", "2", "--beams", "1"]);
    assert!(text(&train.output().unwrap()).contains("BLEU"));
}

#[test]
fn a_table_of_the_challenge_is_translated_row_by_row() {
    let folder = tuppum_testing::TemporaryFolder::new("challenge");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (data, out) = (path("test.csv"), path("submission.csv"));
    let table = "id,text_id,line_start,line_end,transliteration\n7,t,1,2,\"um-ma a-šùr-i-dí-ma\"\n9,t,3,4,x <gap>\n";
    std::fs::write(&data, table).unwrap();
    let arguments = ["--data", &data, "--out", &out, "--longest", "12", "--beams", "1"];
    assert!(text(&translate(TINY, &arguments)).starts_with("2 translations in "));
    let line = text(&translate(TINY, &["--longest", "12", "--beams", "1", "--all", "um-ma a-šur₃-i-di₂-ma"]));
    let written = std::fs::read_to_string(&out).unwrap();
    let rows: Vec<&str> = written.lines().collect();
    assert_eq!((rows.len(), rows[0], rows[2]), (3, "id,translation", "9,"));
    let cell = rows[1].strip_prefix("7,").unwrap();
    assert_eq!(cell.trim_matches('"').replace("\"\"", "\""), line.trim_end_matches('\n'));
    std::fs::write(&data, "name,place\nKültepe,Kayseri\n").unwrap();
    let failed = translate(TINY, &arguments);
    let told = String::from_utf8_lossy(&failed.stderr).into_owned();
    assert!(!failed.status.success() && told.contains("no column has transliterations; it has: name, place"), "{told}");
    assert!(!translate(TINY, &["--data", &data]).status.success(), "a table needs a place for its translations");
}
