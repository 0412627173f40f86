//! A new version that waits, and the reload that the user agrees to.

use crate::shell::updates::Updates;
use leptos::prelude::*;

/// Says that a new version waits, if one does.
#[component]
pub fn Update() -> impl IntoView {
    let updates = Updates::watch();
    view! {
        <Show when=move || updates.waiting.get()>
            <section id="update" class="band" role="status" aria-label="New version">
                <p>"A new version is ready. Your work is kept; every open tab reloads once."</p>
                <button id="update-reload" type="button" on:click=move |_| updates.accept()>
                    "Reload"
                </button>
                <button id="update-later" type="button" class="quiet" on:click=move |_| updates.waiting.set(false)>
                    "Later"
                </button>
            </section>
        </Show>
    }
}
