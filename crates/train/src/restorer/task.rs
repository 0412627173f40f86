//! A restorer as the trainer sees it: signs of texts without translation are masked and predicted. And the measuring of
//! a torso on masked signs: the loss and the rank of each.

use super::batches::{Batch, Batches, pool_seed};
use crate::dropout::{Masks, Pool};
use crate::error::{FitError, TrainError};
use crate::loss;
use crate::optimiser::{GradientSum, Optimiser, StepUpdate};
use crate::sequences::{RATE, SEED, Sequence, choose, masked_as_it_is, sequences};
use crate::task::TrainingTask;
use crate::trainer::Trainer;
use burn::tensor::{Device, Gradients, Tensor};
use tuppum_domain::restoration::Row;
use tuppum_domain::restoration::scorer::{log_probability, rank_among, starts_word};
use tuppum_domain::restoration::training::{
    RestorationValidation, RestorerTrainingPlan, RestorerTrainingSettings, SequencePrediction,
};
use tuppum_domain::training::OptimiserSettings;
use tuppum_nn::torso::{Torso, TorsoConfig, TorsoParameterSpec, TorsoPart};
use tuppum_nn::yielding::Yield;
use tuppum_text::tokens::{TokenId, Vocabulary};

/// Maximum number of held-out sequences measured during a run, taken evenly from all of them.
pub const MEASURED_ON_THE_WAY: usize = 32;

/// Restorer that is trained by a plan. In its [`Step`](tuppum_domain::restoration::training::Step)s the loss is per
/// masked sign, bytes are tokens and pairs are sequences.
#[derive(Debug)]
pub struct RestorerTask {
    pub(super) plan: RestorerTrainingPlan,
    pub(super) vocabulary: Vocabulary,
    /// Torso with gradients for the tensors that train. The others have none, so that their pass is that of a model in
    /// use.
    pub(super) torso: Torso,
    pub(super) batches: Batches,
    held_out: Vec<Sequence>,
}

impl RestorerTask {
    /// Creates the task of a plan, on the device of the torso. The torso given is not changed.
    ///
    /// # Errors
    /// [`TrainError::Plan`] or [`TrainError::Fit`] when the plan cannot be carried out with this torso and vocabulary.
    pub fn new(torso: &Torso, vocabulary: &Vocabulary, plan: RestorerTrainingPlan) -> Result<Self, TrainError> {
        plan.check()?;
        fits(torso.config(), vocabulary, &plan.settings)?;
        let settings = &plan.settings;
        let mut torso = torso.clone();
        let config = torso.config().clone();
        for (place, mut value) in torso.parameters_mut() {
            value.set(value.tensor(), trains(settings, &config, &place).then_some(true));
        }
        let [trained, held_out] = plan.split().map(|side| {
            let texts = side.into_iter().filter_map(|number| plan.texts.get(number));
            texts.flat_map(|text| sequences(text, vocabulary, settings.window)).collect::<Vec<Sequence>>()
        });
        if trained.is_empty() {
            return Err(FitError::UnknownSigns.into());
        }
        let (batches, vocabulary) = (Batches::new(trained, settings), vocabulary.clone());
        Ok(Self { plan, vocabulary, torso, batches, held_out })
    }
}

impl Trainer<RestorerTask> {
    /// Begins a run of a plan, on the device of the torso. The torso given is not changed.
    ///
    /// # Errors
    /// [`TrainError::Plan`] or [`TrainError::Fit`] when the plan cannot be carried out with this torso and vocabulary.
    pub fn new(torso: &Torso, vocabulary: &Vocabulary, plan: RestorerTrainingPlan) -> Result<Self, TrainError> {
        RestorerTask::new(torso, vocabulary, plan).map(Self::begin)
    }

    /// Splits each batch into this many parts from the next step on; more parts take less memory.
    pub fn compute_in_parts(&mut self, parts: usize) {
        self.task.plan.settings.parts = parts.max(1);
    }

    /// Returns the tokens of the torso.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.task.vocabulary
    }

    /// Returns `true` if the run may have begun with a torso of this size and these tokens.
    pub fn goes_on_from(&self, torso: &Torso, vocabulary: &Vocabulary) -> bool {
        let own = self.task.torso.config();
        // The temperature belongs to the answers; training ignores it.
        let config = TorsoConfig { temperature: own.temperature, ..torso.config().clone() };
        config == *own && tokens(vocabulary) == tokens(&self.task.vocabulary)
    }

    pub fn sequences(&self) -> &[Sequence] {
        self.task.batches.trained()
    }

    /// Returns at most `most` held-out sequences, taken evenly from all of them.
    pub fn held_out(&self, most: usize) -> Vec<Sequence> {
        self.task.held_out(most)
    }

    /// Returns the number of the text in the plan for each sequence of [`RestorerTrainer::held_out`].
    pub fn held_out_texts(&self, most: usize) -> Vec<usize> {
        let RestorerTask { plan, vocabulary, held_out: all_held_out, .. } = &self.task;
        let [_, held_out] = plan.split();
        let of = |number: usize| {
            let text = plan.texts.get(number)?;
            let count = sequences(text, vocabulary, plan.settings.window).len();
            Some(std::iter::repeat_n(number, count))
        };
        let all: Vec<usize> = held_out.into_iter().filter_map(of).flatten().collect();
        evenly(all_held_out.len(), most).filter_map(|place| all.get(place).copied()).collect()
    }
}

impl RestorerTask {
    fn held_out(&self, most: usize) -> Vec<Sequence> {
        evenly(self.held_out.len(), most).map(|place| self.held_out[place].clone()).collect()
    }
}

impl TrainingTask for RestorerTask {
    type Model = Torso;
    type Plan = RestorerTrainingPlan;
    type Batch = Batch;
    type Validation = RestorationValidation;

    fn plan(&self) -> &RestorerTrainingPlan {
        &self.plan
    }

    fn optimiser_settings(&self) -> OptimiserSettings {
        self.plan.settings.optimiser
    }

    fn model(&self) -> Torso {
        let mut torso = self.torso.clone();
        torso.parameters_mut().into_iter().for_each(|(_, mut value)| value.set(value.tensor(), None));
        torso
    }

    fn trained(&self) -> u64 {
        let places = self.torso.tensors().into_iter().map(|(place, _)| place);
        let places = places.filter(|place| trains(&self.plan.settings, self.torso.config(), place));
        places.map(|place| place.shape().iter().product::<usize>() as u64).sum()
    }

    fn device(&self) -> Device {
        self.torso.device().without_autodiff()
    }

    fn dropout_pool(&self) -> Pool {
        Pool::new(self.plan.settings.dropout, pool_seed(&self.plan.settings), &self.device())
    }

    fn steps(&self) -> u32 {
        self.batches.steps()
    }

    fn batches(&mut self, step: u32) -> (u32, Vec<Batch>) {
        self.batches.step(&self.plan.settings, &self.vocabulary, step)
    }

    fn parts(&self) -> usize {
        self.plan.settings.parts
    }

    /// Computes the cross-entropy over the whole vocabulary with label smoothing (Szegedy et al. 2016, §7): this
    /// batch's contribution to the mean over all masked signs of a step.
    async fn loss(
        &mut self,
        batch: &Batch,
        weight: f64,
        masks: &mut Masks<'_>,
        yielder: &impl Yield,
    ) -> Result<Tensor<1>, TrainError> {
        let rows: Vec<&Row> = batch.rows.iter().collect();
        let Some(logits) = self.torso.scored(&rows, 0, masks, yielder).await? else {
            return Ok(Tensor::zeros([1], &self.device()));
        };
        let targets = std::slice::from_ref(&batch.targets);
        let nats = loss::nats(logits, targets, batch.targets.len(), self.plan.settings.label_smoothing).await?;
        Ok(nats.sum() / weight)
    }

    fn add_gradients(&mut self, mut gradients: Gradients, sum: &mut GradientSum) {
        let (settings, config) = (&self.plan.settings, self.torso.config().clone());
        let parameters = self.torso.parameters_mut().into_iter();
        sum.add(parameters.filter(|(place, _)| trains(settings, &config, place)), &mut gradients);
    }

    fn grad_norm(&self, gradients: &GradientSum) -> Tensor<1> {
        gradients.norm(&self.device())
    }

    fn update(&mut self, optimiser: &mut Optimiser, mut gradients: GradientSum, update: &StepUpdate) {
        optimiser.step(self.torso.parameters_mut(), &mut gradients, update);
    }

    async fn measure(&self, after: u32, yielder: &impl Yield) -> Result<Option<RestorationValidation>, TrainError> {
        let held_out = self.held_out(MEASURED_ON_THE_WAY);
        if held_out.is_empty() {
            return Ok(None);
        }
        let places = choose(&held_out, RATE, SEED);
        let tokens = self.plan.settings.batch_tokens;
        let found = measure(&self.model(), &self.vocabulary, &held_out, &places, tokens, yielder).await?;
        Ok(Some(RestorationValidation { after, ..found }))
    }
}

/// Returns all tokens in order.
pub(super) fn tokens(vocabulary: &Vocabulary) -> Vec<String> {
    (0..vocabulary.len()).map(|id| vocabulary.text(id as TokenId).to_owned()).collect()
}

/// Checks that a torso and its vocabulary fit the settings.
fn fits(config: &TorsoConfig, vocabulary: &Vocabulary, settings: &RestorerTrainingSettings) -> Result<(), FitError> {
    let TorsoConfig { layers, longest, vocabulary: tokens, .. } = *config;
    if vocabulary.len() != tokens {
        return Err(FitError::Vocabulary { vocabulary: vocabulary.len(), model: tokens });
    }
    if settings.window > longest {
        return Err(FitError::Window { window: settings.window, longest });
    }
    if let Some(asked) = settings.layers.filter(|asked| *asked > layers) {
        return Err(FitError::Layers { asked, layers });
    }
    Ok(())
}

/// Returns `true` if a tensor trains.
fn trains(settings: &RestorerTrainingSettings, config: &TorsoConfig, place: &TorsoParameterSpec) -> bool {
    match (settings.layers, place.group) {
        (None, _) | (Some(_), TorsoPart::Head) => true,
        (Some(_), TorsoPart::Embeddings) => false,
        (Some(last), TorsoPart::Block(number)) => number + last >= config.layers,
    }
}

/// Returns the numbers of at most `most` items out of `all`, evenly spaced.
fn evenly(all: usize, most: usize) -> impl Iterator<Item = usize> {
    let count = all.min(most);
    (0..count).map(move |number| number * all / count)
}

/// Masks these places of each sequence together, with the word boundary given, and measures the torso's predictions.
/// The number of rows times the longest row of a pass is at most `batch_tokens`. The result does not depend on the
/// other sequences, except for the rounding of f32.
///
/// # Errors
/// [`TrainError::Stopped`]; a sequence that the torso cannot read; errors of the device.
pub async fn measure(
    torso: &Torso,
    vocabulary: &Vocabulary,
    sequences: &[Sequence],
    places: &[Vec<usize>],
    batch_tokens: usize,
    yielder: &impl Yield,
) -> Result<RestorationValidation, TrainError> {
    let mut found = vec![SequencePrediction::default(); sequences.len()];
    let mut rows: Vec<(usize, Row, Vec<TokenId>)> = (sequences.iter().zip(places).enumerate())
        .filter(|(_, (_, places))| !places.is_empty())
        .map(|(number, (sequence, places))| {
            let (row, targets) = masked_as_it_is(sequence, places, vocabulary);
            (number, row, targets)
        })
        .collect();
    rows.sort_by_key(|(_, row, _)| row.ids.len());
    while let Some((_, longest, _)) = rows.last() {
        let most = (batch_tokens / longest.ids.len().max(1)).max(1);
        let own = rows.split_off(rows.len().saturating_sub(most));
        let batch: Vec<&Row> = own.iter().map(|(_, row, _)| row).collect();
        let logits = torso.logits(&batch, 0, yielder).await?;
        for ((number, _, targets), logits) in own.iter().zip(logits) {
            found[*number] = predicted(vocabulary, targets, &logits);
        }
    }
    Ok(RestorationValidation::new(0, found))
}

fn predicted(vocabulary: &Vocabulary, targets: &[TokenId], logits: &[Vec<f32>]) -> SequencePrediction {
    let mut found = SequencePrediction::default();
    for (target, logits) in targets.iter().zip(logits) {
        let starts = starts_word(vocabulary, *target);
        let rank = rank_among(logits, *target, |id| starts_word(vocabulary, id) == starts);
        found.log_probabilities.push(log_probability(logits, *target) as f32);
        found.ranks.push(rank as u32);
    }
    found
}

#[cfg(test)]
#[path = "task_tests.rs"]
pub(super) mod tests;
