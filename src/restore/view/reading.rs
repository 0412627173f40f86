//! The reading view: the text as it was read, line by line, with its gaps as buttons.

use crate::kit::format::plural;
use crate::kit::interaction::focus_first;
use crate::kit::timing::on_next_frame;
use crate::restore::state::Workbench;
use crate::restore::state::text::LINES_AT_ONCE;
use crate::restore::state::text::Text;
use crate::restore::view::pieces::{self, LineView};
use crate::restore::view::sign::{self, LineState, NameMarks};
use leptos::ev::{KeyboardEvent, MouseEvent};
use leptos::html::Div;
use leptos::prelude::*;
use std::sync::Arc;
use tuppum_text::{Document, LineKind, SignIndex};
use wasm_bindgen::JsCast;

/// A line with the version of its drawing. An unchanged line keeps its version and is not drawn again.
#[derive(Clone, Debug, PartialEq)]
struct DrawnLine {
    version: u64,
    glyphs: bool,
    line: LineView,
}

/// The reading view.
#[component]
pub fn ReadingView() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let body = NodeRef::<Div>::new();
    let names = NameMarks::of(workbench);
    let lines = Memo::new(move |before: Option<&Vec<Arc<DrawnLine>>>| draw(workbench.text, before));
    let hidden = Memo::new(move |_| {
        let (last, cut) =
            lines.with(|lines| lines.last().map_or((0, 0), |drawn| (drawn.line.place, drawn.line.hidden)));
        let behind = |document: &Arc<Document>| {
            document.lines.iter().skip(last).filter(|line| line.kind != LineKind::Empty).count()
        };
        workbench.text.document.with(behind) + usize::from(cut > 0)
    });
    let empty = move || lines.with(Vec::is_empty);
    let more = move |_| workbench.text.lines_drawn.update(|drawn| *drawn += LINES_AT_ONCE * 2);
    view! {
        <section class="card reading-card" aria-labelledby="reading-title">
            <div class="card-head">
                <h2 id="reading-title">"Reading"</h2>
                <label class="check">
                    <input
                        id="glyphs"
                        type="checkbox"
                        prop:checked=workbench.text.glyphs
                        on:change=move |event| workbench.text.glyphs.set(event_target_checked(&event))
                    />
                    "Show signs"
                </label>
            </div>
            <div
                id="reading"
                node_ref=body
                lang="akk-Latn"
                class:with-glyphs=workbench.text.glyphs
                on:click=move |event: MouseEvent| click(workbench.text, &event)
                on:keydown=move |event: KeyboardEvent| press(workbench.text, body.get_untracked().as_deref(), &event)
            >
                <For each=move || lines.get() key=|line| (line.line.place, line.version) let:line>
                    {line_view(workbench, names, &line)}
                </For>
                <Show when=empty>
                    <p class="hint">"The text appears here as it is read."</p>
                </Show>
            </div>
            <Show when=move || { hidden.get() > 0 }>
                <button id="more-lines" type="button" on:click=more>
                    {move || format!("Show more of the text ({} hidden)", plural(hidden.get(), "line", "lines"))}
                </button>
            </Show>
            <p class="hint legend">
                <span class="gap sample">"x"</span>
                " a gap: choose it to see its proposals. Any sign can be chosen; arrow keys move."
            </p>
        </section>
    }
}

fn draw(text: Text, before: Option<&Vec<Arc<DrawnLine>>>) -> Vec<Arc<DrawnLine>> {
    let glyphs = text.glyphs.get();
    let document = text.document.get();
    let most = text.lines_drawn.get();
    let lines = text.work.with(|work| pieces::lines(&document, work, most));
    let before = before.map_or(&[][..], Vec::as_slice);
    let mut version = before.iter().map(|drawn| drawn.version).max().unwrap_or_default();
    let mut drawn = Vec::with_capacity(lines.len());
    for (place, line) in lines.into_iter().enumerate() {
        let same = before.get(place).filter(|drawn| drawn.line == line && drawn.glyphs == glyphs);
        drawn.push(same.cloned().unwrap_or_else(|| {
            version += 1;
            Arc::new(DrawnLine { version, glyphs, line })
        }));
    }
    drawn
}

fn line_view(workbench: Workbench, names: NameMarks, drawn: &DrawnLine) -> impl IntoView + use<> {
    let line = &drawn.line;
    let id = format!("line-{}", line.place);
    if line.kind != LineKind::Text {
        return view! {
            <p id=id class=format!("apart {}", kind_class(line.kind)) lang="en">
                <span class="kind">{kind_name(line.kind)}</span>
                " "
                {line.apart.clone()}
                {(line.kind == LineKind::Heading).then(|| catalogue_link(&line.apart))}
            </p>
        }
        .into_any();
    }
    let signs = line.words.iter().flat_map(|word| &word.signs).map(|sign| sign.sign);
    let state = LineState::of(workbench, names, line.place - 1, signs.collect());
    let first = line.words.first().and_then(|word| word.signs.first()).map_or(0, |sign| sign.sign);
    let words = line.words.iter().map(|word| {
        let signs = word.signs.iter().map(|sign| sign::sign(sign, drawn.glyphs, state));
        let at = word.signs.first().map_or(0, |sign| sign.sign) - first;
        view! {
            <span
                class=move || state.name(at).map_or("word", |(class, _)| class)
                title=move || state.name(at).map(|(_, title)| title)
            >
                {signs.collect_view()}
            </span>
            " "
        }
    });
    view! {
        <p id=id class="text-line">
            <span class="label" class:counted=!line.labelled>
                {line.label.clone()}
            </span>
            <span class="line-words">{words.collect_view()} {(line.hidden > 0).then_some(" …")}</span>
        </p>
    }
    .into_any()
}

/// Draws a link to the CDLI catalogue for a heading with a CDLI number.
fn catalogue_link(heading: &str) -> Option<impl IntoView + use<>> {
    let number = pieces::cdli_number(heading)?.to_owned();
    let address = format!("https://cdli.earth/{number}");
    Some(view! {
        " "
        <a href=address rel="noreferrer" target="_blank">
            {format!("{number} in the CDLI catalogue")}
        </a>
    })
}

fn kind_class(kind: LineKind) -> &'static str {
    match kind {
        LineKind::Heading => "heading",
        LineKind::Surface => "surface",
        LineKind::State => "state",
        LineKind::Translation => "translation",
        LineKind::Comment | LineKind::Text | LineKind::Empty => "comment",
    }
}

fn kind_name(kind: LineKind) -> &'static str {
    match kind {
        LineKind::Heading => "Text",
        LineKind::Surface => "Surface",
        LineKind::State => "State",
        LineKind::Translation => "Translation",
        LineKind::Comment | LineKind::Text | LineKind::Empty => "Comment",
    }
}

fn sign_under(target: Option<web_sys::EventTarget>) -> Option<(web_sys::Element, SignIndex)> {
    let element = target?.dyn_into::<web_sys::Element>().ok()?.closest("[data-sign]").ok()??;
    let sign = element.get_attribute("data-sign")?.parse().ok()?;
    Some((element, sign))
}

fn click(text: Text, event: &MouseEvent) {
    if let Some((_, sign)) = sign_under(event.target()) {
        text.selected.set(Some(sign));
        if is_narrow() {
            scroll_into_view("gap-panel");
        }
    }
}

/// Handles keys on a sign: Enter on a gap opens its proposals and focuses the first, arrows move between signs.
fn press(text: Text, body: Option<&web_sys::HtmlElement>, event: &KeyboardEvent) {
    let under = sign_under(event.target()).filter(|(element, _)| element.class_list().contains("gap"));
    match (event.key().as_str(), under) {
        ("Enter", Some((_, sign))) => {
            event.prevent_default();
            text.selected.set(Some(sign));
            // The proposals exist after the next drawing of the page.
            on_next_frame(|| focus_first("#proposals button.reading"));
        }
        _ => walk(body, "[data-sign]", event),
    }
}

/// Returns `true` if the proposals stand below the text instead of beside it; the width is that of the stylesheet.
fn is_narrow() -> bool {
    let query = window().match_media("(max-width: 61.99rem)");
    query.ok().flatten().is_some_and(|query| query.matches())
}

/// Scrolls to an element; the stylesheet decides if scrolling is smooth.
pub fn scroll_into_view(id: &str) {
    if let Some(element) = document().get_element_by_id(id) {
        element.scroll_into_view();
    }
}

/// Moves the focus between the elements of `body` that match `selector`, by arrow keys, Home and End.
pub fn walk(body: Option<&web_sys::HtmlElement>, selector: &str, event: &KeyboardEvent) {
    let target = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    let element = target.and_then(|target| target.closest(selector).ok().flatten());
    let (Some(body), Some(element)) = (body, element) else { return };
    let Ok(all) = body.query_selector_all(selector) else { return };
    let last = all.length().saturating_sub(1);
    let is_this = |place: &u32| all.get(*place).is_some_and(|node| element.is_same_node(Some(&node)));
    let Some(place) = (0..=last).find(is_this) else { return };
    let to = match event.key().as_str() {
        "ArrowRight" => (place + 1).min(last),
        "ArrowLeft" => place.saturating_sub(1),
        "Home" => 0,
        "End" => last,
        _ => return,
    };
    event.prevent_default();
    if let Some(next) = all.get(to).and_then(|node| node.dyn_into::<web_sys::HtmlElement>().ok()) {
        // A button in the page takes the focus.
        let _ = next.focus();
    }
}
