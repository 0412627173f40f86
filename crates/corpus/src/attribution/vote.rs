//! The vote of the nearest texts and its parameters.

use super::nearest::{Origin, SimilarText};
use crate::attested::AttestedTexts;
use std::collections::BTreeMap;
use tuppum_domain::attested::LikelyOrigin;

/// Parameters of the vote. Each of the nearest texts adds e^(similarity / temperature) - 1 to its own origin; all texts
/// of the corpora together add `prior`, divided by their origins. Probabilities are proportional to these sums raised
/// to a power that grows with the text's length, since votes on longer texts are more reliable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Voting {
    /// Number of texts that vote.
    pub voters: usize,
    /// Temperature of the similarities: the lower, the less a less similar text counts.
    pub temperature: f32,
    /// Weight of the frequencies of origins in the corpora.
    pub prior: f32,
    /// Power for a text of up to twenty known signs; 1 leaves the sums as they are.
    pub sharpness: f32,
    /// Increase of the power each time the text is e times as long.
    pub growth: f32,
}

/// Number of known signs up to which the power does not grow.
const SHORT_TEXT_SIGNS: f32 = 20.0;
/// Largest exponent of a vote.
const MAX_EXPONENT: f32 = 50.0;

impl Voting {
    /// Returns the parameters fitted on the validation texts (see `docs/context.md`).
    pub fn shipped(origin: Origin) -> Self {
        match origin {
            Origin::Period => Self { voters: 20, temperature: 0.5, prior: 0.1, sharpness: 1.5, growth: 0.0 },
            Origin::Project => Self { voters: 20, temperature: 0.5, prior: 0.1, sharpness: 1.0, growth: 0.2 },
        }
    }

    /// Returns the origins of the corpora with their probabilities, most likely first, for a text of `signs` known
    /// signs.
    pub fn likely(
        &self,
        corpus: &AttestedTexts,
        origin: Origin,
        nearest: &[SimilarText],
        signs: usize,
    ) -> Vec<LikelyOrigin> {
        let origins = Origins::new(corpus, origin);
        let votes = self.vote(&origins, &origins.ballot(nearest), signs);
        let likely =
            |(name, (probability, texts)): (&&str, _)| LikelyOrigin { name: name.to_string(), probability, texts };
        let mut found: Vec<LikelyOrigin> = origins.names.iter().zip(votes).map(likely).collect();
        found.sort_by(|one, other| other.probability.total_cmp(&one.probability).then(one.name.cmp(&other.name)));
        found
    }

    /// Returns for each origin its probability and the number of texts that voted for it.
    pub(super) fn vote(&self, origins: &Origins, ballot: &[(usize, f32)], signs: usize) -> Vec<(f32, usize)> {
        let mut votes: Vec<(f32, usize)> = origins.shares.iter().map(|share| (self.prior * share, 0)).collect();
        for (origin, likeness) in ballot.iter().take(self.voters) {
            if let Some((sum, texts)) = votes.get_mut(*origin) {
                // Minus 1, so that a text that shares nothing adds nothing; bounded, so that the sum stays finite.
                *sum += (likeness / self.temperature).min(MAX_EXPONENT).exp_m1();
                *texts += 1;
            }
        }
        let power = self.sharpness + self.growth * (signs as f32 / SHORT_TEXT_SIGNS).max(1.0).ln();
        votes.iter_mut().for_each(|(sum, _)| *sum = sum.powf(power));
        let all: f32 = votes.iter().map(|(sum, _)| sum).sum::<f32>().max(f32::MIN_POSITIVE);
        votes.iter_mut().for_each(|(sum, _)| *sum /= all);
        votes
    }
}

/// Origins of the corpora.
pub(super) struct Origins<'c> {
    /// Names in sorted order.
    names: Vec<&'c str>,
    /// Share of each origin among the texts of known origin.
    shares: Vec<f32>,
    /// Index into `names` of each text's origin, or [`NO_ORIGIN`].
    of_text: Vec<usize>,
}

/// Index that stands for an unknown origin.
const NO_ORIGIN: usize = usize::MAX;

impl<'c> Origins<'c> {
    /// Collects the origins of a corpus.
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

    /// Returns the index of an origin.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.names.binary_search(&name).ok()
    }

    /// Returns the origin that each text votes for ([`NO_ORIGIN`] if unknown) and its similarity.
    pub fn ballot(&self, nearest: &[SimilarText]) -> Vec<(usize, f32)> {
        let of = |near: &SimilarText| self.of_text.get(usize::from(near.text)).copied().unwrap_or(NO_ORIGIN);
        nearest.iter().map(|near| (of(near), near.likeness)).collect()
    }
}
