//! Finding witnesses: all places of the corpora beside which at least two signs agree with those around the gap.

use super::affinity::Affinity;
use super::features::features;
use super::likeness::Expected;
use super::near::Near;
use super::question::Context;
use super::weights::Weights;
use crate::attested::{AttestedTexts, Place, TEXT_END};

/// How many witnesses are weighed, the likeliest ones.
const MOST_WITNESSES: usize = 400;
/// A witness needs a rough likeness of at least this: more than one sign that agrees.
const LIKE: f32 = 1.25;

/// What chance adds to a likeness at most, so that equally like places are told apart.
const MOST_LOT: f32 = 0.001;

/// A place of the corpora whose neighbours agree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Witness {
    /// Where it stands.
    pub place: Place,
    /// What it weighs.
    pub weight: f32,
}

impl Witness {
    /// The heaviest first, equally heavy ones by their places.
    pub(super) fn sort(witnesses: &mut [Self]) {
        witnesses.sort_by(|one, other| other.weight.total_cmp(&one.weight).then(one.place.cmp(&other.place)));
    }
}

/// What the corpora say about gaps.
#[derive(Clone, Copy, Debug)]
pub struct Contexts<'a> {
    /// The texts.
    pub corpus: &'a AttestedTexts,
    /// What agreement weighs.
    pub weights: &'a Weights,
}

impl Contexts<'_> {
    /// The witnesses for a gap, the heaviest first. `kinds` are the kinds of sign that may stand there: with a word's
    /// beginning, without, or both.
    pub fn witnesses(&self, context: &Context, kinds: &[bool], affinity: &Affinity) -> Vec<Witness> {
        let found = self.likely_places(context, kinds, affinity);
        let weigh = |place: Place| {
            let weight = self.weights.of(&features(context, self.corpus, affinity, place as usize));
            Witness { place, weight }
        };
        let mut witnesses: Vec<Witness> = found.into_iter().map(weigh).collect();
        Witness::sort(&mut witnesses);
        witnesses
    }

    /// The places that are weighed, of each kind 400 at most, chosen by a rough likeness. Among equally like ones
    /// chance decides, in the same way each time, so that no corpus comes first.
    pub fn likely_places(&self, context: &Context, kinds: &[bool], affinity: &Affinity) -> Vec<Place> {
        let expected = Expected::around(context, self.corpus.readings());
        let near = Near::of(context, self.corpus, &expected);
        let mut found = kinds.iter().map(|kind| (*kind, Likeliest::new(MOST_WITNESSES))).collect::<Vec<_>>();
        for (number, seed) in near.seeds().iter().enumerate() {
            let at_most = near.at_most(number);
            // No place of any kind can be among the likeliest below it.
            let mut floor = floor(&found, affinity);
            for place in self.corpus.places(seed.class) {
                let Some(place) = (*place as usize).checked_add_signed(-seed.offset) else { continue };
                let at_most = at_most.get(near.way(self.corpus, place));
                if at_most < floor {
                    continue;
                }
                let sign = self.corpus.sign(place);
                let likeliest = found.iter_mut().find(|(kind, _)| *kind == sign.starts_word);
                let Some((_, likeliest)) = likeliest.filter(|_| sign.reading > TEXT_END) else { continue };
                let text = self.corpus.text_at(place).unwrap_or_default();
                let kin = affinity.kinship(text) + lot(place);
                let needed = LIKE.max(likeliest.least - kin);
                if at_most < needed || !affinity.admits(text) {
                    continue;
                }
                let likeness = expected.likeness(self.corpus, place, needed);
                if likeness.is_some_and(|likeness| likeliest.add(likeness + kin, place as Place)) {
                    floor = self::floor(&found, affinity);
                }
            }
        }
        found.into_iter().flat_map(|(_, likeliest)| likeliest.places()).collect()
    }
}

/// What a place must be like at least, before its text is known, to be among the likeliest of any kind.
fn floor(found: &[(bool, Likeliest)], affinity: &Affinity) -> f32 {
    let least = found.iter().map(|(_, likeliest)| likeliest.least).fold(f32::MAX, f32::min);
    LIKE.max(least - affinity.closest() - MOST_LOT)
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
        Self { most, found: Vec::with_capacity(most + most / 4), least: f32::MIN }
    }

    /// Adds a place; true when the others have become fewer, and `least` may have risen.
    fn add(&mut self, likeness: f32, place: Place) -> bool {
        self.found.push((likeness, place));
        let is_full = self.found.len() >= self.most + self.most / 4;
        if is_full {
            self.cut();
        }
        is_full
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

/// A number of at most [`MOST_LOT`] that depends on the place alone.
fn lot(place: usize) -> f32 {
    (place as u32).wrapping_mul(2_654_435_761) as f32 * (MOST_LOT / u32::MAX as f32)
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
                if *value < likeliest.least { refused.push(place) } else { _ = likeliest.add(*value, place) }
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
