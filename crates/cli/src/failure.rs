//! The error with which a command ends: an error of the library, or a sentence of its own. It becomes text once, in
//! `main`.

use std::error::Error;
use std::fmt::Display;
use std::path::Path;

/// Any error, for the user of the program.
pub type Failure = Box<dyn Error + Send + Sync>;

/// Result of a function of the command line.
pub type Result<T, E = Failure> = std::result::Result<T, E>;

/// Adds the path concerned to an error.
pub trait About<T> {
    /// Returns "PATH: ERROR".
    ///
    /// # Errors
    /// The error with its path.
    fn at(self, path: &Path) -> Result<T>;

    /// Returns "PATH cannot BE DONE: ERROR".
    ///
    /// # Errors
    /// The error with its path and what was tried.
    fn cannot(self, be_done: &str, path: &Path) -> Result<T>;
}

/// Returns "PATH: PROBLEM".
pub fn at(path: &Path, problem: impl Display) -> Failure {
    format!("{}: {problem}", path.display()).into()
}

/// Returns "ERROR. HINTS".
pub fn advised(error: impl Display, hints: &[String]) -> Failure {
    format!("{error}. {}", hints.join(" ")).trim_end().into()
}

impl<T, E: Display> About<T> for Result<T, E> {
    fn at(self, path: &Path) -> Result<T> {
        self.map_err(|error| at(path, error))
    }

    fn cannot(self, be_done: &str, path: &Path) -> Result<T> {
        self.map_err(|error| format!("{} cannot {be_done}: {error}", path.display()).into())
    }
}
