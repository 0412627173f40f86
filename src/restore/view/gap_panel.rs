//! The panel of the selected sign: accepted readings, buttons that restore one gap or one line alone, what is known
//! about the gap, its proposals, and the legend of the signs on which a proposal depends.

use crate::corpora::attested::Attested;
use crate::kit::format;
use crate::restore::export::{line_number, line_of, sign_at};
use crate::restore::state::Workbench;
use crate::restore::state::text::Text;
use crate::restore::view::fillings::Lengths;
use crate::restore::view::filters;
use crate::restore::view::marks;
use crate::restore::view::proposals;
use crate::restore::view::reading::scroll_into_view;
use leptos::prelude::*;
use tuppum_text::signs::SignList;
use tuppum_text::{Document, SignIndex, SignKind};

/// Content of the panel, depending on the selection.
#[derive(Clone, Debug, PartialEq)]
enum Selection {
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
    let opened = Memo::new(move |_| open(workbench.text));
    let body = move || match opened.get() {
        Selection::Nothing => {
            view! { <p class="hint">"Choose a gap in the reading to see its proposals."</p> }.into_any()
        }
        Selection::Gap { sign, is_break, chosen } => gap(workbench, sign, is_break, chosen).into_any(),
        Selection::LeftAlone(sign) => left_alone(workbench, sign).into_any(),
        Selection::Legible(sign, reading) => legible(workbench, sign, &reading).into_any(),
        Selection::Unreadable(typed) => {
            view! { <p>"Kept as typed, because it could not be read: "<code>{typed}</code></p> }.into_any()
        }
    };
    view! {
        <section id="gap-panel" class="card" aria-labelledby="gap-title">
            <div class="card-head">
                <h2 id="gap-title">{move || heading(workbench.text, &opened.get())}</h2>
                <Neighbours />
            </div>
            {body}
        </section>
    }
}

fn open(text: Text) -> Selection {
    let Some(index) = text.selected.get() else { return Selection::Nothing };
    let document = text.document.get();
    let Some(sign) = sign_at(&document, index) else { return Selection::Nothing };
    let gap = text.work.with(|work| work.is_gap(index, sign));
    match &sign.kind {
        kind if gap => {
            Selection::Gap { sign: index, is_break: *kind == SignKind::Gap, chosen: sign.reading().map(str::to_owned) }
        }
        SignKind::Reading(reading) => Selection::Legible(index, reading.clone()),
        SignKind::Illegible | SignKind::Gap => Selection::LeftAlone(index),
        SignKind::Unreadable => Selection::Unreadable(sign.span.of(&document.source).to_owned()),
    }
}

fn heading(text: Text, opened: &Selection) -> String {
    let (what, sign) = match opened {
        Selection::Nothing => return "Proposals".into(),
        Selection::Gap { sign, is_break: true, .. } => ("Break of unknown length", *sign),
        Selection::Gap { sign, chosen: Some(_), .. } => ("Sign treated as broken", *sign),
        Selection::Gap { sign, .. } => ("Illegible sign", *sign),
        Selection::LeftAlone(sign) => ("Left alone", *sign),
        Selection::Legible(sign, _) => ("Legible sign", *sign),
        Selection::Unreadable(_) => return "Not read".into(),
    };
    format!("{what}, line {}", text.document.with(|document| line_of(document, sign)))
}

/// Buttons to the previous and the next gap.
#[component]
fn Neighbours() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let gaps = Memo::new(move |_| workbench.text.gaps());
    let go = move |back: bool| {
        let gaps = gaps.get_untracked();
        let from = workbench.text.selected.get_untracked();
        let next = match (from, back) {
            (None, false) => gaps.first(),
            (None, true) => gaps.last(),
            (Some(from), false) => gaps.iter().find(|gap| **gap > from).or(gaps.first()),
            (Some(from), true) => gaps.iter().rev().find(|gap| **gap < from).or(gaps.last()),
        };
        workbench.text.selected.set(next.copied().or(from));
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
        <AcceptedHere sign />
        <Scope sign />
        <filters::Filters sign is_break />
        {is_break.then(|| view! { <Lengths sign /> })}
        <proposals::Proposals sign is_break />
        <Attested sign />
        <Legend />
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
        <Legend />
    }
}

/// The accepted readings of a gap, if there are any.
#[component]
pub fn AcceptedHere(
    /// Gap that may have been filled.
    sign: SignIndex,
) -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let accepted = Memo::new(move |_| workbench.text.work.with(|work| work.accepted_at(sign).cloned()));
    let draw = move || {
        let accepted = accepted.get()?;
        let probability = accepted.readings.iter().map(|reading| reading.probability).fold(1.0, |a, b| a * b);
        let readings = accepted.readings.iter().map(|reading| (reading.written.as_str(), reading.starts_word));
        Some(view! {
            <p id="accepted" class="band accepted">
                <span>
                    "You accepted "<strong lang="akk-Latn">{marks::filling(readings)}</strong>
                    {format!(", proposed with {}.", crate::kit::format::percent(probability))}
                </span>
                <button id="take-back" type="button" on:click=move |_| workbench.take_back(sign)>
                    "Take back"
                </button>
            </p>
        })
    };
    view! { {draw} }
}

/// Buttons that restore a gap or its line alone, in a text with other gaps.
#[component]
pub fn Scope(
    /// Gap that the first button restores.
    sign: SignIndex,
) -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let open = Memo::new(move |_| workbench.text.open_gaps(None));
    let in_line = Memo::new(move |_| of_line(&workbench.text.document.get(), sign, &open.get()));
    let is_open = move || open.with(|open| open.contains(&sign));
    // If the line has all gaps of the text, the Restore button does the same.
    let has_other_lines = move || open.with(Vec::len) > in_line.with(Vec::len);
    view! {
        <p class="buttons" hidden=move || !is_open() || open.with(Vec::len) < 2>
            <button
                id="restore-gap"
                type="button"
                title="The other gaps stay illegible to the model, and their proposals stay as they are"
                on:click=move |_| workbench.restore_only(vec![sign])
            >
                "Restore only this gap"
            </button>
            <button
                id="restore-line"
                type="button"
                hidden=move || in_line.with(Vec::len) < 2 || !has_other_lines()
                on:click=move |_| workbench.restore_only(in_line.get_untracked())
            >
                {move || format!("Only this line ({})", format::plural(in_line.with(Vec::len), "gap", "gaps"))}
            </button>
        </p>
    }
}

/// Returns those gaps that stand in the line of a sign.
fn of_line(document: &Document, sign: SignIndex, gaps: &[SignIndex]) -> Vec<SignIndex> {
    let line = line_number(document, sign);
    gaps.iter().copied().filter(|gap| line_number(document, *gap) == line).collect()
}

/// The legend, with the strongest signs as numbers.
#[component]
pub fn Legend() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let draw = move || {
        let influence = workbench.restoring.influence.get()?;
        let mut strongest: Vec<(usize, f32)> =
            influence.weights.iter().map(|(sign, weight)| (*sign, *weight)).collect();
        strongest.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let document = workbench.text.document.get_untracked();
        let rows = strongest.into_iter().take(5).map(|(sign, weight)| {
            let reading = document.signs().nth(sign).and_then(|sign| sign.reading()).unwrap_or("gap").to_owned();
            view! {
                <li>
                    <button type="button" class="link" on:click=move |_| workbench.text.selected.set(Some(sign))>
                        <span lang="akk-Latn">{marks::reading(&reading)}</span>
                    </button>
                    " "
                    <span class="figure">{format!("{weight:.2}")}</span>
                </li>
            }
        });
        Some(view! {
            <section id="influence" class="band influence" aria-label="Influence">
                <p>
                    "Shaded in the reading: the signs that “"
                    <span lang="akk-Latn">{influence.written.clone()}</span>
                    "” depends on (gradient × input, the strongest is 1)."
                </p>
                <p class="scale" aria-hidden="true">
                    <span>"0"</span>
                    <span class="ramp"></span>
                    <span>"1"</span>
                </p>
                <ol class="strongest" aria-label="The strongest signs">{rows.collect_view()}</ol>
                <button
                    id="influence-close"
                    type="button"
                    class="quiet"
                    on:click=move |_| workbench.restoring.influence.set(None)
                >
                    "Remove the shading"
                </button>
            </section>
        })
    };
    view! { {draw} }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gaps_of_a_line_are_those_beside_the_sign() {
        let document = Document::read("1. a-na x be-li₂-x\n2. x LUGAL ...");
        let gaps: Vec<SignIndex> =
            document.signs().enumerate().filter(|(_, sign)| sign.reading().is_none()).map(|(index, _)| index).collect();
        assert_eq!(gaps, [2, 5, 6, 8]);
        assert_eq!(of_line(&document, 5, &gaps), [2, 5]);
        assert_eq!(of_line(&document, 6, &gaps), [6, 8]);
    }
}
