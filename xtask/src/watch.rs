//! Which files there are and when they last changed.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// All files under these files and folders, in order. Hidden files are left out.
pub fn files(roots: &[PathBuf]) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for root in roots {
        collect(root, &mut all);
    }
    all.sort();
    all
}

fn collect(path: &Path, all: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(path) else {
        if path.is_file() {
            all.push(path.to_path_buf());
        }
        return;
    };
    for entry in entries.flatten() {
        if !entry.file_name().to_string_lossy().starts_with('.') {
            collect(&entry.path(), all);
        }
    }
}

/// The state of the files: differs after any edit, addition or removal.
pub fn state(roots: &[PathBuf]) -> Vec<(PathBuf, Option<SystemTime>)> {
    let changed = |file: &PathBuf| fs::metadata(file).and_then(|about| about.modified()).ok();
    files(roots).into_iter().map(|file| (file.clone(), changed(&file))).collect()
}
