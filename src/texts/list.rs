//! The list of texts on the shelf: each can be opened or deleted, and all saved as a file.

use super::kept::{KeptText, as_one};
use super::state::Texts;
use crate::frame::notice::Notice;
use crate::kit::dialog::DeletionQuestion;
use crate::kit::interaction::focus_first;
use crate::kit::timing::on_next_frame;
use crate::kit::{files, format};
use crate::restore::state::Workbench;
use crate::translate::Translating;
use leptos::prelude::*;

/// The list of texts.
#[component]
pub fn ShelfList() -> impl IntoView {
    let texts = expect_context::<Texts>();
    let workbench = expect_context::<Workbench>();
    let keys = move || texts.all.with(|all| all.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>());
    let is_empty = move || texts.all.with(Vec::is_empty);
    let save = move |_| {
        let contents = texts.all.with_untracked(|all| as_one(&all.iter().map(|(_, text)| text).collect::<Vec<_>>()));
        if let Err(reason) = files::save_text(&contents, "texts.txt") {
            workbench.notify(Notice::failure(format!("The texts could not be saved: {reason}.")));
        }
    };
    view! {
        <p class="hint" hidden=move || !is_empty()>
            "Nothing is on the shelf yet. “New text” puts the present one here, with its readings, its steps and its \
             translation, and it stays until you delete it."
        </p>
        <ul class="shelf-list">
            <For each=keys key=Clone::clone let:key>
                <Row key />
            </For>
        </ul>
        <p class="buttons" hidden=is_empty>
            <button id="shelf-save" type="button" class="quiet" on:click=save>
                "Save all as a text file"
            </button>
        </p>
        <p class="hint" hidden=is_empty>
            "They lie in this browser only, and go with its data. The file has each text with the readings that you \
             accepted."
        </p>
        <Deleting />
    }
}

#[component]
fn Row(
    /// Storage key of the text.
    key: String,
) -> impl IntoView {
    let texts = expect_context::<Texts>();
    let translating = expect_context::<Translating>();
    let own = key.clone();
    let translated = move |text: &KeptText| {
        translating
            .shelf
            .with(|shelf| shelf.of(&text.history.present.text).map_or(0, |translation| translation.renderings.len()))
    };
    let shown = Memo::new(move |_| {
        let of = |text: &KeptText| (text.name.clone(), facts(text, translated(text)));
        texts.all.with(|all| all.iter().find(|(key, _)| *key == own).map(|(_, text)| of(text))).unwrap_or_default()
    });
    let (name, told) = (move || shown.get().0, move || shown.get().1);
    let (open, current, deleted) = (key.clone(), key.clone(), key.clone());
    let is_open = Memo::new(move |_| texts.is_open(&current));
    view! {
        <li data-key=key aria-current=move || is_open.get().then_some("true")>
            <button
                type="button"
                class="shelf-name"
                aria-disabled=move || is_open.get().to_string()
                on:click=move |_| texts.take(&open)
            >
                <span lang="akk-Latn">{name}</span>
                <span class="hint" hidden=move || !is_open.get()>" on the workbench"</span>
            </button>
            <span class="hint shelf-told">{told}</span>
            <button
                type="button"
                class="quiet"
                aria-label=move || format!("Delete {} …", name())
                on:click=move |_| texts.to_delete.set(Some(deleted.clone()))
            >
                "Delete …"
            </button>
        </li>
    }
}

/// Focuses the button above the list when the focused row is gone.
fn focus_button() {
    focus_first("#shelf-button");
}

/// Describes the progress of a text.
fn facts(text: &KeptText, translated: usize) -> String {
    let some = |count: usize, one: &str, many: &str| (count > 0).then(|| format::plural(count, one, many));
    let all = [
        Some(format::plural(text.lines, "line", "lines")),
        some(text.open, "gap open", "gaps open"),
        some(text.restored, "reading accepted", "readings accepted"),
        some(translated, "passage translated", "passages translated"),
        Some(changed(text.changed)),
    ];
    all.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// Formats the day and hour of the last change in local time.
fn changed(milliseconds: f64) -> String {
    let date = js_sys::Date::new(&milliseconds.into());
    let options = js_sys::Object::new();
    for (name, value) in [("dateStyle", "medium"), ("timeStyle", "short")] {
        // Setting a property of a new object cannot fail.
        let _ = js_sys::Reflect::set(&options, &name.into(), &value.into());
    }
    format!("changed {}", String::from(date.to_locale_string("en-GB", &options)))
}

/// The question before a text is deleted.
#[component]
fn Deleting() -> impl IntoView {
    let texts = expect_context::<Texts>();
    let name = move || {
        let key = texts.to_delete.get();
        let of = |(own, _): &&(String, KeptText)| Some(own) == key.as_ref();
        texts.all.with(|all| all.iter().find(of).map(|(_, text)| text.name.clone())).unwrap_or_default()
    };
    let delete = move || {
        if let Some(key) = texts.to_delete.get_untracked() {
            texts.delete(&key);
        }
        texts.to_delete.set(None);
        // A closing dialog returns the focus to the element that had it, which is gone; so the focus is set later.
        on_next_frame(focus_button);
    };
    view! {
        <DeletionQuestion
            id="shelf-deletion"
            delete_id="shelf-delete"
            is_asked=Signal::derive(move || texts.to_delete.with(Option::is_some))
            question=Signal::derive(move || format!("Delete “{}” from the shelf?", name()))
            consequence="The text, its accepted readings and its steps lie only in this browser. What is on the \
                         workbench stays there."
            on_delete=delete
            on_keep=move || texts.to_delete.set(None)
        />
    }
}
