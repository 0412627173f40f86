//! The folder of a run of a restorer: its checkpoint, its curve, its model.

use crate::cli::train::folder::{make, written};
use crate::model::restoration::training::{RestorationValidation, Step};
use crate::train::restorer::{Trainer, checkpoint, export};
use crate::weights::safetensors::Dtype;
use crate::weights::{FileSource, Model};
use burn::tensor::Device;
use futures_lite::future::block_on;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const CHECKPOINT: &str = "checkpoint.safetensors";

/// A run's folder.
#[derive(Debug)]
pub struct RestorerFolder {
    path: PathBuf,
}

impl RestorerFolder {
    /// Takes or makes the folder.
    ///
    /// # Errors
    /// What the system says.
    pub fn open(path: &Path) -> Result<Self, String> {
        make(path)?;
        Ok(Self { path: path.to_path_buf() })
    }

    /// The run that is in it, if any.
    ///
    /// # Errors
    /// What is wrong with its checkpoint.
    pub fn resume(&self, device: &Device) -> Result<Option<Trainer>, String> {
        let path = self.path.join(CHECKPOINT);
        if !path.exists() {
            return Ok(None);
        }
        let mut source = FileSource::open(&path).map_err(|error| error.to_string())?;
        block_on(checkpoint::read(CHECKPOINT, &mut source, device)).map(Some).map_err(|error| {
            format!("{}: {error}. Delete the file to begin anew; the base model is as it was.", path.display())
        })
    }

    /// Writes the checkpoint and the curve.
    ///
    /// # Errors
    /// What the system says.
    pub fn keep(&self, trainer: &Trainer) -> Result<(), String> {
        written(&self.path.join(CHECKPOINT), |sink| {
            block_on(checkpoint::write(trainer, sink)).map_err(|error| error.to_string())
        })?;
        self.write("curve.tsv", curve(trainer.curve(), trainer.validations()).as_bytes())
    }

    /// Writes the model as the shipped one is, into `model/`.
    ///
    /// # Errors
    /// What the system says.
    pub fn write_model(&self, model: &Model) -> Result<(), String> {
        let folder = self.path.join("model");
        make(&folder)?;
        let entry = written(&folder.join(export::WEIGHTS), |sink| {
            block_on(export::weights(&model.torso, Dtype::F32, sink)).map_err(|error| error.to_string())
        })?;
        let files = export::small_files(&model.torso, &model.vocabulary, entry).map_err(|error| error.to_string())?;
        for (name, bytes) in files {
            let path = folder.join(name);
            std::fs::write(&path, bytes).map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
        }
        Ok(())
    }

    /// Writes a small file.
    ///
    /// # Errors
    /// What the system says.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
        let path = self.path.join(name);
        std::fs::write(&path, bytes).map_err(|error| format!("{} cannot be written: {error}", path.display()))
    }
}

/// The curve as a table.
fn curve(steps: &[Step], validations: &[RestorationValidation]) -> String {
    let mut table = "step\tepoch\tloss\trate\tgradient_norm\ttokens\tsequences\tvalidation_loss\n".to_owned();
    for step in steps {
        let Step { number, epoch, loss, rate, gradient_norm, bytes, pairs, .. } = step;
        let measured = validations.iter().find(|found| found.after == *number);
        let measured = measured.map(|found| found.loss.to_string()).unwrap_or_default();
        // Writing into a string never fails.
        let _ = writeln!(table, "{number}\t{epoch}\t{loss}\t{rate:e}\t{gradient_norm}\t{bytes}\t{pairs}\t{measured}");
    }
    table
}
