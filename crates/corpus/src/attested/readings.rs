//! The readings of a corpus, and the classes of readings that are written with the same sign.

use std::collections::HashMap;
use std::fmt;

/// Number of a reading in a corpus.
pub type ReadingId = u16;
/// Number of a class of readings that one sign writes (`du`, `ra₂`, `GEN`).
pub type SignClass = u16;

/// Reading number of a sign that cannot be read.
pub const ILLEGIBLE: ReadingId = 0;
/// Reading number of a break of unknown length.
pub const BREAK: ReadingId = 1;
/// Reading number of the end of a text.
pub const TEXT_END: ReadingId = 2;
/// Names of the three special readings.
const SPECIALS: [&str; 3] = ["x", "...", ""];
/// Largest number of readings: the sixteenth bit of a packed sign marks the start of a word.
pub(super) const MAX_READINGS: usize = 1 << 15;

/// The texts exceed the range of an index's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// Plural noun for the items that are too many: "texts" or "readings".
    pub what: &'static str,
    /// Largest number of items that an index can hold.
    pub most: usize,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "An index holds at most {} {}; divide the texts into several.", self.most, self.what)
    }
}

impl std::error::Error for TooLarge {}

/// The readings of a corpus.
#[derive(Clone, Debug, PartialEq)]
pub struct Readings {
    names: Vec<String>,
    glyphs: Vec<String>,
    classes: Vec<SignClass>,
    class_count: usize,
    numbers: HashMap<String, ReadingId>,
}

impl Default for Readings {
    fn default() -> Self {
        Self::new(std::iter::empty())
    }
}

impl Readings {
    /// Numbers readings, each given with its glyph, in the given order behind the three special ones. Readings of one
    /// glyph form one class; a reading without a known glyph (empty) is a class of its own.
    pub fn new(readings: impl IntoIterator<Item = (String, String)>) -> Self {
        let specials = SPECIALS.map(|name| (name.to_owned(), String::new()));
        let (names, glyphs): (Vec<_>, Vec<_>) = specials.into_iter().chain(readings).take(MAX_READINGS).unzip();
        let mut known: HashMap<&str, SignClass> = HashMap::new();
        let mut classes = Vec::with_capacity(names.len());
        let mut class_count = 0;
        for glyph in &glyphs {
            let next = class_count as SignClass;
            let class = if glyph.is_empty() { next } else { *known.entry(glyph).or_insert(next) };
            class_count += usize::from(class == next);
            classes.push(class);
        }
        let numbers = names.iter().cloned().zip(0..).filter(|(_, number)| *number > TEXT_END).collect();
        Self { names, glyphs, classes, class_count, numbers }
    }

    /// Returns the first `len` readings followed by `others`, each given with its glyph and not among the first.
    pub(super) fn with_others(&self, len: usize, others: impl IntoIterator<Item = (String, String)>) -> Self {
        let own = self.names.iter().cloned().zip(self.glyphs.iter().cloned()).take(len).skip(SPECIALS.len());
        Self::new(own.chain(others))
    }

    /// Returns the number of readings, the three special ones included.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Always `false`: the three special readings are always there.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Returns the number of classes.
    pub fn class_count(&self) -> usize {
        self.class_count
    }

    /// Returns the number of a canonical reading.
    pub fn number(&self, name: &str) -> Option<ReadingId> {
        self.numbers.get(name).copied()
    }

    /// Returns the canonical reading; `x` for an unknown number.
    pub fn name(&self, reading: ReadingId) -> &str {
        self.names.get(usize::from(reading)).map_or(SPECIALS[0], String::as_str)
    }

    /// Returns the glyph of a reading; empty if unknown.
    pub fn glyph(&self, reading: ReadingId) -> &str {
        self.glyphs.get(usize::from(reading)).map_or("", String::as_str)
    }

    /// Class of every reading, in the order of their numbers.
    pub(crate) fn classes(&self) -> &[SignClass] {
        &self.classes
    }

    /// Returns the class of a reading.
    #[inline]
    pub fn class(&self, reading: ReadingId) -> SignClass {
        self.classes.get(usize::from(reading)).copied().unwrap_or_default()
    }
}
