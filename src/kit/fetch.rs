//! Fetches files that are delivered with the page but not inside its wasm. The service worker keeps them.

use super::storage::error_text;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// Fetches a file as text, by its path relative to the page.
///
/// # Errors
/// Message of the browser or the server.
pub async fn text(path: &str) -> Result<String, String> {
    let failed = |error: JsValue| error_text(&error);
    let response = fetched(path).await?;
    let text = JsFuture::from(response.text().map_err(failed)?).await.map_err(failed)?;
    text.as_string().ok_or_else(|| format!("{path} is not text"))
}

/// Fetches a file as bytes, by its path relative to the page.
///
/// # Errors
/// Message of the browser or the server.
pub async fn bytes(path: &str) -> Result<Vec<u8>, String> {
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
