//! The trained model as files, for the browser's storage or the user's device.

use super::run::Run;
use crate::models::model_files::MANIFEST;
use tuppum_nn::byt5::ByT5;
use tuppum_nn::torso::Torso;
use tuppum_protocol::Task;
use tuppum_text::tokens::Vocabulary;
use tuppum_train::TrainError;
use tuppum_train::restorer::export as restorer;
use tuppum_train::translator::export;
use tuppum_weights::FileEntry;
use tuppum_weights::safetensors::Dtype;
use tuppum_weights::sink::Sink;

/// Model of a run.
pub enum TrainedModel<'r> {
    /// Translator.
    Translator(Box<ByT5>),
    /// Restorer with its vocabulary.
    Restorer(Box<Torso>, &'r Vocabulary),
}

impl<'r> TrainedModel<'r> {
    /// Returns the model after the steps made so far.
    pub fn of(run: &'r Run) -> Self {
        match run {
            Run::Translator(trainer) => Self::Translator(Box::new(trainer.model())),
            Run::Restorer(trainer) => Self::Restorer(Box::new(trainer.model()), trainer.vocabulary()),
        }
    }

    /// Returns the task of the model.
    pub fn task(&self) -> Task {
        match self {
            Self::Translator(_) => Task::Translation,
            Self::Restorer(..) => Task::Restoration,
        }
    }

    /// Returns the number of parameters.
    pub fn parameters(&self) -> u64 {
        match self {
            Self::Translator(model) => model.parameter_count(),
            Self::Restorer(torso, _) => torso.config().parameter_count(),
        }
    }

    /// Returns the short files with their names.
    ///
    /// # Errors
    /// The configuration cannot be written.
    pub fn short_files(&self) -> Result<Vec<(&'static str, Vec<u8>)>, TrainError> {
        match self {
            Self::Translator(model) => Ok(vec![("config.json", export::config(model)?)]),
            Self::Restorer(torso, vocabulary) => {
                // The entry of the weights is for a manifest, which a user's model lacks.
                let nothing = FileEntry { name: restorer::WEIGHTS.to_owned(), bytes: 0, sha256: String::new() };
                let files = restorer::small_files(torso, vocabulary, nothing)?;
                Ok(files.into_iter().filter(|(name, _)| *name != MANIFEST).collect())
            }
        }
    }

    /// Returns the name of the weights file.
    pub fn weights_file(&self) -> &'static str {
        match self {
            Self::Translator(_) => "model.safetensors",
            Self::Restorer(..) => restorer::WEIGHTS,
        }
    }

    /// Writes the weights in 32 bits.
    ///
    /// # Errors
    /// The sink refuses, or a tensor cannot be read from the device.
    pub async fn weights(&self, sink: &mut impl Sink) -> Result<(), TrainError> {
        match self {
            Self::Translator(model) => export::weights(model, Dtype::F32, sink).await.map(|_| ()),
            Self::Restorer(torso, _) => restorer::weights(torso, Dtype::F32, sink).await.map(|_| ()),
        }
    }
}
