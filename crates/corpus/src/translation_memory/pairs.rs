//! Pairs of a translation memory, with their sources as attested texts, and the pack that stores them: a pack of
//! attested texts whose lines are the sources, with two more sections, the sources as typed and their translations.

use super::compact::Lines;
use super::words::Words;
use crate::attested::{
    AttestedSign, AttestedTexts, Builder, PackError, Sections, TEXT_END, TextNumber, TooLarge, asked, glyph,
    read_sections, sections_of, write_sections,
};
use crate::pairs_file::FilePair;
use crate::signs_row::{CorpusSign, SignsRow};
use std::ops::Range;
use thiserror::Error;
use tuppum_domain::restoration::texts::{LineSign, Text};
use tuppum_text::Document;

/// Reason why pairs cannot be remembered.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum MemoryError {
    /// There are too many texts or readings.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

/// A pair to remember.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairSource<'a> {
    /// Number of the text. Pairs of one text come in sequence, in the order of the text.
    pub text: &'a str,
    /// Oracc's project, or CDLI's name of the period.
    pub project: &'a str,
    /// Transliteration.
    pub source: &'a str,
    /// Published translation.
    pub target: &'a str,
}

impl<'a> From<&'a FilePair> for PairSource<'a> {
    fn from(pair: &'a FilePair) -> Self {
        Self { text: pair.number(), project: &pair.project, source: &pair.source, target: &pair.target }
    }
}

/// Sources with their published translations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TranslationMemory {
    sources: AttestedTexts,
    /// Source of every line as typed.
    typed: Lines,
    /// Translation of every line.
    translations: Lines,
    words: Words,
}

/// Passage asked about: its signs, and its letters for comparing short passages.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AskedPassage {
    pub signs: Vec<AttestedSign>,
    /// Transliteration with single spaces between words.
    pub letters: String,
}

impl TranslationMemory {
    /// Remembers pairs. Those whose source has no legible sign are left out.
    ///
    /// # Errors
    /// Fails if there are more texts or readings than an index can number.
    pub fn new<'a>(pairs: impl IntoIterator<Item = PairSource<'a>>) -> Result<Self, MemoryError> {
        let mut builder = Builder::default();
        let mut remembered: Vec<(String, usize, (String, String))> = Vec::new();
        for (number, pair) in pairs.into_iter().enumerate() {
            let text = Text::of_document("", &Document::read(pair.source));
            let read: Vec<LineSign> = text.lines.iter().flat_map(|line| line.signs()).collect();
            let glyphs: Vec<String> = read.iter().map(|sign| glyph(sign.reading)).collect();
            let signs: Vec<CorpusSign> =
                read.iter().zip(&glyphs).map(|(sign, glyph)| corpus_sign(sign, glyph)).collect();
            if !signs.iter().any(|sign| sign.state.is_legible()) {
                continue;
            }
            builder.add(&SignsRow {
                text: pair.text,
                project: pair.project,
                language: "",
                line: "",
                transliteration: pair.source,
                signs,
            });
            remembered.push((pair.text.to_owned(), number, (pair.source.to_owned(), pair.target.to_owned())));
        }
        // The builder sorts texts by name and keeps the order of their lines.
        remembered.sort_by(|one, other| one.0.cmp(&other.0).then(one.1.cmp(&other.1)));
        let typed = Lines::collect(remembered.iter().map(|(_, _, (source, _))| source.as_str()));
        let translations = Lines::collect(remembered.iter().map(|(_, _, (_, target))| target.as_str()));
        let words = Words::new(&typed, &translations);
        Ok(Self::of_parts(builder.build()?, typed, translations, words))
    }

    /// Assembles a memory from sources, typed lines, translations and the words of both, line by line.
    pub(super) fn of_parts(sources: AttestedTexts, typed: Lines, translations: Lines, words: Words) -> Self {
        Self { sources, typed, translations, words }
    }

    /// Marks the memory as the user's own, which its places then show.
    pub fn of_the_users(mut self) -> Self {
        self.sources.mark_own();
        self
    }

    /// Returns the typed sources and their translations, one line each.
    pub(super) fn lines(&self) -> [&Lines; 2] {
        [&self.typed, &self.translations]
    }

    pub fn sources(&self) -> &AttestedTexts {
        &self.sources
    }

    /// Returns the translation of a pair.
    pub fn target(&self, pair: usize) -> &str {
        self.translations.get(pair)
    }

    /// Words of the pairs.
    pub(super) fn words(&self) -> &Words {
        &self.words
    }

    /// Returns the pairs of a text; none for `None`.
    pub(super) fn pairs_of(&self, text: Option<TextNumber>) -> Range<usize> {
        let signs = text.map_or(0..0, |text| self.sources.signs_of(text));
        if signs.is_empty() { 0..0 } else { self.sources.line_at(signs.start)..self.sources.line_at(signs.end - 1) + 1 }
    }

    /// Returns the number of pairs.
    pub fn len(&self) -> usize {
        self.typed.len()
    }

    /// Returns `true` if there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.typed.len() == 0
    }

    /// Returns the source of a pair as typed.
    pub fn source(&self, pair: usize) -> &str {
        self.typed.get(pair)
    }

    /// Returns the translations of consecutive pairs as one text.
    pub fn translation(&self, pairs: Range<usize>) -> String {
        pairs.map(|pair| self.target(pair)).collect::<Vec<_>>().join(" ")
    }

    /// Returns the sources of consecutive pairs as one text.
    pub(super) fn source_of(&self, pairs: Range<usize>) -> String {
        pairs.map(|pair| self.source(pair)).collect::<Vec<_>>().join(" ")
    }

    /// Prepares a transliteration for asking.
    pub fn asked(&self, source: &str) -> AskedPassage {
        let text = Text::of_document("", &Document::read(source));
        let signs = text.lines.iter().flat_map(|line| asked(line, self.sources.readings())).collect();
        AskedPassage { signs, letters: source.split_whitespace().collect::<Vec<_>>().join(" ") }
    }

    /// Returns the number of legible signs.
    pub(super) fn known(signs: &[AttestedSign]) -> usize {
        signs.iter().filter(|sign| sign.reading > TEXT_END).count()
    }
}

fn corpus_sign<'a>(sign: &LineSign<'a>, glyph: &'a str) -> CorpusSign<'a> {
    CorpusSign { reading: sign.reading, glyph, state: sign.state, starts_word: sign.starts_word }
}

const SOURCES: &str = "sources";
const TRANSLATIONS: &str = "translations";

/// Returns the pack of a memory.
pub fn write(memory: &TranslationMemory) -> Vec<u8> {
    let [typed, translations] = memory.lines().map(|lines| lines.text().as_bytes().to_vec());
    let mut sections = sections_of(memory.sources());
    sections.push((SOURCES, typed));
    sections.push((TRANSLATIONS, translations));
    write_sections(&sections)
}

/// Reads the memory of a pack.
///
/// # Errors
/// Fails if the bytes are not a pack of pairs, have another version, are cut off or damaged.
pub fn read(pack: &[u8]) -> Result<TranslationMemory, PackError> {
    let sections = Sections::read(pack)?;
    let typed = Lines::of(sections.text(SOURCES)?);
    let translations = Lines::of(sections.text(TRANSLATIONS)?);
    // Collecting the words needs the most memory, so it comes before the sources take theirs.
    let words = Words::new(&typed, &translations);
    let sources = read_sections(&sections)?;
    match typed.len() == sources.line_count() && translations.len() == sources.line_count() {
        true => Ok(TranslationMemory::of_parts(sources, typed, translations, words)),
        false => Err(PackError::Damaged { section: TRANSLATIONS }),
    }
}
