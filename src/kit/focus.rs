//! Moving the focus to an element that is told by a selector.

use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// Focuses the first of the elements that are meant, if there is one.
pub fn focus_first(selector: &str) {
    let first = document().query_selector(selector).ok().flatten();
    if let Some(first) = first.and_then(|first| first.dyn_into::<web_sys::HtmlElement>().ok()) {
        // An element of the page that is asked for here can always be focused.
        let _ = first.focus();
    }
}
