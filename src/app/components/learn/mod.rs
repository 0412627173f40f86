//! The lesson.

use leptos::prelude::*;

/// The page.
#[component]
pub fn LearnPage() -> impl IntoView {
    view! { <main class="learn"></main> }
}

/// Focuses the lesson's first step.
pub fn focus_first() {}
