//! A section of a document that a command replaces: the text between two lines of comment.

use std::path::PathBuf;
use tuppum_cli::failure::{About, Result};

const END: &str = "<!-- end -->";

/// The section of a document in which a command writes its tables.
#[derive(Debug)]
pub struct DocumentSection {
    document: Option<PathBuf>,
    begin: String,
}

impl DocumentSection {
    /// Finds the section of `tuppum-lab hybonet COMMAND` in a document; without a document the section goes to the
    /// standard output. The document is checked before the command spends minutes on the section's content.
    ///
    /// # Errors
    /// The document cannot be read, or lacks the two lines.
    pub fn of(document: Option<&PathBuf>, command: &str) -> Result<Self> {
        let begin = format!("<!-- written by `tuppum-lab hybonet {command}`: begin -->");
        let place = Self { document: document.cloned(), begin };
        place.around().map(|_| place)
    }

    /// Returns the document before and after the section, as it is now: it may have changed since.
    fn around(&self) -> Result<[String; 2]> {
        let Some(path) = &self.document else { return Ok(Default::default()) };
        let text = std::fs::read_to_string(path).at(path)?;
        let begin = &self.begin;
        let (before, rest) =
            text.split_once(begin.as_str()).ok_or_else(|| format!("the document must have the line {begin:?}"))?;
        let (_, after) =
            rest.split_once(END).ok_or_else(|| format!("the document must have the line {END:?} after {begin:?}"))?;
        Ok([before.to_owned(), after.to_owned()])
    }

    /// Writes the section.
    ///
    /// # Errors
    /// The document cannot be written, or has lost the two lines.
    pub fn fill(&self, written: &str) -> Result<()> {
        let [before, after] = self.around()?;
        match &self.document {
            Some(path) => std::fs::write(path, format!("{before}{}\n\n{written}\n{END}{after}", self.begin)).at(path),
            None => tuppum_cli::terminal::print(written),
        }
    }
}
