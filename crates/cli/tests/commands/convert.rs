//! `tuppum convert` as a user meets it: weights of PyTorch in, safetensors out, and never a file overwritten.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tuppum_testing::now;
use tuppum_weights::MemorySource;
use tuppum_weights::index::Index;
use tuppum_weights::safetensors::{Dtype, Header};

const GOLDEN: &str = "tests/golden/torch";

fn golden(name: &str) -> Vec<u8> {
    fs::read(tuppum_testing::project(GOLDEN).join(name)).unwrap()
}

/// Returns an empty folder of this test's own.
fn fresh(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("convert").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Returns a model folder with these weights.
fn model(name: &str, weights: &str, bytes: &[u8]) -> PathBuf {
    let folder = fresh(name);
    fs::write(folder.join(weights), bytes).unwrap();
    fs::write(folder.join("config.json"), "{\"d_model\": 4}").unwrap();
    folder
}

fn convert(input: &Path, output: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tuppum"));
    command.current_dir(tuppum_testing::project("")).arg("convert").arg(input).arg(output).args(more).output().unwrap()
}

#[track_caller]
fn succeeds(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// The command fails, says `expected`, and leaves nothing behind.
#[track_caller]
fn refused(input: &Path, output: &Path, more: &[&str], expected: &str) {
    let before = files(output);
    let done = convert(input, output, more);
    let message = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!(done.status.code(), Some(1), "{message}");
    assert!(message.contains(expected) && !message.contains("panicked"), "{message}");
    assert_eq!(files(output), before, "nothing is left behind");
}

/// Returns all files of a folder.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|file| (file.file_name().to_string_lossy().into_owned(), fs::read(file.path()).unwrap())).collect()
}

type Tensors = BTreeMap<String, (Dtype, Vec<usize>, Vec<u8>)>;

/// Returns the tensors of a safetensors file with their bytes.
fn tensors(bytes: &[u8]) -> Tensors {
    let (header, _) = now(Header::read("file", &mut MemorySource::new(bytes))).unwrap();
    let own = |offset: u64, length: usize| bytes[offset as usize..][..length].to_vec();
    let entry = |tensor: tuppum_weights::safetensors::TensorInfo| {
        (tensor.name, (tensor.dtype, tensor.shape, own(tensor.offset, tensor.bytes)))
    };
    header.tensors.into_iter().map(entry).collect()
}

#[test]
fn a_model_of_pytorch_becomes_the_halves_that_pytorch_makes_of_it() {
    let input = model("in", "pytorch_model.bin", &golden("tiny.bin"));
    let output = fresh("out").join("deep/new");
    let before = files(&input);
    let message = succeeds(&convert(&input, &output, &[]));
    let written = files(&output);
    assert_eq!(written.keys().collect::<Vec<_>>(), ["config.json", "model.safetensors"]);
    assert_eq!(tensors(&written["model.safetensors"]), tensors(&golden("tiny-f16.safetensors")));
    assert_eq!(written["config.json"], b"{\"d_model\": 4}");
    assert!(message.contains("11 tensors in 1 file(s)"), "{message}");
    assert!(message.contains("encoder.embed_tokens.weight is the same"), "{message}");
    assert_eq!(files(&input), before);
}

#[test]
fn a_large_model_is_cut_and_its_pieces_are_read_again() {
    let input = model("whole", "pytorch_model.bin", &golden("tiny.bin"));
    let (pieces, again) = (fresh("pieces"), fresh("again"));
    succeeds(&convert(&input, &pieces, &["--dtype", "f32", "--shard-size", "64B"]));
    let written = files(&pieces);
    let index = Index::from_json("index", &written["model.safetensors.index.json"]).unwrap();
    assert!(index.shards().len() > 2);
    for shard in index.shards() {
        let (header, _) = now(Header::read(shard, &mut MemorySource::new(&written[shard]))).unwrap();
        assert_eq!(index.check(shard, &header.tensors), Ok(()));
    }
    succeeds(&convert(&pieces, &again, &[]));
    assert_eq!(tensors(&files(&again)["model.safetensors"]), tensors(&golden("tiny-f16.safetensors")));

    let lost = pieces.join(index.shards().last().unwrap());
    fs::copy(pieces.join(index.shards().first().unwrap()), &lost).unwrap();
    refused(&pieces, &fresh("lost"), &[], "where the index says it is");
    fs::remove_file(&lost).unwrap();
    refused(&pieces, &fresh("lost"), &[], lost.file_name().unwrap().to_str().unwrap());
}

#[test]
fn single_precision_is_kept_bit_for_bit() {
    let input = model("single", "weights.safetensors", &golden("tiny.safetensors"));
    let output = fresh("single-out");
    succeeds(&convert(&input.join("weights.safetensors"), &output, &["--dtype", "f32"]));
    let (found, expected) = (tensors(&files(&output)["model.safetensors"]), tensors(&golden("tiny.safetensors")));
    let singles = |tensors: &Tensors| -> Tensors {
        tensors
            .iter()
            .filter(|(_, (dtype, ..))| *dtype == Dtype::F32)
            .map(|(name, it)| (name.clone(), it.clone()))
            .collect()
    };
    assert_eq!(found.len(), expected.len());
    for (name, tensor) in singles(&expected) {
        assert_eq!(found[&name], tensor, "{name}");
    }
    assert!(found.values().all(|(dtype, ..)| matches!(dtype, Dtype::F32 | Dtype::I32)));
}

#[test]
fn nothing_is_overwritten() {
    let input = model("kept", "pytorch_model.bin", &golden("tiny.bin"));
    refused(&input, &input, &[], "is not empty");
    let output = fresh("kept-out");
    fs::write(output.join("notes.txt"), "mine").unwrap();
    refused(&input, &output, &[], "notes.txt is in it");
}

#[test]
fn weights_that_cannot_be_converted_say_why() {
    let legacy = model("legacy", "pytorch_model.bin", &golden("legacy.bin"));
    refused(&legacy, &fresh("no"), &[], "before PyTorch 1.6");
    refused(&legacy, &fresh("no"), &[], "torch.load");
    let transposed = model("transposed", "pytorch_model.bin", &golden("transposed.bin"));
    refused(&transposed, &fresh("no"), &[], "tensor a is stored in another order");
    let cut = model("cut", "model.safetensors", &golden("tiny.safetensors")[..1_000]);
    refused(&cut, &fresh("no"), &[], "model.safetensors is truncated");
    refused(&fresh("empty"), &fresh("no"), &[], "name the file of weights itself");
    refused(Path::new("no/such/model.bin"), &fresh("no"), &[], "no/such/model.bin");
    let wrong = convert(&legacy, &fresh("no"), &["--shard-size", "large"]);
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("is no size"));
}

#[test]
fn numbers_that_halves_cannot_hold_are_refused() {
    let json = br#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#;
    let numbers = [1.0_f32, 1e6].map(f32::to_le_bytes).concat();
    let bytes = [&(json.len() as u64).to_le_bytes()[..], json, &numbers].concat();
    let input = model("large", "model.safetensors", &bytes);
    let output = fresh("large-out").join("new");
    refused(
        &input,
        &output,
        &[],
        "tensor a holds 1e6, which F16 cannot hold. Numbers that are too large need --dtype bf16",
    );
    assert!(!output.exists());
    succeeds(&convert(&input, &output, &["--dtype", "bf16"]));
}
