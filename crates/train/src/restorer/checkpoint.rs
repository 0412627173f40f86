//! The description in the file of a restorer's run: size and tokens of the torso, and the plan.

use super::task::{RestorerTask, tokens};
use crate::checkpoint::{self, CheckpointTask};
use crate::error::TrainError;
use crate::run_file::Reader;
use crate::trainer::Trainer;
use burn::tensor::{Device, Tensor};
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use tuppum_domain::restoration::training::RestorerTrainingPlan;
use tuppum_nn::torso::{TorsoBuilder, TorsoConfig, TorsoParameterSpec, TorsoPart};
use tuppum_text::tokens::Vocabulary;
use tuppum_weights::{Source, WeightsError};

pub use crate::checkpoint::write;

/// Size and tokens of the torso, and the plan.
#[derive(Serialize, Deserialize)]
pub struct Description {
    config: TorsoConfig,
    vocabulary: Vec<String>,
    plan: RestorerTrainingPlan,
}

/// Reads a run that [`write`] wrote. `name` is the file's name in errors.
///
/// # Errors
/// As for [`checkpoint::read`].
pub async fn read(name: &str, source: &mut impl Source, device: &Device) -> Result<Trainer<RestorerTask>, TrainError> {
    checkpoint::read(name, source, device, None).await
}

impl CheckpointTask for RestorerTask {
    type Group = TorsoPart;
    type Description = Description;
    type Base = Infallible;

    fn description(&self) -> Description {
        let config = self.torso.config().clone();
        Description { config, vocabulary: tokens(&self.vocabulary), plan: self.plan.clone() }
    }

    fn tensors(&self) -> Vec<(TorsoParameterSpec, Tensor<2>)> {
        self.torso.tensors()
    }

    async fn read<S: Source>(
        reader: &mut Reader<'_, S>,
        Description { config, vocabulary, plan }: Description,
        _: Option<&Infallible>,
        device: &Device,
    ) -> Result<Self, TrainError> {
        config.check().map_err(|error| reader.wrong(error))?;
        let vocabulary = Vocabulary::new(vocabulary).map_err(|error| reader.wrong(error))?;
        let mut builder = TorsoBuilder::new(config, device.clone());
        for name in reader.weights() {
            let values = reader.values(&name).await?.unwrap_or_default();
            builder.put(&name, values).map_err(|error| WeightsError::Header(error.to_string()))?;
        }
        let torso = builder.build().map_err(|error| WeightsError::Header(error.to_string()))?;
        Self::new(&torso, &vocabulary, plan)
    }
}
