//! The tasks that commands train, translator and restorer: what each writes into the folder of its run.

use crate::failure::Result;
use crate::run_folder::RunFolder;
use std::fmt::Write as _;
use tuppum_domain::restoration::training::RestorationValidation;
use tuppum_domain::translation::points::PointsMoved;
use tuppum_domain::translation::training::{Step, Validation};
use tuppum_nn::byt5::ByT5;
use tuppum_train::checkpoint::CheckpointTask;
use tuppum_train::restorer::{self, RestorerTask};
use tuppum_train::translator::{TranslatorTask, export};
use tuppum_weights::Model;
use tuppum_weights::safetensors::Dtype;

/// A task that a command trains.
pub trait FolderTask: CheckpointTask {
    /// `true` if the run measures its model after the last step too; commands that compare the models themselves do
    /// without.
    const MEASURES_AT_END: bool;

    /// Returns the curve as a table, a row for each step; measurements stand in the row of the step before them.
    fn curve(steps: &[Step], validations: &[Self::Validation]) -> String;
}

/// Writes the model into `model/`, in Hugging Face's layout.
///
/// # Errors
/// Error of the operating system.
pub fn write_translator(folder: &RunFolder, model: &ByT5) -> Result<()> {
    write_into(&folder.model()?, model)
}

/// Writes the model into the folder itself, in Hugging Face's layout.
///
/// # Errors
/// Error of the operating system.
pub fn write_into(folder: &RunFolder, model: &ByT5) -> Result<()> {
    folder.fill("model.safetensors", async |sink| export::weights(model, Dtype::F32, sink).await)?;
    let config = export::config(model)?;
    folder.write("config.json", &config)
}

impl FolderTask for TranslatorTask {
    const MEASURES_AT_END: bool = true;

    fn curve(steps: &[Step], validations: &[Validation]) -> String {
        let mut table =
            "step\tepoch\tloss\trate\tgradient_norm\talpha\tbytes\tpairs\tvalidation_bits_per_byte\tpoints_mean\t\
             points_largest\tpoints_gradient\n"
                .to_owned();
        for step in steps {
            let Step { number, epoch, loss, rate, gradient_norm, alpha, points, bytes, pairs, .. } = step;
            let alpha = alpha.map(|alpha| alpha.to_string()).unwrap_or_default();
            let measured = validations.iter().find(|found| found.after == *number);
            let measured = measured.map(|found| found.bits_per_byte.to_string()).unwrap_or_default();
            let points = points.map_or("\t\t".to_owned(), |PointsMoved { mean, largest, gradient }| {
                format!("{mean}\t{largest}\t{gradient}")
            });
            // Writing into a string never fails.
            let _ = writeln!(
                table,
                "{number}\t{epoch}\t{loss}\t{rate:e}\t{gradient_norm}\t{alpha}\t{bytes}\t{pairs}\t{measured}\t{points}"
            );
        }
        table
    }
}

/// Writes the model into `model/`, in the layout of the shipped one.
///
/// # Errors
/// Error of the operating system.
pub fn write_restorer(folder: &RunFolder, model: &Model) -> Result<()> {
    let folder = folder.model()?;
    let entry = folder.fill(restorer::export::WEIGHTS, async |sink| {
        restorer::export::weights(&model.torso, Dtype::F32, sink).await
    })?;
    let files = restorer::export::small_files(&model.torso, &model.vocabulary, entry)?;
    files.iter().try_for_each(|(name, bytes)| folder.write(name, bytes))
}

impl FolderTask for RestorerTask {
    // The comparison with the base measures everything that was held out.
    const MEASURES_AT_END: bool = false;

    fn curve(steps: &[Step], validations: &[RestorationValidation]) -> String {
        let mut table = "step\tepoch\tloss\trate\tgradient_norm\ttokens\tsequences\tvalidation_loss\n".to_owned();
        for step in steps {
            let Step { number, epoch, loss, rate, gradient_norm, bytes, pairs, .. } = step;
            let measured = validations.iter().find(|found| found.after == *number);
            let measured = measured.map(|found| found.loss.to_string()).unwrap_or_default();
            // Writing into a string never fails.
            let _ =
                writeln!(table, "{number}\t{epoch}\t{loss}\t{rate:e}\t{gradient_norm}\t{bytes}\t{pairs}\t{measured}");
        }
        table
    }
}
