//! Browser interfaces that web-sys keeps behind its unstable switch, or declares as if they could not throw.

use crate::errors::StorageError;
use crate::queue::CancellationToken;
use js_sys::{Function, Promise};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::{AbortController, AbortSignal, Blob, DedicatedWorkerGlobalScope};

#[wasm_bindgen]
extern "C" {
    /// Reports an uncaught error to the page that started this worker.
    #[wasm_bindgen(js_name = reportError)]
    pub fn report_error(error: &JsValue);

    /// The `navigator` of a worker.
    #[wasm_bindgen(js_name = navigator)]
    pub type Navigator;

    /// `navigator` of this worker.
    #[wasm_bindgen(thread_local_v2, js_name = navigator)]
    pub static NAVIGATOR: Navigator;

    /// Returns `navigator.storage`, which is absent outside secure contexts.
    #[wasm_bindgen(method, getter)]
    pub fn storage(this: &Navigator) -> Option<Storage>;

    /// Returns `navigator.locks`, which is absent outside secure contexts.
    #[wasm_bindgen(method, getter)]
    pub fn locks(this: &Navigator) -> Option<Locks>;

    /// Returns `navigator.gpu`, which is absent without WebGPU.
    #[wasm_bindgen(method, getter)]
    pub fn gpu(this: &Navigator) -> Option<Gpu>;

    /// `StorageManager`.
    pub type Storage;

    /// Returns the root of the origin's private file system.
    #[wasm_bindgen(method, catch, js_name = getDirectory)]
    pub fn get_directory(this: &Storage) -> Result<Promise, JsValue>;

    /// Returns the bytes that this site stores and may store.
    #[wasm_bindgen(method, catch)]
    pub fn estimate(this: &Storage) -> Result<Promise, JsValue>;

    /// Returns `true` if the browser has promised not to delete anything by itself.
    #[wasm_bindgen(method, catch)]
    pub fn persisted(this: &Storage) -> Result<Promise, JsValue>;

    /// Head of a `Response`.
    pub type Head;

    /// Returns the header fields of the response.
    #[wasm_bindgen(method, getter)]
    pub fn headers(this: &Head) -> Headers;

    /// Returns `true` if the response comes from another address than the one requested.
    #[wasm_bindgen(method, getter)]
    pub fn redirected(this: &Head) -> bool;

    /// `Headers`.
    pub type Headers;

    /// Returns a header field; `None` also if another origin does not let it be read.
    #[wasm_bindgen(method)]
    pub fn get(this: &Headers, name: &str) -> Option<String>;

    /// `LockManager`.
    pub type Locks;

    /// Runs `callback` once the lock is held, and holds the lock until the promise returned by `callback` is settled.
    #[wasm_bindgen(method, catch)]
    pub fn request(this: &Locks, name: &str, options: &JsValue, callback: &Function) -> Result<Promise, JsValue>;

    /// Returns an address, valid for this site, of a file in the browser's memory.
    #[wasm_bindgen(js_namespace = URL, js_name = createObjectURL, catch)]
    pub fn address_of(file: &Blob) -> Result<String, JsValue>;

    /// Function that fetches the engine's part for graphics cards, until a signal cancels it. The worker's script sets
    /// it; it is absent where the engine is one module, as in its tests.
    #[wasm_bindgen(thread_local_v2, js_name = graphicsPart)]
    pub static GRAPHICS_PART: Option<Function>;

    /// `GPU`.
    pub type Gpu;

    /// Returns an adapter or null.
    #[wasm_bindgen(method, catch, js_name = requestAdapter)]
    pub fn request_adapter(this: &Gpu, options: &JsValue) -> Result<Promise, JsValue>;

    /// `GPUAdapter`.
    pub type Adapter;

    /// Returns the features that the adapter offers.
    #[wasm_bindgen(method, getter)]
    pub fn features(this: &Adapter) -> AdapterFeatures;

    /// Returns the limits of the adapter: numbers by name.
    #[wasm_bindgen(method, getter)]
    pub fn limits(this: &Adapter) -> JsValue;

    /// Returns the browser's description of the hardware.
    #[wasm_bindgen(method, getter)]
    pub fn info(this: &Adapter) -> JsValue;

    /// `GPUSupportedFeatures`.
    pub type AdapterFeatures;

    /// Returns `true` if the feature is in the set.
    #[wasm_bindgen(method)]
    pub fn has(this: &AdapterFeatures, name: &str) -> bool;
}

/// Returns the global object of this worker.
pub fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

/// Returns the milliseconds since the worker started.
pub fn now() -> f64 {
    scope().performance().map_or(0.0, |clock| clock.now())
}

/// Returns a signal that aborts a browser's request when the job is cancelled.
pub fn abort_signal(token: &CancellationToken) -> Option<AbortSignal> {
    let controller = AbortController::new().ok()?;
    let signal = controller.signal();
    token.on_cancel(move || controller.abort());
    Some(signal)
}

/// Returns the message of an exception that the browser threw.
pub fn thrown(value: &JsValue) -> String {
    if let Some(error) = value.dyn_ref::<js_sys::Error>() {
        return format!("{}: {}", String::from(error.name()), String::from(error.message()));
    }
    if let Some(exception) = value.dyn_ref::<web_sys::DomException>() {
        return format!("{}: {}", exception.name(), exception.message());
    }
    value.as_string().unwrap_or_else(|| format!("{value:?}"))
}

impl From<JsValue> for StorageError {
    fn from(error: JsValue) -> Self {
        Self::Refused(thrown(&error))
    }
}
