//! The request to the browser to keep what this site stores.

use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

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
