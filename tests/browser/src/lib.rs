//! A person at the page: drives the built workbench in a real browser, Chromium or Firefox, through its driver.
//!
//! `site` serves the built page and can misbehave on demand, `kind` says which browser and how it is started, `driver`
//! starts its driver and speaks WebDriver with it, `bidi` Firefox's second protocol, `control` chooses between that and
//! Chromium's DevTools, `browser` is one browser with a fresh profile, `situation` what it shows a page in, `workbench`
//! knows the page as a user does: by roles, labels and visible text, `train_page` likewise the page of training,
//! `engine` asks the worker by messages, `faults` has it fail by name, `training` measures its runs and
//! `translation_speed` its translator, `soak` goes round all views and measures memory. Nothing here waits for luck:
//! every wait polls a condition until a deadline, and a failed test leaves a screenshot, the page's text and the
//! console under `target/browser-tests/`.

pub mod attention;
pub mod bidi;
pub mod browser;
pub mod control;
pub mod corpora_speed;
pub mod driver;
pub mod engine;
pub mod faults;
pub mod kind;
pub mod peers;
pub mod processor;
pub mod random_translator;
pub mod scripts;
pub mod shards;
pub mod sign_tree;
pub mod site;
pub mod situation;
pub mod soak;
pub mod train_page;
pub mod training;
pub mod translation;
pub mod translation_speed;
pub mod wait;
pub mod workbench;

use std::path::{Path, PathBuf};

/// Root of the workspace, as cargo says it at the start, or as it was when this was compiled.
pub fn workspace() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    PathBuf::from(here).join("../..")
}

/// The built page: `TUPPUM_DIST`, else `dist/` at the root of the workspace.
///
/// # Panics
/// When there is no page, saying how to build one.
pub fn dist() -> PathBuf {
    let folder = std::env::var_os("TUPPUM_DIST").map_or_else(|| workspace().join("dist"), PathBuf::from);
    assert!(
        folder.join("index.html").is_file(),
        "no built page in {}: run `cargo xtask test`, which builds it, or set TUPPUM_DIST to a folder with index.html",
        folder.display()
    );
    folder
}

/// The paths of all files of the built page, as a browser asks for them; those of the models left out.
pub fn files_of_the_page() -> Vec<String> {
    fn collect(folder: &Path, above: &str, all: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = format!("{above}/{}", entry.file_name().to_string_lossy());
            match entry.path().is_dir() {
                true if path == "/models" => {}
                true => collect(&entry.path(), &path, all),
                false => all.push(path),
            }
        }
    }
    let mut all = Vec::new();
    collect(&dist(), "", &mut all);
    all
}

/// Where failed tests leave their evidence.
pub fn evidence() -> PathBuf {
    workspace().join("target/browser-tests")
}

/// Where browsers keep their profiles while a test runs: in the folder that `TUPPUM_PROFILES` names, else beside the
/// evidence. Every test fetches models into one, and a folder in memory saves a sixth of its time.
pub fn profiles() -> PathBuf {
    std::env::var_os("TUPPUM_PROFILES").map_or_else(evidence, PathBuf::from)
}
