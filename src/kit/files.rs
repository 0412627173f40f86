//! Files: saved to the browser's downloads, fetched from beside the page, read when the user chose them.
//!
//! Fetched files are delivered with the page but not inside its wasm. The service worker keeps them.

use crate::kit::format;
use crate::kit::storage::error_text;
use leptos::prelude::*;
use tuppum_text::pair_table::decode;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, HtmlAnchorElement, Url};

/// Saves a blob as a file.
///
/// # Errors
/// The browser's message.
pub fn save(blob: &Blob, name: &str) -> Result<(), String> {
    let address = Url::create_object_url_with_blob(blob).map_err(|error| error_text(&error))?;
    save_from(&address, name)
}

/// Saves a text as a file.
///
/// # Errors
/// The browser's message.
pub fn save_text(contents: &str, name: &str) -> Result<(), String> {
    let parts = js_sys::Array::of1(&contents.into());
    let blob = Blob::new_with_str_sequence(&parts).map_err(|_| "the browser made no file of it".to_owned())?;
    save(&blob, name)
}

/// Saves the content of an object URL as a file and revokes the URL.
///
/// # Errors
/// The browser's message.
pub fn save_from(address: &str, name: &str) -> Result<(), String> {
    let link = document().create_element("a").map_err(|error| error_text(&error))?;
    let link: HtmlAnchorElement = link.dyn_into().map_err(|_| "the browser gave no link".to_owned())?;
    link.set_href(address);
    link.set_download(name);
    link.click();
    // The URL is revoked late enough for the download to have begun.
    let address = address.to_owned();
    gloo::timers::callback::Timeout::new(10_000, move || {
        let _ = Url::revoke_object_url(&address);
    })
    .forget();
    Ok(())
}

/// Fetches a file as text, by its path relative to the page.
///
/// # Errors
/// Message of the browser or the server.
pub async fn fetch_text(path: &str) -> Result<String, String> {
    let failed = |error: JsValue| error_text(&error);
    let response = fetched(path).await?;
    let text = JsFuture::from(response.text().map_err(failed)?).await.map_err(failed)?;
    text.as_string().ok_or_else(|| format!("{path} is not text"))
}

/// Fetches a file as bytes, by its path relative to the page.
///
/// # Errors
/// Message of the browser or the server.
pub async fn fetch_bytes(path: &str) -> Result<Vec<u8>, String> {
    let failed = |error: JsValue| error_text(&error);
    let buffer = fetched(path).await?.array_buffer().map_err(failed)?;
    Ok(js_sys::Uint8Array::new(&JsFuture::from(buffer).await.map_err(failed)?).to_vec())
}

/// Returns `true` if the server answers that there is no such file. `false` if it does not answer.
pub async fn is_missing(path: &str) -> bool {
    let answered = JsFuture::from(window().fetch_with_str(path)).await.and_then(JsCast::dyn_into::<web_sys::Response>);
    let Ok(response) = answered else { return false };
    // The browser keeps memory for a body that nobody reads.
    if let Ok(body) = response.array_buffer() {
        let _ = JsFuture::from(body).await;
    }
    response.status() == 404
}

async fn fetched(path: &str) -> Result<web_sys::Response, String> {
    let failed = |error: JsValue| error_text(&error);
    let response = JsFuture::from(window().fetch_with_str(path)).await.map_err(failed)?;
    let response: web_sys::Response = response.dyn_into().map_err(failed)?;
    if response.ok() { Ok(response) } else { Err(format!("the server answered {} for {path}", response.status())) }
}

/// Reads a file as text. For a file of more than `largest` bytes the error names a command to use instead.
///
/// # Errors
/// Reason why the file cannot be read, and what to do.
pub async fn read_text(file: &web_sys::File, largest: usize, command: &str) -> Result<String, String> {
    let name = file.name();
    if file.size() > largest as f64 {
        return Err(format!(
            "{name} has {}; at most {} are read here. Cut it, or use “{command}” on the command line.",
            format::bytes(file.size() as u64),
            format::bytes(largest as u64),
        ));
    }
    let buffer = JsFuture::from(file.array_buffer()).await.map_err(|_| {
        format!("{name} could not be read: it may have been moved, or it is a folder. Choose it again.")
    })?;
    let decoded = decode(&js_sys::Uint8Array::new(&buffer).to_vec());
    decoded.map_err(|reason| format!("{name} could not be read. {reason}"))
}
