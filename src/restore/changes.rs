//! The card of changes that the reader made on the way to canonical form.

use super::remarks::go_to;
use crate::kit::format;
use crate::restore::grouping::{Change, changes};
use crate::restore::state::Workbench;
use leptos::prelude::*;

/// Maximum number of kinds of change listed.
const MOST: usize = 200;

/// The folded list of changes.
#[component]
pub fn Changes() -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let count = Memo::new(move |_| workbench.document.with(|document| document.edits.len()));
    let open = RwSignal::new(false);
    let rows = move || {
        let document = workbench.document.get();
        let all = changes(&document.source, &document.edits);
        let more = all.len().saturating_sub(MOST);
        let rows = all.into_iter().take(MOST).map(|change| row(workbench, change)).collect_view();
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

fn row(workbench: Workbench, change: Change) -> impl IntoView {
    let first = change.places.first().copied().unwrap_or_default();
    let place = workbench.document.with_untracked(|document| format::line_and_column(&document.source, first.start));
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
