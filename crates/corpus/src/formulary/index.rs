//! Finds spellings of one or more words by sound or by sign; each has a number.

use super::word::PassageWord;
use std::collections::HashMap;

/// Numbers of spellings by sounds and by signs.
#[derive(Clone, Debug, Default)]
pub(super) struct SpellingIndex {
    by_sounds: HashMap<String, Vec<u32>>,
    by_signs: HashMap<String, Vec<u32>>,
    longest: usize,
}

impl SpellingIndex {
    /// Adds a spelling.
    pub fn add(&mut self, words: &[PassageWord], number: u32) {
        let (sounds, signs) = keys(words);
        for (map, key) in [(&mut self.by_sounds, sounds), (&mut self.by_signs, signs)] {
            let numbers = map.entry(key).or_default();
            if !numbers.contains(&number) {
                numbers.push(number);
            }
        }
        self.longest = self.longest.max(words.len());
    }

    /// Returns the numbers of the spellings that sound like these words.
    pub fn sounding_like(&self, words: &[PassageWord]) -> &[u32] {
        self.by_sounds.get(&keys(words).0).map_or(&[], Vec::as_slice)
    }

    /// Returns the numbers of the spellings that sound like these words, or if there are none, of those with the same
    /// signs.
    pub fn numbers(&self, words: &[PassageWord]) -> &[u32] {
        if words.iter().any(|word| !word.is_legible()) {
            return &[];
        }
        let (sounds, signs) = keys(words);
        self.by_sounds.get(&sounds).or_else(|| self.by_signs.get(&signs)).map_or(&[], Vec::as_slice)
    }

    /// Returns the length and number of all spellings at the beginning of these words.
    pub fn at_beginning(&self, words: &[PassageWord]) -> Vec<(usize, u32)> {
        let lengths = 1..=self.longest.min(words.len());
        let found = lengths.flat_map(|length| {
            let numbers = words.get(..length).map_or(&[][..], |words| self.numbers(words));
            numbers.iter().map(move |number| (length, *number))
        });
        found.collect()
    }
}

/// Returns the keys by which words are compared: sounds and signs.
fn keys(words: &[PassageWord]) -> (String, String) {
    let join = |part: fn(&PassageWord) -> &str| words.iter().map(part).collect::<Vec<_>>().join("  ");
    (join(|word| &word.sounds), join(|word| &word.signs))
}
