//! Ranks the nearest sources by how well their translation serves a passage.

use super::words::{English, Looked, Words, spellings};
use std::collections::HashSet;
use std::ops::Range;

/// Weights of similarity by signs, similarity by letters, words rendered and words shared.
const EVIDENCE_WEIGHTS: [f32; 4] = [26.1, 20.2, 24.3, 16.1];
/// Penalty for several runs instead of one for the whole passage.
const PARTS_PENALTY: f32 = 5.9;

/// Evidence for a run of pairs, or for several together; each value from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunEvidence {
    /// Similarity by signs.
    pub signs: f32,
    /// Similarity by letters.
    pub letters: f32,
    /// Share of the passage's words that the translation renders, weighted by rarity.
    pub rendered: f32,
    /// Words that both sources have, as a share of the words of either, weighted by rarity.
    pub shared: f32,
    /// Number of runs.
    pub runs: usize,
}

impl RunEvidence {
    /// Returns the score of the evidence: a weighted sum. The weights were fitted on remembered pairs, each as if its
    /// text were not remembered.
    pub fn worth(&self) -> f32 {
        let values = [self.signs, self.letters, self.rendered, self.shared];
        let sum: f32 = EVIDENCE_WEIGHTS.iter().zip(values).map(|(weight, value)| weight * value).sum();
        if self.runs > 1 { sum - PARTS_PENALTY } else { sum }
    }
}

/// Words of a passage, ready for comparison with runs of pairs.
pub(super) struct AskedWords<'a> {
    words: &'a Words,
    looked: Vec<Looked>,
    spellings: HashSet<String>,
    /// Sum of the words' weights.
    weight: f32,
}

impl<'a> AskedWords<'a> {
    /// Looks a passage up in all pairs except those of one text.
    pub fn new(words: &'a Words, passage: &str, except: &Range<usize>) -> Self {
        let looked = words.look_up(passage, except);
        let spellings = looked.iter().map(|word| word.spelling.clone()).collect();
        let weight = looked.iter().map(|word| word.weight).sum();
        Self { words, looked, spellings, weight }
    }

    /// Collects the evidence for runs of pairs with this joint source and these similarities.
    pub fn evidence(&self, runs: &[Range<usize>], source: &str, signs: f32, letters: f32) -> RunEvidence {
        let pairs = runs.iter().cloned().flatten();
        let english: HashSet<English> = pairs.flat_map(|pair| self.words.english_of(pair)).copied().collect();
        RunEvidence { signs, letters, rendered: self.rendered(&english), shared: self.shared(source), runs: runs.len() }
    }

    /// Returns the share of the passage's words that these English words render.
    fn rendered(&self, english: &HashSet<English>) -> f32 {
        let of_word = |word: &Looked| {
            let there = word.english.iter().filter(|(own, _)| english.contains(own));
            word.weight * there.map(|(_, share)| share).sum::<f32>().min(1.0)
        };
        ratio(self.looked.iter().map(of_word).sum(), self.weight)
    }

    /// Returns the words that both sources have, as the harmonic mean of their shares in either.
    fn shared(&self, source: &str) -> f32 {
        let (mut all, mut both) = (0.0, 0.0);
        let mut own = HashSet::new();
        for word in spellings(source) {
            let weight = self.words.weight(word);
            all += weight;
            if self.spellings.contains(word) {
                both += weight;
            }
            own.insert(word);
        }
        let there = self.looked.iter().filter(|word| own.contains(word.spelling.as_str()));
        harmonic(ratio(both, all), ratio(there.map(|word| word.weight).sum(), self.weight))
    }
}

fn ratio(part: f32, all: f32) -> f32 {
    if all > 0.0 { part / all } else { 0.0 }
}

fn harmonic(one: f32, other: f32) -> f32 {
    ratio(2.0 * one * other, one + other)
}
