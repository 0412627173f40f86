//! Finding, reading and writing files, with errors that name them.

use crate::run::{Outcome, file_error};
use std::fs;
use std::path::{Path, PathBuf};

/// All files under a folder, in order. Hidden files are left out.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    collect(folder, &mut all);
    all.sort();
    all
}

fn collect(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        if path.is_dir() {
            collect(&path, all);
        } else {
            all.push(path);
        }
    }
}

/// Reads a file.
pub fn read(file: &Path) -> Outcome<Vec<u8>> {
    fs::read(file).map_err(file_error("read", file))
}

/// Reads a file of text.
pub fn read_text(file: &Path) -> Outcome<String> {
    fs::read_to_string(file).map_err(file_error("read", file))
}

/// Writes a file.
pub fn write(file: &Path, content: impl AsRef<[u8]>) -> Outcome<()> {
    fs::write(file, content).map_err(file_error("write", file))
}

/// Makes a folder anew: empty, with the folders above it.
pub fn new_folder(folder: &Path) -> Outcome<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(file_error("remove", folder))?;
    }
    fs::create_dir_all(folder).map_err(file_error("create", folder))
}

/// Makes a folder, with the folders above it, unless it is there.
pub fn folder(folder: &Path) -> Outcome<()> {
    fs::create_dir_all(folder).map_err(file_error("create", folder))
}

/// Copies every file of a folder into another.
pub fn copy_all(from: &Path, to: &Path) -> Outcome<()> {
    for file in files(from) {
        let target = to.join(file.strip_prefix(from).unwrap_or(&file));
        let folder = target.parent().unwrap_or(to);
        fs::create_dir_all(folder).map_err(file_error("create", folder))?;
        fs::copy(&file, &target).map_err(file_error("copy", &file))?;
    }
    Ok(())
}
