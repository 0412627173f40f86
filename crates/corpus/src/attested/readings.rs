//! The readings of a corpus, and which of them are written with the same sign.

use std::collections::HashMap;

/// Number of a reading in a corpus.
pub type ReadingId = u16;
/// Number of a class of readings that one sign writes (`du`, `ra₂`, `GEN`).
pub type SignClass = u16;

/// A sign that cannot be read.
pub const ILLEGIBLE: ReadingId = 0;
/// A break of unknown length.
pub const BREAK: ReadingId = 1;
/// The end of a text.
pub const TEXT_END: ReadingId = 2;
/// What the three are called.
const SPECIALS: [&str; 3] = ["x", "...", ""];
/// Most readings that two bytes hold beside the mark of a word start.
pub(super) const MOST: usize = 1 << 15;

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
    /// Readings with their glyphs, in the order of their numbers, without the three that stand for no reading. Readings
    /// of one glyph are one class; a reading whose glyph is unknown (empty) is a class of its own.
    pub fn new(readings: impl IntoIterator<Item = (String, String)>) -> Self {
        let specials = SPECIALS.map(|name| (name.to_owned(), String::new()));
        let (names, glyphs): (Vec<_>, Vec<_>) = specials.into_iter().chain(readings).take(MOST).unzip();
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

    /// The first `len` of them, and behind them others that are not among them, each with its glyph.
    pub(super) fn with_others(&self, len: usize, others: impl IntoIterator<Item = (String, String)>) -> Self {
        let own = self.names.iter().cloned().zip(self.glyphs.iter().cloned()).take(len).skip(SPECIALS.len());
        Self::new(own.chain(others))
    }

    /// How many readings there are, those that stand for none included.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Never true: the three that stand for no reading are always there.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// How many classes there are.
    pub fn class_count(&self) -> usize {
        self.class_count
    }

    /// The number of a canonical reading.
    pub fn number(&self, name: &str) -> Option<ReadingId> {
        self.numbers.get(name).copied()
    }

    /// The canonical reading; `x` for a number that is none.
    pub fn name(&self, reading: ReadingId) -> &str {
        self.names.get(usize::from(reading)).map_or(SPECIALS[0], String::as_str)
    }

    /// Its glyph; empty where unknown.
    pub fn glyph(&self, reading: ReadingId) -> &str {
        self.glyphs.get(usize::from(reading)).map_or("", String::as_str)
    }

    /// The classes of all readings, in the order of their numbers.
    pub(crate) fn classes(&self) -> &[SignClass] {
        &self.classes
    }

    /// The class of a reading.
    #[inline]
    pub fn class(&self, reading: ReadingId) -> SignClass {
        self.classes.get(usize::from(reading)).copied().unwrap_or_default()
    }
}
