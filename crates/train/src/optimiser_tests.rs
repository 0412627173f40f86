//! How gradients are cut before a step; the steps themselves are compared with PyTorch's in the translator's tests.

use super::*;
use burn::tensor::Device;
use burn::tensor::TensorData;

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
