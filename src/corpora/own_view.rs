//! The user's own archives on the page: the card with the list, adding from a file, deleting; and the dialog that asks
//! for an archive's name.

use crate::corpora::state::Corpora;
use crate::frame::notice::Notice;
use crate::kit::dialog::{DeletionQuestion, open_while};
use crate::kit::{files, format};
use crate::restore::state::Workbench;
use leptos::ev::SubmitEvent;
use leptos::html::Dialog;
use leptos::prelude::*;
use tuppum_protocol::{OwnArchive, OwnArchives, OwnReport};
use wasm_bindgen::JsCast;

/// Size in bytes of the largest file that is read.
const MAX_FILE_BYTES: usize = 20_000_000;

/// The card.
#[component]
pub fn OwnTexts() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let corpora = workbench.corpora;
    corpora.list_own();
    view! {
        <section id="own-texts" class="card" aria-labelledby="own-title">
            <h2 id="own-title">"Your own texts"</h2>
            <p class="hint">
                "They stand beside the edited texts, on this device only: their readings count for gaps, their lines \
                 are found as parallels, and their translations are remembered, each marked as yours. Lists of names \
                 decide what a word names and how it is rendered."
            </p>
            {move || corpora.own.get().map(|own| kept(workbench, &own))}
            <p class="buttons">
                <label class="file">
                    <input
                        id="own-file"
                        class="unseen"
                        type="file"
                        accept=".txt,.atf,text/plain"
                        on:change=move |event| pick(workbench, &event, AddedFile::Texts)
                    />
                    "Add texts from a file …"
                </label>
                <label class="file">
                    <input
                        id="own-names-file"
                        class="unseen"
                        type="file"
                        accept=".tsv,.csv,.txt,text/tab-separated-values,text/csv"
                        on:change=move |event| pick(workbench, &event, AddedFile::Names)
                    />
                    "Add names from a table …"
                </label>
            </p>
            <p class="hint">
                "Transliterations in any convention that the workbench reads; a line such as &P361583 begins a text. \
                 What you work on is kept by “Keep among your own texts” under “Export”, pairs with translations by \
                 the button below them on the page “Train”."
            </p>
            <p class="hint">
                "A table of names has a row for each spelling, with tabs between spelling, name, kind (person, god, \
                 settlement …) and rendering; only the spelling must be there."
            </p>
            <Forgetting />
        </section>
    }
}

fn kept(workbench: Workbench, own: &OwnArchives) -> impl IntoView + use<> {
    let rows = own.archives.iter().map(|report| row(workbench, report)).collect_view();
    let damaged = own.damaged.iter().map(|name| damaged(workbench, name.clone())).collect_view();
    let is_empty = own.archives.is_empty() && own.damaged.is_empty();
    let warning = own
        .not_stored
        .clone()
        .map(|why| format!("This browser does not store all of them: {why}. They are here until you close this tab."));
    let not_indexed = own.not_indexed.clone();
    view! {
        <p id="own-none" hidden=!is_empty>"You keep none yet."</p>
        {(!is_empty)
            .then(|| {
                view! {
                    <table id="own-list" class="plain models-list">
                        <thead>
                            <tr>
                                <th scope="col">"Name"</th>
                                <th scope="col">"Texts"</th>
                                <th scope="col">"Lines"</th>
                                <th scope="col">"Translations"</th>
                                <th scope="col">"Names"</th>
                                <th scope="col"><span class="unseen">"What can be done"</span></th>
                            </tr>
                        </thead>
                        <tbody>{rows} {damaged}</tbody>
                    </table>
                }
            })}
        {[warning, not_indexed]
            .map(|text| text.map(|text| view! { <p class="warning-line" role="alert">{text}</p> }))
            .collect_view()}
    }
}

fn row(workbench: Workbench, report: &OwnReport) -> impl IntoView + use<> {
    let OwnReport { name, texts, lines, translations, names, .. } = report.clone();
    let count = |number: usize| format::count(number as u64);
    view! {
        <tr data-own=name.clone()>
            <th scope="row">{name.clone()}</th>
            <td data-label="Texts" class="figure">{count(texts)}</td>
            <td data-label="Lines" class="figure">{count(lines)}</td>
            <td data-label="Translations" class="figure">{count(translations)}</td>
            <td data-label="Names" class="figure">{count(names)}</td>
            <td>{buttons(workbench, &name)}</td>
        </tr>
    }
}

/// Draws the row of an archive whose file cannot be read.
fn damaged(workbench: Workbench, name: String) -> impl IntoView {
    view! {
        <tr data-own=name.clone()>
            <th scope="row">{name.clone()}</th>
            <td colspan="4">
                "⚠ Its file cannot be read any more, so it counts for nothing. “Save” hands you the file as far as it \
                 is text."
            </td>
            <td>{buttons(workbench, &name)}</td>
        </tr>
    }
}

/// Draws the buttons of an archive.
fn buttons(workbench: Workbench, name: &str) -> impl IntoView + use<> {
    let corpora = workbench.corpora;
    let (to_save, to_forget) = (name.to_owned(), name.to_owned());
    view! {
        <span class="buttons">
            <button
                type="button"
                aria-label=format!("Save {name} as a file")
                on:click=move |_| corpora.save_own(workbench, to_save.clone())
            >
                "Save"
            </button>
            <button
                type="button"
                aria-label=format!("Delete {name} …")
                on:click=move |_| corpora.to_forget.set(Some(to_forget.clone()))
            >
                "Delete …"
            </button>
        </span>
    }
}

/// Content of a file that the user adds.
#[derive(Clone, Copy)]
enum AddedFile {
    Texts,
    Names,
}

/// Handles the choice of a file.
fn pick(workbench: Workbench, event: &leptos::ev::Event, brought: AddedFile) {
    let input = event.target().and_then(|target| target.dyn_into::<web_sys::HtmlInputElement>().ok());
    let Some(input) = input else { return };
    if let Some(file) = input.files().and_then(|files| files.item(0)) {
        take(workbench, file, brought);
    }
    // Clearing the field lets the user choose the same file again.
    input.set_value("");
}

/// Reads a file and opens the dialog for the archive's name.
fn take(workbench: Workbench, chosen: web_sys::File, brought: AddedFile) {
    let command = match brought {
        AddedFile::Texts => "tuppum search --own",
        AddedFile::Names => "tuppum names --own",
    };
    leptos::task::spawn_local(async move {
        match files::read_text(&chosen, MAX_FILE_BYTES, command).await {
            Ok(text) => {
                let name = chosen.name();
                let name = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem).to_owned();
                let named = OwnArchive { name, ..OwnArchive::default() };
                workbench.corpora.to_keep.set(Some(match brought {
                    AddedFile::Texts => OwnArchive { text, ..named },
                    AddedFile::Names => OwnArchive { names: text, ..named },
                }));
            }
            Err(reason) => workbench.notify(Notice::failure(reason)),
        }
    });
}

/// The question before an archive is deleted.
#[component]
fn Forgetting() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let corpora: Corpora = workbench.corpora;
    let name = move || corpora.to_forget.get().unwrap_or_default();
    let forget = move || {
        if let Some(name) = corpora.to_forget.get_untracked() {
            corpora.forget_own(workbench, name);
        }
        corpora.to_forget.set(None);
    };
    view! {
        <DeletionQuestion
            id="own-deletion"
            delete_id="own-forget"
            is_asked=Signal::derive(move || corpora.to_forget.with(Option::is_some))
            question=Signal::derive(move || format!("Delete “{}”?", name()))
            consequence="It lies only on this device. If you have no other copy, save it as a file before."
            on_delete=forget
            on_keep=move || corpora.to_forget.set(None)
        />
    }
}

/// The dialog; it opens when an archive is to be kept.
#[component]
pub fn NameDialog() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let corpora = workbench.corpora;
    let dialog = NodeRef::<Dialog>::new();
    let name = RwSignal::new(String::new());
    Effect::new(move |_| {
        if let Some(archive) = corpora.to_keep.get() {
            name.set(archive.name);
            if corpora.own.with_untracked(Option::is_none) {
                corpora.list_own();
            }
        }
    });
    open_while(dialog, move || corpora.to_keep.with(Option::is_some));
    let called = move || name.with(|name| name.trim().to_owned());
    let keep = move |event: SubmitEvent| {
        event.prevent_default();
        if let Some(archive) = corpora.to_keep.get_untracked().filter(|_| !untrack(called).is_empty()) {
            corpora.keep_own(workbench, tuppum_protocol::OwnArchive { name: untrack(called), ..archive });
            corpora.to_keep.set(None);
        }
    };
    view! {
        <dialog
            id="own-name-dialog"
            node_ref=dialog
            aria-labelledby="own-name-title"
            on:close=move |_| corpora.to_keep.set(None)
        >
            <form on:submit=keep>
                <Purpose />
                <Name name />
                <p class="buttons">
                    <button id="own-name-keep" type="submit" class="primary">
                        "Keep"
                    </button>
                    <button type="button" class="quiet" on:click=move |_| corpora.to_keep.set(None)>
                        "Cancel"
                    </button>
                </p>
            </form>
        </dialog>
    }
}

/// The field for the name, with a warning if the name is taken.
#[component]
fn Name(name: RwSignal<String>) -> impl IntoView {
    let corpora = expect_context::<Workbench>().corpora;
    let is_taken = move || {
        let name = name.with(|name| name.trim().to_owned());
        corpora.own.with(|own| own.as_ref().is_some_and(|own| own.archives.iter().any(|one| one.name == name)))
    };
    view! {
        <label class="field">
            <span>"Name"</span>
            <input
                id="own-name"
                type="text"
                autocomplete="off"
                required
                aria-describedby="own-name-taken"
                prop:value=move || name.get()
                on:input=move |event| name.set(event_target_value(&event))
            />
        </label>
        <p id="own-name-taken" class="hint" role="status">
            {move || is_taken().then_some("It takes the place of what you kept under this name.")}
        </p>
    }
}

/// Explanation of what keeping does.
#[component]
fn Purpose() -> impl IntoView {
    view! {
        <h2 id="own-name-title">"Keep among your own texts"</h2>
        <p class="hint">
            "It stands beside the edited texts from now on, on this device only: what it reads is shown for gaps and \
             lines of other texts, and its names in them, marked as yours. You find it on the page “Models”."
        </p>
    }
}
