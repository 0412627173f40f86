//! A run as the loop sees it, be it of a translator or of a restorer.

use burn::tensor::Device;
use std::f64::consts::LN_2;
use tuppum_nn::byt5::ByT5;
use tuppum_nn::yielding::Yield;
use tuppum_protocol::Task;
use tuppum_tasks::restoration::training::RestorationValidation;
use tuppum_tasks::translation::training::{Step, Validation};
use tuppum_train::TrainError;
use tuppum_train::{restorer, translator};
use tuppum_weights::Source;
use tuppum_weights::storage::Sink;

/// A run.
pub enum Run {
    /// Run of a translator.
    Translator(Box<translator::TranslatorTrainer>),
    /// Run of a restorer.
    Restorer(Box<restorer::RestorerTrainer>),
}

impl Run {
    /// Task that the run trains for.
    pub fn task(&self) -> Task {
        match self {
            Self::Translator(_) => Task::Translation,
            Self::Restorer(_) => Task::Restoration,
        }
    }

    /// Number of parameters of its model.
    pub fn parameters(&self) -> u64 {
        match self {
            Self::Translator(trainer) => trainer.model().parameter_count(),
            Self::Restorer(trainer) => trainer.model().config().parameter_count(),
        }
    }

    /// Number of parameters that train.
    pub fn trained(&self) -> u64 {
        match self {
            Self::Translator(trainer) => trainer.trained(),
            Self::Restorer(trainer) => trainer.trained(),
        }
    }

    /// How many pairs train, or texts, and how many are set aside.
    pub fn sides(&self) -> [usize; 2] {
        match self {
            Self::Translator(trainer) => trainer.plan().split().map(|side| side.len()),
            Self::Restorer(trainer) => trainer.plan().split().map(|side| side.len()),
        }
    }

    /// Has each batch computed in so many parts, which takes less memory the more there are.
    pub fn compute_in_parts(&mut self, parts: usize) {
        match self {
            Self::Translator(trainer) => trainer.compute_in_parts(parts),
            Self::Restorer(trainer) => trainer.compute_in_parts(parts),
        }
    }

    /// In how many parts each batch is computed.
    pub fn parts(&self) -> usize {
        match self {
            Self::Translator(trainer) => trainer.plan().settings.parts,
            Self::Restorer(trainer) => trainer.plan().settings.parts,
        }
    }

    /// The steps that were made.
    pub fn curve(&self) -> &[Step] {
        match self {
            Self::Translator(trainer) => trainer.curve(),
            Self::Restorer(trainer) => trainer.curve(),
        }
    }

    /// What was measured on the way, as the page draws it.
    pub fn validations(&self) -> Vec<Validation> {
        match self {
            Self::Translator(trainer) => trainer.validations().to_vec(),
            Self::Restorer(trainer) => trainer.validations().iter().map(drawn).collect(),
        }
    }

    /// After how many steps it was measured last.
    pub fn measured(&self) -> Option<u32> {
        match self {
            Self::Translator(trainer) => trainer.validations().last().map(|last| last.after),
            Self::Restorer(trainer) => trainer.validations().last().map(|last| last.after),
        }
    }

    /// Number of steps made.
    pub fn done(&self) -> u32 {
        self.curve().len() as u32
    }

    /// Number of steps of the whole run.
    pub fn steps(&self) -> u32 {
        match self {
            Self::Translator(trainer) => trainer.steps(),
            Self::Restorer(trainer) => trainer.steps(),
        }
    }

    /// Whether all steps were made.
    pub fn is_finished(&self) -> bool {
        self.done() >= self.steps()
    }

    /// Makes the next step.
    ///
    /// # Errors
    /// Those of the trainer.
    pub async fn step(&mut self, yielder: &impl Yield) -> Result<Step, TrainError> {
        match self {
            Self::Translator(trainer) => trainer.step(yielder).await,
            Self::Restorer(trainer) => trainer.step(yielder).await,
        }
    }

    /// Measures on what was set aside; `None` where nothing was.
    ///
    /// # Errors
    /// Those of the trainer.
    pub async fn validate(&mut self, yielder: &impl Yield) -> Result<Option<Validation>, TrainError> {
        match self {
            Self::Translator(trainer) => trainer.validate(yielder).await,
            Self::Restorer(trainer) => Ok(trainer.validate(yielder).await?.as_ref().map(drawn)),
        }
    }

    /// Writes all of it.
    ///
    /// # Errors
    /// When the sink refuses, or a tensor cannot be read from the device.
    pub async fn write(&self, sink: &mut impl Sink) -> Result<(), TrainError> {
        match self {
            Self::Translator(trainer) => translator::checkpoint::write(trainer, sink).await,
            Self::Restorer(trainer) => restorer::checkpoint::write(trainer, sink).await,
        }
    }

    /// Reads what [`Run::write`] wrote. `base` is the translator that adapters need.
    ///
    /// # Errors
    /// What is wrong with the file.
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

/// A measurement of a restorer as the page draws it: in bits per sign.
fn drawn(measured: &RestorationValidation) -> Validation {
    Validation { after: measured.after, bits_per_byte: measured.loss / LN_2, bits: Vec::new(), bytes: Vec::new() }
}
