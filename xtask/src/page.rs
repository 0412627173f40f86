//! The page, built by trunk.

use crate::dist::Build;
use crate::optimise::optimise;
use crate::run::{Outcome, file_error, run, timed};
use crate::toolchain::Wasm;
use crate::{places, sizes, tools, watch};
use std::fs;
use std::path::{Path, PathBuf};

/// Builds the page into a folder of the target folder, and returns it.
pub fn page(build: Build) -> Outcome<PathBuf> {
    let wasm = Wasm::ready()?;
    let folder = places::target().join("page").join(build.name());
    fs::create_dir_all(&folder).map_err(file_error("create", &folder))?;
    let trunk = tools::trunk()?;
    tools::wasm_bindgen()?;
    let mut command = tools::command(trunk);
    command.args(["build", "--config", "trunk.toml", "--dist"]).arg(&folder);
    command.args(["--cargo-profile", if build.release { "page" } else { "engine" }]);
    if build.release {
        command.arg("--release");
    }
    command.env("TRUNK_OFFLINE", "true").env("TRUNK_SKIP_VERSION_CHECK", "true").env_remove("NO_COLOR");
    wasm.prepare(&mut command);
    timed("building the page", || run(&mut command))?;
    let module = module(&folder)?;
    if build.release {
        optimise(&module, "-Oz")?;
    }
    let size = sizes::of(&module)?;
    println!("   page wasm {}, {} in gzip", sizes::kilobytes(size.raw), sizes::kilobytes(size.gzip));
    Ok(folder)
}

/// The page's wasm in a built folder.
pub fn module(folder: &Path) -> Outcome<PathBuf> {
    let is_module = |file: &PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with("page-") && name.ends_with("_bg.wasm")
    };
    let found = watch::files(&[folder.to_path_buf()]).into_iter().find(is_module);
    found.ok_or_else(|| format!("trunk left no page-*_bg.wasm in {}", folder.display()))
}
