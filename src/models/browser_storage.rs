//! What the page itself asks of the browser's storage: the promise to keep.

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

/// Asks the browser not to throw away by itself what this site stores; whether it agrees.
pub async fn ask_to_persist() -> bool {
    let asked = NAVIGATOR.with(|navigator| navigator.storage().and_then(|storage| storage.persist().ok()));
    match asked {
        Some(asked) => JsFuture::from(asked).await.is_ok_and(|agreed| agreed.is_truthy()),
        None => false,
    }
}
