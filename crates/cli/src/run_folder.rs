//! The folder of a run of any task: its checkpoint, the checksum of its base, its curve and its small files. Every file
//! is written under another name first and then renamed, so an interrupted run leaves whole files behind.

use crate::failure::{About, Result};
use futures_lite::future::block_on;
use std::fs::File;
use std::io::{BufWriter, ErrorKind};
use std::path::{Path, PathBuf};
use tuppum_train::TrainError;
use tuppum_weights::FileSource;
use tuppum_weights::storage::WriteSink;

const CHECKPOINT: &str = "checkpoint.safetensors";
/// Name of the file with the checksum of the model that the run began with.
const BASE: &str = "base.sha256";
const UNFINISHED: &str = "unfinished";

/// A file that is being written.
pub type Writing = WriteSink<BufWriter<File>>;

/// A run's folder.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
}

impl RunFolder {
    /// Opens the folder, or makes it.
    ///
    /// # Errors
    /// Error of the operating system.
    pub fn open(path: &Path) -> Result<Self> {
        std::fs::create_dir_all(path).cannot("be written into", path)?;
        Ok(Self { path: path.to_path_buf() })
    }

    /// Opens the folder, inside this one, for the trained model.
    ///
    /// # Errors
    /// Error of the operating system.
    pub fn model(&self) -> Result<Self> {
        Self::open(&self.path.join("model"))
    }

    /// Returns the run in this folder, if any. `read` makes a run of the checkpoint; its second argument is the name
    /// for errors.
    ///
    /// # Errors
    /// What is wrong with the checkpoint.
    pub fn resume<T>(
        &self,
        read: impl AsyncFnOnce(&str, &mut FileSource) -> Result<T, TrainError>,
    ) -> Result<Option<T>> {
        let path = self.path.join(CHECKPOINT);
        if !path.exists() {
            return Ok(None);
        }
        let mut source = FileSource::open(&path)?;
        block_on(read(CHECKPOINT, &mut source)).map(Some).map_err(|error| {
            format!("{}: {error}. Delete the file to begin anew; the base model is as it was.", path.display()).into()
        })
    }

    /// Checks that the run in the folder began with the base of this checksum; notes the checksum if there is no run
    /// yet. Returns `true` if the base is known: older versions noted none, and their runs continue with the base they
    /// are given. `advice` ends the error.
    ///
    /// # Errors
    /// When the run began with another base; what the system says.
    pub fn begin_with(&self, checksum: &str, advice: &str) -> Result<bool> {
        let path = self.path.join(BASE);
        if !self.path.join(CHECKPOINT).exists() {
            return self.write(BASE, checksum.as_bytes()).map(|()| true);
        }
        match std::fs::read_to_string(&path) {
            Ok(noted) if noted.trim() == checksum => Ok(true),
            Ok(_) => Err(format!(
                "{} holds a run that began with another base: its weights or the points of its bias have another \
                 checksum than {BASE} says; {advice}",
                self.path.display()
            )
            .into()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error).cannot("be read", &path),
        }
    }

    /// Writes the checkpoint, and the curve as a table.
    ///
    /// # Errors
    /// Error of the operating system or of `write`.
    pub fn keep(&self, write: impl AsyncFnOnce(&mut Writing) -> Result<(), TrainError>, curve: &str) -> Result<()> {
        self.fill(CHECKPOINT, write)?;
        self.write("curve.tsv", curve.as_bytes())
    }

    /// Writes a file piece by piece.
    ///
    /// # Errors
    /// Error of the operating system or of `write`, with the name.
    pub fn fill<T>(&self, name: &str, write: impl AsyncFnOnce(&mut Writing) -> Result<T, TrainError>) -> Result<T> {
        let (path, beside) = self.names(name);
        let file = File::create(&beside).cannot("be written", &path)?;
        let mut sink = WriteSink::new(beside.display().to_string(), BufWriter::new(file));
        let found = block_on(write(&mut sink)).cannot("be written", &path)?;
        let file = sink.finish().cannot("be written", &path)?.into_inner().cannot("be written", &path)?;
        file.sync_all().cannot("be written", &path)?;
        std::fs::rename(&beside, &path).cannot("be written", &path)?;
        Ok(found)
    }

    /// Writes a small file.
    ///
    /// # Errors
    /// Error of the operating system.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let (path, beside) = self.names(name);
        std::fs::write(&beside, bytes).cannot("be written", &path)?;
        std::fs::rename(&beside, &path).cannot("be written", &path)
    }

    /// Removes the checkpoint of a run whose result is written, and the checksum of its base.
    pub fn forget(&self) {
        for name in [CHECKPOINT, BASE] {
            let _ = std::fs::remove_file(self.path.join(name));
        }
    }

    /// Returns the final path of a file, and its path while it is being written.
    fn names(&self, name: &str) -> (PathBuf, PathBuf) {
        (self.path.join(name), self.path.join(format!("{name}.{UNFINISHED}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a folder of its own for a test.
    fn folder(name: &str) -> (PathBuf, RunFolder) {
        let path = std::env::temp_dir().join(format!("tuppum-run-folder-{name}-{}", std::process::id()));
        let folder = RunFolder::open(&path).unwrap();
        (path, folder)
    }

    #[test]
    fn a_file_takes_the_place_of_the_older_one_at_once() {
        let (path, folder) = folder("at-once");
        folder.write("curve.tsv", b"older").unwrap();
        // Another name of the older file keeps what was in it: nothing was written over it.
        std::fs::hard_link(path.join("curve.tsv"), path.join("older")).unwrap();
        folder.write("curve.tsv", b"newer").unwrap();
        let failed = folder.fill("curve.tsv", async |_| Err::<(), _>(TrainError::Finished)).unwrap_err().to_string();
        assert!(failed.contains("curve.tsv cannot be written"), "{failed}");
        let read = |name: &str| std::fs::read_to_string(path.join(name)).unwrap();
        assert_eq!((read("older").as_str(), read("curve.tsv").as_str()), ("older", "newer"));
        std::fs::remove_dir_all(path).unwrap();
    }

    #[test]
    fn a_run_goes_on_with_its_own_base_only() {
        let (path, folder) = folder("base");
        let begin = |checksum: &str| folder.begin_with(checksum, "give its own.").map_err(|error| error.to_string());
        // Nothing was kept yet: the run may begin with whatever there is.
        assert_eq!((begin("one"), begin("two")), (Ok(true), Ok(true)));
        folder.keep(async |_| Ok(()), "step\n").unwrap();
        assert_eq!(begin("two"), Ok(true));
        let message = begin("one").unwrap_err();
        assert!(message.contains("began with another base") && message.ends_with("give its own."), "{message}");
        // As older versions left it.
        std::fs::remove_file(path.join(BASE)).unwrap();
        assert_eq!(begin("one"), Ok(false));
        std::fs::remove_dir_all(path).unwrap();
    }

    #[test]
    fn a_folder_without_a_checkpoint_holds_no_run() {
        let (path, folder) = folder("no-run");
        assert_eq!(folder.resume(async |_, _| Ok(())).unwrap(), None);
        folder.keep(async |_| Ok(()), "step\n").unwrap();
        assert_eq!(folder.resume(async |name, _| Ok(name.to_owned())).unwrap().as_deref(), Some(CHECKPOINT));
        let cut = folder.resume(async |_, _| Err::<(), _>(TrainError::Finished)).unwrap_err().to_string();
        assert!(cut.contains("Delete the file to begin anew"), "{cut}");
        folder.forget();
        assert_eq!(folder.resume(async |_, _| Ok(())).unwrap(), None);
        std::fs::remove_dir_all(path).unwrap();
    }
}
