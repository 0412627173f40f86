//! The browser's private file system (OPFS): one folder per model. Shipped models name their files by their contents;
//! other models mostly by the files' own names, with a record of complete files.
//!
//! Files are read through `File` slices, which several tabs may hold at a time; only writing takes the exclusive
//! handle, under a Web Lock. A file counts only after its size and sha256 were verified, so an interrupted write needs
//! no cleaning up: the next visit finds the file wrong and fetches it again.

use crate::bindings::NAVIGATOR;
use crate::errors::StorageError;
use crate::timeouts::{closed_when_late, settled};
use js_sys::{AsyncIterator, Reflect, Uint8Array};
use std::rc::Rc;
use tuppum_weights::{Source, SourceError};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{
    Blob, File, FileSystemDirectoryHandle, FileSystemFileHandle, FileSystemGetDirectoryOptions,
    FileSystemGetFileOptions, FileSystemReadWriteOptions, FileSystemRemoveOptions, FileSystemSyncAccessHandle,
};

/// Areas of the storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreArea {
    /// Shipped models.
    Shipped,
    /// Models that the user fetched, imported or trained.
    Stored,
    /// Runs of training.
    Runs,
    /// The user's own archives.
    Own,
}

impl StoreArea {
    /// Opens the folder `tuppum/models`, `tuppum/kept`, `tuppum/trainings` or `tuppum/own`, creating it if necessary.
    async fn directory(self) -> Result<FileSystemDirectoryHandle, StorageError> {
        let storage = NAVIGATOR.with(crate::bindings::Navigator::storage);
        let storage = storage.ok_or(StorageError::Insecure)?;
        let root = storage.get_directory()?;
        let root: FileSystemDirectoryHandle = settled(root).await?;
        let part = match self {
            StoreArea::Shipped => "models",
            StoreArea::Stored => "kept",
            StoreArea::Runs => "trainings",
            StoreArea::Own => "own",
        };
        inside(&inside(&root, "tuppum", true).await?, part, true).await
    }

    /// Returns the names of the models or runs in this area.
    ///
    /// # Errors
    /// Returns the browser's refusal.
    pub async fn names(self) -> Result<Vec<String>, StorageError> {
        names_of(&self.directory().await?).await
    }

    /// Deletes a model or run with all its files.
    ///
    /// # Errors
    /// Returns the browser's refusal: another tab writes into the folder.
    pub async fn remove(self, name: &str) -> Result<(), StorageError> {
        let options = FileSystemRemoveOptions::new();
        options.set_recursive(true);
        let removing = self.directory().await?.remove_entry_with_options(name, &options);
        settled::<JsValue>(removing).await.map(drop)
    }
}

async fn inside(
    directory: &FileSystemDirectoryHandle,
    name: &str,
    create: bool,
) -> Result<FileSystemDirectoryHandle, StorageError> {
    let options = FileSystemGetDirectoryOptions::new();
    options.set_create(create);
    settled(directory.get_directory_handle_with_options(name, &options)).await
}

/// Stored files of one model or run.
#[derive(Clone)]
pub struct ModelStore {
    directory: FileSystemDirectoryHandle,
}

impl ModelStore {
    /// Opens the folder of a shipped model, creating it if necessary.
    ///
    /// # Errors
    /// Returns the browser's refusal.
    pub async fn open(name: &str) -> Result<Self, StorageError> {
        Self::of(StoreArea::Shipped, name, true).await
    }

    /// Opens the folder of a model or run.
    ///
    /// # Errors
    /// The browser refuses, or there is no such folder and `create` is `false`.
    pub async fn of(area: StoreArea, name: &str, create: bool) -> Result<Self, StorageError> {
        Ok(Self { directory: inside(&area.directory().await?, name, create).await? })
    }

    /// Returns the file of this name, if there is one.
    pub async fn file(&self, name: &str) -> Option<File> {
        let handle: FileSystemFileHandle = settled(self.directory.get_file_handle(name)).await.ok()?;
        settled(handle.get_file()).await.ok()
    }

    /// Opens a file for writing from its beginning.
    ///
    /// # Errors
    /// Returns the browser's refusal: another writer, no space.
    pub async fn writer(&self, name: &str) -> Result<FileWriter, StorageError> {
        let mut writer = self.continued(name).await?;
        writer.clear()?;
        Ok(writer)
    }

    /// Opens a file for writing at its end.
    ///
    /// # Errors
    /// Returns the browser's refusal: another writer, no space.
    pub async fn continued(&self, name: &str) -> Result<FileWriter, StorageError> {
        let create = FileSystemGetFileOptions::new();
        create.set_create(true);
        let handle: FileSystemFileHandle = settled(self.directory.get_file_handle_with_options(name, &create)).await?;
        let access: FileSystemSyncAccessHandle = closed_when_late(handle.create_sync_access_handle()).await?;
        let written = access.get_size()?;
        Ok(FileWriter { access, written })
    }

    /// Writes a whole small file.
    ///
    /// # Errors
    /// The same as those of [`ModelStore::writer`] and [`FileWriter::append`].
    pub async fn write(&self, name: &str, bytes: &[u8]) -> Result<(), StorageError> {
        let mut writer = self.writer(name).await?;
        writer.append(&Uint8Array::from(bytes))?;
        writer.finish()
    }

    /// Deletes a file, if it exists and no other tab holds it.
    pub async fn remove(&self, name: &str) {
        let _ = settled::<JsValue>(self.directory.remove_entry(name)).await;
    }

    /// Deletes every file whose name is not among `names`.
    pub async fn retain(&self, names: &[String]) {
        for name in names_of(&self.directory).await.unwrap_or_default() {
            if !names.contains(&name) {
                self.remove(&name).await;
            }
        }
    }
}

async fn names_of(directory: &FileSystemDirectoryHandle) -> Result<Vec<String>, StorageError> {
    let keys: AsyncIterator = directory.keys();
    let mut names = Vec::new();
    loop {
        let step: JsValue = settled(keys.next_iterator()?.unchecked_into()).await?;
        if Reflect::get(&step, &"done".into()).map_or(true, |done| done.is_truthy()) {
            return Ok(names);
        }
        names.extend(Reflect::get(&step, &"value".into()).ok().and_then(|name| name.as_string()));
    }
}

/// File that is being written; closed when dropped.
pub struct FileWriter {
    access: FileSystemSyncAccessHandle,
    written: f64,
}

impl FileWriter {
    /// Appends a chunk.
    ///
    /// # Errors
    /// Returns the browser's refusal, mostly for lack of space.
    pub fn append(&mut self, chunk: &Uint8Array) -> Result<(), StorageError> {
        let at = FileSystemReadWriteOptions::new();
        at.set_at(self.written);
        let length = f64::from(chunk.length());
        let count = self.access.write_with_js_u8_array_and_options(chunk, &at)?;
        if count < length {
            return Err(StorageError::Written { count: count as u64, length: length as u64 });
        }
        self.written += length;
        Ok(())
    }

    /// Returns the length of the file in bytes.
    pub fn length(&self) -> u64 {
        self.written as u64
    }

    /// Reads back all that was written so far.
    ///
    /// # Errors
    /// Returns the browser's refusal.
    pub fn read_back(&self) -> Result<Vec<u8>, StorageError> {
        self.read(0, self.length())
    }

    /// Reads back a part of the file.
    ///
    /// # Errors
    /// Returns the browser's refusal.
    pub fn read(&self, start: u64, length: u64) -> Result<Vec<u8>, StorageError> {
        let bytes = Uint8Array::new_with_length(length as u32);
        let at = FileSystemReadWriteOptions::new();
        at.set_at(start as f64);
        let count = self.access.read_with_js_u8_array_and_options(&bytes, &at)?;
        if count < length as f64 {
            return Err(StorageError::Read { count: count as u64, length });
        }
        Ok(bytes.to_vec())
    }

    /// Flushes everything to disk.
    ///
    /// # Errors
    /// Returns the browser's refusal.
    pub fn flush(&self) -> Result<(), StorageError> {
        self.access.flush().map_err(StorageError::from)
    }

    /// Truncates the file to zero bytes, which frees its space.
    ///
    /// # Errors
    /// Returns the browser's refusal.
    pub fn clear(&mut self) -> Result<(), StorageError> {
        self.written = 0.0;
        self.access.truncate_with_f64(0.0).map_err(StorageError::from)
    }

    /// Flushes everything to disk and closes the file.
    ///
    /// # Errors
    /// Returns the browser's refusal.
    pub fn finish(self) -> Result<(), StorageError> {
        self.flush()
    }
}

impl Drop for FileWriter {
    fn drop(&mut self) {
        self.access.close();
    }
}

/// Bytes that this site stores and may store.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Bytes stored.
    pub used: u64,
    /// Bytes that may be stored in all.
    pub quota: u64,
}

/// Returns the browser's estimate, if it gives one.
pub async fn estimate() -> Option<Estimate> {
    let storage = NAVIGATOR.with(crate::bindings::Navigator::storage)?;
    let answer: JsValue = settled(storage.estimate().ok()?).await.ok()?;
    let number = |name: &str| Reflect::get(&answer, &name.into()).ok()?.as_f64().map(|number| number as u64);
    Some(Estimate { used: number("usage")?, quota: number("quota")? })
}

/// Returns `true` if the browser has promised not to delete anything by itself; `None` if it does not say.
pub async fn is_persistent() -> Option<bool> {
    let storage = NAVIGATOR.with(crate::bindings::Navigator::storage)?;
    let answer: JsValue = settled(storage.persisted().ok()?).await.ok()?;
    answer.as_bool()
}

/// Reads a range of bytes of a blob.
///
/// # Errors
/// Returns the browser's refusal: the file was deleted or changed since.
pub async fn slice(blob: &Blob, start: f64, end: f64) -> Result<Vec<u8>, StorageError> {
    let part = blob.slice_with_f64_and_f64(start, end)?;
    let buffer: JsValue = settled(part.array_buffer()).await?;
    Ok(Uint8Array::new(&buffer).to_vec())
}

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
