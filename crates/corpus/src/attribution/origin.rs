//! Known origin of an edited text.

use crate::attested::TextRecord;
use crate::counts::period;
use tuppum_text::signs::Period;

/// Kind of origin to guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Period, one of those that the corpora are counted by.
    Period,
    /// Oracc's project or CDLI's period.
    Project,
}

impl Origin {
    /// Returns the origin of a text; `None` for the user's own texts.
    pub fn of(self, text: &TextRecord) -> Option<&str> {
        if text.own { None } else { self.of_project(&text.project, &text.language) }
    }

    /// Returns the origin of a text in this project and language; `None` if it has no period known here, or no project.
    pub fn of_project<'p>(self, project: &'p str, language: &str) -> Option<&'p str> {
        match self {
            Self::Period => period(project, language).map(Period::name),
            // CDLI marks an uncertain period with a question mark.
            Self::Project => Some(project.trim_end_matches([' ', '?'])).filter(|project| !project.is_empty()),
        }
    }
}
