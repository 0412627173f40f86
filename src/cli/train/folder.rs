//! The folder of a run: its checkpoint, its curve, its model. Every file is written under another name first and then takes its
//! place at once.

use crate::model::byt5::ByT5;
use crate::model::translation::training::{Step, Validation};
use crate::train::translator::{Trainer, checkpoint, export};
use crate::weights::FileSource;
use crate::weights::safetensors::Dtype;
use crate::weights::sink::WriteSink;
use burn::tensor::Device;
use futures_lite::future::block_on;
use std::fmt::Write as _;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

const CHECKPOINT: &str = "checkpoint.safetensors";
const UNFINISHED: &str = "unfinished";

/// A run's folder.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
}

/// Makes a folder where there is none.
///
/// # Errors
/// What the system says.
pub fn make(folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("{} cannot be written into: {error}", folder.display()))
}

/// Writes a file under another name, which then takes its place at once.
///
/// # Errors
/// What the system or `write` says, with the name.
pub fn written<T>(
    path: &Path,
    write: impl FnOnce(&mut WriteSink<BufWriter<File>>) -> Result<T, String>,
) -> Result<T, String> {
    let beside = path.with_extension(UNFINISHED);
    let fail = |error: &dyn std::fmt::Display| format!("{} cannot be written: {error}", path.display());
    let file = File::create(&beside).map_err(|error| fail(&error))?;
    let mut sink = WriteSink::new(beside.display().to_string(), BufWriter::new(file));
    let found = write(&mut sink).map_err(|error| fail(&error))?;
    let file = sink.finish().map_err(|error| fail(&error))?.into_inner().map_err(|error| fail(&error))?;
    file.sync_all().map_err(|error| fail(&error))?;
    std::fs::rename(&beside, path).map_err(|error| fail(&error))?;
    Ok(found)
}

impl RunFolder {
    /// Takes or makes the folder.
    ///
    /// # Errors
    /// What the system says.
    pub fn open(path: &Path) -> Result<Self, String> {
        make(path)?;
        Ok(Self { path: path.to_path_buf() })
    }

    /// The run that is in it, if any. A run of additions goes on with its `base`.
    ///
    /// # Errors
    /// What is wrong with its checkpoint.
    pub fn resume(&self, device: &Device, base: Option<&ByT5>) -> Result<Option<Trainer>, String> {
        let path = self.path.join(CHECKPOINT);
        if !path.exists() {
            return Ok(None);
        }
        let mut source = FileSource::open(&path).map_err(|error| error.to_string())?;
        let found = block_on(checkpoint::read(CHECKPOINT, &mut source, device, base));
        found.map(Some).map_err(|error| {
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

    /// Writes the model as Hugging Face has it, into `model/`.
    ///
    /// # Errors
    /// What the system says.
    pub fn write_model(&self, model: &ByT5) -> Result<(), String> {
        let folder = self.path.join("model");
        make(&folder)?;
        written(&folder.join("model.safetensors"), |sink| {
            block_on(export::weights(model, Dtype::F32, sink)).map_err(|error| error.to_string())
        })?;
        let config = export::config(model).map_err(|error| error.to_string())?;
        let path = folder.join("config.json");
        std::fs::write(&path, config).map_err(|error| format!("{} cannot be written: {error}", path.display()))
    }

    /// Writes a small file.
    ///
    /// # Errors
    /// What the system says.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
        let path = self.path.join(name);
        let beside = self.path.join(format!("{name}.{UNFINISHED}"));
        let fail = |error: std::io::Error| format!("{} cannot be written: {error}", path.display());
        std::fs::write(&beside, bytes).map_err(fail)?;
        std::fs::rename(&beside, &path).map_err(fail)
    }

    /// Takes the checkpoint away, of a run whose result is written.
    pub fn forget(&self) {
        let _ = std::fs::remove_file(self.path.join(CHECKPOINT));
    }
}

/// The curve as a table, a row per step; what was measured on held-out pairs stands after the step that it followed.
fn curve(steps: &[Step], validations: &[Validation]) -> String {
    let mut table =
        "step\tepoch\tloss\trate\tgradient_norm\talpha\tbytes\tpairs\tvalidation_bits_per_byte\n".to_owned();
    for step in steps {
        let Step { number, epoch, loss, rate, gradient_norm, alpha, bytes, pairs, .. } = step;
        let alpha = alpha.map(|alpha| alpha.to_string()).unwrap_or_default();
        let measured = validations.iter().find(|found| found.after == *number);
        let measured = measured.map(|found| found.bits_per_byte.to_string()).unwrap_or_default();
        // Writing into a string never fails.
        let _ = writeln!(
            table,
            "{number}\t{epoch}\t{loss}\t{rate:e}\t{gradient_norm}\t{alpha}\t{bytes}\t{pairs}\t{measured}"
        );
    }
    table
}
