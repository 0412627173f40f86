//! Settings of the translation, stored between visits.

use crate::restore::state::work::{Accepted, Work};
use serde::{Deserialize, Serialize};
use tuppum_protocol::translation::{Question, Scope};

/// Maximum number of beginnings followed at a time by the beam search.
pub const MAX_BEAMS: usize = 20;
/// Maximum number of translations of a passage.
pub const MAX_ANSWERS: usize = 10;
/// Smallest and largest value of the maximum length of a translation, in bytes.
pub const BYTE_LIMITS: (usize, usize) = (8, 2_048);
/// Maximum number of cores that translate side by side.
pub const MAX_CORES: usize = 4;
/// Largest power of the length in the ranking.
pub const MAX_LENGTH_PENALTY: f32 = 3.0;

/// Part of the text to translate, and the unit of translation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Extent {
    /// Every line on its own.
    #[default]
    Lines,
    /// The whole text, in blocks of as many lines as the translator was trained to read.
    Whole,
    /// Only the line with the chosen sign.
    Line,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    pub extent: Extent,
    /// Number of beginnings followed at a time by the beam search.
    pub beams: usize,
    /// Number of translations of each passage.
    pub answers: usize,
    /// Maximum length of a translation, in bytes.
    pub longest: usize,
    /// Power `p` of the length in the ranking: translations are ranked by the logarithm of their probability divided by
    /// lengthᵖ.
    pub length_penalty: f32,
    /// `true` to use the hyperbolic bias, if the model has one.
    pub bias: bool,
    /// `true` to translate accepted restorations as if they were read on the tablet.
    pub restored: bool,
    /// Number of cores that may translate side by side on the CPU.
    pub cores: usize,
}

impl Default for Settings {
    fn default() -> Self {
        let Question { beams, length_penalty, answers, longest, bias, .. } = Question::about("");
        Self { extent: Extent::Lines, beams, answers, longest, length_penalty, bias, restored: true, cores: MAX_CORES }
    }
}

impl Settings {
    /// Returns the settings clamped to what the engine supports; stored or typed values may be anything.
    pub fn in_range(mut self) -> Self {
        self.beams = self.beams.clamp(1, MAX_BEAMS);
        self.answers = self.answers.clamp(1, MAX_ANSWERS.min(self.beams));
        self.cores = self.cores.clamp(1, MAX_CORES);
        self.longest = self.longest.clamp(BYTE_LIMITS.0, BYTE_LIMITS.1);
        let penalty = if self.length_penalty.is_finite() { self.length_penalty } else { 1.0 };
        self.length_penalty = penalty.clamp(0.0, MAX_LENGTH_PENALTY);
        self
    }

    /// Returns the unit of translation.
    pub fn scope(&self) -> Scope {
        if self.extent == Extent::Whole { Scope::Whole } else { Scope::Lines }
    }

    /// Returns the question about a work; `line` is the number of the chosen line in the document.
    pub fn question(&self, work: &Work, line: Option<usize>) -> Question {
        let settings = self.clone().in_range();
        let filled = work.accepted.iter().map(Accepted::filled);
        Question {
            text: work.text.clone(),
            reading: work.reading,
            filled: if settings.restored { filled.collect() } else { Vec::new() },
            scope: settings.scope(),
            only: (settings.extent == Extent::Line).then(|| line.into_iter().collect()),
            beams: settings.beams,
            length_penalty: settings.length_penalty,
            answers: settings.answers,
            longest: settings.longest,
            bias: settings.bias,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::restore::state::work::AcceptedReading;

    #[test]
    fn the_question_has_the_defaults_of_the_design() {
        assert_eq!(Settings::default().question(&Work::on("a-na"), None), Question::about("a-na"));
    }

    #[test]
    fn restorations_are_fed_in_unless_they_are_turned_off() {
        let mut work = Work::on("a-na x");
        let reading = AcceptedReading {
            reading: "šar".into(),
            written: "szar".into(),
            glyph: String::new(),
            starts_word: true,
            probability: 0.4,
        };
        work.accept(Accepted { sign: 2, readings: vec![reading], model: None });
        let mut settings = Settings::default();
        assert_eq!(settings.question(&work, None).filled[0].readings, [("šar".to_string(), true)]);
        settings.restored = false;
        assert!(settings.question(&work, None).filled.is_empty());
    }

    #[test]
    fn the_chosen_line_alone_is_asked_for() {
        let settings = Settings { extent: Extent::Line, ..Settings::default() };
        assert_eq!(settings.question(&Work::on("a\nna"), Some(1)).only, Some(vec![1]));
        assert_eq!(settings.question(&Work::on("a\nna"), None).only, Some(Vec::new()), "nothing rather than all");
    }

    #[test]
    fn anything_kept_comes_into_range() {
        let wild = Settings { beams: 0, answers: 99, longest: 1, length_penalty: f32::NAN, ..Settings::default() };
        let tame = wild.in_range();
        assert_eq!((tame.beams, tame.answers, tame.longest, tame.length_penalty), (1, 1, BYTE_LIMITS.0, 1.0));
        let old: Settings = serde_json::from_str("{}").unwrap();
        assert_eq!(old, Settings::default());
    }
}
