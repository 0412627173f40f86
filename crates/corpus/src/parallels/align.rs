//! Aligning a passage with a stretch of the corpora, sign by sign.

use crate::attested::{AttestedSign, AttestedTexts, BREAK, ILLEGIBLE, TEXT_END};
use std::ops::Range;

/// What an aligned pair of signs, or a sign without partner, adds to the score of an alignment.
const SAME: f32 = 2.0;
const SAME_SIGN: f32 = 1.4;
const UNKNOWN: f32 = 0.3;
const DIFFERENT: f32 = -1.0;
const ALONE: f32 = -1.0;
/// What a reading of the same sign counts in the similarity, where the same reading counts 1.
const VARIANT: f32 = 0.8;

/// A column of an alignment: the number of the sign asked about, the place of the attested one, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aligned {
    /// The same reading.
    Same(usize, usize),
    /// Another reading of the same sign.
    Variant(usize, usize),
    /// One of the two is not known.
    Unknown(usize, usize),
    /// Another sign.
    Different(usize, usize),
    /// Only in the passage asked about.
    OnlyAsked(usize),
    /// Only in the attested passage.
    OnlyAttested(usize),
}

/// The best local alignment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Alignment {
    /// Its columns in order.
    pub columns: Vec<Aligned>,
    /// The attested signs from the first to the last that is aligned.
    pub attested: Range<usize>,
    /// Twice the signs that agree by all known signs of both sides, from 0 to 1; a variant counts four fifths.
    pub similarity: f32,
}

/// Which cell an alignment came from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Step {
    #[default]
    Start,
    Both,
    Asked,
    Attested,
}

/// Aligns a passage with the stretch; the end of a text is aligned with nothing.
pub(crate) fn align(corpus: &AttestedTexts, asked: &[AttestedSign], stretch: Range<usize>) -> Alignment {
    let columns = stretch.len() + 1;
    let mut steps = vec![Step::Start; (asked.len() + 1) * columns];
    let mut above = vec![0.0_f32; columns];
    let mut best = (0.0, 0, 0);
    for (row, sign) in (1..).zip(asked) {
        let mut current = vec![0.0_f32; columns];
        for column in 1..columns {
            let attested = corpus.sign(stretch.start + column - 1);
            let both = above[column - 1] + worth(corpus, *sign, attested);
            let moves = [
                (both, Step::Both),
                (above[column] + ALONE, Step::Asked),
                (current[column - 1] + ALONE, Step::Attested),
            ];
            let (score, step) =
                moves.into_iter().fold((0.0, Step::Start), |best, next| if next.0 > best.0 { next } else { best });
            current[column] = score;
            steps[row * columns + column] = step;
            if score > best.0 {
                best = (score, row, column);
            }
        }
        above = current;
    }
    traced(corpus, asked, &stretch, &steps, (best.1, best.2))
}

/// What two signs side by side are worth.
fn worth(corpus: &AttestedTexts, asked: AttestedSign, attested: AttestedSign) -> f32 {
    if asked.reading == TEXT_END || attested.reading == TEXT_END {
        return f32::MIN;
    }
    if !is_known(asked) || !is_known(attested) {
        return UNKNOWN;
    }
    if asked.reading == attested.reading {
        return SAME;
    }
    let is_same_sign = corpus.readings().class(asked.reading) == corpus.readings().class(attested.reading);
    if is_same_sign { SAME_SIGN } else { DIFFERENT }
}

fn is_known(sign: AttestedSign) -> bool {
    sign.reading != ILLEGIBLE && sign.reading != BREAK
}

/// The alignment that ends in a cell.
fn traced(
    corpus: &AttestedTexts,
    asked: &[AttestedSign],
    stretch: &Range<usize>,
    steps: &[Step],
    (mut row, mut column): (usize, usize),
) -> Alignment {
    let end = stretch.start + column;
    let mut columns = Vec::new();
    loop {
        match steps[row * (stretch.len() + 1) + column] {
            Step::Start => break,
            Step::Both => {
                (row, column) = (row - 1, column - 1);
                columns.push(pair(corpus, asked[row], row, stretch.start + column));
            }
            Step::Asked => {
                row -= 1;
                columns.push(Aligned::OnlyAsked(row));
            }
            Step::Attested => {
                column -= 1;
                columns.push(Aligned::OnlyAttested(stretch.start + column));
            }
        }
    }
    columns.reverse();
    let attested = stretch.start + column..end;
    let similarity = similarity(corpus, asked, &attested, &columns);
    Alignment { columns, attested, similarity }
}

fn pair(corpus: &AttestedTexts, sign: AttestedSign, number: usize, place: usize) -> Aligned {
    let attested = corpus.sign(place);
    match worth(corpus, sign, attested) {
        SAME => Aligned::Same(number, place),
        SAME_SIGN => Aligned::Variant(number, place),
        UNKNOWN => Aligned::Unknown(number, place),
        _ => Aligned::Different(number, place),
    }
}

fn similarity(corpus: &AttestedTexts, asked: &[AttestedSign], attested: &Range<usize>, columns: &[Aligned]) -> f32 {
    let agree: f32 = columns
        .iter()
        .map(|column| match column {
            Aligned::Same(..) => 1.0,
            Aligned::Variant(..) => VARIANT,
            _ => 0.0,
        })
        .sum();
    let known = asked.iter().filter(|sign| is_known(**sign)).count();
    // A sign that is not known on one side cannot be held against the other.
    let unknown = columns.iter().filter(|column| matches!(column, Aligned::Unknown(..))).count();
    let attested = attested.clone().filter(|place| is_known(corpus.sign(*place))).count();
    let all = (known + attested).saturating_sub(unknown).max(1);
    (2.0 * agree / all as f32).min(1.0)
}
