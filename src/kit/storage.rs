//! What the browser keeps between visits: the work, the work before it, and a few preferences. A browser that refuses
//! is told to the user once; the page works without.

use super::json;
use serde::{Serialize, de::DeserializeOwned};

/// The work with its undo steps.
pub const WORK: &str = "tuppum.work.1";
/// The work that was set aside when an address with another text was opened.
pub const PREVIOUS: &str = "tuppum.previous.1";
/// The colour scheme.
pub const THEME: &str = "tuppum.theme.1";
/// The device preference.
pub const DEVICE: &str = "tuppum.device.1";
/// Whether glyphs are shown.
pub const GLYPHS: &str = "tuppum.glyphs.1";
/// Which translator is used.
pub const TRANSLATOR: &str = "tuppum.translator.1";
/// Which restorer is used, where it is one that was trained here.
pub const RESTORER: &str = "tuppum.restorer.1";
/// What was translated.
pub const TRANSLATIONS: &str = "tuppum.translations.1";
/// How texts are to be translated.
pub const TRANSLATING: &str = "tuppum.translating.1";
/// How a run of training is chosen.
pub const TRAINING: &str = "tuppum.training.1";
/// What the ablation has found.
pub const ABLATION: &str = "tuppum.ablation.1";
/// The user's texts without translation.
pub const TEXTS: &str = "tuppum.texts.1";
/// The user's corpus.
pub const CORPUS: &str = "tuppum.corpus.1";
/// How the page was left, for this tab only.
pub const LEFT: &str = "tuppum.left.1";

fn local_storage() -> Result<web_sys::Storage, String> {
    let window = web_sys::window().ok_or("there is no window")?;
    match window.local_storage() {
        Ok(Some(store)) => Ok(store),
        Ok(None) => Err("the browser offers no storage".into()),
        Err(error) => Err(error_text(&error)),
    }
}

/// Stores a value under a key.
///
/// # Errors
/// Why the browser refused.
pub fn store<T: Serialize>(key: &str, value: &T) -> Result<(), String> {
    store_text(key, &serde_json::to_string(value).map_err(|error| error.to_string())?)
}

/// Stores a value that is written as JSON already.
///
/// # Errors
/// Why the browser refused.
pub fn store_text(key: &str, json: &str) -> Result<(), String> {
    local_storage()?.set_item(key, json).map_err(|error| error_text(&error))
}

/// What is stored under a key; `None` if nothing is, or nothing that this version understands.
pub fn stored<T: DeserializeOwned>(key: &str) -> Option<T> {
    json::read(&stored_text(key)?)
}

/// The same as it is written.
pub fn stored_text(key: &str) -> Option<String> {
    local_storage().ok()?.get_item(key).ok()?
}

/// All keys that begin so, in no order.
pub fn names(prefix: &str) -> Vec<String> {
    let Ok(store) = local_storage() else { return Vec::new() };
    let count = store.length().unwrap_or(0);
    let all = (0..count).filter_map(|place| store.key(place).ok()?);
    all.filter(|key| key.starts_with(prefix)).collect()
}

/// Deletes what is stored under a key.
pub fn forget(key: &str) {
    if let Ok(store) = local_storage() {
        // A store that refuses to forget has refused to keep, which was told.
        let _ = store.remove_item(key);
    }
}

/// Notes a value for the next page in this tab. A browser that refuses costs a convenience, so it is not told.
pub fn note<T: Serialize>(key: &str, value: &T) {
    if let (Some(store), Ok(text)) = (session_storage(), serde_json::to_string(value)) {
        let _ = store.set_item(key, &text);
    }
}

/// What was noted under a key in this tab.
pub fn noted<T: DeserializeOwned>(key: &str) -> Option<T> {
    json::read(&session_storage()?.get_item(key).ok()??)
}

/// Deletes what was noted under a key in this tab.
pub fn forget_note(key: &str) {
    if let Some(store) = session_storage() {
        // A store that refuses to forget notes nothing either.
        let _ = store.remove_item(key);
    }
}

fn session_storage() -> Option<web_sys::Storage> {
    web_sys::window()?.session_storage().ok()?
}

/// What a JavaScript error says.
pub fn error_text(error: &wasm_bindgen::JsValue) -> String {
    use wasm_bindgen::JsCast;
    match error.dyn_ref::<js_sys::Error>() {
        Some(error) => String::from(error.message()),
        None => error.as_string().unwrap_or_else(|| "the browser gave no reason".into()),
    }
}
