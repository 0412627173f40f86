//! Gradients and steps of whole modules of burn, whose tensors are named by the path to them, for models that are not
//! written to standard weights files and have no [`ParameterSpec`](tuppum_nn::parameters::ParameterSpec)s.
//!
//! Tensors are taken as rows of their last axis, `[…, n]` as `[rows, n]`.

use crate::optimiser::{GradientSum, Optimiser, StepUpdate};
use crate::update_rules::TensorMoments;
use burn::module::{Module, ModuleMapper, ModuleVisitor, Param};
use burn::tensor::{Gradients, Tensor};

impl GradientSum {
    /// Removes the gradients of a module's tensors from `gradients` and adds them.
    pub fn add_module<M: Module>(&mut self, module: &M, gradients: &mut Gradients) {
        module.visit(&mut Adding { sum: self, gradients, path: Vec::new() });
    }
}

struct Adding<'a> {
    sum: &'a mut GradientSum,
    gradients: &'a mut Gradients,
    path: Vec<String>,
}

impl ModuleVisitor for Adding<'_> {
    fn enter_module(&mut self, name: &str, _: &str) {
        self.path.push(name.to_owned());
    }

    fn exit_module(&mut self, _: &str, _: &str) {
        self.path.pop();
    }

    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
        if let Some(gradient) = param.val().grad_remove(self.gradients) {
            self.sum.add_one(self.path.join("."), rows(gradient));
        }
    }
}

impl Optimiser {
    /// Returns a module after a step of every tensor that has a gradient, and removes these gradients. `rule` returns a
    /// tensor and its moments after the step; it is given the tensor's name, the tensor, its gradient (clipped as the
    /// plan demands) and the moments before.
    pub fn step_module<M: Module>(
        &mut self,
        module: M,
        gradients: &mut GradientSum,
        update: &StepUpdate,
        rule: impl Fn(&str, Tensor<2>, Tensor<2>, Option<TensorMoments>) -> (Tensor<2>, TensorMoments),
    ) -> M {
        let clip_factor = update.clip_factor();
        module.map(&mut Moving { optimiser: self, gradients, clip_factor, rule, path: Vec::new() })
    }
}

struct Moving<'a, R> {
    optimiser: &'a mut Optimiser,
    gradients: &'a mut GradientSum,
    clip_factor: Tensor<2>,
    rule: R,
    path: Vec<String>,
}

impl<R: Fn(&str, Tensor<2>, Tensor<2>, Option<TensorMoments>) -> (Tensor<2>, TensorMoments)> ModuleMapper
    for Moving<'_, R>
{
    fn enter_module(&mut self, name: &str, _: &str) {
        self.path.push(name.to_owned());
    }

    fn exit_module(&mut self, _: &str, _: &str) {
        self.path.pop();
    }

    fn map_float<const D: usize>(&mut self, param: Param<Tensor<D>>) -> Param<Tensor<D>> {
        let name = self.path.join(".");
        let Some(gradient) = self.gradients.by_name.remove(&name) else { return param };
        let gradient = gradient * self.clip_factor.clone();
        param.map(|tensor| {
            let (shape, before) = (tensor.shape(), self.optimiser.moments.remove(&name));
            let (moved, moments) = (self.rule)(&name, rows(tensor.inner()), gradient, before);
            self.optimiser.moments.insert(name, moments);
            moved.reshape(shape).autodiff().require_grad()
        })
    }
}

/// Returns a tensor as rows of its last axis.
fn rows<const D: usize>(tensor: Tensor<D>) -> Tensor<2> {
    let columns = tensor.dims().last().copied().unwrap_or(1);
    let count = tensor.shape().num_elements();
    tensor.reshape([count / columns.max(1), columns])
}
