//! A translator as the trainer sees it: teacher forcing over pairs, for the model itself or for adapters to its maps of
//! attention.

use super::adapters::LoraAdapters;
use super::batches::{Batch, Batches, held_out_example, pool_seed};
use super::points::LearntPoints;
use crate::dropout::{Masks, Pool};
use crate::error::{FitError, TrainError};
use crate::loss;
use crate::optimiser::{GradientSum, Optimiser, StepUpdate};
use crate::task::TrainingTask;
use crate::trainer::Trainer;
use burn::tensor::{Device, Gradients, Tensor};
use tuppum_domain::training::OptimiserSettings;
use tuppum_domain::translation::learns::Learns;
use tuppum_domain::translation::points::PointsMoved;
use tuppum_domain::translation::training::{Step, TranslatorTrainingPlan, TranslatorTrainingSettings, Validation};
use tuppum_nn::byt5::{ByT5, ByT5ParameterSpec, SourceRow};
use tuppum_nn::yielding::Yield;
use tuppum_text::bytes;
use tuppum_text::tokens::TokenId;

/// Translator that is trained by a plan.
#[derive(Debug)]
pub struct TranslatorTask {
    pub(super) plan: TranslatorTrainingPlan,
    /// Model with gradients.
    pub(super) model: ByT5,
    /// Adapters that train in place of the model's own maps, if the plan says so.
    pub(super) adapters: Option<LoraAdapters>,
    /// Points of the bias, if they learn.
    pub(super) points: Option<LearntPoints>,
    batches: Batches,
}

impl TranslatorTask {
    /// Creates the task of a plan, on the device of the model. The model given is not changed; a bias that the plan
    /// demands must already be [attached](super::bias::attach).
    ///
    /// # Errors
    /// [`TrainError::Plan`] or [`TrainError::Fit`] when the plan cannot be carried out.
    pub fn new(model: &ByT5, plan: TranslatorTrainingPlan) -> Result<Self, TrainError> {
        plan.check()?;
        let settings = &plan.settings;
        let mut model = model.clone();
        if !settings.bias {
            model.detach();
        } else if let Some(layers) = settings.bias_layers
            && let Some(geometry) = model.detach()
        {
            model.attach(geometry.with_layers(layers));
        }
        let adapters = settings.adapters.map(|own| LoraAdapters::fresh(&model, &own, pool_seed(&plan)));
        let trained = with_gradients(&mut model, settings) + usize::from(adapters.is_some());
        if trained == 0 {
            let is_without = settings.learns() == Learns::Bias && model.geometry().is_none();
            return Err(if is_without { FitError::NoBias } else { FitError::AllFrozen }.into());
        }
        let points = LearntPoints::of(&mut model, settings);
        let batches = Batches::new(&plan);
        Ok(Self { plan, model, adapters, points, batches })
    }

    /// Puts the current adapters into the model, without gradients.
    pub(super) fn settle(&mut self) {
        if let Some(adapters) = &mut self.adapters {
            adapters.enter(&mut self.model, false);
        }
    }
}

impl Trainer<TranslatorTask> {
    /// Begins a run of a plan, on the device of the model. The model given is not changed.
    ///
    /// # Errors
    /// [`TrainError::Plan`] or [`TrainError::Fit`] when the plan cannot be carried out.
    pub fn new(model: &ByT5, plan: TranslatorTrainingPlan) -> Result<Self, TrainError> {
        TranslatorTask::new(model, plan).map(Self::begin)
    }

    /// Splits each batch into this many parts from the next step on; more parts take less memory.
    pub fn compute_in_parts(&mut self, parts: usize) {
        self.task.plan.settings.parts = parts.max(1);
    }
}

impl TrainingTask for TranslatorTask {
    type Model = ByT5;
    type Plan = TranslatorTrainingPlan;
    type Batch = Batch;
    type Validation = Validation;

    fn plan(&self) -> &TranslatorTrainingPlan {
        &self.plan
    }

    fn optimiser_settings(&self) -> OptimiserSettings {
        self.plan.settings.optimiser
    }

    fn model(&self) -> ByT5 {
        let mut model = self.model.clone();
        model.parameters_mut().into_iter().for_each(|(_, mut value)| value.set(value.tensor(), None));
        model
    }

    fn trained(&self) -> u64 {
        let places = self.model.tensors().into_iter().map(|(place, _)| place);
        let places = places.filter(|place| trains(&self.plan.settings, place));
        let numbers = |tensor: &Tensor<2>| tensor.shape().num_elements() as u64;
        let factors = self.adapters.iter().flat_map(LoraAdapters::factors).map(|(_, tensor)| numbers(tensor));
        factors.sum::<u64>() + places.map(|place| place.shape().iter().product::<usize>() as u64).sum::<u64>()
    }

    fn device(&self) -> Device {
        self.model.device().without_autodiff()
    }

    fn dropout_pool(&self) -> Pool {
        Pool::new(self.plan.settings.dropout, pool_seed(&self.plan), &self.device())
    }

    fn steps(&self) -> u32 {
        self.batches.steps()
    }

    fn batches(&mut self, step: u32) -> (u32, Vec<Batch>) {
        self.batches.step(&self.plan, step)
    }

    fn parts(&self) -> usize {
        self.plan.settings.parts
    }

    fn for_another_thread(&self) -> Option<Self> {
        let settings = self.plan.settings.clone();
        let mut model = self.model.clone();
        with_gradients(&mut model, &settings);
        // Losses need neither the pairs nor the start of the points.
        let plan = TranslatorTrainingPlan { pairs: Vec::new(), settings };
        Some(Self { plan, model, adapters: self.adapters.clone(), points: None, batches: self.batches.clone() })
    }

    async fn loss(
        &mut self,
        batch: &Batch,
        weight: f64,
        masks: &mut Masks<'_>,
        yielder: &impl Yield,
    ) -> Result<Tensor<1>, TrainError> {
        if let Some(adapters) = &mut self.adapters {
            // A graph serves one backward pass only, so the adapters enter the model again for each batch.
            adapters.enter(&mut self.model, true);
        }
        let rows = rows(&self.model, &batch.sources);
        let logits = self.model.forced_logits(&rows, &batch.targets, masks, yielder).await?;
        let smoothing = self.plan.settings.label_smoothing;
        Ok(loss::cross_entropy(logits, &batch.targets, &batch.weights, smoothing).await? / weight)
    }

    fn add_gradients(&mut self, mut gradients: Gradients, sum: &mut GradientSum) {
        sum.add(self.model.parameters_mut(), &mut gradients);
        if let Some(adapters) = &self.adapters {
            adapters.take(&mut gradients, sum);
        }
    }

    fn grad_norm(&self, gradients: &GradientSum) -> Tensor<1> {
        let is_weight = |name: &str| self.points.as_ref().is_none_or(|points| name != points.name);
        gradients.norm_of(&self.device(), is_weight)
    }

    fn figures(&self, gradients: &GradientSum) -> Vec<Tensor<1>> {
        let strength = self.model.geometry().map(|geometry| geometry.parameters().1.val().inner());
        let way = self.points.as_ref().map(|points| points.way(&self.model, gradients));
        strength.into_iter().chain(way).collect()
    }

    fn record_figures(&self, figures: &[f32], step: &mut Step) {
        // Points learn only in a model with a bias, so the strength of the bias always comes first.
        step.alpha = figures.first().copied();
        step.points = self
            .points
            .as_ref()
            .and_then(|_| figures.last_chunk())
            .map(|&[mean, largest, gradient]| PointsMoved { mean, largest, gradient });
    }

    fn update(&mut self, optimiser: &mut Optimiser, mut gradients: GradientSum, update: &StepUpdate) {
        if let Some(points) = &mut self.points {
            points.update(&mut self.model, optimiser, &mut gradients, update);
        }
        optimiser.step(self.model.parameters_mut(), &mut gradients, update);
        if let Some(adapters) = &mut self.adapters {
            adapters.update(optimiser, &mut gradients, update);
        }
        self.settle();
    }

    async fn measure(&self, after: u32, yielder: &impl Yield) -> Result<Option<Validation>, TrainError> {
        let [_, held_out] = self.plan.split();
        if held_out.is_empty() {
            return Ok(None);
        }
        let TranslatorTrainingSettings { task, batch_bytes, .. } = self.plan.settings;
        let examples: Vec<[Vec<TokenId>; 2]> = held_out
            .iter()
            .filter_map(|number| self.plan.pairs.get(*number))
            .map(|pair| held_out_example(pair, task))
            .collect();
        Ok(Some(Validation { after, ..measured(&self.model(), &examples, batch_bytes, yielder).await? }))
    }
}

/// Gives every trained tensor of a model a place of its own in the graph of gradients; returns the number of trained
/// tensors.
fn with_gradients(model: &mut ByT5, settings: &TranslatorTrainingSettings) -> usize {
    let mut trained = 0;
    for (place, mut value) in model.parameters_mut() {
        let is_trained = trains(settings, &place);
        trained += usize::from(is_trained);
        value.set(value.tensor(), Some(is_trained));
    }
    trained
}

/// Returns `true` if a tensor of the model itself trains; beside adapters only those of the bias do.
fn trains(settings: &TranslatorTrainingSettings, place: &ByT5ParameterSpec) -> bool {
    (settings.adapters.is_none() || place.is_of_bias()) && !settings.frozen.contains(&place.group)
}

/// Measures how well a model predicts translations, given as source and target.
///
/// # Errors
/// [`TrainError::Stopped`]; errors of the device.
pub async fn validation(
    model: &ByT5,
    pairs: &[(&str, &str)],
    batch_bytes: usize,
    yielder: &impl Yield,
) -> Result<Validation, TrainError> {
    let examples: Vec<_> =
        pairs.iter().map(|(source, target)| [bytes::encode(source), bytes::encode(target)]).collect();
    measured(model, &examples, batch_bytes, yielder).await
}

/// Measures how well a model predicts tokens, given as tokens to read and tokens to write.
async fn measured(
    model: &ByT5,
    examples: &[[Vec<TokenId>; 2]],
    batch_bytes: usize,
    yielder: &impl Yield,
) -> Result<Validation, TrainError> {
    let forced = async |sources: &[Vec<TokenId>], targets: &[Vec<TokenId>]| {
        Ok(model.forced_logits(&rows(model, sources), targets, &mut (), yielder).await?)
    };
    loss::measured(examples, batch_bytes, forced).await
}

/// Returns the rows that the model reads.
fn rows(model: &ByT5, sources: &[Vec<TokenId>]) -> Vec<SourceRow> {
    sources.iter().map(|ids| model.row_of_tokens(ids.clone())).collect()
}

#[cfg(test)]
#[path = "task_tests.rs"]
pub(super) mod tests;
