//! Keys that work everywhere on the page: undo and redo. Text fields have their own; only in the transliteration a step
//! that was no typing, such as an accepted reading, is taken back by the page, since the field knows nothing of it.

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
    if !command || event.alt_key() {
        return;
    }
    let undo = match (event.key().to_lowercase().as_str(), event.shift_key()) {
        ("z", false) => true,
        ("z", true) | ("y", false) => false,
        _ => return,
    };
    let element = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    let is_ours = match element {
        Some(element) if element.id() == "text" => workbench.history.with_untracked(|history| {
            // After typing nothing can be done again, and what can be done again was no newer typing.
            if undo { !history.typed_last() } else { history.redo_name().is_some() }
        }),
        element => !element.is_some_and(|element| is_text_field(&element)),
    };
    if is_ours {
        if undo {
            workbench.undo()
        } else {
            workbench.redo()
        }
        event.prevent_default();
    }
}

fn is_text_field(element: &web_sys::Element) -> bool {
    match element.tag_name().as_str() {
        "TEXTAREA" => true,
        "INPUT" => !matches!(element.get_attribute("type").as_deref(), Some("checkbox" | "radio" | "button")),
        _ => false,
    }
}
