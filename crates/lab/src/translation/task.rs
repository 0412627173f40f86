//! The training task of a Transformer, and its loss on held-out translations.
//!
//! Transformers learn from nothing, on the hyperboloid and in Euclid's space by the same code, with the batches, the
//! loss and the rates that fine-tuning of the translator has. Equal plans make equal batches and equal dropout in both
//! spaces.

use burn::module::Module;
use burn::tensor::{Device, Gradients, Tensor};
use thiserror::Error;
use tuppum_domain::training::OptimiserSettings;
use tuppum_domain::translation::training::{TranslatorObjective, TranslatorTrainingPlan, Validation};
use tuppum_hyperbolic::Lorentz;
use tuppum_hyperbolic::transformer::{Space, Transformer, TransformerError, TransformerSettings};
use tuppum_nn::byt5::ByT5Error;
use tuppum_nn::yielding::Yield;
use tuppum_text::bytes;
use tuppum_text::tokens::TokenId;
use tuppum_train::TrainError;
use tuppum_train::dropout::{Masks, Pool};
use tuppum_train::loss;
use tuppum_train::loss::measured;
use tuppum_train::optimiser::GradientSum;
use tuppum_train::optimiser::{Optimiser, StepUpdate};
use tuppum_train::task::TrainingTask;
use tuppum_train::translator::batches::{Batch, Batches, pool_seed};
use tuppum_train::update_rules::RiemannianAdam;
use tuppum_train::update_rules::TensorUpdate;
use tuppum_train::update_rules::adamw;

/// The names of the model's two tables of points.
const POINTS: [&str; 2] = ["tokens", "answers"];

/// A run of a Transformer.
pub type TransformerTrainer = tuppum_train::trainer::Trainer<TransformerTask>;

/// A Transformer that is trained by a plan.
pub struct TransformerTask {
    plan: TranslatorTrainingPlan,
    /// Model, with gradients.
    model: Transformer,
    /// Hyperboloid of the points of the model's two tables, if it is a Lorentz model.
    hyperboloid: Option<Lorentz>,
    batches: Batches,
    /// Device of the tensors, without gradients.
    device: Device,
}

/// Reason why a plan cannot be carried out with these models.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum TransformerPlanError {
    /// The plan is one of pretraining.
    #[error("these models learn translations only; leave the task out")]
    Task,
    /// Texts are longer than the model reads.
    #[error(
        "texts of up to {texts} bytes are to be learnt, and the model has positions for {positions} with the end; cut \
         shorter, or give it more"
    )]
    Longest {
        /// Bytes of the longest text.
        texts: usize,
        /// Bytes that there are positions for.
        positions: usize,
    },
}

impl From<TransformerPlanError> for TrainError {
    fn from(error: TransformerPlanError) -> Self {
        Self::Task(error.into())
    }
}

impl TransformerTask {
    /// Returns the task of a plan, on a device without gradients. The plan's seed is also the seed of the model, of the
    /// order of its pairs and of dropout. The plan's frozen groups, its bias of a translator and its decay of weights
    /// are ignored.
    ///
    /// # Errors
    /// [`TrainError::Plan`] or [`TrainError::Task`] if the model is impossible, or the plan cannot be carried out with
    /// it.
    pub fn new(
        settings: &TransformerSettings,
        plan: TranslatorTrainingPlan,
        device: &Device,
    ) -> Result<Self, TrainError> {
        plan.check()?;
        if plan.settings.task != TranslatorObjective::Translation {
            return Err(TransformerPlanError::Task.into());
        }
        if settings.longest <= plan.settings.longest {
            let (texts, positions) = (plan.settings.longest, settings.longest.saturating_sub(1));
            return Err(TransformerPlanError::Longest { texts, positions }.into());
        }
        let seed = plan.settings.seed;
        let model = Transformer::new(settings, seed, &device.clone().autodiff())
            .map_err(|error| TrainError::Task(error.into()))?;
        let hyperboloid = (settings.space == Space::Lorentz).then(|| Lorentz::new(settings.curvature)).transpose();
        let hyperboloid = hyperboloid.map_err(|error| TrainError::Task(error.into()))?;
        let batches = Batches::new(&plan);
        Ok(Self { plan, model, hyperboloid, batches, device: device.clone() })
    }
}

impl TrainingTask for TransformerTask {
    type Model = Transformer;
    type Plan = TranslatorTrainingPlan;
    type Batch = Batch;
    type Validation = Validation;

    fn plan(&self) -> &TranslatorTrainingPlan {
        &self.plan
    }

    fn optimiser_settings(&self) -> OptimiserSettings {
        self.plan.settings.optimiser
    }

    fn model(&self) -> Transformer {
        self.model.valid()
    }

    fn trained(&self) -> u64 {
        self.model.num_params() as u64
    }

    fn device(&self) -> Device {
        self.device.clone()
    }

    fn dropout_pool(&self) -> Pool {
        Pool::new(self.plan.settings.dropout, pool_seed(&self.plan), &self.device)
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

    async fn loss(
        &mut self,
        batch: &Batch,
        weight: f64,
        masks: &mut Masks<'_>,
        _: &impl Yield,
    ) -> Result<Tensor<1>, TrainError> {
        let logits = self.model.forced_logits(&batch.sources, &batch.targets, masks).map_err(unread)?;
        let smoothing = self.plan.settings.label_smoothing;
        Ok(loss::cross_entropy(logits, &batch.targets, &batch.weights, smoothing).await? / weight)
    }

    fn add_gradients(&mut self, mut gradients: Gradients, sum: &mut GradientSum) {
        sum.add_module(&self.model, &mut gradients);
    }

    /// Coordinates on the hyperboloid count like any other numbers, as in the published code.
    fn grad_norm(&self, gradients: &GradientSum) -> Tensor<1> {
        gradients.norm(&self.device)
    }

    fn update(&mut self, optimiser: &mut Optimiser, mut gradients: GradientSum, update: &StepUpdate) {
        let of_weights = update.of_weights(false);
        let of_points = TensorUpdate { rate: update.points_rate(), ..of_weights };
        let rule = |name: &str, value, gradient, before| match &self.hyperboloid {
            Some(hyperboloid) if POINTS.contains(&name) => hyperboloid.adam(value, gradient, before, &of_points),
            _ => adamw(value, gradient, before, &of_weights),
        };
        self.model = optimiser.step_module(self.model.clone(), &mut gradients, update, rule);
    }

    async fn measure(&self, after: u32, _: &impl Yield) -> Result<Option<Validation>, TrainError> {
        let [_, held_out] = self.plan.split();
        if held_out.is_empty() {
            return Ok(None);
        }
        let pairs = held_out.iter().filter_map(|number| self.plan.pairs.get(*number));
        let pairs: Vec<(&str, &str)> = pairs.map(|pair| (pair.source.as_str(), pair.target.as_str())).collect();
        Ok(Some(Validation { after, ..validation(&self.model(), &pairs, self.plan.settings.batch_bytes).await? }))
    }
}

/// Measures how well a model predicts translations, each given as source and target. `batch_bytes` bounds rows times
/// the longest source and target of a batch.
///
/// # Errors
/// A text that the model cannot read, or an error of the device.
pub async fn validation(
    model: &Transformer,
    pairs: &[(&str, &str)],
    batch_bytes: usize,
) -> Result<Validation, TrainError> {
    let examples: Vec<[Vec<TokenId>; 2]> =
        pairs.iter().map(|(source, target)| [bytes::encode(source), bytes::encode(target)]).collect();
    let forced = async |sources: &[Vec<TokenId>], targets: &[Vec<TokenId>]| {
        model.forced_logits(sources, targets, &mut ()).map_err(unread)
    };
    measured(&examples, batch_bytes, forced).await
}

fn unread(error: TransformerError) -> TrainError {
    TrainError::Model(ByT5Error::Row(error.to_string()))
}

#[cfg(test)]
#[path = "task_tests.rs"]
mod tests;
