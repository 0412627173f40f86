//! Page of the sign tree: the disk with the path to the chosen node above it, and its controls: model of the plane,
//! zoom, way to the root, legend, export of pictures.

use super::{canvas, details, disk, find, live_tree, planes, points};
use crate::frame::clipboard::copy;
use crate::kit::colours::Colours;
use crate::kit::interaction::NOTCH;
use crate::restore::state::Workbench;
use crate::restore::view::marks;
use crate::tree::{Loaded, SignTree, motion};
use leptos::prelude::*;
use tuppum_plot::disk::Projection;

/// The page: the disk on one side, search, details and table on the other.
#[component]
pub fn TreePage() -> impl IntoView {
    let (tree, workbench) = (expect_context::<SignTree>(), expect_context::<Workbench>());
    tree.load();
    tree.follow_address();
    tree.draw_on_change();
    tree.write_address_on_change(workbench);
    let followed = window_event_listener_untyped("hashchange", move |_| tree.follow_address());
    on_cleanup(move || followed.remove());
    view! {
        <main class="tree">
            <Colours />
            <section class="card picture" aria-labelledby="tree-title">
                <div class="card-head">
                    <h2 id="tree-title">"Sign tree"</h2>
                    <Models />
                </div>
                <Ancestors />
                <State />
                <disk::Disk />
                <Tools />
                <disk::Keys />
            </section>
            <div class="reading-side">
                <find::Find />
                <details::Details />
                <details::Table />
                <planes::Planes />
                <live_tree::LiveTree />
                <points::WhatTheModelKnows />
            </div>
            <p id="tree-said" class="unseen" role="status" aria-live="polite">
                {move || motion::said(tree)}
            </p>
        </main>
    }
}

/// The disk alone, for the lesson, with the path from the root to the chosen node.
#[component]
pub fn SmallTree() -> impl IntoView {
    let tree = expect_context::<SignTree>();
    tree.load();
    tree.draw_on_change();
    // The lesson describes this model of the plane, whichever the user chose last on the tree's page.
    tree.project(Projection::default());
    view! {
        <Ancestors />
        <State />
        <disk::Disk />
        <disk::Keys />
        <p id="tree-said" class="unseen" role="status" aria-live="polite">
            {move || motion::said(tree)}
        </p>
    }
}

/// Focuses the disk.
pub fn focus_disk() {
    disk::focus();
}

/// Notice while the tree is being fetched, or after that failed.
#[component]
fn State() -> impl IntoView {
    let tree = expect_context::<SignTree>();
    move || match tree.loaded.get() {
        Loaded::Ready(_) => ().into_any(),
        Loaded::Not | Loaded::Waiting => view! {
            <p id="tree-loading" class="hint" role="status">
                "Fetching the tree …"
            </p>
        }
        .into_any(),
        Loaded::Failed(reason) => view! {
            <div id="tree-failed" class="card trouble" role="alert">
                <h3>"⚠ The tree could not be opened."</h3>
                <ul>
                    <li>"The network may be off, or the server busy. Once opened, the tree works offline."</li>
                    <li>"A new version may just have been published: then reload the page."</li>
                </ul>
                <p class="buttons">
                    <button type="button" class="primary" on:click=move |_| tree.load()>
                        "Try again"
                    </button>
                </p>
                <details>
                    <summary>"Technical details"</summary>
                    <pre>{reason}</pre>
                </details>
            </div>
        }
        .into_any(),
    }
}

/// The path, with a button for each node.
#[component]
fn Ancestors() -> impl IntoView {
    let tree = expect_context::<SignTree>();
    let items = move || {
        let script = tree.script()?;
        let line = script.tree.line(tree.chosen.get());
        let last = line.len().saturating_sub(1);
        let item = |(place, &node): (usize, &usize)| {
            let about = script.tree.node(node)?;
            let name = if place == 0 { "All signs".to_owned() } else { about.label.clone() };
            let current = (place == last).then_some("true");
            Some(view! {
                <li>
                    <button
                        type="button"
                        class="link"
                        data-node=node.to_string()
                        aria-current=current
                        on:click=move |_| tree.go(node)
                    >
                        {name}
                        {(!about.glyph.is_empty()).then(|| view! { " " {marks::glyph(&about.glyph)} })}
                    </button>
                </li>
            })
        };
        Some(line.iter().enumerate().filter_map(item).collect_view())
    };
    view! {
        <nav id="tree-ancestors" aria-label="From the root to the chosen node">
            <ol>{items}</ol>
        </nav>
    }
}

/// Choice of the model of the plane.
#[component]
fn Models() -> impl IntoView {
    let tree = expect_context::<SignTree>();
    let chosen = Memo::new(move |_| tree.view.with(|view| view.projection));
    let model = |projection: Projection, name: &'static str, about: &'static str| {
        view! {
            <label title=about>
                <input
                    type="radio"
                    name="tree-model"
                    value=projection.name()
                    prop:checked=move || chosen.get() == projection
                    on:change=move |_| tree.project(projection)
                />
                {name}
            </label>
        }
    };
    view! {
        <fieldset class="models">
            <legend class="unseen">"Model of the hyperbolic plane"</legend>
            {model(Projection::Poincare, "Poincaré", "Angles are true, geodesics are arcs")}
            {model(Projection::Klein, "Klein", "Geodesics are straight, angles are not true")}
            {model(Projection::Hyperboloid, "Lorentz", "The hyperboloid seen from above; it has no rim")}
        </fieldset>
    }
}

/// Legend and buttons.
#[component]
fn Tools() -> impl IntoView {
    let (tree, workbench) = (expect_context::<SignTree>(), expect_context::<Workbench>());
    let link = move |_| {
        let location = window().location();
        let page = location.origin().unwrap_or_default() + &location.pathname().unwrap_or_default();
        copy(workbench, page + &tree.fragment(workbench), "The link");
    };
    let legend = [("sign", "■", "sign"), ("reading", "●", "reading"), ("word", "◆", "word"), ("phrase", "▼", "phrase")];
    let legend = legend.map(|(colour, shape, name)| {
        view! {
            <li>
                <span data-colour=colour aria-hidden="true">
                    {shape}
                </span>
                " "
                {name}
            </li>
        }
    });
    view! {
        <div class="card-head">
            <ul class="legend" aria-label="Shapes and colours">
                {legend.collect_view()}
            </ul>
            <p class="buttons">
                <button id="zoom-out" type="button" aria-label="Zoom out" on:click=move |_| tree.zoom(1.0 / NOTCH)>
                    "−"
                </button>
                <button id="zoom-in" type="button" aria-label="Zoom in" on:click=move |_| tree.zoom(NOTCH)>
                    "+"
                </button>
                <button id="tree-home" type="button" on:click=move |_| tree.home()>
                    "To the root"
                </button>
            <button id="save-png" type="button" on:click=move |_| canvas::save_png(tree, workbench)>
                "Save as PNG"
            </button>
            <button id="save-svg" type="button" on:click=move |_| canvas::save_svg(tree, workbench)>
                "Save as SVG"
            </button>
            <button id="tree-link" type="button" on:click=link>
                "Copy a link"
            </button>
            </p>
        </div>
    }
}
