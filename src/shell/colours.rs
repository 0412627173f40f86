//! The colours of the stylesheet, for what is drawn on a canvas: it reads them from here, and draws again when they
//! change.

use crate::tree::canvas::COLOURS;
use gloo::events::EventListener;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// Names with their colours; never seen.
#[component]
pub fn Colours() -> impl IntoView {
    let colours = COLOURS.map(|name| view! { <span data-colour=name></span> });
    view! { <div id="tree-colours" hidden=true>{colours.collect_view()}</div> }
}

/// Counts up when the page stands, when the scheme changes, and when a typeface arrives.
pub fn watch(count: RwSignal<u32>) {
    let changed = move || {
        count.try_update(|count| *count += 1);
    };
    request_animation_frame(changed);
    let chosen = window_event_listener_untyped("change", move |_| _ = request_animation_frame(changed));
    on_cleanup(move || chosen.remove());
    let system = window().match_media("(prefers-color-scheme: dark)").ok().flatten();
    let fonts: web_sys::EventTarget = document().fonts().unchecked_into();
    let listeners = StoredValue::new_local(vec![EventListener::new(&fonts, "loadingdone", move |_| changed())]);
    if let Some(system) = system {
        listeners.update_value(|all| all.push(EventListener::new(&system, "change", move |_| changed())));
    }
}
