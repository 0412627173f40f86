//! A place from which bytes are read.

use std::fmt;

/// Why bytes could not be read, in the words of the storage.
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
    /// How many bytes there are.
    fn length(&self) -> u64;

    /// Exactly `length` bytes from `offset` on.
    ///
    /// # Errors
    /// What the storage says, also when there are fewer bytes.
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

/// Bytes in memory.
#[derive(Clone, Debug)]
pub struct MemorySource<B> {
    bytes: B,
}

impl<B: AsRef<[u8]>> MemorySource<B> {
    /// A source of these bytes.
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
