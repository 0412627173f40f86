//! Gradients of several batches, added up for one step.

use burn::tensor::{Device, Gradients, Tensor};
use std::collections::BTreeMap;
use tuppum_nn::byt5::ByT5;

/// Gradients of a model's tensors, added up batch by batch.
#[derive(Debug, Default)]
pub struct Sum {
    pub(crate) by_name: BTreeMap<String, Tensor<2>>,
}

impl Sum {
    /// Takes the gradients of a batch out and adds them.
    pub fn add(&mut self, model: &mut ByT5, gradients: &mut Gradients) {
        for (place, value) in model.parameters_mut() {
            if let Some(gradient) = value.gradient(gradients) {
                self.add_one(place.name, gradient);
            }
        }
    }

    /// Adds the gradient of one tensor.
    pub fn add_one(&mut self, name: String, gradient: Tensor<2>) {
        let sum = match self.by_name.remove(&name) {
            Some(before) => before + gradient,
            None => gradient,
        };
        self.by_name.insert(name, sum);
    }

    /// Length of all gradients together: `[1]`.
    pub fn length(&self, device: &Device) -> Tensor<1> {
        let zero = Tensor::<1>::zeros([1], device);
        self.by_name.values().fold(zero, |sum, gradient| sum + gradient.clone().square().sum()).sqrt()
    }
}
