//! Panel with the facts about the chosen node, and its distance from another one.

use crate::restore::marks;
use crate::shell::format;
use crate::tree::state::{kind_name, times};
use crate::tree::{Script, SignTree};
use leptos::prelude::*;
use tuppum_plot::disk::complex::distance_from_centre;
use tuppum_text::signs::hierarchy::Kind;

/// Maximum number of readings or words that are named.
const NAMED: usize = 12;

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
    let rest = found.len().saturating_sub(NAMED);
    let mut named: Vec<String> =
        found.iter().take(NAMED).map(|(count, label)| format!("{label} ({})", format::count(*count))).collect();
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
