//! The panel of the selected sign: its proposals, and what is known about it.

use super::reading_view::scroll_into_view;
use super::{accepted, filters, lengths, marks, proposals, scope, why};
use crate::corpora::attested::Attested;
use crate::restore::export::{line_of, sign_at};
use crate::restore::state::Workbench;
use leptos::prelude::*;
use tuppum_text::signs::SignList;
use tuppum_text::{SignIndex, SignKind};

/// Content of the panel, depending on the selection.
#[derive(Clone, Debug, PartialEq)]
enum Opened {
    /// No sign is selected.
    Nothing,
    /// A gap, open or filled. `chosen` is the reading of a legible sign that the user treats as broken.
    Gap { sign: SignIndex, is_break: bool, chosen: Option<String> },
    /// An illegible sign or break that is left alone.
    LeftAlone(SignIndex),
    /// A legible sign.
    Legible(SignIndex, String),
    /// Text that could not be read.
    Unreadable(String),
}

/// The panel.
#[component]
pub fn GapPanel() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let opened = Memo::new(move |_| open(workbench));
    let body = move || match opened.get() {
        Opened::Nothing => view! { <p class="hint">"Choose a gap in the reading to see its proposals."</p> }.into_any(),
        Opened::Gap { sign, is_break, chosen } => gap(workbench, sign, is_break, chosen).into_any(),
        Opened::LeftAlone(sign) => left_alone(workbench, sign).into_any(),
        Opened::Legible(sign, reading) => legible(workbench, sign, &reading).into_any(),
        Opened::Unreadable(typed) => {
            view! { <p>"Kept as typed, because it could not be read: "<code>{typed}</code></p> }.into_any()
        }
    };
    view! {
        <section id="gap-panel" class="card" aria-labelledby="gap-title">
            <div class="card-head">
                <h2 id="gap-title">{move || heading(workbench, &opened.get())}</h2>
                <Neighbours />
            </div>
            {body}
        </section>
    }
}

fn open(workbench: Workbench) -> Opened {
    let Some(index) = workbench.selected.get() else { return Opened::Nothing };
    let document = workbench.document.get();
    let Some(sign) = sign_at(&document, index) else { return Opened::Nothing };
    let gap = workbench.work.with(|work| work.is_gap(index, sign));
    match &sign.kind {
        kind if gap => {
            Opened::Gap { sign: index, is_break: *kind == SignKind::Gap, chosen: sign.reading().map(str::to_owned) }
        }
        SignKind::Reading(reading) => Opened::Legible(index, reading.clone()),
        SignKind::Illegible | SignKind::Gap => Opened::LeftAlone(index),
        SignKind::Unreadable => Opened::Unreadable(sign.span.of(&document.source).to_owned()),
    }
}

fn heading(workbench: Workbench, opened: &Opened) -> String {
    let (what, sign) = match opened {
        Opened::Nothing => return "Proposals".into(),
        Opened::Gap { sign, is_break: true, .. } => ("Break of unknown length", *sign),
        Opened::Gap { sign, chosen: Some(_), .. } => ("Sign treated as broken", *sign),
        Opened::Gap { sign, .. } => ("Illegible sign", *sign),
        Opened::LeftAlone(sign) => ("Left alone", *sign),
        Opened::Legible(sign, _) => ("Legible sign", *sign),
        Opened::Unreadable(_) => return "Not read".into(),
    };
    format!("{what}, line {}", workbench.document.with(|document| line_of(document, sign)))
}

/// Buttons to the previous and the next gap.
#[component]
fn Neighbours() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let gaps = Memo::new(move |_| workbench.gaps());
    let go = move |back: bool| {
        let gaps = gaps.get_untracked();
        let from = workbench.selected.get_untracked();
        let next = match (from, back) {
            (None, false) => gaps.first(),
            (None, true) => gaps.last(),
            (Some(from), false) => gaps.iter().find(|gap| **gap > from).or(gaps.first()),
            (Some(from), true) => gaps.iter().rev().find(|gap| **gap < from).or(gaps.last()),
        };
        workbench.selected.set(next.copied().or(from));
    };
    let none = move || gaps.with(Vec::is_empty);
    view! {
        <span class="buttons">
            <button id="previous-gap" type="button" class="quiet" disabled=none on:click=move |_| go(true)>
                "← Previous gap"
            </button>
            <button id="next-gap" type="button" class="quiet" disabled=none on:click=move |_| go(false)>
                "Next gap →"
            </button>
            <button type="button" class="quiet narrow" on:click=move |_| scroll_into_view("reading")>
                "↑ Back to the text"
            </button>
        </span>
    }
}

fn gap(workbench: Workbench, sign: SignIndex, is_break: bool, chosen: Option<String>) -> impl IntoView {
    let leave = match chosen {
        Some(reading) => view! {
            <button
                id="treat-as-read"
                type="button"
                class="quiet"
                on:click=move |_| workbench.treat_as_broken(sign, false)
            >
                {format!("Treat as read: {reading}")}
            </button>
        }
        .into_any(),
        None => view! {
            <button id="leave-alone" type="button" class="quiet" on:click=move |_| workbench.leave_alone(sign, true)>
                "Leave alone"
            </button>
        }
        .into_any(),
    };
    view! {
        <accepted::AcceptedHere sign />
        <scope::Scope sign />
        <filters::Filters sign is_break />
        {is_break.then(|| view! { <lengths::Lengths sign /> })}
        <proposals::Proposals sign is_break />
        <Attested sign />
        <why::Legend />
        <p class="buttons end">{leave}</p>
    }
}

fn left_alone(workbench: Workbench, sign: SignIndex) -> impl IntoView {
    view! {
        <p>"This gap is left alone: it is not restored, and the model sees it as illegible."</p>
        <button id="restore-again" type="button" on:click=move |_| workbench.leave_alone(sign, false)>
            "Restore it"
        </button>
    }
}

fn legible(workbench: Workbench, sign: SignIndex, reading: &str) -> impl IntoView + use<> {
    let wanted = reading.to_owned();
    let entry = move || {
        let list = SignList::shared();
        let entry = list.sign_of(&wanted)?;
        let readings = list.readings_of(if entry.name.is_empty() { &entry.glyph } else { &entry.name });
        Some(view! {
            <dl class="facts">
                <dt>"Sign"</dt>
                <dd>{entry.name.to_string()} " " {marks::glyph(&entry.glyph)}</dd>
                <dt>"Its readings"</dt>
                <dd lang="akk-Latn">{readings.join(", ")}</dd>
            </dl>
        })
    };
    view! {
        <p class="large">{marks::reading(reading)}</p>
        {entry}
        <p>"If you doubt this reading, let it be restored from the rest of the text."</p>
        <button id="treat-as-broken" type="button" on:click=move |_| workbench.treat_as_broken(sign, true)>
            "Treat as broken"
        </button>
        <why::Legend />
    }
}
