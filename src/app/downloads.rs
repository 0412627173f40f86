//! Files handed to the browser's downloads: what the page made, and what lies in the browser's private file system.

use super::storage::error_text;
use leptos::prelude::document;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, HtmlAnchorElement, Url};

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

/// Saves files of a model that the user keeps.
///
/// # Errors
/// What the browser said.
pub async fn save_stored(model: &str, files: &[&str]) -> Result<(), String> {
    let failed = |error: JsValue| error_text(&error);
    let storage = NAVIGATOR.with(Navigator::storage).ok_or("the browser keeps no files here")?;
    let mut folder = settled::<Folder>(storage.get_directory().map_err(failed)?).await?;
    for part in ["tuppum", "kept", model] {
        folder = settled(folder.folder(part)).await?;
    }
    for name in files {
        let handle: Handle = settled(folder.file(name)).await?;
        let blob: Blob = settled(handle.get_file()).await?;
        save(&blob, &format!("{model}-{name}"))?;
    }
    Ok(())
}

async fn settled<T: JsCast>(promise: js_sys::Promise) -> Result<T, String> {
    JsFuture::from(promise).await.map(JsCast::unchecked_into).map_err(|error| error_text(&error))
}

/// Hands a file to the browser's downloads.
///
/// # Errors
/// What the browser said.
pub fn save(blob: &Blob, name: &str) -> Result<(), String> {
    let address = Url::create_object_url_with_blob(blob).map_err(|error| error_text(&error))?;
    let link = document().create_element("a").map_err(|error| error_text(&error))?;
    let link: HtmlAnchorElement = link.dyn_into().map_err(|_| "the browser gave no link".to_owned())?;
    link.set_href(&address);
    link.set_download(name);
    link.click();
    // Later, so that the download has begun.
    gloo::timers::callback::Timeout::new(10_000, move || {
        let _ = Url::revoke_object_url(&address);
    })
    .forget();
    Ok(())
}
