//! The loop: one step after the other, each of them whole or not made at all.

use super::batches::{Batch, Batches, pool_seed};
use super::measuring::measure;
use crate::dropout::Pool;
use crate::error::TrainError;
use crate::gradient_sum::Sum;
use crate::loss;
use crate::measuring::read_all;
use crate::optimiser::Update;
use crate::optimiser::{Optimiser, share};
use crate::sequences::{RATE, SEED, Sequence, choose, sequences};
use burn::tensor::{Device, Tensor};
use tuppum_nn::pace::Pace;
use tuppum_nn::torso::{Part, Place, Torso, TorsoConfig};
use tuppum_tasks::restoration::Row;
use tuppum_tasks::restoration::training::{Plan, RestorationValidation, Settings, Step};
use tuppum_tasks::training::OptimiserSettings;
use tuppum_text::tokens::{TokenId, Vocabulary};

/// A run: a torso that is being trained by a plan, and how far it has come.
#[derive(Debug)]
pub struct Trainer {
    pub(super) plan: Plan,
    pub(super) vocabulary: Vocabulary,
    /// With gradients where it trains, and without where it does not: there the pass is that of a model in use.
    pub(super) torso: Torso,
    pub(super) optimiser: Optimiser,
    /// The steps that were made.
    pub(super) curve: Vec<Step>,
    /// What was measured on the way.
    pub(super) validations: Vec<RestorationValidation>,
    batches: Batches,
    held: Vec<Sequence>,
    pool: Pool,
    /// Without gradients.
    device: Device,
}

impl Trainer {
    /// A run of a plan from its beginning, on the device of the torso. The torso given is not changed.
    ///
    /// # Errors
    /// [`TrainError::Plan`] when the plan cannot be carried out with this torso and vocabulary.
    pub fn new(torso: &Torso, vocabulary: &Vocabulary, plan: Plan) -> Result<Self, TrainError> {
        plan.check().and_then(|()| fits(torso.config(), vocabulary, &plan.settings)).map_err(TrainError::Plan)?;
        let settings = &plan.settings;
        let device = torso.device().without_autodiff();
        let mut torso = torso.clone();
        let config = torso.config().clone();
        for (place, mut value) in torso.parameters_mut() {
            value.set(value.tensor(), trains(settings, &config, &place).then_some(true));
        }
        let [trained, held] = plan.split().map(|side| {
            let texts = side.into_iter().filter_map(|number| plan.texts.get(number));
            texts.flat_map(|text| sequences(text, vocabulary, settings.window)).collect::<Vec<Sequence>>()
        });
        if trained.is_empty() {
            let problem = "the model's vocabulary knows too few signs of the texts to learn from any; \
                           see whether they are transliterated Akkadian";
            return Err(TrainError::Plan(problem.to_owned()));
        }
        let (batches, pool) =
            (Batches::new(trained, settings), Pool::new(settings.dropout, pool_seed(settings), &device));
        let (optimiser, vocabulary) = (Optimiser::default(), vocabulary.clone());
        let (curve, validations) = (Vec::new(), Vec::new());
        Ok(Self { plan, vocabulary, torso, optimiser, curve, validations, batches, held, pool, device })
    }

    /// Numbers that train.
    pub fn trained(&self) -> u64 {
        let places = self.torso.tensors().into_iter().map(|(place, _)| place);
        let places = places.filter(|place| trains(&self.plan.settings, self.torso.config(), place));
        places.map(|place| place.shape().iter().product::<usize>() as u64).sum()
    }

    /// What is carried out.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The tokens of the torso.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// Whether a torso of this size and these tokens may be what the run began with.
    pub fn goes_on_from(&self, torso: &Torso, vocabulary: &Vocabulary) -> bool {
        torso.config() == self.torso.config() && tokens(vocabulary) == tokens(&self.vocabulary)
    }

    /// The steps that were made.
    pub fn curve(&self) -> &[Step] {
        &self.curve
    }

    /// What was measured on the way.
    pub fn validations(&self) -> &[RestorationValidation] {
        &self.validations
    }

    /// The sequences that train.
    pub fn sequences(&self) -> &[Sequence] {
        self.batches.trained()
    }

    /// At most so many of the held-out sequences, from all of them evenly.
    pub fn held_out(&self, most: usize) -> Vec<Sequence> {
        let places = evenly(self.held.len(), most);
        places.map(|place| self.held[place].clone()).collect()
    }

    /// For each of these the number of its text in the plan.
    pub fn held_out_texts(&self, most: usize) -> Vec<usize> {
        let [_, held] = self.plan.split();
        let of = |number: usize| {
            let text = self.plan.texts.get(number)?;
            let count = sequences(text, &self.vocabulary, self.plan.settings.window).len();
            Some(std::iter::repeat_n(number, count))
        };
        let all: Vec<usize> = held.into_iter().filter_map(of).flatten().collect();
        evenly(self.held.len(), most).filter_map(|place| all.get(place).copied()).collect()
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

    /// The torso as it is now, without gradients: to restore with, or to write.
    pub fn torso(&self) -> Torso {
        let mut torso = self.torso.clone();
        torso.parameters_mut().into_iter().for_each(|(_, mut value)| value.set(value.tensor(), None));
        torso
    }

    /// Makes the next step. Of the [`Step`], the loss is per masked sign, the bytes are tokens and the pairs sequences. The pace is asked
    /// between layers, and before and after the gradients are computed; a step that is stopped there was not made, and the next one
    /// makes it again in the same way.
    ///
    /// # Errors
    /// [`TrainError::Finished`] after the last step; [`TrainError::Stopped`]; [`TrainError::Diverged`], before anything is
    /// changed; what the device says.
    pub async fn step(&mut self, pace: &impl Pace) -> Result<Step, TrainError> {
        if self.is_finished() {
            return Err(TrainError::Finished);
        }
        let (number, of) = (self.done(), self.steps());
        let (epoch, batches) = self.batches.step(&self.plan.settings, &self.vocabulary, number);
        let rate = self.plan.settings.optimiser.rate_at(number, of);
        let masked: usize = batches.iter().map(|batch| batch.targets.len()).sum();
        let (mut sum, mut total) = (Sum::default(), Tensor::<1>::zeros([1], &self.device));
        for batch in &batches {
            pace.between_layers().await?;
            total = total + self.gradients(batch, masked as f64, &mut sum, pace).await?;
        }
        let length = sum.length(&self.device);
        let read = read_all(Tensor::cat(vec![total, length.clone()], 0)).await?;
        if read.iter().any(|value| !value.is_finite()) {
            return Err(TrainError::Diverged { step: number + 1 });
        }
        self.optimise(sum, length, (rate, number + 1));
        let rows = || batches.iter().flat_map(|batch| &batch.rows);
        let step = Step {
            number: number + 1,
            of,
            epoch,
            loss: read[0],
            rate,
            gradient_norm: read[1],
            alpha: None,
            bytes: rows().map(|row| row.ids.len() as u32).sum(),
            pairs: rows().count() as u32,
        };
        self.curve.push(step);
        Ok(step)
    }

    /// Adds a batch's gradients and gives its share of the loss: `[1]`, without gradients.
    async fn gradients(
        &mut self,
        batch: &Batch,
        masked: f64,
        sum: &mut Sum,
        pace: &impl Pace,
    ) -> Result<Tensor<1>, TrainError> {
        let loss = self.loss(batch, masked, pace).await?;
        pace.between_layers().await?;
        let mut gradients = loss.backward();
        pace.between_layers().await?;
        let (settings, config) = (&self.plan.settings, self.torso.config().clone());
        for (place, value) in self.torso.parameters_mut() {
            if trains(settings, &config, &place)
                && let Some(gradient) = value.gradient(&mut gradients)
            {
                sum.add_one(place.name, gradient);
            }
        }
        Ok(loss.inner())
    }

    /// Cross-entropy over the whole vocabulary with label smoothing (Szegedy et al. 2016, §7), a batch's share of the mean over all
    /// `masked` signs of a step: `[1]`.
    pub(super) async fn loss(&self, batch: &Batch, masked: f64, pace: &impl Pace) -> Result<Tensor<1>, TrainError> {
        let rows: Vec<&Row> = batch.rows.iter().collect();
        let mut masks = self.pool.masks(batch.seed);
        let Some(logits) = self.torso.scored(&rows, 0, &mut masks, pace).await? else {
            return Ok(Tensor::zeros([1], &self.device));
        };
        let targets = std::slice::from_ref(&batch.targets);
        let nats = loss::nats(logits, targets, batch.targets.len(), self.plan.settings.label_smoothing).await?;
        Ok(nats.sum() / masked)
    }

    /// Moves every tensor that has a gradient.
    fn optimise(&mut self, sum: Sum, length: Tensor<1>, (rate, number): (f64, u32)) {
        let settings = &self.plan.settings.optimiser;
        let share = share(length, settings.clip);
        let mut gradients = sum.by_name;
        for (place, mut value) in self.torso.parameters_mut() {
            let Some(gradient) = gradients.remove(&place.name) else { continue };
            let decay = if place.decays { settings.weight_decay } else { 0.0 };
            let OptimiserSettings { betas, epsilon, .. } = *settings;
            let update = Update { rate, betas, epsilon, decay, number };
            let moved = self.optimiser.moved(&place.name, value.tensor(), gradient * share.clone(), &update);
            value.set(moved, Some(true));
        }
    }

    /// Measures the torso on at most so many held-out sequences and keeps what was found. Without any it is `None`.
    ///
    /// # Errors
    /// [`TrainError::Stopped`]; what the device says.
    pub async fn validate(
        &mut self,
        most: usize,
        pace: &impl Pace,
    ) -> Result<Option<RestorationValidation>, TrainError> {
        let held = self.held_out(most);
        if held.is_empty() {
            return Ok(None);
        }
        let places = choose(&held, RATE, SEED);
        let tokens = self.plan.settings.batch_tokens;
        let mut found = measure(&self.torso(), &self.vocabulary, &held, &places, tokens, pace).await?;
        found.after = self.done();
        self.validations.push(found.clone());
        Ok(Some(found))
    }
}

/// All tokens in order.
pub(super) fn tokens(vocabulary: &Vocabulary) -> Vec<String> {
    (0..vocabulary.len()).map(|id| vocabulary.text(id as TokenId).to_owned()).collect()
}

/// Whether a torso and its vocabulary go with the settings.
fn fits(config: &TorsoConfig, vocabulary: &Vocabulary, settings: &Settings) -> Result<(), String> {
    let TorsoConfig { layers, longest, vocabulary: tokens, .. } = *config;
    if vocabulary.len() != tokens {
        return Err(format!(
            "the vocabulary has {} tokens and the model {tokens}; they do not belong together",
            vocabulary.len()
        ));
    }
    if settings.window > longest {
        return Err(format!("a window of {} tokens is longer than the model reads, {longest}", settings.window));
    }
    if let Some(own) = settings.layers.filter(|own| *own > layers) {
        return Err(format!(
            "{own} layers are to train, and the model has {layers}; say at most {layers}, or leave it out to train all"
        ));
    }
    Ok(())
}

/// Whether a tensor trains.
fn trains(settings: &Settings, config: &TorsoConfig, place: &Place) -> bool {
    match (settings.layers, place.group) {
        (None, _) | (Some(_), Part::Head) => true,
        (Some(_), Part::Embeddings) => false,
        (Some(last), Part::Block(number)) => number + last >= config.layers,
    }
}

/// Places of at most so many of some things, evenly among them.
fn evenly(all: usize, most: usize) -> impl Iterator<Item = usize> {
    let count = all.min(most);
    (0..count).map(move |number| number * all / count)
}

#[cfg(test)]
#[path = "trainer_tests.rs"]
pub(super) mod tests;
