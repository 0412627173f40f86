//! Special characters: the palette, insertion at the caret, and the codes that Tab completes in the text field.

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

/// A character with its code and its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Character {
    /// Text to insert.
    pub text: &'static str,
    /// Code to type before Tab.
    pub code: &'static str,
    pub name: &'static str,
}

const fn character(text: &'static str, code: &'static str, name: &'static str) -> Character {
    Character { text, code, name }
}

/// The palette in its order.
pub const CHARACTERS: [Character; 29] = [
    character("š", "\\sz", "s with hook"),
    character("ṣ", "\\s,", "s with dot"),
    character("ṭ", "\\t,", "t with dot"),
    character("ḫ", "\\h", "h with breve"),
    character("ʾ", "\\'", "aleph"),
    character("Š", "\\SZ", "capital s with hook"),
    character("Ṣ", "\\S,", "capital s with dot"),
    character("Ṭ", "\\T,", "capital t with dot"),
    character("Ḫ", "\\H", "capital h with breve"),
    character("₀", "\\0", "index 0"),
    character("₁", "\\1", "index 1"),
    character("₂", "\\2", "index 2"),
    character("₃", "\\3", "index 3"),
    character("₄", "\\4", "index 4"),
    character("₅", "\\5", "index 5"),
    character("₆", "\\6", "index 6"),
    character("₇", "\\7", "index 7"),
    character("₈", "\\8", "index 8"),
    character("₉", "\\9", "index 9"),
    character("ₓ", "\\x", "index x, unknown"),
    character("⸢", "\\<", "damaged from here"),
    character("⸣", "\\>", "damaged to here"),
    character("[", "\\(", "missing from here"),
    character("]", "\\)", "missing to here"),
    character("{d}", "\\d", "determinative of gods"),
    character("{m}", "\\m", "determinative of men"),
    character("{f}", "\\f", "determinative of women"),
    character("[x]", "\\?", "one illegible sign"),
    character("[...]", "\\.", "break of unknown length"),
];

/// Returns the character whose code ends right before the caret, preferring longer codes.
pub fn completion(before: &str) -> Option<Character> {
    let fitting = CHARACTERS.into_iter().filter(|character| before.ends_with(character.code));
    fitting.max_by_key(|character| character.code.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_before_the_caret_is_completed() {
        for (before, expected) in
            [("a-\\sz", Some("š")), ("\\s,", Some("ṣ")), ("u\\2", Some("₂")), ("a-na", None), ("", None), ("\\", None)]
        {
            assert_eq!(completion(before).map(|character| character.text), expected, "{before}");
        }
    }

    #[test]
    fn codes_differ() {
        let codes: std::collections::HashSet<_> = CHARACTERS.iter().map(|character| character.code).collect();
        assert_eq!(codes.len(), CHARACTERS.len());
    }
}
