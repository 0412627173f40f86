//! Facts about the chosen node, its distance from another one, and a table of the nodes below it, as an alternative to
//! the disk.

use crate::kit::format;
use crate::restore::view::marks;
use crate::tree::state::{kind_name, times};
use crate::tree::{Script, SignTree};
use leptos::prelude::*;
use tuppum_plot::disk::complex::distance_from_centre;
use tuppum_text::signs::hierarchy::Kind;

/// Maximum number of readings or words that are named.
const MAX_NAMED: usize = 12;

#[component]
pub fn Details() -> impl IntoView {
    let tree = expect_context::<SignTree>();
    let facts = move || tree.script().map(|script| facts(tree, &script, tree.chosen.get()));
    let title = move || {
        let script = tree.script();
        let label = script.and_then(|script| Some(script.tree.node(tree.chosen.get())?.label.clone()));
        label.filter(|_| tree.chosen.get() > 0).unwrap_or_else(|| "All signs".into())
    };
    view! {
        <section id="tree-details" class="card" aria-labelledby="details-title">
            <h2 id="details-title">{title}</h2>
            {facts}
            <Measure />
        </section>
    }
}

fn facts(tree: SignTree, script: &Script, node: usize) -> impl IntoView + use<> {
    let about = script.tree.node(node).cloned()?;
    let point = script.figure.point(node);
    let from_middle = move || format!("{:.2}", distance_from_centre(tree.view.get().seen(point)));
    let named = |kind: Kind| {
        let text = frequent(script, node, kind)?;
        Some(view! {
            <dt>{format::capital(kind_name(kind, true))}</dt>
            <dd lang="akk-Latn">{text}</dd>
        })
    };
    Some(view! {
        <dl class="facts">
            {(!about.glyph.is_empty())
                .then(|| {
                    view! {
                        <dt>"Glyph"</dt>
                        <dd class="large">{marks::glyph(&about.glyph)}</dd>
                    }
                })}
            <dt>"Kind"</dt>
            <dd>{kind_name(about.kind, false)}</dd>
            <dt>"In the corpora"</dt>
            <dd class="figure">{times(about.count)}</dd>
            {(about.kind == Kind::Sign).then(|| named(Kind::Reading))}
            {(about.kind != Kind::Root && about.kind != Kind::Phrase).then(|| named(Kind::Word))}
            {(about.kind == Kind::Word).then(|| named(Kind::Phrase))}
            <dt>"From the middle"</dt>
            <dd class="figure" id="from-middle">{from_middle}</dd>
            <dt>"From the root"</dt>
            <dd class="figure">{format!("{:.2}", distance_from_centre(point))}</dd>
        </dl>
    })
}

/// Returns the most frequent nodes of a kind below a node, with their counts; `None` if there are none.
fn frequent(script: &Script, node: usize, kind: Kind) -> Option<String> {
    let mut found: Vec<(u64, &str)> = Vec::new();
    let mut waiting = script.tree.children(node).to_vec();
    while let Some(node) = waiting.pop() {
        let Some(about) = script.tree.node(node) else { continue };
        if about.kind == kind {
            found.push((about.count, &about.label));
        } else if about.kind < kind {
            waiting.extend(script.tree.children(node));
        }
    }
    found.sort_unstable_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(other.1)));
    let rest = found.len().saturating_sub(MAX_NAMED);
    let mut named: Vec<String> =
        found.iter().take(MAX_NAMED).map(|(count, label)| format!("{label} ({})", format::count(*count))).collect();
    if rest > 0 {
        named.push(format!("and {} more", format::count(rest as u64)));
    }
    (!named.is_empty()).then(|| named.join(", "))
}

/// Controls and result of measuring the distance between two nodes.
#[component]
fn Measure() -> impl IntoView {
    let tree = expect_context::<SignTree>();
    let measured = move || {
        let (script, from) = (tree.script()?, tree.from.get()?);
        let start = script.tree.node(from)?.label.clone();
        let to = tree.chosen.get();
        if from == to {
            return Some(format!("Measuring from {start}. Now choose another node."));
        }
        let end = script.tree.node(to)?.label.clone();
        let edges = script.figure.tree.edges(from, to);
        let distance = script.figure.distance(from, to);
        let steps = format::plural(edges, "step", "steps");
        Some(format!("From {start} to {end}: {distance:.2} along the geodesic, {steps} in the tree."))
    };
    view! {
        <p class="buttons">
            <button id="measure-from" type="button" on:click=move |_| tree.from.set(Some(tree.chosen.get_untracked()))>
                "Measure from here"
            </button>
            {move || {
                tree.from
                    .get()
                    .map(|_| {
                        view! {
                            <button id="measure-end" type="button" class="quiet" on:click=move |_| tree.from.set(None)>
                                "Stop measuring"
                            </button>
                        }
                    })
            }}
        </p>
        <p id="tree-distance" role="status">
            {measured}
        </p>
    }
}

/// Number of rows shown at first; "Show more" adds ten times as many.
const ROWS_SHOWN: usize = 50;

#[component]
pub fn Table() -> impl IntoView {
    let tree = expect_context::<SignTree>();
    let shown = RwSignal::new(ROWS_SHOWN);
    Effect::new(move |_| {
        tree.chosen.track();
        shown.set(ROWS_SHOWN);
    });
    let body = move || tree.script().map(|script| rows(tree, &script, tree.chosen.get(), shown.get()));
    let rest = move || {
        let script = tree.script()?;
        let all = script.tree.children(tree.chosen.get()).len();
        let rest = all.saturating_sub(shown.get());
        (rest > 0).then(|| {
            view! {
                <button type="button" on:click=move |_| shown.update(|shown| *shown += 10 * ROWS_SHOWN)>
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
                    {crate::restore::view::marks::glyph(&about.glyph)}
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
