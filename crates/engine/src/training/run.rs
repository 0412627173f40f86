//! A training run, of a translator or of a restorer, as the training loop uses it.

use burn::tensor::Device;
use std::f64::consts::LN_2;
use tuppum_domain::restoration::training::RestorationValidation;
use tuppum_domain::translation::training::{Step, Validation};
use tuppum_nn::byt5::ByT5;
use tuppum_nn::yielding::Yield;
use tuppum_protocol::Task;
use tuppum_train::{TrainError, restorer, translator};
use tuppum_weights::Source;
use tuppum_weights::storage::Sink;

/// Training run.
pub enum Run {
    /// Run of a translator.
    Translator(Box<translator::TranslatorTrainer>),
    /// Run of a restorer.
    Restorer(Box<restorer::RestorerTrainer>),
}

/// Evaluates the same expression for the trainer of either kind of run.
macro_rules! with_trainer {
    ($run:expr, $trainer:ident => $value:expr) => {
        match $run {
            Run::Translator($trainer) => $value,
            Run::Restorer($trainer) => $value,
        }
    };
}

impl Run {
    /// Returns the task that the run trains for.
    pub fn task(&self) -> Task {
        match self {
            Self::Translator(_) => Task::Translation,
            Self::Restorer(_) => Task::Restoration,
        }
    }

    /// Returns the number of parameters of the model.
    pub fn parameters(&self) -> u64 {
        match self {
            Self::Translator(trainer) => trainer.model().parameter_count(),
            Self::Restorer(trainer) => trainer.model().config().parameter_count(),
        }
    }

    /// Returns the number of parameters that are trained.
    pub fn trained(&self) -> u64 {
        with_trainer!(self, trainer => trainer.trained())
    }

    /// Returns the numbers of pairs (of a restorer: texts) trained on and held out.
    pub fn sides(&self) -> [usize; 2] {
        with_trainer!(self, trainer => trainer.plan().split().map(|side| side.len()))
    }

    /// Sets the number of parts in which each batch is computed; more parts need less memory.
    pub fn compute_in_parts(&mut self, parts: usize) {
        with_trainer!(self, trainer => trainer.compute_in_parts(parts))
    }

    /// Returns the number of parts in which each batch is computed.
    pub fn parts(&self) -> usize {
        with_trainer!(self, trainer => trainer.plan().settings.parts)
    }

    /// Returns the steps made so far.
    pub fn curve(&self) -> &[Step] {
        with_trainer!(self, trainer => trainer.curve())
    }

    /// Returns the measurements so far, as the page draws them.
    pub fn validations(&self) -> Vec<Validation> {
        match self {
            Self::Translator(trainer) => trainer.validations().to_vec(),
            Self::Restorer(trainer) => trainer.validations().iter().map(drawn).collect(),
        }
    }

    /// Returns the number of steps before the last measurement.
    pub fn measured(&self) -> Option<u32> {
        with_trainer!(self, trainer => trainer.validations().last().map(|last| last.after))
    }

    /// Returns the number of steps made.
    pub fn done(&self) -> u32 {
        self.curve().len() as u32
    }

    /// Returns the number of steps of the whole run.
    pub fn steps(&self) -> u32 {
        with_trainer!(self, trainer => trainer.steps())
    }

    /// Returns `true` if all steps were made.
    pub fn is_finished(&self) -> bool {
        self.done() >= self.steps()
    }

    /// Makes the next step.
    ///
    /// # Errors
    /// Returns the trainer's errors.
    pub async fn step(&mut self, yielder: &impl Yield) -> Result<Step, TrainError> {
        with_trainer!(self, trainer => trainer.step(yielder).await)
    }

    /// Measures on the held-out data; `None` if nothing was held out.
    ///
    /// # Errors
    /// Returns the trainer's errors.
    pub async fn validate(&mut self, yielder: &impl Yield) -> Result<Option<Validation>, TrainError> {
        match self {
            Self::Translator(trainer) => trainer.validate(yielder).await,
            Self::Restorer(trainer) => Ok(trainer.validate(yielder).await?.as_ref().map(drawn)),
        }
    }

    /// Writes the whole run.
    ///
    /// # Errors
    /// The sink refuses, or a tensor cannot be read from the device.
    pub async fn write(&self, sink: &mut impl Sink) -> Result<(), TrainError> {
        match self {
            Self::Translator(trainer) => translator::checkpoint::write(trainer, sink).await,
            Self::Restorer(trainer) => restorer::checkpoint::write(trainer, sink).await,
        }
    }

    /// Reads a run written by [`Run::write`]. `base` is the translator that adapters need.
    ///
    /// # Errors
    /// The file is damaged.
    pub async fn read(
        task: Task,
        name: &str,
        source: &mut impl Source,
        device: &Device,
        base: Option<&ByT5>,
    ) -> Result<Self, TrainError> {
        Ok(match task {
            Task::Translation => {
                Self::Translator(Box::new(translator::checkpoint::read(name, source, device, base).await?))
            }
            Task::Restoration => Self::Restorer(Box::new(restorer::checkpoint::read(name, source, device).await?)),
        })
    }
}

/// Converts a measurement of a restorer as the page draws it: in bits per sign.
fn drawn(measured: &RestorationValidation) -> Validation {
    Validation { after: measured.after, bits_per_byte: measured.loss / LN_2, bits: Vec::new(), bytes: Vec::new() }
}
