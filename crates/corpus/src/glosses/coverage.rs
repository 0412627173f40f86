//! Measures how many words of a corpus a lexicon glosses and in which way, and how often the first gloss of an unknown
//! spelling would be correct.

use super::glossary::{Found, Glossary, is_numeral};
use crate::signs_row::{CorpusSign, SignsRow};
use std::collections::HashMap;
use tuppum_domain::gloss::SpellingMatch;
use tuppum_text::SignState;

/// Occurrences of the words of a corpus whose signs are all preserved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MeasuredWords {
    preserved: HashMap<Vec<String>, usize>,
    /// Occurrences of words with legible signs, damaged and restored ones included.
    all: HashMap<Vec<String>, usize>,
}

/// Number of words with a gloss.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Words whose signs are all preserved, numerals excepted.
    pub words: usize,
    /// Words that consist of numerals only; not counted in `words`.
    pub numerals: usize,
    /// Number of words found in each way.
    pub found: [usize; SpellingMatch::ALL.len()],
    /// Number of found words with more than one lemma.
    pub ambiguous: usize,
}

impl Coverage {
    /// Returns the number of words with a gloss.
    pub fn glossed(&self) -> usize {
        self.found.iter().sum()
    }
}

impl MeasuredWords {
    /// Adds the words of a line.
    pub fn add(&mut self, row: &SignsRow) {
        for word in row.signs.chunk_by(|_, next| !next.starts_word) {
            if !word.iter().all(|sign| sign.state.is_legible()) {
                continue;
            }
            let readings: Vec<String> = word.iter().map(|sign| sign.reading.to_owned()).collect();
            let is_preserved = |sign: &CorpusSign| sign.state == SignState::Preserved;
            if word.iter().all(is_preserved) {
                *self.preserved.entry(readings.clone()).or_default() += 1;
            }
            *self.all.entry(readings).or_default() += 1;
        }
    }

    /// Counts the words that a lexicon glosses. `own_words` says that the lexicon was made from these words too; a
    /// spelling that it knows from nowhere else then counts as unknown.
    pub fn coverage(&self, glossary: &Glossary, own_words: bool) -> Coverage {
        let mut coverage = Coverage::default();
        for (word, count) in &self.preserved {
            let readings: Vec<&str> = word.iter().map(String::as_str).collect();
            if is_numeral(&readings) {
                coverage.numerals += count;
                continue;
            }
            coverage.words += count;
            let own = self.all.get(word).copied().unwrap_or_default();
            let is_only_here = |number: &usize| {
                let all: u32 = glossary.lemmas_of(*number).map(|(_, count)| count).sum();
                own_words && all as usize <= own
            };
            let except = glossary.number(&readings).filter(is_only_here);
            let Some(Found { spelling, glosses }) = glossary.look_up_but(&readings, except) else { continue };
            coverage.found[spelling.by as usize] += count;
            coverage.ambiguous += if glosses.len() > 1 { *count } else { 0 };
        }
        coverage
    }
}

/// Reliability of one way of finding a spelling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Number of spellings found in this way.
    pub found: usize,
    /// Number of these whose most frequent lemma is the first gloss.
    pub first: usize,
    /// Number of these whose most frequent lemma is among the glosses.
    pub among: usize,
}

/// Looks up every spelling of at most `rarest` words as if the lexicon lacked it, and compares lemmata. Returns the
/// number of these spellings, and the agreement for each way of finding.
pub fn agreement(glossary: &Glossary, rarest: u32) -> (usize, [Agreement; SpellingMatch::ALL.len()]) {
    let (mut asked, mut agreement) = (0, [Agreement::default(); SpellingMatch::ALL.len()]);
    for number in 0..glossary.len() {
        if glossary.lemmas_of(number).map(|(_, count)| count).sum::<u32>() > rarest {
            continue;
        }
        asked += 1;
        let readings: Vec<&str> = glossary.readings_of(number).collect();
        let Some(found) = glossary.look_up_but(&readings, Some(number)) else { continue };
        let Some((own, _)) = glossary.lemmas_of(number).next() else { continue };
        let [lemma, ..] = glossary.lemma(own);
        let tally = &mut agreement[found.spelling.by as usize];
        tally.found += 1;
        tally.first += usize::from(found.glosses.first().is_some_and(|gloss| gloss.lemma == lemma));
        tally.among += usize::from(found.glosses.iter().any(|gloss| gloss.lemma == lemma));
    }
    (asked, agreement)
}
