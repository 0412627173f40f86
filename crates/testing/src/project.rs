//! Paths in the project, whichever of its packages a test runs in.

use std::path::{Path, PathBuf};

/// Returns a path in the project's top folder, where `models`, `assets` and `tests/golden` are.
///
/// Cargo reports the folder of the tested package at run time, which clones with a shared build folder need.
///
/// # Panics
/// The test does not run inside the project.
#[must_use]
#[track_caller]
pub fn project(path: impl AsRef<Path>) -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let Some(top) = Path::new(&here).ancestors().find(|folder| folder.join("ARCHITECTURE.md").is_file()) else {
        panic!("{} is not in the project", Path::new(&here).display());
    };
    top.join(path)
}

#[cfg(test)]
mod tests {
    use super::project;

    #[test]
    fn the_golden_files_are_found() {
        assert!(project("tests/golden/README.md").is_file());
    }
}
