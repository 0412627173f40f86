//! A large model on its way into a tab: a random checkpoint of the shape of ByT5-small (1.2 GB in 32 bits) is made,
//! fetched from a hub of this program's own with a cut at 40 %, refused for a flipped bit, fetched again, opened on the
//! processor, and translates 64 bytes. Prints what it measured as one JSON object.
//!
//! Heavy: 4 GB of disk and some minutes, so no part of the everyday tests, which take the tiny translator the same way.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant};
use tuppum_browser_tests::browser::Setup;
use tuppum_browser_tests::engine::{Engine, open_translator, part, parts};
use tuppum_browser_tests::site::Site;
use tuppum_protocol::translation::Question;
use tuppum_protocol::{DevicePreference, ModelRef, ModelRequest, Repository, StorageRequest};

/// Width of the stream, all heads, feed-forward part, encoder and decoder layers, vocabulary: `config.json` of
/// ByT5-small.
const SIZE: [usize; 6] = [1472, 384, 3584, 12, 4, 384];
const HEADS: usize = 6;
const WEIGHTS: &str = "/random/byt5-small/resolve/main/model.safetensors";
const LIMIT: Duration = Duration::from_secs(1800);
/// 64 bytes.
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
    let (bytes, sha256) = checkpoint(folder)?;
    eprintln!("made {bytes} bytes in {:.0} s", begun.elapsed().as_secs_f64());
    let (site, hub) = (Site::of_the_page(), Site::of_a_hub(folder));
    hub.mount("/random/byt5-small/resolve/main/", folder);
    hub.field(WEIGHTS, "X-Linked-ETag", &format!("\"{sha256}\""));
    let engine = Engine::start(Setup::new("large").start(), &site);
    let repository = Repository { hub: hub.origin(), id: "random/byt5-small".to_owned(), revision: "main".to_owned() };
    let fetch = StorageRequest::FetchModel(repository);
    let cut = bytes * 2 / 5;
    // Cut, continued, and refused at the end for one wrong bit behind the cut.
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

/// Opens the kept model on the processor and translates a line with it.
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
        // Of the 64 bytes at most that random weights write, those that are letters.
        "answer_bytes": last["translated"]["candidates"][0]["text"].as_str().map(str::len),
        "memory_after_opening": after_opening,
        "memory_after_translating": after_translating,
        "model_in_memory": numbers,
        "above_the_model_while_opening": after_opening.saturating_sub(numbers),
        "above_the_model_in_all": after_translating.saturating_sub(numbers),
    })
}

/// Fetches until the cut, opens the page again and fetches the rest. Returns from which byte it went on, and the
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

/// Bytes of the worker's own memory, which never shrinks.
fn memory(engine: &Engine, id: u32) -> u64 {
    let listed = engine.ask(id, StorageRequest::ListModels);
    part(&listed, "Storage")["memory"].as_u64().unwrap_or_default()
}

/// Writes `config.json` and random weights; returns their length and sha256.
fn checkpoint(folder: &Path) -> std::io::Result<(u64, String)> {
    let [width, inner, feed_forward, encoder, decoder, vocabulary] = SIZE;
    let config = json!({
        "model_type": "t5", "architectures": ["T5ForConditionalGeneration"], "feed_forward_proj": "gated-gelu",
        "d_model": width, "d_kv": inner / HEADS, "d_ff": feed_forward, "num_heads": HEADS, "num_layers": encoder,
        "num_decoder_layers": decoder, "vocab_size": vocabulary, "tie_word_embeddings": false,
    });
    std::fs::write(folder.join("config.json"), config.to_string())?;
    let tensors = tensors();
    let (mut header, mut end) = (serde_json::Map::new(), 0);
    for (name, shape) in &tensors {
        let begin = end;
        end += shape.iter().product::<usize>() * 4;
        header.insert(name.clone(), json!({ "dtype": "F32", "shape": shape, "data_offsets": [begin, end] }));
    }
    let header = Value::Object(header).to_string();
    let (mut file, mut sum) = (BufWriter::new(File::create(folder.join("model.safetensors"))?), Sha256::new());
    let mut put = |bytes: &[u8]| {
        sum.update(bytes);
        file.write_all(bytes)
    };
    put(&(header.len() as u64).to_le_bytes())?;
    put(header.as_bytes())?;
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for (name, shape) in &tensors {
        let norm = name.contains("norm");
        let numbers = (0..shape.iter().product::<usize>()).flat_map(|_| {
            // xorshift64: no more is needed of these numbers than that they differ.
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let uniform = (state >> 40) as f32 / (1 << 23) as f32 - 1.0;
            (if norm { 1.0 } else { 0.04 * uniform }).to_le_bytes()
        });
        put(&numbers.collect::<Vec<u8>>())?;
    }
    file.flush()?;
    let digits = sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok((8 + header.len() as u64 + end as u64, digits))
}

/// The tensors of a ByT5 by Hugging Face's names.
fn tensors() -> Vec<(String, Vec<usize>)> {
    let [width, inner, feed_forward, encoder, decoder, vocabulary] = SIZE;
    let mut all = vec![("shared.weight".to_owned(), vec![vocabulary, width])];
    for (stack, blocks) in [("encoder", encoder), ("decoder", decoder)] {
        let attentions: &[&str] =
            if stack == "encoder" { &["SelfAttention"] } else { &["SelfAttention", "EncDecAttention"] };
        for block in 0..blocks {
            let at = |layer: usize, part: &str| format!("{stack}.block.{block}.layer.{layer}.{part}.weight");
            for (layer, attention) in attentions.iter().enumerate() {
                for part in ["q", "k", "v"] {
                    all.push((at(layer, &format!("{attention}.{part}")), vec![inner, width]));
                }
                all.push((at(layer, &format!("{attention}.o")), vec![width, inner]));
                all.push((at(layer, "layer_norm"), vec![width]));
            }
            if block == 0 {
                all.push((at(0, "SelfAttention.relative_attention_bias"), vec![32, HEADS]));
            }
            let layer = attentions.len();
            for part in ["wi_0", "wi_1"] {
                all.push((at(layer, &format!("DenseReluDense.{part}")), vec![feed_forward, width]));
            }
            all.push((at(layer, "DenseReluDense.wo"), vec![width, feed_forward]));
            all.push((at(layer, "layer_norm"), vec![width]));
        }
        all.push((format!("{stack}.final_layer_norm.weight"), vec![width]));
    }
    all.push(("lm_head.weight".to_owned(), vec![vocabulary, width]));
    all
}
