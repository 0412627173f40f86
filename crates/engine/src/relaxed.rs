//! Matrix products with relaxed SIMD instructions, if the browser has them: the kernel of `gemm` as a separate module
//! that works on the engine's memory and is called through the engine's function table.

use js_sys::WebAssembly::{Instance, Memory, Module, Table};
use js_sys::{Function, Object, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};

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
