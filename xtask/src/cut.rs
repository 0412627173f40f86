//! Cuts the page's wasm into what it is drawn with first and parts that are fetched afterwards, at the functions that
//! `#[wasm_split]` marks (`src/parts.rs`), and puts the pieces into a folder whose name holds their hash.

use crate::files::{copy_all, files, new_folder, read};
use crate::optimise::optimise;
use crate::precache::short_hash;
use crate::run::{Outcome, file_error, run};
use crate::toolchain::TARGET;
use crate::trunk::Hook;
use crate::{places, sizes, tools};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Name of the part of the page's wasm that every visit fetches.
pub const MODULE: &str = "page_bg.wasm";
/// The script that binds it to JavaScript.
pub const GLUE: &str = "page.js";
/// Passes of `wasm-opt` for the page's pieces, gone through again until nothing gets smaller. Control flow made anew,
/// from code without nesting, and optimised once more is 3 KB smaller in gzip than what `-Oz` alone leaves.
const SMALL: [&str; 7] =
    ["-Oz", "--flatten", "--rereloop", "-Oz", "--converge", "--strip-producers", "--strip-target-features"];

/// Cuts what trunk has compiled, takes away what trunk has bound of it, and returns the name of the folder with the
/// parts.
pub fn cut(hook: &Hook) -> Outcome<String> {
    let compiled = compiled(hook.release);
    let parts = places::target().join("page-package").join(hook.name());
    new_folder(&parts)?;
    let first = split(&compiled, &parts)?;
    let mut bindgen = Command::new(tools::wasm_bindgen()?);
    bindgen.args(["--target", "web", "--no-typescript", "--keep-lld-exports", "--out-name", "page", "--out-dir"]);
    run(bindgen.arg(&parts).arg(&first))?;
    fs::remove_file(&first).map_err(file_error("remove", &first))?;
    let pieces = files(&parts);
    if hook.release {
        let mut modules = pieces.iter().filter(|file| file.extension().is_some_and(|extension| extension == "wasm"));
        modules.try_for_each(|module| optimise(module, &SMALL))?;
    }
    // One hash for all, in the name of their folder, since each is of no use with another build of the others.
    let contents = pieces.iter().map(|file| read(file)).collect::<Outcome<Vec<_>>>()?;
    let name = format!("page-{}", short_hash(&contents.concat()));
    take_uncut_away(&hook.staging)?;
    copy_all(&parts, &hook.staging.join(&name))?;
    let size = sizes::of(&hook.staging.join(&name).join(MODULE))?;
    println!("   page wasm {}, {} in gzip", sizes::kilobytes(size.raw), sizes::kilobytes(size.gzip));
    Ok(name)
}

/// Path of the part of the page's wasm that every visit fetches, in a built folder.
pub fn module(folder: &Path) -> Outcome<PathBuf> {
    let found = files(folder).into_iter().find(|file| file.ends_with(MODULE));
    found.ok_or_else(|| format!("there is no {MODULE} in {}", folder.display()))
}

/// Path at which cargo puts the page's wasm; `index.html` names the same profiles.
fn compiled(release: bool) -> PathBuf {
    places::target().join(TARGET).join(if release { "page" } else { "engine" }).join("page.wasm")
}

/// Writes the parts and the script that fetches them into `folder`, and returns the first part, which `wasm-bindgen`
/// has yet to see; its glue will be called `page.js`.
fn split(compiled: &Path, folder: &Path) -> Outcome<PathBuf> {
    let mut command = Command::new(tools::wasm_split()?);
    run(command.args(["--target", "web", "--out-name", "page"]).arg(compiled).arg(folder))?;
    Ok(folder.join("page.wasm"))
}

/// Removes `page-….js` and `page-…_bg.wasm`, which trunk made of the whole page.
fn take_uncut_away(staging: &Path) -> Outcome<()> {
    for entry in fs::read_dir(staging).map_err(file_error("read", staging))?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        // Not the stylesheet `page-….css`.
        if name.starts_with("page-") && (name.ends_with(".js") || name.ends_with("_bg.wasm")) {
            fs::remove_file(entry.path()).map_err(file_error("remove", &entry.path()))?;
        }
    }
    Ok(())
}
