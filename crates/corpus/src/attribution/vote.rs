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
    pub fn likely(
        &self,
        corpus: &AttestedTexts,
        origin: Origin,
        (nearest, signs): (&[Near], usize),
    ) -> Vec<LikelyOrigin> {
        self.vote(&shares(corpus, origin), corpus, origin, (nearest, signs))
    }

    /// The same where the share of every origin in the corpora is known.
    pub(super) fn vote(
        &self,
        shares: &BTreeMap<&str, f32>,
        corpus: &AttestedTexts,
        origin: Origin,
        (nearest, signs): (&[Near], usize),
    ) -> Vec<LikelyOrigin> {
        let start = |(name, share): (&&'_ str, &f32)| (name.to_string(), (self.prior * share, 0));
        let mut votes: BTreeMap<String, (f32, usize)> = shares.iter().map(start).collect();
        for near in nearest.iter().take(self.voters) {
            let voter = corpus.text(near.text).and_then(|text| origin.of(text));
            if let Some((sum, texts)) = voter.and_then(|name| votes.get_mut(name)) {
                *sum += (near.likeness / self.temperature).min(STEEPEST).exp_m1();
                *texts += 1;
            }
        }
        let power = self.sharpness + self.growth * (signs as f32 / SHORT).max(1.0).ln();
        votes.values_mut().for_each(|(sum, _)| *sum = sum.powf(power));
        let all: f32 = votes.values().map(|(sum, _)| sum).sum::<f32>().max(f32::MIN_POSITIVE);
        let likely = |(name, (sum, texts))| LikelyOrigin { name, probability: sum / all, texts };
        let mut found: Vec<LikelyOrigin> = votes.into_iter().map(likely).collect();
        found.sort_by(|one, other| other.probability.total_cmp(&one.probability).then(one.name.cmp(&other.name)));
        found
    }
}

/// The share of each origin among the texts of which it is known.
pub(super) fn shares(corpus: &AttestedTexts, origin: Origin) -> BTreeMap<&str, f32> {
    let mut counts: BTreeMap<&str, f32> = BTreeMap::new();
    for name in corpus.texts().iter().filter_map(|text| origin.of(text)) {
        *counts.entry(name).or_default() += 1.0;
    }
    let all: f32 = counts.values().sum::<f32>().max(1.0);
    counts.values_mut().for_each(|count| *count /= all);
    counts
}
