//! Rough similarity of places to a gap, for choosing witnesses among hundreds of thousands of places.
//!
//! The agreement of every sign of the corpora at each distance is computed once per gap; after that, comparing a place
//! costs one table lookup per sign.

use super::gap::{Agreement, Context, REACH};
use crate::attested::{AttestedSign, AttestedTexts, BREAK, ILLEGIBLE, Readings, TEXT_END};

/// Amount that each agreement adds to the similarity, and its factor for all signs beyond.
const AGREEMENT_STEPS: [(f32, f32); Agreement::COUNT] = {
    let mut steps = [(0.0, 0.0); Agreement::COUNT];
    steps[Agreement::Same as usize] = (1.0, 0.9);
    steps[Agreement::SameReading as usize] = (0.8, 0.9);
    steps[Agreement::SameSign as usize] = (0.6, 0.9);
    steps[Agreement::Unknown as usize] = (0.2, 0.81);
    steps[Agreement::Different as usize] = (0.0, 0.36);
    steps
};
/// Margin above the rounding error of sums in another order.
const ROUNDING_MARGIN: f32 = 1e-3;
/// Factor below which signs are no longer compared.
const MIN_WORTH: f32 = 0.1;

/// Agreement of every sign of the corpora at each distance from a gap.
pub(super) struct ExpectedAgreements {
    /// One [`Agreement`] for each side, distance and packed sign, in this order.
    agreements: Vec<Agreement>,
    /// Number of packed signs.
    signs: usize,
    /// Number of known signs on each side.
    lengths: [usize; 2],
    /// Upper bound of what the signs beyond each distance can add to one side.
    beyond: [f32; REACH],
}

impl ExpectedAgreements {
    /// Computes the agreements for the signs around a gap.
    pub(super) fn around(context: &Context, readings: &Readings) -> Self {
        let signs = 2 * readings.len();
        let mut agreements = Vec::with_capacity(2 * REACH * signs);
        for side in [&context.left, &context.right] {
            for distance in 0..REACH {
                match side.get(distance) {
                    Some(asked) => agreements.extend(with_every_sign(*asked, readings)),
                    None => agreements.resize(agreements.len() + signs, Agreement::End),
                }
            }
        }
        let lengths = [&context.left, &context.right].map(|signs| signs.len().min(REACH));
        // If all signs beyond agreed, each would add nine tenths of what the sign before it adds.
        let beyond = std::array::from_fn(|distance| 10.0 * (1.0 - 0.9_f32.powi((REACH - 1 - distance) as i32)));
        Self { agreements, signs, lengths, beyond }
    }

    /// Returns the agreement of every packed sign with the sign at an offset, which is negative before the gap and
    /// never 0.
    pub(super) fn agreements(&self, offset: isize) -> impl Iterator<Item = Agreement> + '_ {
        let first = (usize::from(offset > 0) * REACH + offset.unsigned_abs() - 1) * self.signs;
        self.agreements.get(first..first + self.signs).unwrap_or_default().iter().copied()
    }

    /// Returns the agreement of `sign` at a distance of at least 1 on one side.
    #[inline]
    fn agreement(&self, side: usize, distance: usize, sign: AttestedSign) -> Agreement {
        let number = (side * REACH + distance - 1) * self.signs + usize::from(sign.packed());
        self.agreements.get(number).copied().unwrap_or(Agreement::End)
    }

    /// Returns an upper bound of one side's similarity if the agreements at some distances are known and all others are
    /// perfect.
    pub(super) fn at_most(&self, side: usize, known: impl Fn(usize) -> Option<Agreement>) -> f32 {
        let (mut likeness, mut worth) = (ROUNDING_MARGIN, 1.0);
        for distance in 1..=self.lengths[side] {
            let (adds, keeps) = AGREEMENT_STEPS[known(distance).unwrap_or(Agreement::Same) as usize];
            likeness += adds * worth;
            worth *= keeps;
        }
        likeness
    }

    /// Returns the similarity of a place: nearer signs count more, and signs beyond a different one count less. Returns
    /// `None` as soon as it must be below `needed`, which for most places the nearest signs show.
    pub(super) fn likeness(&self, corpus: &AttestedTexts, place: usize, needed: f32) -> Option<f32> {
        let mut likeness = 0.0;
        let mut worth = [1.0_f32; 2];
        for distance in 1..=REACH {
            for side in 0..2 {
                if worth[side] == 0.0 {
                    continue;
                }
                let beside = if side == 0 { place.wrapping_sub(distance) } else { place + distance };
                let (adds, keeps) = AGREEMENT_STEPS[self.agreement(side, distance, corpus.sign(beside)) as usize];
                likeness += adds * worth[side];
                worth[side] *= keeps;
                if worth[side] < MIN_WORTH {
                    worth[side] = 0.0;
                }
            }
            if likeness + self.beyond[distance - 1] * (worth[0] + worth[1]) < needed {
                return None;
            }
        }
        Some(likeness)
    }
}

/// Compares a sign with every sign of the corpora, in packed order. Nearly all are simply different and need no
/// comparison.
fn with_every_sign(asked: AttestedSign, readings: &Readings) -> Vec<Agreement> {
    let otherwise = match asked.reading {
        BREAK | TEXT_END => Agreement::End,
        ILLEGIBLE => Agreement::Unknown,
        _ => Agreement::Different,
    };
    let mut all = vec![otherwise; 2 * readings.len()];
    let class = readings.class(asked.reading);
    for (reading, other) in (0..).zip(readings.classes()) {
        if reading <= TEXT_END || *other == class {
            for attested in [false, true].map(|starts_word| AttestedSign { reading, starts_word }) {
                all[usize::from(attested.packed())] = Agreement::of(asked, attested, readings);
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sign_agrees_as_it_does_by_itself() {
        let glyphs = [("a", "𒀀"), ("na", "𒈾"), ("ne₃", "𒉈"), ("bi₂", "𒉈"), ("ṣ", "")];
        let readings = Readings::new(glyphs.map(|(name, glyph)| (name.to_owned(), glyph.to_owned())));
        for packed in 0..2 * readings.len() as u16 {
            let asked = AttestedSign::unpacked(packed);
            let one_by_one = (0..2 * readings.len() as u16)
                .map(|other| Agreement::of(asked, AttestedSign::unpacked(other), &readings));
            assert_eq!(with_every_sign(asked, &readings), one_by_one.collect::<Vec<_>>());
        }
    }
}
