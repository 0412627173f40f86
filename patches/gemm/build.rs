//! Compiles the kernel a second time, with relaxed SIMD instructions, into a module of its own of two kilobytes. If
//! these instructions were in the engine's module, a browser that does not know them would refuse the whole engine.

use std::env::{self, VarError};
use std::path::Path;
use std::process::Command;

/// Source of the module. Its memory is the engine's. It has no stack, so that code that needed one would trap at once
/// instead of writing into the engine's memory.
const MODULE: &str = r#"
#![no_std]
#[path = KERNEL]
mod kernel;

#[unsafe(no_mangle)]
pub unsafe extern "C" fn multiply(task: *const kernel::Task) {
    unsafe { kernel::multiply(task) }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}
"#;

const FLAGS: [&str; 14] = [
    "--edition=2024",
    "--crate-name=relaxed",
    "--crate-type=cdylib",
    "--target=wasm32-unknown-unknown",
    "--cap-lints=allow",
    "-Copt-level=3",
    "-Cpanic=abort",
    "-Cstrip=symbols",
    "-Ctarget-feature=+simd128,+relaxed-simd",
    "-Clink-arg=--import-memory",
    "-Clink-arg=--stack-first",
    "-Clink-arg=-zstack-size=0",
    "-Clink-arg=--no-entry",
    "-Cdebuginfo=0",
];

fn main() -> Result<(), VarError> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/kernel.rs");
    if env::var("CARGO_CFG_TARGET_FAMILY")? != "wasm" {
        return Ok(());
    }
    let folder = env::var("OUT_DIR")?;
    let (source, made) = (Path::new(&folder).join("relaxed.rs"), Path::new(&folder).join("relaxed.wasm"));
    let kernel = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("src/kernel.rs");
    let module = MODULE.replace("KERNEL", &format!("{:?}", kernel.display().to_string()));
    let mut compiler = Command::new(env::var("RUSTC")?);
    // Cargo's flags for the target, which may say where its library lies.
    let usual = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    compiler.args(usual.split('\u{1f}').filter(|flag| !flag.is_empty())).args(FLAGS);
    if let Ok(linker) = env::var("RUSTC_LINKER") {
        compiler.arg(format!("-Clinker={linker}"));
    }
    compiler.arg(&source).arg("-o").arg(&made);
    let written =
        std::fs::write(&source, module).map_err(|error| format!("{} cannot be written: {error}", source.display()));
    let compiled = written.and_then(|()| compiler.status().map_err(|error| format!("{compiler:?}: {error}")));
    match compiled {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => panic!("the kernel with relaxed instructions was not compiled ({status}): {compiler:?}"),
        Err(reason) => panic!("the kernel with relaxed instructions was not compiled: {reason}"),
    }
}
