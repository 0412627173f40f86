//! Hands files to the browser's downloads.

use super::storage::error_text;
use leptos::prelude::document;
use wasm_bindgen::JsCast;
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
