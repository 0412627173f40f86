//! Aligns a passage with a stretch of the corpora, sign by sign.

use crate::attested::{AttestedSign, AttestedTexts, BREAK, ILLEGIBLE, ReadingId, SignClass, TEXT_END};
use std::ops::Range;

/// Scores of an alignment: for a pair of signs, and for a sign without partner.
const SAME: f32 = 2.0;
const SAME_SIGN: f32 = 1.4;
const UNKNOWN: f32 = 0.3;
const DIFFERENT: f32 = -1.0;
const ALONE: f32 = -1.0;
/// Weight of another reading of the same sign in the similarity; the same reading counts 1.
const VARIANT: f32 = 0.8;

/// Column of an alignment: index of the sign asked about, place of the attested sign, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aligned {
    /// The readings are the same.
    Same(usize, usize),
    /// The readings differ, but both are readings of the same sign.
    Variant(usize, usize),
    /// At least one of the two signs is unknown.
    Unknown(usize, usize),
    /// The signs differ.
    Different(usize, usize),
    /// Only the passage asked about has a sign.
    OnlyAsked(usize),
    /// Only the attested passage has a sign.
    OnlyAttested(usize),
}

/// Best local alignment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Alignment {
    /// Columns in order.
    pub columns: Vec<Aligned>,
    /// Attested signs from the first to the last aligned one.
    pub attested: Range<usize>,
    /// Twice the agreeing signs divided by the known signs of both sides, from 0 to 1; a variant counts four fifths.
    pub similarity: f32,
}

/// Cell from which an alignment reached a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum CameFrom {
    #[default]
    Start,
    Both,
    Asked,
    Attested,
}

/// A sign as it is compared: its reading, and the class of the sign that it is a reading of.
#[derive(Clone, Copy)]
struct ComparedSign {
    reading: ReadingId,
    class: SignClass,
}

impl ComparedSign {
    fn new(corpus: &AttestedTexts, sign: AttestedSign) -> Self {
        Self { reading: sign.reading, class: corpus.readings().class(sign.reading) }
    }

    /// Returns the score of two signs side by side.
    fn worth(self, attested: Self) -> f32 {
        if self.reading == TEXT_END || attested.reading == TEXT_END {
            return f32::MIN;
        }
        if !is_known(self.reading) || !is_known(attested.reading) {
            return UNKNOWN;
        }
        if self.reading == attested.reading {
            return SAME;
        }
        if self.class == attested.class { SAME_SIGN } else { DIFFERENT }
    }
}

/// Aligns a passage with a stretch (Smith and Waterman); the end of a text is aligned with nothing.
pub(crate) fn align(corpus: &AttestedTexts, asked: &[AttestedSign], stretch: Range<usize>) -> Alignment {
    let columns = stretch.len() + 1;
    let attested: Vec<ComparedSign> =
        stretch.clone().map(|place| ComparedSign::new(corpus, corpus.sign(place))).collect();
    let mut steps = vec![CameFrom::Start; (asked.len() + 1) * columns];
    // Scores of the row above from the first column on; this row's scores replace them one by one.
    let mut scores = vec![0.0_f32; stretch.len()];
    let mut best = (0.0, 0, 0);
    for ((row, sign), steps) in (1..).zip(asked).zip(steps.chunks_exact_mut(columns).skip(1)) {
        let sign = ComparedSign::new(corpus, *sign);
        let (mut diagonal, mut left) = (0.0, 0.0);
        let cells = scores.iter_mut().zip(steps.iter_mut().skip(1)).zip(&attested);
        for (column, ((score, step), attested)) in (1..).zip(cells) {
            let above = std::mem::replace(score, 0.0);
            for (sum, from) in [
                (diagonal + sign.worth(*attested), CameFrom::Both),
                (above + ALONE, CameFrom::Asked),
                (left + ALONE, CameFrom::Attested),
            ] {
                if sum > *score {
                    (*score, *step) = (sum, from);
                }
            }
            (diagonal, left) = (above, *score);
            if *score > best.0 {
                best = (*score, row, column);
            }
        }
    }
    traced(corpus, asked, &stretch, &steps, (best.1, best.2))
}

fn is_known(reading: ReadingId) -> bool {
    reading != ILLEGIBLE && reading != BREAK
}

/// Traces the alignment that ends in a cell back to its start.
fn traced(
    corpus: &AttestedTexts,
    asked: &[AttestedSign],
    stretch: &Range<usize>,
    steps: &[CameFrom],
    (mut row, mut column): (usize, usize),
) -> Alignment {
    let end = stretch.start + column;
    let mut columns = Vec::new();
    loop {
        match steps[row * (stretch.len() + 1) + column] {
            CameFrom::Start => break,
            CameFrom::Both => {
                (row, column) = (row - 1, column - 1);
                columns.push(pair(corpus, asked[row], row, stretch.start + column));
            }
            CameFrom::Asked => {
                row -= 1;
                columns.push(Aligned::OnlyAsked(row));
            }
            CameFrom::Attested => {
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
    match ComparedSign::new(corpus, sign).worth(ComparedSign::new(corpus, attested)) {
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
    let known = asked.iter().filter(|sign| is_known(sign.reading)).count();
    // A sign unknown on one side must not count against the other side.
    let unknown = columns.iter().filter(|column| matches!(column, Aligned::Unknown(..))).count();
    let attested = attested.clone().filter(|place| is_known(corpus.sign(*place).reading)).count();
    let all = (known + attested).saturating_sub(unknown).max(1);
    (2.0 * agree / all as f32).min(1.0)
}
