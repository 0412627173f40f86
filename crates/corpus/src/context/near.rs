//! The signs nearest to a gap, by which witnesses are looked up, and what they alone tell of a place: most places agree
//! in one of them and in nothing else.

use super::agreement::{Agreement, REACH};
use super::likeness::Expected;
use super::question::Context;
use crate::attested::{AttestedTexts, ILLEGIBLE, SignClass, TEXT_END};

/// Farther signs than this are not looked up; they only add to the weight.
const NEAR: usize = 4;
/// How many signs of each side are looked up.
const LOOKED_UP: usize = 2;
/// How many of each side are compared at once.
const COMPARED: usize = 3;
/// How many of both sides.
const SLOTS: usize = 2 * COMPARED;

/// The best agreement of each kind that is told apart here, by its number.
const KINDS: [Agreement; 4] = [Agreement::Different, Agreement::Unknown, Agreement::Same, Agreement::End];
/// The number of the kind that matches.
const MATCH: usize = 2;
/// Bits of a number of a kind.
const BITS: usize = 2;
/// Their distances, where none of them is unknown.
const NEAREST: [isize; SLOTS] = [-1, -2, -3, 1, 2, 3];
/// How many signs lie around a place, itself among them, of which the nearest may be compared.
const AROUND: usize = 2 * NEAR + 1;
/// As many as there are numbers of packed signs: such a table is never asked beyond its end.
const PACKED: usize = 1 << u16::BITS;
/// How many ways there are for the signs of one side to agree.
const WAYS_OF_SIDE: usize = 1 << (BITS * COMPARED);
/// How many for those of both.
const WAYS: usize = WAYS_OF_SIDE * WAYS_OF_SIDE;

/// A sign to look up: how far from the gap, negative before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seed {
    pub(super) offset: isize,
    pub(super) class: SignClass,
}

/// The signs to look up, and how every sign of the corpora agrees with each that is near.
pub(super) struct Near {
    seeds: Vec<Seed>,
    /// The distances of the signs compared, those of the left side first; 0 where a side has fewer.
    slots: [isize; SLOTS],
    /// Whether these are the nearest of each side.
    are_nearest: bool,
    /// For every sign as it is packed, the kinds of its agreement with all of them.
    kinds: Box<[u16; PACKED]>,
    /// By the kinds of all, the most that a place is like.
    at_most: ByWay,
}

/// A number for every way in which the signs compared may agree.
pub(super) struct ByWay(Box<[f32; WAYS]>);

impl ByWay {
    fn of(number: impl Fn(usize) -> f32) -> Self {
        let mut all = Box::new([0.0; WAYS]);
        all.iter_mut().enumerate().for_each(|(way, one)| *one = number(way));
        Self(all)
    }

    /// That of a way.
    #[inline]
    pub(super) fn get(&self, way: usize) -> f32 {
        self.0[way % WAYS]
    }
}

impl Near {
    /// The nearest known signs of both sides, up to a break. The rarest comes first: its places are the likest, so that
    /// the others are soon told to be less like.
    pub(super) fn of(context: &Context, corpus: &AttestedTexts, expected: &Expected) -> Self {
        let mut seeds = seeds(context, corpus);
        seeds.sort_by_key(|seed| corpus.places(seed.class).len());
        let mut slots = [0; SLOTS];
        for (side, length) in [context.left.len(), context.right.len()].into_iter().enumerate() {
            let direction = if side == 0 { -1 } else { 1 };
            // What is looked up has to be compared; the nearest others fill the rest.
            let mut offsets: Vec<isize> =
                (1..=length.min(NEAR) as isize).map(|distance| direction * distance).collect();
            offsets.sort_by_key(|offset| (!seeds.iter().any(|seed| seed.offset == *offset), offset.unsigned_abs()));
            slots[side * COMPARED..][..COMPARED].iter_mut().zip(offsets).for_each(|(slot, offset)| *slot = offset);
        }
        let mut kinds = Box::new([0; PACKED]);
        for (slot, offset) in slots.iter().enumerate().filter(|(_, offset)| **offset != 0) {
            for (kinds, agreement) in kinds.iter_mut().zip(expected.agreements(*offset)) {
                *kinds |= kind_of(agreement) << (BITS * slot);
            }
        }
        let at_most = at_most(&slots, expected);
        Self { seeds, slots, are_nearest: slots == NEAREST, kinds, at_most }
    }

    /// The signs to look up, the rarest first.
    pub(super) fn seeds(&self) -> &[Seed] {
        &self.seeds
    }

    /// How all signs compared agree at a place.
    #[inline]
    pub(super) fn way(&self, corpus: &AttestedTexts, place: usize) -> usize {
        let first = place.wrapping_sub(NEAR);
        match corpus.packed_from(first) {
            Some(around) => self.way_among(around),
            // Near the first sign of all, or the last.
            None => self.way_among(&std::array::from_fn(|behind| corpus.sign(first.wrapping_add(behind)).packed())),
        }
    }

    #[inline]
    fn way_among(&self, around: &[u16; AROUND]) -> usize {
        // Distances that the compiler knows take half the time, and these are nearly always those.
        if self.are_nearest { self.way_at(&NEAREST, around) } else { self.way_at(&self.slots, around) }
    }

    #[inline(always)]
    fn way_at(&self, slots: &[isize; SLOTS], around: &[u16; AROUND]) -> usize {
        let kinds = |slot: usize| {
            let sign = around[slots[slot].wrapping_add_unsigned(NEAR) as usize];
            usize::from(self.kinds[usize::from(sign)]) & (ONE << (BITS * slot))
        };
        (0..SLOTS).fold(0, |way, slot| way | kinds(slot))
    }

    /// By the way in which all agree, the most that a place is like; less than anything where an earlier seed has found
    /// it already.
    pub(super) fn at_most(&self, seed: usize) -> ByWay {
        let slot_of = |seed: &Seed| self.slots.iter().position(|offset| *offset == seed.offset);
        let earlier: Vec<usize> = self.seeds[..seed].iter().filter_map(slot_of).collect();
        let is_found = |way: usize| earlier.iter().any(|slot| kind_in(way, *slot) == MATCH);
        ByWay::of(|way| if is_found(way) { f32::MIN } else { self.at_most.get(way) })
    }
}

/// The bits of one kind.
const ONE: usize = (1 << BITS) - 1;

/// By the kinds of all signs compared, the most that a place is like.
fn at_most(slots: &[isize; SLOTS], expected: &Expected) -> ByWay {
    let of_side = |side: usize| -> Vec<f32> {
        let own = &slots[side * COMPARED..][..COMPARED];
        let known = |way, distance: usize| {
            let slot = own.iter().position(|offset| *offset != 0 && offset.unsigned_abs() == distance);
            slot.map(|slot| KINDS[kind_in(way, slot)])
        };
        (0..WAYS_OF_SIDE).map(|way| expected.at_most(side, |distance| known(way, distance))).collect()
    };
    let (left, right) = (of_side(0), of_side(1));
    ByWay::of(|way| left[way % WAYS_OF_SIDE] + right[way / WAYS_OF_SIDE])
}

/// The number of the kind of a slot in the kinds of all.
fn kind_in(way: usize, slot: usize) -> usize {
    (way >> (BITS * slot)) & ONE
}

/// The number of the kind of an agreement.
fn kind_of(agreement: Agreement) -> u16 {
    match agreement {
        Agreement::Different => 0,
        Agreement::Unknown => 1,
        Agreement::Same | Agreement::SameReading | Agreement::SameSign => MATCH as u16,
        Agreement::End => 3,
    }
}

fn seeds(context: &Context, corpus: &AttestedTexts) -> Vec<Seed> {
    let mut seeds = Vec::with_capacity(2 * LOOKED_UP);
    for (direction, signs) in [(-1, &context.left), (1, &context.right)] {
        let known = (1..).zip(signs.iter().take(NEAR));
        let known = known.take_while(|(_, sign)| sign.reading > TEXT_END || sign.reading == ILLEGIBLE);
        let known = known.filter(|(_, sign)| sign.reading > TEXT_END).take(LOOKED_UP);
        seeds.extend(known.map(|(distance, sign)| Seed {
            offset: direction * distance,
            class: corpus.readings().class(sign.reading),
        }));
    }
    debug_assert!(seeds.iter().all(|seed| seed.offset.unsigned_abs() <= REACH));
    seeds
}
