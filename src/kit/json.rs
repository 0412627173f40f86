//! JSON that is read: by the browser's own parser and by the decoder that also reads what the worker posts, so that the
//! page carries no second decoder for all that it stores.

use serde::de::DeserializeOwned;

/// What is written; `None` where it is no JSON, or nothing of this kind.
#[cfg(target_family = "wasm")]
pub fn read<T: DeserializeOwned>(text: &str) -> Option<T> {
    serde_wasm_bindgen::from_value(js_sys::JSON::parse(text).ok()?).ok()
}

/// The same where there is no browser: in tests.
#[cfg(not(target_family = "wasm"))]
pub fn read<T: DeserializeOwned>(text: &str) -> Option<T> {
    serde_json::from_str(text).ok()
}
