//! Passages of a translation, each with the text that the model read, the English, and the actions on it.

use super::doubts::{HeldBack, Warnings, follow_doubts};
use super::wordings::{Alternatives, Edit, TranslationsInText};
use super::words::{English, Pointed, Source};
use crate::corpora::clauses::Clauses;
use crate::corpora::remembered::{Beside, Remembered};
use crate::kit::format;
use crate::translate::Translating;
use crate::translate::export::formats::status;
use crate::translate::state::passages::{self, PassageKey, PassageSignals};
use crate::translate::state::rendering::{Confidence, Rendering};
use crate::translate::state::translator::TranslatorVersion;
use leptos::prelude::*;
use tuppum_protocol::translation::Passage;

/// List of all passages, and the one being written.
#[component]
pub fn Passages() -> impl IntoView {
    let translating = expect_context::<Translating>();
    follow_doubts(translating);
    let standings = PassageSignals::new(translating.shown);
    // `None` stands for the passage being written, at the place that it will have when it is finished.
    let keys = Memo::new(move |_| {
        let shown = translating.writing.shown;
        let writing = shown.with(|writing| writing.as_ref().map(|writing| writing.rendering.place()));
        translating.shown.with(|shown| {
            let mut keys: Vec<Option<PassageKey>> = shown.passages.iter().map(|(one, _)| Some(one.key())).collect();
            if let Some(place) = writing {
                keys.insert(shown.passages.partition_point(|(one, _)| one.place() < place), None);
            }
            keys
        })
    });
    let draw = move |key: Option<PassageKey>| match key {
        Some(key) => view! { <Finished key standings /> }.into_any(),
        None => view! { <Writing /> }.into_any(),
    };
    let corpora = translating.workbench.corpora;
    let busy = move || (translating.job.is_running() || corpora.is_looking_up()).to_string();
    view! {
        <ol id="translation" class="passages" aria-label="Translated passages" aria-busy=busy>
            <For each=move || keys.get() key=Clone::clone children=draw />
        </ol>
    }
}

#[component]
fn Finished(key: PassageKey, standings: PassageSignals) -> impl IntoView {
    let translating = expect_context::<Translating>();
    let (source, standing) = (key.1.clone(), standings.draw(&key));
    let key = StoredValue::new(key);
    let pointed = RwSignal::new(None::<Pointed>);
    let stands = Memo::new(move |_| {
        standing.with(|one| one.as_ref().map(|(rendering, now)| status(rendering, now.as_ref()))).unwrap_or("outdated")
    });
    let lines =
        move || standing.with(|one| one.as_ref().map(|(rendering, now)| label(translating, rendering, now.as_ref())));
    let facts = move || {
        let chosen = translating.choice.version();
        standing.with(|one| one.as_ref().map(|(rendering, now)| facts(rendering, now.as_ref(), &chosen)))
    };
    let remove = move || {
        (stands.get() == "outdated").then(|| {
            view! {
                <button type="button" class="quiet" on:click=move |_| key.with_value(|key| translating.remove(key))>
                    "Remove"
                </button>
            }
        })
    };
    view! {
        <li class="passage" data-lines=lines data-status=stands>
            <span class="label">{lines}</span>
            <div class="passage-body">
                <Source standing pointed />
                <TranslationsInText key standing />
                <Clauses source=source.clone() at=Beside::Above />
                <Remembered source=source.clone() at=Beside::Above />
                <HeldBack key standing />
                <English standing pointed />
                <Warnings standing />
                <p class="hint passage-facts">
                    {facts}
                </p>
                <Clauses source=source.clone() at=Beside::Below />
                <Remembered source at=Beside::Below />
                <div class="passage-doings">
                    <Alternatives key standing />
                    <Edit key standing />
                    {remove}
                </div>
            </div>
        </li>
    }
}

fn label(translating: Translating, rendering: &Rendering, now: Option<&Passage>) -> String {
    translating.workbench.text.document.with(|document| passages::label(document, rendering, now))
}

/// Returns the line below the English: status of the passage, author of the wording, probabilities, and the model
/// unless it is the chosen one.
fn facts(rendering: &Rendering, now: Option<&Passage>, chosen: &TranslatorVersion) -> AnyView {
    let badge = match (status(rendering, now), rendering.own_wording().is_some()) {
        ("outdated", _) => Some(("outdated", "⚠ Outdated: made for an earlier wording")),
        ("unfinished", _) => Some(("unfinished", "… Unfinished: stopped here")),
        (_, true) => Some(("own", "✎ Your wording")),
        _ => None,
    };
    let badge = badge.map(|(kind, words)| view! { <span class="badge" data-badge=kind>{words}</span>" " });
    let Some(candidate) = rendering.candidate() else { return badge.into_any() };
    let words = rendering.words();
    let unsure = words.iter().filter(|word| !word.by_user).filter_map(|word| candidate.words.get(word.word?));
    let unsure = unsure.filter(|word| Confidence::of(word.confidence()) > Confidence::Sure).count();
    let cut = (!candidate.ended).then_some(" Cut off at the greatest length allowed.");
    let beside = if rendering.own {
        "Beside the machine’s proposal, whose probability is"
    } else {
        "Machine proposal, probability"
    };
    let by = (rendering.made.model != *chosen).then(|| format!(" By {}.", rendering.made.model.name()));
    if rendering.is_held_back() {
        return view! {
            {badge}
            {by}
        }
        .into_any();
    }
    let right = candidate.right.filter(|_| !rendering.own);
    let right = right.map(|right| format!(" About {} of its words are right in such cases.", format::percent(right)));
    view! {
        {badge}
        {format!(
            "{beside} {} as a whole, {} for each byte on average; {}.",
            format::percent(candidate.probability),
            format::percent(candidate.byte_probability),
            match unsure {
                0 => "no word unsure".to_owned(),
                some => format!("{} unsure", format::plural(some, "word", "words")),
            }
        )}
        {right}
        {cut}
        {by}
    }
    .into_any()
}

/// The passage being written.
#[component]
fn Writing() -> impl IntoView {
    let translating = expect_context::<Translating>();
    let shown = translating.writing.shown;
    let read = move |what: fn(&Rendering) -> String| {
        shown.with(|writing| writing.as_ref().map(|writing| what(&writing.rendering)).unwrap_or_default())
    };
    let lines =
        move || shown.with(|writing| writing.as_ref().map(|writing| label(translating, &writing.rendering, None)));
    let source = Memo::new(move |_| read(|rendering| rendering.translated.source.clone()));
    view! {
        <li class="passage" data-lines=lines data-status="writing">
            <span class="label">{lines}</span>
            <div class="passage-body">
                <p class="source" lang="akk-Latn">
                    {source}
                </p>
                {move || {
                    view! {
                        <Clauses source=source.get() at=Beside::Above />
                        <Remembered source=source.get() at=Beside::Above />
                    }
                }}
                <p class="english" lang="en">
                    {move || read(|rendering| rendering.translated.partial.clone())}
                    <span class="caret" aria-hidden="true">
                        "▍"
                    </span>
                </p>
                <p class="hint passage-facts">"Being translated: the best beginning so far, which may still change"</p>
            </div>
        </li>
    }
}
