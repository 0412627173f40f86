//! Reads JSON with the browser's parser and the decoder that also reads the worker's messages, so that the page carries
//! no second decoder.

use serde::de::DeserializeOwned;

/// Reads a value; `None` if the text is not JSON or not a value of this type.
#[cfg(target_family = "wasm")]
pub fn read<T: DeserializeOwned>(text: &str) -> Option<T> {
    serde_wasm_bindgen::from_value(js_sys::JSON::parse(text).ok()?).ok()
}

/// Reads a value in native tests, where there is no browser.
#[cfg(not(target_family = "wasm"))]
pub fn read<T: DeserializeOwned>(text: &str) -> Option<T> {
    serde_json::from_str(text).ok()
}
