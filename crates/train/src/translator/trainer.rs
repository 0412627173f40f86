//! The loop: one step after the other, each of them whole or not made at all.

use super::additions::Additions;
use super::batches::{Batch, Batches, held_out, pool_seed};
use crate::dropout::Pool;
use crate::error::TrainError;
use crate::gradient_sum::Sum;
use crate::loss;
use crate::measuring::{self, read_all};
use crate::optimiser::Optimiser;
use burn::tensor::{Device, Tensor};
use tuppum_nn::byt5::{ByT5, Place, SourceRow};
use tuppum_nn::pace::Pace;
use tuppum_tasks::translation::training::{Plan, Settings, Step, Validation};
use tuppum_text::bytes;
use tuppum_text::tokens::TokenId;

/// A run: a model that is being trained by a plan, and how far it has come.
#[derive(Debug)]
pub struct Trainer {
    pub(super) plan: Plan,
    /// With gradients.
    pub(super) model: ByT5,
    pub(super) optimiser: Optimiser,
    /// What trains in place of the model's own maps, where the plan wants it so.
    pub(super) additions: Option<Additions>,
    /// The steps that were made.
    pub(super) curve: Vec<Step>,
    /// What was measured on the way.
    pub(super) validations: Vec<Validation>,
    batches: Batches,
    pool: Pool,
    /// Without gradients.
    device: Device,
}

impl Trainer {
    /// A run of a plan from its beginning, on the device of the model. The model given is not changed.
    ///
    /// # Errors
    /// [`TrainError::Plan`] when the plan cannot be carried out.
    pub fn new(model: &ByT5, plan: Plan) -> Result<Self, TrainError> {
        plan.check().map_err(TrainError::Plan)?;
        let settings = &plan.settings;
        let mut model = model.clone();
        if !settings.bias {
            model.detach();
        } else if let Some(layers) = settings.bias_layers
            && let Some(geometry) = model.detach()
        {
            model.attach(geometry.with_layers(layers));
        }
        let device = model.device().without_autodiff();
        let additions = settings.additions.map(|own| Additions::fresh(&model, &own, pool_seed(&plan)));
        let mut trained = usize::from(additions.is_some());
        for (place, mut value) in model.parameters_mut() {
            let is_trained = trains(settings, &place);
            trained += usize::from(is_trained);
            value.set(value.tensor(), Some(is_trained));
        }
        if trained == 0 {
            return Err(TrainError::Plan("everything is frozen; nothing is left to train".to_owned()));
        }
        let (batches, pool) = (Batches::new(&plan), Pool::new(settings.dropout, pool_seed(&plan), &device));
        let optimiser = Optimiser::default();
        let (curve, validations) = (Vec::new(), Vec::new());
        Ok(Self { plan, model, optimiser, additions, curve, validations, batches, pool, device })
    }

    /// Numbers that train.
    pub fn trained(&self) -> u64 {
        let places = self.model.tensors().into_iter().map(|(place, _)| place);
        let places = places.filter(|place| trains(&self.plan.settings, place));
        let numbers = |tensor: &Tensor<2>| tensor.shape().num_elements() as u64;
        let factors = self.additions.iter().flat_map(Additions::factors).map(|(_, tensor)| numbers(tensor));
        factors.sum::<u64>() + places.map(|place| place.shape().iter().product::<usize>() as u64).sum::<u64>()
    }

    /// What is carried out.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The steps that were made.
    pub fn curve(&self) -> &[Step] {
        &self.curve
    }

    /// What was measured on the way.
    pub fn validations(&self) -> &[Validation] {
        &self.validations
    }

    /// Steps made.
    pub fn done(&self) -> u32 {
        self.curve.len() as u32
    }

    /// Steps of the whole run.
    pub fn steps(&self) -> u32 {
        self.batches.steps()
    }

    /// Whether all steps were made.
    pub fn is_finished(&self) -> bool {
        self.done() >= self.steps()
    }

    /// The model as it is now, without gradients: to translate with, or to write.
    pub fn model(&self) -> ByT5 {
        let mut model = self.model.clone();
        model.parameters_mut().into_iter().for_each(|(_, mut value)| value.set(value.tensor(), None));
        model
    }

    /// Makes the next step. The pace is asked between layers, and before and after the gradients are computed; a step that is
    /// stopped there was not made, and the next one makes it again in the same way.
    ///
    /// # Errors
    /// [`TrainError::Finished`] after the last step; [`TrainError::Stopped`]; [`TrainError::Diverged`], before anything is
    /// changed; what the device says.
    pub async fn step(&mut self, pace: &impl Pace) -> Result<Step, TrainError> {
        if self.is_finished() {
            return Err(TrainError::Finished);
        }
        let (number, of) = (self.done(), self.steps());
        let (epoch, batches) = self.batches.step(&self.plan, number);
        let rate = self.plan.settings.optimiser.rate_at(number, of);
        let weight: f64 = batches.iter().map(|batch| loss::weight(&batch.targets, &batch.weights)).sum();
        let (mut sum, mut total) = (Sum::default(), Tensor::<1>::zeros([1], &self.device));
        for batch in &batches {
            pace.between_layers().await?;
            total = total + self.gradients(batch, weight, &mut sum, pace).await?;
        }
        let length = sum.length(&self.device);
        let alpha = self.model.geometry().map(|geometry| geometry.parameters().1.val().inner());
        let has_alpha = alpha.is_some();
        let read = Tensor::cat([Some(total), Some(length.clone()), alpha].into_iter().flatten().collect(), 0);
        let read = read_all(read).await?;
        if read.iter().any(|value| !value.is_finite()) {
            return Err(TrainError::Diverged { step: number + 1 });
        }
        let (model, additions) = (&mut self.model, self.additions.as_mut());
        self.optimiser.step(model, additions, sum, length, &self.plan.settings.optimiser, (rate, number + 1));
        self.settle();
        let both = |batch: &Batch| batch.sources.iter().chain(&batch.targets).map(Vec::len).sum::<usize>() as u32;
        let step = Step {
            number: number + 1,
            of,
            epoch,
            loss: read[0],
            rate,
            gradient_norm: read[1],
            alpha: has_alpha.then(|| read[2]),
            bytes: batches.iter().map(both).sum(),
            pairs: batches.iter().map(|batch| batch.sources.len() as u32).sum(),
        };
        self.curve.push(step);
        Ok(step)
    }

    /// Puts the additions as they are now into the model, without gradients.
    pub(super) fn settle(&mut self) {
        if let Some(additions) = &mut self.additions {
            additions.enter(&mut self.model, false);
        }
    }

    /// Adds a batch's gradients and gives its share of the loss: `[1]`, without gradients.
    async fn gradients(
        &mut self,
        batch: &Batch,
        weight: f64,
        sum: &mut Sum,
        pace: &impl Pace,
    ) -> Result<Tensor<1>, TrainError> {
        if let Some(additions) = &mut self.additions {
            // A graph serves one pass back.
            additions.enter(&mut self.model, true);
        }
        let rows = rows(&self.model, &batch.sources);
        let mut masks = self.pool.masks(batch.seed);
        let logits = self.model.forced_logits(&rows, &batch.targets, &mut masks, pace).await?;
        let smoothing = self.plan.settings.label_smoothing;
        let loss = loss::cross_entropy(logits, &batch.targets, &batch.weights, smoothing).await? / weight;
        pace.between_layers().await?;
        let mut gradients = loss.backward();
        pace.between_layers().await?;
        sum.add(&mut self.model, &mut gradients);
        if let Some(additions) = &self.additions {
            additions.take(&mut gradients, sum);
        }
        Ok(loss.inner())
    }

    /// Measures the model on the held-out pairs and keeps what was found. Without held-out pairs it is `None`.
    ///
    /// # Errors
    /// [`TrainError::Stopped`]; what the device says.
    pub async fn validate(&mut self, pace: &impl Pace) -> Result<Option<Validation>, TrainError> {
        let [_, held] = self.plan.split();
        if held.is_empty() {
            return Ok(None);
        }
        let task = self.plan.settings.task;
        let examples: Vec<[Vec<TokenId>; 2]> =
            held.iter().filter_map(|number| self.plan.pairs.get(*number)).map(|pair| held_out(pair, task)).collect();
        let mut found = measured(&self.model(), &examples, self.plan.settings.batch_bytes, pace).await?;
        found.after = self.done();
        self.validations.push(found.clone());
        Ok(Some(found))
    }
}

/// Whether a tensor of the model itself trains; beside additions only those of the bias do.
fn trains(settings: &Settings, place: &Place) -> bool {
    (settings.additions.is_none() || place.is_of_bias()) && !settings.frozen.contains(&place.group)
}

/// How well a model foretells translations, each given as source and target.
///
/// # Errors
/// [`TrainError::Stopped`]; what the device says.
pub async fn validation(
    model: &ByT5,
    pairs: &[(&str, &str)],
    batch_bytes: usize,
    pace: &impl Pace,
) -> Result<Validation, TrainError> {
    let examples: Vec<_> =
        pairs.iter().map(|(source, target)| [bytes::encode(source), bytes::encode(target)]).collect();
    measured(model, &examples, batch_bytes, pace).await
}

/// The same for any tokens that are read and written.
async fn measured(
    model: &ByT5,
    examples: &[[Vec<TokenId>; 2]],
    batch_bytes: usize,
    pace: &impl Pace,
) -> Result<Validation, TrainError> {
    let forced = async |sources: &[Vec<TokenId>], targets: &[Vec<TokenId>]| {
        Ok(model.forced_logits(&rows(model, sources), targets, &mut (), pace).await?)
    };
    measuring::measured(examples, batch_bytes, forced).await
}

/// What the model reads.
fn rows(model: &ByT5, sources: &[Vec<TokenId>]) -> Vec<SourceRow> {
    sources.iter().map(|ids| model.row_of_tokens(ids.clone())).collect()
}

#[cfg(test)]
#[path = "trainer_tests.rs"]
pub(super) mod tests;
