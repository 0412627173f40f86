//! Result of the third pass for a line: lexemes, and the words that they belong to.

use super::dividers::Shift;
use crate::Joiner;
use std::ops::Range;

/// Pair of brackets.
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

/// Kind of a lexeme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lexical {
    /// Characters of a sign; neighbours belong to one sign unless a [`Lexical::Split`] stands between.
    Letters,
    /// Raised letters: a determinative.
    Raised,
    /// Boundary before the next letters, which belong to another sign although nothing is written between.
    Split,
    /// `-`, `.`, `+` and similar.
    Joiner(Joiner),
    /// `/` between two readings of one sign.
    Alternative,
    /// Bracket of a second reading that repeats the first one's: `k]u/k]i`.
    Repeated,
    /// Opening bracket.
    Open(Mark),
    /// Closing bracket.
    Close(Mark),
    /// `{`.
    BraceOpen,
    /// `}`.
    BraceClose,
    /// `#`, `?`, `!`, `*` after a sign.
    Flag(char),
    /// A break of unknown length.
    Gap,
    /// Number of missing signs: `[3 signs]`.
    Missing(usize),
    /// A decimal fraction: `0.33333`.
    Decimal,
    /// A sign in cuneiform.
    Glyph,
    /// Break that is only implied by empty or open-ended brackets.
    HintedGap,
    /// `_`: logograms begin or end.
    Logograms,
    /// Characters that are not a sign and stay as typed: a mark between words (`|`, `:`), a language, the marks of a
    /// gloss, a word in normalised Akkadian.
    Divider,
    /// Punctuation or a brace without its partner: not read.
    Ignored,
}

/// Lexeme with its place in the cleaned text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lexeme {
    /// Place in the cleaned text.
    pub at: Range<usize>,
    /// Kind of the lexeme.
    pub what: Lexical,
}

/// Word of the line: the text between two spaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Place in the cleaned text.
    pub at: Range<usize>,
    /// Lexemes of the word, as places in the line's list.
    pub lexemes: Range<usize>,
    /// Language of the word.
    pub shift: Shift,
}

/// Line of lexemes.
#[derive(Clone, Debug, Default)]
pub struct Scanned {
    /// Lexemes in order.
    pub lexemes: Vec<Lexeme>,
    /// Words in order.
    pub tokens: Vec<Token>,
}
