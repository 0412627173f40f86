//! The page “Models”: stored models and the chosen ones, and two ways to add another.

use super::{deletion, failure, files, hub, list, transfer, usage};
use crate::corpora::own_list::OwnTexts;
use crate::models::Models;
use crate::shell::focus::focus_first;
use leptos::prelude::*;

/// The page: stored models on one side, ways to add more on the other.
#[component]
pub fn ModelsPage() -> impl IntoView {
    let models = expect_context::<Models>();
    models.list();
    view! {
        <main class="models-page">
            <div class="there">
                <transfer::Transferring />
                <failure::FailurePanel />
                <list::List />
                <OwnTexts />
                <usage::Usage />
            </div>
            <div class="bring">
                <hub::Hub />
                <files::Files />
            </div>
            <deletion::DeletionDialog />
        </main>
    }
}

/// Focuses the heading of the list.
pub fn focus_list() {
    focus_first("#models-title");
}
