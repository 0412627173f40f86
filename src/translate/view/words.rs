//! Words of a passage on both sides, source and English. Pointing at a word or focusing it shows the words that belong
//! to it on the other side.

use crate::kit::format;
use crate::restore::view::reading::walk;
use crate::translate::state::passages::PassageSignal;
use crate::translate::state::rendering::{Confidence, Rendering};
use leptos::ev::KeyboardEvent;
use leptos::html::P;
use leptos::prelude::*;
use std::ops::Range;
use tuppum_protocol::translation::ShownWord;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event};

/// Word under the pointer or with the focus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointed {
    /// Number of a word of the source.
    Source(usize),
    /// Number of a word of the English.
    English(usize),
}

/// Word of the English as it is drawn.
#[derive(Clone, Debug, PartialEq)]
struct Drawn {
    text: String,
    /// Probability that the machine's word is right.
    confidence: Option<f32>,
    /// `true` if the confidence was measured, `false` if it is the model's own probability.
    measured: bool,
    by_user: bool,
    sources: Vec<usize>,
}

fn drawn(rendering: &Rendering) -> Vec<Drawn> {
    let Some(candidate) = rendering.candidate() else { return Vec::new() };
    let text = rendering.text();
    let word = |word: tuppum_protocol::translation::Wording| {
        let machine = word.word.and_then(|number| candidate.words.get(number));
        Drawn {
            text: text.get(word.bytes.clone()).unwrap_or_default().to_owned(),
            confidence: machine.filter(|_| !word.by_user).map(|machine| machine.confidence()),
            measured: machine.is_some_and(|machine| machine.right.is_some()),
            by_user: word.by_user,
            sources: machine.map(|machine| machine.sources()).unwrap_or_default(),
        }
    };
    rendering.words().into_iter().map(word).collect()
}

/// The source exactly as the model read it, with restored signs marked.
#[component]
pub fn Source(standing: PassageSignal, pointed: RwSignal<Option<Pointed>>) -> impl IntoView {
    let body = NodeRef::<P>::new();
    let words = Memo::new(move |_| {
        standing.with(|one| one.as_ref().map(|(rendering, _)| rendering.translated.words.clone()).unwrap_or_default())
    });
    let links = Memo::new(move |_| {
        let all = standing.with(|one| one.as_ref().map(|(rendering, _)| drawn(rendering)).unwrap_or_default());
        all.into_iter().map(|word| (word.text, word.sources)).collect::<Vec<_>>()
    });
    let word = move |(number, word): (usize, ShownWord)| {
        let linked = move || match pointed.get() {
            Some(Pointed::Source(own)) => own == number,
            Some(Pointed::English(english)) => {
                links.with(|links| links.get(english).is_some_and(|(_, sources)| sources.contains(&number)))
            }
            None => false,
        };
        let becomes = move || {
            let english = links.with(|links| {
                let own = links.iter().filter(|(_, sources)| sources.contains(&number)).map(|(text, _)| text.as_str());
                own.collect::<Vec<_>>().join(" … ")
            });
            if english.is_empty() { "no word belongs to it clearly".to_owned() } else { format!("becomes {english}") }
        };
        let (label, title) = (word.text.clone(), word.filled);
        let restored = if title { ", with a restoration that you accepted" } else { "" };
        view! {
            <button
                type="button"
                class="token"
                class:linked=linked
                data-source=number.to_string()
                tabindex=if number == 0 { "0" } else { "-1" }
                aria-label=move || format!("{label}{restored}: {}", becomes())
            >
                {pieces(&word.text, &word.restored)}
            </button>
            " "
        }
    };
    view! {
        <p
            node_ref=body
            class="source"
            lang="akk-Latn"
            on:mouseover=move |event| point_at(pointed, &event, "data-source", Pointed::Source)
            on:focusin=move |event| point_at(pointed, &event, "data-source", Pointed::Source)
            on:mouseleave=move |_| pointed.set(None)
            on:focusout=move |_| pointed.set(None)
            on:keydown=move |event: KeyboardEvent| walk(body.get_untracked().as_deref(), "[data-source]", &event)
        >
            {move || words.get().into_iter().enumerate().map(word).collect_view()}
        </p>
    }
}

/// Returns a word with its restored parts marked.
fn pieces(text: &str, restored: &[Range<usize>]) -> impl IntoView + use<> {
    let mut views = Vec::new();
    let mut done = 0;
    for place in restored {
        let (Some(before), Some(own)) = (text.get(done..place.start), text.get(place.clone())) else { continue };
        views.push(before.to_owned().into_any());
        views.push(
            view! {
                <mark class="restored" title="Restored by the machine and accepted by you">
                    {own.to_owned()}
                </mark>
            }
            .into_any(),
        );
        done = place.end;
    }
    views.push(text.get(done..).unwrap_or_default().to_owned().into_any());
    views
}

/// The English of a passage.
#[component]
pub fn English(standing: PassageSignal, pointed: RwSignal<Option<Pointed>>) -> impl IntoView {
    let body = NodeRef::<P>::new();
    let words = Memo::new(move |_| {
        standing.with(|one| one.as_ref().map(|(rendering, _)| drawn(rendering)).unwrap_or_default())
    });
    let unfinished = move || {
        let partial = |rendering: &Rendering| rendering.is_unfinished().then(|| format!("{} …", rendering.text()));
        standing.with(|one| one.as_ref().and_then(|(rendering, _)| partial(rendering)))
    };
    let source = move |number: usize| {
        standing.with(|one| {
            one.as_ref().and_then(|(rendering, _)| rendering.translated.words.get(number).map(|word| word.text.clone()))
        })
    };
    let word = move |(number, word): (usize, Drawn)| {
        let sources = word.sources.clone();
        let linked = move || match pointed.get() {
            Some(Pointed::English(own)) => own == number,
            Some(Pointed::Source(own)) => sources.contains(&own),
            None => false,
        };
        let from: Vec<String> = word.sources.iter().filter_map(|number| source(*number)).collect();
        let explanation = explanation(&word, &from);
        view! {
            <button
                type="button"
                class=format!("token {}", class_of(&word))
                class:linked=linked
                data-word=number.to_string()
                tabindex=if number == 0 { "0" } else { "-1" }
                title=explanation.clone()
                aria-label=format!("{}: {explanation}", word.text)
            >
                {word.text.clone()}
            </button>
            " "
        }
    };
    view! {
        <p
            node_ref=body
            class="english"
            lang="en"
            on:mouseover=move |event| point_at(pointed, &event, "data-word", Pointed::English)
            on:focusin=move |event| point_at(pointed, &event, "data-word", Pointed::English)
            on:mouseleave=move |_| pointed.set(None)
            on:focusout=move |_| pointed.set(None)
            on:keydown=move |event: KeyboardEvent| walk(body.get_untracked().as_deref(), "[data-word]", &event)
        >
            {unfinished}
            {move || words.get().into_iter().enumerate().map(word).collect_view()}
        </p>
    }
}

/// Sets the pointed word from an event's target, whose number is in this attribute: one listener serves all words of a
/// passage.
fn point_at(pointed: RwSignal<Option<Pointed>>, event: &Event, attribute: &str, word: fn(usize) -> Pointed) {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let own = target.and_then(|target| target.closest(&format!("[{attribute}]")).ok().flatten());
    if let Some(number) = own.and_then(|own| own.get_attribute(attribute)?.parse().ok()) {
        let now = Some(word(number));
        if pointed.get_untracked() != now {
            pointed.set(now);
        }
    }
}

fn class_of(word: &Drawn) -> &'static str {
    match (word.by_user, word.confidence.map(Confidence::of)) {
        (true, _) => "own",
        (false, Some(Confidence::Unsure)) => "unsure",
        (false, Some(Confidence::VeryUnsure)) => "very-unsure",
        (false, _) => "",
    }
}

fn explanation(word: &Drawn, from: &[String]) -> String {
    let sureness = match (word.by_user, word.confidence) {
        (true, _) => "your wording".to_owned(),
        (false, Some(confidence)) => {
            let share = format::percent(confidence);
            let share = if word.measured { format!("right in about {share} of such cases") } else { share };
            match Confidence::of(confidence).words() {
                "" => share,
                words => format!("{share}, {words}"),
            }
        }
        (false, None) => String::new(),
    };
    let from = if from.is_empty() { String::new() } else { format!("from {}", from.join(", ")) };
    [sureness, from].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}

/// Legend of the marks on words.
#[component]
pub fn Legend() -> impl IntoView {
    view! {
        <p class="hint word-marks">
            <span class="token unsure">"unsure"</span>
            " below 50 %, "
            <span class="token very-unsure">"very unsure"</span>
            " below 20 %, "
            <span class="token own">"yours"</span>
            ", "
            <mark class="restored">"restored"</mark>
            ". Point at a word, or move through the words with the arrow keys, to see what belongs together."
        </p>
    }
}
