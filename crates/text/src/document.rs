//! Document, the result of reading a transliteration: lines of signs, each with its place in the typed text.

use super::{Convention, ConventionFound, Style};
use serde::{Deserialize, Serialize};

/// Half-open byte range `start..end` in [`Document::source`]; always on character boundaries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// First byte after the span.
    pub end: usize,
}

impl Span {
    /// Creates the span `start..end`.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// Returns the text under the span, or `""` if the span does not lie in `source`.
    pub fn of(self, source: &str) -> &str {
        source.get(self.start..self.end).unwrap_or("")
    }

    /// Returns the length in bytes.
    pub fn len(self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Returns `true` if the span covers no byte.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
}

/// Number of a sign among all signs of a document's text lines, in reading order, from 0.
pub type SignIndex = usize;

/// Transliteration as read. Every byte of `source` lies in exactly one line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// Text as typed.
    pub source: String,
    /// Convention that the text is read in, with the evidence for it.
    #[serde(default)]
    pub convention: ConventionFound,
    /// Style of the signs; restorations are written back in it.
    pub style: Style,
    /// Lines in order; their spans (line ends included) tile `source`.
    pub lines: Vec<Line>,
    /// Changes of the normaliser, in order of place.
    pub edits: Vec<Edit>,
    /// Remarks on what could not be read or was guessed, in order of place.
    pub diagnostics: Vec<Diagnostic>,
}

/// User's choices for reading a transliteration where it is ambiguous.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReadingOptions {
    /// `true` if numbers at the beginning of lines are numerals of the text, even where they fit the place of their
    /// line.
    pub bare_numbers_are_numerals: bool,
    /// Convention, if the user has chosen one; otherwise it is detected from the text.
    pub convention: Option<Convention>,
}

/// Line of the input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Place in the source, including the line end.
    pub span: Span,
    /// Place of the line number (`1.`, `3'.`, `o i 12`), when there is one.
    pub label: Option<Span>,
    /// `true` if the line number is an unmarked number, taken for a line number because it fits the place of its line.
    /// With [`ReadingOptions::bare_numbers_are_numerals`] it is read as a numeral.
    #[serde(default)]
    pub label_is_inferred: bool,
    /// Kind of the line.
    pub kind: LineKind,
    /// Signs of a text line, in order; empty for every other kind.
    pub signs: Vec<Sign>,
}

/// Kind of a line of an ATF block, or of plain text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LineKind {
    /// Transliteration.
    Text,
    /// White space only.
    Empty,
    /// `&P123456 = name`: number of the text.
    Heading,
    /// `@tablet`, `@obverse`, `@column 1`.
    Surface,
    /// `$ 3 lines broken`, `$ ruling`; `(break)` alone on a line.
    State,
    /// `#tr.en: ...`, shown separately.
    Translation,
    /// `#atf:`, `#lem:`, `#note:`, `>>Q...`, `#` and every other line that says something about the text.
    Comment,
}

/// Sign, or break.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sign {
    /// Place in the source of the sign's own characters, without joiners, brackets and flags outside them.
    pub span: Span,
    /// Kind of the sign.
    pub kind: SignKind,
    /// State of preservation of the sign.
    pub state: State,
    /// Joiner between the sign before and this one.
    pub joiner: Joiner,
    /// Language of the sign, as the text marks it.
    #[serde(default)]
    pub language: Language,
}

/// Language of a sign. Models know Akkadian only and skip every other language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Language {
    /// Akkadian in any dialect, and every sign without a marked language.
    #[default]
    Akkadian,
    /// Sumerian, including Emesal (`%sux`, `%es`, `#atf: lang sux`).
    Sumerian,
    /// Language other than these two (`%hit`, `%elx`).
    Other,
    /// No marked language, in a line that does not look like Akkadian.
    Unrecognised,
}

impl Sign {
    /// Returns `true` if a word begins with this sign.
    pub fn starts_word(&self) -> bool {
        self.joiner == Joiner::Space
    }

    /// Returns `true` if the sign is in Akkadian, which the models know.
    pub fn is_akkadian(&self) -> bool {
        self.language == Language::Akkadian
    }

    /// Returns the canonical reading (`u₂`, `LUGAL`, `{d}`), if there is one.
    pub fn reading(&self) -> Option<&str> {
        match &self.kind {
            SignKind::Reading(reading) => Some(reading),
            _ => None,
        }
    }
}

/// Kind of a sign.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum SignKind {
    /// Reading in canonical form; a determinative with its braces (`{d}`, `{KI}`), a number as `1(diš)` or `7`.
    Reading(String),
    /// Sign that cannot be read (`x`, `X`, `[x]`).
    Illegible,
    /// Break of unknown length (`...`, `[...]`, `…`, `(break)`).
    Gap,
    /// Characters that are not a reading in any convention; kept as typed, with a diagnostic.
    Unreadable,
}

/// Preservation of a sign, in the letters of the corpora: P, D and M.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum State {
    /// Preserved whole.
    Preserved,
    /// Damaged but read (`⸢a⸣`, `a#`).
    Damaged,
    /// Missing; in square brackets, an editor's restoration when there is a reading.
    Missing,
}

/// Joiner between a sign and the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Joiner {
    /// White space or the beginning of the line: a word starts here.
    Space,
    /// `-` (or a dash of another kind).
    Hyphen,
    /// `.` or `:` inside logograms.
    Dot,
    /// `+` between signs.
    Plus,
    /// No character: a determinative and its noun touch (`{d}UTU`).
    Nothing,
}

/// Change from the typed text to canonical form. Its span leads back to the typed text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Edit {
    /// Place in the source.
    pub span: Span,
    /// Canonical text for that place.
    pub canonical: String,
    /// Name of the rule, in words that a reader knows: "accent to index: ú is u₂".
    pub rule: String,
}

/// Severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Severity {
    /// Something was guessed or ignored; the reading is valid.
    Note,
    /// Something was kept as typed because it could not be read.
    Warning,
}

/// Remark on the text: what was odd, where, why, and what to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// Place in the source.
    pub span: Span,
    /// Second place that matters ("opened here"), if any.
    pub other: Option<Span>,
    /// Severity of the diagnostic.
    pub severity: Severity,
    /// One sentence that says what happened.
    pub message: String,
    /// Advice for the user, if there is any.
    pub hint: Option<String>,
    /// Change that the user can accept with one click: its `canonical` replaces its span. It is never made unasked.
    #[serde(default)]
    pub offer: Option<Edit>,
}

impl Line {
    /// Returns the line number of the edition in the `source` (`3'`, `o i 12`), without its full stop; `None` if the
    /// line has none.
    pub fn label_in<'a>(&self, source: &'a str) -> Option<&'a str> {
        let label = self.label?.of(source).trim().trim_end_matches('.');
        (!label.is_empty()).then_some(label)
    }

    /// Returns the language of the line's signs if they all have the same.
    pub fn language(&self) -> Option<Language> {
        let first = self.signs.first()?.language;
        self.signs.iter().all(|sign| sign.language == first).then_some(first)
    }

    /// Returns the signs as models see them, each with its place in the line. `None` stands for a stretch in a language
    /// that they do not know; of a line that is wholly in such a language they see nothing.
    pub fn seen_by_models(&self) -> impl Iterator<Item = Option<(usize, &Sign)>> {
        let is_seen = self.signs.iter().any(Sign::is_akkadian);
        let mut before = true;
        let signs = self.signs.iter().enumerate().filter(move |_| is_seen);
        signs.filter_map(move |(place, sign)| {
            let begins = std::mem::replace(&mut before, sign.is_akkadian());
            if sign.is_akkadian() { Some(Some((place, sign))) } else { begins.then_some(None) }
        })
    }
}

impl Document {
    /// Returns `true` if some line numbers are unmarked numbers that were taken for line numbers.
    pub fn has_inferred_labels(&self) -> bool {
        self.lines.iter().any(|line| line.label_is_inferred)
    }

    /// Returns all signs of the text lines, in order; their positions are [`SignIndex`].
    pub fn signs(&self) -> impl Iterator<Item = &Sign> {
        self.lines.iter().flat_map(|line| line.signs.iter())
    }
}
