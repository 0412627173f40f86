//! The tree that reading a transliteration yields: lines of signs, each with its place in the typed text.

use super::{Convention, ConventionFound, Span, Style};
use serde::{Deserialize, Serialize};

/// Number of a sign among all signs of a document's text lines, in reading order, from 0.
pub type SignIndex = usize;

/// A transliteration as read. Every byte of `source` lies in exactly one line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// What was typed, untouched.
    pub source: String,
    /// The convention that it is read in, and what that rests on.
    #[serde(default)]
    pub convention: ConventionFound,
    /// How its signs are written; proposals are written back in it.
    pub style: Style,
    /// Lines in order; their spans (line ends included) tile `source`.
    pub lines: Vec<Line>,
    /// What the normaliser changed, in order of place.
    pub edits: Vec<Edit>,
    /// What could not be read, or deserves a word, in order of place.
    pub diagnostics: Vec<Diagnostic>,
}

/// How a user has a transliteration read where the reader could take it otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReadingOptions {
    /// Numbers at the beginning of lines are numerals of the text, even where they fit the place of their line.
    pub bare_numbers_are_numerals: bool,
    /// The convention, where the user has chosen it; else it is found from the text.
    pub convention: Option<Convention>,
}

/// One line of the input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Place in the source, with the line's end.
    pub span: Span,
    /// Place of the line number (`1.`, `3'.`, `o i 12`), when there is one.
    pub label: Option<Span>,
    /// Whether the line number is a bare number, taken for one since it fits the place of its line. With
    /// [`ReadingOptions::bare_numbers_are_numerals`] it is read as a numeral.
    #[serde(default)]
    pub label_is_inferred: bool,
    /// Kind of the line.
    pub kind: LineKind,
    /// The signs of a text line, in order; empty for every other kind.
    pub signs: Vec<Sign>,
}

/// What a line of an ATF block, or of plain text, is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LineKind {
    /// Transliteration.
    Text,
    /// Nothing but white space.
    Empty,
    /// `&P123456 = name`: the text's number.
    Heading,
    /// `@tablet`, `@obverse`, `@column 1`.
    Surface,
    /// `$ 3 lines broken`, `$ ruling`; `(break)` alone on a line.
    State,
    /// `#tr.en: ...`, shown apart.
    Translation,
    /// `#atf:`, `#lem:`, `#note:`, `>>Q...`, `#` and anything else that says something about the text.
    Comment,
}

/// One sign, or one break.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sign {
    /// Place in the source of the sign's own characters, without joiners, brackets and flags outside them.
    pub span: Span,
    /// Kind of the sign.
    pub kind: SignKind,
    /// State of preservation of the sign.
    pub state: State,
    /// What stands between the sign before and this one.
    pub joiner: Joiner,
    /// Language of the sign, as the text marks it.
    #[serde(default)]
    pub language: Language,
}

/// Language of a sign. Models that know Akkadian leave every other one out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Language {
    /// Akkadian in any dialect; what is not marked counts as Akkadian.
    #[default]
    Akkadian,
    /// Sumerian, Emesal among it (`%sux`, `%es`, `#atf: lang sux`).
    Sumerian,
    /// Any other (`%hit`, `%elx`).
    Other,
    /// None that was marked, in a line that looks like no Akkadian.
    Unrecognised,
}

impl Sign {
    /// Whether a word begins with this sign.
    pub fn starts_word(&self) -> bool {
        self.joiner == Joiner::Space
    }

    /// Whether the sign stands in Akkadian, which the models know.
    pub fn is_akkadian(&self) -> bool {
        self.language == Language::Akkadian
    }

    /// The canonical reading (`u₂`, `LUGAL`, `{d}`), where there is one.
    pub fn reading(&self) -> Option<&str> {
        match &self.kind {
            SignKind::Reading(reading) => Some(reading),
            _ => None,
        }
    }
}

/// What stands at a place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum SignKind {
    /// A reading in canonical form; a determinative with its braces (`{d}`, `{KI}`), a number as `1(diš)` or `7`.
    Reading(String),
    /// One sign that cannot be read (`x`, `X`, `[x]`).
    Illegible,
    /// A break of unknown length (`...`, `[...]`, `…`, `(break)`).
    Gap,
    /// Something that is no reading in any convention; kept as typed, with a diagnostic.
    Unreadable,
}

/// How well a sign is preserved, in the letters of the corpora: P, D and M.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum State {
    /// Preserved whole.
    Preserved,
    /// Damaged but read (`⸢a⸣`, `a#`).
    Damaged,
    /// Missing; in square brackets, an editor's restoration when there is a reading.
    Missing,
}

/// What stands between a sign and the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Joiner {
    /// White space or the line's beginning: a word starts here.
    Space,
    /// `-` (or a dash of another kind).
    Hyphen,
    /// `.` or `:` inside logograms.
    Dot,
    /// `+` between signs.
    Plus,
    /// Nothing: a determinative and its noun touch (`{d}UTU`).
    Nothing,
}

/// A change from what was typed to canonical form; the way back is the span.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Edit {
    /// Place in the source.
    pub span: Span,
    /// What the canonical form has there.
    pub canonical: String,
    /// Which rule did it, in words a reader knows: "accent to index: ú is u₂".
    pub rule: String,
}

/// Severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Severity {
    /// Something was guessed or ignored; the reading stands.
    Note,
    /// Something was kept as typed because it could not be read.
    Warning,
}

/// What was odd, where, why it may be so, and what to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// Place in the source.
    pub span: Span,
    /// A second place that matters ("opened here"), if any.
    pub other: Option<Span>,
    /// Severity of the diagnostic.
    pub severity: Severity,
    /// One sentence: what happened.
    pub message: String,
    /// What the user can do, if anything.
    pub hint: Option<String>,
    /// A change that can be made with one click: its `canonical` in place of its span. It is never made unasked.
    #[serde(default)]
    pub offer: Option<Edit>,
}

impl Line {
    /// How the edition of the `source` labels the line (`3'`, `o i 12`), without its full stop; none where it does not.
    pub fn label_in<'a>(&self, source: &'a str) -> Option<&'a str> {
        let label = self.label?.of(source).trim().trim_end_matches('.');
        (!label.is_empty()).then_some(label)
    }

    /// Language of the line's signs where they all have the same.
    pub fn language(&self) -> Option<Language> {
        let first = self.signs.first()?.language;
        self.signs.iter().all(|sign| sign.language == first).then_some(first)
    }

    /// The signs as models see them, each with its place in the line: `None` stands for a stretch in a language that
    /// they do not know; of a line that stands in one as a whole they see nothing.
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
    /// Whether some line numbers are bare numbers that were taken for them.
    pub fn has_inferred_labels(&self) -> bool {
        self.lines.iter().any(|line| line.label_is_inferred)
    }

    /// All signs of the text lines, in order; positions are [`SignIndex`].
    pub fn signs(&self) -> impl Iterator<Item = &Sign> {
        self.lines.iter().flat_map(|line| line.signs.iter())
    }
}
