//! What is drawn: one file for each part of the page.

mod accepted;
mod attention;
mod changes;
mod colours;
mod device;
mod export;
mod failure;
mod filters;
mod gap_panel;
mod header;
mod help;
mod help_text;
mod input;
mod joint;
mod later;
mod learn;
mod lengths;
mod live;
mod marks;
mod models;
mod notice;
mod palette;
mod parts;
mod previous;
mod progress;
mod proposals;
mod reading_view;
mod remarks;
mod restore;
mod sign_view;
mod train;
mod translate;
mod tree;
mod update;
mod why;

use super::attention::Attention;
use super::models::Models;
use super::state::{Page, Workbench};
use super::training::Training;
use super::translation::Translating;
use super::translator_choice::TranslatorChoice;
use super::tree::SignTree;
use super::{keys, visit};
use later::later;
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
    provide_context(Attention::default());
    provide_context(Models::new());
    provide_context(Training::new());
    let shows = move |page: Page| move || workbench.page.get() == page;
    let elsewhere = move || workbench.page.get() != Page::Workbench;
    view! {
        <Skip />
        <header::Header />
        <update::Update />
        <notice::StorageTrouble />
        <div hidden=elsewhere>
            <previous::Previous />
        </div>
        <Show when=shows(Page::Tree)>
            {later(parts::tree)}
        </Show>
        <Show when=shows(Page::Attention)>
            {later(parts::attention)}
        </Show>
        <Show when=shows(Page::Learn)>
            {later(parts::learn)}
        </Show>
        <Show when=shows(Page::Train)>
            {later(parts::train)}
        </Show>
        <Show when=shows(Page::Models)>
            {later(parts::models)}
        </Show>
        <main class="workbench" hidden=elsewhere>
            <div class="writing">
                <input::Input />
                <reading_view::Reading />
                {later(parts::translation)}
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
        <Foot />
        <notice::NoticeLine />
        <live::LiveRegion />
    }
}

/// The first link of the page, for the keyboard.
#[component]
fn Skip() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let skip = move |event: leptos::ev::MouseEvent| {
        // Following the link would overwrite the address, which holds the text or the view.
        event.prevent_default();
        match workbench.page.get_untracked() {
            Page::Workbench => remarks::go_to(crate::text::Span::default()),
            Page::Tree => tree::focus_disk(),
            Page::Attention => attention::focus_text(),
            Page::Learn => learn::focus_first(),
            Page::Train => train::focus_corpus(),
            Page::Models => models::focus_list(),
        }
    };
    view! {
        <a class="skip" href="#text" on:click=skip>
            {move || match workbench.page.get() {
                Page::Workbench | Page::Attention => "Skip to the text",
                Page::Tree => "Skip to the tree",
                Page::Learn => "Skip to the lesson",
                Page::Train => "Skip to the corpus",
                Page::Models => "Skip to the models",
            }}
        </a>
    }
}

/// What holds of the whole page.
#[component]
fn Foot() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let elsewhere = move || workbench.page.get() != Page::Workbench;
    let in_models = move || workbench.page.get() == Page::Models;
    view! {
        <footer class="foot">
            <p hidden=elsewhere>
                "Every reading and every translation proposed here is a machine’s, given with its probability. None of it has been seen on the tablet."
            </p>
            <p>
                {move || match in_models() {
                    true => "The name of a model goes to its hub when you look it up or fetch it. Nothing else leaves this machine.",
                    false => "Nothing you type leaves this machine.",
                }}
            </p>
        </footer>
    }
}
