//! Path from the root to the chosen node.

use crate::restore::marks;
use crate::tree::SignTree;
use leptos::prelude::*;

/// The path, with a button for each node.
#[component]
pub fn Ancestors() -> impl IntoView {
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
