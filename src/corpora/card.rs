//! A card that looks up the whole text in the corpora once the card is opened.

use super::state::{Corpora, CorpusState, TextResult};
use crate::frame::progress::meter;
use crate::kit::interaction::is_opened;
use crate::restore::state::Workbench;
use crate::restore::state::text::Text;
use leptos::prelude::*;
use tuppum_protocol::{Failure, FailureKind};
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
            look(corpora, text(workbench.text));
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
pub fn text(text: Text) -> (String, ReadingOptions) {
    (text.document.with(|document| document.source.clone()), text.work.with(|work| work.reading))
}

/// Returns the result of a look-up if it belongs to the present text. Tracked as a signal.
pub fn of_present<T: Clone + Send + Sync + 'static>(
    workbench: Workbench,
    found: RwSignal<Option<TextResult<T>>>,
) -> Option<T> {
    let present = text(workbench.text);
    found.with(|found| found.as_ref().filter(|found| found.text == present).map(|found| found.found.clone()))
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

/// Draws the failure to open the corpora or to ask them, and a button that tries again.
pub fn failed(workbench: Workbench, failure: &Failure) -> impl IntoView + use<> {
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
