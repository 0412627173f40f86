//! Finding witnesses: all places of the corpora beside which at least two signs agree with those around the gap.

use super::affinity::Affinity;
use super::agreement::{Agreement, REACH};
use super::features::features;
use super::question::Context;
use super::weights::Weights;
use crate::attested::{AttestedTexts, Place, SignClass, TEXT_END};

/// How many witnesses are weighed, the likeliest ones.
const MOST_WITNESSES: usize = 400;
/// Farther signs than this are not looked up; they only add to the weight.
const NEAR: usize = 4;
/// How many signs of each side are looked up.
const LOOKED_UP: usize = 2;
/// A witness needs a rough likeness of at least this: more than one sign that agrees.
const LIKE: f32 = 1.25;

/// A place of the corpora whose neighbours agree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Witness {
    /// Where it stands.
    pub place: Place,
    /// What it weighs.
    pub weight: f32,
}

/// What the corpora say about gaps.
#[derive(Clone, Copy, Debug)]
pub struct Contexts<'a> {
    /// The texts.
    pub corpus: &'a AttestedTexts,
    /// What agreement weighs.
    pub weights: &'a Weights,
}

/// A sign to look up: how far from the gap, negative before it.
#[derive(Clone, Copy, Debug)]
struct Seed {
    offset: isize,
    class: SignClass,
}

impl Contexts<'_> {
    /// The witnesses for a gap with (`starts_word`) or without a word's beginning, the heaviest first.
    pub fn witnesses(&self, context: &Context, starts_word: bool, affinity: &Affinity) -> Vec<Witness> {
        let found = self.likely_places(context, starts_word, affinity);
        let weigh = |place: Place| {
            let weight = self.weights.of(&features(context, self.corpus, affinity, place as usize));
            Witness { place, weight }
        };
        let mut witnesses: Vec<Witness> = found.into_iter().map(weigh).collect();
        witnesses.sort_by(|one, other| other.weight.total_cmp(&one.weight).then(one.place.cmp(&other.place)));
        witnesses
    }

    /// The places that are weighed, 400 at most, chosen by a rough likeness. Among equally like ones chance decides, in
    /// the same way each time, so that no corpus comes first.
    pub fn likely_places(&self, context: &Context, starts_word: bool, affinity: &Affinity) -> Vec<Place> {
        let mut likeliest = Likeliest::new(MOST_WITNESSES);
        self.for_each_place(context, starts_word, |place| {
            let text = self.corpus.text_at(place).unwrap_or_default();
            if affinity.admits(text) {
                let kin = 0.3 * affinity.kindred(text) + 0.1 * (1.0 + affinity.text(text)).ln() + lot(place);
                let needed = LIKE.max(likeliest.least - kin);
                if let Some(likeness) = self.likeness(context, place, needed) {
                    likeliest.add(likeness + kin, place as Place);
                }
            }
        });
        likeliest.places()
    }

    /// Calls for every sign of the kind asked about that has one of the nearest known signs at its distance, once.
    fn for_each_place(&self, context: &Context, starts_word: bool, mut act: impl FnMut(usize)) {
        let seeds = seeds(context, self.corpus);
        for (number, seed) in seeds.iter().enumerate() {
            for place in self.corpus.places(seed.class) {
                let Some(place) = (*place as usize).checked_add_signed(-seed.offset) else { continue };
                let sign = self.corpus.sign(place);
                if sign.reading <= TEXT_END || sign.starts_word != starts_word {
                    continue;
                }
                // Found already by an earlier seed.
                let is_met = |seed: &Seed| {
                    place.checked_add_signed(seed.offset).is_some_and(|beside| self.corpus.class(beside) == seed.class)
                };
                if !seeds[..number].iter().any(is_met) {
                    act(place);
                }
            }
        }
    }

    /// A rough likeness: signs that agree, the nearer the more; what lies beyond one that differs counts less. None as
    /// soon as it is certain to be less than `needed`: most places differ in the nearest signs already.
    fn likeness(&self, context: &Context, place: usize, needed: f32) -> Option<f32> {
        let mut likeness = 0.0;
        let mut sides = [(&context.left, 1.0_f32), (&context.right, 1.0)];
        for distance in 0..REACH {
            for (side, (signs, worth)) in sides.iter_mut().enumerate() {
                let beside = if side == 0 { place.checked_sub(distance + 1) } else { Some(place + distance + 1) };
                let (Some(asked), Some(beside)) = (signs.get(distance), beside) else {
                    *worth = 0.0;
                    continue;
                };
                if *worth == 0.0 {
                    continue;
                }
                let (adds, keeps) = match Agreement::of(*asked, self.corpus.sign(beside), self.corpus.readings()) {
                    Agreement::Same => (1.0, 0.9),
                    Agreement::SameReading => (0.8, 0.9),
                    Agreement::SameSign => (0.6, 0.9),
                    Agreement::Unknown => (0.2, 0.81),
                    Agreement::Different => (0.0, 0.36),
                    Agreement::End => (0.0, 0.0),
                };
                likeness += adds * *worth;
                *worth *= keeps;
                if *worth < 0.1 {
                    *worth = 0.0;
                }
            }
            // If all signs beyond agreed, each would add nine tenths of what the one before it adds.
            let most = 10.0 * (1.0 - 0.9_f32.powi((REACH - 1 - distance) as i32));
            if likeness + most * (sides[0].1 + sides[1].1) < needed {
                return None;
            }
        }
        Some(likeness)
    }
}

/// The likeliest of many places.
struct Likeliest {
    most: usize,
    found: Vec<(f32, Place)>,
    /// No place that is less likely can be among them any more.
    least: f32,
}

impl Likeliest {
    fn new(most: usize) -> Self {
        Self { most, found: Vec::with_capacity(2 * most), least: f32::MIN }
    }

    fn add(&mut self, likeness: f32, place: Place) {
        self.found.push((likeness, place));
        if self.found.len() == 2 * self.most {
            self.cut();
        }
    }

    /// Keeps the likeliest.
    fn cut(&mut self) {
        if self.found.len() > self.most {
            self.found.select_nth_unstable_by(self.most - 1, |one, other| other.0.total_cmp(&one.0));
            self.found.truncate(self.most);
            self.least = self.found[self.most - 1].0;
        }
    }

    fn places(mut self) -> Vec<Place> {
        self.cut();
        self.found.into_iter().map(|(_, place)| place).collect()
    }
}

/// The nearest known signs of both sides, up to a break.
fn seeds(context: &Context, corpus: &AttestedTexts) -> Vec<Seed> {
    let mut seeds = Vec::with_capacity(2 * LOOKED_UP);
    for (direction, signs) in [(-1, &context.left), (1, &context.right)] {
        let known = (1..).zip(signs.iter().take(NEAR));
        let known = known.take_while(|(_, sign)| sign.reading > TEXT_END || sign.reading == crate::attested::ILLEGIBLE);
        let known = known.filter(|(_, sign)| sign.reading > TEXT_END).take(LOOKED_UP);
        seeds.extend(known.map(|(distance, sign)| Seed {
            offset: direction * distance,
            class: corpus.readings().class(sign.reading),
        }));
    }
    debug_assert!(seeds.iter().all(|seed| seed.offset.unsigned_abs() <= REACH));
    seeds
}

/// A number below 0.001 that depends on the place alone.
fn lot(place: usize) -> f32 {
    (place as u32).wrapping_mul(2_654_435_761) as f32 * (0.001 / u32::MAX as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_likeliest_are_those_of_a_whole_sort(values in prop::collection::vec(0.0_f32..1.0, 0..60)) {
            let mut likeliest = Likeliest::new(5);
            let mut refused = Vec::new();
            for (place, value) in (0..).zip(&values) {
                // As the search does: what is certain not to be among them is not added.
                if *value < likeliest.least { refused.push(place) } else { likeliest.add(*value, place) }
            }
            let mut sorted: Vec<(f32, Place)> = values.iter().copied().zip(0..).collect();
            sorted.sort_by(|one, other| other.0.total_cmp(&one.0));
            sorted.truncate(5);
            let least = sorted.last().map_or(0.0, |(value, _)| *value);
            let found = likeliest.places();
            prop_assert_eq!(found.len(), sorted.len());
            prop_assert!(found.iter().all(|place| values[*place as usize] >= least && !refused.contains(place)));
        }
    }
}
