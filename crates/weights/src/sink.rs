//! A place to which bytes are written.

use super::source::SourceError;
use std::io::Write;

/// Takes bytes from front to back.
#[allow(async_fn_in_trait)] // one thread in the worker; nobody needs `Send` here
pub trait Sink {
    /// Takes all these bytes.
    ///
    /// # Errors
    /// What the storage says.
    async fn write(&mut self, bytes: &[u8]) -> Result<(), SourceError>;
}

impl Sink for Vec<u8> {
    async fn write(&mut self, bytes: &[u8]) -> Result<(), SourceError> {
        self.extend_from_slice(bytes);
        Ok(())
    }
}

/// Nowhere: for the checksum of what would be written.
impl Sink for () {
    async fn write(&mut self, _: &[u8]) -> Result<(), SourceError> {
        Ok(())
    }
}

/// A file on disk, or anything else that the standard library writes to.
#[derive(Debug)]
pub struct WriteSink<W> {
    name: String,
    out: W,
}

impl<W: Write> WriteSink<W> {
    /// Writes to `out`, which errors call `name`.
    pub fn new(name: impl Into<String>, out: W) -> Self {
        Self { name: name.into(), out }
    }

    /// Hands everything on and gives back what was written to.
    ///
    /// # Errors
    /// What the system says, with the name.
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
