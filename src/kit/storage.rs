//! The browser's storage between visits (localStorage) and for the next page in a tab (sessionStorage), with its keys.
//! The page works without it; a refusal is reported once.
//!
//! JSON is read with the browser's parser and the decoder that also reads the worker's messages, so that the page
//! carries no second decoder.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Key of the work with its undo steps.
pub const WORK: &str = "tuppum.work.1";
/// Key of the work that was set aside when an address with another text was opened.
pub const PREVIOUS: &str = "tuppum.previous.1";
/// Key of the colour scheme.
pub const THEME: &str = "tuppum.theme.1";
/// Key of the device preference.
pub const DEVICE: &str = "tuppum.device.1";
/// Key of the choice to show glyphs.
pub const GLYPHS: &str = "tuppum.glyphs.1";
/// Key of the translator in use.
pub const TRANSLATOR: &str = "tuppum.translator.1";
/// Key of the restorer in use, if it was trained here.
pub const RESTORER: &str = "tuppum.restorer.1";
/// Key of the translations.
pub const TRANSLATIONS: &str = "tuppum.translations.1";
/// Key of the settings of translation.
pub const TRANSLATING: &str = "tuppum.translating.1";
/// Key of the settings of training.
pub const TRAINING: &str = "tuppum.training.1";
/// Key of the results of the ablation.
pub const ABLATION: &str = "tuppum.ablation.1";
/// Key of the user's texts without translation.
pub const TEXTS: &str = "tuppum.texts.1";
/// Key of the user's corpus.
pub const CORPUS: &str = "tuppum.corpus.1";
/// Key of the address with which the page was left, for one tab.
pub const LEFT: &str = "tuppum.left.1";

fn local_storage() -> Result<web_sys::Storage, String> {
    let window = web_sys::window().ok_or("there is no window")?;
    match window.local_storage() {
        Ok(Some(store)) => Ok(store),
        Ok(None) => Err("the browser offers no storage".into()),
        Err(error) => Err(error_text(&error)),
    }
}

/// Stores a value.
///
/// # Errors
/// Reason given by the browser.
pub fn store<T: Serialize>(key: &str, value: &T) -> Result<(), String> {
    store_text(key, &serde_json::to_string(value).map_err(|error| error.to_string())?)
}

/// Stores a value that is JSON already.
///
/// # Errors
/// Reason given by the browser.
pub fn store_text(key: &str, json: &str) -> Result<(), String> {
    local_storage()?.set_item(key, json).map_err(|error| error_text(&error))
}

/// Reads a stored value; `None` if there is none, or none that this version understands.
pub fn stored<T: DeserializeOwned>(key: &str) -> Option<T> {
    read_json(&stored_text(key)?)
}

/// Reads a stored value as JSON text.
pub fn stored_text(key: &str) -> Option<String> {
    local_storage().ok()?.get_item(key).ok()?
}

/// Returns all keys with this prefix, in no order.
pub fn names(prefix: &str) -> Vec<String> {
    let Ok(store) = local_storage() else { return Vec::new() };
    let count = store.length().unwrap_or(0);
    let all = (0..count).filter_map(|place| store.key(place).ok()?);
    all.filter(|key| key.starts_with(prefix)).collect()
}

/// Deletes a stored value.
pub fn forget(key: &str) {
    if let Ok(store) = local_storage() {
        // A browser that refuses to delete has refused to store, which was reported.
        let _ = store.remove_item(key);
    }
}

/// Stores a value for the next page in this tab. A refusal costs only a convenience and is not reported.
pub fn note<T: Serialize>(key: &str, value: &T) {
    if let (Some(store), Ok(text)) = (session_storage(), serde_json::to_string(value)) {
        let _ = store.set_item(key, &text);
    }
}

/// Reads a value that was noted in this tab.
pub fn noted<T: DeserializeOwned>(key: &str) -> Option<T> {
    read_json(&session_storage()?.get_item(key).ok()??)
}

/// Deletes a value that was noted in this tab.
pub fn forget_note(key: &str) {
    if let Some(store) = session_storage() {
        // A browser that refuses to delete stores nothing either.
        let _ = store.remove_item(key);
    }
}

fn session_storage() -> Option<web_sys::Storage> {
    web_sys::window()?.session_storage().ok()?
}

/// Returns the message of a JavaScript error.
pub fn error_text(error: &wasm_bindgen::JsValue) -> String {
    use wasm_bindgen::JsCast;
    match error.dyn_ref::<js_sys::Error>() {
        Some(error) => String::from(error.message()),
        None => error.as_string().unwrap_or_else(|| "the browser gave no reason".into()),
    }
}

/// Reads a value; `None` if the text is not JSON or not a value of this type.
#[cfg(target_family = "wasm")]
pub fn read_json<T: DeserializeOwned>(text: &str) -> Option<T> {
    serde_wasm_bindgen::from_value(js_sys::JSON::parse(text).ok()?).ok()
}

/// Reads a value in native tests, where there is no browser.
#[cfg(not(target_family = "wasm"))]
pub fn read_json<T: DeserializeOwned>(text: &str) -> Option<T> {
    serde_json::from_str(text).ok()
}
