//! Entries of the browser's history that this page wrote, told apart from those of links that were followed.
//!
//! Both change the address behind `#` while the page is open: whoever goes back comes to an entry of the page's own,
//! whoever follows a link or types into the address bar to a new one, of which the page has written nothing yet.

use leptos::prelude::window;
use wasm_bindgen::JsValue;

/// What the page writes into each of its entries.
const OWN: &str = "tuppum";

/// Begins a new entry with this address.
pub fn add(fragment: &str) {
    if let Ok(history) = window().history() {
        // A browser that refuses to change the address shows the page all the same.
        let _ = history.push_state_with_url(&OWN.into(), "", Some(fragment));
    }
}

/// Gives the present entry this address, unless it is that of a link, which is about to be opened.
pub fn replace(fragment: &str) {
    if is_own()
        && let Ok(history) = window().history()
    {
        // A browser that refuses to change the address leaves it as it is; the share button still gives the link.
        let _ = history.replace_state_with_url(&OWN.into(), "", Some(fragment));
    }
}

/// Makes the present entry one of the page's own; whether it was none before, but that of a link.
pub fn claim() -> bool {
    if is_own() {
        return false;
    }
    if let Ok(history) = window().history() {
        // A browser that refuses takes it for a link's once more when it comes back to it.
        let _ = history.replace_state(&OWN.into(), "");
    }
    true
}

/// Whether the page wrote the present entry. Between the moment that a link is followed and that in which the page
/// hears of it, it did not.
pub fn is_own() -> bool {
    window().history().and_then(|history| history.state()).is_ok_and(|state| state == JsValue::from_str(OWN))
}
