//! The description in the file of a translator's run: the size of the model and the plan. A run that trains only
//! adapters or only the bias stores just these: its base model must be given again, and the bias is attached to it as
//! stored in the file. Points that learn are stored twice, in their current place and where the run began.

use super::adapters::LoraAdapters;
use super::task::TranslatorTask;
use crate::checkpoint::{self, CheckpointTask};
use crate::error::{FitError, TrainError};
use crate::run_file::Reader;
use crate::task::TrainingTask;
use crate::trainer::Trainer;
use burn::tensor::{Device, Tensor};
use serde::{Deserialize, Serialize};
use tuppum_domain::translation::training::{TranslatorPart, TranslatorTrainingPlan};
use tuppum_nn::byt5::checkpoint_names::{ALPHA, POINTS, SHARED};
use tuppum_nn::byt5::{
    BALL_DIMENSIONS, ByT5, ByT5Builder, ByT5Config, ByT5ParameterSpec, GeometryLevel, HyperbolicBias,
};
use tuppum_weights::{Source, WeightsError};

pub use crate::checkpoint::write;

/// Name of the points as the run began with them. Its prefix marks it as no weight of the model.
const POINTS_START: &str = "run.start.geometry.points";

/// Size of the model, and the plan.
#[derive(Serialize, Deserialize)]
pub struct Description {
    config: ByT5Config,
    plan: TranslatorTrainingPlan,
    /// Number of steps that the points have made, if they learn; older versions stored no moments of points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    points_steps: Option<u32>,
}

/// Reads a run that [`write`] wrote. `name` is the file's name in errors; `base` is the model that the run began with,
/// which only a run of adapters or of the bias alone needs.
///
/// # Errors
/// As for [`checkpoint::read`]; [`TrainError::Fit`] when a run that needs its base is given none or one of another
/// size.
pub async fn read(
    name: &str,
    source: &mut impl Source,
    device: &Device,
    base: Option<&ByT5>,
) -> Result<Trainer<TranslatorTask>, TrainError> {
    checkpoint::read(name, source, device, base).await
}

impl CheckpointTask for TranslatorTask {
    type Group = TranslatorPart;
    type Description = Description;
    type Base = ByT5;

    fn description(&self) -> Description {
        let mut config = self.model.config().clone();
        if let Some(geometry) = self.model.geometry() {
            (config.geometry_layers, config.curvature) = (geometry.layers(), geometry.curvature());
        }
        let points_steps = self.points.as_ref().map(|points| points.steps);
        Description { config, plan: self.plan.clone(), points_steps }
    }

    fn tensors(&self) -> Vec<(ByT5ParameterSpec, Tensor<2>)> {
        self.model().tensors()
    }

    fn is_stored(&self, place: &ByT5ParameterSpec) -> bool {
        !self.plan.settings.keeps_the_base() || place.is_of_bias()
    }

    fn adapters(&self) -> Vec<(String, Tensor<2>)> {
        let factors = self.adapters.iter().flat_map(LoraAdapters::factors);
        factors.map(|(name, tensor)| (name, tensor.clone())).collect()
    }

    fn kept(&self) -> Vec<(String, Tensor<2>)> {
        self.points.iter().map(|points| (POINTS_START.to_owned(), points.start.clone())).collect()
    }

    async fn read<S: Source>(
        reader: &mut Reader<'_, S>,
        Description { config, plan, points_steps }: Description,
        base: Option<&ByT5>,
        device: &Device,
    ) -> Result<Self, TrainError> {
        // Older versions wrote the whole model even if only the bias trained.
        let is_whole = reader.weights().iter().any(|name| name == SHARED);
        let model = match base {
            _ if is_whole || !plan.settings.keeps_the_base() => whole(reader, &config, device).await?,
            Some(base) => with_bias(reader, base, &config, device).await?,
            None => return Err(FitError::NoBase.into()),
        };
        let mut task = Self::new(&model, plan)?;
        for (name, _) in CheckpointTask::adapters(&task) {
            let values = reader.values(&name).await?.unwrap_or_default();
            if let Some(adapters) = &mut task.adapters {
                adapters.put(&name, values, device)?;
            }
        }
        if let Some(points) = &mut task.points {
            let start = reader.values(POINTS_START).await?;
            points.go_on(start, points_steps.unwrap_or_default()).map_err(|problem| reader.wrong(problem))?;
        }
        task.settle();
        Ok(task)
    }
}

/// Reads the model that the run trains.
async fn whole<S: Source>(
    reader: &mut Reader<'_, S>,
    config: &ByT5Config,
    device: &Device,
) -> Result<ByT5, TrainError> {
    config.check().map_err(|problem| reader.wrong(problem))?;
    let mut builder = ByT5Builder::new(config.clone(), device.clone());
    for name in reader.weights() {
        let values = reader.values(&name).await?.unwrap_or_default();
        builder.put(&name, values).map_err(|error| WeightsError::Header(error.to_string()))?;
    }
    Ok(builder.build().map_err(|error| WeightsError::Header(error.to_string()))?)
}

/// Returns the model that the run began with, with the bias as stored in the run.
async fn with_bias<S: Source>(
    reader: &mut Reader<'_, S>,
    base: &ByT5,
    config: &ByT5Config,
    device: &Device,
) -> Result<ByT5, TrainError> {
    let size = |config: &ByT5Config| ByT5Config {
        geometry_layers: 0,
        curvature: 1.0,
        geometry_level: GeometryLevel::Byte,
        calibration: None,
        ..config.clone()
    };
    if size(base.config()) != size(config) {
        return Err(FitError::OtherBase.into());
    }
    let mut model = base.clone();
    let bias = (reader.values(POINTS).await?, reader.values(ALPHA).await?);
    if let (Some(points), Some(alpha)) = bias {
        let alpha = alpha.first().copied().ok_or_else(|| reader.wrong(format!("{ALPHA} is empty")))?;
        let (layers, curvature) = (config.geometry_layers, config.curvature);
        let geometry = HyperbolicBias::new(points, BALL_DIMENSIONS, alpha, layers, curvature, device);
        model.attach_over(geometry.map_err(|problem| reader.wrong(problem.to_string()))?, config.geometry_level);
    }
    Ok(model)
}
