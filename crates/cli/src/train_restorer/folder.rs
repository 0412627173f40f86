//! Files in the folder of a run of a restorer.

use crate::failure::Result;
use crate::run_folder::RunFolder;
use crate::run_loop::FolderTask;
use std::fmt::Write as _;
use tuppum_domain::restoration::training::{RestorationValidation, Step};
use tuppum_train::restorer::{RestorerTask, export};
use tuppum_weights::Model;
use tuppum_weights::safetensors::Dtype;

/// Writes the model into `model/`, in the layout of the shipped one.
///
/// # Errors
/// Error of the operating system.
pub fn write_model(folder: &RunFolder, model: &Model) -> Result<()> {
    let folder = folder.model()?;
    let entry = folder.fill(export::WEIGHTS, async |sink| export::weights(&model.torso, Dtype::F32, sink).await)?;
    let files = export::small_files(&model.torso, &model.vocabulary, entry)?;
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
