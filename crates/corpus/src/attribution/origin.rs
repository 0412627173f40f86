//! What is known of where an edited text is from.

use crate::attested::TextRecord;
use crate::counts::period;
use tuppum_text::signs::Period;

/// What is asked of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Its period, one of those that the corpora are counted by.
    Period,
    /// Its project of Oracc, or CDLI's period.
    Project,
}

impl Origin {
    /// What is known of a text; nothing of the user's own.
    pub fn of(self, text: &TextRecord) -> Option<&str> {
        if text.own { None } else { self.of_project(&text.project, &text.language) }
    }

    /// What is known of a text of a project in a language; `None` where it has no period of ours, or no project.
    pub fn of_project<'p>(self, project: &'p str, language: &str) -> Option<&'p str> {
        match self {
            Self::Period => period(project, language).map(Period::name),
            // CDLI marks a period of which it is not sure.
            Self::Project => Some(project.trim_end_matches([' ', '?'])).filter(|project| !project.is_empty()),
        }
    }
}
