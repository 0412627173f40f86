//! A model of Hugging Face in several files, as large ones are published.

use serde_json::{Value, json};
use std::path::Path;

/// Name of the index of a model in several files.
pub const INDEX: &str = "model.safetensors.index.json";

/// Writes the tensors of a file into two files of a folder, with their index.
///
/// # Panics
/// The weights cannot be read, or the folder cannot be written.
pub fn cut_in_two(weights: &Path, folder: &Path) {
    let bytes = std::fs::read(weights).expect("the weights");
    let header = u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes")) as usize;
    let table: serde_json::Map<String, Value> = serde_json::from_slice(&bytes[8..8 + header]).expect("a header");
    let tensors: Vec<_> = table.into_iter().filter(|(name, _)| name != "__metadata__").collect();
    let mut map = serde_json::Map::new();
    for (number, part) in tensors.chunks(tensors.len().div_ceil(2)).enumerate() {
        let name = format!("model-0000{}-of-00002.safetensors", number + 1);
        let (mut entries, mut data) = (serde_json::Map::new(), Vec::new());
        for (tensor, info) in part {
            let place = |end: usize| 8 + header + info["data_offsets"][end].as_u64().expect("an offset") as usize;
            let begin = data.len();
            data.extend_from_slice(&bytes[place(0)..place(1)]);
            let offsets = [begin, data.len()];
            entries.insert(
                tensor.clone(),
                json!({ "dtype": info["dtype"], "shape": info["shape"], "data_offsets": offsets }),
            );
            map.insert(tensor.clone(), json!(name));
        }
        write_safetensors(&folder.join(name), &Value::Object(entries), &data);
    }
    std::fs::write(folder.join(INDEX), json!({ "metadata": {}, "weight_map": map }).to_string()).expect("the index");
}

fn write_safetensors(path: &Path, header: &Value, data: &[u8]) {
    let header = header.to_string();
    let all = [&(header.len() as u64).to_le_bytes(), header.as_bytes(), data].concat();
    std::fs::write(path, all).expect("a file of weights");
}
