//! Search for a node by label or glyph.

use crate::kit::format;
use crate::tree::SignTree;
use crate::tree::state::{kind_name, times};
use leptos::prelude::*;
use tuppum_text::signs::hierarchy::SearchResult;

/// Maximum number of results that are listed.
const MAX_RESULTS: usize = 12;

/// Field and results of the search.
#[component]
pub fn Find() -> impl IntoView {
    let tree = expect_context::<SignTree>();
    let query = RwSignal::new(String::new());
    let found = Memo::new(move |_| {
        let script = tree.script()?;
        let query = query.get();
        (!query.trim().is_empty()).then(|| script.tree.search(&query, MAX_RESULTS))
    });
    let first = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        if let Some(node) = found.with_untracked(|found| found.as_ref().and_then(|found| found.nodes.first().copied()))
        {
            tree.go_to_found(node);
        }
    };
    view! {
        <section class="card" aria-labelledby="find-title">
            <h2 id="find-title">
                <label for="tree-search">"Find a sign, reading, word or glyph"</label>
            </h2>
            <form class="find" on:submit=first>
                <input
                    id="tree-search"
                    type="text"
                    autocomplete="off"
                    spellcheck="false"
                    placeholder="KA, sza2, a-na, 𒀭"
                    prop:value=query
                    on:input=move |event| query.set(event_target_value(&event))
                />
                <button type="submit">"Go to the first"</button>
            </form>
            <p class="hint" role="status">
                {move || found.with(|found| found.as_ref().map(told))}
            </p>
            <ul id="tree-results">
                {move || found.with(|found| found.as_ref().map(|found| results(tree, found)))}
            </ul>
        </section>
    }
}

fn told(found: &SearchResult) -> String {
    match found.total {
        0 => "Nothing fits. Words are found by their spelling, such as a-na.".into(),
        total if total > found.nodes.len() => {
            format!("{} found; the best {}:", format::count(total as u64), found.nodes.len())
        }
        total => format!("{} found:", format::count(total as u64)),
    }
}

fn results(tree: SignTree, found: &SearchResult) -> impl IntoView + use<> {
    let script = tree.script_now();
    let row = |&node: &usize| {
        let script = script.as_ref()?;
        let about = script.tree.node(node)?;
        let mut path = script.tree.path(node);
        path.pop();
        let under = if path.is_empty() { String::new() } else { format!(" under {}", path.join(" › ")) };
        let glyph = crate::restore::view::marks::glyph(&about.glyph);
        Some(view! {
            <li>
                <button
                    type="button"
                    class="link"
                    data-node=node.to_string()
                    on:click=move |_| tree.go_to_found(node)
                >
                    {about.label.clone()}
                </button>
                " " {glyph}
                <span class="hint">
                    {format!(" {}, {}{under}", kind_name(about.kind, false), times(about.count))}
                </span>
            </li>
        })
    };
    found.nodes.iter().filter_map(row).collect_view()
}
