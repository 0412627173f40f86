//! The card of the user's own archives on the page “Models”: the list, adding from a file, deleting.

use super::state::Corpora;
use crate::frame::notice::Notice;
use crate::kit::dialog::DeletionQuestion;
use crate::kit::{files, format};
use crate::restore::state::Workbench;
use leptos::prelude::*;
use tuppum_protocol::{OwnArchive, OwnArchives, OwnReport};
use wasm_bindgen::JsCast;

/// Size in bytes of the largest file that is read.
const LARGEST: usize = 20_000_000;

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
                        on:change=move |event| pick(workbench, &event, Brought::Texts)
                    />
                    "Add texts from a file …"
                </label>
                <label class="file">
                    <input
                        id="own-names-file"
                        class="unseen"
                        type="file"
                        accept=".tsv,.csv,.txt,text/tab-separated-values,text/csv"
                        on:change=move |event| pick(workbench, &event, Brought::Names)
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
enum Brought {
    Texts,
    Names,
}

/// Handles the choice of a file.
fn pick(workbench: Workbench, event: &leptos::ev::Event, brought: Brought) {
    let input = event.target().and_then(|target| target.dyn_into::<web_sys::HtmlInputElement>().ok());
    let Some(input) = input else { return };
    if let Some(file) = input.files().and_then(|files| files.item(0)) {
        take(workbench, file, brought);
    }
    // Clearing the field lets the user choose the same file again.
    input.set_value("");
}

/// Reads a file and opens the dialog for the archive's name.
fn take(workbench: Workbench, chosen: web_sys::File, brought: Brought) {
    let command = match brought {
        Brought::Texts => "tuppum search --own",
        Brought::Names => "tuppum names --own",
    };
    leptos::task::spawn_local(async move {
        match files::read_text(&chosen, LARGEST, command).await {
            Ok(text) => {
                let name = chosen.name();
                let name = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem).to_owned();
                let named = OwnArchive { name, ..OwnArchive::default() };
                workbench.corpora.to_keep.set(Some(match brought {
                    Brought::Texts => OwnArchive { text, ..named },
                    Brought::Names => OwnArchive { names: text, ..named },
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
