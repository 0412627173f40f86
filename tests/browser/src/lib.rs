//! A user of the page, simulated: drives the built page in a real browser, Chromium or Firefox, through its driver.
//!
//! `site` serves the built page and can misbehave on demand; `kind` has the start options of the browsers; `driver`
//! starts a driver and speaks WebDriver with it; `bidi` speaks Firefox's WebDriver BiDi, and `control` chooses between
//! it and Chromium's DevTools. `browser` is one browser with a fresh profile, `situation` its scripts, screen and
//! clipboard. `workbench` finds the page's elements as a user does: by roles, labels and visible text; `train_page`
//! does so for the page of training. `engine` uses the worker by messages, `faults` makes it fail by name, `training`
//! and `translation_speed` measure speed, and `soak` goes through all views and measures memory. No test sleeps for
//! luck: every wait polls a condition until a deadline, and a failed test leaves a screenshot, the page's text and the
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

/// Returns the root of the workspace, as cargo reports it at the start, or as it was at compile time.
pub fn workspace() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    PathBuf::from(here).join("../..")
}

/// Returns the folder of the built page: `TUPPUM_DIST`, or `dist/` at the root of the workspace.
///
/// # Panics
/// There is no page; the message says how to build one.
pub fn dist() -> PathBuf {
    let folder = std::env::var_os("TUPPUM_DIST").map_or_else(|| workspace().join("dist"), PathBuf::from);
    assert!(
        folder.join("index.html").is_file(),
        "no built page in {}: run `cargo xtask test`, which builds it, or set TUPPUM_DIST to a folder with index.html",
        folder.display()
    );
    folder
}

/// Returns the paths of all files of the built page, as a browser requests them, without those of the models.
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

/// Returns the folder in which failed tests leave their evidence.
pub fn evidence() -> PathBuf {
    workspace().join("target/browser-tests")
}

/// Returns the folder for browser profiles during a test: the one that `TUPPUM_PROFILES` names, or one beside the
/// evidence. Every test fetches models into a profile, and a folder in memory saves a sixth of its time.
pub fn profiles() -> PathBuf {
    std::env::var_os("TUPPUM_PROFILES").map_or_else(evidence, PathBuf::from)
}
