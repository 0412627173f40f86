//! The bytes of one file of a model, in memory or in the browser's storage.

use crate::errors::StorageError;
use crate::storage::store::slice;
use std::rc::Rc;
use tuppum_weights::{Source, SourceError};
use web_sys::File;

/// Bytes of one file. Clones share them.
#[derive(Clone)]
pub enum Content {
    /// In memory, if the browser refused to store them.
    Memory(Rc<[u8]>),
    /// In the browser's storage, read piece by piece.
    Stored(File),
}

impl Content {
    /// Returns the number of bytes.
    pub fn len(&self) -> u64 {
        match self {
            Content::Memory(bytes) => bytes.len() as u64,
            Content::Stored(file) => file.size() as u64,
        }
    }

    /// Returns `true` if the file is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads `length` bytes from `start` on.
    ///
    /// # Errors
    /// The range reaches past the end, or the browser can no longer read the file.
    pub async fn range(&self, start: u64, length: usize) -> Result<Vec<u8>, StorageError> {
        let end = start.saturating_add(length as u64);
        if end > self.len() {
            return Err(StorageError::PastEnd { length: length as u64, start, of: self.len() });
        }
        match self {
            Content::Memory(bytes) => Ok(bytes[start as usize..end as usize].to_vec()),
            Content::Stored(file) => slice(file, start as f64, end as f64).await,
        }
    }

    /// Reads all bytes.
    ///
    /// # Errors
    /// The browser can no longer read the file.
    pub async fn whole(&self) -> Result<Vec<u8>, StorageError> {
        self.range(0, self.len() as usize).await
    }
}

impl Source for Content {
    fn length(&self) -> u64 {
        self.len()
    }

    async fn read(&mut self, offset: u64, length: usize) -> Result<Vec<u8>, SourceError> {
        self.range(offset, length).await.map_err(|error| SourceError(error.to_string()))
    }
}
