//! A Transformer as the trainer sees it, and what a model foretells of held-out translations.

use super::gradients;
use crate::Lorentz;
use crate::riemannian_adam::RiemannianAdam;
use crate::transformer::{Space, Transformer, TransformerSettings};
use burn::module::{Module, Param};
use burn::optim::{AdamConfig, AdamState, GradientsParams, ModuleOptimizer, Optimizer};
use burn::tensor::{Device, Gradients, Tensor};
use tuppum_nn::byt5::ByT5Error;
use tuppum_nn::yielding::Yield;
use tuppum_tasks::training::OptimiserSettings;
use tuppum_tasks::translation::training::{Plan, Task, Validation};
use tuppum_text::bytes;
use tuppum_text::tokens::TokenId;
use tuppum_train::TrainError;
use tuppum_train::dropout::{Masks, Pool};
use tuppum_train::loss;
use tuppum_train::measuring::measured;
use tuppum_train::optimiser::StepUpdate;
use tuppum_train::task::TrainingTask;
use tuppum_train::translator::batches::{Batch, Batches, pool_seed};

/// A Transformer that is trained by a plan.
pub struct TransformerTask {
    plan: Plan,
    /// With gradients.
    model: Transformer,
    /// Of the points of its two tables, where it lies on the hyperboloid.
    rule: Option<RiemannianAdam>,
    batches: Batches,
    /// Without gradients.
    device: Device,
}

impl TransformerTask {
    /// The task of a plan, on a device without gradients. The seed of the plan is that of the model, of the order of
    /// its pairs and of dropout. Of the plan's settings the frozen groups, the bias of a translator and the decay of
    /// weights are of no account.
    ///
    /// # Errors
    /// [`TrainError::Plan`] when there can be no such model, or the plan cannot be carried out with it.
    pub fn new(settings: &TransformerSettings, plan: Plan, device: &Device) -> Result<Self, TrainError> {
        plan.check().map_err(TrainError::Plan)?;
        if plan.settings.task != Task::Translation {
            return Err(TrainError::Plan("these models learn translations only; leave the task out".into()));
        }
        if settings.longest <= plan.settings.longest {
            return Err(TrainError::Plan(format!(
                "texts of up to {} bytes are to be learnt, and the model has positions for {} with the end; cut shorter, or give it more",
                plan.settings.longest,
                settings.longest.saturating_sub(1)
            )));
        }
        let seed = plan.settings.seed;
        let model = Transformer::new(settings, seed, &device.clone().autodiff()).map_err(TrainError::Plan)?;
        let sheet = (settings.space == Space::Lorentz).then(|| Lorentz::new(settings.curvature)).transpose();
        let rule = sheet.map_err(|error| TrainError::Plan(error.to_string()))?.map(|lorentz| {
            let mut rule = RiemannianAdam::new(lorentz);
            ([rule.beta_1, rule.beta_2], rule.epsilon) = narrow(&plan.settings.optimiser);
            rule
        });
        let batches = Batches::new(&plan);
        Ok(Self { plan, model, rule, batches, device: device.clone() })
    }
}

/// Betas and epsilon as burn's optimisers take them.
fn narrow(settings: &OptimiserSettings) -> ([f32; 2], f32) {
    (settings.betas.map(|beta| beta as f32), settings.epsilon as f32)
}

impl TrainingTask for TransformerTask {
    type Model = Transformer;
    type Plan = Plan;
    type Batch = Batch;
    type Validation = Validation;
    type Gradients = GradientsParams;
    type Optimiser = TransformerOptimiser;

    fn plan(&self) -> &Plan {
        &self.plan
    }

    fn optimiser_settings(&self) -> OptimiserSettings {
        self.plan.settings.optimiser
    }

    fn optimiser(&self) -> TransformerOptimiser {
        let ([beta_1, beta_2], epsilon) = narrow(&self.plan.settings.optimiser);
        let adam = AdamConfig::new().with_beta_1(beta_1).with_beta_2(beta_2).with_epsilon(epsilon).init();
        let points = self.rule.clone().map(|rule| Points { rule, states: [None, None] });
        TransformerOptimiser { adam, points }
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

    fn add_gradients(&mut self, gradients: Gradients, sum: &mut GradientsParams) {
        gradients::add(&self.model, sum, GradientsParams::from_grads(gradients, &self.model));
    }

    fn grad_norm(&self, gradients: &GradientsParams) -> Tensor<1> {
        gradients::norm(&self.model, gradients, &self.device)
    }

    fn update(&mut self, optimiser: &mut TransformerOptimiser, mut gradients: GradientsParams, update: &StepUpdate) {
        if let Some(factor) = update.clip_factor_read() {
            gradients::scale(&self.model, &mut gradients, factor);
        }
        if let Some(points) = &mut optimiser.points {
            points.step(&mut self.model, &mut gradients, update.points_rate());
        }
        self.model = optimiser.adam.step(update.rate, self.model.clone(), gradients);
    }

    async fn measure(&self, after: u32, _: &impl Yield) -> Result<Option<Validation>, TrainError> {
        let [_, held] = self.plan.split();
        if held.is_empty() {
            return Ok(None);
        }
        let pairs = held.iter().filter_map(|number| self.plan.pairs.get(*number));
        let pairs: Vec<(&str, &str)> = pairs.map(|pair| (pair.source.as_str(), pair.target.as_str())).collect();
        Ok(Some(Validation { after, ..validation(&self.model(), &pairs, self.plan.settings.batch_bytes).await? }))
    }
}

/// What moves a Transformer: burn's Adam, and on the hyperboloid a Riemannian one for points.
pub struct TransformerOptimiser {
    adam: ModuleOptimizer,
    points: Option<Points>,
}

/// Riemannian Adam over the two tables of points of a Lorentz model.
struct Points {
    rule: RiemannianAdam,
    states: [Option<AdamState<2>>; 2],
}

impl Points {
    /// Moves the points and takes their gradients out.
    fn step(&mut self, model: &mut Transformer, gradients: &mut GradientsParams, rate: f64) {
        let [tokens, answers] = &mut self.states;
        model.tokens = moved(&self.rule, &model.tokens, gradients, rate, tokens);
        model.answers = moved(&self.rule, &model.answers, gradients, rate, answers);
    }
}

/// A table of points after one step.
fn moved(
    rule: &RiemannianAdam,
    points: &Param<Tensor<2>>,
    gradients: &mut GradientsParams,
    rate: f64,
    state: &mut Option<AdamState<2>>,
) -> Param<Tensor<2>> {
    let Some(gradient) = gradients.remove::<2>(points.id) else { return points.clone() };
    points.clone().map(|points| {
        let (reached, next) = rule.step(rate, points.inner(), gradient, state.take());
        *state = next;
        reached.autodiff().require_grad()
    })
}

/// How well a model foretells translations, each given as source and target. `batch_bytes` bounds rows times the
/// longest source and target of a batch.
///
/// # Errors
/// A text that the model cannot read; what the device says.
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

fn unread(problem: String) -> TrainError {
    TrainError::Model(ByT5Error::Row(problem))
}

#[cfg(test)]
#[path = "task_tests.rs"]
mod tests;
