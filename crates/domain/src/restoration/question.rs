//! Questions to the restorer, and the evidence for word starts in the joiners that an editor typed around a gap.

use serde::{Deserialize, Serialize};
pub use tuppum_text::signs::Period;
use tuppum_text::{Document, Joiner, ReadingOptions, Sign, SignIndex, SignKind};

/// A text and the places to restore in it. The text travels as typed; both sides read it with the same reader, so sign
/// indices mean the same on both.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// Transliteration as typed.
    pub text: String,
    /// Options of reading that the user has set; page and engine must number the same signs.
    #[serde(default)]
    pub reading: ReadingOptions,
    /// Legible signs to restore as if they were illegible.
    pub chosen: Vec<SignIndex>,
    /// Illegible signs and gaps to leave alone.
    pub left_alone: Vec<SignIndex>,
    /// Gaps to restore, while the others stay illegible; `None` restores all.
    #[serde(default)]
    pub only: Option<Vec<SignIndex>>,
    /// Choices of the user about single gaps.
    pub choices: Vec<GapChoice>,
    /// Readings that the user has accepted; they count as read.
    pub filled: Vec<Filled>,
    /// Period of the corpora by whose counts proposals are re-ranked.
    pub period: Option<Period>,
    /// Number of hypotheses that the joint search keeps (default 5).
    pub beam: usize,
    /// Number of proposals per gap (default 20).
    pub top: usize,
    /// Longest length tried for a gap of unknown length (default 10).
    pub longest: usize,
    /// `true` if attested contexts count beside the network, when corpora are open (default).
    #[serde(default = "yes")]
    pub contexts: bool,
}

fn yes() -> bool {
    true
}

impl Question {
    /// Creates a question about `text` with nothing chosen and the default numbers.
    pub fn about(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            reading: ReadingOptions::default(),
            chosen: Vec::new(),
            left_alone: Vec::new(),
            only: None,
            choices: Vec::new(),
            filled: Vec::new(),
            period: None,
            beam: 5,
            top: 20,
            longest: 10,
            contexts: true,
        }
    }
}

/// Choices of the user about one gap.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GapChoice {
    /// Index of the illegible or chosen sign, or of the break.
    pub sign: SignIndex,
    pub boundary: Boundary,
    /// Visible traces of the sign.
    pub traces: Traces,
    /// Number of signs of a break of unknown length, if the user knows it.
    pub length: Option<usize>,
}

/// Boundary at a gap. Nine of ten `x` in the editions are written as words of their own whatever stood there, so the
/// typed space says little.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Boundary {
    /// Unknown: the search tries both possibilities.
    #[default]
    Unknown,
    /// A word begins with the missing sign.
    WordStart,
    /// The missing sign continues a word.
    Inside,
}

/// Visible traces of a broken sign; an empty field requires nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traces {
    /// Beginning of the reading (canonical, any case, index ignored).
    pub starts_with: String,
    /// Part of the reading.
    pub contains: String,
    /// `Some(true)`: a logogram; `Some(false)`: not a logogram.
    pub logogram: Option<bool>,
}

/// Accepted answer for one gap: canonical readings, several for a break of unknown length.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filled {
    /// Index of the gap.
    pub sign: SignIndex,
    /// Readings in order, each with `true` if it begins a word.
    pub readings: Vec<(String, bool)>,
}

/// Probability of a word start if the editor wrote a hyphen before the place, which is rarely wrong.
const INSIDE: f32 = 0.02;
/// Probability of a word start if the editor wrote a space before the place and more of the word behind it.
const START: f32 = 0.98;

/// Returns the probability that a word begins with each sign of a document, in order, or `None` where the typed joiners
/// do not tell.
///
/// A joiner other than a space shows that the sign is inside a word. A space shows a word start if the sign can be
/// read, if a joiner binds the next sign to it (`x-tu`), or at the beginning of a line. Before an `x` that stands alone
/// it shows nothing: nine of ten in the editions are set apart, whatever stood there. A break of unknown length may
/// begin with anything.
pub fn typed_word_starts(document: &Document) -> Vec<Option<f32>> {
    let of_line = |line: &[Sign]| -> Vec<Option<f32>> {
        let behind = line.iter().skip(1).map(Some).chain([None]);
        line.iter().zip(behind).enumerate().map(|(place, (sign, next))| of_sign(sign, next, place == 0)).collect()
    };
    document.lines.iter().flat_map(|line| of_line(&line.signs)).collect()
}

fn of_sign(sign: &Sign, next: Option<&Sign>, begins_line: bool) -> Option<f32> {
    let is_bound = |next: &Sign| next.joiner != Joiner::Space;
    match (&sign.kind, sign.joiner) {
        (SignKind::Gap, _) => None,
        (SignKind::Reading(_), Joiner::Space) => Some(START),
        (_, Joiner::Space) => (begins_line || next.is_some_and(is_bound)).then_some(START),
        _ => Some(INSIDE),
    }
}

/// Returns the kinds of sign that may stand at one place: `true` for word-initial, `false` for word-internal.
pub fn possible_kinds(document: &Document, sign: SignIndex) -> &'static [bool] {
    match typed_word_starts(document).get(sign).copied().flatten() {
        Some(START) => &[true],
        Some(_) => &[false],
        None => &[true, false],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joiners_say_what_they_say() {
        let starts = typed_word_starts(&Document::read("x a-x x x-tu ...-na\n... x {d}x"));
        let (start, inside) = (Some(START), Some(INSIDE));
        assert_eq!(starts, [start, start, inside, None, start, inside, None, inside, None, None, start, inside]);
        assert_eq!(possible_kinds(&Document::read("a x x-na"), 1), [true, false]);
        assert_eq!(possible_kinds(&Document::read("a x x-na"), 2), [true]);
        assert_eq!(possible_kinds(&Document::read("a x x-na"), 9), [true, false]);
    }
}
