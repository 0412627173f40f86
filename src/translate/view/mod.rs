//! The translation card: controls, notices, passages, names and export.

mod controls;
mod doubts;
mod names;
mod passage;
mod wordings;
mod words;

use crate::engine::model::ModelState;
use crate::frame::failure::TranslationFailure;
use crate::translate::Translating;
use crate::translate::export;
use crate::translate::state::UndoableChange;
use crate::translate::state::rendering::Rendering;
use leptos::prelude::*;

#[component]
pub fn Translate() -> impl IntoView {
    let translating = expect_context::<Translating>();
    let anything = Memo::new(move |_| translating.shown.with(|shown| !shown.passages.is_empty()));
    view! {
        <section id="translate-card" class="card" aria-labelledby="translate-title">
            <div class="card-head">
                <h2 id="translate-title">"Translation"</h2>
                <span class="hint">"Machine translation: a proposal to check, never a reading of the tablet"</span>
            </div>
            <controls::Controls />
            <TranslationFailure />
            <NoTranslator />
            <Outdated />
            <Deleted />
            <ShippedLimits />
            <passage::Passages />
            <Show when=move || anything.get()>
                <words::Legend />
                <names::Names />
                <export::CopyButtons />
            </Show>
            <p id="translation-said" class="unseen" role="status" aria-live="polite">
                {translating.announced}
            </p>
        </section>
    }
}

/// Notice that no translator was found, with a link to the page where one can be fetched or imported.
#[component]
fn NoTranslator() -> impl IntoView {
    let translating = expect_context::<Translating>();
    let absent = Memo::new(move |_| translating.translator.state.with(ModelState::is_missing));
    view! {
        <Show when=move || absent.get()>
            <div id="translator-absent" class="band warning" role="status">
                <p>
                    <strong>"There is no translator here. "</strong>
                    {move || format!("Nothing was found at {}. ", translating.choice.model())}
                    "You can fetch or import one on the "<a href="#view=models">"Models page"</a>
                    ". Restoring works without it, and your text is untouched."
                </p>
            </div>
        </Show>
    }
}

/// Notice about the limits of the shipped translator.
#[component]
fn ShippedLimits() -> impl IntoView {
    let translating = expect_context::<Translating>();
    let by_it = |rendering: &Rendering| rendering.made.model.is_shipped();
    let hidden = move || !translating.shown.with(|shown| shown.passages.iter().any(|(one, _)| by_it(one)));
    let many_lines = move || {
        let many = |one: &Rendering| by_it(one) && one.translated.lines.len() > 1;
        translating.shown.with(|shown| shown.passages.iter().any(|(one, _)| many(one)))
    };
    view! {
        <p id="translator-small" class="hint" hidden=hidden>
            "Tuppum’s own translator is small. It does best with letters, omens, dates and payments of the \
             Neo-Assyrian archives and with inscriptions of the later Assyrian kings; in many other lines it gets some \
             words right and invents the rest. What is expected to be mostly wrong is held back; a word that you point \
             at says how often such a word is right. "
            {move || many_lines().then_some("It was trained on single lines: when it translates several lines \
                together, it may leave some out without saying which. ")}
            "A larger ByT5 can be imported on the "
            <a href="#view=models">"Models page"</a>
            "."
        </p>
    }
}

/// Notice after a deletion or a change of all renderings of a name, with a button that undoes it.
#[component]
fn Deleted() -> impl IntoView {
    let translating = expect_context::<Translating>();
    let words = Memo::new(move |_| {
        translating.undoable.with(|change| {
            change.as_ref().map(|change| match change {
                UndoableChange::Deleted(_) => ("Deleted. ", "Put it back"),
                UndoableChange::Named(_) => ("A name is now rendered the same way everywhere. ", "Undo that"),
            })
        })
    });
    let band = move |(what, back): (&'static str, &'static str)| {
        view! {
            <p id="translation-deleted" class="band" role="status">
                {what}
                <button id="translation-put-back" type="button" on:click=move |_| translating.put_back()>
                    {back}
                </button>
            </p>
        }
    };
    move || words.get().map(band)
}

/// Notice about passages that were translated for an earlier wording of the text.
#[component]
fn Outdated() -> impl IntoView {
    let translating = expect_context::<Translating>();
    let counts = Memo::new(move |_| translating.shown.with(|shown| (shown.outdated(), shown.passages.len())));
    let more = Memo::new(move |_| translating.remaining().is_some());
    let draw = move || {
        let sentence = match counts.get() {
            (0, _) => return None,
            (some, all) if some == all => {
                "This translation was made for another wording of the text. It is kept, and is valid again when the \
                 text is as it was."
                    .to_owned()
            }
            (some, _) => format!(
                "{} made for an earlier wording of the text: kept, marked, and valid again when the text is as it was.",
                crate::kit::format::plural(some, "passage was", "passages were")
            ),
        };
        // Where some passages are still valid, only outdated ones may be deleted, each by its own button.
        let all = counts.with(|(some, all)| some == all);
        Some(view! {
            <div id="translation-outdated" class="band warning">
                <p>
                    <strong>"⚠ Outdated. "</strong>
                    {sentence}
                    {move || more.get().then_some(" Press Translate for what the text says now.")}
                </p>
                <button
                    id="translation-delete"
                    type="button"
                    hidden=!all
                    disabled=move || translating.job.is_running()
                    on:click=move |_| translating.delete()
                >
                    "Delete it"
                </button>
            </div>
        })
    };
    view! { {draw} }
}
