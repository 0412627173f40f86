//! The page: compiled, bound to JavaScript, and put beside its stylesheets under names that hold their hash.
//!
//! `index.html` and `start.js` name their parts plainly (`page.js`, `style/base.css`); the build puts the hashed names in
//! their place.

use crate::dist::Build;
use crate::optimise::optimise;
use crate::precache::short_hash;
use crate::run::{Outcome, file_error, run, timed};
use crate::split::{self, split};
use crate::toolchain::{TARGET, Wasm};
use crate::{places, sizes, tools, watch};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The script that `index.html` names, which names the glue.
const START: &str = "start.js";
/// Names in it and in `index.html`.
const GLUE: &str = "page.js";
const MODULE: &str = "page_bg.wasm";
/// Leptos then gives views one type instead of one type each: measured on this page before it was cut, 723 KB in gzip instead of 831, and compiled in
/// half the time.
const ERASED: &str = "--cfg=erase_components";

/// Builds the page into a folder of the target folder, and returns it.
pub fn page(build: Build) -> Outcome<PathBuf> {
    let compiled = timed("compiling the page (5 minutes the first time)", || compile(build))?;
    let folder = places::target().join("page-package").join(build.name());
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(file_error("remove", &folder))?;
    }
    timed("packing the page", || pack(&compiled, &folder, build))?;
    let size = sizes::of(&module(&folder)?)?;
    println!("   page wasm {}, {} in gzip", sizes::kilobytes(size.raw), sizes::kilobytes(size.gzip));
    Ok(folder)
}

/// What every visit fetches of the page's wasm, in a built folder.
pub fn module(folder: &Path) -> Outcome<PathBuf> {
    let found = watch::files(&[folder.to_path_buf()]).into_iter().find(|file| file.ends_with(MODULE));
    found.ok_or_else(|| format!("there is no {MODULE} in {}", folder.display()))
}

fn compile(build: Build) -> Outcome<PathBuf> {
    let profile = if build.release { "page" } else { "engine" };
    let mut cargo = tools::command("cargo");
    cargo.args(["rustc", "--package", "tuppum", "--bin", "page", "--target", TARGET, "--profile", profile]);
    cargo.args(["--", split::FLAG]);
    Wasm::ready()?.prepare_with(&mut cargo, ERASED);
    run(&mut cargo)?;
    Ok(places::target().join(TARGET).join(profile).join("page.wasm"))
}

fn pack(compiled: &Path, folder: &Path, build: Build) -> Outcome<()> {
    let parts = folder.join("page");
    fs::create_dir_all(&parts).map_err(file_error("create", &parts))?;
    let first = split(compiled, &parts, "page")?;
    let mut bindgen = Command::new(tools::wasm_bindgen()?);
    bindgen.args(["--target", "web", "--no-typescript", "--keep-lld-exports", "--out-name", "page", "--out-dir"]);
    run(bindgen.arg(&parts).arg(&first))?;
    fs::remove_file(&first).map_err(file_error("remove", &first))?;
    let files = watch::files(std::slice::from_ref(&parts));
    if build.release {
        let mut modules = files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "wasm"));
        modules.try_for_each(|module| optimise(module, "-Oz"))?;
    }
    let project = places::project();
    let index = project.join("index.html");
    let mut text = fs::read_to_string(&index).map_err(file_error("read", &index))?;
    // One hash for all, in the name of their folder, since each is of no use with another build of the others.
    let contents = files.iter().map(|file| read(file)).collect::<Outcome<Vec<_>>>()?;
    let hashed = format!("page-{}", short_hash(&contents.concat()));
    fs::rename(&parts, folder.join(&hashed)).map_err(file_error("rename", &parts))?;
    let mut start = fs::read_to_string(project.join(START)).map_err(file_error("read", &project.join(START)))?;
    let (module, glue) = (format!("{hashed}/{MODULE}"), format!("{hashed}/{GLUE}"));
    start = put_in(&put_in(&start, MODULE, &module)?, GLUE, &glue)?;
    text = put_in(&text, MODULE, &module)?;
    let hashed = format!("start-{}.js", short_hash(start.as_bytes()));
    fs::write(folder.join(&hashed), start).map_err(file_error("write", &folder.join(&hashed)))?;
    text = put_in(&text, START, &hashed)?;
    for style in styles(&text) {
        let file = project.join(&style);
        let bytes = read(&file)?;
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let hashed = format!("{stem}-{}.css", short_hash(&bytes));
        fs::write(folder.join(&hashed), bytes).map_err(file_error("write", &folder.join(&hashed)))?;
        text = put_in(&text, &style, &hashed)?;
    }
    fs::write(folder.join("index.html"), text).map_err(file_error("write", &folder.join("index.html")))
}

/// The stylesheets that `index.html` names.
fn styles(text: &str) -> Vec<String> {
    let links = text.match_indices("href=\"style/").filter_map(|(at, _)| text[at..].split('"').nth(1));
    links.map(str::to_owned).collect()
}

fn put_in(text: &str, name: &str, hashed: &str) -> Outcome<String> {
    if text.contains(name) { Ok(text.replace(name, hashed)) } else { Err(format!("nothing names {name}")) }
}

fn read(file: &Path) -> Outcome<Vec<u8>> {
    fs::read(file).map_err(file_error("read", file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_names_its_parts() {
        let text = fs::read_to_string(places::project().join("index.html")).unwrap();
        let start = fs::read_to_string(places::project().join(START)).unwrap();
        assert!(put_in(&start, GLUE, "page-0.js").unwrap().contains("\"./page-0.js\""));
        assert!(put_in(&start, MODULE, "page-0_bg.wasm").is_ok());
        assert!(put_in(&text, MODULE, "page-0_bg.wasm").is_ok() && put_in(&text, START, "start-0.js").is_ok());
        let styles = styles(&text);
        assert!(!styles.is_empty() && styles.iter().all(|style| places::project().join(style).is_file()));
    }
}
