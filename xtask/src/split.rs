//! Cuts the page's wasm into what every visit needs and parts that are fetched when they are first shown, at the functions that
//! `src/parts.rs` marks.

use crate::run::{Outcome, run};
use crate::tools;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Makes the linker leave in the file what is needed to cut it.
pub const FLAG: &str = "-Clink-args=--emit-relocs";
/// Writes the parts and the script that fetches them into `folder`, and returns the first part, which `wasm-bindgen` has yet to see;
/// its glue will be called `NAME.js`.
pub fn split(compiled: &Path, folder: &Path, name: &str) -> Outcome<PathBuf> {
    let mut command = Command::new(tools::wasm_split()?);
    run(command.args(["--target", "web", "--out-name", name]).arg(compiled).arg(folder))?;
    Ok(folder.join(name).with_extension("wasm"))
}
