//! Temporary folders for tests.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Number of the next folder of this process.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// An empty folder for one test, deleted when it goes out of scope.
#[derive(Debug)]
pub struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    /// Makes an empty folder whose path holds `name`.
    ///
    /// # Panics
    /// The system's folder for temporary files cannot be written.
    #[must_use]
    pub fn new(name: &str) -> Self {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("tuppum-{name}-{}-{number}", std::process::id()));
        if let Err(error) = std::fs::create_dir_all(&path) {
            panic!("cannot make {}: {error}", path.display());
        }
        Self(path)
    }
}

impl Deref for TemporaryFolder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl AsRef<Path> for TemporaryFolder {
    fn as_ref(&self) -> &Path {
        &self.0
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // A folder that cannot be removed is left to the system.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::TemporaryFolder;

    #[test]
    fn folders_are_apart_and_vanish() {
        let (one, two) = (TemporaryFolder::new("same"), TemporaryFolder::new("same"));
        assert!(one.is_dir() && two.is_dir() && *one != *two);
        let path = one.to_path_buf();
        drop(one);
        assert!(!path.exists() && two.is_dir());
    }
}
