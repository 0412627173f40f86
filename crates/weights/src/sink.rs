//! The trait for storage that bytes are written to, and its implementations.

use super::source::SourceError;
use std::io::Write;

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
