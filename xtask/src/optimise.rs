//! `wasm-opt`, for releases.

use crate::programs;
use crate::run::{Outcome, file_error, run, timed};
use crate::tools;
use std::path::Path;

/// What the compiler emits, named one by one: `--all-features` makes wasm-opt write imports that Chromium refuses.
const FEATURES: [&str; 8] = [
    "--enable-simd",
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-sign-ext",
];

/// Optimises a module in place.
pub fn optimise(module: &Path, passes: &[&str]) -> Outcome<()> {
    let program = tools::wasm_opt()?;
    let made = module.with_extension("optimised");
    let mut command = programs::command(program);
    command.args(passes).args(FEATURES).arg(module).arg("--output").arg(&made);
    let name = module.file_name().unwrap_or_default().to_string_lossy().into_owned();
    timed(&format!("wasm-opt {} {name} (a few minutes for the engine)", passes.join(" ")), || run(&mut command))?;
    std::fs::rename(&made, module).map_err(file_error("replace", module))
}
