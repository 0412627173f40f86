//! The card of changes that the reader made on the way to canonical form.

use crate::kit::format;
use crate::restore::state::Workbench;
use crate::restore::state::text::Text;
use crate::restore::view::remarks::go_to;
use leptos::prelude::*;
use tuppum_text::{Edit, Span};

/// Maximum number of kinds of change listed.
const MAX_CHANGES: usize = 200;

/// The folded list of changes.
#[component]
pub fn Changes() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let count = Memo::new(move |_| workbench.text.document.with(|document| document.edits.len()));
    let open = RwSignal::new(false);
    let rows = move || {
        let document = workbench.text.document.get();
        let all = changes(&document.source, &document.edits);
        let more = all.len().saturating_sub(MAX_CHANGES);
        let rows = all.into_iter().take(MAX_CHANGES).map(|change| row(workbench.text, change)).collect_view();
        (rows, (more > 0).then(|| view! { <p class="hint">{format!("and {more} more kinds of change")}</p> }))
    };
    let table = move || {
        let (rows, more) = rows();
        view! {
            <table class="plain">
                <thead>
                    <tr>
                        <th scope="col">"Typed"</th>
                        <th scope="col">"Read as"</th>
                        <th scope="col">"Rule"</th>
                        <th scope="col">"Places"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
            {more}
        }
    };
    view! {
        <details
            id="changes"
            class="card"
            hidden=move || count.get() == 0
            on:toggle=move |_| open.update(|open| *open = !*open)
        >
            <summary>
                "What was changed "
                <span class="hint">{move || format::plural(count.get(), "place", "places")} "; the text you typed is \
                    kept"</span>
            </summary>
            {move || open.get().then(table)}
        </details>
    }
}

fn row(text: Text, change: ChangeKind) -> impl IntoView {
    let first = change.places.first().copied().unwrap_or_default();
    let place = text.document.with_untracked(|document| format::line_and_column(&document.source, first.start));
    let more = change.places.len().saturating_sub(1);
    view! {
        <tr>
            <td>
                <del>{change.typed}</del>
            </td>
            <td>
                <ins>{change.canonical}</ins>
            </td>
            <td>{change.rule}</td>
            <td>
                <button type="button" class="link" on:click=move |_| go_to(first)>
                    {format!("{}:{}", place.0, place.1)}
                </button>
                {(more > 0).then(|| format!(" and {more} more"))}
            </td>
        </tr>
    }
}

/// One kind of change with all its places.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangeKind {
    /// Text as typed.
    pub typed: String,
    /// Canonical text in its place.
    pub canonical: String,
    /// Rule that made the change.
    pub rule: String,
    /// Spans of the typed text.
    pub places: Vec<Span>,
}

/// Groups edits that replace the same typed text by the same canonical text, in order of first place.
pub fn changes(source: &str, edits: &[Edit]) -> Vec<ChangeKind> {
    let mut places = std::collections::HashMap::<(&str, &str, &str), usize>::new();
    let mut changes: Vec<ChangeKind> = Vec::new();
    for edit in edits {
        let typed = edit.span.of(source);
        let place = *places.entry((typed, &edit.canonical, &edit.rule)).or_insert_with(|| {
            changes.push(ChangeKind {
                typed: typed.into(),
                canonical: edit.canonical.clone(),
                rule: edit.rule.clone(),
                places: Vec::new(),
            });
            changes.len() - 1
        });
        changes[place].places.push(edit.span);
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_changes_are_counted_once() {
        let source = "sza2 sza2 a2";
        let edit = |start, end, canonical: &str| Edit {
            span: Span::new(start, end),
            canonical: canonical.into(),
            rule: "rule".into(),
        };
        let found = changes(source, &[edit(0, 4, "ša₂"), edit(5, 9, "ša₂"), edit(10, 12, "a₂")]);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].typed.as_str(), found[0].places.len()), ("sza2", 2));
    }
}
