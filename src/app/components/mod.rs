//! What is drawn: one file for each part of the page.

mod accepted;
mod changes;
mod device;
mod export;
mod failure;
mod filters;
mod gap_panel;
mod header;
mod help;
mod input;
mod joint;
mod lengths;
mod live;
mod marks;
mod notice;
mod palette;
mod previous;
mod progress;
mod proposals;
mod reading_view;
mod remarks;
mod restore;
mod sign_view;
mod update;
mod why;

use super::{keys, visit};
use leptos::prelude::*;

/// The whole page.
#[component]
pub fn App() -> impl IntoView {
    let workbench = visit::begin();
    provide_context(workbench);
    keys::listen(workbench);
    view! {
        <a class="skip" href="#text" on:click=skip_to_text>
            "Skip to the text"
        </a>
        <header::Header />
        <update::Update />
        <previous::Previous />
        <notice::StorageTrouble />
        <main class="workbench">
            <div class="writing">
                <input::Input />
                <reading_view::Reading />
                <changes::Changes />
                <remarks::Remarks />
            </div>
            <div class="finding">
                <failure::TroublePanel />
                <gap_panel::GapPanel />
                <joint::Together />
                <export::Export />
            </div>
        </main>
        <footer class="foot">
            <p>
                "Every reading proposed here is a machine’s, given with its probability. None of it has been seen on the tablet."
            </p>
            <p>"Nothing you type leaves this machine."</p>
        </footer>
        <notice::NoticeLine />
        <live::LiveRegion />
    }
}

/// Focuses the text field; following the link would overwrite the address, which holds the text.
fn skip_to_text(event: leptos::ev::MouseEvent) {
    event.prevent_default();
    remarks::go_to(crate::text::Span::default());
}
