//! Reads the project's sources, for tests of how they are written.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use tuppum_testing::project;

/// Folders with the project's own sources.
pub const FOLDERS: [&str; 6] = ["src", "crates", "patches", "python", "xtask", "tests"];

/// Returns every Rust file under `folder`: its path from the project's top folder, and its text.
pub fn read(folder: &str) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    collect(&project(folder), folder, &mut files);
    files
}

fn collect(folder: &Path, name: &str, files: &mut BTreeMap<String, String>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("cannot list {name}: {error}"));
    for entry in entries {
        let entry = entry.unwrap_or_else(|error| panic!("cannot list {name}: {error}"));
        let (path, file) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        let name = format!("{name}/{file}");
        if path.is_dir() && file != "target" {
            collect(&path, &name, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("cannot read {name}: {error}"));
            files.insert(name, text);
        }
    }
}
