//! Keys that work everywhere on the page: undo and redo, outside of text fields, which have their own.

use crate::restore::state::Workbench;
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// Listens for the page's keys.
pub fn listen(workbench: Workbench) {
    let handle = window_event_listener(leptos::ev::keydown, move |event| press(workbench, &event));
    on_cleanup(move || handle.remove());
}

fn press(workbench: Workbench, event: &KeyboardEvent) {
    let command = event.ctrl_key() || event.meta_key();
    if !command || event.alt_key() || is_in_text_field(event) {
        return;
    }
    match (event.key().to_lowercase().as_str(), event.shift_key()) {
        ("z", false) => workbench.undo(),
        ("z", true) | ("y", false) => workbench.redo(),
        _ => return,
    }
    event.prevent_default();
}

fn is_in_text_field(event: &KeyboardEvent) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    target.is_some_and(|element| match element.tag_name().as_str() {
        "TEXTAREA" => true,
        "INPUT" => !matches!(element.get_attribute("type").as_deref(), Some("checkbox" | "radio" | "button")),
        _ => false,
    })
}
