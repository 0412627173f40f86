//! How well network and attested contexts restore together: known signs with their witnesses, weights fitted on one
//! half of the texts and measured on the other, and tables by corpus and by whether the context is attested.

use crate::restoration::{RestorationScores, Tally};
use serde::Serialize;
use std::collections::BTreeMap;
use tuppum_corpus::context::{Affinity, Context, Contexts, CorpusTokens, Example, Fitting, Weights, fit, signs_of};
use tuppum_random::Random;
use tuppum_tasks::restoration::Scorer;
use tuppum_tasks::restoration::targets::starts_word;
use tuppum_text::tokens::{TokenId, Vocabulary};
use tuppum_train::sequences::{Sequence, masked_as_it_is};

/// How many signs around a gap must agree without a break for its context to count as attested.
pub const ATTESTED: usize = 5;

/// A sign that is known, what the network says of its place, and what witnesses it.
#[derive(Clone, Debug)]
pub struct KnownSign {
    /// The number of its text.
    pub text: usize,
    /// The number of its corpus.
    pub corpus: usize,
    example: Example,
    /// What each witness reads, if the network has a token for it.
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
    /// How many answers are likelier.
    pub rank: usize,
    /// Probability of the first answer.
    pub confidence: f32,
}

impl KnownSign {
    /// The masked places of a sequence, scored by the network and looked up in the corpora.
    ///
    /// # Errors
    /// Those of the scorer.
    pub async fn all_of<S: Scorer>(
        (sequence, places): (&Sequence, &[usize]),
        (text, corpus): (usize, usize),
        vocabulary: &Vocabulary,
        (contexts, tokens): (&Contexts<'_>, &CorpusTokens),
        scorer: &mut S,
    ) -> Result<Vec<Self>, S::Error> {
        let (row, signs) = masked_as_it_is(sequence, places, vocabulary);
        let question = tokens.question(&row.ids);
        let known = tokens.question(&sequence.ids);
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
            found.push(Self { text, corpus, example, reads, network, sign });
        }
        Ok(found)
    }

    /// What network and witnesses answer together; without weights the network alone.
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

    /// Whether five signs around the place stand somewhere in the corpora without a break.
    pub fn is_attested(&self) -> bool {
        self.example.longest_run() >= ATTESTED
    }
}

/// Weights fitted to all signs, and the answers for each sign by weights that were fitted without its text.
#[derive(Clone, Debug)]
pub struct CrossFitted {
    /// Weights of all signs: those to use.
    pub weights: Weights,
    /// The answers, in the order of the signs.
    pub answers: Vec<Answered>,
}

/// Fits on each half of the texts and answers the other.
pub fn cross_fit(signs: &[KnownSign], fitting: &Fitting) -> CrossFitted {
    let mut texts: Vec<usize> = signs.iter().map(|sign| sign.text).collect();
    texts.dedup();
    Random::new(fitting.seed).shuffle(&mut texts);
    let first: std::collections::HashSet<usize> = texts.iter().copied().take(texts.len() / 2).collect();
    let fitted = |keep: &dyn Fn(&KnownSign) -> bool| {
        let examples: Vec<Example> = signs.iter().filter(|sign| keep(sign)).map(|sign| sign.example.clone()).collect();
        fit(&examples, fitting).weights
    };
    let (by_first, by_second) =
        (fitted(&|sign| first.contains(&sign.text)), fitted(&|sign| !first.contains(&sign.text)));
    let answer = |sign: &KnownSign| {
        let weights = if first.contains(&sign.text) { &by_second } else { &by_first };
        sign.answered(Some(weights))
    };
    let answers = signs.iter().map(answer).collect();
    CrossFitted { weights: fitted(&|_| true), answers }
}

/// A bin of stated probabilities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct CalibrationBin {
    /// How many answers lie in it.
    pub answers: usize,
    /// Their mean stated probability.
    pub stated: f64,
    /// Which share of them is right.
    pub right: f64,
}

/// First answers by tenths of their stated probability.
pub fn calibration(answers: &[Answered]) -> [CalibrationBin; 10] {
    let mut bins = [CalibrationBin::default(); 10];
    for answer in answers {
        let bin = &mut bins[((answer.confidence * 10.0) as usize).min(9)];
        bin.answers += 1;
        bin.stated += f64::from(answer.confidence);
        bin.right += f64::from(u8::from(answer.rank == 0));
    }
    for bin in &mut bins {
        let count = bin.answers.max(1) as f64;
        (bin.stated, bin.right) = (bin.stated / count, bin.right / count);
    }
    bins
}

/// RestorationScores of all answers, of each corpus, and of signs with and without an attested context.
pub fn by_stratum(signs: &[KnownSign], answers: &[Answered], corpora: &[String]) -> Vec<(String, RestorationScores)> {
    let mut tallies: BTreeMap<(usize, String), Tally> = BTreeMap::new();
    for (sign, answer) in signs.iter().zip(answers) {
        let corpus = corpora.get(sign.corpus).cloned().unwrap_or_default();
        let attested = if sign.is_attested() { "context attested" } else { "context not attested" };
        for key in [(0, "all".to_owned()), (1, corpus), (2, attested.to_owned())] {
            tallies.entry(key).or_default().add(answer.log_probability, answer.rank);
        }
    }
    tallies.into_iter().map(|((_, name), tally)| (name, tally.scores())).collect()
}
