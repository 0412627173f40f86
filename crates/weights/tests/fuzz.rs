//! Fuzzing of model files: safetensors, PyTorch archives and pickles, indices of shards, manifests, configurations,
//! vocabularies and answers of a hub are mutated.
#![allow(clippy::unwrap_used)] // golden files that cannot be read are a failure

use std::fs;
use tuppum_nn::byt5::ByT5Config;
use tuppum_nn::torso::TorsoConfig;
use tuppum_testing::fuzz::{Counting, Target};
use tuppum_testing::{now, project};
use tuppum_weights::index::Index;
use tuppum_weights::safetensors::{Dtype, LONGEST_TENSOR, floats, integers};
use tuppum_weights::{FileEntry, Manifest, MemorySource, Source, hub, read_vocabulary, tensors};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn golden(path: &str) -> Vec<u8> {
    fs::read(project("tests/golden").join(path)).unwrap()
}

/// Reads the list of tensors of a file, then their numbers.
fn read_all(bytes: &[u8]) {
    let mut source = MemorySource::new(bytes);
    let Ok(found) = now(tensors::read("model", &mut source)) else { return };
    for tensor in &found.list {
        assert!(tensor.bytes as u64 <= LONGEST_TENSOR, "a tensor is no longer than any may be");
        let end = tensor.offset.checked_add(tensor.bytes as u64).unwrap();
        assert!(end <= source.length(), "a tensor lies within its file");
        let own = now(source.read(tensor.offset, tensor.bytes)).unwrap();
        let count: usize = tensor.shape.iter().product();
        let numbers = match tensor.dtype {
            Dtype::I32 => integers(tensor, &own).unwrap().len(),
            _ => floats(tensor, &own).unwrap().len(),
        };
        assert_eq!(numbers, count, "as many numbers as the shape says");
    }
}

#[test]
fn fuzz_safetensors() {
    let json = [
        r#"{"a":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}}"#,
        r#"{"__metadata__":{"a":"b"},"b":{"dtype":"BF16","shape":[2,0],"data_offsets":[0,0]}}"#,
        r#"{"c":{"dtype":"I32","shape":[],"data_offsets":[0,4]}}"#,
    ];
    let made = json
        .iter()
        .zip([8, 0, 4])
        .map(|(json, data)| [&(json.len() as u64).to_le_bytes()[..], json.as_bytes(), &vec![1; data]].concat());
    let seeds = made.chain(["torch/tiny.safetensors", "torch/tiny-f16.safetensors"].map(golden));
    let words =
        ["\"", "{", "}", "[", "]", ",", ":", "0", "8", "18446744073709551615", "-1", "1e9", "\"F16\"", "\\u0000"];
    // An entry of the header becomes a name, a shape and an entry in a set of names; numbers are read a tensor at a
    // time.
    let target = Target::bytes("safetensors").seeds(seeds).words(words).memory(64 << 10, 200);
    target.run(read_all);
}

/// Instructions of pickles, and the names that our reader knows.
const PICKLE: [&[u8]; 26] = [
    b"\x80\x02",
    b"(",
    b")",
    b"]",
    b"}",
    b"t",
    b"\x85",
    b"\x86",
    b"\x87",
    b"a",
    b"e",
    b"s",
    b"u",
    b"q\x00",
    b"h\x00",
    b"\x94",
    b"j\xff\xff\xff\xff",
    b"\x93",
    b"Q",
    b"R",
    b"b",
    b".",
    b"ccollections\nOrderedDict\n",
    b"ctorch._utils\n_rebuild_tensor_v2\n",
    b"ctorch\nFloatStorage\n",
    b"X\xff\xff\xff\x7f",
];

#[test]
fn fuzz_torch_file() {
    let seeds = ["tiny.bin", "protocol4.bin", "long.bin", "checkpoint.bin", "transposed.bin", "legacy.bin"];
    let words: [&[u8]; 5] = [b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07"];
    // The end of the archive is searched in at most 64 KiB; names of entries are held twice.
    let target = Target::bytes("torch-file").longest(6_000).seeds(seeds.map(|name| golden(&format!("torch/{name}"))));
    target.words(words).words(PICKLE).memory(256 << 10, 400).run(read_all);
}

/// Returns an archive of a pickle and four numbers, as PyTorch writes it.
fn archive(pickle: &[u8]) -> Vec<u8> {
    let (mut bytes, mut list) = (Vec::new(), Vec::new());
    for (name, data) in [("m/data.pkl", pickle), ("m/data/0", &[0; 16])] {
        let offset = bytes.len() as u32;
        let sizes = [(data.len() as u32).to_le_bytes(); 2].concat();
        let name_length = (name.len() as u16).to_le_bytes();
        bytes.extend([b"PK\x03\x04", &[0; 22][..], &name_length, &[0; 2], name.as_bytes(), data].concat());
        let place = offset.to_le_bytes();
        list.extend([b"PK\x01\x02", &[0; 16][..], &sizes, &name_length, &[0; 12], &place, name.as_bytes()].concat());
    }
    let (size, begin) = ((list.len() as u32).to_le_bytes(), (bytes.len() as u32).to_le_bytes());
    bytes.extend([&list[..], b"PK\x05\x06", &[0; 8], &size, &begin, &[0; 2]].concat());
    bytes
}

#[test]
fn fuzz_pickle() {
    let tensor = b"\x80\x02}q\x00X\x01\x00\x00\x00aq\x01ctorch._utils\n_rebuild_tensor_v2\nq\x02((X\x07\x00\x00\x00\
        storageq\x03ctorch\nFloatStorage\nq\x04X\x01\x00\x00\x000q\x05X\x03\x00\x00\x00cpuq\x06K\x04tq\x07QK\x00K\x02\
        K\x02\x86q\x08K\x02K\x01\x86q\x09\x89ccollections\nOrderedDict\nq\x0a)Rq\x0btq\x0cRq\x0ds.";
    let words: [&[u8]; 6] =
        [b"K\x02", b"J\xff\xff\xff\x7f", b"\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f", b"N", b"\x88", b"G"];
    // A value of the machine takes a hundred bytes and one instruction; lists of values double when they are full.
    let target = Target::bytes("pickle").seeds([&tensor[..], b"\x80\x02}."]).words(PICKLE).words(words);
    target.memory(128 << 10, 1_200).run(|input| read_all(&archive(input)));
}

#[test]
fn fuzz_model_json() {
    let tiny =
        ["tiny-torso/config.json", "tiny-torso/manifest.json", "tiny-translator/config.json", "tiny-torso/vocab.json"];
    let seeds = tiny.map(golden).into_iter().chain([
        br#"{"metadata":{"total_size":12},"weight_map":{"b":"two.safetensors","a":"one.safetensors"}}"#.to_vec(),
        br#"[{"type":"file","oid":"3","size":135,"lfs":{"oid":"ab","size":1200000000},"path":"model.safetensors"}]"#
            .to_vec(),
    ]);
    let words =
        ["\"", "{", "}", "[", "]", ",", ":", "0", "1e308", "18446744073709551615", "-1", "null", "true", "../", "\\"];
    // A model with the maximum number of layers, eight tensors each, has two thousand names.
    let target = Target::bytes("model-json").longest(4_000).seeds(seeds).words(words).memory(512 << 10, 400);
    target.run(|input| {
        if let Ok(manifest) = Manifest::from_json(input) {
            let is_plain = |file: &FileEntry| !file.name.contains(['/', '\\', '\0']) && file.name != "..";
            assert!(manifest.files.iter().all(is_plain), "a manifest stays in its folder");
        }
        if let Ok(index) = Index::from_json("model.safetensors.index.json", input) {
            assert!(index.shards().iter().all(|name| !name.contains(['/', '\\'])), "an index stays in its folder");
            drop(index.check("one.safetensors", &[]));
        }
        if let Ok(config) = TorsoConfig::from_json(input) {
            // A valid configuration can be counted, and a small one can be built.
            let parameters = config.parameter_count();
            if parameters < 1 << 20 {
                assert!(!config.tensors().is_empty(), "a torso has tensors");
                drop(read_vocabulary(b"[\"a\"]", &config));
            }
        }
        if let Ok(config) = ByT5Config::from_json(input) {
            config.size();
        }
        drop(hub::listing(input));
        if let Ok(text) = std::str::from_utf8(input) {
            hub::content_range(text);
            hub::checksum(text);
        }
    });
}
