//! The vote of the nearest texts, and what its numbers are.

use super::nearest::Near;
use super::origin::Origin;
use crate::attested::AttestedTexts;
use std::collections::BTreeMap;
use tuppum_tasks::attribution::LikelyOrigin;

/// How texts vote: each of the nearest adds e^(likeness / temperature) - 1 to its own origin, all texts of the corpora
/// together add `prior`, divided as they are. Probabilities are as these sums to the power of `sharpness`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Voting {
    /// How many texts vote.
    pub voters: usize,
    /// How much less a text that is less like weighs: the lower, the less.
    pub temperature: f32,
    /// What the frequencies of origins in the corpora weigh beside the votes.
    pub prior: f32,
    /// How much more the origin with most votes counts than its votes say; 1 for not at all.
    pub sharpness: f32,
}

/// No exponent is greater.
const STEEPEST: f32 = 50.0;

impl Voting {
    /// The numbers fitted on the validation texts, as `docs/context.md` tells.
    pub fn shipped(origin: Origin) -> Self {
        match origin {
            Origin::Period => Self { voters: 20, temperature: 0.2, prior: 0.03, sharpness: 1.0 },
            Origin::Project => Self { voters: 20, temperature: 0.2, prior: 0.03, sharpness: 1.0 },
        }
    }

    /// The origins of the corpora with their probabilities, the likeliest first.
    pub fn likely(&self, corpus: &AttestedTexts, origin: Origin, nearest: &[Near]) -> Vec<LikelyOrigin> {
        self.vote(&shares(corpus, origin), corpus, origin, nearest)
    }

    /// The same where the share of every origin in the corpora is known.
    pub(super) fn vote(
        &self,
        shares: &BTreeMap<&str, f32>,
        corpus: &AttestedTexts,
        origin: Origin,
        nearest: &[Near],
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
        votes.values_mut().for_each(|(sum, _)| *sum = sum.powf(self.sharpness));
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
