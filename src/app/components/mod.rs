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
mod translate;
mod tree;
mod update;
mod why;

use super::state::Page;
use super::translation::Translating;
use super::translator_choice::TranslatorChoice;
use super::tree::SignTree;
use super::{keys, visit};
use leptos::prelude::*;

/// The whole page.
#[component]
pub fn App() -> impl IntoView {
    let workbench = visit::begin();
    provide_context(workbench);
    keys::listen(workbench);
    let choice = TranslatorChoice::begin(workbench.translator.get_value());
    provide_context(choice);
    provide_context(Translating::begin(workbench, choice));
    provide_context(SignTree::default());
    let in_tree = move || workbench.page.get() == Page::Tree;
    let skip = move |event: leptos::ev::MouseEvent| {
        // Following the link would overwrite the address, which holds the text or the view.
        event.prevent_default();
        if in_tree() { tree::focus_disk() } else { remarks::go_to(crate::text::Span::default()) }
    };
    view! {
        <a class="skip" href="#text" on:click=skip>
            {move || if in_tree() { "Skip to the tree" } else { "Skip to the text" }}
        </a>
        <header::Header />
        <update::Update />
        <notice::StorageTrouble />
        <div hidden=in_tree>
            <previous::Previous />
        </div>
        <Show when=in_tree>
            <tree::TreePage />
        </Show>
        <main class="workbench" hidden=in_tree>
            <div class="writing">
                <input::Input />
                <reading_view::Reading />
                <translate::Translate />
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
            <p hidden=in_tree>
                "Every reading and every translation proposed here is a machine’s, given with its probability. None of it has been seen on the tablet."
            </p>
            <p>"Nothing you type leaves this machine."</p>
        </footer>
        <notice::NoticeLine />
        <live::LiveRegion />
    }
}
