//! Tests of the gradients of the loss against finite differences, tensor by tensor.

use super::RestorerTrainer;
use super::batches::Batches;
use super::task::tests::{bare, plan, torso, vocabulary};
use burn::tensor::{Tensor, TensorData};
use std::collections::BTreeMap;
use tuppum_domain::restoration::training::{Length, RestorerTrainingSettings};
use tuppum_nn::torso::{Torso, TorsoParameterSpec};
use tuppum_nn::yielding::NeverYields;
use tuppum_testing::now;

/// Returns the trained numbers of a torso by name.
fn values(torso: &Torso) -> Vec<(TorsoParameterSpec, Vec<f32>)> {
    let read = |(place, tensor): (TorsoParameterSpec, Tensor<2>)| (place, tensor.into_data().try_to_vec().unwrap());
    torso.tensors().into_iter().map(read).collect()
}

/// Returns the torso with one number of one tensor changed.
fn moved(torso: &Torso, name: &str, at: usize, by: f32) -> Torso {
    let mut torso = torso.clone();
    for (place, mut value) in torso.parameters_mut().into_iter().filter(|(place, _)| place.name == name) {
        let mut numbers: Vec<f32> = value.tensor().into_data().try_to_vec().unwrap();
        numbers[at] += by;
        let device = value.tensor().device();
        value.set(Tensor::from_data(TensorData::new(numbers, place.shape()), &device), None);
    }
    torso
}

#[test]
fn gradients_of_every_tensor_agree_with_finite_differences() {
    // Losses near 3 are rounded to a few 1e-7; over 0.02 that is 2e-5 of a slope, while the curvature of the loss over
    // so short a stretch changes it by about a thousandth. A wrong gradient is off by its own size.
    const STEP: f32 = 1e-2;
    let settings = RestorerTrainingSettings { length: Length::Steps(1), label_smoothing: 0.02, ..bare() };
    let base = torso(16, 5);
    let mut trainer = RestorerTrainer::new(&base, &vocabulary(), plan(settings.clone())).unwrap();
    let mut batches = Batches::new(trainer.sequences().to_vec(), &settings);
    let (_, batch) = batches.step(&settings, &vocabulary(), 0);
    let (batch, masked) = (&batch[0], batch[0].targets.len() as f64);
    assert!(batch.rows.iter().any(|row| row.ids.len() != batch.rows[0].ids.len()), "some row is padded");
    let mut found: BTreeMap<String, Vec<f32>> = BTreeMap::new();
    let mut gradients = now(trainer.loss(batch, masked, &NeverYields)).unwrap().backward();
    for (place, value) in trainer.task.torso.parameters_mut() {
        let gradient = value.gradient(&mut gradients).unwrap_or_else(|| panic!("{} has no gradient", place.name));
        found.insert(place.name, gradient.into_data().try_to_vec().unwrap());
    }
    let loss = |torso: &Torso| {
        let mut trainer = RestorerTrainer::new(torso, &vocabulary(), plan(settings.clone())).unwrap();
        let loss = now(trainer.loss(batch, masked, &NeverYields)).unwrap();
        f64::from(loss.inner().into_data().try_to_vec::<f32>().unwrap()[0])
    };
    let (mut checked, mut worst) = (0, 0.0_f64);
    for (place, numbers) in values(&base) {
        let own = &found[&place.name];
        assert_eq!(own.len(), numbers.len());
        let mut order: Vec<usize> = (0..own.len()).collect();
        order.sort_by(|one, other| own[*other].abs().total_cmp(&own[*one].abs()));
        // The largest, one from the upper quarter, and the smallest, which may be 0.
        for at in [order[0], order[own.len() / 4], order[own.len() - 1]] {
            let slope = (loss(&moved(&base, &place.name, at, STEP)) - loss(&moved(&base, &place.name, at, -STEP)))
                / f64::from(2.0 * STEP);
            let off = (slope - f64::from(own[at])).abs();
            assert!(off < 2e-2 * slope.abs() + 1e-4, "{} {at}: {} and {slope}", place.name, own[at]);
            worst = worst.max(off / (slope.abs() + 5e-3));
            checked += 1;
        }
    }
    println!("{checked} numbers, largest difference {worst:e} of a slope");
    // Two blocks of six tensors, the embeddings, the last norm and the four of the head.
    assert_eq!(checked, 3 * 18);
}
