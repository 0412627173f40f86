//! Matrix products by relaxed instructions where the browser knows them: the kernel of `gemm` as a module of its own,
//! over the engine's memory, whose function takes a place in the engine's table of functions.

use js_sys::WebAssembly::{Instance, Memory, Module, Table};
use js_sys::{Function, Object, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};

/// Has the kernel with relaxed instructions compute all products from now on; tells whether it does. Without them it is
/// the one compiled in.
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
