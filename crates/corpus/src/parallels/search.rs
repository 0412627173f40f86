//! Search for the most similar passages of the corpora.

use super::align::{Aligned, Alignment, align};
use super::votes::{VotedStretch, candidates};
use crate::attested::{AttestedSign, AttestedTexts, TextNumber};
use tuppum_domain::attested::{ParallelPassage, ParallelSign, WrittenSign};

/// Number of stretches that are aligned.
const ALIGNED_STRETCHES: usize = 120;
/// Number of signs by which a stretch extends beyond the passage on both sides.
const STRETCH_MARGIN: usize = 12;
/// Minimum similarity of a passage that is reported.
const MIN_SIMILARITY: f32 = 0.3;
/// Minimum similarity of the same wording.
const MIN_SAME_WORDING: f32 = 0.8;
/// Minimum number of texts with a wording that make it a formula.
pub const FORMULA_TEXTS: usize = 10;

/// A passage similar to the one asked about.
#[derive(Clone, Debug, PartialEq)]
pub struct Parallel {
    /// Text that contains the passage.
    pub text: TextNumber,
    /// Alignment of both passages, with their similarity.
    pub alignment: Alignment,
}

impl Parallel {
    /// Returns the parallel as it is displayed; `asked` are the signs asked about as they are written.
    pub fn passage(&self, corpus: &AttestedTexts, asked: &[WrittenSign]) -> ParallelPassage {
        let Alignment { columns, attested, similarity } = &self.alignment;
        let first = attested.start;
        let there = |place: usize| corpus.written_sign(place, (place > first).then(|| place.saturating_sub(1)));
        let here = |number: usize| asked.get(number).cloned().unwrap_or_else(WrittenSign::illegible);
        let column = |column: &Aligned| match *column {
            Aligned::Same(_, place) => ParallelSign::Same(there(place)),
            Aligned::Variant(number, place) => ParallelSign::Variant(here(number), there(place)),
            Aligned::Unknown(number, place) => ParallelSign::Unknown(here(number), there(place)),
            Aligned::Different(number, place) => ParallelSign::Different(here(number), there(place)),
            Aligned::OnlyAsked(number) => ParallelSign::OnlyAsked(here(number)),
            Aligned::OnlyAttested(place) => ParallelSign::OnlyAttested(there(place)),
        };
        ParallelPassage {
            edition: corpus.edition(self.text, attested.clone()),
            similarity: *similarity,
            columns: columns.iter().map(column).collect(),
        }
    }
}

/// Passages found, and the number of texts with the same wording.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parallels {
    /// Passages, most similar first.
    pub passages: Vec<Parallel>,
    /// Number of texts with the same wording among the aligned stretches.
    pub texts: usize,
}

impl Parallels {
    /// Returns `true` if the passage is a formula.
    pub fn is_formula(&self) -> bool {
        self.texts >= FORMULA_TEXTS
    }
}

/// Returns the `most` most similar passages, at most one per text. The text `except`, which is the one asked about, is
/// left out.
pub fn parallels(corpus: &AttestedTexts, signs: &[AttestedSign], most: usize, except: Option<TextNumber>) -> Parallels {
    let mut found: Vec<Parallel> = Vec::new();
    for candidate in candidates(corpus, signs, ALIGNED_STRETCHES) {
        let Some((text, alignment)) = aligned(corpus, signs, candidate) else { continue };
        if Some(text) == except || alignment.similarity < MIN_SIMILARITY {
            continue;
        }
        let parallel = Parallel { text, alignment };
        match found.iter_mut().find(|other| other.text == parallel.text) {
            Some(other) if other.alignment.similarity < parallel.alignment.similarity => *other = parallel,
            Some(_) => {}
            None => found.push(parallel),
        }
    }
    found.sort_by(|one, other| {
        other.alignment.similarity.total_cmp(&one.alignment.similarity).then(one.text.cmp(&other.text))
    });
    let texts = found.iter().filter(|parallel| parallel.alignment.similarity >= MIN_SAME_WORDING).count();
    found.truncate(most);
    Parallels { passages: found, texts }
}

/// Aligns the passage with a candidate's text, around the place voted for.
pub(crate) fn aligned(
    corpus: &AttestedTexts,
    signs: &[AttestedSign],
    candidate: VotedStretch,
) -> Option<(TextNumber, Alignment)> {
    let begin = (candidate.begin - STRETCH_MARGIN as isize).max(0) as usize;
    let end = (candidate.begin + (signs.len() + STRETCH_MARGIN) as isize).max(0) as usize;
    let own = corpus.signs_of(candidate.text);
    let stretch = begin.max(own.start)..end.min(own.end);
    (!stretch.is_empty()).then(|| (candidate.text, align(corpus, signs, stretch)))
}
