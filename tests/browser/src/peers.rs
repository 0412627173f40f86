//! The engine beside onnxruntime-web: both write the same translation, in turn, each in a worker of the same page.

use crate::browser::{Browser, Setup};
use crate::engine::{open_translator, parts};
use crate::site::{Site, engine_script};
use serde_json::{Value, json};
use std::path::PathBuf;
use tuppum_protocol::translation::{Question, Scope};
use tuppum_protocol::{DevicePreference, ModelRef, Request};

/// A line of 256 bytes as the translator reads it, of which it makes more bytes than are asked for.
const LINE: &str = "a-na LUGAL be-li₂-ia ARAD-ka {m}{d}AG-MU lu-u₂ DI-mu a-na LUGAL be-li₂-ia {d}AG {d}AMAR.UTU a-na LUGAL \
    lik-ru-bu DI-mu a-na {uru}bi-ra-ti DI-mu a-na KUR ša LUGAL be-li₂-ia lib-bu ša LUGAL be-li₂-ia a-dan-niš lu \
    DUG₃.GA a-na-ku {lu₂}ARAD-ka";
/// How long it is so.
const SOURCE_BYTES: usize = 256;
/// How many bytes both write; neither ends before.
const WRITTEN_BYTES: usize = 64;
/// Byte tokens begin here; the one before the bytes of a source ends it.
const FIRST_BYTE: u64 = 3;
/// The token after the last byte of a source.
const END: u64 = 1;
/// Rounds that do not count: until the browser has compiled the loops well.
const WARM_UP: usize = 3;
/// Rounds that count, if not said otherwise.
const ROUNDS: usize = 11;

/// Where the exported translator lies, as `recipes/translator/onnx_export.py` writes it; in its folder `model` what the
/// engine opens, unless that is the translator that comes with the page.
const MODEL: &str = "TUPPUM_PEERS_MODEL";
/// Where onnxruntime-web's `dist` lies.
const RUNTIME: &str = "TUPPUM_PEERS_RUNTIME";
/// How many rounds count.
const ROUNDS_ASKED: &str = "TUPPUM_PEERS_ROUNDS";

/// What a round took, in milliseconds: to the first byte, and to the last.
type Times = [f64; 2];

/// Lets both write in turn and gives the times of every round that counts.
///
/// # Panics
/// When one of them fails, or they do not write the same.
pub fn compare(site: &Site) -> Value {
    let [model, runtime] = [MODEL, RUNTIME].map(folder);
    site.mount("/peers/", &crate::workspace().join("tests/browser/peers"));
    site.mount("/peers/onnxruntime/", &runtime);
    site.mount("/peers/model/", &model);
    let own = model.join("model");
    let asked = if own.is_dir() { "models/peer/" } else { "models/translator/" };
    site.mount("/models/peer/", &own);
    let page = Setup::new("peers").start();
    page.open(&format!("{}/peers/", site.origin()));
    page.wait("the page of the comparison", crate::workbench::SOON, |page| {
        (page.try_run("return window.peers !== undefined", &[]).unwrap_or_default() == json!(true)).then_some(())
    });
    page.run("return window.peers.start(arguments[0])", &[json!(engine_script())]);
    let open = open_translator(ModelRef::shipped(asked), DevicePreference::Cpu);
    page.run("return window.peers.ours(arguments[0])", &[json!(Request::from(open))]);
    let rounds = std::env::var(ROUNDS_ASKED).ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(ROUNDS);
    let (mut ours, mut theirs, mut text): (Vec<Times>, Vec<Times>, _) = (vec![], vec![], String::new());
    for round in 0..WARM_UP + rounds {
        let (time, own) = our_round(&page);
        let (other_time, other) = their_round(&page);
        assert_eq!(own, other, "onnxruntime-web writes something else");
        text = own;
        if round >= WARM_UP {
            ours.push(time);
            theirs.push(other_time);
        }
    }
    json!({ "ours": ours, "theirs": theirs, "text": text, "source_bytes": SOURCE_BYTES, "bytes": WRITTEN_BYTES })
}

/// The engine's times, and what it wrote.
fn our_round(page: &Browser) -> (Times, String) {
    let mut text = String::new();
    let times = [1, WRITTEN_BYTES].map(|longest| {
        let question = Question { scope: Scope::Lines, beams: 1, answers: 1, longest, bias: false, ..Question::about(LINE) };
        let request = Request::from(tuppum_protocol::ModelRequest::Translate(question));
        let answer = page.run("return window.peers.ours(arguments[0])", &[json!(request)]);
        let events = answer["events"].as_array().cloned().unwrap_or_default();
        let last = parts(&events, "Translated").last().map(|event| event["translated"].clone()).unwrap_or_default();
        assert_eq!(last["source"].as_str().map(str::len), Some(SOURCE_BYTES), "{}", last["source"]);
        text = last["candidates"][0]["text"].as_str().unwrap_or_default().to_owned();
        assert_eq!(text.len(), longest, "the engine was to write {longest} bytes: {text:?}");
        answer["ms"].as_f64().unwrap_or(f64::NAN)
    });
    (times, text)
}

/// The times of onnxruntime-web, and what it wrote.
fn their_round(page: &Browser) -> (Times, String) {
    let ids: Vec<u64> = LINE.bytes().map(|byte| u64::from(byte) + FIRST_BYTE).chain([END]).collect();
    let mut text = String::new();
    let times = [1, WRITTEN_BYTES].map(|count| {
        let answer = page.run("return window.peers.theirs(arguments[0], arguments[1])", &[json!(ids), json!(count)]);
        let written = answer["ids"].as_array().cloned().unwrap_or_default();
        let byte = |id: &Value| id.as_u64()?.checked_sub(FIRST_BYTE).and_then(|byte| u8::try_from(byte).ok());
        let bytes: Option<Vec<u8>> = written.iter().map(byte).collect();
        let bytes = bytes.unwrap_or_else(|| panic!("onnxruntime-web ended before {count} bytes: {written:?}"));
        text = String::from_utf8_lossy(&bytes).into_owned();
        answer["ms"].as_f64().unwrap_or(f64::NAN)
    });
    (times, text)
}

/// The folder that a variable names.
fn folder(variable: &str) -> PathBuf {
    let given = std::env::var_os(variable).map(PathBuf::from).filter(|folder| folder.is_dir());
    given.unwrap_or_else(|| panic!("{variable} names no folder; `cargo xtask bench --peers` sets it"))
}
