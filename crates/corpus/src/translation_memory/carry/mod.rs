//! Replaces names and numbers in the published translation of an edited passage by those of the passage asked about.
//!
//! A word replaces another if both stand beside a word that the two sources share, if the translation renders the other
//! word exactly once, and if the renderings of both are known. Everything else stays as published.

mod names;
mod numbers;
mod slots;

use super::pairs::TranslationMemory;
use names::Names;
use numbers::{exchanged, numeral};
use slots::slots;
use std::ops::Range;
use tuppum_domain::attested::CarriedOver;

impl TranslationMemory {
    /// Returns the replacements of names and numbers in the translation of a run of pairs, sorted by place and not
    /// overlapping. Pairs in `except` do not count as evidence of a name's rendering.
    pub fn carried_over(&self, asked: &str, pairs: Range<usize>, except: Range<usize>) -> Vec<CarriedOver> {
        let (source, translation) = (self.source_of(pairs.clone()), self.translation(pairs));
        let own: Vec<&str> = asked.split_whitespace().collect();
        let their: Vec<&str> = source.split_whitespace().collect();
        let once = |word: &str| match numeral(word) {
            Some(number) => {
                their.iter().filter_map(|word| numeral(word)).filter(|own| own.value == number.value).count()
            }
            None => their.iter().filter(|other| **other == word).count(),
        };
        let (source_of, translation_of) = (|pair| self.source(pair), |pair| self.target(pair));
        let names = Names { words: self.words(), source: &source_of, translation: &translation_of, except };
        let is_word = |word: &str| self.words().number(word).is_some_and(|number| self.words().count(number) > 2);
        let mut found: Vec<CarriedOver> = Vec::new();
        for slot in slots(&own, &their) {
            let (Some(asked), Some(attested)) = (own.get(slot.asked), their.get(slot.attested)) else { continue };
            if once(attested) != 1 {
                continue;
            }
            let exchange = match (numeral(asked), numeral(attested)) {
                (Some(asked), Some(attested)) => exchanged(&translation, attested, asked, is_word),
                _ => names.exchanged(&translation, attested, asked),
            };
            if let Some((place, text)) = exchange {
                found.push(CarriedOver { place, text, asked: (*asked).into(), attested: (*attested).into() });
            }
        }
        found.sort_by_key(|one| (one.place.start, one.place.end));
        found.dedup_by(|next, one| next.place.start < one.place.end);
        found
    }
}

#[cfg(test)]
mod tests;
