//! What stands over and under the disk: the model of the plane, zoom, the root, legend, pictures to keep.

use crate::restore::state::Workbench;
use crate::shell::clipboard::copy;
use crate::shell::wheel::NOTCH;
use crate::tree::{SignTree, pictures};
use leptos::prelude::*;
use tuppum_plot::disk::Projection;

/// The choice of the model.
#[component]
pub fn Models() -> impl IntoView {
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

/// Buttons, legend, exports.
#[component]
pub fn Tools() -> impl IntoView {
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
            <button id="save-png" type="button" on:click=move |_| pictures::save_png(tree, workbench)>
                "Save as PNG"
            </button>
            <button id="save-svg" type="button" on:click=move |_| pictures::save_svg(tree, workbench)>
                "Save as SVG"
            </button>
            <button id="tree-link" type="button" on:click=link>
                "Copy a link"
            </button>
            </p>
        </div>
    }
}
