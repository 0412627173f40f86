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
        let seeds = seeds(context, self.corpus);
        let mut found: Vec<(f32, Place)> = Vec::new();
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
                if seeds[..number].iter().any(is_met) {
                    continue;
                }
                let likeness = self.likeness(context, place);
                let text = self.corpus.text_at(place).unwrap_or_default();
                if likeness >= LIKE && affinity.admits(text) {
                    let kin = 0.3 * affinity.kindred(text) + 0.1 * (1.0 + affinity.text(text)).ln();
                    found.push((likeness + kin + lot(place), place as Place));
                }
            }
        }
        if found.len() > MOST_WITNESSES {
            found.select_nth_unstable_by(MOST_WITNESSES, |one, other| other.0.total_cmp(&one.0));
            found.truncate(MOST_WITNESSES);
        }
        found.into_iter().map(|(_, place)| place).collect()
    }

    /// A rough likeness: signs that agree, the nearer the more; what lies beyond one that differs counts less.
    fn likeness(&self, context: &Context, place: usize) -> f32 {
        let mut likeness = 0.0;
        for (before, signs) in [(true, &context.left), (false, &context.right)] {
            let mut worth = 1.0;
            for (distance, asked) in signs.iter().enumerate() {
                let beside = if before { place.checked_sub(distance + 1) } else { Some(place + distance + 1) };
                let Some(beside) = beside else { break };
                match Agreement::of(*asked, self.corpus.sign(beside), self.corpus.readings()) {
                    Agreement::Same => likeness += worth,
                    Agreement::SameReading => likeness += 0.8 * worth,
                    Agreement::SameSign => likeness += 0.6 * worth,
                    Agreement::Unknown => {
                        likeness += 0.2 * worth;
                        worth *= 0.9;
                    }
                    Agreement::Different => worth *= 0.4,
                    Agreement::End => break,
                }
                worth *= 0.9;
                if worth < 0.1 {
                    break;
                }
            }
        }
        likeness
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
