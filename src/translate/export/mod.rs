//! Buttons that copy the translation.

pub mod formats;
#[cfg(all(test, not(target_family = "wasm")))]
mod fuzz_tests;
pub mod published;
pub mod tei;
mod tei_sign;
mod tei_word;
mod xml;

use crate::corpora::words;
use crate::frame::clipboard::{copy, copy_button};
use crate::frame::notice::Notice;
use crate::translate::Translating;
use leptos::prelude::*;
use published::Published;

/// Copy buttons, one for each format, with its purpose.
#[component]
pub fn CopyButtons() -> impl IntoView {
    let translating = expect_context::<Translating>();
    let button = |id, name, purpose, form| copy_button(id, name, purpose, Box::new(move || copy_as(translating, form)));
    view! {
        <details id="translation-export" class="names">
            <summary>"Export the translation"</summary>
            <p class="hint">"Each button copies."</p>
            <ul class="exports">
                {button("translation-text", "Translation as text", "The English, line by line.", ExportFormat::Text)}
                {button("translation-tsv", "Translation as TSV", "Every wording as a row, for a spreadsheet or \
                    R.", ExportFormat::Table)}
                {button("translation-json", "Translation as JSON", "Everything, with probabilities and which words \
                    belong together.", ExportFormat::Json)}
                {button("translation-tei", "Translation as TEI", "Text and translation for an edition: restored signs \
                    as supplied, open ones as gap.", ExportFormat::Tei)}
            </ul>
        </details>
    }
}

#[derive(Clone, Copy)]
enum ExportFormat {
    Text,
    Table,
    Json,
    Tei,
}

fn copy_as(translating: Translating, form: ExportFormat) {
    let workbench = translating.workbench;
    workbench.read();
    let (renderings, standing) = translating.shown.with_untracked(|shown| shown.unzip());
    if renderings.is_empty() {
        workbench.notify(Notice::failure("There is no translation to copy yet. Press Translate first."));
        return;
    }
    let document = workbench.text.document.get_untracked();
    let work = workbench.text.work.get_untracked();
    let published = Published::of(workbench.corpora);
    let (text, what) = match form {
        ExportFormat::Text => (formats::text(&document, &renderings, &standing, &published), "The translation"),
        ExportFormat::Table => (formats::tsv(&document, &renderings, &standing, &published), "The table"),
        ExportFormat::Json => {
            let translator = translating.translator.state.get_untracked();
            (formats::json(&work, &document, &renderings, &standing, &published, translator.translator()), "The JSON")
        }
        ExportFormat::Tei => {
            let restorer = work.restorers(&workbench.device.model.get_untracked());
            let glossed = words::of_the_present(workbench);
            (tei::tei(&work, &document, &renderings, &standing, &published, &glossed, &restorer), "The TEI")
        }
    };
    copy(workbench, text, what);
}
