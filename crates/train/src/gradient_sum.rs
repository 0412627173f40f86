//! Gradients of several batches, summed for one step.

use burn::tensor::{Device, Gradients, Tensor};
use std::collections::BTreeMap;
use tuppum_nn::parameters::{ParameterSpec, Value};

/// Gradients by the names of their tensors, summed batch by batch.
#[derive(Debug, Default)]
pub struct GradientSum {
    pub(crate) by_name: BTreeMap<String, Tensor<2>>,
}

impl GradientSum {
    /// Removes the gradients of these parameters from `gradients` and adds them.
    pub fn add<'m, G>(
        &mut self,
        parameters: impl IntoIterator<Item = (ParameterSpec<G>, Value<'m>)>,
        gradients: &mut Gradients,
    ) {
        for (place, value) in parameters {
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

    /// Returns the norm of all gradients together: `[1]`.
    pub fn norm(&self, device: &Device) -> Tensor<1> {
        self.norm_of(device, |_| true)
    }

    /// Returns the norm of the gradients of all tensors whose name satisfies `counts`: `[1]`.
    pub fn norm_of(&self, device: &Device, counts: impl Fn(&str) -> bool) -> Tensor<1> {
        let zero = Tensor::<1>::zeros([1], device);
        let counted = self.by_name.iter().filter(|(name, _)| counts(name));
        counted.fold(zero, |sum, (_, gradient)| sum + gradient.clone().square().sum()).sqrt()
    }
}
