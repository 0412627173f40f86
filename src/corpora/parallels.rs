//! The card of parallels: passages of edited texts that are like the selected line or the whole text, sign by sign.

use super::card::{not_open, text};
use super::place;
use super::state::{CorpusState, ParallelsOfLines};
use crate::frame::clipboard;
use crate::kit::format;
use crate::kit::interaction::is_opened;
use crate::restore::export::{line_number, line_of};
use crate::restore::state::Workbench;
use crate::restore::state::text::Text;
use crate::restore::view::marks;
use leptos::prelude::*;
use std::ops::Range;
use tuppum_protocol::{ParallelPassage, ParallelPassages, ParallelSign, WrittenSign};

/// Similarity from which no sign differs.
const SAME_SIGNS_SIMILARITY: f32 = 0.9995;

/// The card with the parallels.
#[component]
pub fn Parallels() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let corpora = workbench.corpora;
    let (is_open, whole) = (RwSignal::new(false), RwSignal::new(false));
    let lines = Memo::new(move |_| asked(workbench.text, whole.get()));
    Effect::new(move |_| {
        if let (true, true, Some(lines)) = (is_open.get(), corpora.is_ready(), lines.get()) {
            corpora.look_lines_up(text(workbench.text), lines);
        }
    });
    let body = move || match (lines.get(), corpora.state.get()) {
        (None, _) => view! {
            <p class="hint">"Choose a sign in the reading to see where else its line stands."</p>
        }
        .into_any(),
        (Some(lines), CorpusState::Ready(_)) => found(workbench, lines).into_any(),
        _ => not_open(workbench).into_any(),
    };
    let scope = move |name: &'static str, value: bool| {
        view! {
            <label class="choice">
                <input
                    type="radio"
                    name="parallels-of"
                    prop:checked=move || whole.get() == value
                    on:change=move |_| whole.set(value)
                />
                {name}
            </label>
        }
    };
    view! {
        <details id="parallels" class="card" on:toggle=move |event| is_open.set(is_opened(&event))>
            <summary>
                <h2 id="parallels-title">{move || title(workbench.text, whole.get())}</h2>
            </summary>
            <Show when=move || is_open.get()>
                <div class="buttons" role="radiogroup" aria-label="Parallels of">
                    {scope("the line", false)}
                    {scope("the whole text", true)}
                </div>
                {body}
            </Show>
        </details>
    }
}

/// Returns the lines to look up: all, or the line of the selected sign.
fn asked(text: Text, whole: bool) -> Option<Range<usize>> {
    match whole {
        true => Some(0..text.document.with(|document| document.lines.len())),
        false => {
            let sign = text.selected.get()?;
            text.document.with(|document| line_number(document, sign)).map(|line| line..line + 1)
        }
    }
}

fn title(text: Text, whole: bool) -> String {
    match text.selected.get() {
        Some(sign) if !whole => {
            format!("Parallels of line {}", text.document.with(|document| line_of(document, sign)))
        }
        _ => "Parallels in edited texts".into(),
    }
}

fn found(workbench: Workbench, lines: Range<usize>) -> impl IntoView {
    let corpora = workbench.corpora;
    move || {
        if let Some(failure) = corpora.failure.get() {
            return view! { <p class="warning-line" role="alert">{failure.message}</p> }.into_any();
        }
        let is_this = |found: &ParallelsOfLines| found.lines == lines && found.text == text(workbench.text);
        let found = corpora.parallels.get().filter(is_this);
        match found {
            None => view! { <p class="hint">"Comparing with the corpora …"</p> }.into_any(),
            Some(ParallelsOfLines { found, .. }) if found.passages.is_empty() => view! {
                <p class="hint" data-state="none">
                    "Nothing in the corpora is like it, or too few of its signs can be read."
                </p>
            }
            .into_any(),
            Some(ParallelsOfLines { found, .. }) => passages(workbench, &found).into_any(),
        }
    }
}

fn passages(workbench: Workbench, found: &ParallelPassages) -> impl IntoView + use<> {
    let formula = found.is_formula.then(|| {
        view! {
            <p class="hint" data-state="formula">
                {format!("A formula: at least {} texts have {}.", found.texts, wording(found))}
            </p>
        }
    });
    view! {
        {formula}
        <p class="hint">
            "Marked: " <mark class="variant">"another reading of the sign"</mark> ", "
            <mark class="different">"another sign"</mark> ", " <span class="added">"only there"</span> ", "
            <del>"only in yours"</del> "."
        </p>
        <ol class="parallels">{found.passages.iter().map(|found| passage(workbench, found)).collect_view()}</ol>
    }
}

fn passage(workbench: Workbench, found: &ParallelPassage) -> impl IntoView + use<> {
    let citation =
        format!("{} ({}, {})", attested_text(&found.columns), likeness(found), place::citation(&found.edition));
    let name = place::name(&found.edition);
    view! {
        <li data-text=found.edition.text.clone()>
            <p class="quoted" lang="akk-Latn">{side_by_side(&found.columns)}</p>
            <p class="source">
                <span class="figure">{likeness(found)}</span> ", " {place::place(&found.edition)}
                <button
                    type="button"
                    class="quiet"
                    aria-label=format!("Copy the passage of {name}")
                    on:click=move |_| clipboard::copy(workbench, citation.clone(), "The passage")
                >
                    "Copy"
                </button>
            </p>
        </li>
    }
}

/// Draws an attested passage with its signs marked by agreement with the user's.
pub fn side_by_side(columns: &[ParallelSign]) -> AnyView {
    columns.iter().map(column).collect_view().into_any()
}

/// Draws a sign of an attested passage, marked by agreement with the user's sign.
fn column(column: &ParallelSign) -> AnyView {
    let set = |sign: &WrittenSign| {
        view! {
            {sign.joiner.clone()}
            {marks::reading(&sign.reading)}
        }
    };
    match column {
        ParallelSign::Same(sign) | ParallelSign::Unknown(_, sign) => set(sign).into_any(),
        ParallelSign::Variant(asked, sign) => marked("variant", asked, sign),
        ParallelSign::Different(asked, sign) => marked("different", asked, sign),
        ParallelSign::OnlyAttested(sign) => view! { <span class="added">{set(sign)}</span> }.into_any(),
        ParallelSign::OnlyAsked(sign) => view! { <del>{set(sign)}</del> }.into_any(),
    }
}

/// Draws a sign that differs from the user's, with the difference in words for screen readers.
fn marked(class: &'static str, asked: &WrittenSign, sign: &WrittenSign) -> AnyView {
    let instead = format!("yours has {}", asked.reading);
    view! {
        {sign.joiner.clone()}
        <mark class=class title=instead.clone()>
            {marks::reading(&sign.reading)}
            <span class="unseen">{format!(" ({instead})")}</span>
        </mark>
    }
    .into_any()
}

/// Names what the texts of a formula share. A break in the user's passage agrees with every sign.
fn wording(found: &ParallelPassages) -> &'static str {
    match found.passages.iter().any(has_unread) {
        true => "what can be read of it",
        false => "this wording",
    }
}

/// Returns `true` if some signs of the user's passage cannot be read.
fn has_unread(passage: &ParallelPassage) -> bool {
    passage.columns.iter().any(|column| matches!(column, ParallelSign::Unknown(..)))
}

/// Describes the similarity of a passage.
fn likeness(passage: &ParallelPassage) -> String {
    match (passage.similarity >= SAME_SIGNS_SIMILARITY, has_unread(passage)) {
        (false, _) => format!("{} like", format::percent(passage.similarity)),
        (true, true) => "the same signs where yours can be read".into(),
        (true, false) => "the same signs".into(),
    }
}

/// Returns the attested passage as plain text.
fn attested_text(columns: &[ParallelSign]) -> String {
    let attested = |column: &ParallelSign| match column {
        ParallelSign::Same(sign)
        | ParallelSign::Variant(_, sign)
        | ParallelSign::Unknown(_, sign)
        | ParallelSign::Different(_, sign)
        | ParallelSign::OnlyAttested(sign) => format!("{}{}", sign.joiner, sign.reading),
        ParallelSign::OnlyAsked(_) => String::new(),
    };
    columns.iter().map(attested).collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_copied_is_the_attested_passage() {
        let sign = |joiner: &str, reading: &str| WrittenSign { joiner: joiner.into(), reading: reading.into() };
        let columns = [
            ParallelSign::Same(sign("", "a")),
            ParallelSign::OnlyAsked(sign("-", "be")),
            ParallelSign::Variant(sign("-", "ni"), sign("-", "li₂")),
            ParallelSign::OnlyAttested(sign(" ", "LUGAL")),
        ];
        assert_eq!(attested_text(&columns), "a-li₂ LUGAL");
    }
}
