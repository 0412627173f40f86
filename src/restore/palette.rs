//! The palette of special characters, and insertion at the caret.

use crate::restore::codes::{CHARACTERS, Character};
use leptos::html::Textarea;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};

/// The folded palette.
#[component]
pub fn Palette(
    /// Text field that receives the characters.
    field: NodeRef<Textarea>,
) -> impl IntoView {
    let button = move |character: Character| {
        let press = move |_| {
            if let Some(field) = field.get_untracked() {
                insert(&field, character.text);
            }
        };
        view! {
            <button
                type="button"
                title=format!("{}; {} and Tab in the text", character.name, character.code)
                aria-label=format!("Insert {}, {}", character.text, character.name)
                on:click=press
            >
                {character.text}
            </button>
        }
    };
    view! {
        <details id="palette">
            <summary>"Special characters"</summary>
            <div class="buttons letters">{CHARACTERS.map(button).collect_view()}</div>
            <p class="hint">
                "Most need no help: "<code>"sz"</code>", "<code>"s,"</code>", "<code>"t,"</code>", "<code>"u2"</code>
                ", "<code>"ú"</code>" are read as they are. In the text, a code and "<kbd>"Tab"</kbd>
                " give the character: "<code>"\\sz"</code>" š, "<code>"\\s,"</code>" ṣ, "<code>"\\t,"</code>" ṭ, "
                <code>"\\h"</code>" ḫ, "
                <code>"\\'"</code>" ʾ, "<code>"\\2"</code>" ₂, "<code>"\\x"</code>" ₓ, "<code>"\\<"</code>" ⸢, "
                <code>"\\>"</code>" ⸣."
            </p>
        </details>
    }
}

/// Inserts text at the caret in such a way that the field's own undo knows of it.
pub fn insert(field: &web_sys::HtmlTextAreaElement, text: &str) {
    // A field in the page takes the focus.
    let _ = field.focus();
    if exec_insert(text) != Some(true) {
        let value = field.value();
        let caret = field.selection_start().ok().flatten().unwrap_or_default();
        let byte = crate::kit::format::byte_offset(&value, caret);
        field.set_value(&format!("{}{text}{}", &value[..byte], &value[byte..]));
        if let Ok(event) = web_sys::Event::new("input") {
            // Nothing cancels this event, so the result does not matter.
            let _ = field.dispatch_event(&event);
        }
    }
}

/// Calls the browser's editing command `insertText`: old, but the only one that keeps the field's undo.
fn exec_insert(text: &str) -> Option<bool> {
    let document = document();
    let command = js_sys::Reflect::get(&document, &JsValue::from_str("execCommand")).ok()?;
    let command: js_sys::Function = command.dyn_into().ok()?;
    let name = JsValue::from_str("insertText");
    command.call3(&document, &name, &JsValue::FALSE, &JsValue::from_str(text)).ok()?.as_bool()
}
