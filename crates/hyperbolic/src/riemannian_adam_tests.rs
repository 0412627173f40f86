//! Steps of the optimiser: on the hyperboloid, along the geodesic, towards the minimum, and always to finite numbers.

use super::*;
use crate::{LinearSettings, LorentzLinear};
use burn::module::{Module, Param};
use burn::tensor::{Device, TensorData};
use tuppum_domain::training::OptimiserSettings;
use tuppum_domain::translation::training::TranslatorTrainingSettings;
use tuppum_geometry::{Hyperboloid, Random};
use tuppum_train::optimiser::GradientSum;
use tuppum_train::optimiser::{Optimiser, StepUpdate};
use tuppum_train::update_rules::RiemannianAdam;
use tuppum_train::update_rules::TensorUpdate;
use tuppum_train::update_rules::adamw;

/// Returns the usual betas and ε of Adam.
fn update(rate: f64, number: u32) -> TensorUpdate {
    TensorUpdate { rate, betas: [0.9, 0.999], epsilon: 1e-8, decay: 0.0, number }
}

fn tensor(rows: &[Vec<f64>], device: &Device) -> Tensor<2> {
    let values: Vec<f32> = rows.concat().iter().map(|one| *one as f32).collect();
    Tensor::from_data(TensorData::new(values, [rows.len(), rows[0].len()]), device)
}

fn read(tensor: Tensor<2>) -> Vec<Vec<f64>> {
    let width = tensor.dims()[1];
    let values = tensor.into_data().try_into_vec::<f32>().unwrap();
    values.chunks_exact(width).map(|row| row.iter().map(|one| f64::from(*one)).collect()).collect()
}

fn points(random: &mut Random, plain: &Hyperboloid, count: usize) -> Vec<Vec<f64>> {
    (0..count).map(|_| plain.lifted(&(0..3).map(|_| random.normal()).collect::<Vec<_>>())).collect()
}

#[test]
fn the_first_step_follows_the_geodesic_for_the_learning_rate() {
    let mut random = Random::new(1);
    for k in [-0.5, -1.0, -2.0] {
        let (plain, lorentz) = (Hyperboloid::new(-k).unwrap(), Lorentz::new(k).unwrap());
        let x = points(&mut random, &plain, 20);
        let gradient: Vec<Vec<f64>> = x.iter().map(|_| (0..4).map(|_| random.normal()).collect()).collect();
        let device = Device::flex();
        let (reached, moments) = lorentz.adam(tensor(&x, &device), tensor(&gradient, &device), None, &update(0.3, 1));
        for ((x, gradient), reached) in x.iter().zip(&gradient).zip(read(reached)) {
            let mut mirrored = gradient.clone();
            mirrored[0] = -mirrored[0];
            let tangent = plain.tangent(x, &mirrored);
            let length = plain.length(&tangent);
            // Bias corrected, the first step of Adam is the learning rate long whatever the gradient's length.
            let step: Vec<f64> = tangent.iter().map(|one| -0.3 * one / length).collect();
            let expected = plain.exp(x, &step);
            assert!(plain.distance(&reached, &expected) < 1e-4, "{reached:?} {expected:?}");
        }
        assert_eq!(moments.second.dims(), [20, 1]);
    }
}

#[test]
fn points_reach_the_centroid_that_they_are_pulled_to() {
    let device = Device::flex().autodiff();
    let plain = Hyperboloid::UNIT;
    let mut random = Random::new(2);
    let target = points(&mut random, &plain, 6);
    let (mut x, mut moments) = (tensor(&points(&mut random, &plain, 6), &device), None);
    for step in 0..600 {
        let leaf = x.clone().detach().require_grad();
        let gradients = Lorentz::UNIT.squared_distance(leaf.clone(), tensor(&target, &device)).sum().backward();
        let gradient = leaf.grad(&gradients).unwrap();
        let rate = 0.05 * (1.0 - f64::from(step) / 600.0);
        let (moved, after) = Lorentz::UNIT.adam(leaf.inner(), gradient, moments, &update(rate, step + 1));
        (x, moments) = (moved.autodiff(), Some(after));
    }
    for (reached, target) in read(x.inner()).iter().zip(&target) {
        assert!(plain.distance(reached, target) < 1e-2, "{reached:?} {target:?}");
    }
}

/// Points, and a layer that they pass.
#[derive(Module, Debug)]
struct Embedded {
    points: Param<Tensor<2>>,
    layer: LorentzLinear,
}

#[test]
fn ten_thousand_random_steps_leave_no_nan_and_no_point_off_the_sheet() {
    let device = Device::flex().autodiff();
    let (plain, mut random) = (Hyperboloid::UNIT, Random::new(3));
    let settings = LinearSettings { normalised: Some(5.0), bias: true, ..LinearSettings::exact(3, 3) };
    let x = tensor(&points(&mut random, &plain, 4), &device);
    let layer = LorentzLinear::new(Lorentz::UNIT, &settings, &device);
    let mut module = Embedded { points: Param::from_tensor(x), layer };
    let mut optimiser = Optimiser::default();
    let settings = OptimiserSettings { clip: f64::MAX, ..TranslatorTrainingSettings::default().optimiser };
    for step in 0..10_000 {
        // Every step another loss, at random a pull together, a push apart, or one through the layer; at times huge.
        let size = if step % 97 == 0 { 1e4 } else { 1.0 };
        let other = tensor(&points(&mut random, &plain, 4), &device);
        let x = module.points.val();
        let seen = if step % 3 == 0 { x } else { module.layer.forward(x) };
        let distance = if step % 2 == 0 {
            Lorentz::UNIT.distance(seen, other)
        } else {
            Lorentz::UNIT.squared_distance(seen, other).log1p()
        };
        let loss = distance.sum() * (size * random.normal());
        let mut gradients = GradientSum::default();
        gradients.add_module(&module, &mut loss.backward());
        let norm = gradients.norm(&device.clone().without_autodiff());
        let of_step = StepUpdate { settings, rate: 0.02, number: step + 1, norm };
        let update = update(0.02, step + 1);
        module = optimiser.step_module(module, &mut gradients, &of_step, |name, value, gradient, before| match name {
            "points" => Lorentz::UNIT.adam(value, gradient, before, &update),
            _ => adamw(value, gradient, before, &update),
        });
    }
    for row in read(module.points.val().inner()) {
        let time = (1.0 + row[1..].iter().map(|one| one * one).sum::<f64>()).sqrt();
        assert!((row[0] - time).abs() < 1e-5 * time, "{row:?}");
    }
    let weights = read(module.layer.weight.val().inner());
    assert!(weights.iter().flatten().all(|one| one.is_finite()));
}
