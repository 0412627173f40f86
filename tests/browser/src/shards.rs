//! Rewrites a Hugging Face model: into several files, as large models are published, or without its bias.

use serde_json::{Map, Value, json};
use std::path::Path;

/// Name of the index of a model in several files.
pub const INDEX: &str = "model.safetensors.index.json";

/// A tensor: its name, its entry in the header, and its bytes.
type Tensor = (String, Value, Vec<u8>);

/// Reads the tensors of a file of weights.
fn tensors(weights: &Path) -> Vec<Tensor> {
    let bytes = std::fs::read(weights).expect("the weights");
    let header = u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes")) as usize;
    let table: Map<String, Value> = serde_json::from_slice(&bytes[8..8 + header]).expect("a header");
    let all = table.into_iter().filter(|(name, _)| name != "__metadata__");
    let tensor = |(name, info): (String, Value)| {
        let place = |end: usize| 8 + header + info["data_offsets"][end].as_u64().expect("an offset") as usize;
        let data = bytes[place(0)..place(1)].to_vec();
        (name, info, data)
    };
    all.map(tensor).collect()
}

/// Writes tensors into a file of weights.
fn write<'t>(path: &Path, tensors: impl Iterator<Item = &'t Tensor>) {
    let (mut entries, mut all) = (Map::new(), Vec::new());
    for (name, info, data) in tensors {
        let begin = all.len();
        all.extend_from_slice(data);
        let offsets = [begin, all.len()];
        let entry = json!({ "dtype": info["dtype"], "shape": info["shape"], "data_offsets": offsets });
        entries.insert(name.clone(), entry);
    }
    write_safetensors(path, &Value::Object(entries), &all);
}

/// Writes the tensors of a file into two files of a folder, with their index.
///
/// # Panics
/// The weights cannot be read, or the folder cannot be written.
pub fn cut_in_two(weights: &Path, folder: &Path) {
    let tensors = tensors(weights);
    let mut map = Map::new();
    for (number, part) in tensors.chunks(tensors.len().div_ceil(2)).enumerate() {
        let name = format!("model-0000{}-of-00002.safetensors", number + 1);
        part.iter().for_each(|(tensor, ..)| drop(map.insert(tensor.clone(), json!(name))));
        write(&folder.join(name), part.iter());
    }
    std::fs::write(folder.join(INDEX), json!({ "metadata": {}, "weight_map": map }).to_string()).expect("the index");
}

/// Writes the tensors of a file into another, without those of its hyperbolic bias.
///
/// # Panics
/// The weights cannot be read, or the other file cannot be written.
pub fn without_bias(weights: &Path, path: &Path) {
    let tensors = tensors(weights);
    write(path, tensors.iter().filter(|(name, ..)| !name.starts_with("geometry.")));
}

fn write_safetensors(path: &Path, header: &Value, data: &[u8]) {
    let header = header.to_string();
    let all = [&(header.len() as u64).to_le_bytes(), header.as_bytes(), data].concat();
    std::fs::write(path, all).expect("a file of weights");
}
