//! Known signs with their witnesses, the answers of network and attested contexts for them, and tables by corpus, by
//! period and by whether the context is attested.

use std::collections::BTreeMap;
use tuppum_corpus::context::{Affinity, Context, Contexts, CorpusTokens, Example, Weights, signs_of};
use tuppum_domain::restoration::Scorer;
use tuppum_domain::restoration::scorer::starts_word;
use tuppum_eval::restoration::{RestorationScores, Tally};
use tuppum_text::signs::Period;
use tuppum_text::tokens::{TokenId, Vocabulary};
use tuppum_train::sequences::{Sequence, masked_as_it_is};

/// Number of signs around a gap that must agree without a break for its context to count as attested.
pub const ATTESTED: usize = 5;

/// A text whose signs are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KnownText {
    /// Number of the text among all texts.
    pub number: usize,
    /// The number of its corpus.
    pub corpus: usize,
    /// Period of the text, if it is one that the corpora are counted by.
    pub period: Option<Period>,
}

/// A known sign, with the network's probabilities for its place and its witnesses.
#[derive(Clone, Debug)]
pub struct KnownSign {
    /// The text that it stands in.
    pub text: KnownText,
    example: Example,
    /// Reading of each witness, if the network has a token for it.
    reads: Vec<Option<TokenId>>,
    /// The network's probabilities of all tokens.
    network: Vec<f32>,
    sign: TokenId,
}

/// The probability of the right sign and its rank among all answers of its kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answered {
    /// Natural logarithm of its probability.
    pub log_probability: f64,
    /// Number of likelier answers.
    pub rank: usize,
    /// Probability of the first answer.
    pub confidence: f32,
}

impl KnownSign {
    /// Returns the masked places of a sequence, scored by the network and looked up in the corpora.
    ///
    /// # Errors
    /// Errors of the scorer.
    pub async fn all_of<S: Scorer>(
        (sequence, places): (&Sequence, &[usize]),
        text: KnownText,
        vocabulary: &Vocabulary,
        (contexts, tokens): (&Contexts<'_>, &CorpusTokens),
        scorer: &mut S,
    ) -> Result<Vec<Self>, S::Error> {
        let (row, signs) = masked_as_it_is(sequence, places, vocabulary);
        let question = tokens.items(&row.ids);
        let known = tokens.items(&sequence.ids);
        let affinity = Affinity::of(contexts.corpus, &signs_of(&question), None);
        let logits = scorer.score(std::slice::from_ref(&row)).await?.into_iter().next().unwrap_or_default();
        let mut found = Vec::new();
        for ((place, sign), logits) in row.places.iter().zip(signs).zip(logits) {
            let starts_word = starts_word(vocabulary, sign);
            let context = Context::around(&question, *place);
            let places = contexts.likely_places(&context, &[starts_word], &affinity);
            let network = tokens.probabilities(&logits, starts_word);
            let read = signs_of(&known[*place..=*place])[0];
            let of_sign = network.get(sign as usize).copied().unwrap_or_default();
            let example = Example::of(contexts, (&context, &affinity), &places, read, of_sign);
            let reads = places.iter().map(|place| tokens.token(contexts.corpus.sign(*place as usize))).collect();
            found.push(Self { text, example, reads, network, sign });
        }
        Ok(found)
    }

    /// Returns a sign of which only the network says something.
    #[cfg(test)]
    pub(crate) fn of_network(network: &[f32], sign: TokenId) -> Self {
        let (text, example, reads) = (KnownText::default(), Example::default(), Vec::new());
        Self { text, example, reads, network: network.to_vec(), sign }
    }

    /// Returns the sign as it would be if the network's logits were divided by a temperature.
    #[must_use]
    pub fn tempered(&self, temperature: f32) -> Self {
        let mut network: Vec<f32> =
            self.network.iter().map(|probability| probability.powf(temperature.recip())).collect();
        let sum: f32 = network.iter().sum();
        network.iter_mut().for_each(|probability| *probability /= sum);
        let own = network.get(self.sign as usize).copied().unwrap_or_default();
        Self { network, example: self.example.clone().with_network(own), reads: self.reads.clone(), ..*self }
    }

    /// Answers by network and witnesses together; by the network alone without weights.
    pub fn answered(&self, weights: Option<&Weights>) -> Answered {
        let mut all = self.network.clone();
        if let Some(weights) = weights {
            let (mut sum, kappa) = (weights.of_network(), weights.of_network());
            all.iter_mut().for_each(|probability| *probability *= kappa);
            for (token, weight) in self.reads.iter().zip(self.example.weigh(weights)) {
                if let Some(token) = token {
                    all[*token as usize] += weight;
                    sum += weight;
                }
            }
            all.iter_mut().for_each(|probability| *probability /= sum);
        }
        let own = all.get(self.sign as usize).copied().unwrap_or_default();
        Answered {
            log_probability: f64::from(own.max(f32::MIN_POSITIVE)).ln(),
            rank: all.iter().filter(|other| **other > own).count(),
            confidence: all.iter().copied().fold(0.0, f32::max),
        }
    }

    /// Returns the example that weights are fitted to.
    pub fn example(&self) -> &Example {
        &self.example
    }

    /// Returns `true` if five signs around the place stand somewhere in the corpora without a break.
    pub fn is_attested(&self) -> bool {
        self.example.longest_run() >= ATTESTED
    }
}

/// Returns the scores of all answers, of each corpus, of each period (the oldest first), and of signs with and without
/// an attested context.
pub fn by_stratum(signs: &[KnownSign], answers: &[Answered], corpora: &[String]) -> Vec<(String, RestorationScores)> {
    let mut tallies: BTreeMap<(usize, String), Tally> = BTreeMap::new();
    let attested_behind = 3 + Period::ALL.len();
    for (sign, answer) in signs.iter().zip(answers) {
        let corpus = corpora.get(sign.text.corpus).cloned().unwrap_or_default();
        let place = sign.text.period.map_or(Period::ALL.len(), |period| period as usize);
        let period = sign.text.period.map_or("other periods, or none said", Period::name);
        let attested = if sign.is_attested() { "context attested" } else { "context not attested" };
        let keys = [(0, "all"), (1, &*corpus), (2 + place, period), (attested_behind, attested)];
        for (place, name) in keys {
            tallies.entry((place, name.to_owned())).or_default().add(answer.log_probability, answer.rank);
        }
    }
    tallies.into_iter().map(|((_, name), tally)| (name, tally.scores())).collect()
}
