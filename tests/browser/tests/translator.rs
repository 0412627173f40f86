//! The worker's translator, used by messages as the page does: with the tiny translator, on both devices.

use serde_json::Value;
use tuppum_browser_tests::browser::Setup;
use tuppum_browser_tests::engine::{Engine, open_translator, part, parts, translate};
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::workspace;
use tuppum_protocol::{DevicePreference, ModelRef};

const LINE: &str = "um-ma a-šur-i-di₂-ma";

/// Returns the reference's translations of the first row.
fn golden(way: &str) -> Vec<Value> {
    let file = workspace().join("tests/golden/tiny-translator/golden.json");
    let cases: Vec<Value> = serde_json::from_slice(&std::fs::read(file).expect("the golden file")).expect("its cases");
    let wanted =
        |case: &&Value| case["way"] == way && case["row"] == 0 && case["beams"] == 5 && case["length_penalty"] == 1.0;
    let case = cases.iter().find(wanted).expect("the case");
    case["outputs"].as_array().expect("its outputs").iter().map(|output| output["text"].clone()).collect()
}

fn translates(setup: Setup, preference: DevicePreference, device: &str) {
    let site = Site::of_the_page();
    let engine = Engine::start(setup.start(), &site);
    let early = engine.ask(1, translate(LINE, true));
    assert_eq!(parts(&early, "Failed").len(), 1, "nothing is translated before there is a translator: {early:?}");
    let opened = engine.ask(2, open_translator(ModelRef::shipped("models/tiny-translator/"), preference));
    let report = part(&opened, "Translator");
    println!("{report}");
    assert_eq!(report["device"], device);
    assert!(report["self_test"].as_f64().is_some_and(|difference| difference < 5e-4), "{report}");
    for (id, way, bias) in [(3, "byte", true), (4, "plain", false), (5, "byte", true)] {
        let events = engine.ask(id, translate(LINE, bias));
        let translated = parts(&events, "Translated");
        let last = translated.last().unwrap_or_else(|| panic!("{events:?}"));
        let candidates = last["translated"]["candidates"].as_array().cloned().unwrap_or_default();
        let texts: Vec<Value> = candidates.iter().map(|candidate| candidate["text"].clone()).collect();
        assert_eq!(texts, golden(way)[..3], "{way}, as Hugging Face finds them");
        assert!(translated.len() > 2, "what is being written shows: {} events", translated.len());
    }
    let nothing = engine.ask(6, translate("$ 3 lines broken\n[...]", true));
    assert!(nothing.iter().any(|event| event["Failed"]["kind"] == "Question"), "{nothing:?}");
}

#[test]
fn the_worker_translates_on_the_cpu() {
    translates(Setup::new("translator"), DevicePreference::Cpu, "Cpu");
}

#[test]
fn the_worker_translates_on_webgpu() {
    translates(Setup::new("translator-webgpu").with_webgpu(), DevicePreference::WebGpu, "WebGpu");
}
