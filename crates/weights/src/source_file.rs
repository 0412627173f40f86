//! Reads bytes of a file on disk. A browser has no such files; the engine has a source of its own.

use super::source::{Source, SourceError};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// Open file on disk.
#[derive(Debug)]
pub struct FileSource {
    file: File,
    length: u64,
    name: String,
}

impl FileSource {
    /// Opens the file.
    ///
    /// # Errors
    /// The system's message, with the path.
    pub fn open(path: &Path) -> Result<Self, SourceError> {
        let name = path.display().to_string();
        let said = |error: std::io::Error| SourceError(format!("{name}: {error}"));
        let file = File::open(path).map_err(said)?;
        let length = file.metadata().map_err(said)?.len();
        Ok(Self { file, length, name })
    }
}

impl Source for FileSource {
    fn length(&self) -> u64 {
        self.length
    }

    async fn read(&mut self, offset: u64, length: usize) -> Result<Vec<u8>, SourceError> {
        let mut bytes = vec![0; length];
        self.file
            .seek(SeekFrom::Start(offset))
            .and_then(|_| self.file.read_exact(&mut bytes))
            .map_err(|error| SourceError(format!("{}: {error}", self.name)))?;
        Ok(bytes)
    }
}
