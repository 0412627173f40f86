//! The step by hand against the same model over burn's tensors with burn's gradients and the Riemannian Adam over
//! tensors.

use super::{small, still};
use crate::Lorentz;
use crate::graph::{GraphGeometry, GraphModel};
use crate::graph_training::adam::{Adam, GraphMoments};
use crate::graph_training::step::{StepRule, Workspace, step};
use crate::graph_training::triples::TripleBatch;
use burn::tensor::{Device, Int, Tensor, TensorData, activation};
use tuppum_geometry::adam::{BETAS, EPSILON};
use tuppum_train::update_rules::RiemannianAdam;
use tuppum_train::update_rules::TensorUpdate;

fn tensor(values: &[f32], shape: [usize; 2]) -> Tensor<2> {
    Tensor::from_data(TensorData::new(values.to_vec(), shape), &Device::flex().autodiff())
}

fn whole(model: &GraphModel) -> Vec<f32> {
    (0..model.entities())
        .flat_map(|entity| std::iter::once(model.times[entity]).chain(model.point(entity).iter().copied()))
        .collect()
}

/// Returns the loss by the equations, row by row.
fn loss(model: &GraphModel, batch: &TripleBatch, points: &Tensor<2>, transforms: &Tensor<2>) -> Tensor<1> {
    let (size, lorentz) = (model.settings.dimension, Lorentz::new(f64::from(model.settings.curvature)).unwrap());
    let device = points.device();
    let row = |from: &Tensor<2>, at: u32| from.clone().narrow(0, at as usize, 1);
    let mut total = Tensor::<1>::zeros([1], &device);
    for (place, (head, relation)) in batch.heads.iter().zip(&batch.relations).enumerate() {
        let h = row(points, *head);
        let transform = row(transforms, *relation).reshape([(size + 1) * (size + 1)]);
        let matrix = transform.clone().narrow(0, 0, (size + 1) * size).reshape([size + 1, size]);
        let velocity = transform.narrow(0, (size + 1) * size, size + 1).reshape([size + 1, 1]);
        let shift = tensor(model.shift(*relation as usize), [1, size]);
        let inside = h.clone().matmul(matrix) + shift;
        let origin = (-f64::from(model.settings.curvature)).sqrt().recip();
        let gate = activation::sigmoid(h.matmul(velocity)) * f64::from(model.settings.scale);
        let time = gate + origin + 0.1;
        let length = inside.clone().square().sum_dim(1).sqrt();
        let q = Tensor::cat(vec![time.clone(), inside * ((time.square() - origin * origin).sqrt() / length)], 1);
        let tails = &batch.tails[place * batch.width..][..batch.width];
        let numbers: Vec<i32> = tails.iter().map(|tail| *tail as i32).collect();
        let t = points.clone().select(0, Tensor::<1, Int>::from_data(TensorData::new(numbers, [batch.width]), &device));
        let biases: Vec<f32> =
            tails.iter().map(|tail| model.tail_biases[*tail as usize] + model.head_biases[*head as usize]).collect();
        let scores = lorentz.squared_distances(q, t).neg()
            + f64::from(model.settings.margin)
            + tensor(&biases, [1, batch.width]);
        let mut truth = vec![0.0; batch.width];
        truth[0] = 1.0;
        let entropy = scores.clone().exp().log1p() - scores * tensor(&truth, [1, batch.width]);
        total = total + entropy.sum();
    }
    total / batch.tails.len() as f32
}

#[track_caller]
fn near(found: &[f32], expected: &[f32], tolerance: f32) {
    let largest = expected.iter().fold(1e-3f32, |most, one| most.max(one.abs()));
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() < tolerance * largest, "{at}: {found} {expected}");
    }
    assert_eq!(found.len(), expected.len());
}

#[test]
fn loss_gradients_and_steps_are_those_of_burn() {
    for curvature in [-0.7, -1.0] {
        let (mut model, batch) = small(GraphGeometry::Lorentz, curvature);
        let lorentz = Lorentz::new(f64::from(curvature)).unwrap();
        let adam = Adam { rate: 0.05, ..Adam::default() };
        let (mut moments, mut by_tensors) = (GraphMoments::new(&model), None);
        for number in 1..=4 {
            let (entities, width) = (model.entities(), model.settings.dimension + 1);
            let points = tensor(&whole(&model), [entities, width]).require_grad();
            let transforms = tensor(&model.transforms, [model.relations(), width * width]).require_grad();
            let by_burn = loss(&model, &batch, &points, &transforms);
            let (by_hand, still) = still(&model, &batch, 0.0);
            let value = by_burn.clone().into_data().try_to_vec::<f32>().unwrap()[0];
            // Both are f32; the sums run in another order.
            assert!((f64::from(value) - by_hand).abs() < 1e-5 * by_hand, "{value} {by_hand}");
            let gradients = by_burn.backward();
            let of_transforms = transforms.grad(&gradients).unwrap().into_data().try_into_vec::<f32>().unwrap();
            near(&still.transforms.first, &of_transforms.iter().map(|one| 0.1 * one).collect::<Vec<_>>(), 1e-4);
            let gradient = points.grad(&gradients).unwrap();
            let riemannian = Lorentz::space(lorentz.gradient(points.clone().inner(), gradient.clone()));
            let riemannian = riemannian.into_data().try_into_vec::<f32>().unwrap();
            near(&still.points.first, &riemannian.iter().map(|one| 0.1 * one).collect::<Vec<_>>(), 1e-4);
            // One step of each optimiser from the same point with the same memory.
            step(
                &mut model,
                &mut moments,
                &batch,
                StepRule { adam: &adam, share: 1.0, smoothing: 0.0 },
                1,
                &mut Workspace::default(),
            );
            let update = TensorUpdate { rate: 0.05, betas: BETAS, epsilon: EPSILON, decay: 0.0, number };
            let (reached, after) = lorentz.adam(points.inner(), gradient, by_tensors, &update);
            by_tensors = Some(after);
            near(&whole(&model), &reached.into_data().try_into_vec::<f32>().unwrap(), 1e-4);
        }
    }
}
