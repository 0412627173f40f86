//! How much room there is, and the browser's promise to keep what lies there.

use crate::models::Models;
use crate::restore::state::Workbench;
use crate::shell::format;
use leptos::prelude::*;

/// Storage used and left.
#[component]
pub fn Usage() -> impl IntoView {
    let (models, workbench) = (expect_context::<Models>(), expect_context::<Workbench>());
    let figures = Memo::new(move |_| models.usage.with(|usage| usage.as_ref().and_then(|s| s.used.zip(s.quota))));
    let promised = move || models.usage.with(|usage| usage.as_ref().and_then(|usage| usage.persistent));
    let draw = move |(used, quota): (u64, u64)| {
        view! {
            <p>
                <progress aria-label="Storage used" max=quota.max(1).to_string() value=used.to_string()></progress>
                <span class="figure">
                    {format!("{} used, {} left", format::bytes(used), format::bytes(quota.saturating_sub(used)))}
                </span>
            </p>
        }
    };
    view! {
        <section id="model-room" class="card" aria-labelledby="room-title">
            <h2 id="room-title">"Room in this browser"</h2>
            {move || figures.get().map(draw)}
            <p class="hint" hidden=move || figures.get().is_some()>
                "This browser does not say how much room there is."
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
