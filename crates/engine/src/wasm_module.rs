//! The engine's own wasm module: its memory, its kernel for matrix products, and its exponential function.
//!
//! Matrix products use relaxed SIMD instructions, if the browser has them: the kernel of `gemm` as a separate module
//! that works on the engine's memory and is called through the engine's function table.
//!
//! Every `f32::exp` of the engine, burn's included, is compiled to a call of the C function `expf`; the definition here
//! takes precedence over the one in Rust's library. It makes restoring an eighth faster.

use js_sys::WebAssembly::{Instance, Memory, Module, Table};
use js_sys::{Function, Object, Reflect, Uint8Array};
use tuppum_nn::byt5::ByT5Config;
use tuppum_nn::exponential::exponential;
use wasm_bindgen::{JsCast, JsValue};

/// Bytes needed beside the weights: the largest tensor while it is transposed, the program, a translation of some
/// length. Measured with ByT5-small: 47 MB.
const BESIDE_THE_WEIGHTS: u64 = 150_000_000;

/// Estimates the bytes that a translator of this size needs on the CPU: its weights, those of them that are held a
/// second time while it writes, and the rest.
pub fn memory_needed(size: &ByT5Config) -> u64 {
    size.parameter_count() * 4 + size.bytes_to_write() + BESIDE_THE_WEIGHTS
}

/// Returns the bytes of the engine's own memory. It never shrinks, so this is the peak.
pub fn wasm_memory() -> u64 {
    core::arch::wasm32::memory_size::<0>() as u64 * 65_536
}

/// Switches all matrix products to the kernel with relaxed instructions, or to the compiled-in one if the browser lacks
/// these instructions. Returns `true` if the relaxed kernel is used.
pub fn use_relaxed() -> bool {
    let found = replace().is_ok();
    gemm::use_slot(found);
    found
}

fn replace() -> Result<(), JsValue> {
    let module = Module::new(&Uint8Array::from(gemm::RELAXED))?;
    let (imports, environment) = (Object::new(), Object::new());
    let memory: Memory = wasm_bindgen::memory().unchecked_into();
    Reflect::set(&environment, &"memory".into(), &memory)?;
    Reflect::set(&imports, &"env".into(), &environment)?;
    let exports = Instance::new(&module, &imports)?.exports();
    let function: Function = Reflect::get(&exports, &"multiply".into())?.dyn_into()?;
    let table: Table = wasm_bindgen::function_table().dyn_into()?;
    table.set(gemm::slot(), &function)
}

/// The function that the compiler calls for `f32::exp`.
#[cfg(target_arch = "wasm32")]
#[unsafe(no_mangle)]
extern "C" fn expf(x: f32) -> f32 {
    exponential(x)
}
