//! The gradients of a whole module at once: adding those of several batches, their norm, and scaling them.

use burn::module::{Module, ModuleVisitor, Param};
use burn::optim::{GradientsAccumulator, GradientsParams};
use burn::tensor::{Device, Tensor};

/// Adds the gradients of a batch to those of batches before it.
pub fn add<M: Module>(model: &M, sum: &mut GradientsParams, gradients: GradientsParams) {
    let mut all = GradientsAccumulator::new();
    for own in [std::mem::take(sum), gradients] {
        all.accumulate(model, own);
    }
    *sum = all.grads();
}

/// Norm of the gradients of all parameters together: `[1]`. On the hyperboloid coordinates are counted as any others,
/// as in the published code.
pub fn norm<M: Module>(model: &M, gradients: &GradientsParams, device: &Device) -> Tensor<1> {
    let mut sum = Sum { gradients, square: Tensor::zeros([1], device) };
    model.visit(&mut sum);
    sum.square.sqrt()
}

struct Sum<'g> {
    gradients: &'g GradientsParams,
    square: Tensor<1>,
}

impl ModuleVisitor for Sum<'_> {
    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
        if let Some(gradient) = self.gradients.get::<D>(param.id) {
            self.square = self.square.clone() + gradient.square().sum();
        }
    }
}

/// Multiplies all gradients.
pub fn scale<M: Module>(model: &M, gradients: &mut GradientsParams, factor: f64) {
    model.visit(&mut Scale { gradients, factor });
}

struct Scale<'g> {
    gradients: &'g mut GradientsParams,
    factor: f64,
}

impl ModuleVisitor for Scale<'_> {
    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
        if let Some(gradient) = self.gradients.remove::<D>(param.id) {
            self.gradients.register(param.id, gradient * self.factor);
        }
    }
}
