//! Names and numbers of a passage in the place of those of the edited one, in its published translation.
//!
//! A word of the passage takes the place of another where both stand beside a word that both sources have, where the
//! translation renders the other once, and where it is known how either is rendered. Everything else stays as it was
//! published.

mod names;
mod numbers;
mod slots;

use super::pairs::TranslationMemory;
use names::Names;
use numbers::{exchanged, numeral};
use slots::slots;
use std::ops::Range;
use tuppum_tasks::attested::CarriedOver;

impl TranslationMemory {
    /// The names and numbers of a passage that take the place of others in the translation of a run of pairs, in the
    /// order of their places, which do not overlap. Pairs in `except` are not asked how a name is rendered.
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
