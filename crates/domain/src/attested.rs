//! Answers of the edited texts to questions about a text: readings attested elsewhere for a gap, passages similar to a
//! line, and possible origins by the most similar texts. Plain data; the search is in `corpus`.

use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Place of a passage and of its edition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditionPlace {
    /// Number of the text (`P390626`).
    pub text: String,
    /// Oracc's project, or CDLI's name of the period.
    pub project: String,
    /// Label of the line, or of the first and last line (`obverse 3 to 5`).
    pub line: String,
    /// Web address of the edition.
    pub address: Option<String>,
    /// `true` if the text is the user's own; `project` then holds the name of their archive.
    #[serde(default)]
    pub own: bool,
}

/// A reading that stands between similar neighbours elsewhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttestedReading {
    /// Canonical reading.
    pub reading: String,
    /// `true` if a word begins with the reading there.
    pub starts_word: bool,
    /// Share of the gap's whole probability that comes from these witnesses, from 0 to 1.
    pub share: f32,
    /// Number of texts with this reading.
    pub texts: usize,
    /// Places, most similar contexts first.
    pub places: Vec<AttestedPlace>,
}

/// A place of the corpora.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttestedPlace {
    /// Place in an edition.
    pub edition: EditionPlace,
    /// Signs before it as written, with the joiner to it.
    pub before: String,
    /// The sign as written.
    pub sign: String,
    /// Signs behind it as written, with the joiner to it.
    pub behind: String,
    /// `true` if the editor restored the sign, so that the tablet does not attest it.
    pub restored: bool,
}

/// Passages most similar to the one asked about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ParallelPassages {
    /// Passages, most similar first.
    pub passages: Vec<ParallelPassage>,
    /// Number of texts with the same wording among the stretches that were compared.
    pub texts: usize,
    /// `true` if enough texts have the wording to call it a formula.
    pub is_formula: bool,
}

/// Published translations of the edited passages nearest to the one asked about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RememberedTranslation {
    /// One run of lines, or several, each for a part of the passage, in its order.
    pub runs: Vec<RememberedRun>,
    /// Similarity of all runs together to the passage, from 0 to 1.
    pub similarity: f32,
}

/// Consecutive edited lines with their published translation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RememberedRun {
    /// Place in the edition.
    pub edition: EditionPlace,
    /// Published translation.
    pub translation: String,
    /// Replacements of names and numbers in the translation by those of the passage, sorted by place and not
    /// overlapping.
    #[serde(default)]
    pub carried: Vec<CarriedOver>,
    /// Columns of the passage and the edited lines side by side.
    pub columns: Vec<ParallelSign>,
}

/// A name or number of a passage that replaces another one in a published translation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CarriedOver {
    /// Place of the replaced text in the translation, in bytes.
    pub place: Range<usize>,
    /// Replacement.
    pub text: String,
    /// Word of the passage, as spelled.
    pub asked: String,
    /// Word of the edited lines, as spelled.
    pub attested: String,
}

/// Piece of a translation: as published, or replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TranslationPiece<'a> {
    /// Text of the piece.
    pub text: &'a str,
    /// Published text, if the piece is a replacement.
    pub published: Option<&'a str>,
}

impl RememberedRun {
    /// Splits the translation into published and replaced pieces.
    pub fn pieces(&self) -> Vec<TranslationPiece<'_>> {
        pieces(&self.translation, &self.carried)
    }
}

/// Splits a published translation into published and replaced pieces. Places outside the text or overlapping ones are
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

/// A passage similar to the one asked about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParallelPassage {
    /// Place in an edition.
    pub edition: EditionPlace,
    /// Similarity from 0 to 1.
    pub similarity: f32,
    /// Columns of the two passages side by side.
    pub columns: Vec<ParallelSign>,
}

/// Column of two passages side by side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ParallelSign {
    /// The readings are the same.
    Same(WrittenSign),
    /// The readings differ, but the sign is the same: as asked, as attested.
    Variant(WrittenSign, WrittenSign),
    /// At least one of the two signs is illegible: as asked, as attested.
    Unknown(WrittenSign, WrittenSign),
    /// The signs differ: as asked, as attested.
    Different(WrittenSign, WrittenSign),
    /// Only the passage asked about has a sign.
    OnlyAsked(WrittenSign),
    /// Only the attested passage has a sign.
    OnlyAttested(WrittenSign),
}

/// A sign as it is written in a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenSign {
    /// Joiner before the sign: a space, a hyphen, a full stop or nothing.
    pub joiner: String,
    /// Canonical reading, `x` or `...`.
    pub reading: String,
}

impl WrittenSign {
    /// Returns an illegible sign as a word of its own.
    pub fn illegible() -> Self {
        Self { joiner: " ".into(), reading: "x".into() }
    }
}

/// Possible origins of a text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Attribution {
    /// Number of its signs that can be read and occur in the corpora, on which the attribution rests.
    pub signs: usize,
    /// Periods, most likely first; the probabilities sum to 1.
    pub periods: Vec<LikelyOrigin>,
    /// Projects of Oracc, or CDLI's periods, most likely first; the probabilities sum to 1.
    pub projects: Vec<LikelyOrigin>,
    /// Texts given as reasons, most similar first.
    pub nearest: Vec<NearText>,
}

/// A possible period or project of a text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LikelyOrigin {
    pub name: String,
    /// Probability from 0 to 1, among the periods or projects of the corpora. A text of any other origin is attributed
    /// to one of these too.
    pub probability: f32,
    /// Number of voting texts with this origin.
    pub texts: usize,
}

/// An edited text similar to the one asked about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NearText {
    /// Number, project and address of the text; its line is where the rarest shared group stands.
    pub edition: EditionPlace,
    /// Period, if it is one that the corpora are counted by.
    pub period: Option<String>,
    /// Similarity: what both share relative to their lengths, from 0 to about 1.
    pub likeness: f32,
    /// Number of shared groups of two and three signs.
    pub shared: usize,
    /// Rarest shared groups, as the text asked about writes them.
    pub rarest: Vec<String>,
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
