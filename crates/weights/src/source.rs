//! The trait for storage that bytes are read from, and its implementation in memory.

use std::fmt;

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
