//! The finished application in `dist/`: the page, the engine, the weights, fonts, icons and the service worker.

use crate::engine::{Engine, engine};
use crate::page::page;
use crate::run::{Outcome, file_error};
use crate::{places, precache, watch};
use std::fs;
use std::path::{Path, PathBuf};

/// Names in `index.html` that are filled in here.
const ENGINE_META: &str = "<meta name=\"tuppum-engine\" content=\"\"";
const SERVICE_WORKER_META: &str = "<meta name=\"tuppum-service-worker\" content=\"service-worker.js\"";

/// Tables and points that the page fetches instead of holding them in its wasm.
const FETCHED: [&str; 5] = [
    "assets/examples/old-assyrian-letters.txt",
    "assets/examples/old-assyrian-pairs.tsv",
    "assets/signs/readings.tsv",
    "assets/geometry/byte-points-hard.safetensors",
    "assets/geometry/sign-points.safetensors",
];

/// Reloads the page when the server says so; a file, since the page's policy lets nothing inline run.
const RELOAD: &str = "new EventSource(\"/--reload\").onmessage = () => location.reload();";
const RELOAD_FILE: &str = "reload.js";

/// Which build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Build {
    /// Small and fast, slowly built.
    pub release: bool,
    /// Reloads the page after each edit, and therefore without service worker.
    pub live: bool,
}

impl Build {
    /// Reads `--release`.
    pub fn from_arguments(arguments: &[&str]) -> Self {
        Self { release: arguments.contains(&"--release"), live: false }
    }

    /// Name of its folders.
    pub fn name(self) -> &'static str {
        if self.release { "release" } else { "quick" }
    }
}

/// Builds everything.
pub fn build(build: Build) -> Outcome<PathBuf> {
    let page = page(build)?;
    let engine = engine(build)?;
    assemble(build, &page, &engine)
}

/// Puts the parts together in a new folder, then swaps it in, so that a page is never served half old and half new.
pub fn assemble(build: Build, page: &Path, engine: &Engine) -> Outcome<PathBuf> {
    let dist = places::dist();
    let (new, old) = (dist.with_extension("new"), dist.with_extension("old"));
    for leftover in [&new, &old] {
        if leftover.exists() {
            fs::remove_dir_all(leftover).map_err(file_error("remove", leftover))?;
        }
    }
    let project = places::project();
    copy_folder(page, &new)?;
    copy_folder(&project.join("public"), &new)?;
    copy_folder(&project.join("assets/fonts"), &new.join("fonts"))?;
    copy_folder(&project.join("assets/hierarchy"), &new.join("hierarchy"))?;
    copy_folder(&project.join("models"), &new.join("models"))?;
    for asset in FETCHED {
        copy_file(&project.join(asset), &new.join("assets"))?;
    }
    copy_folder(&engine.folder, &new)?;
    let note = new.join("source");
    fs::remove_file(&note).map_err(file_error("remove", &note))?;
    fill_index(build, &new.join("index.html"), &engine.script)?;
    precache::write(&new)?;
    if dist.exists() {
        fs::rename(&dist, &old).map_err(file_error("set aside", &dist))?;
    }
    fs::rename(&new, &dist).map_err(file_error("rename", &new))?;
    if old.exists() {
        fs::remove_dir_all(&old).map_err(file_error("remove", &old))?;
    }
    Ok(dist)
}

fn fill_index(build: Build, index: &Path, script: &str) -> Outcome<()> {
    let mut text = fs::read_to_string(index).map_err(file_error("read", index))?;
    for wanted in [ENGINE_META, SERVICE_WORKER_META] {
        if !text.contains(wanted) {
            return Err(format!("index.html lacks {wanted}>, which the build fills in"));
        }
    }
    text = text.replace(ENGINE_META, &ENGINE_META.replace("content=\"\"", &format!("content=\"{script}\"")));
    if build.live {
        text = text.replace(SERVICE_WORKER_META, &SERVICE_WORKER_META.replace("service-worker.js", ""));
        text = text.replace("</body>", &format!("<script src=\"{RELOAD_FILE}\"></script></body>"));
        let file = index.with_file_name(RELOAD_FILE);
        fs::write(&file, RELOAD).map_err(file_error("write", &file))?;
    }
    fs::write(index, text).map_err(file_error("write", index))
}

/// Copies a file into a folder.
fn copy_file(file: &Path, folder: &Path) -> Outcome<()> {
    fs::create_dir_all(folder).map_err(file_error("create", folder))?;
    let target = folder.join(file.file_name().unwrap_or_default());
    fs::copy(file, &target).map(|_| ()).map_err(file_error("copy", file))
}

/// Copies a folder. A missing one is an empty one.
fn copy_folder(from: &Path, to: &Path) -> Outcome<()> {
    for file in watch::files(&[from.to_path_buf()]) {
        let target = to.join(file.strip_prefix(from).unwrap_or(&file));
        let folder = target.parent().unwrap_or(to);
        fs::create_dir_all(folder).map_err(file_error("create", folder))?;
        fs::copy(&file, &target).map_err(file_error("copy", &file))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_has_what_is_filled_in() {
        let folder = std::env::temp_dir().join(format!("tuppum-index-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let index = folder.join("index.html");
        fs::copy(places::project().join("index.html"), &index).unwrap();
        fill_index(Build { release: false, live: true }, &index, "engine-0.js").unwrap();
        let text = fs::read_to_string(&index).unwrap();
        let reload = fs::read_to_string(folder.join(RELOAD_FILE)).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        assert!(text.contains("content=\"engine-0.js\"") && text.contains(RELOAD_FILE) && reload.contains("/--reload"));
        assert!(text.contains("<meta name=\"tuppum-service-worker\" content=\"\""));
    }
}
