//! The card of remarks on odd places of the text, each with a link to its place.

use crate::kit::format;
use crate::restore::state::Workbench;
use crate::restore::state::text::Text;
use leptos::prelude::*;
use tuppum_text::{Diagnostic, Edit, Severity, Span};
use wasm_bindgen::JsCast;

/// Maximum number of remarks listed.
const MAX_REMARKS: usize = 100;

/// The list of remarks; absent if there is none.
#[component]
pub fn Remarks() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let remarks = Memo::new(move |_| {
        workbench.text.document.with(|document| {
            let first: Vec<Diagnostic> = document.diagnostics.iter().take(MAX_REMARKS).cloned().collect();
            (first, document.diagnostics.len().saturating_sub(MAX_REMARKS))
        })
    });
    let list = move || {
        let (remarks, more) = remarks.get();
        let rows = remarks.into_iter().map(|remark| row(workbench, remark)).collect_view();
        view! {
            <ul>{rows}</ul>
            {(more > 0).then(|| view! { <p class="hint">{format!("and {more} more")}</p> })}
        }
    };
    let none = move || remarks.with(|(first, _)| first.is_empty()) && numbers(workbench.text).is_none();
    view! {
        <section id="remarks" class="card" aria-labelledby="remarks-title" hidden=none>
            <h2 id="remarks-title">"Remarks on the text"</h2>
            <Numbers />
            {list}
        </section>
    }
}

/// Returns `true` if bare numbers at the beginnings of lines are read as numerals; `None` if there are no such numbers.
fn numbers(text: Text) -> Option<bool> {
    let as_numerals = text.work.with(|work| work.reading.bare_numbers_are_numerals);
    (as_numerals || text.document.with(|document| document.has_inferred_labels())).then_some(as_numerals)
}

/// States how bare numbers at the beginnings of lines are read, with a button for the other way.
#[component]
fn Numbers() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let read = Memo::new(move |_| numbers(workbench.text));
    move || {
        read.get().map(|as_numerals| {
            let (statement, other) = match as_numerals {
                true => ("Numbers at the beginnings of lines are read as numerals.", "Take them for line numbers"),
                false => {
                    ("Numbers that fit the place of their line are taken for line numbers.", "Read them as numerals")
                }
            };
            let turn = move |_| {
                workbench.read_as("how numbers are read", |reading| reading.bare_numbers_are_numerals = !as_numerals);
            };
            view! {
                <p id="numbers-read">
                    {statement} " "
                    <button type="button" on:click=turn>
                        {other}
                    </button>
                </p>
            }
        })
    }
}

/// Draws a button that makes the change that a remark offers.
fn offered(workbench: Workbench, offer: Edit) -> impl IntoView {
    let typed = workbench.text.document.with_untracked(|document| offer.span.of(&document.source).to_owned());
    let label = format!("Change to “{}”", offer.canonical);
    view! {
        " "
        <button type="button" class="offer" on:click=move |_| workbench.take_offer(&offer, &typed)>
            {label}
        </button>
    }
}

fn row(workbench: Workbench, remark: Diagnostic) -> impl IntoView {
    let place = |span: Span| {
        workbench.text.document.with_untracked(|document| format::line_and_column(&document.source, span.start))
    };
    let (line, column) = place(remark.span);
    let other = remark.other.map(|span| (span, place(span)));
    let (icon, class) = match remark.severity {
        Severity::Note => ("ⓘ Note", "note"),
        Severity::Warning => ("⚠ Warning", "warning"),
    };
    let span = remark.span;
    view! {
        <li class=class>
            <span class="icon">{icon}</span>
            " "
            <button type="button" class="link" on:click=move |_| go_to(span)>
                {format!("Line {line}:{column}")}
            </button>
            " "
            {remark.message}
            {other.map(|(span, (line, column))| {
                view! {
                    " See "
                    <button type="button" class="link" on:click=move |_| go_to(span)>
                        {format!("{line}:{column}")}
                    </button>
                    "."
                }
            })}
            {remark.hint.map(|hint| view! { <span class="hint">" " {hint}</span> })}
            {remark.offer.map(|offer| offered(workbench, offer))}
        </li>
    }
}

/// Selects a place in the text field and scrolls to it.
pub fn go_to(span: Span) {
    let field = document().get_element_by_id("text").and_then(|e| e.dyn_into::<web_sys::HtmlTextAreaElement>().ok());
    let Some(field) = field else { return };
    let value = field.value();
    let (start, end) = (format::utf16_offset(&value, span.start), format::utf16_offset(&value, span.end));
    // The field is in the page and the range in its text, so neither call fails.
    let _ = field.focus();
    let _ = field.set_selection_range(start, end.max(start));
    // Browsers scroll a field to its caret only while typing. The line's share of the height is near enough.
    let line = format::line_and_column(&value, span.start).0 - 1;
    let lines = value.matches('\n').count() + 1;
    let top = f64::from(field.scroll_height()) * line as f64 / lines as f64 - f64::from(field.client_height()) / 2.0;
    field.set_scroll_top(top.max(0.0) as i32);
    field.scroll_into_view_with_scroll_into_view_options(&{
        let options = web_sys::ScrollIntoViewOptions::new();
        options.set_block(web_sys::ScrollLogicalPosition::Nearest);
        options
    });
}
