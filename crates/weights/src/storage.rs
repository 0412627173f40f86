//! The traits for storage that bytes are read from and written to, and their implementations in memory and on disk.

use std::fmt;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Message of the storage when bytes could not be read or written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceError(pub String);

impl fmt::Display for SourceError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.0)
    }
}

impl std::error::Error for SourceError {}

/// Bytes of known length that can be read piece by piece.
#[allow(async_fn_in_trait)] // one thread in the worker; nobody needs `Send` here
pub trait Source {
    /// Returns the number of bytes.
    fn length(&self) -> u64;

    /// Returns exactly `length` bytes from `offset` on.
    ///
    /// # Errors
    /// The message of the storage; an error also if there are fewer bytes.
    async fn read(&mut self, offset: u64, length: usize) -> Result<Vec<u8>, SourceError>;
}

impl<S: Source> Source for &mut S {
    fn length(&self) -> u64 {
        (**self).length()
    }

    async fn read(&mut self, offset: u64, length: usize) -> Result<Vec<u8>, SourceError> {
        (**self).read(offset, length).await
    }
}

/// Source in memory.
#[derive(Clone, Debug)]
pub struct MemorySource<B> {
    bytes: B,
}

impl<B: AsRef<[u8]>> MemorySource<B> {
    /// Creates a source of these bytes.
    pub fn new(bytes: B) -> Self {
        Self { bytes }
    }
}

impl<B: AsRef<[u8]>> Source for MemorySource<B> {
    fn length(&self) -> u64 {
        self.bytes.as_ref().len() as u64
    }

    async fn read(&mut self, offset: u64, length: usize) -> Result<Vec<u8>, SourceError> {
        let bytes = self.bytes.as_ref();
        usize::try_from(offset)
            .ok()
            .and_then(|start| bytes.get(start..start.checked_add(length)?))
            .map(<[u8]>::to_vec)
            .ok_or_else(|| SourceError(format!("{length} bytes wanted at {offset}, but there are {}", bytes.len())))
    }
}

/// Open file on disk. A browser has no such files; the engine has a source of its own.
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

/// Storage that bytes are written to from front to back.
#[allow(async_fn_in_trait)] // one thread in the worker; nobody needs `Send` here
pub trait Sink {
    /// Writes these bytes.
    ///
    /// # Errors
    /// The message of the storage.
    async fn write(&mut self, bytes: &[u8]) -> Result<(), SourceError>;
}

impl Sink for Vec<u8> {
    async fn write(&mut self, bytes: &[u8]) -> Result<(), SourceError> {
        self.extend_from_slice(bytes);
        Ok(())
    }
}

/// Sink that discards everything, for the checksum of a file that is not written.
impl Sink for () {
    async fn write(&mut self, _: &[u8]) -> Result<(), SourceError> {
        Ok(())
    }
}

/// Sink for a file on disk, or any other [`Write`].
#[derive(Debug)]
pub struct WriteSink<W> {
    name: String,
    out: W,
}

impl<W: Write> WriteSink<W> {
    /// Creates a sink for `out`, which errors call `name`.
    pub fn new(name: impl Into<String>, out: W) -> Self {
        Self { name: name.into(), out }
    }

    /// Flushes and returns the inner writer.
    ///
    /// # Errors
    /// The system's message, with the name.
    pub fn finish(mut self) -> Result<W, SourceError> {
        self.out.flush().map_err(|error| SourceError(format!("{}: {error}", self.name)))?;
        Ok(self.out)
    }
}

impl<W: Write> Sink for WriteSink<W> {
    async fn write(&mut self, bytes: &[u8]) -> Result<(), SourceError> {
        self.out.write_all(bytes).map_err(|error| SourceError(format!("{}: {error}", self.name)))
    }
}
