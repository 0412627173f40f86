//! Tests of the engine's parts in a real worker of a real browser: numbers on both devices, messages, storage, reading.
#![cfg(target_family = "wasm")]

use burn::tensor::{Device, Tensor, TensorData};
use js_sys::Uint8Array;
use tuppum_engine::errors::StorageError;
use tuppum_engine::models::device::run_constructors;
use tuppum_engine::queue::CancellationToken;
use tuppum_engine::storage::lock::{SHIPPED_LOCK, WritingRight};
use tuppum_engine::storage::store::Content;
use tuppum_engine::storage::store::ModelStore;
use tuppum_engine::timeouts::within;
use tuppum_engine::wasm_module::use_relaxed;
use tuppum_nn::exponential::exponential;
use tuppum_nn::torso::{GOLDEN_TOLERANCE, NeverYields, Torso, TorsoConfig, self_test};
use tuppum_protocol::*;
use tuppum_text::Document;
use tuppum_wasm_tests::graphics;
use tuppum_weights::{Manifest, MemorySource, Source, load_torso, read_golden};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

macro_rules! tiny {
    ($name:literal) => {
        include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/tiny-torso/", $name)).as_slice()
    };
}

async fn tiny_torso(device: &Device) -> Torso {
    let config = TorsoConfig::from_json(tiny!("config.json")).unwrap();
    let manifest = Manifest::from_json(tiny!("manifest.json")).unwrap();
    let entry = manifest.file("restorer.safetensors").unwrap();
    let mut source = MemorySource::new(tiny!("restorer.safetensors"));
    load_torso(&config, &mut source, Some(entry), device, |_, _| (), &NeverYields).await.unwrap()
}

/// Returns the largest relative difference between the tiny torso and the PyTorch reference.
async fn difference(device: &Device) -> f32 {
    let golden = read_golden(tiny!("golden.safetensors")).await.unwrap();
    self_test(&tiny_torso(device).await, &golden, &NeverYields).await.unwrap()
}

#[wasm_bindgen_test]
async fn the_cpu_computes_the_golden_logits() {
    run_constructors();
    let difference = difference(&Device::flex()).await;
    assert!(difference < GOLDEN_TOLERANCE, "{difference:e}");
}

/// Chromium supports relaxed instructions; in a browser without them this test fails and shows it.
#[wasm_bindgen_test]
async fn relaxed_instructions_compute_the_golden_logits() {
    run_constructors();
    assert!(use_relaxed());
    let relaxed = difference(&Device::flex()).await;
    gemm::use_slot(false);
    let plain = difference(&Device::flex()).await;
    assert!(relaxed < GOLDEN_TOLERANCE && plain < GOLDEN_TOLERANCE, "{relaxed:e} and {plain:e}");
}

/// The relaxed kernel rounds differently, so a difference in the numbers below shows that it was called.
#[wasm_bindgen_test]
fn relaxed_instructions_are_used_when_asked_for() {
    run_constructors();
    let number = 1.0 + f32::EPSILON;
    // (1 + ε)² less (1 + 2ε), which is ε² if product and sum are rounded once, and 0 if each is rounded.
    let row = Tensor::<2>::from_floats([[-1.0, number]], &Device::flex());
    let columns = Tensor::<2>::from_floats([[1.0 + 2.0 * f32::EPSILON; 16], [number; 16]], &Device::flex());
    let product = || row.clone().matmul(columns.clone()).into_data().try_to_vec::<f32>().unwrap();
    assert!(use_relaxed());
    let relaxed = product();
    gemm::use_slot(false);
    assert_eq!(product(), [0.0; 16]);
    assert!(relaxed == [0.0; 16] || relaxed == [f32::EPSILON * f32::EPSILON; 16], "{relaxed:?}");
    web_sys::console::log_1(
        &format!("product and sum are rounded {}", if relaxed[0] == 0.0 { "twice" } else { "once" }).into(),
    );
}

/// A few rows times columns that are stored as rows, as every byte of a translation needs them.
#[wasm_bindgen_test]
fn both_kernels_multiply_few_rows() {
    run_constructors();
    let numbers = |count: usize, seed: usize| -> Vec<f32> {
        (0..count).map(|at| ((at * 7 + seed) * 31 % 2_003) as f32 / 1_001.0 - 1.0).collect()
    };
    for (rows, columns, depth) in (1..=9).flat_map(|rows| [(rows, 2_080, 15), (rows, 100, 397), (rows, 1_040, 12)]) {
        let (left, right) = (numbers(rows * depth, 1), numbers(depth * columns, 2));
        let tensor = |values: &[f32], shape: [usize; 2]| {
            Tensor::<2>::from_data(TensorData::new(values.to_vec(), shape), &Device::flex())
        };
        let packed = gemm::Packed::new(&right, columns).unwrap();
        let product = || {
            let product = tensor(&left, [rows, depth]).matmul(tensor(&right, [depth, columns]));
            let product = product.into_data().try_to_vec::<f32>().unwrap();
            assert_eq!(packed.product(&left), product, "{rows} rows, {columns} columns, laid out for the kernel");
            product
        };
        assert!(use_relaxed());
        let relaxed = product();
        gemm::use_slot(false);
        let plain = product();
        for at in 0..rows * columns {
            let (row, column) = (at / columns, at % columns);
            let term = |k: usize| f64::from(left[row * depth + k]) * f64::from(right[k * columns + column]);
            let expected: f64 = (0..depth).map(term).sum();
            // Every product and every sum rounds by half a unit of at most the number of terms, none above 1.
            let tolerance = f64::from(f32::EPSILON) / 2.0 * (depth * (depth + 1)) as f64;
            for (name, found) in [("relaxed", relaxed[at]), ("plain", plain[at])] {
                let difference = (f64::from(found) - expected).abs();
                assert!(difference <= tolerance, "{name}, {rows} rows, {columns} columns: {difference:e}");
            }
        }
    }
}

/// The engine's symbol `expf` takes precedence over that of Rust's library, which handles subnormal numbers.
#[wasm_bindgen_test]
fn every_exponential_is_that_of_the_engine() {
    run_constructors();
    for step in -1_000..=900 {
        let x = std::hint::black_box(step as f32 / 10.0);
        assert_eq!(x.exp().to_bits(), exponential(x).to_bits(), "{x}");
    }
    assert_eq!(std::hint::black_box(-88.0f32).exp(), 0.0);
}

#[wasm_bindgen_test]
async fn webgpu_computes_the_golden_logits() {
    run_constructors();
    let Some(gpu) = graphics().await else { return };
    let difference = difference(&gpu.device).await;
    assert_eq!(gpu.errors.take(), None);
    assert!(difference < GOLDEN_TOLERANCE, "{difference:e} on {}", gpu.name);
}

#[wasm_bindgen_test]
async fn influence_is_the_same_on_both_devices() {
    run_constructors();
    let Some(gpu) = graphics().await else { return };
    let (ids, place, token) = ([8, 11, 12, 2, 13, 7], 3, 14);
    let on_cpu = tiny_torso(&Device::flex()).await.influence(&ids, place, token, &NeverYields).await.unwrap();
    let on_gpu = tiny_torso(&gpu.device).await.influence(&ids, place, token, &NeverYields).await.unwrap();
    assert_eq!(gpu.errors.take(), None);
    for (cpu, gpu) in on_cpu.iter().zip(&on_gpu) {
        // Shares relative to the strongest; the devices round sums of f32 in different orders.
        assert!((cpu - gpu).abs() < 1e-3, "{on_cpu:?} {on_gpu:?}");
    }
}

fn round_trip<T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T) {
    let there = serde_wasm_bindgen::to_value(value).unwrap();
    let back: T = serde_wasm_bindgen::from_value(there).unwrap();
    assert_eq!(&back, value);
}

fn question() -> Question {
    Question {
        chosen: vec![0],
        left_alone: vec![2],
        choices: vec![GapChoice {
            sign: 1,
            boundary: Boundary::Inside,
            traces: Traces { starts_with: "š".into(), contains: String::new(), logogram: Some(false) },
            length: Some(3),
        }],
        filled: vec![Filled { sign: 3, readings: vec![("u₂".into(), true), ("{d}".into(), false)] }],
        period: Some(Period::OldAssyrian),
        ..Question::about("um-ma x-ma [...] 𒀭\n")
    }
}

#[wasm_bindgen_test]
fn every_request_survives_the_crossing() {
    let open = |model: &str| OpenModel { model: model.into(), device: DevicePreference::WebGpu, store: true };
    let repository = Repository::typed("", "google/byt5-small", "").unwrap();
    let requests: [Request; 9] = [
        ModelRequest::OpenRestorer(open("models/restorer/")).into(),
        ModelRequest::OpenTranslator(open("kept:mine")).into(),
        ModelRequest::Restore(question()).into(),
        ModelRequest::Restore(Question::about("")).into(),
        ModelRequest::Influence { question: question(), sign: 1, reading: "ša".into(), starts_word: false }.into(),
        TrainingRequest::Release { run: "mine".into(), discard: true }.into(),
        StorageRequest::ListModels.into(),
        StorageRequest::FetchModel(repository).into(),
        Request::Cancel(RequestId::MAX),
    ];
    for (id, request) in (1..).zip(requests) {
        round_trip(&ToEngine { id, request });
    }
}

#[wasm_bindgen_test]
fn the_reader_reads_in_wasm_as_it_does_elsewhere() {
    let signs = |text: &str| Document::read(text).signs().count();
    assert_eq!(signs("um-ma x-ma a-na"), 6);
    assert_eq!(Document::read("bi₂ x").canonical(), Document::read("bí x").canonical());
    assert_eq!(signs(""), 0);
}

#[wasm_bindgen_test]
async fn stored_bytes_are_read_while_another_writer_is_refused() {
    let store = ModelStore::open("test-store").await.unwrap();
    store.write("numbers", &[1, 2, 3, 4, 5]).await.unwrap();
    let holder = store.writer("other").await.unwrap();
    assert!(store.writer("other").await.is_err(), "two writers of one file");
    let mut content = Content::Stored(store.file("numbers").await.unwrap());
    assert_eq!(content.len(), 5);
    assert_eq!(content.read(1, 3).await.unwrap(), [2, 3, 4]);
    assert!(content.read(3, 3).await.is_err(), "bytes past the end");
    drop(holder);
    store.writer("other").await.unwrap().finish().unwrap();
    store.retain(&["numbers".to_owned()]).await;
    assert!(store.file("other").await.is_none());
    store.remove("numbers").await;
    assert!(store.file("numbers").await.is_none());
}

#[wasm_bindgen_test]
async fn what_was_written_can_be_taken_back_into_memory() {
    let store = ModelStore::open("test-store").await.unwrap();
    let mut writer = store.writer("broken-off").await.unwrap();
    writer.append(&Uint8Array::from([7, 8].as_slice())).unwrap();
    writer.append(&Uint8Array::from([9].as_slice())).unwrap();
    assert_eq!(writer.read_back().unwrap(), [7, 8, 9]);
    writer.clear().unwrap();
    drop(writer);
    assert_eq!(store.file("broken-off").await.unwrap().size(), 0.0);
    store.remove("broken-off").await;
}

#[wasm_bindgen_test]
async fn a_browser_that_refuses_to_store_says_why() {
    let refuse =
        "navigator.storage.getDirectory = () => Promise.reject(new DOMException('private window', 'SecurityError'))";
    js_sys::eval(refuse).unwrap();
    let refused = ModelStore::open("test-store").await.err();
    js_sys::eval("delete navigator.storage.getDirectory").unwrap();
    assert_eq!(refused, Some(StorageError::Refused("SecurityError: private window".into())));
    assert!(ModelStore::open("test-store").await.is_ok());
}

#[wasm_bindgen_test]
async fn the_right_to_write_is_one_at_a_time() {
    let token = CancellationToken::new();
    let first = WritingRight::wait(SHIPPED_LOCK, &token).await.unwrap();
    // Long enough for a free lock to be granted many times.
    assert!(within(200, WritingRight::wait(SHIPPED_LOCK, &token)).await.is_none(), "granted twice");
    let impatient = CancellationToken::new();
    impatient.cancel();
    assert!(WritingRight::wait(SHIPPED_LOCK, &impatient).await.is_err(), "a stopped job got the right");
    drop(first);
    // The wait that was cancelled above comes first, and must release the right at once.
    assert!(
        within(5000, WritingRight::wait(SHIPPED_LOCK, &token)).await.is_some(),
        "an abandoned wait keeps the right"
    );
}
