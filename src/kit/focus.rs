//! Moves the focus to an element given by a selector.

use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// Focuses the first element that the selector matches.
pub fn focus_first(selector: &str) {
    let first = document().query_selector(selector).ok().flatten();
    if let Some(first) = first.and_then(|first| first.dyn_into::<web_sys::HtmlElement>().ok()) {
        // Elements of the page that are asked for here can be focused.
        let _ = first.focus();
    }
}
