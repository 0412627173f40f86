//! The vote of the nearest texts, and what its numbers are.

use super::nearest::Near;
use super::origin::Origin;
use crate::attested::AttestedTexts;
use std::collections::BTreeMap;
use tuppum_tasks::attribution::LikelyOrigin;

/// How texts vote: each of the nearest adds e^(likeness / temperature) - 1 to its own origin, all texts of the corpora
/// together add `prior`, divided as they are. Probabilities are as these sums to a power that grows with the text,
/// since of a longer one the votes are surer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Voting {
    /// How many texts vote.
    pub voters: usize,
    /// How much less a text that is less like weighs: the lower, the less.
    pub temperature: f32,
    /// What the frequencies of origins in the corpora weigh beside the votes.
    pub prior: f32,
    /// The power for a text of twenty signs or fewer; 1 leaves sums as they are.
    pub sharpness: f32,
    /// What the power grows by from one text to another that is e times as long.
    pub growth: f32,
}

/// A text of no more known signs is short.
const SHORT: f32 = 20.0;
/// No exponent is greater.
const STEEPEST: f32 = 50.0;

impl Voting {
    /// The numbers fitted on the validation texts, as `docs/context.md` tells.
    pub fn shipped(origin: Origin) -> Self {
        match origin {
            Origin::Period => Self { voters: 20, temperature: 0.5, prior: 0.1, sharpness: 1.5, growth: 0.0 },
            Origin::Project => Self { voters: 20, temperature: 0.5, prior: 0.1, sharpness: 1.0, growth: 0.2 },
        }
    }

    /// The origins of the corpora with their probabilities, the likeliest first, for a text of so many known signs.
    pub fn likely(&self, corpus: &AttestedTexts, origin: Origin, nearest: &[Near], signs: usize) -> Vec<LikelyOrigin> {
        let origins = Origins::new(corpus, origin);
        let votes = self.vote(&origins, &origins.ballot(nearest), signs);
        let likely =
            |(name, (probability, texts)): (&&str, _)| LikelyOrigin { name: name.to_string(), probability, texts };
        let mut found: Vec<LikelyOrigin> = origins.names.iter().zip(votes).map(likely).collect();
        found.sort_by(|one, other| other.probability.total_cmp(&one.probability).then(one.name.cmp(&other.name)));
        found
    }

    /// For each origin its probability, and how many texts voted for it.
    pub(super) fn vote(&self, origins: &Origins, ballot: &[(usize, f32)], signs: usize) -> Vec<(f32, usize)> {
        let mut votes: Vec<(f32, usize)> = origins.shares.iter().map(|share| (self.prior * share, 0)).collect();
        for (origin, likeness) in ballot.iter().take(self.voters) {
            if let Some((sum, texts)) = votes.get_mut(*origin) {
                *sum += (likeness / self.temperature).min(STEEPEST).exp_m1();
                *texts += 1;
            }
        }
        let power = self.sharpness + self.growth * (signs as f32 / SHORT).max(1.0).ln();
        votes.iter_mut().for_each(|(sum, _)| *sum = sum.powf(power));
        let all: f32 = votes.iter().map(|(sum, _)| sum).sum::<f32>().max(f32::MIN_POSITIVE);
        votes.iter_mut().for_each(|(sum, _)| *sum /= all);
        votes
    }
}

/// The origins of the corpora.
pub(super) struct Origins<'c> {
    /// Their names in order.
    names: Vec<&'c str>,
    /// The share of each among the texts of which the origin is known.
    shares: Vec<f32>,
    /// The place of each text's origin among the names; [`NO_ORIGIN`] where it is not known.
    of_text: Vec<usize>,
}

/// What stands for the origin of a text where it is not known.
const NO_ORIGIN: usize = usize::MAX;

impl<'c> Origins<'c> {
    /// Those of some texts.
    pub fn new(corpus: &'c AttestedTexts, origin: Origin) -> Self {
        let of_texts: Vec<Option<&str>> = corpus.texts().iter().map(|text| origin.of(text)).collect();
        let mut counts: BTreeMap<&str, f32> = BTreeMap::new();
        of_texts.iter().flatten().for_each(|name| *counts.entry(name).or_default() += 1.0);
        let all = counts.values().sum::<f32>().max(1.0);
        let names: Vec<&str> = counts.keys().copied().collect();
        let place = |name: &Option<&str>| name.and_then(|name| names.binary_search(&name).ok()).unwrap_or(NO_ORIGIN);
        let of_text = of_texts.iter().map(place).collect();
        Self { shares: counts.values().map(|count| count / all).collect(), of_text, names }
    }

    /// The place of an origin.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.names.binary_search(&name).ok()
    }

    /// Which origin each of these texts votes for, and with what likeness; [`NO_ORIGIN`] for none.
    pub fn ballot(&self, nearest: &[Near]) -> Vec<(usize, f32)> {
        let of = |near: &Near| self.of_text.get(usize::from(near.text)).copied().unwrap_or(NO_ORIGIN);
        nearest.iter().map(|near| (of(near), near.likeness)).collect()
    }
}
