//! Colours of the stylesheet for drawing on a canvas, and a signal of their changes.

use crate::kit::timing::on_next_frame;
use gloo::events::EventListener;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// Names of the colours in the stylesheet, in the order of `tuppum_plot::palette::Palette`.
pub const COLOURS: [&str; 10] =
    ["ground", "sheet", "ink", "line", "chosen", "root", "sign", "reading", "word", "phrase"];

/// Hidden elements that have the colours, from which the canvas reads them.
#[component]
pub fn Colours() -> impl IntoView {
    let colours = COLOURS.map(|name| view! { <span data-colour=name></span> });
    view! { <div id="tree-colours" hidden=true>{colours.collect_view()}</div> }
}

/// Increments `count` once the page is drawn, when the colour scheme changes and when a typeface arrives.
pub fn watch(count: RwSignal<u32>) {
    let changed = move || {
        count.try_update(|count| *count += 1);
    };
    on_next_frame(changed);
    let chosen = window_event_listener_untyped("change", move |_| on_next_frame(changed));
    on_cleanup(move || chosen.remove());
    let system = window().match_media("(prefers-color-scheme: dark)").ok().flatten();
    let fonts: web_sys::EventTarget = document().fonts().unchecked_into();
    let listeners = StoredValue::new_local(vec![EventListener::new(&fonts, "loadingdone", move |_| changed())]);
    if let Some(system) = system {
        listeners.update_value(|all| all.push(EventListener::new(&system, "change", move |_| changed())));
    }
}
