//! Readings that edited texts have in the place of the selected gap, with number of texts and places.

use super::card::{failed, not_open};
use super::place;
use super::state::{AttestedForGap, CorpusState};
use crate::corpora::state::Corpora;
use crate::kit::format;
use crate::restore::state::Workbench;
use crate::restore::view::marks;
use crate::restore::view::pieces::as_the_text_writes;
use leptos::prelude::*;
use tuppum_protocol::{AttestedPlace, AttestedReading};
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

fn found(workbench: Workbench, sign: SignIndex) -> impl IntoView {
    let corpora = workbench.corpora;
    move || {
        if let Some(failure) = corpora.failure.get() {
            return failed(workbench, &failure).into_any();
        }
        match corpora.attested.get().filter(|found| found.sign == sign) {
            None => view! { <p class="hint">"Looking it up …"</p> }.into_any(),
            Some(AttestedForGap { readings, .. }) if readings.is_empty() => view! {
                <p class="hint" data-state="none">"No edited text has a sign between such neighbours."</p>
            }
            .into_any(),
            Some(AttestedForGap { readings, .. }) => view! {
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
    let written = workbench.text.document.with_untracked(|document| as_the_text_writes(&found.reading, document));
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
pub fn texts_with(corpora: Corpora, sign: SignIndex, reading: &str, starts_word: bool) -> Option<usize> {
    corpora.attested.with(|found| {
        let found = found.as_ref().filter(|found| found.sign == sign)?;
        let same = |one: &&AttestedReading| one.reading == reading && one.starts_word == starts_word;
        found.readings.iter().find(same).map(|one| one.texts)
    })
}
