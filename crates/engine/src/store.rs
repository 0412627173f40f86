//! The browser's private file system (OPFS): one folder per model. Those of models that come with the page name their
//! files by their contents; those of models that the user brought, by their own names mostly, with a record of what is whole.
//!
//! Reading goes through `File` slices, which several tabs may hold at a time; only writing takes the exclusive handle,
//! under a Web Lock. A file counts only after its size and sha256 have been compared with the manifest, so a write that
//! was broken off needs no cleaning up after: the next visit finds it wrong and fetches it again.

use super::bindings::NAVIGATOR;
use super::errors::thrown;
use super::pace::StopWish;
use js_sys::{Array, AsyncIterator, Function, Object, Promise, Reflect, Uint8Array};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    AbortSignal, Blob, File, FileSystemDirectoryHandle, FileSystemFileHandle, FileSystemGetDirectoryOptions,
    FileSystemGetFileOptions, FileSystemReadWriteOptions, FileSystemRemoveOptions, FileSystemSyncAccessHandle,
};

/// Name of the Web Lock that whoever writes the weights of a model that came with the page must hold.
pub const SHIPPED_LOCK: &str = "tuppum-weights";

/// Whose models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// Those that come with the page.
    Shipped,
    /// Those that the user brought.
    Kept,
    /// Runs of training.
    Trainings,
}

impl Room {
    /// The folder `tuppum/models`, `tuppum/kept` or `tuppum/trainings`, created if need be.
    async fn directory(self) -> Result<FileSystemDirectoryHandle, String> {
        let storage = NAVIGATOR.with(super::bindings::Navigator::storage);
        let storage = storage.ok_or("this browser keeps files only for pages served over https or from localhost")?;
        let root = storage.get_directory().map_err(|error| thrown(&error))?;
        let root: FileSystemDirectoryHandle = settled(root).await?;
        let part = match self {
            Room::Shipped => "models",
            Room::Kept => "kept",
            Room::Trainings => "trainings",
        };
        inside(&inside(&root, "tuppum", true).await?, part, true).await
    }

    /// The names of the models.
    ///
    /// # Errors
    /// Why the browser refuses, in its words.
    pub async fn models(self) -> Result<Vec<String>, String> {
        Ok(names_of(&self.directory().await?).await)
    }

    /// Removes a model with all its files.
    ///
    /// # Errors
    /// Why the browser refuses: another tab writes into it.
    pub async fn remove(self, name: &str) -> Result<(), String> {
        let options = FileSystemRemoveOptions::new();
        options.set_recursive(true);
        let removing = self.directory().await?.remove_entry_with_options(name, &options);
        JsFuture::from(removing).await.map(drop).map_err(|error| thrown(&error))
    }
}

async fn inside(
    directory: &FileSystemDirectoryHandle,
    name: &str,
    create: bool,
) -> Result<FileSystemDirectoryHandle, String> {
    let options = FileSystemGetDirectoryOptions::new();
    options.set_create(create);
    settled(directory.get_directory_handle_with_options(name, &options)).await
}

/// The stored files of one model.
#[derive(Clone)]
pub struct Shelf {
    directory: FileSystemDirectoryHandle,
}

impl Shelf {
    /// Opens the folder of a model that comes with the page, creating it if need be.
    ///
    /// # Errors
    /// Why the browser refuses, in its words.
    pub async fn open(name: &str) -> Result<Self, String> {
        Self::of(Room::Shipped, name, true).await
    }

    /// Opens the folder of a model.
    ///
    /// # Errors
    /// Why the browser refuses, in its words; there is no such folder, and none was to be created.
    pub async fn of(room: Room, name: &str, create: bool) -> Result<Self, String> {
        Ok(Self { directory: inside(&room.directory().await?, name, create).await? })
    }

    /// The file of this name, if there is one.
    pub async fn file(&self, name: &str) -> Option<File> {
        let handle: FileSystemFileHandle = settled(self.directory.get_file_handle(name)).await.ok()?;
        settled(handle.get_file()).await.ok()
    }

    /// Opens a file for writing from its beginning.
    ///
    /// # Errors
    /// Why the browser refuses: another writer, no space.
    pub async fn writer(&self, name: &str) -> Result<Writer, String> {
        let mut writer = self.continued(name).await?;
        writer.clear()?;
        Ok(writer)
    }

    /// Opens a file for writing behind what it holds.
    ///
    /// # Errors
    /// Why the browser refuses: another writer, no space.
    pub async fn continued(&self, name: &str) -> Result<Writer, String> {
        let create = FileSystemGetFileOptions::new();
        create.set_create(true);
        let handle: FileSystemFileHandle = settled(self.directory.get_file_handle_with_options(name, &create)).await?;
        let access: FileSystemSyncAccessHandle = settled(handle.create_sync_access_handle()).await?;
        let written = access.get_size().map_err(|error| thrown(&error))?;
        Ok(Writer { access, written })
    }

    /// Writes a whole small file.
    ///
    /// # Errors
    /// As for [`Shelf::writer`] and [`Writer::append`].
    pub async fn write(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
        let mut writer = self.writer(name).await?;
        writer.append(&Uint8Array::from(bytes))?;
        writer.finish()
    }

    /// Removes a file; one that is not there, or is held by another tab, is left.
    pub async fn remove(&self, name: &str) {
        let _ = JsFuture::from(self.directory.remove_entry(name)).await;
    }

    /// Removes every file whose name is not among `names`.
    pub async fn keep_only(&self, names: &[String]) {
        for name in names_of(&self.directory).await {
            if !names.contains(&name) {
                self.remove(&name).await;
            }
        }
    }
}

async fn names_of(directory: &FileSystemDirectoryHandle) -> Vec<String> {
    let keys: AsyncIterator = directory.keys();
    let mut names = Vec::new();
    loop {
        let Ok(promise) = keys.next_iterator() else { return names };
        let Ok(step) = JsFuture::from(promise).await else { return names };
        let done = Reflect::get(&step, &"done".into()).map_or(true, |done| done.is_truthy());
        if done {
            return names;
        }
        names.extend(Reflect::get(&step, &"value".into()).ok().and_then(|name| name.as_string()));
    }
}

/// A file being written; closed when dropped.
pub struct Writer {
    access: FileSystemSyncAccessHandle,
    written: f64,
}

impl Writer {
    /// Appends a chunk.
    ///
    /// # Errors
    /// Why the browser refuses, mostly for want of space.
    pub fn append(&mut self, chunk: &Uint8Array) -> Result<(), String> {
        let at = FileSystemReadWriteOptions::new();
        at.set_at(self.written);
        let length = f64::from(chunk.length());
        let count = self.access.write_with_js_u8_array_and_options(chunk, &at).map_err(|error| thrown(&error))?;
        if count < length {
            return Err(format!("only {count} of {length} bytes were taken"));
        }
        self.written += length;
        Ok(())
    }

    /// How many bytes the file holds.
    pub fn length(&self) -> u64 {
        self.written as u64
    }

    /// What has been written so far, read back.
    ///
    /// # Errors
    /// Why the browser refuses.
    pub fn read_back(&self) -> Result<Vec<u8>, String> {
        self.read(0, self.length())
    }

    /// A part of what has been written, read back.
    ///
    /// # Errors
    /// Why the browser refuses.
    pub fn read(&self, start: u64, length: u64) -> Result<Vec<u8>, String> {
        let bytes = Uint8Array::new_with_length(length as u32);
        let at = FileSystemReadWriteOptions::new();
        at.set_at(start as f64);
        let count = self.access.read_with_js_u8_array_and_options(&bytes, &at).map_err(|error| thrown(&error))?;
        if count < length as f64 {
            return Err(format!("only {count} of {length} bytes came back"));
        }
        Ok(bytes.to_vec())
    }

    /// Makes sure that everything is on disk.
    ///
    /// # Errors
    /// Why the browser refuses.
    pub fn flush(&self) -> Result<(), String> {
        self.access.flush().map_err(|error| thrown(&error))
    }

    /// Throws away what has been written, which gives the space back.
    ///
    /// # Errors
    /// Why the browser refuses.
    pub fn clear(&mut self) -> Result<(), String> {
        self.written = 0.0;
        self.access.truncate_with_f64(0.0).map_err(|error| thrown(&error))
    }

    /// Makes sure that everything is on disk, and closes.
    ///
    /// # Errors
    /// Why the browser refuses.
    pub fn finish(self) -> Result<(), String> {
        self.flush()
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.access.close();
    }
}

/// How much this site stores, and how much it may.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Bytes stored.
    pub used: u64,
    /// Bytes that may be stored in all.
    pub quota: u64,
}

/// The browser's own estimate, when it gives one.
pub async fn estimate() -> Option<Estimate> {
    let storage = NAVIGATOR.with(super::bindings::Navigator::storage)?;
    let told: JsValue = settled(storage.estimate().ok()?).await.ok()?;
    let number = |name: &str| Reflect::get(&told, &name.into()).ok()?.as_f64().map(|number| number as u64);
    Some(Estimate { used: number("usage")?, quota: number("quota")? })
}

/// Whether the browser has promised to throw nothing away by itself, when it tells.
pub async fn is_persistent() -> Option<bool> {
    let storage = NAVIGATOR.with(super::bindings::Navigator::storage)?;
    let told: JsValue = settled(storage.persisted().ok()?).await.ok()?;
    told.as_bool()
}

/// A range of bytes of a blob.
///
/// # Errors
/// Why the browser refuses: the file was removed or changed since.
pub async fn slice(blob: &Blob, start: f64, end: f64) -> Result<Vec<u8>, String> {
    let part = blob.slice_with_f64_and_f64(start, end).map_err(|error| thrown(&error))?;
    let buffer: JsValue = settled(part.array_buffer()).await?;
    Ok(Uint8Array::new(&buffer).to_vec())
}

/// How long another tab may take to let a lock go, in milliseconds: one that was just closed or reloaded does at once.
const PATIENCE: u32 = 2_000;

/// The right to write weights, held until dropped. Without Web Locks it is granted at once.
pub struct WritingRight {
    release: Option<Function>,
}

impl WritingRight {
    /// Waits until no other tab holds the lock of this name, or until the job is stopped.
    ///
    /// # Errors
    /// The job was stopped, or the browser refuses.
    pub async fn wait(lock: &str, stop: &StopWish) -> Result<Self, String> {
        Self::ask(lock, stop.signal()).await
    }

    /// Waits a moment, for one who only just lets it go; none when another tab holds the lock for longer.
    ///
    /// # Errors
    /// The browser refuses.
    pub async fn soon(lock: &str) -> Result<Option<Self>, String> {
        let patience = AbortSignal::timeout_with_u32(PATIENCE);
        match Self::ask(lock, Some(patience.clone())).await {
            Err(_) if patience.aborted() => Ok(None),
            granted => granted.map(Some),
        }
    }

    async fn ask(lock: &str, signal: Option<AbortSignal>) -> Result<Self, String> {
        let Some(locks) = NAVIGATOR.with(super::bindings::Navigator::locks) else {
            return Ok(Self { release: None });
        };
        let options = Object::new();
        if let Some(signal) = signal {
            Reflect::set(&options, &"signal".into(), &signal).map_err(|error| thrown(&error))?;
        }
        let release: Rc<RefCell<Option<Function>>> = Rc::default();
        let hold: Rc<RefCell<Option<Function>>> = Rc::default();
        let granted = Promise::new(&mut |resolve, _| {
            *hold.borrow_mut() = Some(resolve);
        });
        let (held, give) = (hold.clone(), Rc::downgrade(&release));
        let on_grant = Closure::once_into_js(move || {
            // whoever gave up waiting must not hold the lock
            let Some(give) = give.upgrade() else { return Promise::resolve(&JsValue::NULL) };
            let until_released = Promise::new(&mut |let_go, _| *give.borrow_mut() = Some(let_go));
            if let Some(granted) = held.borrow_mut().take() {
                let _ = granted.call0(&JsValue::NULL);
            }
            until_released
        });
        let asked = locks.request(lock, &options, on_grant.unchecked_ref()).map_err(|error| thrown(&error))?;
        // `asked` settles before the grant only when it fails
        JsFuture::from(Promise::race(&Array::of2(&granted, &asked))).await.map_err(|error| thrown(&error))?;
        let release = release.borrow_mut().take();
        Ok(Self { release })
    }
}

impl Drop for WritingRight {
    fn drop(&mut self) {
        if let Some(release) = &self.release {
            let _ = release.apply(&JsValue::NULL, &Array::new());
        }
    }
}

async fn settled<T: JsCast>(promise: Promise) -> Result<T, String> {
    JsFuture::from(promise).await.map(JsCast::unchecked_into).map_err(|error| thrown(&error))
}
