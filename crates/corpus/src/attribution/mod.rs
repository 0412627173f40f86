//! Guesses the period and project of a text by a vote of the edited texts that share most with it.
//!
//! Logograms are compared by sign, not by reading: editors and corpora differ in how they read the same sign, and a
//! reading would reveal the corpus rather than the text.

mod groups;
mod measure;
mod nearest;
mod vote;

pub use measure::{Measured, OriginScores, fit};
pub use nearest::{Origin, SimilarText, nearest};
pub use vote::Voting;

use crate::attested::{AttestedTexts, TextNumber, asked, written_signs};
use tuppum_domain::attested::Attribution;
use tuppum_domain::restoration::texts::Text;

/// Minimum number of known signs for an attribution.
const MIN_KNOWN_SIGNS: usize = 3;
/// Number of texts given as reasons.
const MAX_REASONS: usize = 5;

/// Attributes a text to periods and projects, without the vote of `except`. The answer has no origins if too few signs
/// are known.
pub fn attribute(corpus: &AttestedTexts, text: &Text, except: Option<TextNumber>) -> Attribution {
    let signs: Vec<_> = text.lines.iter().flat_map(|line| asked(line, corpus.readings())).collect();
    let known = nearest::known(signs.iter().copied());
    if known < MIN_KNOWN_SIGNS {
        return Attribution { signs: known, ..Attribution::default() };
    }
    let [periods, projects] = [Origin::Period, Origin::Project].map(|origin| (origin, Voting::shipped(origin)));
    let voters = periods.1.voters.max(projects.1.voters).max(MAX_REASONS);
    let groups = groups::shared_groups(corpus, &signs);
    let found = nearest::nearest_by(corpus, (&signs, &groups), voters, except);
    let written = written_signs(text);
    let write = |place: usize, length: usize| {
        let signs = written.iter().skip(place).take(length);
        signs.flat_map(|sign| [sign.joiner.as_str(), sign.reading.as_str()]).collect::<String>().trim_start().to_owned()
    };
    let [periods, projects] = [periods, projects].map(|(origin, voting)| voting.likely(corpus, origin, &found, known));
    let reasons = found.get(..MAX_REASONS).unwrap_or(&found);
    Attribution { signs: known, periods, projects, nearest: nearest::reasons(corpus, groups, reasons, write) }
}

#[cfg(test)]
mod tests;
