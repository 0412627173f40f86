//! Card with the disk usage of the models, and the browser's promise to keep them.

use crate::models::{Models, room};
use crate::restore::state::Workbench;
use leptos::prelude::*;

/// Disk usage of the models, and the browser's estimate for the whole site.
#[component]
pub fn Usage() -> impl IntoView {
    let (models, workbench) = (expect_context::<Models>(), expect_context::<Workbench>());
    let figures = Memo::new(move |_| models.usage.with(|usage| usage.as_ref().and_then(|s| s.used.zip(s.quota))));
    let promised = move || models.usage.with(|usage| usage.as_ref().and_then(|usage| usage.persistent));
    let draw = move |(used, quota): (u64, u64)| {
        view! {
            <p class="hint">
                <progress
                    aria-label="The browser’s own estimate"
                    max=quota.max(1).to_string()
                    value=used.to_string()
                ></progress>
                {room::told_by_browser(used, quota)}
            </p>
        }
    };
    let taken = move || models.usage.with(|usage| usage.as_ref().map(room::told));
    view! {
        <section id="model-room" class="card" aria-labelledby="room-title">
            <h2 id="room-title">"Room in this browser"</h2>
            <p id="room-taken">{taken}</p>
            {move || figures.get().map(draw)}
            <p class="hint" hidden=move || figures.get().is_some()>
                "This browser does not say how much room is left."
            </p>
            <p hidden=move || promised() != Some(true)>"✓ The browser will keep the models until you delete them."</p>
            <div hidden=move || promised() == Some(true)>
                <p class="hint">"Unless it agrees to keep them, the browser may delete models when the device runs out \
                    of room."</p>
                <button id="model-persist" type="button" on:click=move |_| models.ask_browser_to_persist(workbench)>
                    "Ask the browser to keep them"
                </button>
            </div>
        </section>
    }
}
