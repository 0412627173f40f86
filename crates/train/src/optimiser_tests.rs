//! AdamW and the Riemannian step against the reference's numbers and against what they promise.

use super::*;
use burn::tensor::Device;
use burn::tensor::TensorData;
use proptest::prelude::*;

fn tensor(values: &[f32], columns: usize) -> Tensor<2> {
    Tensor::from_data(TensorData::new(values.to_vec(), [values.len() / columns, columns]), &Device::flex())
}

fn values(tensor: Tensor<2>) -> Vec<f32> {
    tensor.into_data().try_to_vec().unwrap()
}

proptest! {
    #[test]
    fn points_stay_in_the_ball(
        points in prop::collection::vec(-0.5f32..0.5, 12),
        gradient in prop::collection::vec(-1e4f32..1e4, 12),
        rate in 1e-4..10.0,
        curvature in 0.1..4.0,
    ) {
        // At most √4 · 0.5 from the centre, scaled into the ball.
        let points: Vec<f32> = points.iter().map(|x| x * 0.99 / (curvature as f32).sqrt()).collect();
        let moved = values(riemannian(tensor(&points, 4), tensor(&gradient, 4), rate, curvature));
        for point in moved.chunks_exact(4) {
            let norm = point.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>();
            prop_assert!(norm * curvature < 1.0, "{point:?}");
        }
    }

    /// The distance covered is the Riemannian length of the step, `|g| (1 − c |x|²) / 2` times the rate, and the
    /// direction that of the geodesic, up to terms of the second order.
    #[test]
    fn a_short_step_follows_the_geodesic(
        point in prop::collection::vec(-0.45f32..0.45, 4),
        gradient in prop::collection::vec(-1.0f32..1.0, 4),
        curvature in 0.25..1.0,
    ) {
        let rate = 1e-2;
        let size = |x: &[f32]| x.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>();
        prop_assume!(size(&gradient) > 0.01);
        let moved = values(riemannian(tensor(&point, 4), tensor(&gradient, 4), rate, curvature));
        let ball = tuppum_geometry::Ball::new(curvature).unwrap();
        let wide = |x: &[f32]| x.iter().map(|x| f64::from(*x)).collect::<Vec<f64>>();
        let length = rate * size(&gradient).sqrt() * (1.0 - curvature * size(&point)) / 2.0;
        let covered = ball.distance(&wide(&point), &wide(&moved));
        // The second order is below rate² · |g|² / 4, the roundings of f32 below 1e-6.
        prop_assert!((covered - length).abs() < 0.05 * length + 2e-6, "{covered} {length}");
    }
}

#[test]
fn gradients_longer_than_allowed_are_cut_and_others_are_not() {
    let sum = |scale: f32| GradientSum {
        by_name: [("a", vec![3.0 * scale, 0.0]), ("b", vec![0.0, 4.0 * scale])]
            .into_iter()
            .map(|(name, values)| (name.to_owned(), tensor(&values, 2)))
            .collect(),
    };
    let settings = tuppum_tasks::restoration::training::RestorerTrainingSettings::default().optimiser;
    for (scale, expected, cut) in [(1.0, 5.0, 0.2), (0.1, 0.5, 1.0)] {
        let norm = sum(scale).norm(&Device::flex());
        let norm_read = norm.clone().into_data().try_to_vec::<f32>().unwrap()[0];
        assert!((norm_read - expected).abs() < 1e-6, "{norm_read}");
        let update = StepUpdate { settings, rate: 1.0, number: 1, norm };
        let factor = values(update.clip_factor())[0];
        assert!((factor - cut).abs() < 1e-6, "{factor}");
    }
}
