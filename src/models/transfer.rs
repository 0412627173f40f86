//! Progress of a model's transfer, with buttons to stop it.

use crate::models::Models;
use crate::shell::progress::meter;
use leptos::prelude::*;
use tuppum_protocol::StoredModel;

/// The card; absent without a transfer.
#[component]
pub fn Transferring() -> impl IntoView {
    let models = expect_context::<Models>();
    let there = Memo::new(move |_| models.transfer.with(Option::is_some));
    let name = Memo::new(move |_| models.transfer.with(|t| t.as_ref().map(|t| t.name.clone()).unwrap_or_default()));
    let doing = Memo::new(move |_| models.transfer.with(|t| t.as_ref().map_or("Importing", |t| t.doing)));
    let from_hub = Memo::new(move |_| models.transfer.with(|t| t.as_ref().is_some_and(|t| t.repository.is_some())));
    let delete = move |_| {
        let present = untrack(|| models.transferring.progress()).map_or(0, |timed| timed.progress.done);
        let file = tuppum_protocol::StoredFile { name: String::new(), bytes: 0, present, sha256: None };
        let origin = tuppum_protocol::Origin::Unknown;
        models.ask_to_delete(&StoredModel {
            name: name.get(),
            task: tuppum_protocol::Task::Translation,
            origin,
            added: 0.0,
            parameters: 0,
            size: None,
            files: vec![file],
        });
    };
    view! {
        <Show when=move || there.get()>
            <section id="model-transfer" class="card" aria-labelledby="transfer-title">
                <h2 id="transfer-title">{move || format!("{} {}", doing.get(), name.get())}</h2>
                <div class="progress">{move || meter(models.transferring.progress(), "Asking the hub")}</div>
                <p class="buttons">
                    <button id="model-pause" type="button" on:click=move |_| models.transferring.stop()>
                        {move || if from_hub.get() { "Pause" } else { "Stop" }}
                    </button>
                    <button id="model-stop" type="button" class="quiet" hidden=move || !from_hub.get() on:click=delete>
                        "Stop and delete …"
                    </button>
                </p>
                <p class="hint" hidden=move || !from_hub.get()>
                    "What has arrived is kept when you pause, close the tab or lose the connection. You can go on \
                     translating and restoring meanwhile."
                </p>
            </section>
        </Show>
    }
}
