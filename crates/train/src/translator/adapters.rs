//! LoRA adapters: small matrices that are added to the maps of attention and trained in place of the model (Hu et al.
//! 2022, <https://arxiv.org/abs/2106.09685>, eq. 3): W + s · D · U with W unchanged, D `[inputs, rank]` and U `[rank,
//! outputs]`.
//!
//! Maps with the same input lie side by side in the model (queries, keys and values), so they share one D. U begins at
//! zero: before the first step the model computes what it computed without adapters, bit by bit.

use crate::error::{FitError, TrainError};
use crate::optimiser::{GradientSum, Optimiser, StepUpdate, TensorRule};
use burn::tensor::{Device, Gradients, Tensor, TensorData};
use std::collections::BTreeMap;
use tuppum_domain::translation::training::{LoraSettings, TranslatorPart};
use tuppum_nn::byt5::{ByT5, ByT5ParameterSpec};
use tuppum_random::Random;

/// Names of the factors of an adapter: D, `[inputs, rank]`, and U, `[rank, outputs]`.
const FACTORS: [&str; 2] = ["down", "up"];

/// Map with its adapter.
#[derive(Clone, Debug)]
struct LoraAdapter {
    /// W, without gradients.
    base: Tensor<2>,
    /// D and U, without gradients.
    factors: [Tensor<2>; 2],
    /// D and U as used by the last pass, with gradients.
    entered: Option<[Tensor<2>; 2]>,
}

/// All adapters of a run.
#[derive(Clone, Debug, Default)]
pub struct LoraAdapters {
    scale: f64,
    by_map: BTreeMap<String, LoraAdapter>,
}

/// Returns `true` if a tensor of the model gets an adapter: all maps of attention do, tables of positions and all other
/// tensors do not.
fn is_map(place: &ByT5ParameterSpec) -> bool {
    matches!(place.group, TranslatorPart::Encoder | TranslatorPart::Decoder) && place.name.contains("Attention.")
}

impl LoraAdapters {
    /// Creates adapters to a model; equal seeds draw equal ones. D is drawn uniformly within ±1 / √inputs, as in the
    /// published code.
    pub fn fresh(model: &ByT5, settings: &LoraSettings, seed: u64) -> Self {
        let mut by_map = BTreeMap::new();
        let device = model.device().without_autodiff();
        for (number, (place, base)) in model.tensors().into_iter().filter(|(place, _)| is_map(place)).enumerate() {
            let [inputs, outputs] = base.dims();
            let bound = (inputs as f64).powf(-0.5);
            let mut draws = Random::stream(seed, number as u64);
            let drawn: Vec<f32> =
                (0..inputs * settings.rank).map(|_| (bound * (2.0 * draws.uniform() - 1.0)) as f32).collect();
            let down = Tensor::from_data(TensorData::new(drawn, [inputs, settings.rank]), &device);
            let up = Tensor::zeros([settings.rank, outputs], &device);
            by_map.insert(place.name, LoraAdapter { base, factors: [down, up], entered: None });
        }
        Self { scale: settings.scale(), by_map }
    }

    /// Replaces every W in the model by W + s · D · U. With `trained`, gradients reach D and U.
    pub fn enter(&mut self, model: &mut ByT5, trained: bool) {
        for (place, mut value) in model.parameters_mut() {
            let Some(adapter) = self.by_map.get_mut(&place.name) else { continue };
            let base = adapter.base.clone();
            if trained {
                let [down, up] = adapter.factors.clone().map(|factor| factor.autodiff().require_grad());
                let sum = base.autodiff() + down.clone().matmul(up.clone()) * self.scale;
                adapter.entered = Some([down, up]);
                value.lay(sum);
            } else {
                let [down, up] = adapter.factors.clone();
                adapter.entered = None;
                value.set(base + down.matmul(up) * self.scale, Some(false));
            }
        }
    }

    /// Removes the gradients of D and U from `gradients` and adds them to `sum`.
    pub fn take(&self, gradients: &mut Gradients, sum: &mut GradientSum) {
        for (map, adapter) in &self.by_map {
            let entered = adapter.entered.iter().flatten();
            for (factor, tensor) in FACTORS.into_iter().zip(entered) {
                if let Some(gradient) = tensor.grad_remove(gradients) {
                    sum.add_one(name(map, factor), gradient);
                }
            }
        }
    }

    /// Returns every factor with its name, in order.
    pub fn factors(&self) -> impl Iterator<Item = (String, &Tensor<2>)> {
        self.by_map.iter().flat_map(|(map, adapter)| {
            FACTORS.into_iter().zip(&adapter.factors).map(move |(factor, tensor)| (name(map, factor), tensor))
        })
    }

    /// Returns every factor with its name, in order, for replacement.
    fn factors_mut(&mut self) -> impl Iterator<Item = (String, &mut Tensor<2>)> {
        self.by_map.iter_mut().flat_map(|(map, adapter)| {
            FACTORS.into_iter().zip(&mut adapter.factors).map(move |(factor, tensor)| (name(map, factor), tensor))
        })
    }

    /// Moves every factor that has a gradient, and removes these gradients.
    pub fn update(&mut self, optimiser: &mut Optimiser, gradients: &mut GradientSum, update: &StepUpdate) {
        let (clip_factor, of_weights) = (update.clip_factor(), update.of_weights(true));
        let rule = TensorRule::beside(update.settings.rule);
        for (name, factor) in self.factors_mut() {
            let Some(gradient) = gradients.by_name.remove(&name) else { continue };
            let gradient = gradient * clip_factor.clone();
            *factor = optimiser.moved(&name, factor.clone(), gradient, &of_weights, &rule);
        }
    }

    /// Replaces a factor by stored numbers.
    ///
    /// # Errors
    /// When the number of elements differs.
    pub fn put(&mut self, name: &str, values: Vec<f32>, device: &Device) -> Result<(), TrainError> {
        let found = self.factors_mut().find(|(own, _)| own == name);
        let Some((_, tensor)) = found.filter(|(_, tensor)| tensor.shape().num_elements() == values.len()) else {
            return Err(FitError::Adapter(name.to_owned()).into());
        };
        *tensor = Tensor::from_data(TensorData::new(values, tensor.dims()), device);
        Ok(())
    }
}

/// Returns the name of a factor: the name of its map and its own.
fn name(map: &str, factor: &str) -> String {
    format!("additions.{map}.{factor}")
}

#[cfg(test)]
#[path = "adapters_tests.rs"]
mod tests;
