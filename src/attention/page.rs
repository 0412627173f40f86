//! The page of the attention maps.

use super::{asking, distances, maps, opening, row, shares};
use crate::attention::Attention;
use crate::restore::state::Workbench;
use crate::shell::colours::{self, Colours};
use crate::shell::focus::focus_first;
use crate::translate::translator_choice::TranslatorChoice;
use leptos::prelude::*;

/// The page: controls on top, the maps below them, the tables of numbers beside or below the maps.
#[component]
pub fn AttentionPage() -> impl IntoView {
    let (attention, workbench) = (expect_context::<Attention>(), expect_context::<Workbench>());
    let choice = expect_context::<TranslatorChoice>();
    attention.follow_address();
    attention.ask_on_change(choice);
    attention.show_on_change();
    attention.draw_on_change();
    attention.write_address_on_change(workbench);
    colours::watch(attention.colours);
    let followed = window_event_listener_untyped("hashchange", move |_| attention.follow_address());
    on_cleanup(move || followed.remove());
    let ready = Memo::new(move |_| attention.translator.is_ready());
    view! {
        <main class="attention">
            <Colours />
            <asking::Text />
            <opening::Translator />
            <Show when=move || ready.get()>
                <section class="card" aria-labelledby="attention-title">
                    <div class="card-head">
                        <h2 id="attention-title">"What attends to what"</h2>
                        <asking::Grouping />
                    </div>
                    <asking::Choices />
                    <asking::Strengths />
                    <maps::Maps />
                    <maps::Tools />
                </section>
                <div class="attention-numbers">
                    <shares::Shares />
                    <row::Row />
                </div>
            </Show>
            <section class="card" aria-labelledby="distances-title">
                <h2 id="distances-title">"How far {d} and UTU lie apart"</h2>
                <distances::Distances />
            </section>
        </main>
    }
}

/// Focuses the text field.
pub fn focus_text() {
    focus_first("#attention-text");
}
