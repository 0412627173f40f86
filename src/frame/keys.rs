//! Keys for undo and redo on the whole page. Text fields have undo of their own; the transliteration does not use its
//! field's, which knows nothing of readings that were accepted between two edits and would undo past them.

use crate::kit::format;
use crate::kit::timing::on_next_frame;
use crate::restore::state::Workbench;
use crate::restore::state::history::TextChange;
use leptos::ev::{InputEvent, KeyboardEvent};
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// Listens to undo and redo keys on the page.
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
    match element.filter(is_text_field) {
        Some(field) if field.id() == "text" => travel_in_field(workbench, undo, &field),
        Some(_) => return,
        None => travel(workbench, undo),
    }
    event.prevent_default();
}

/// Handles undo and redo from the browser's menus and gestures in the transliteration's field, before the field does.
pub fn before_input(workbench: Workbench, event: &InputEvent) {
    let undo = match event.input_type().as_str() {
        "historyUndo" => true,
        "historyRedo" => false,
        _ => return,
    };
    event.prevent_default();
    if let Some(field) = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok()) {
        travel_in_field(workbench, undo, &field);
    }
}

fn travel(workbench: Workbench, undo: bool) {
    if undo { workbench.undo() } else { workbench.redo() }
}

/// Undoes or redoes a step and moves the caret to the change.
fn travel_in_field(workbench: Workbench, undo: bool, field: &web_sys::Element) {
    let text = || workbench.text.work.with_untracked(|work| work.text.clone());
    let before = text();
    travel(workbench, undo);
    let after = text();
    let Some(field) = field.dyn_ref::<web_sys::HtmlTextAreaElement>().filter(|_| after != before).cloned() else {
        return;
    };
    let caret = format::utf16_offset(&after, TextChange::between(&before, &after).end);
    // The field gets its new text before this runs.
    on_next_frame(move || {
        // This fails only for a field that has left the page.
        let _ = field.set_selection_range(caret, caret);
    });
}

fn is_text_field(element: &web_sys::Element) -> bool {
    match element.tag_name().as_str() {
        "TEXTAREA" => true,
        "INPUT" => !matches!(element.get_attribute("type").as_deref(), Some("checkbox" | "radio" | "button")),
        _ => false,
    }
}
