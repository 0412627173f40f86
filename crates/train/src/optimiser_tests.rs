//! Tests of clipping, and of the steps of all three rules against PyTorch's AdamW and Muon and transformers' Adafactor.

use super::*;
use burn::tensor::{Device, TensorData};
use serde::Deserialize;

fn tensor(values: &[f32], columns: usize) -> Tensor<2> {
    Tensor::from_data(TensorData::new(values.to_vec(), [values.len() / columns, columns]), &Device::flex())
}

fn values(tensor: Tensor<2>) -> Vec<f32> {
    tensor.into_data().try_to_vec().unwrap()
}

#[test]
fn gradients_longer_than_allowed_are_cut_and_others_are_not() {
    let sum = |scale: f32| GradientSum {
        by_name: [("a", vec![3.0 * scale, 0.0]), ("b", vec![0.0, 4.0 * scale])]
            .into_iter()
            .map(|(name, values)| (name.to_owned(), tensor(&values, 2)))
            .collect(),
    };
    let settings = tuppum_domain::restoration::training::RestorerTrainingSettings::default().optimiser;
    for (scale, expected, cut) in [(1.0, 5.0, 0.2), (0.1, 0.5, 1.0)] {
        let norm = sum(scale).norm(&Device::flex());
        let norm_read = norm.clone().into_data().try_to_vec::<f32>().unwrap()[0];
        assert!((norm_read - expected).abs() < 1e-6, "{norm_read}");
        let update = StepUpdate { settings, rate: 1.0, number: 1, norm };
        let factor = values(update.clip_factor())[0];
        assert!((factor - cut).abs() < 1e-6, "{factor}");
    }
}

#[derive(Deserialize)]
struct Steps {
    adamw: Vec<Expected>,
    adafactor: Vec<Expected>,
    muon: Vec<Expected>,
}

/// Tensor after each of several steps.
#[derive(Deserialize)]
struct Expected {
    columns: usize,
    start: Vec<f32>,
    decay: f64,
    betas: [f64; 2],
    epsilon: f64,
    steps: Vec<Taken>,
}

#[derive(Deserialize)]
struct Taken {
    rate: f64,
    gradient: Vec<f32>,
    value: Vec<f32>,
}

impl Expected {
    fn update(&self, taken: &Taken, number: u32) -> TensorUpdate {
        let Self { betas, epsilon, decay, .. } = *self;
        TensorUpdate { rate: taken.rate, betas, epsilon, decay, number }
    }
}

/// Reads the steps of the reference programs.
fn steps() -> Steps {
    let json = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/training/steps.json"));
    serde_json::from_slice(json).unwrap()
}

#[test]
fn single_steps_are_those_of_the_references() {
    let Steps { adamw, adafactor, muon } = steps();
    let rules = [(adamw, TensorRule::AdamW), (adafactor, TensorRule::Adafactor), (muon, TensorRule::Muon(Vec::new()))];
    for (expected, rule) in rules {
        for own in &expected {
            let rule = match rule {
                TensorRule::Muon(_) => TensorRule::Muon(vec![own.columns]),
                ref other => other.clone(),
            };
            let (mut optimiser, mut value) = (Optimiser::default(), tensor(&own.start, own.columns));
            for (taken, number) in own.steps.iter().zip(1..) {
                let gradient = tensor(&taken.gradient, own.columns);
                value = optimiser.moved("a", value, gradient, &own.update(taken, number), &rule);
                let found = values(value.clone());
                assert_eq!(found.len(), taken.value.len());
                for (found, expected) in found.iter().zip(&taken.value) {
                    // Ten roundings of f32 on numbers near 1.
                    assert!((found - expected).abs() < 1e-5, "{rule:?}, step {number}: {found} and {expected}");
                }
            }
        }
    }
}

#[test]
fn maps_that_lie_side_by_side_are_made_orthogonal_each_for_itself() {
    let Steps { muon, .. } = steps();
    let (own, taken) = (&muon[1], &muon[1].steps[0]);
    let (start, gradient) = (tensor(&own.start, own.columns), tensor(&taken.gradient, own.columns));
    let [two, gradients] = [&start, &gradient].map(|one| Tensor::cat(vec![one.clone(), one.clone() * 3.0], 1));
    let rule = TensorRule::Muon(vec![own.columns; 2]);
    let update = TensorUpdate { decay: 0.0, ..own.update(taken, 1) };
    let moved = Optimiser::default().moved("a", two.clone(), gradients, &update, &rule) - two;
    let [first, second] = [0, 1].map(|which| moved.clone().narrow(1, which * own.columns, own.columns));
    // A gradient three times as long moves as far; both are differences of numbers near 1, rounded to f32.
    let off = (first.clone() - second).abs().max().into_data().try_to_vec::<f32>().unwrap()[0];
    let far = first.abs().max().into_data().try_to_vec::<f32>().unwrap()[0];
    assert!(off < 1e-6 && far > 1e-3, "{off} of {far}");
}

#[test]
fn what_is_remembered_is_no_more_than_the_rule_needs() {
    let Steps { adafactor, .. } = steps();
    let (own, taken) = (&adafactor[0], &adafactor[0].steps[0]);
    let mut optimiser = Optimiser::default();
    for (name, rule) in [("a", TensorRule::Adafactor), ("m", TensorRule::Muon(vec![own.columns]))] {
        let (value, gradient) = (tensor(&own.start, own.columns), tensor(&taken.gradient, own.columns));
        optimiser.moved(name, value, gradient, &own.update(taken, 1), &rule);
    }
    let kept: Vec<_> = optimiser.remembered().into_iter().map(|(name, tensor)| (name, tensor.dims())).collect();
    let expected = [("rows.a", [3, 1]), ("columns.a", [1, 4]), ("momentum.m", [3, 4])];
    assert_eq!(kept, expected.map(|(name, dims)| (name.to_owned(), dims)));
    assert!(optimiser.moments.is_empty());
}
