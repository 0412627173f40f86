//! Checks of what a tiny translator computes on any device; the same functions run natively and in a browser's worker.
#![allow(clippy::unwrap_used, dead_code)] // a test that cannot open its own files has failed; not every test uses all

use burn::tensor::Device;
use serde::Deserialize;
use tuppum_domain::generation::{Method, Options, Output};
use tuppum_nn::byt5::{ByT5, ByT5Config, GeometryLevel, Golden, HyperbolicBias, SourceRow, self_test, translate};
use tuppum_nn::yielding::NeverYields;
use tuppum_weights::safetensors::{Header, floats};
use tuppum_weights::{ByT5Loader, MemorySource, Source, load_byt5, read_translator_golden};

macro_rules! tiny {
    ($name:literal) => {
        include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/tiny-translator/", $name)).as_slice()
    };
}

/// Variants of the recipe: without bias; without bias and with the embeddings as output weights; with a bias over
/// bytes; with one over signs.
pub const WAYS: [&str; 4] = ["plain", "tied", "byte", "sign"];

pub const WEIGHTS: &[u8] = tiny!("model.safetensors");

pub fn config() -> ByT5Config {
    ByT5Config::from_json(tiny!("config.json")).unwrap()
}

pub async fn golden(way: &str) -> Golden {
    read_translator_golden(tiny!("golden.safetensors"), way).await.unwrap()
}

/// Reads a tensor of the golden file.
pub async fn tensor(name: &str) -> Vec<f32> {
    numbers(tiny!("golden.safetensors"), name).await
}

/// Reads a tensor of the weights.
pub async fn weights(name: &str) -> Vec<f32> {
    numbers(WEIGHTS, name).await
}

async fn numbers(file: &[u8], name: &str) -> Vec<f32> {
    let mut source = MemorySource::new(file);
    let (header, _) = Header::read("the golden file", &mut source).await.unwrap();
    let tensor = header.tensor(name).unwrap();
    floats(tensor, &source.read(tensor.offset, tensor.bytes).await.unwrap()).unwrap()
}

/// Opens the translator in one variant.
pub async fn translator(way: &str, device: &Device) -> ByT5 {
    let mut config = config();
    let mut source = MemorySource::new(WEIGHTS);
    if way == "tied" {
        config.tie_word_embeddings = true;
        let (header, _) = Header::read("the weights", &mut source).await.unwrap();
        let own = |name: &str| name != "lm_head.weight" && !name.starts_with("geometry");
        let tensors: Vec<_> = header.tensors.into_iter().filter(|tensor| own(&tensor.name)).collect();
        let mut loader = ByT5Loader::new(&config, &[&tensors], device).unwrap();
        loader.read(&tensors, &mut source, None, &mut |_, _| (), &NeverYields).await.unwrap();
        return loader.finish().unwrap();
    }
    if way == "sign" {
        let (header, _) = Header::read("the weights", &mut source).await.unwrap();
        let tensors: Vec<_> =
            header.tensors.into_iter().filter(|tensor| !tensor.name.starts_with("geometry")).collect();
        config.geometry_level = GeometryLevel::Sign;
        let mut loader = ByT5Loader::new(&config, &[&tensors], device).unwrap();
        loader.read(&tensors, &mut source, None, &mut |_, _| (), &NeverYields).await.unwrap();
        let mut model = loader.finish().unwrap();
        let points = numbers(tiny!("signs.safetensors"), "geometry.points").await;
        let alpha = numbers(tiny!("signs.safetensors"), "geometry.alpha").await[0];
        let bias = HyperbolicBias::new(points, 32, alpha, config.geometry_layers, config.curvature, device).unwrap();
        assert!(model.attach(bias).is_none());
        return model;
    }
    let mut model = load_byt5(&config, &mut source, None, device, |_, _| (), &NeverYields).await.unwrap();
    assert!(model.geometry().is_some());
    if way == "plain" {
        model.detach().unwrap();
    }
    model
}

/// Returns the largest relative differences of states and logits from the reference.
pub async fn differences(way: &str, device: &Device) -> [f32; 2] {
    self_test(&translator(way, device).await, &golden(way).await, &NeverYields).await.unwrap()
}

/// Search that the reference made.
#[derive(Debug, Deserialize)]
pub struct Case {
    pub way: String,
    pub row: usize,
    pub beams: usize,
    pub length_penalty: f32,
    pub early: bool,
    pub longest: usize,
    pub outputs: Vec<Found>,
}

/// Output that the reference found.
#[derive(Debug, Deserialize)]
pub struct Found {
    pub tokens: Vec<u32>,
    pub text: String,
    pub score: Option<f32>,
}

pub fn cases(way: &str) -> Vec<Case> {
    let all: Vec<Case> = serde_json::from_slice(tiny!("golden.json")).unwrap();
    all.into_iter().filter(|case| case.way == way).collect()
}

impl Case {
    pub fn options(&self) -> Options {
        let method = match self.beams {
            1 => Method::Greedy,
            beams => Method::Beam { beams, length_penalty: self.length_penalty, early: self.early },
        };
        Options { method, longest: self.longest, answers: self.beams, ..Options::default() }
    }

    /// Checks that these are the outputs of the reference: the same tokens and texts, scores up to the tolerance of
    /// golden numbers.
    #[track_caller]
    pub fn check(&self, found: &[Output]) {
        assert_eq!(found.len(), self.outputs.len());
        for (found, expected) in found.iter().zip(&self.outputs) {
            assert_eq!((&found.tokens, &found.text), (&expected.tokens, &expected.text), "{self:?}");
            if let Some(score) = expected.score {
                assert!((found.score - score).abs() < 5e-4 * score.abs(), "{} and {score}", found.score);
            }
        }
    }
}

/// Returns the outputs for some rows, all in one batch.
pub async fn outputs(model: &ByT5, rows: &[SourceRow], options: &Options) -> Vec<Vec<Output>> {
    translate(model, rows, options, &NeverYields, |_| ()).await.unwrap()
}

/// Checks the first case of a variant: searched with all rows in one batch, it must find what the reference found for
/// its row.
pub async fn check_first_case(way: &str, device: &Device) {
    let (model, rows) = (translator(way, device).await, golden(way).await.rows);
    let case = cases(way).remove(0);
    case.check(&outputs(&model, &rows, &case.options()).await[case.row]);
}

/// Checks that rows of different lengths that the CPU writes together are written as if each were alone. `same`
/// compares two numbers.
pub async fn check_rows_together(way: &str, same: impl Fn(f32, f32) -> bool) {
    let (model, rows) = (translator(way, &Device::flex()).await, golden(way).await.rows);
    assert!(rows.windows(2).any(|pair| pair[0].ids.len() != pair[1].ids.len()), "no two lengths");
    for method in [Method::Greedy, Method::Beam { beams: 5, length_penalty: 1.0, early: false }] {
        let options = Options { method, answers: 3, longest: 24, attention: true, ..Options::default() };
        let together = outputs(&model, &rows, &options).await;
        for (row, together) in rows.iter().zip(&together) {
            let alone = outputs(&model, std::slice::from_ref(row), &options).await.remove(0);
            assert_eq!(alone.len(), together.len());
            for (alone, together) in alone.iter().zip(together) {
                assert_eq!((&alone.tokens, &alone.text), (&together.tokens, &together.text));
                let pairs = alone.log_probabilities.iter().zip(&together.log_probabilities);
                assert!(pairs.clone().all(|(one, other)| same(*one, *other)), "{alone:?} {together:?}");
                assert_eq!(
                    (alone.attention.len(), together.attention.len()),
                    (alone.tokens.len(), together.tokens.len())
                );
                for (alone, together) in alone.attention.iter().zip(&together.attention) {
                    assert!(alone.iter().zip(together).all(|(one, other)| same(*one, *other)));
                    assert!(together[alone.len()..].iter().all(|share| *share == 0.0), "beyond its own source");
                }
            }
        }
    }
}
