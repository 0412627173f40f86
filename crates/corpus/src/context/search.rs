//! Finds witnesses: all places of the corpora beside which at least two signs agree with those around the gap.

use super::affinity::Affinity;
use super::gap::Context;
use super::likeness::ExpectedAgreements;
use super::near::NearSigns;
use super::weights::{Weights, features};
use crate::attested::{AttestedTexts, Place, TEXT_END};

/// Largest number of witnesses that are weighed, the most similar ones.
const MAX_WITNESSES: usize = 400;
/// Minimum rough similarity of a witness: more than one sign must agree.
const MIN_LIKENESS: f32 = 1.25;

/// Largest random addition to a similarity, which breaks ties between places.
const MAX_LOT: f32 = 0.001;

/// A place of the corpora whose neighbours agree with those of the gap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Witness {
    pub place: Place,
    pub weight: f32,
}

impl Witness {
    /// Sorts by weight, heaviest first, then by place.
    pub(super) fn sort(witnesses: &mut [Self]) {
        witnesses.sort_by(|one, other| other.weight.total_cmp(&one.weight).then(one.place.cmp(&other.place)));
    }
}

/// Corpora and weights from which witnesses are found.
#[derive(Clone, Copy, Debug)]
pub struct Contexts<'a> {
    pub corpus: &'a AttestedTexts,
    /// Weights of the features of a witness.
    pub weights: &'a Weights,
}

impl Contexts<'_> {
    /// Returns the witnesses for a gap, heaviest first. `kinds` lists the kinds of sign that may stand there: `true`
    /// for word-initial, `false` for word-internal.
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

    /// Returns the places to weigh, at most [`MAX_WITNESSES`] of each kind, chosen by rough similarity. Ties are
    /// broken by a hash of the place, the same each time, so that no corpus comes first.
    pub fn likely_places(&self, context: &Context, kinds: &[bool], affinity: &Affinity) -> Vec<Place> {
        let expected = ExpectedAgreements::around(context, self.corpus.readings());
        let near = NearSigns::of(context, self.corpus, &expected);
        let mut found = kinds.iter().map(|kind| (*kind, Likeliest::new(MAX_WITNESSES))).collect::<Vec<_>>();
        for (number, seed) in near.seeds().iter().enumerate() {
            let at_most = near.at_most(number);
            // A place below the floor cannot be among the most similar of any kind.
            let mut floor = floor(&found, affinity);
            for place in self.corpus.places(seed.class) {
                let Some(place) = (*place as usize).checked_add_signed(-seed.offset) else { continue };
                // The cheapest test first: most of the hundreds of thousands of places end here.
                let at_most = at_most.get(near.agreement_code(self.corpus, place));
                if at_most < floor {
                    continue;
                }
                let sign = self.corpus.sign(place);
                let likeliest = found.iter_mut().find(|(kind, _)| *kind == sign.starts_word);
                let Some((_, likeliest)) = likeliest.filter(|_| sign.reading > TEXT_END) else { continue };
                let text = self.corpus.text_at(place).unwrap_or_default();
                let kin = affinity.kinship(text) + lot(place);
                let needed = MIN_LIKENESS.max(likeliest.least - kin);
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

/// Returns the minimum similarity, before the text of a place is known, to be among the most similar of any kind.
fn floor(found: &[(bool, Likeliest)], affinity: &Affinity) -> f32 {
    let least = found.iter().map(|(_, likeliest)| likeliest.least).fold(f32::MAX, f32::min);
    MIN_LIKENESS.max(least - affinity.closest() - MAX_LOT)
}

/// The most similar of many places.
struct Likeliest {
    most: usize,
    found: Vec<(f32, Place)>,
    /// Bound below which a place cannot be among the most similar any more.
    least: f32,
}

impl Likeliest {
    fn new(most: usize) -> Self {
        Self { most, found: Vec::with_capacity(most + most / 4), least: f32::MIN }
    }

    /// Adds a place. Returns `true` if the list was cut, so that `least` may have risen.
    fn add(&mut self, likeness: f32, place: Place) -> bool {
        self.found.push((likeness, place));
        // A selection costs time in proportion to the list, so it waits until a quarter too many have gathered.
        let is_full = self.found.len() >= self.most + self.most / 4;
        if is_full {
            self.cut();
        }
        is_full
    }

    /// Cuts the list to the most similar places.
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

/// Returns a number from 0 to [`MAX_LOT`] that depends on the place alone (multiplicative hashing).
fn lot(place: usize) -> f32 {
    // Knuth's multiplier, 2³² divided by the golden ratio: neighbouring places get numbers far apart.
    (place as u32).wrapping_mul(2_654_435_761) as f32 * (MAX_LOT / u32::MAX as f32)
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
                // As in the search: a place that is certainly not among the most similar is not added.
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
