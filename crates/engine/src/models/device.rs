//! The graphics device: a GPU by WebGPU, if the browser has one that burn can use.

use crate::bindings::{Adapter, GRAPHICS_PART, NAVIGATOR, Navigator, thrown};
use crate::errors::NoGpu;
use crate::job::Turns;
use crate::timeouts::{answered, answered_in_a_minute};
use burn::tensor::Device;
use burn::tensor::wgpu::wgpu::Error as GpuError;
use js_sys::{Object, Promise, Reflect};
use std::cell::{Cell, RefCell};
use std::sync::{Arc, Mutex};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::AbortController;

/// Dispatches per submission. More than burn's 32, because a torso's layers are many small kernels.
const TASKS_PER_SUBMISSION: usize = 64;

/// Minimum limits of an adapter, by their names in the WebGPU specification: the longest batches of the search make
/// buffers of some 50 MiB, and burn's kernels run groups of 256.
const LEAST_LIMITS: [(&str, f64); 3] = [
    ("maxStorageBufferBindingSize", 134_217_728.0),
    ("maxBufferSize", 134_217_728.0),
    ("maxComputeInvocationsPerWorkgroup", 256.0),
];

/// WebGPU device. A worker has only one.
#[derive(Clone)]
pub struct Gpu {
    /// burn's device for tensors.
    pub device: Device,
    /// Description of the hardware by the browser.
    pub name: String,
    /// Errors that no operation returned.
    pub errors: DeviceErrors,
}

/// Errors that the GPU reported outside any operation.
#[derive(Clone, Default)]
pub struct DeviceErrors {
    first: Arc<Mutex<Option<String>>>,
}

impl DeviceErrors {
    /// Returns the first error since the last call.
    pub fn take(&self) -> Option<String> {
        self.first.lock().ok().and_then(|mut first| first.take())
    }

    fn record(&self, error: &GpuError) {
        if let Ok(mut first) = self.first.lock() {
            first.get_or_insert_with(|| error.to_string());
        }
    }
}

thread_local! {
    /// burn registers a device once in a worker's life; a second attempt is an error.
    static GPU: RefCell<Option<Gpu>> = const { RefCell::new(None) };
    /// `true` once the constructors have run, which need the engine's part for graphics cards.
    static CONSTRUCTED: Cell<bool> = const { Cell::new(false) };
    static OPENING: Cell<bool> = const { Cell::new(false) };
}

/// Runs the constructors by which cubecl's shader compiler registers its operations, since in a browser nothing else
/// runs them. A second call does nothing.
pub fn run_constructors() {
    #[cfg(target_family = "wasm")]
    if !CONSTRUCTED.replace(true) {
        unsafe extern "C" {
            fn __wasm_call_ctors();
        }
        // SAFETY: made by the linker, takes and returns nothing, and runs once, before any device exists.
        unsafe { __wasm_call_ctors() };
    }
    #[cfg(not(target_family = "wasm"))]
    CONSTRUCTED.set(true);
}

/// Returns the GPU, if this browser has one that burn can use. With `software`, one emulated on the processor is
/// accepted.
///
/// # Errors
/// Returns the reason why there is none.
pub async fn gpu(software: bool) -> Result<Gpu, NoGpu> {
    let turns = Turns::new();
    // A training run and a restorer may ask for the device at the same time.
    while OPENING.replace(true) {
        turns.take().await;
    }
    let found = the_one_gpu(software).await;
    OPENING.set(false);
    found
}

async fn the_one_gpu(software: bool) -> Result<Gpu, NoGpu> {
    if let Some(gpu) = GPU.with_borrow(Clone::clone) {
        return Ok(gpu);
    }
    let adapter = adapter().await?;
    examine(&adapter, software)?;
    fetch_part().await?;
    run_constructors();
    let options = Device::wgpu_options().tasks_max(TASKS_PER_SUBMISSION);
    let opened = answered(options.init_with_setup_async()).await.ok_or(NoGpu::Silent)?;
    let (device, setup) = opened.map_err(|error| NoGpu::NotOpened(error.to_string()))?;
    let errors = DeviceErrors::default();
    let recorder = errors.clone();
    // burn's own handler panics, which would end the whole worker.
    setup.device.on_uncaptured_error(Arc::new(move |error: GpuError| recorder.record(&error)));
    let gpu = Gpu { device, name: name(&adapter), errors };
    GPU.set(Some(gpu.clone()));
    Ok(gpu)
}

/// Fetches the engine's part for graphics cards. Before that none of its functions may be called, including the
/// constructors of the shader compiler.
async fn fetch_part() -> Result<(), NoGpu> {
    let fetch = GRAPHICS_PART.with(Clone::clone).filter(|_| !CONSTRUCTED.get());
    let Some(fetch) = fetch else { return Ok(()) };
    let failed = |error: JsValue| NoGpu::NotFetched(thrown(&error));
    let calling_off = AbortController::new().map_err(failed)?;
    let asked: Promise = fetch.call1(&JsValue::UNDEFINED, &calling_off.signal()).map_err(failed)?.unchecked_into();
    let came = answered_in_a_minute(JsFuture::from(asked)).await;
    calling_off.abort();
    came.ok_or_else(|| NoGpu::NotFetched("it did not come within a minute".to_owned()))?.map_err(failed)?;
    Ok(())
}

async fn adapter() -> Result<Adapter, NoGpu> {
    let gpu = NAVIGATOR.with(Navigator::gpu).ok_or(NoGpu::NotOffered)?;
    let options = Object::new();
    let _ = Reflect::set(&options, &"powerPreference".into(), &"high-performance".into());
    let refused = |error: JsValue| NoGpu::Refused(thrown(&error));
    let asked = JsFuture::from(gpu.request_adapter(&options).map_err(refused)?);
    let adapter = answered(asked).await.ok_or(NoGpu::Silent)?.map_err(refused)?;
    if adapter.is_null() || adapter.is_undefined() {
        return Err(NoGpu::NotFound);
    }
    Ok(adapter.unchecked_into())
}

/// Checks that burn can use the adapter.
fn examine(adapter: &Adapter, software: bool) -> Result<(), NoGpu> {
    if !adapter.features().has("timestamp-query") {
        return Err(NoGpu::NoTimestampQueries);
    }
    let limits = adapter.limits();
    for (limit, least) in LEAST_LIMITS {
        let has = Reflect::get(&limits, &limit.into()).ok().and_then(|value| value.as_f64()).unwrap_or(0.0);
        if has < least {
            return Err(NoGpu::TooSmall { limit, has, least });
        }
    }
    if !software && is_software(adapter) {
        return Err(NoGpu::Imitated);
    }
    Ok(())
}

/// Returns `true` if the adapter is emulated on the processor. Browsers say so in one of two places, or by its name.
fn is_software(adapter: &Adapter) -> bool {
    let told = |object: &JsValue| Reflect::get(object, &"isFallbackAdapter".into()).is_ok_and(|told| told.is_truthy());
    let name = name(adapter).to_lowercase();
    told(&adapter.info()) || told(adapter) || ["swiftshader", "llvmpipe"].iter().any(|software| name.contains(software))
}

/// Returns the browser's description of the hardware; often it says little, to protect the user from being identified.
fn name(adapter: &Adapter) -> String {
    let info = adapter.info();
    let field = |field: &str| Reflect::get(&info, &field.into()).ok().and_then(|value| value.as_string());
    let parts: Vec<String> = match field("description").filter(|description| !description.is_empty()) {
        Some(description) => vec![description],
        None => ["vendor", "architecture", "device"].into_iter().filter_map(field).collect(),
    };
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { "unnamed graphics device".to_owned() } else { parts.join(" ") }
}
