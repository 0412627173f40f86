//! Agreement of translations with references: BLEU, chrF++ and their geometric mean, equal to sacreBLEU's defaults
//! (Post 2018, "A Call for Clarity in Reporting BLEU Scores"; one reference per sentence).
//!
//! Everything is computed from [`TranslationCounts`] of single sentences, which add up: a corpus is scored by the sum,
//! and the [`bootstrap`] draws sentences without counting again.

pub mod bleu;
pub mod bootstrap;
pub mod chrf;
pub mod faithful;
pub mod likeness;
mod ngrams;
mod tokens;

pub use bleu::BleuCounts;
pub use bootstrap::{Comparison, Interval, SAMPLES, interval, paired};
pub use chrf::ChrfCounts;
pub use faithful::{Agreement, Faithfulness};

use serde::{Deserialize, Serialize};

/// Contribution of one sentence, or of a corpus of them, to the scores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TranslationCounts {
    /// Counts for BLEU.
    pub bleu: BleuCounts,
    /// Counts for chrF++.
    pub chrf: ChrfCounts,
}

/// Scores from 0 to 100.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TranslationScores {
    /// BLEU.
    #[serde(rename = "BLEU")]
    pub bleu: f64,
    /// chrF++.
    #[serde(rename = "chrF++")]
    pub chrf: f64,
    /// The project's measure, √(BLEU · chrF++).
    pub score: f64,
}

impl TranslationCounts {
    /// Counts one sentence against its reference.
    pub fn of(translation: &str, reference: &str) -> Self {
        Self { bleu: BleuCounts::of(translation, reference), chrf: ChrfCounts::of(translation, reference) }
    }

    /// Adds another sentence, or another corpus.
    pub fn add(&mut self, other: &Self) {
        self.bleu.add(&other.bleu);
        self.chrf.add(&other.chrf);
    }

    /// Returns the scores of a corpus; all 0 when it is empty.
    pub fn scores(&self) -> TranslationScores {
        TranslationScores::new(self.bleu.score(), self.chrf.score())
    }

    /// Returns the scores of a single sentence: BLEU with effective order, as sacreBLEU's `sentence_bleu` has it.
    pub fn sentence_scores(&self) -> TranslationScores {
        TranslationScores::new(self.bleu.sentence_score(), self.chrf.score())
    }
}

impl<'a> FromIterator<&'a TranslationCounts> for TranslationCounts {
    fn from_iter<I: IntoIterator<Item = &'a TranslationCounts>>(sentences: I) -> Self {
        let mut sum = Self::default();
        sentences.into_iter().for_each(|sentence| sum.add(sentence));
        sum
    }
}

impl TranslationScores {
    fn new(bleu: f64, chrf: f64) -> Self {
        Self { bleu, chrf, score: (bleu * chrf).sqrt() }
    }
}

#[cfg(test)]
mod tests;
