//! The few browser interfaces that web-sys keeps behind its unstable switch, or declares as if they could not throw.

use js_sys::{Function, Promise};
use wasm_bindgen::prelude::*;
use web_sys::Blob;

#[wasm_bindgen]
extern "C" {
    /// Tells whoever started this worker of an error that nothing here caught.
    #[wasm_bindgen(js_name = reportError)]
    pub fn report_error(error: &JsValue);

    /// `navigator` of a worker.
    #[wasm_bindgen(js_name = navigator)]
    pub type Navigator;

    #[wasm_bindgen(thread_local_v2, js_name = navigator)]
    pub static NAVIGATOR: Navigator;

    /// `navigator.storage`, absent outside secure contexts.
    #[wasm_bindgen(method, getter)]
    pub fn storage(this: &Navigator) -> Option<Storage>;

    /// `navigator.locks`, absent outside secure contexts.
    #[wasm_bindgen(method, getter)]
    pub fn locks(this: &Navigator) -> Option<Locks>;

    /// `navigator.gpu`, absent without WebGPU.
    #[wasm_bindgen(method, getter)]
    pub fn gpu(this: &Navigator) -> Option<Gpu>;

    /// `StorageManager`.
    pub type Storage;

    /// The root of the origin's private file system.
    #[wasm_bindgen(method, catch, js_name = getDirectory)]
    pub fn get_directory(this: &Storage) -> Result<Promise, JsValue>;

    /// How much this site stores and may store.
    #[wasm_bindgen(method, catch)]
    pub fn estimate(this: &Storage) -> Result<Promise, JsValue>;

    /// Whether the browser has promised to throw nothing away by itself.
    #[wasm_bindgen(method, catch)]
    pub fn persisted(this: &Storage) -> Result<Promise, JsValue>;

    /// The part of a `Response` that says what comes.
    pub type Head;

    /// Header fields of the response.
    #[wasm_bindgen(method, getter)]
    pub fn headers(this: &Head) -> Headers;

    /// Whether it comes from elsewhere than was asked.
    #[wasm_bindgen(method, getter)]
    pub fn redirected(this: &Head) -> bool;

    /// `Headers`.
    pub type Headers;

    /// A field; none as well when another origin does not let it be read.
    #[wasm_bindgen(method)]
    pub fn get(this: &Headers, name: &str) -> Option<String>;

    /// `LockManager`.
    pub type Locks;

    /// Runs `callback` once the lock is held, and holds it until the promise that it returns is settled.
    #[wasm_bindgen(method, catch)]
    pub fn request(this: &Locks, name: &str, options: &JsValue, callback: &Function) -> Result<Promise, JsValue>;

    /// The address of a file in the browser's memory, for this site.
    #[wasm_bindgen(js_namespace = URL, js_name = createObjectURL, catch)]
    pub fn address_of(file: &Blob) -> Result<String, JsValue>;

    /// Fetches the engine's part for graphics cards until a signal calls it off; set by the worker's script, absent
    /// where the engine is one module, as in tests of it.
    #[wasm_bindgen(thread_local_v2, js_name = graphicsPart)]
    pub static GRAPHICS_PART: Option<Function>;

    /// `GPU`.
    pub type Gpu;

    /// An adapter or null.
    #[wasm_bindgen(method, catch, js_name = requestAdapter)]
    pub fn request_adapter(this: &Gpu, options: &JsValue) -> Result<Promise, JsValue>;

    /// `GPUAdapter`.
    pub type Adapter;

    /// The set of features that the adapter offers.
    #[wasm_bindgen(method, getter)]
    pub fn features(this: &Adapter) -> AdapterFeatures;

    /// Limits of the adapter, numbers by name.
    #[wasm_bindgen(method, getter)]
    pub fn limits(this: &Adapter) -> JsValue;

    /// Description of the hardware by the browser.
    #[wasm_bindgen(method, getter)]
    pub fn info(this: &Adapter) -> JsValue;

    /// `GPUSupportedFeatures`.
    pub type AdapterFeatures;

    /// Whether the feature is there.
    #[wasm_bindgen(method)]
    pub fn has(this: &AdapterFeatures, name: &str) -> bool;
}
