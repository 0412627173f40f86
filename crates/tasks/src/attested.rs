//! What edited texts say of a text that is asked about: which readings stand in the place of a gap elsewhere, and which
//! passages are like one of its lines. Plain data; the search lies where the texts are.

use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Where a passage stands and can be read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditionPlace {
    /// The number of its text (`P390626`).
    pub text: String,
    /// Oracc's project, or CDLI's name of the period.
    pub project: String,
    /// The label of its line, or of its first and last (`obverse 3 to 5`).
    pub line: String,
    /// Where the edition can be read.
    pub address: Option<String>,
    /// Whether it is one of the user's own texts; `project` then is the name of their archive.
    #[serde(default)]
    pub own: bool,
}

/// A reading that stands between such neighbours elsewhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttestedReading {
    /// The canonical reading.
    pub reading: String,
    /// Whether a word begins with it there.
    pub starts_word: bool,
    /// The part of the probability of the whole gap that its witnesses make, from 0 to 1.
    pub share: f32,
    /// In how many texts it stands so.
    pub texts: usize,
    /// Where, the likest contexts first.
    pub places: Vec<AttestedPlace>,
}

/// A place of the corpora.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttestedPlace {
    /// Where it stands.
    pub edition: EditionPlace,
    /// The signs before it, as written, with what joins it to them.
    pub before: String,
    /// The sign as written.
    pub sign: String,
    /// The signs behind it, with what joins them to it.
    pub behind: String,
    /// Whether the editor restored it: then it is no witness of the tablet's.
    pub restored: bool,
}

/// The passages that are most like one that was asked about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ParallelPassages {
    /// The likest first.
    pub passages: Vec<ParallelPassage>,
    /// Texts with the same wording among the stretches that were looked at.
    pub texts: usize,
    /// Whether so many texts have the wording that it is a formula.
    pub is_formula: bool,
}

/// The published translations of the edited passages that are nearest to one that was asked about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RememberedTranslation {
    /// One run of lines, or several, each for a part of the passage, in its order.
    pub runs: Vec<RememberedRun>,
    /// How like all of them together are to the passage, from 0 to 1.
    pub similarity: f32,
}

/// Edited lines that follow one another, with their published translation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RememberedRun {
    /// Where they stand.
    pub edition: EditionPlace,
    /// The published translation.
    pub translation: String,
    /// The names and numbers of the passage that take the place of others in it, in the order of their places, which
    /// do not overlap.
    #[serde(default)]
    pub carried: Vec<CarriedOver>,
    /// The passage and the edited lines side by side.
    pub columns: Vec<ParallelSign>,
}

/// A name or number of a passage in the place of another in a published translation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CarriedOver {
    /// Where the other stands in the translation, in bytes.
    pub place: Range<usize>,
    /// What stands there for the passage.
    pub text: String,
    /// The word of the passage, as spelled.
    pub asked: String,
    /// The word of the edited lines, as spelled.
    pub attested: String,
}

/// A stretch of a translation: as it was published, or carried over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TranslationPiece<'a> {
    /// What stands there.
    pub text: &'a str,
    /// What stood there as published, where the stretch is carried over.
    pub published: Option<&'a str>,
}

impl RememberedRun {
    /// The translation piece by piece, with what is carried over.
    pub fn pieces(&self) -> Vec<TranslationPiece<'_>> {
        pieces(&self.translation, &self.carried)
    }
}

/// A published translation piece by piece, with what is carried over. Places that do not lie in it, or overlap, are
/// left as published.
pub fn pieces<'a>(translation: &'a str, carried: &'a [CarriedOver]) -> Vec<TranslationPiece<'a>> {
    let mut pieces = Vec::new();
    let mut done = 0;
    for one in carried {
        let (Some(before), Some(published)) =
            (translation.get(done..one.place.start), translation.get(one.place.clone()))
        else {
            continue;
        };
        if !before.is_empty() {
            pieces.push(TranslationPiece { text: before, published: None });
        }
        pieces.push(TranslationPiece { text: &one.text, published: Some(published) });
        done = one.place.end;
    }
    if let Some(rest) = translation.get(done..).filter(|rest| !rest.is_empty()) {
        pieces.push(TranslationPiece { text: rest, published: None });
    }
    pieces
}

/// A passage that is like one that was asked about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParallelPassage {
    /// Where it stands.
    pub edition: EditionPlace,
    /// How like it is, from 0 to 1.
    pub similarity: f32,
    /// The two passages side by side, sign by sign.
    pub columns: Vec<ParallelSign>,
}

/// A column of two passages side by side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ParallelSign {
    /// Both have the same reading.
    Same(WrittenSign),
    /// Both have the same sign in other readings: as asked, as attested.
    Variant(WrittenSign, WrittenSign),
    /// One of the two cannot be read: as asked, as attested.
    Unknown(WrittenSign, WrittenSign),
    /// They have other signs: as asked, as attested.
    Different(WrittenSign, WrittenSign),
    /// Only the passage asked about has it.
    OnlyAsked(WrittenSign),
    /// Only the attested passage has it.
    OnlyAttested(WrittenSign),
}

/// A sign as it is written in a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenSign {
    /// What stands before it: a space, a hyphen, a full stop or nothing.
    pub joiner: String,
    /// The canonical reading, `x` or `...`.
    pub reading: String,
}

impl WrittenSign {
    /// A sign that cannot be read, as a word of its own.
    pub fn illegible() -> Self {
        Self { joiner: " ".into(), reading: "x".into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn carried(place: Range<usize>, text: &str) -> CarriedOver {
        CarriedOver { place, text: text.into(), ..CarriedOver::default() }
    }

    #[test]
    fn pieces_say_what_is_published_and_what_stood_there() {
        let carried = [carried(0..2, "5"), carried(22..28, "Susiya")];
        let pieces = pieces("10 minas belonging to Dananu.", &carried);
        let of = |piece: &TranslationPiece| (piece.text.to_owned(), piece.published.map(str::to_owned));
        let expected = [("5", Some("10")), (" minas belonging to ", None), ("Susiya", Some("Dananu")), (".", None)];
        let expected = expected.map(|(text, published)| (text.to_owned(), published.map(str::to_owned)));
        assert_eq!(pieces.iter().map(of).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn places_that_do_not_fit_change_nothing() {
        let text = "Šamaš";
        for place in [1..3, 3..99, 90..99] {
            let carried = [carried(place, "Sîn")];
            assert_eq!(pieces(text, &carried), [TranslationPiece { text, published: None }]);
        }
        let overlapping = [carried(0..4, "a"), carried(2..5, "b")];
        assert_eq!(pieces(text, &overlapping).iter().map(|piece| piece.text).collect::<String>(), "aaš");
    }
}
