//! Comparison of the engine with onnxruntime-web: both write the same translation, in turn, each in a worker of the
//! same page.

use crate::browser::{Browser, Setup};
use crate::engine::{open_translator, parts};
use crate::processor::worker_milliseconds;
use crate::site::{Site, engine_script};
use serde_json::{Value, json};
use std::path::PathBuf;
use tuppum_protocol::translation::{Question, Scope};
use tuppum_protocol::{DevicePreference, ModelRef, ModelRequest, Request};

/// A line of 256 bytes as the translator reads it; its translation is longer than the bytes requested.
const LINE: &str = "a-na LUGAL be-li₂-ia ARAD-ka {m}{d}AG-MU lu-u₂ DI-mu a-na LUGAL be-li₂-ia {d}AG {d}AMAR.UTU a-na \
    LUGAL lik-ru-bu DI-mu a-na {URU}bi-ra-ti DI-mu a-na KUR ša LUGAL be-li₂-ia lib-bu ša LUGAL be-li₂-ia a-dan-niš lu \
    DUG₃.GA a-na-ku {LU₂}ARAD-ka";
/// Length of the line, in bytes.
const SOURCE_BYTES: usize = 256;
/// Number of the first byte token.
const FIRST_BYTE: u64 = 3;
/// Token that ends a source.
const END: u64 = 1;
/// Default number of counted rounds.
const ROUNDS: usize = 21;

/// Variable with the folder of the exported translator, written by `recipes/translator/onnx_export.py`; its folder
/// `model` has what the engine opens, unless that is the shipped translator.
const MODEL: &str = "TUPPUM_PEERS_MODEL";
/// Variable with the folder of onnxruntime-web's `dist`.
const RUNTIME: &str = "TUPPUM_PEERS_RUNTIME";
/// Variable with the number of counted rounds.
const ROUNDS_ASKED: &str = "TUPPUM_PEERS_ROUNDS";
/// Variable with the device of both, if it is not the CPU: `webgpu`.
const DEVICE: &str = "TUPPUM_PEERS_DEVICE";

/// Settings of the comparison.
struct Comparison {
    device: DevicePreference,
    /// Number of bytes that both write; neither ends before.
    bytes: usize,
    /// Number of uncounted rounds, until the browser has compiled the loops, or the device its kernels.
    warm_up: usize,
    /// Number of counted rounds.
    rounds: usize,
}

impl Comparison {
    /// Reads the settings from the environment. The software adapter is so slow that few bytes must do.
    fn asked() -> Self {
        let variable = |name| std::env::var(name).ok();
        let rounds = variable(ROUNDS_ASKED).and_then(|rounds| rounds.parse().ok()).unwrap_or(ROUNDS);
        match variable(DEVICE).as_deref() {
            Some("webgpu") => Self { device: DevicePreference::WebGpu, bytes: 12, warm_up: 1, rounds },
            _ => Self { device: DevicePreference::Cpu, bytes: 64, warm_up: 3, rounds },
        }
    }

    /// Returns the device's name in onnxruntime-web.
    fn provider(&self) -> &'static str {
        if self.device == DevicePreference::WebGpu { "webgpu" } else { "wasm" }
    }

    /// Returns a browser that has the device.
    fn browser(&self) -> Browser {
        let setup = Setup::new("peers");
        if self.device == DevicePreference::WebGpu { setup.with_webgpu().start() } else { setup.start() }
    }
}

/// Result of one engine in a round.
#[derive(Clone, Debug, Default)]
struct Round {
    times: Times,
    /// Number of kernels run on the graphics device, from the first byte written to the last.
    kernels: Option<u64>,
    text: String,
}

/// Times of a round in milliseconds: to the first byte, to the last byte, and the worker's processor time for a request
/// of one byte and for one of all bytes, where the system reports it.
type Times = [Option<f64>; 4];

/// Lets both write in turn and returns the times of every counted round.
///
/// # Panics
/// One of them fails, or they write different bytes.
pub fn compare(site: &Site) -> Value {
    let [model, runtime] = [MODEL, RUNTIME].map(folder);
    site.mount("/peers/", &crate::workspace().join("tests/browser/peers"));
    site.mount("/peers/onnxruntime/", &runtime);
    site.mount("/peers/model/", &model);
    site.engine_prelude(include_str!("../peers/stamp.js"));
    let own = model.join("model");
    let asked = if own.is_dir() { "models/peer/" } else { "models/translator/" };
    site.mount("/models/peer/", &own);
    let comparison = Comparison::asked();
    let page = comparison.browser();
    page.open(&format!("{}/peers/", site.origin()));
    page.wait("the page of the comparison", crate::workbench::SOON, |page| {
        (page.try_run("return window.peers !== undefined", &[]).unwrap_or_default() == json!(true)).then_some(())
    });
    let start = "return window.peers.start(arguments[0], arguments[1])";
    page.run(start, &[json!(engine_script()), json!(comparison.provider())]);
    let open = open_translator(ModelRef::shipped(asked), comparison.device);
    page.run("return window.peers.ours(arguments[0])", &[json!(Request::from(open))]);
    let (mut ours, mut theirs) = (vec![], vec![]);
    for round in 0..comparison.warm_up + comparison.rounds {
        let own = round_of(&page, comparison.bytes, our_words);
        let other = round_of(&page, comparison.bytes, their_words);
        assert_eq!(own.text, other.text, "onnxruntime-web writes something else");
        if round >= comparison.warm_up {
            ours.push(own);
            theirs.push(other);
        }
    }
    assert_eq!(LINE.len(), SOURCE_BYTES, "bytes of the line");
    let times = |rounds: &[Round]| rounds.iter().map(|round| round.times).collect::<Vec<_>>();
    let last = |rounds: &[Round]| rounds.last().cloned().unwrap_or_default();
    json!({
        "ours": times(&ours), "theirs": times(&theirs), "text": last(&ours).text, "source_bytes": SOURCE_BYTES,
        "bytes": comparison.bytes, "kernels": [last(&ours).kernels, last(&theirs).kernels],
    })
}

/// Writes one byte, then all; returns the times and what was written. `write` takes the number of bytes and returns the
/// answer.
fn round_of(page: &Browser, bytes: usize, write: fn(&Browser, usize) -> (Value, String)) -> Round {
    let worked = || worker_milliseconds(page.driver.process());
    let start = worked();
    write(page, 1);
    let between = worked();
    let (answer, text) = write(page, bytes);
    let end = worked();
    let [one, all] = [(start, between), (between, end)].map(|(from, to)| Some(to? - from?));
    let times = [answer["times"][0].as_f64(), answer["times"][1].as_f64(), one, all];
    Round { times, kernels: answer["kernels"].as_u64(), text }
}

/// Returns the engine's answer and text. The engine reports the first byte as soon as it is written; if that is all, as
/// the answer.
fn our_words(page: &Browser, longest: usize) -> (Value, String) {
    let (beams, answers) = (1, 1);
    let question = Question { scope: Scope::Lines, beams, answers, longest, bias: false, ..Question::about(LINE) };
    let request = Request::from(ModelRequest::Translate(question));
    let answer = page.run("return window.peers.ours(arguments[0])", &[json!(request)]);
    let events = answer["events"].as_array().cloned().unwrap_or_default();
    let told: Vec<&Value> = parts(&events, "Translated").into_iter().map(|event| &event["translated"]).collect();
    let last = told.last().copied().cloned().unwrap_or_default();
    assert_eq!(last["source"], LINE, "the translator is to read the line as it stands");
    let written = |one: &Value| one["candidates"][0]["text"].as_str().or(one["partial"].as_str()).map(str::len);
    let first = told.iter().filter_map(|one| written(one)).find(|bytes| *bytes > 0);
    assert_eq!(first, Some(1), "the first that the engine tells is to be one byte");
    let text = last["candidates"][0]["text"].as_str().unwrap_or_default().to_owned();
    assert_eq!(text.len(), longest, "how many bytes the engine wrote: {text:?}");
    (answer, text)
}

/// Returns onnxruntime-web's answer and text.
fn their_words(page: &Browser, count: usize) -> (Value, String) {
    let ids: Vec<u64> = LINE.bytes().map(|byte| u64::from(byte) + FIRST_BYTE).chain([END]).collect();
    let answer = page.run("return window.peers.theirs(arguments[0], arguments[1])", &[json!(ids), json!(count)]);
    let written = answer["ids"].as_array().cloned().unwrap_or_default();
    let byte = |id: &Value| id.as_u64()?.checked_sub(FIRST_BYTE).and_then(|byte| u8::try_from(byte).ok());
    let bytes: Option<Vec<u8>> = written.iter().map(byte).collect();
    let bytes = bytes.unwrap_or_else(|| panic!("onnxruntime-web wrote what is no byte: {written:?}"));
    (answer, String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the folder that a variable names.
fn folder(variable: &str) -> PathBuf {
    let given = std::env::var_os(variable).map(PathBuf::from).filter(|folder| folder.is_dir());
    given.unwrap_or_else(|| panic!("{variable} names no folder; `cargo xtask bench --peers` sets it"))
}
