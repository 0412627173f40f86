//! The worker's translator, asked by messages as the page asks it: with the tiny translator, on both devices.

use serde_json::{Value, json};
use tuppum_browser_tests::browser::{Browser, Setup};
use tuppum_browser_tests::site::Site;
use tuppum_browser_tests::workbench::{ANSWERING, SOON};
use tuppum_browser_tests::workspace;

const LINE: &str = "um-ma a-šur-i-di₂-ma";

/// Starts a worker of our own and keeps what it says.
const START: &str = "
    const script = document.querySelector('meta[name=tuppum-engine]').content;
    window.heard = [];
    window.engine = new Worker(new URL(script, document.baseURI), { type: 'module' });
    window.engine.onmessage = (event) => window.heard.push(event.data);";

/// Sends a request and waits for its end; returns its events.
fn ask(page: &Browser, id: u32, request: &Value) -> Vec<Value> {
    page.run("window.engine.postMessage(arguments[0])", &[json!({ "id": id, "request": request })]);
    let script = "return window.heard.map(message => message.Event).filter(event => event?.id === arguments[0])
        .map(event => event.event)";
    page.wait("the end of a request", ANSWERING, |page| {
        let events = page.try_run(script, &[json!(id)]).ok()?.as_array().cloned()?;
        events.iter().any(|event| event == "Done" || event.get("Failed").is_some()).then_some(events)
    })
}

fn parts<'e>(events: &'e [Value], name: &str) -> Vec<&'e Value> {
    events.iter().filter_map(|event| event.get(name)).collect()
}

/// The texts that the reference finds for the first row.
fn golden(way: &str) -> Vec<Value> {
    let file = workspace().join("tests/golden/tiny-translator/golden.json");
    let cases: Vec<Value> = serde_json::from_slice(&std::fs::read(file).expect("the golden file")).expect("its cases");
    let wanted =
        |case: &&Value| case["way"] == way && case["row"] == 0 && case["beams"] == 5 && case["length_penalty"] == 1.0;
    let case = cases.iter().find(wanted).expect("the case");
    case["outputs"].as_array().expect("its outputs").iter().map(|output| output["text"].clone()).collect()
}

fn question(text: &str, bias: bool) -> Value {
    json!({ "Translate": {
        "text": text, "filled": [], "scope": "Lines", "beams": 5, "length_penalty": 1.0, "answers": 3, "longest": 40,
        "bias": bias,
    } })
}

fn translates(setup: Setup, device: &str) {
    let site = Site::of_the_page();
    let page = setup.start();
    page.open(&site.url("model=models/tiny/&device=cpu"));
    page.run(START, &[]);
    page.wait("the worker", SOON, |page| {
        (page.try_run("return window.heard[0]", &[]).unwrap_or_default() == "Ready").then_some(())
    });
    let early = ask(&page, 1, &question(LINE, true));
    assert_eq!(parts(&early, "Failed").len(), 1, "nothing is translated before there is a translator: {early:?}");
    let model = format!("{}/models/tiny-translator/", site.origin());
    let open = json!({ "OpenTranslator": { "model": model, "device": device, "store": true } });
    let opened = ask(&page, 2, &open);
    let report = parts(&opened, "Translator").first().copied().cloned().unwrap_or_else(|| panic!("{opened:?}"));
    println!("{report}");
    assert_eq!(report["device"], device);
    assert!(report["self_test"].as_f64().is_some_and(|difference| difference < 5e-4), "{report}");
    for (id, way, bias) in [(3, "byte", true), (4, "plain", false), (5, "byte", true)] {
        let events = ask(&page, id, &question(LINE, bias));
        let translated = parts(&events, "Translated");
        let last = translated.last().unwrap_or_else(|| panic!("{events:?}"));
        let candidates = last["translated"]["candidates"].as_array().cloned().unwrap_or_default();
        let texts: Vec<Value> = candidates.iter().map(|candidate| candidate["text"].clone()).collect();
        assert_eq!(texts, golden(way)[..3], "{way}, as Hugging Face finds them");
        assert!(translated.len() > 2, "what is being written shows: {} events", translated.len());
    }
    let nothing = ask(&page, 6, &question("$ 3 lines broken\n[...]", true));
    assert!(nothing.iter().any(|event| event["Failed"]["kind"] == "Question"), "{nothing:?}");
}

#[test]
fn the_worker_translates_on_the_cpu() {
    translates(Setup::new("translator"), "Cpu");
}

#[test]
fn the_worker_translates_on_webgpu() {
    translates(Setup::new("translator-webgpu").with_webgpu(), "WebGpu");
}
