//! Builds a lexicon, row by row.

use super::glossary::Glossary;
use super::lexicon_file::LexiconRow;
use crate::attested::{TooLarge, push_number};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use tuppum_text::{Convention, Document, ReadingOptions};

/// Largest number of readings that a pack can number.
const MAX_READINGS: usize = 16_000;

/// Lemma, guide word and part of speech.
type Lemma = [String; 3];

/// Spelling as numbers of readings, and its lemmata with their counts.
type NumberedSpelling = (Vec<u16>, Vec<(usize, u32)>);

/// Gathers rows into a lexicon, which does not depend on their order.
#[derive(Clone, Debug, Default)]
pub struct GlossaryBuilder {
    /// Lemmata of each spelling (a list of readings), with their counts.
    spellings: BTreeMap<Vec<String>, BTreeMap<Lemma, u32>>,
    left_out: usize,
}

impl GlossaryBuilder {
    /// Adds a row. Its spelling is read as a transliteration in Oracc's convention; a row is left out unless its
    /// spelling is a single word of legible signs.
    pub fn add(&mut self, row: &LexiconRow) {
        let Some(readings) = readings(row.spelling) else {
            self.left_out += 1;
            return;
        };
        // Oracc numbers names (`1`) to tell equal ones apart, which means nothing to a reader.
        let is_number = row.guide_word.chars().all(|letter| letter.is_ascii_digit());
        let guide_word = if is_number { "" } else { row.guide_word };
        let lemma = [row.lemma, guide_word, row.part_of_speech].map(|cell| cell.replace(['\t', '\n'], " "));
        let count = self.spellings.entry(readings).or_default().entry(lemma).or_default();
        *count = count.saturating_add(row.count);
    }

    /// Returns the number of rows left out.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// Builds the lexicon. Lemmata and readings are numbered by frequency.
    ///
    /// # Errors
    /// Fails if there are more readings than numbers for them.
    pub fn build(self) -> Result<Glossary, TooLarge> {
        let lemmas = self.spellings.values().flatten().map(|(lemma, count)| (lemma, u64::from(*count)));
        let (lemmas, lemma_numbers) = ranked(lemmas);
        let readings = self.spellings.keys().flatten().map(|reading| (reading, 1));
        let (readings, reading_numbers) = ranked(readings);
        if readings.len() > MAX_READINGS {
            return Err(TooLarge { what: "readings", most: MAX_READINGS });
        }
        let lines: String = lemmas.iter().map(|lemma| lemma.join("\t") + "\n").collect();
        let mut numbered: Vec<NumberedSpelling> = Vec::with_capacity(self.spellings.len());
        for (readings, lemmas) in &self.spellings {
            let signs = readings.iter().map(|reading| reading_numbers[reading] as u16).collect();
            let mut lemmas: Vec<(usize, u32)> =
                lemmas.iter().map(|(lemma, count)| (lemma_numbers[lemma], *count)).collect();
            lemmas.sort_by_key(|(lemma, count)| (Reverse(*count), *lemma));
            numbered.push((signs, lemmas));
        }
        numbered.sort();
        let mut glosses = Vec::new();
        let mut built = Glossary::of_lemmas(lines, readings.into_iter().cloned().collect());
        for (signs, lemmas) in numbered {
            built.push_spelling(&signs, glosses.len() as u32);
            push_number(&mut glosses, lemmas.len());
            for (lemma, count) in lemmas {
                push_number(&mut glosses, lemma);
                push_number(&mut glosses, count as usize);
            }
        }
        built.glosses = glosses;
        Ok(built)
    }
}

/// Sorts things by frequency, then by name; returns them with the place of each.
fn ranked<'a, T: Ord + std::hash::Hash>(
    things: impl Iterator<Item = (&'a T, u64)>,
) -> (Vec<&'a T>, HashMap<&'a T, usize>) {
    let mut counts: BTreeMap<&T, u64> = BTreeMap::new();
    for (thing, count) in things {
        *counts.entry(thing).or_default() += count;
    }
    let mut order: Vec<(&T, u64)> = counts.into_iter().collect();
    order.sort_by_key(|(_, count)| Reverse(*count));
    let order: Vec<&T> = order.into_iter().map(|(thing, _)| thing).collect();
    let places = order.iter().enumerate().map(|(place, thing)| (*thing, place)).collect();
    (order, places)
}

/// Returns the readings of a word; `None` unless it is a single word of legible signs.
fn readings(spelling: &str) -> Option<Vec<String>> {
    let options = ReadingOptions { bare_numbers_are_numerals: true, convention: Some(Convention::Oracc) };
    let document = Document::read_with(spelling, &options);
    let is_one_word = document.signs().skip(1).all(|sign| !sign.starts_word());
    let readings: Vec<String> =
        document.signs().map(|sign| sign.reading().map(str::to_owned)).collect::<Option<_>>()?;
    (is_one_word && !readings.is_empty()).then_some(readings)
}
