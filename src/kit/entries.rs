//! Entries of the browser's history: those that this page wrote, and those of links that were followed.
//!
//! Both change the address behind `#` while the page is open. Going back leads to an entry that the page wrote.
//! Following a link or typing into the address bar makes a new entry, which the page has not written yet.

use leptos::prelude::window;
use wasm_bindgen::JsValue;

/// State that marks an entry as written by the page.
const OWN: &str = "tuppum";

/// Adds an entry with this address.
pub fn add(fragment: &str) {
    if let Ok(history) = window().history() {
        // If the browser refuses to change the address, the page is shown all the same.
        let _ = history.push_state_with_url(&OWN.into(), "", Some(fragment));
    }
}

/// Sets the address of the present entry, unless the entry belongs to a link that is about to be opened.
pub fn replace(fragment: &str) {
    if is_own()
        && let Ok(history) = window().history()
    {
        // If the browser refuses, the address stays as it is; the share button still gives the link.
        let _ = history.replace_state_with_url(&OWN.into(), "", Some(fragment));
    }
}

/// Marks the present entry as written by the page. Returns `true` if it belonged to a link before.
pub fn claim() -> bool {
    if is_own() {
        return false;
    }
    if let Ok(history) = window().history() {
        // If the browser refuses, the entry counts as a link again when it is visited again.
        let _ = history.replace_state(&OWN.into(), "");
    }
    true
}

/// Returns `true` if the page wrote the present entry. A link that was just followed has an entry of its own before the
/// page hears of it.
pub fn is_own() -> bool {
    window().history().and_then(|history| history.state()).is_ok_and(|state| state == JsValue::from_str(OWN))
}
