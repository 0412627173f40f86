//! The hyperbolic bias of a translator: attaching one to the base of a run, and attaching or removing one in a copy of
//! a stored model.

use super::stored_model;
use super::trained_model::TrainedModel;
use crate::errors;
use crate::job::Job;
use crate::models::opening::Candidate;
use crate::models::translator_files::TranslatorFiles;
use crate::storage::fetch::small;
use crate::storage::folder::beside_the_page;
use burn::tensor::Device;
use tuppum_nn::byt5::ByT5;
use tuppum_protocol::{BiasOrder, Failure, Origin};
use tuppum_tasks::translation::bias::BiasSettings;
use tuppum_train::translator::bias;

/// Maximum bytes of a file of points: twice those of one over signs. A longer file is not one of points.
const LONGEST: usize = 1 << 20;

/// Attaches a new bias over bytes in the first encoder layers, as a new model has it.
pub fn attach_usual(model: &mut ByT5, layers: usize) -> Result<(), Failure> {
    let usual = BiasSettings { layers, curvature: model.config().curvature, ..BiasSettings::default() };
    let points = bias::held(usual.points).ok_or_else(|| errors::internal("the usual points are not held"))?;
    bias::attach(model, &usual, points).map_err(errors::internal)
}

/// Attaches the bias that the user described, replacing the model's own.
///
/// # Errors
/// The bias does not fit the model, or its points cannot be fetched.
pub async fn attach(job: &Job, model: &mut ByT5, described: &BiasSettings) -> Result<(), Failure> {
    let attached = match bias::held(described.points) {
        Some(points) => bias::attach(model, described, points),
        None => {
            let file = format!("assets/{}", described.points.file());
            bias::attach(model, described, &small(&beside_the_page(&file), LONGEST, &job.token).await?)
        }
    };
    attached.map_err(errors::question)
}

/// Stores a copy of a translator with another bias, or without one; all other numbers stay the same.
///
/// # Errors
/// The model cannot be opened or is too large for the CPU, the bias does not fit it, or the browser has no room.
pub async fn store_copy(job: &Job, order: BiasOrder) -> Result<(), Failure> {
    let BiasOrder { model, name, bias } = order;
    if let Some(described) = &bias {
        described.check().map_err(errors::question)?;
    }
    let mut files = TranslatorFiles::open(job, &model, true).await?;
    let too_large = |needed| errors::too_large(needed, "a copy with another bias is made on the CPU");
    files.fits_processor().map_err(too_large)?;
    let mut copy = files.load(job, &Device::flex()).await?;
    match &bias {
        Some(described) => attach(job, &mut copy, described).await?,
        None if copy.detach().is_none() => {
            return Err(errors::question("This model has no hyperbolic bias that could be taken off."));
        }
        None => {}
    }
    stored_model::store(job, &name, Origin::Copied(model), &TrainedModel::Translator(Box::new(copy))).await
}
