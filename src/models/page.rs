//! The page of the models: what is kept and which one translates, and two ways to bring another.

use super::{deletion, failure, files, hub, list, transfer, usage};
use crate::corpora::own_view::OwnTexts;
use crate::kit::interaction::focus_first;
use crate::models::Models;
use leptos::prelude::*;

/// The page: what is there on one side, the ways to bring more on the other.
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

/// Focuses the heading of what is there.
pub fn focus_list() {
    focus_first("#models-title");
}
