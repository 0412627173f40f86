//! Takes a large model through a tab. Makes a random checkpoint in the shape of ByT5-small (1.2 GB in 32 bits), fetches
//! it from its own hub with a cut at 40 %, has it refused for a flipped bit, fetches it again, opens it on the CPU and
//! translates 64 bytes. Prints the measurements as one JSON object.
//!
//! Needs 4 GB of disk and some minutes, so it is not among the everyday tests, which use the tiny translator in the
//! same way.

use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};
use tuppum_browser_tests::browser::Setup;
use tuppum_browser_tests::engine::{Engine, open_translator, part, parts};
use tuppum_browser_tests::random_translator::Shape;
use tuppum_browser_tests::site::Site;
use tuppum_protocol::translation::Question;
use tuppum_protocol::{DevicePreference, ModelRef, ModelRequest, Repository, StorageRequest};

/// Shape of ByT5-small.
const SHAPE: Shape =
    Shape { width: 1472, inner: 384, feed_forward: 3584, heads: 6, encoder: 12, decoder: 4, vocabulary: 384 };
const WEIGHTS: &str = "/random/byt5-small/resolve/main/model.safetensors";
const LIMIT: Duration = Duration::from_secs(1800);
/// A line of 64 bytes.
const LINE: &str = "um-ma a-szur-i-di2-ma a-na pu-szu-ke-en6 qi2-bi4-ma 1 ma-na KU3.";

fn main() -> std::io::Result<()> {
    let folder = tuppum_browser_tests::evidence().join(format!("large-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let figures = measure(&folder);
    std::fs::remove_dir_all(&folder)?;
    println!("{:#}", figures?);
    Ok(())
}

fn measure(folder: &Path) -> std::io::Result<Value> {
    let begun = Instant::now();
    let (bytes, sha256) = SHAPE.write(folder)?;
    eprintln!("made {bytes} bytes in {:.0} s", begun.elapsed().as_secs_f64());
    let (site, hub) = (Site::of_the_page(), Site::of_a_hub(folder));
    hub.mount("/random/byt5-small/resolve/main/", folder);
    hub.field(WEIGHTS, "X-Linked-ETag", &format!("\"{sha256}\""));
    let engine = Engine::start(Setup::new("large").start(), &site);
    let repository = Repository { hub: hub.origin(), id: "random/byt5-small".to_owned(), revision: "main".to_owned() };
    let fetch = StorageRequest::FetchModel(repository);
    let cut = bytes * 2 / 5;
    // Cut, continued, and refused at the end for one wrong bit after the cut.
    hub.flip(WEIGHTS, bytes * 4 / 5);
    let (first, refusal) = cut_and_continue(&engine, &site, &hub, &fetch, cut);
    assert_eq!(part(&refusal, "Failed")["kind"], "Weights", "{refusal:?}");
    assert!(part(&refusal, "Failed")["message"].to_string().contains("arrived damaged"), "{refusal:?}");
    hub.mend(WEIGHTS);
    // The same without the wrong bit.
    let begun = Instant::now();
    let (second, fetched) = cut_and_continue(&engine, &site, &hub, &fetch, cut);
    let fetching = begun.elapsed();
    let name = part(&fetched, "Stored")["name"].as_str().unwrap_or_default().to_owned();
    let after_fetching = memory(&engine, 11);
    drop(hub);
    let mut figures = json!({
        "file_bytes": bytes,
        "cut_at": cut,
        "continued_from": [first, second],
        "flipped_bit": "refused",
        "fetching_s": fetching.as_secs_f64(),
        "memory_after_fetching": after_fetching,
    });
    if let (Some(all), Some(more)) = (figures.as_object_mut(), open_and_translate(&engine, &name).as_object()) {
        all.extend(more.clone());
    }
    Ok(figures)
}

/// Opens the stored model on the CPU and translates a line with it.
fn open_and_translate(engine: &Engine, name: &str) -> Value {
    let begun = Instant::now();
    engine.send(12, open_translator(ModelRef::stored(name), DevicePreference::Cpu));
    let opened = engine.ended(12, LIMIT);
    let opening = begun.elapsed();
    let report = part(&opened, "Translator").clone();
    let begun = Instant::now();
    let question = Question { beams: 1, answers: 1, longest: 64, bias: false, ..Question::about(LINE) };
    engine.send(13, ModelRequest::Translate(question));
    let translated = engine.ended(13, LIMIT);
    let translating = begun.elapsed();
    let last = parts(&translated, "Translated").last().copied().cloned().unwrap_or_else(|| panic!("{translated:?}"));
    let numbers = report["parameters"].as_u64().unwrap_or_default() * 4;
    let (after_opening, after_translating) = (report["memory"].as_u64().unwrap_or_default(), memory(engine, 14));
    json!({
        "source_bytes": LINE.len(),
        "opening_s": opening.as_secs_f64(),
        "translating_64_bytes_s": translating.as_secs_f64(),
        // Length of the letters among the at most 64 bytes that random weights write.
        "answer_bytes": last["translated"]["candidates"][0]["text"].as_str().map(str::len),
        "memory_after_opening": after_opening,
        "memory_after_translating": after_translating,
        "model_in_memory": numbers,
        "above_the_model_while_opening": after_opening.saturating_sub(numbers),
        "above_the_model_in_all": after_translating.saturating_sub(numbers),
    })
}

/// Fetches until the cut, reopens the page and fetches the rest. Returns the byte at which it continued, and the
/// events.
fn cut_and_continue(engine: &Engine, site: &Site, hub: &Site, fetch: &StorageRequest, cut: u64) -> (u64, Vec<Value>) {
    hub.cut(WEIGHTS, cut);
    engine.send(1, fetch.clone());
    let broken = engine.ended(1, LIMIT);
    assert_eq!(part(&broken, "Failed")["kind"], "Network", "{broken:?}");
    engine.restart(site);
    hub.uncut(WEIGHTS);
    hub.ranges();
    engine.send(2, fetch.clone());
    let events = engine.ended(2, LIMIT);
    let from = hub.ranges().first().map_or(0, |(_, from)| *from);
    assert!(from > cut / 2, "it goes on near the cut, not from {from}");
    (from, events)
}

/// Returns the bytes of the worker's WebAssembly memory, which never shrinks.
fn memory(engine: &Engine, id: u32) -> u64 {
    let listed = engine.ask(id, StorageRequest::ListModels);
    part(&listed, "Storage")["memory"].as_u64().unwrap_or_default()
}
