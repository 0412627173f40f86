//! Tests of gradients and steps against PyTorch's (`recipes/golden_training.py`).

use super::points::LearntPoints;
use crate::loss;
use crate::optimiser::{GradientSum, Optimiser, StepUpdate};
use burn::tensor::{Device, Tensor};
use std::collections::BTreeMap;
use tuppum_domain::training::OptimiserSettings;
use tuppum_domain::translation::training::TranslatorTrainingSettings;
use tuppum_nn::byt5::{ByT5, ByT5Config, SourceRow};
use tuppum_nn::yielding::NeverYields;
use tuppum_testing::now;
use tuppum_text::tokens::TokenId;
use tuppum_weights::safetensors::{Header, floats, integers};
use tuppum_weights::{MemorySource, Source, load_byt5};

macro_rules! golden {
    ($name:literal) => {
        include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/", $name)).as_slice()
    };
}

/// Reads the tensors of a file, both fractions and whole numbers, with their last dimension.
fn tensors(file: &[u8]) -> BTreeMap<String, (usize, Vec<f32>)> {
    let mut source = MemorySource::new(file);
    let (header, _) = now(Header::read("the golden file", &mut source)).unwrap();
    let read = |tensor: &tuppum_weights::safetensors::TensorInfo| {
        let bytes = now(source.read(tensor.offset, tensor.bytes)).unwrap();
        let values = match floats(tensor, &bytes) {
            Ok(values) => values,
            Err(_) => integers(tensor, &bytes).unwrap().into_iter().map(|value| value as f32).collect(),
        };
        (tensor.name.clone(), (tensor.shape.last().copied().unwrap_or(1), values))
    };
    header.tensors.iter().map(read).collect()
}

fn tokens((length, values): &(usize, Vec<f32>)) -> Vec<Vec<TokenId>> {
    values.chunks(*length).map(|row| row.iter().filter(|id| **id >= 0.0).map(|id| *id as TokenId).collect()).collect()
}

fn tiny() -> ByT5 {
    let config = ByT5Config::from_json(golden!("tiny-translator/config.json")).unwrap();
    let (mut source, device) = (MemorySource::new(golden!("tiny-translator/model.safetensors")), Device::flex());
    let mut model = now(load_byt5(&config, &mut source, None, &device, |_, _| (), &NeverYields)).unwrap();
    model.parameters_mut().into_iter().for_each(|(_, mut value)| value.set(value.tensor(), Some(true)));
    model
}

/// Returns every tensor's numbers in the order of the file, by the file's names.
fn by_name(model: &ByT5, value: impl Fn(&str, Tensor<2>) -> Vec<f32>) -> BTreeMap<String, Vec<f32>> {
    let mut all = BTreeMap::new();
    for (place, tensor) in model.tensors() {
        let values = value(&place.name, tensor);
        all.extend(place.split(&values).into_iter().map(|(part, own)| (part.name.clone(), own)));
    }
    all
}

fn values(tensor: Tensor<2>) -> Vec<f32> {
    tensor.into_data().try_to_vec().unwrap()
}

fn length(values: &[f32]) -> f64 {
    values.iter().map(|value| f64::from(*value).powi(2)).sum::<f64>().sqrt()
}

/// Tolerance of gradients, relative to the tensor's largest number and to its length.
const AGREEMENT: f64 = 1e-3;

#[test]
fn gradients_and_a_step_of_the_whole_model_are_those_of_pytorch() {
    let golden = tensors(golden!("training/training.safetensors"));
    let rows: Vec<SourceRow> = tokens(&tensors(golden!("tiny-translator/golden.safetensors"))["ids"])
        .into_iter()
        .map(|ids| SourceRow { ids, points: None })
        .collect();
    let (targets, weights) = (tokens(&golden["targets"]), [1.0, 0.5, 1.0]);
    let mut model = tiny();
    let logits = now(model.forced_logits(&rows, &targets, &mut (), &NeverYields)).unwrap();
    let loss = now(loss::cross_entropy(logits, &targets, &weights, 0.05)).unwrap() / loss::weight(&targets, &weights);
    let found = loss.clone().inner().into_data().try_to_vec::<f32>().unwrap()[0];
    assert!((found - golden["loss"].1[0]).abs() < 1e-5 * found, "{found} and {:?}", golden["loss"].1);
    let (mut sum, mut gradients) = (GradientSum::default(), loss.backward());
    sum.add(model.parameters_mut(), &mut gradients);
    let optimiser = OptimiserSettings {
        betas: [0.9, 0.98],
        weight_decay: 0.01,
        clip: 1.0,
        points_rate: Some(10.0),
        ..TranslatorTrainingSettings::default().optimiser
    };
    let settings = TranslatorTrainingSettings { optimiser, ..TranslatorTrainingSettings::default() };
    let mut points = LearntPoints::of(&mut model, &settings).unwrap();
    let norm = sum.norm_of(&Device::flex(), |name| name != points.name);
    let before = by_name(&model, |_, tensor| values(tensor));
    let of_gradient = by_name(&model, |name, _| values(sum.by_name[name].clone()));
    let update = StepUpdate { settings: optimiser, rate: 1e-3, number: 1, norm };
    let mut moved = Optimiser::default();
    points.update(&mut model, &mut moved, &mut sum, &update);
    moved.step(model.parameters_mut(), &mut sum, &update);
    let after = by_name(&model, |_, tensor| values(tensor));
    let mut worst = [0.0f64; 3];
    for (name, (_, table)) in golden.iter().filter(|(name, _)| !["loss", "targets"].contains(&name.as_str())) {
        let (own, moved) = (&of_gradient[name], &after[name]);
        let (head, entries) = table.split_at(3);
        let change: Vec<f32> = moved.iter().zip(&before[name]).map(|(after, before)| after - before).collect();
        let by_length = (length(own) - f64::from(head[1])).abs() / f64::from(head[1]);
        let by_change = (length(&change) - f64::from(head[2])).abs() / f64::from(head[2]);
        let largest = f64::from(entries[1].abs());
        assert!(by_length < AGREEMENT && by_change < 10.0 * AGREEMENT, "{name}: {by_length:e} {by_change:e}");
        for entry in entries.chunks_exact(3).take(head[0] as usize) {
            let place = entry[0] as usize;
            let [off, off_after] = [own[place] - entry[1], moved[place] - entry[2]].map(|off| f64::from(off.abs()));
            worst = [worst[0].max(off / largest), worst[1].max(off_after), worst[2].max(by_length)];
            assert!(off < AGREEMENT * largest, "{name} {place}: {} and {}", own[place], entry[1]);
            assert!(
                off_after < 1e-5 * f64::from(entry[2].abs()).max(1.0),
                "{name} {place}: {} and {}",
                moved[place],
                entry[2]
            );
        }
    }
    println!(
        "largest differences: gradients {:e}, values after a step {:e}, lengths {:e}",
        worst[0], worst[1], worst[2]
    );
    assert_eq!(golden.len(), after.len() + 2);
}
