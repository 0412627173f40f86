//! Looks up witnesses by the signs nearest to a gap and bounds the similarity of each place by these signs alone. Most
//! places agree in one of them and nowhere else, so one table lookup rejects them.

use super::gap::{Agreement, Context, REACH};
use super::likeness::ExpectedAgreements;
use crate::attested::{AttestedTexts, ILLEGIBLE, SignClass, TEXT_END};

/// Largest distance of a sign that is looked up. Signs beyond only add to the weight.
const MAX_DISTANCE: usize = 4;
/// Number of signs looked up on each side.
const SEEDS_PER_SIDE: usize = 2;
/// Number of signs compared at once on each side.
const COMPARED_PER_SIDE: usize = 3;
/// Number of signs compared at once on both sides.
const SLOTS: usize = 2 * COMPARED_PER_SIDE;

/// Best agreement of each kind that is told apart here, indexed by the kind's number.
const KINDS: [Agreement; 4] = [Agreement::Different, Agreement::Unknown, Agreement::Same, Agreement::End];
/// Number of the kind that means a match.
const MATCH: usize = 2;
/// Number of bits of a kind.
const BITS: usize = 2;
/// Offsets of the compared signs if none of them is unknown.
const NEAREST_OFFSETS: [isize; SLOTS] = [-1, -2, -3, 1, 2, 3];
/// Number of signs in the window around a place, itself included, that contains all compared signs.
const WINDOW_SIGNS: usize = 2 * MAX_DISTANCE + 1;
/// One entry per packed sign (16 bits), so that indexing cannot go out of bounds.
const PACKED_SIGNS: usize = 1 << u16::BITS;
/// Number of agreement codes of one side.
const CODES_OF_SIDE: usize = 1 << (BITS * COMPARED_PER_SIDE);
/// Number of agreement codes of both sides.
const CODES: usize = CODES_OF_SIDE * CODES_OF_SIDE;

/// A sign to look up, with its offset from the gap, which is negative before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seed {
    pub(super) offset: isize,
    pub(super) class: SignClass,
}

/// Signs to look up, and the agreement of every sign of the corpora with each compared sign.
pub(super) struct NearSigns {
    seeds: Vec<Seed>,
    /// Offsets of the compared signs, those of the left side first; 0 if a side has fewer.
    slots: [isize; SLOTS],
    /// `true` if the compared signs are the nearest of each side.
    are_nearest: bool,
    /// Kinds of every packed sign's agreement with all compared signs, [`BITS`] bits each.
    kinds: Box<[u16; PACKED_SIGNS]>,
    /// Upper bound of a place's similarity, by agreement code.
    at_most: ByCode,
}

/// A number for every agreement code.
pub(super) struct ByCode(Box<[f32; CODES]>);

impl ByCode {
    fn of(number: impl Fn(usize) -> f32) -> Self {
        let mut all = Box::new([0.0; CODES]);
        all.iter_mut().enumerate().for_each(|(code, one)| *one = number(code));
        Self(all)
    }

    /// Returns the number of a code.
    #[inline]
    pub(super) fn get(&self, code: usize) -> f32 {
        // No code exceeds the table. The remainder shows the compiler so, which then leaves the bounds check out.
        self.0[code % CODES]
    }
}

impl NearSigns {
    /// Takes the nearest known signs of both sides, up to a break. The rarest comes first: its places are the most
    /// similar, which raises the bar early so that the other seeds' places are rejected sooner.
    pub(super) fn of(context: &Context, corpus: &AttestedTexts, expected: &ExpectedAgreements) -> Self {
        let mut seeds = seeds(context, corpus);
        seeds.sort_by_key(|seed| corpus.places(seed.class).len());
        let mut slots = [0; SLOTS];
        for (side, length) in [context.left.len(), context.right.len()].into_iter().enumerate() {
            let direction = if side == 0 { -1 } else { 1 };
            // Signs that are looked up must be compared; the nearest others fill the remaining slots.
            let mut offsets: Vec<isize> =
                (1..=length.min(MAX_DISTANCE) as isize).map(|distance| direction * distance).collect();
            offsets.sort_by_key(|offset| (!seeds.iter().any(|seed| seed.offset == *offset), offset.unsigned_abs()));
            slots[side * COMPARED_PER_SIDE..][..COMPARED_PER_SIDE]
                .iter_mut()
                .zip(offsets)
                .for_each(|(slot, offset)| *slot = offset);
        }
        // One number per packed sign holds its kinds for all slots: a place then costs one load, one mask and one OR
        // per compared sign, without a branch.
        let mut kinds = Box::new([0; PACKED_SIGNS]);
        for (slot, offset) in slots.iter().enumerate().filter(|(_, offset)| **offset != 0) {
            for (kinds, agreement) in kinds.iter_mut().zip(expected.agreements(*offset)) {
                *kinds |= kind_of(agreement) << (BITS * slot);
            }
        }
        let at_most = at_most(&slots, expected);
        Self { seeds, slots, are_nearest: slots == NEAREST_OFFSETS, kinds, at_most }
    }

    /// Signs to look up, rarest first.
    pub(super) fn seeds(&self) -> &[Seed] {
        &self.seeds
    }

    /// Returns the agreement code of a place: the kinds of all compared signs, [`BITS`] bits each.
    #[inline]
    pub(super) fn agreement_code(&self, corpus: &AttestedTexts, place: usize) -> usize {
        let first = place.wrapping_sub(MAX_DISTANCE);
        match corpus.packed_from(first) {
            Some(around) => self.code_in(around),
            // The window reaches beyond the first or last sign of the corpora.
            None => self.code_in(&std::array::from_fn(|behind| corpus.sign(first.wrapping_add(behind)).packed())),
        }
    }

    #[inline]
    fn code_in(&self, around: &[u16; WINDOW_SIGNS]) -> usize {
        // The compiler unrolls constant offsets, which takes half the time, and the offsets are nearly always these.
        if self.are_nearest { self.code_at(&NEAREST_OFFSETS, around) } else { self.code_at(&self.slots, around) }
    }

    #[inline(always)]
    fn code_at(&self, slots: &[isize; SLOTS], around: &[u16; WINDOW_SIGNS]) -> usize {
        let kinds = |slot: usize| {
            // The window begins MAX_DISTANCE signs before the place, so an offset plus MAX_DISTANCE is an index into
            // it.
            let sign = around[slots[slot].wrapping_add_unsigned(MAX_DISTANCE) as usize];
            usize::from(self.kinds[usize::from(sign)]) & (KIND_MASK << (BITS * slot))
        };
        (0..SLOTS).fold(0, |code, slot| code | kinds(slot))
    }

    /// Returns the upper bound of a place's similarity by agreement code; `f32::MIN` if an earlier seed has found the
    /// place.
    pub(super) fn at_most(&self, seed: usize) -> ByCode {
        let slot_of = |seed: &Seed| self.slots.iter().position(|offset| *offset == seed.offset);
        let earlier: Vec<usize> = self.seeds[..seed].iter().filter_map(slot_of).collect();
        // Where an earlier seed matches, that seed has visited the place; a second visit would count it twice.
        let is_found = |code: usize| earlier.iter().any(|slot| kind_in(code, *slot) == MATCH);
        ByCode::of(|code| if is_found(code) { f32::MIN } else { self.at_most.get(code) })
    }
}

/// Mask of one kind.
const KIND_MASK: usize = (1 << BITS) - 1;

/// Computes the upper bound of the similarity for every agreement code, as the sum of both sides' bounds.
fn at_most(slots: &[isize; SLOTS], expected: &ExpectedAgreements) -> ByCode {
    let of_side = |side: usize| -> Vec<f32> {
        let own = &slots[side * COMPARED_PER_SIDE..][..COMPARED_PER_SIDE];
        let known = |code, distance: usize| {
            let slot = own.iter().position(|offset| *offset != 0 && offset.unsigned_abs() == distance);
            slot.map(|slot| KINDS[kind_in(code, slot)])
        };
        (0..CODES_OF_SIDE).map(|code| expected.at_most(side, |distance| known(code, distance))).collect()
    };
    // The sides add up independently, so 2 × 64 bounds give all 4,096.
    let (left, right) = (of_side(0), of_side(1));
    ByCode::of(|code| left[code % CODES_OF_SIDE] + right[code / CODES_OF_SIDE])
}

/// Returns the kind of a slot in an agreement code.
fn kind_in(code: usize, slot: usize) -> usize {
    (code >> (BITS * slot)) & KIND_MASK
}

/// Returns the number of an agreement's kind.
fn kind_of(agreement: Agreement) -> u16 {
    match agreement {
        Agreement::Different => 0,
        Agreement::Unknown => 1,
        Agreement::Same | Agreement::SameReading | Agreement::SameSign => MATCH as u16,
        Agreement::End => 3,
    }
}

fn seeds(context: &Context, corpus: &AttestedTexts) -> Vec<Seed> {
    let mut seeds = Vec::with_capacity(2 * SEEDS_PER_SIDE);
    for (direction, signs) in [(-1, &context.left), (1, &context.right)] {
        let known = (1..).zip(signs.iter().take(MAX_DISTANCE));
        // Beyond a break or the end of the text, distances no longer correspond.
        let known = known.take_while(|(_, sign)| sign.reading > TEXT_END || sign.reading == ILLEGIBLE);
        let known = known.filter(|(_, sign)| sign.reading > TEXT_END).take(SEEDS_PER_SIDE);
        seeds.extend(known.map(|(distance, sign)| Seed {
            offset: direction * distance,
            class: corpus.readings().class(sign.reading),
        }));
    }
    debug_assert!(seeds.iter().all(|seed| seed.offset.unsigned_abs() <= REACH));
    seeds
}
