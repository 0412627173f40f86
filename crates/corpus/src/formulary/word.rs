//! Words of a passage, with the keys by which they are compared, and an index of spellings by these keys.

use crate::attested::joiner;
use crate::glosses::Forms;
use crate::signs_row::SignsRow;
use std::collections::HashMap;
use tuppum_text::signs::fold;
use tuppum_text::{Document, LineKind, Sign, Span};

/// Stand-in for a sign that cannot be read.
const ILLEGIBLE: &str = "x";
/// Stand-in for a break.
const BREAK: &str = "...";

/// A word of a passage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassageWord {
    /// Canonical transliteration.
    pub written: String,
    /// Place in the source; empty if there is none.
    pub span: Span,
    /// Readings; empty if one of them cannot be read.
    pub(super) readings: Vec<String>,
    /// Sounds: small letters without index and determinatives.
    pub(super) sounds: String,
    /// Signs, each with its sound (voiced and voiceless consonants alike), without determinatives.
    pub(super) signs: String,
}

impl PassageWord {
    /// Creates a word from its readings.
    fn new(written: String, span: Span, readings: Option<Vec<String>>) -> Self {
        let readings = readings.unwrap_or_default();
        let is_legible = readings.iter().all(|reading| reading != ILLEGIBLE && reading != BREAK);
        let readings = if is_legible { readings } else { Vec::new() };
        let spoken: Vec<&String> = readings.iter().filter(|reading| !reading.starts_with('{')).collect();
        let signs: Vec<String> = spoken.iter().map(|reading| Forms::of(reading).sign).collect();
        Self { written, span, sounds: sounds(&spoken), signs: signs.join(" "), readings }
    }

    /// Splits canonical transliteration into words at white space, and words into readings at hyphens, full stops and
    /// determinatives.
    pub fn all_of(text: &str) -> Vec<Self> {
        text.split_whitespace().map(|word| Self::new(word.to_owned(), Span::new(0, 0), Some(readings(word)))).collect()
    }

    /// Returns the words of all lines of transliteration as one sequence, since clauses run across line ends.
    pub fn all_in(document: &Document) -> Vec<Self> {
        let lines = document.lines.iter().filter(|line| line.kind == LineKind::Text);
        let words = lines.flat_map(|line| line.signs.chunk_by(|_, next| !next.starts_word()));
        words.map(|word| Self::of_signs(word, &document.source)).collect()
    }

    fn of_signs(word: &[Sign], source: &str) -> Self {
        let (start, end) =
            (word.first().map_or(0, |sign| sign.span.start), word.last().map_or(0, |sign| sign.span.end));
        let known: Option<Vec<String>> = word.iter().map(|sign| sign.reading().map(str::to_owned)).collect();
        let shown: Vec<&str> = word.iter().map(|sign| sign.reading().unwrap_or_else(|| sign.span.of(source))).collect();
        Self::new(joined(&shown), Span::new(start, end), known)
    }

    /// Returns the words of a line of a corpus.
    pub fn all_of_row(row: &SignsRow) -> Vec<Self> {
        let word = |signs: &[&str]| {
            let readings = signs.iter().map(|sign| (*sign).to_owned()).collect();
            Self::new(joined(signs), Span::new(0, 0), Some(readings))
        };
        let words = row.signs.chunk_by(|_, next| !next.starts_word);
        words.map(|signs| word(&signs.iter().map(|sign| sign.reading).collect::<Vec<_>>())).collect()
    }

    /// Returns `true` if every sign of the word can be read.
    pub fn is_legible(&self) -> bool {
        !self.readings.is_empty()
    }

    /// Returns the word without its last signs if these sound like `ending` and a stem is left.
    pub(super) fn without(&self, ending: &Self) -> Option<Self> {
        let rest = self.readings.len().checked_sub(ending.readings.len()).filter(|rest| *rest > 0)?;
        let (stem, end) = self.readings.split_at(rest);
        let is_same = sounds(&end.iter().collect::<Vec<_>>()) == ending.sounds;
        let stem: Vec<&str> = stem.iter().map(String::as_str).collect();
        is_same.then(|| Self::new(joined(&stem), self.span, Some(stem.iter().map(|sign| (*sign).to_owned()).collect())))
    }
}

/// Returns the sounds of readings as one text. Double consonants stay double: `AN-NA` is tin, and `a-na` is "to".
fn sounds(readings: &[&String]) -> String {
    // A digit written with wedges equals a plain one.
    let plain = readings.iter().map(|reading| reading.strip_suffix("(diš)").unwrap_or(reading));
    let letters = plain.flat_map(|reading| fold(reading).chars().collect::<Vec<_>>());
    letters.filter(|letter| !matches!(letter, '₀'..='₉' | 'ₓ')).collect()
}

/// Splits a word in canonical transliteration into readings.
fn readings(word: &str) -> Vec<String> {
    let apart = word.replace('{', "-{").replace('}', "}-");
    apart.split(['-', '.']).filter(|reading| !reading.is_empty()).map(str::to_owned).collect()
}

/// Joins signs into a word in canonical transliteration.
fn joined(signs: &[&str]) -> String {
    let mut word = String::new();
    let mut previous = None;
    for sign in signs {
        word.push_str(joiner(previous, sign, false));
        word.push_str(sign);
        previous = Some(*sign);
    }
    word
}

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
