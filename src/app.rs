//! The whole page: the order of its parts, and the view that is shown.

use crate::attention::Attention;
use crate::corpora::own_view::NameDialog;
use crate::frame::page::Page;
use crate::frame::{failure, header, keys, notice, progress, updates, visit};
use crate::kit::later::later;
use crate::models::{Models, availability};
use crate::restore::state::Workbench;
use crate::restore::view::{input, reading, remarks};
use crate::texts::row::Previous;
use crate::texts::state::Texts;
use crate::train::Training;
use crate::translate::Translating;
use crate::translate::state::translator::TranslatorChoice;
use crate::tree::SignTree;
use crate::{attention, learn, models, parts, train, tree};
use leptos::prelude::*;

/// The whole page.
#[component]
pub fn App() -> impl IntoView {
    let workbench = visit::begin();
    provide_states(workbench);
    let shows = move |page: Page| move || workbench.page.get() == page;
    let elsewhere = move || workbench.page.get() != Page::Workbench;
    view! {
        <Skip />
        <header::Header />
        <updates::Update />
        <notice::StorageRefusal refusal=workbench.storage_refusal />
        <div hidden=elsewhere>
            <Previous />
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
                <reading::ReadingView />
                {later(parts::words)}
                {later(parts::translation)}
            </div>
            <div class="finding">
                <failure::FailurePanel />
                {later(parts::findings)}
            </div>
        </main>
        <Foot />
        <NameDialog />
        <notice::NoticeLine notice=workbench.notice />
        <progress::LiveRegion />
    }
}

/// Creates the state of every feature and provides it as context.
fn provide_states(workbench: Workbench) {
    provide_context(workbench);
    keys::listen(workbench);
    let texts = Texts::begin(workbench);
    provide_context(texts);
    let choice = TranslatorChoice::begin(workbench.device.translator.get_value());
    provide_context(choice);
    let translating = Translating::begin(workbench, choice, Memo::new(move |_| texts.others()));
    provide_context(translating);
    provide_context(SignTree::default());
    provide_context(Attention::new(workbench.engine));
    let models = Models::new(workbench.engine);
    provide_context(models);
    availability::watch_the_network(models);
    availability::open_stored_restorer(workbench, models);
    let translator_is_ready = Memo::new(move |_| translating.translator.is_ready());
    availability::list_when_open(
        models,
        translator_is_ready,
        Memo::new(move |_| models.translator_availability(choice)),
    );
    let training = Training::new(workbench.engine, workbench.device.preference);
    train::run::trouble::ask_before_leaving(training);
    provide_context(training);
}

/// The first link of the page, for the keyboard.
#[component]
fn Skip() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let skip = move |event: leptos::ev::MouseEvent| {
        // Following the link would overwrite the address, which holds the text or the view.
        event.prevent_default();
        match workbench.page.get_untracked() {
            Page::Workbench => remarks::go_to(tuppum_text::Span::default()),
            Page::Tree => tree::page::focus_disk(),
            Page::Attention => attention::page::focus_text(),
            Page::Learn => learn::page::focus_title(),
            Page::Train => train::page::focus_corpus(),
            Page::Models => models::page::focus_list(),
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

/// Notes at the foot of every view.
#[component]
fn Foot() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let elsewhere = move || workbench.page.get() != Page::Workbench;
    let in_models = move || workbench.page.get() == Page::Models;
    view! {
        <footer class="foot">
            <p hidden=elsewhere>
                "Every reading and every translation proposed here was made by a machine and is given with its \
                 probability; what is marked “Published” is an edition’s. None of it has been checked on the tablet."
            </p>
            <p>
                {move || match in_models() {
                    true => "The name of a model goes to its hub when you look it up or fetch it. Nothing else leaves \
                        this machine.",
                    false => "Nothing you type leaves this machine.",
                }}
            </p>
        </footer>
    }
}
