//! Readings that edited texts have in the place of the selected gap, with number of texts and places.

use super::place;
use super::state::{AttestedHere, CorpusState};
use crate::frame::progress::meter;
use crate::kit::format;
use crate::restore::marks;
use crate::restore::pieces::as_the_text_writes;
use crate::restore::state::Workbench;
use leptos::prelude::*;
use tuppum_protocol::{AttestedPlace, AttestedReading, Failure, FailureKind};
use tuppum_text::SignIndex;

/// Readings of edited texts between such neighbours.
#[component]
pub fn Attested(
    /// The gap.
    sign: SignIndex,
) -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let corpora = workbench.corpora;
    Effect::new(move |_| {
        if corpora.is_ready() {
            corpora.look_gap_up(workbench.question(), sign);
        }
    });
    let body = move || match corpora.state.get() {
        CorpusState::Ready(_) => found(workbench, sign).into_any(),
        _ => not_open(workbench).into_any(),
    };
    view! {
        <section id="attested" class="attested" aria-labelledby="attested-title">
            <h3 id="attested-title">"In edited texts"</h3>
            {body}
        </section>
    }
}

/// Draws the state of corpora that are not open: progress or failure, and a button.
pub fn not_open(workbench: Workbench) -> impl IntoView {
    let corpora = workbench.corpora;
    move || match corpora.state.get() {
        CorpusState::Opening => view! {
            <div class="progress" data-state="opening">
                {move || meter(corpora.progress(), "Opening the corpora")}
                <button type="button" class="quiet" on:click=move |_| corpora.stop_opening()>
                    "Stop loading"
                </button>
            </div>
        }
        .into_any(),
        CorpusState::Failed(failure) => failed(workbench, &failure).into_any(),
        CorpusState::Closed | CorpusState::Ready(_) => view! {
            <p class="hint">
                "The corpora are not open. They are fetched once, about 7\u{202f}MB, and stored in this browser."
            </p>
            <button type="button" data-action="open-corpora" on:click=move |_| workbench.open_corpora()>
                "Open the corpora"
            </button>
        }
        .into_any(),
    }
}

fn failed(workbench: Workbench, failure: &Failure) -> impl IntoView + use<> {
    let message = match failure.kind {
        FailureKind::Missing => "This page came without corpora; what is proposed comes from the network alone.".into(),
        _ => format!("The corpora could not be opened: {}", failure.message),
    };
    view! {
        <p class="warning-line" role="alert" data-state="failed">
            {message}
            " "
            <span class="hint">{failure.hints.first().cloned()}</span>
        </p>
        <button type="button" data-action="open-corpora" on:click=move |_| workbench.open_corpora()>
            "Try again"
        </button>
    }
}

fn found(workbench: Workbench, sign: SignIndex) -> impl IntoView {
    let corpora = workbench.corpora;
    move || {
        if let Some(failure) = corpora.failure.get() {
            return failed(workbench, &failure).into_any();
        }
        match corpora.attested.get().filter(|found| found.sign == sign) {
            None => view! { <p class="hint">"Looking it up …"</p> }.into_any(),
            Some(AttestedHere { readings, .. }) if readings.is_empty() => view! {
                <p class="hint" data-state="none">"No edited text has a sign between such neighbours."</p>
            }
            .into_any(),
            Some(AttestedHere { readings, .. }) => view! {
                <p class="hint">
                    "Readings that stand between like neighbours, the weightiest first; at most 400 places \
                     are weighed, and they count in the probabilities above."
                </p>
                <ol class="attested-readings">
                    {readings.iter().map(|found| reading(workbench, found)).collect_view()}
                </ol>
            }
            .into_any(),
        }
    }
}

/// Draws a reading in the convention of the text, with its folded places as their editors write them.
fn reading(workbench: Workbench, found: &AttestedReading) -> impl IntoView + use<> {
    let written = workbench.document.with_untracked(|document| as_the_text_writes(&found.reading, document));
    let texts = format::plural(found.texts, "text", "texts");
    view! {
        <li data-attested=found.reading.clone()>
            <details>
                <summary>
                    <span lang="akk-Latn">{marks::proposed(&written, found.starts_word)}</span>
                    <span class="in-texts">{format!("in {texts}")}</span>
                    {marks::probability(found.share)}
                </summary>
                <ul class="places">{found.places.iter().map(place_of).collect_view()}</ul>
                {(found.texts > found.places.len())
                    .then(|| view! { <p class="hint">{format!("The likest {} are listed.", found.places.len())}</p> })}
            </details>
        </li>
    }
}

fn place_of(found: &AttestedPlace) -> impl IntoView + use<> {
    let AttestedPlace { edition, before, sign, behind, restored } = found;
    let by_its_editor = restored.then(|| view! { <span class="hint">"restored by its editor"</span> });
    view! {
        <li>
            <span class="quoted" lang="akk-Latn">
                {before.clone()} <mark>{sign.clone()}</mark> {behind.clone()}
            </span>
            {place::place(edition)}
            {by_its_editor}
        </li>
    }
}

/// Returns the number of texts that attest a proposal, if it is known, for the proposal's row.
pub fn texts_with(workbench: Workbench, sign: SignIndex, reading: &str, starts_word: bool) -> Option<usize> {
    workbench.corpora.attested.with(|found| {
        let found = found.as_ref().filter(|found| found.sign == sign)?;
        let same = |one: &&AttestedReading| one.reading == reading && one.starts_word == starts_word;
        found.readings.iter().find(same).map(|one| one.texts)
    })
}
