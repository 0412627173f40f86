//! The engine: the worker's script, its glue and its wasm in two parts, under names that hold their hash.
//!
//! Built apart from the page; cargo decides what is compiled, and an unchanged outcome is not packed again.

use crate::divide::divide;
use crate::files::{copy_all, new_folder, read, read_text, write};
use crate::optimise::optimise;
use crate::precache::short_hash;
use crate::run::{Outcome, file_error, run, timed};
use crate::toolchain::{TARGET, Wasm};
use crate::trunk::Hook;
use crate::{places, programs, sizes, tools};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The file in a package that says what it was made of.
const SOURCE: &str = ".source";
/// The worker's script, with `HASH` for the hash in the names of the files beside it.
const SCRIPT: &str = include_str!("worker.js");
/// Inputs of a package of the compiled engine; a change in any of them makes another package.
const PACKING: [&str; 4] = [SCRIPT, include_str!("engine.rs"), include_str!("divide.rs"), include_str!("optimise.rs")];

/// Builds the engine and puts it beside the page.
pub fn hook(hook: &Hook) -> Outcome<()> {
    let compiled = timed("compiling the engine (20 minutes the first time, later under one)", compile)?;
    let package = places::target().join("engine-package").join(hook.name());
    let source = short_hash(&[&read(&compiled)?, PACKING.concat().as_bytes()].concat());
    if read_text(&package.join(SOURCE)).is_ok_and(|packed| packed == source) {
        println!("── engine: unchanged");
    } else {
        timed("packing the engine", || pack(&compiled, &package, &source, hook.release))?;
        for (what, module) in [("engine wasm", module(&package)?), ("its part for graphics cards", graphics(&package)?)]
        {
            let size = sizes::of(&module)?;
            println!("   {what} {}, {} in gzip", sizes::kilobytes(size.raw), sizes::kilobytes(size.gzip));
        }
    }
    copy_all(&package, &hook.staging)
}

/// The engine's wasm in a built folder.
pub fn module(folder: &Path) -> Outcome<PathBuf> {
    find(folder, "_bg.wasm")
}

/// The part of it in a built folder that only a graphics card needs.
pub fn graphics(folder: &Path) -> Outcome<PathBuf> {
    find(folder, "_graphics.wasm")
}

/// Name of the worker's script in a built folder; it finds the others.
pub fn script(folder: &Path) -> Outcome<String> {
    let glue = find(folder, "-glue.js")?;
    Ok(glue.file_name().unwrap_or_default().to_string_lossy().replace("-glue.js", ".js"))
}

fn find(folder: &Path, end: &str) -> Outcome<PathBuf> {
    let entries = fs::read_dir(folder).map_err(file_error("read", folder))?.flatten().map(|entry| entry.path());
    let named = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("engine-") && name.ends_with(end)
    };
    entries.into_iter().find(named).ok_or_else(|| format!("there is no engine-…{end} in {}", folder.display()))
}

fn compile() -> Outcome<PathBuf> {
    let mut cargo = programs::command("cargo");
    cargo.args(["build", "--package", "tuppum-engine", "--target", TARGET, "--profile", "engine"]);
    Wasm::ready()?.prepare(&mut cargo);
    run(&mut cargo)?;
    Ok(places::target().join(TARGET).join("engine/engine.wasm"))
}

fn pack(compiled: &Path, package: &Path, source: &str, release: bool) -> Outcome<()> {
    let work = package.with_extension("packing");
    new_folder(&work)?;
    let mut bindgen = Command::new(tools::wasm_bindgen()?);
    bindgen.args(["--target", "web", "--no-typescript", "--out-name", "engine", "--out-dir"]).arg(&work).arg(compiled);
    run(&mut bindgen)?;
    let [module, graphics] = ["engine_bg.wasm", "graphics.wasm"].map(|name| work.join(name));
    let glue = work.join("engine.js");
    let divided = divide(&read(&module)?)?;
    write(&module, divided.first)?;
    write(&graphics, divided.graphics)?;
    if release {
        optimise(&module, &["-O2"])?;
        optimise(&graphics, &["-O2"])?;
    }
    let hash = short_hash(&[read(&module)?, read(&graphics)?, read(&glue)?, SCRIPT.into()].concat());
    let rename = |from: &Path, to: String| fs::rename(from, work.join(to)).map_err(file_error("rename", from));
    rename(&module, format!("engine-{hash}_bg.wasm"))?;
    rename(&graphics, format!("engine-{hash}_graphics.wasm"))?;
    rename(&glue, format!("engine-{hash}-glue.js"))?;
    write(&work.join(format!("engine-{hash}.js")), SCRIPT.replace("HASH", &hash))?;
    write(&work.join(SOURCE), source)?;
    if package.exists() {
        fs::remove_dir_all(package).map_err(file_error("remove", package))?;
    }
    fs::rename(&work, package).map_err(file_error("rename", &work))
}
