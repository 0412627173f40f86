//! Table of the nodes below the chosen one, as an alternative to the disk.

use crate::shell::format;
use crate::tree::state::kind_name;
use crate::tree::{Script, SignTree};
use leptos::prelude::*;

/// Number of rows shown at first; "Show more" adds ten times as many.
const ROWS: usize = 50;

#[component]
pub fn Table() -> impl IntoView {
    let tree = expect_context::<SignTree>();
    let shown = RwSignal::new(ROWS);
    Effect::new(move |_| {
        tree.chosen.track();
        shown.set(ROWS);
    });
    let body = move || tree.script().map(|script| rows(tree, &script, tree.chosen.get(), shown.get()));
    let rest = move || {
        let script = tree.script()?;
        let all = script.tree.children(tree.chosen.get()).len();
        let rest = all.saturating_sub(shown.get());
        (rest > 0).then(|| {
            view! {
                <button type="button" on:click=move |_| shown.update(|shown| *shown += 10 * ROWS)>
                    {format!("Show more ({} not shown)", format::count(rest as u64))}
                </button>
            }
        })
    };
    let title = move || {
        let script = tree.script()?;
        let chosen = tree.chosen.get();
        let label = if chosen == 0 { "All signs".to_owned() } else { script.tree.node(chosen)?.label.clone() };
        Some(format!("Below {label}"))
    };
    let up = move || tree.script().and_then(|script| script.tree.parent(tree.chosen.get()));
    view! {
        <section class="card" aria-labelledby="table-title">
            <div class="card-head">
                <h2 id="table-title">{title}</h2>
                <button
                    type="button"
                    class="quiet"
                    disabled=move || up().is_none()
                    on:click=move |_| {
                        if let Some(node) = untrack(up) {
                            tree.go(node);
                        }
                    }
                >
                    "↑ One up"
                </button>
            </div>
            <div class="scrolled">
                <table id="tree-table" class="plain" aria-labelledby="table-title">
                    {body}
                </table>
            </div>
            {rest}
        </section>
    }
}

fn rows(tree: SignTree, script: &Script, node: usize, shown: usize) -> AnyView {
    let children = script.tree.children(node);
    if children.is_empty() {
        return view! {
            <tbody>
                <tr>
                    <td>"There is nothing below."</td>
                </tr>
            </tbody>
        }
        .into_any();
    }
    let row = |&child: &usize| {
        let about = script.tree.node(child)?;
        let below = script.tree.children(child).len();
        Some(view! {
            <tr>
                <th scope="row">
                    <button type="button" class="link" data-node=child.to_string() on:click=move |_| tree.go(child)>
                        {about.label.clone()}
                    </button>
                    " "
                    {crate::restore::marks::glyph(&about.glyph)}
                </th>
                <td>{kind_name(about.kind, false)}</td>
                <td class="figure">{format::count(about.count)}</td>
                <td class="figure">{format::count(below as u64)}</td>
                <td class="figure">{format!("{:.2}", script.figure.distance(node, child))}</td>
            </tr>
        })
    };
    view! {
        <thead>
            <tr>
                <th scope="col">"Name"</th>
                <th scope="col">"Kind"</th>
                <th scope="col">"Times"</th>
                <th scope="col">"Below"</th>
                <th scope="col">"Distance"</th>
            </tr>
        </thead>
        <tbody>{children.iter().take(shown).filter_map(row).collect_view()}</tbody>
    }
    .into_any()
}
