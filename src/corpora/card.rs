//! A card that looks up the whole text in the corpora once the card is opened.

use super::attested::not_open;
use super::state::{Corpora, CorpusState, OfText};
use crate::kit::interaction::is_opened;
use crate::restore::state::Workbench;
use leptos::prelude::*;
use tuppum_text::ReadingOptions;

/// The card, closed at first.
#[component]
pub fn LookUpCard(
    /// Id of the card.
    id: &'static str,
    /// Heading of the card.
    title: &'static str,
    /// Looks up a text.
    look: fn(Corpora, (String, ReadingOptions)),
    /// Draws the result.
    found: fn(Workbench) -> AnyView,
) -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let corpora = workbench.corpora;
    let is_open = RwSignal::new(false);
    Effect::new(move |_| {
        if is_open.get() && corpora.is_ready() {
            look(corpora, text(workbench));
        }
    });
    let body = move || match (corpora.state.get(), corpora.failure.get()) {
        (CorpusState::Ready(_), None) => found(workbench),
        (CorpusState::Ready(_), Some(failure)) => {
            view! { <p class="warning-line" role="alert">{failure.message}</p> }.into_any()
        }
        _ => not_open(workbench).into_any(),
    };
    view! {
        <details id=id class="card" on:toggle=move |event| is_open.set(is_opened(&event))>
            <summary>
                <h2>{title}</h2>
            </summary>
            <Show when=move || is_open.get()>{body}</Show>
        </details>
    }
}

/// Returns the text and the options for reading it. Tracked as a signal.
pub fn text(workbench: Workbench) -> (String, ReadingOptions) {
    (workbench.document.with(|document| document.source.clone()), workbench.work.with(|work| work.reading))
}

/// Returns the result of a look-up if it belongs to the present text. Tracked as a signal.
pub fn of_present<T: Clone + Send + Sync + 'static>(
    workbench: Workbench,
    found: RwSignal<Option<OfText<T>>>,
) -> Option<T> {
    let present = text(workbench);
    found.with(|found| found.as_ref().filter(|found| found.text == present).map(|found| found.found.clone()))
}
