//! What the third pass makes of a line: lexemes, and the words that they stand in.

use super::dividers::Shift;
use crate::Joiner;
use std::ops::Range;

/// A pair of brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// `[ ]`: missing.
    Square,
    /// `⸢ ⸣`: damaged.
    Half,
    /// `< >`: left out by the scribe, supplied by the editor.
    Omitted,
    /// `<< >>`: to be struck out.
    Excised,
    /// `° \ °`: erased by the scribe, up to the backslash.
    Erased,
    /// `<( )>` and the sign that is named after `!`: not read.
    Unread,
    /// `( )`: doubtful.
    Round,
}

/// What a lexeme is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lexical {
    /// Characters of a sign; neighbours belong to one sign unless a [`Lexical::Split`] stands between.
    Letters,
    /// Raised letters: a determinative.
    Raised,
    /// The next letters belong to another sign although nothing is written between.
    Split,
    /// `-`, `.`, `+` and their like.
    Joiner(Joiner),
    /// `/` between two readings of one sign.
    Alternative,
    /// A bracket of a second reading that repeats the first one's: `k]u/k]i`.
    Repeated,
    /// An opening bracket.
    Open(Mark),
    /// A closing bracket.
    Close(Mark),
    /// `{`.
    BraceOpen,
    /// `}`.
    BraceClose,
    /// `#`, `?`, `!`, `*` after a sign.
    Flag(char),
    /// A break of unknown length.
    Gap,
    /// So many missing signs: `[3 signs]`.
    Missing(usize),
    /// A decimal fraction: `0.33333`.
    Decimal,
    /// A sign in cuneiform.
    Glyph,
    /// A break that is only hinted at, by empty or open-ended brackets.
    HintedGap,
    /// `_`: logograms begin or end.
    Logograms,
    /// What is no sign and stays as typed: a mark between words (`|`, `:`), a language, the marks of a gloss, a
    /// word in normalised Akkadian.
    Divider,
    /// Punctuation or a brace without its partner: not read.
    Ignored,
}

/// A lexeme and its place in the cleaned text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lexeme {
    /// Place in the cleaned text.
    pub at: Range<usize>,
    /// Kind of the lexeme.
    pub what: Lexical,
}

/// A word of the line: what stands between two spaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Place in the cleaned text.
    pub at: Range<usize>,
    /// Its lexemes, as places in the line's list.
    pub lexemes: Range<usize>,
    /// The language that it stands in.
    pub shift: Shift,
}

/// A line of lexemes.
#[derive(Clone, Debug, Default)]
pub struct Scanned {
    /// All lexemes in order.
    pub lexemes: Vec<Lexeme>,
    /// The words.
    pub tokens: Vec<Token>,
}
