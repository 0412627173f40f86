//! Disk usage of the models: the sum of their files' sizes, computed in one place, and the card that shows it beside
//! the browser's own estimate for the whole site. Also asks the browser to keep what this site stores.

use crate::kit::format;
use crate::models::Models;
use crate::restore::state::Workbench;
use leptos::prelude::*;
use tuppum_protocol::StorageUsage;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// Returns the bytes of all stored models, counting partial files by what is present.
pub fn taken(usage: &StorageUsage) -> u64 {
    let shipped: u64 = usage.shipped.iter().map(|model| model.bytes).sum();
    shipped + usage.stored.iter().map(|model| model.present()).sum::<u64>()
}

/// Returns the disk usage of the models as a sentence.
pub fn usage_sentence(usage: &StorageUsage) -> String {
    match taken(usage) {
        0 => "Nothing of a model is stored in this browser yet.".to_owned(),
        bytes => format!(
            "What is listed as stored above takes {}. Runs of training are counted on the page “Train”.",
            format::bytes(bytes)
        ),
    }
}

/// Returns the browser's estimate of this site's usage and remaining quota, as a sentence.
pub fn browser_estimate(used: u64, quota: u64) -> String {
    format!(
        "The browser’s own estimate for all of this site: {} in use, {} more allowed. It counts the page, runs of \
         training, and room that it only sets aside, so it may be far from the sum of the files.",
        format::bytes(used),
        format::bytes(quota.saturating_sub(used)),
    )
}

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
                {browser_estimate(used, quota)}
            </p>
        }
    };
    let taken = move || models.usage.with(|usage| usage.as_ref().map(usage_sentence));
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

#[wasm_bindgen]
extern "C" {
    /// `navigator`.
    #[wasm_bindgen(js_name = navigator)]
    type Navigator;

    #[wasm_bindgen(thread_local_v2, js_name = navigator)]
    static NAVIGATOR: Navigator;

    /// `navigator.storage`, absent outside secure contexts.
    #[wasm_bindgen(method, getter)]
    fn storage(this: &Navigator) -> Option<Storage>;

    /// `StorageManager`.
    type Storage;

    /// Asks the browser, which may ask the user.
    #[wasm_bindgen(method, catch)]
    fn persist(this: &Storage) -> Result<js_sys::Promise, JsValue>;
}

/// Asks the browser not to delete on its own what this site stores; returns `true` if it agrees.
pub async fn ask_to_persist() -> bool {
    let asked = NAVIGATOR.with(|navigator| navigator.storage().and_then(|storage| storage.persist().ok()));
    match asked {
        Some(asked) => JsFuture::from(asked).await.is_ok_and(|agreed| agreed.is_truthy()),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_protocol::{Origin, ShippedModel, StoredFile, StoredModel, Task};

    #[test]
    fn room_is_the_sum_of_what_is_here() {
        let file = |name: &str, bytes, present| StoredFile { name: name.to_owned(), bytes, present, sha256: None };
        let stored = StoredModel {
            name: "mine".to_owned(),
            task: Task::Translation,
            origin: Origin::Files,
            added: 0.0,
            parameters: 1,
            size: None,
            files: vec![file("model.safetensors", 2_000_000, 1_200_000), file("config.json", 100, 100)],
        };
        let shipped = vec![ShippedModel { name: "translator".to_owned(), bytes: 41_800_000 }];
        // The browser's estimate is ten times as large and must not change the result.
        let usage = StorageUsage {
            stored: vec![stored],
            shipped,
            used: Some(429_000_000),
            quota: Some(1_000_000_000),
            persistent: None,
            refusal: None,
            memory: 0,
        };
        assert_eq!(taken(&usage), 43_000_100);
        assert!(usage_sentence(&usage).contains("takes 43.0\u{202f}MB"), "{}", usage_sentence(&usage));
        let estimate = browser_estimate(429_000_000, 1_000_000_000);
        assert!(estimate.starts_with("The browser’s own estimate") && estimate.contains("571.0"), "{estimate}");
    }
}
