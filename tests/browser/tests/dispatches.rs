//! Work of the graphics device per byte of a translation: numbers of kernels, copies, submissions and read-backs,
//! counted at the browser's own functions. The test keeps them from increasing unnoticed: on a card each of them costs
//! more than what it computes.

use serde_json::{Value, json};
use tuppum_browser_tests::browser::Setup;
use tuppum_browser_tests::engine::{Engine, open_translator, part, parts};
use tuppum_browser_tests::site::{Site, engine_script};
use tuppum_browser_tests::workbench::SOON;
use tuppum_protocol::translation::{Question, Scope};
use tuppum_protocol::{DevicePreference, ModelRef, ModelRequest};

/// Line whose translation by the tiny translator always reaches the maximum length.
const LINE: &str = "um-ma a-šur-i-di₂-ma";

/// Number of beams, with the maximum number of kernels and of submissions per byte. Measured for the two blocks of the
/// tiny translator: 61 and 65 kernels, 2 and 4 submissions; one more kernel per block is tolerated.
const MOST: [(usize, f64, f64); 2] = [(1, 63.0, 3.0), (5, 67.0, 5.0)];

/// Worker script that counts calls; the worker that has a device reports the counts on request.
const COUNTER: &str = "{
const counts = {};
const count = (owner, method, name) => {
  const before = owner.prototype[method];
  counts[name] = 0;
  owner.prototype[method] = function (...of) {
    counts[name] += 1;
    return before.apply(this, of);
  };
};
count(GPUComputePassEncoder, 'dispatchWorkgroups', 'kernels');
count(GPUComputePassEncoder, 'dispatchWorkgroupsIndirect', 'indirect');
count(GPUCommandEncoder, 'copyBufferToBuffer', 'copies');
count(GPUQueue, 'writeBuffer', 'writings');
count(GPUQueue, 'submit', 'submissions');
count(GPUBuffer, 'mapAsync', 'readings');
const channel = new BroadcastChannel('counts');
channel.onmessage = () => { if (counts.kernels) channel.postMessage(counts); };
}";

/// Page script that requests the counts.
const ASK: &str = "const channel = new BroadcastChannel('counts');
    return new Promise(done => { channel.onmessage = ({ data }) => done(data); channel.postMessage('ask'); })";

/// Returns the counts so far, by name.
fn counts(engine: &Engine) -> Value {
    engine.page.wait("the counts", SOON, |page| page.try_run(ASK, &[]).ok().filter(Value::is_object))
}

/// Returns the counts of one translation of at most `longest` bytes.
#[track_caller]
fn taken(engine: &Engine, (beams, longest): (usize, usize)) -> Value {
    let before = counts(engine);
    let question = Question { scope: Scope::Lines, beams, answers: 1, longest, bias: true, ..Question::about(LINE) };
    let events = engine.ask_next(ModelRequest::Translate(question));
    assert!(!parts(&events, "Translated").is_empty(), "{events:?}");
    let after = counts(engine);
    let number = |of: &Value, name: &str| of[name].as_u64().unwrap_or_default();
    let names = after.as_object().expect("counts").keys();
    names.map(|name| (name.clone(), json!(number(&after, name) - number(&before, name)))).collect()
}

/// Returns the counts of each further byte, as the mean of sixteen.
fn by_byte(engine: &Engine, beams: usize) -> impl Fn(&str) -> f64 {
    let [short, long] = [8, 24].map(|longest| taken(engine, (beams, longest)));
    println!("{beams} beams: 8 bytes {short}, 24 bytes {long}");
    move |name| (long[name].as_f64().unwrap_or_default() - short[name].as_f64().unwrap_or_default()) / 16.0
}

#[test]
fn a_byte_takes_no_more_of_the_device_than_it_did() {
    let site = Site::of_the_page();
    site.prelude(&engine_script(), COUNTER);
    let engine = Engine::start(Setup::new("dispatches").with_webgpu().start(), &site);
    let opened =
        engine.ask_next(open_translator(ModelRef::shipped("models/tiny-translator/"), DevicePreference::WebGpu));
    assert_eq!(part(&opened, "Translator")["device"], "WebGpu");
    for (beams, kernels, submissions) in MOST {
        let byte = by_byte(&engine, beams);
        assert!(byte("kernels") > 1.0, "nothing is computed there");
        assert_eq!(byte("readings"), 1.0, "{beams} beams: what is known of the next byte is read at once");
        assert!(byte("kernels") <= kernels, "{beams} beams: {} kernels a byte", byte("kernels"));
        assert!(byte("submissions") <= submissions, "{beams} beams: {} submissions a byte", byte("submissions"));
    }
}
