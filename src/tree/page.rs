//! Page of the sign tree.

use super::{ancestors, details, disk, find, known, planes, settle, table, tools};
use crate::restore::state::Workbench;
use crate::shell::colours::Colours;
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
                    <tools::Models />
                </div>
                <ancestors::Ancestors />
                <State />
                <disk::Disk />
                <tools::Tools />
                <disk::Keys />
            </section>
            <div class="reading-side">
                <find::Find />
                <details::Details />
                <table::Table />
                <planes::Planes />
                <settle::Settle />
                <known::WhatTheModelKnows />
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
        <ancestors::Ancestors />
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
