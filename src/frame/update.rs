//! Bands that offer a new version of the page, and that warn if the page could not be stored.

use crate::frame::updates::Updates;
use leptos::prelude::*;

/// The bands for a new version and for a page that could not be stored.
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
        <Show when=move || updates.failed.get()>
            <section id="not-stored" class="band" role="status" aria-label="Without a network">
                <p>
                    "This browser could not store the page, so it will not open without a network. The disk may be \
                     nearly full, or the connection broke. All else works, and nothing is lost."
                </p>
                <button id="store-again" type="button" on:click=move |_| updates.try_again()>
                    "Try again"
                </button>
                <button id="store-later" type="button" class="quiet" on:click=move |_| updates.failed.set(false)>
                    "Close"
                </button>
            </section>
        </Show>
    }
}
