//! The loop of training, and what a model foretells of held-out translations.

use super::gradients;
use crate::Lorentz;
use crate::riemannian_adam::RiemannianAdam;
use crate::transformer::{Space, Transformer, TransformerSettings};
use burn::module::{Module, Param};
use burn::optim::{AdamConfig, AdamState, GradientsParams, ModuleOptimizer, Optimizer};
use burn::tensor::{Device, Tensor};
use tuppum_nn::byt5::ByT5Error;
use tuppum_tasks::translation::training::{Plan, Step, Task, Validation};
use tuppum_text::bytes;
use tuppum_text::tokens::TokenId;
use tuppum_train::TrainError;
use tuppum_train::dropout::Pool;
use tuppum_train::loss;
use tuppum_train::measuring::{measured, read_all};
use tuppum_train::translator::batches::{Batch, Batches, pool_seed};

/// Added to the length of the gradient before the longest is divided by it, as in PyTorch.
const LEAST_LENGTH: f64 = 1e-6;

/// A run: a Transformer that is being trained by a plan, and how far it has come.
pub struct TransformerTrainer {
    plan: Plan,
    /// With gradients.
    model: Transformer,
    adam: ModuleOptimizer,
    points: Option<Points>,
    curve: Vec<Step>,
    batches: Batches,
    pool: Pool,
    /// Without gradients.
    device: Device,
}

impl TransformerTrainer {
    /// A run of a plan from its beginning, on a device without gradients. The seed of the plan is that of the model, of the order of its
    /// pairs and of dropout. Of the plan's settings the frozen groups, the bias of a translator and the decay of weights are of no
    /// account.
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
        let [beta_1, beta_2] = plan.settings.optimiser.betas.map(|beta| beta as f32);
        let epsilon = plan.settings.optimiser.epsilon as f32;
        let adam = AdamConfig::new().with_beta_1(beta_1).with_beta_2(beta_2).with_epsilon(epsilon).init();
        let sheet = (settings.space == Space::Lorentz).then(|| Lorentz::new(settings.curvature)).transpose();
        let points = sheet.map_err(|error| TrainError::Plan(error.to_string()))?.map(|lorentz| {
            let mut rule = RiemannianAdam::new(lorentz);
            (rule.beta_1, rule.beta_2, rule.epsilon) = (beta_1, beta_2, epsilon);
            Points { rule, states: [None, None] }
        });
        let (batches, pool) = (Batches::new(&plan), Pool::new(plan.settings.dropout, pool_seed(&plan), device));
        Ok(Self { plan, model, adam, points, curve: Vec::new(), batches, pool, device: device.clone() })
    }

    /// What is carried out.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The steps that were made.
    pub fn curve(&self) -> &[Step] {
        &self.curve
    }

    /// Steps of the whole run.
    pub fn steps(&self) -> u32 {
        self.batches.steps()
    }

    /// Whether all steps were made.
    pub fn is_finished(&self) -> bool {
        self.curve.len() as u32 >= self.steps()
    }

    /// The model as it is now, without gradients.
    pub fn model(&self) -> Transformer {
        self.model.valid()
    }

    /// Makes the next step.
    ///
    /// # Errors
    /// [`TrainError::Finished`] after the last step; [`TrainError::Diverged`], before anything is changed; what the device says.
    pub async fn step(&mut self) -> Result<Step, TrainError> {
        if self.is_finished() {
            return Err(TrainError::Finished);
        }
        let (number, of) = (self.curve.len() as u32, self.steps());
        let (epoch, batches) = self.batches.step(&self.plan, number);
        let settings = &self.plan.settings;
        let rate = settings.optimiser.rate_at(number, of);
        let loss = self.loss(&batches).await?;
        let mut gradients = GradientsParams::from_grads(loss.backward(), &self.model);
        let length = gradients::length(&self.model, &gradients, &self.device);
        let read = read_all(Tensor::cat(vec![loss.inner(), length], 0)).await?;
        if read.iter().any(|value| !value.is_finite()) {
            return Err(TrainError::Diverged { step: number + 1 });
        }
        let share = settings.optimiser.clip / (f64::from(read[1]) + LEAST_LENGTH);
        if share < 1.0 {
            gradients::scale(&self.model, &mut gradients, share);
        }
        if let Some(points) = &mut self.points {
            points.step(&mut self.model, &mut gradients, rate * settings.optimiser.points_rate.unwrap_or(1.0));
        }
        self.model = self.adam.step(rate, self.model.clone(), gradients);
        let both = |batch: &Batch| batch.sources.iter().chain(&batch.targets).map(Vec::len).sum::<usize>() as u32;
        let step = Step {
            number: number + 1,
            of,
            epoch,
            loss: read[0],
            rate,
            gradient_norm: read[1],
            alpha: None,
            bytes: batches.iter().map(both).sum(),
            pairs: batches.iter().map(|batch| batch.sources.len() as u32).sum(),
        };
        self.curve.push(step);
        Ok(step)
    }

    /// The mean loss per target byte, in nats: `[1]`.
    async fn loss(&self, batches: &[Batch]) -> Result<Tensor<1>, TrainError> {
        let weight: f64 = batches.iter().map(|batch| loss::weight(&batch.targets, &batch.weights)).sum();
        let mut total = Tensor::<1>::zeros([1], &self.model.device());
        for batch in batches {
            let mut masks = self.pool.masks(batch.seed);
            let logits = self.model.forced_logits(&batch.sources, &batch.targets, &mut masks).map_err(unread)?;
            let smoothing = self.plan.settings.label_smoothing;
            total = total + loss::cross_entropy(logits, &batch.targets, &batch.weights, smoothing).await?;
        }
        Ok(total / weight)
    }
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

/// How well a model foretells translations, each given as source and target. `batch_bytes` bounds rows times the longest source and
/// target of a batch.
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
#[path = "trainer_tests.rs"]
mod tests;
