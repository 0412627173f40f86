//! What the page itself asks of the browser's storage: the promise to keep, and the files of a kept model.

use crate::app::storage::error_text;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::Blob;

#[wasm_bindgen]
extern "C" {
    /// `navigator`.
    #[wasm_bindgen(js_name = navigator)]
    type Navigator;

    #[wasm_bindgen(thread_local_v2, js_name = navigator)]
    static NAVIGATOR: Navigator;

    /// `navigator.storage`, absent outside secure contexts.
    #[wasm_bindgen(method, getter)]
    fn storage(this: &Navigator) -> Option<Storage>;

    /// `StorageManager`.
    type Storage;

    /// Asks the browser, which may ask the user.
    #[wasm_bindgen(method, catch)]
    fn persist(this: &Storage) -> Result<js_sys::Promise, JsValue>;

    /// The root of the private file system.
    #[wasm_bindgen(method, catch, js_name = getDirectory)]
    fn get_directory(this: &Storage) -> Result<js_sys::Promise, JsValue>;

    /// A folder.
    type Folder;

    /// A folder in it.
    #[wasm_bindgen(method, js_name = getDirectoryHandle)]
    fn folder(this: &Folder, name: &str) -> js_sys::Promise;

    /// A file in it.
    #[wasm_bindgen(method, js_name = getFileHandle)]
    fn file(this: &Folder, name: &str) -> js_sys::Promise;

    /// A file as the file system has it.
    type Handle;

    /// Its bytes, unread.
    #[wasm_bindgen(method, js_name = getFile)]
    fn get_file(this: &Handle) -> js_sys::Promise;
}

/// Asks the browser not to throw away by itself what this site stores; whether it agrees.
pub async fn ask_to_keep() -> bool {
    let asked = NAVIGATOR.with(|navigator| navigator.storage().and_then(|storage| storage.persist().ok()));
    match asked {
        Some(asked) => JsFuture::from(asked).await.is_ok_and(|agreed| agreed.is_truthy()),
        None => false,
    }
}

/// The files of a model that the user keeps, unread.
///
/// # Errors
/// What the browser said.
pub async fn kept_files(model: &str, names: &[&str]) -> Result<Vec<Blob>, String> {
    let failed = |error: JsValue| error_text(&error);
    let storage = NAVIGATOR.with(Navigator::storage).ok_or("the browser keeps no files here")?;
    let mut folder = settled::<Folder>(storage.get_directory().map_err(failed)?).await?;
    for part in ["tuppum", "kept", model] {
        folder = settled(folder.folder(part)).await?;
    }
    let mut files = Vec::new();
    for name in names {
        let handle: Handle = settled(folder.file(name)).await?;
        files.push(settled(handle.get_file()).await?);
    }
    Ok(files)
}

async fn settled<T: JsCast>(promise: js_sys::Promise) -> Result<T, String> {
    JsFuture::from(promise).await.map(JsCast::unchecked_into).map_err(|error| error_text(&error))
}
