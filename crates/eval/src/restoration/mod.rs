//! Quality of a restorer on known signs: loss, hits among the first k, mean reciprocal rank.
//!
//! 15 % of the preserved and damaged signs of every sequence are masked together and scored. First with the word
//! boundary given, as the recipe does; then, if asked, without: a broken sign rarely shows whether a word began with
//! it.

mod paired;
mod places;
mod tally;

pub use paired::{RestorerComparison, paired, scores};
pub use places::read_places;
pub use tally::{HITS, RestorationScores, Tally};
pub use tuppum_domain::restoration::scorer::{log_probability, rank_among};
pub use tuppum_train::sequences::{RATE, SEED, choose};

use serde::Serialize;
use tuppum_domain::restoration::Scorer;
use tuppum_domain::restoration::scorer::starts_word;
use tuppum_text::signs::Priors;
use tuppum_text::tokens::{LINE_END, TokenId, Vocabulary};
use tuppum_train::sequences::{Sequence, masked};

/// Number of shares in which the places are tried with the other mask. More shares mean more passes and, for each
/// place, fewer neighbours with the less likely mask at the same time; with four shares it is one masked sign in four.
const SHARES: usize = 4;

/// Results of an evaluation.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// Scores with the word boundary given.
    pub boundary_given: RestorationScores,
    /// Scores with the word boundary not given: both masks are tried and mixed by the priors; a hit is the right
    /// reading, however it is joined.
    pub boundary_unknown: Option<RestorationScores>,
}

/// Sums over the sequences seen so far.
#[derive(Clone, Debug, Default)]
pub struct Evaluation {
    given: Tally,
    unknown: Option<Tally>,
}

impl Evaluation {
    /// Begins with no sequence; `boundary_unknown` asks for the scores without word boundary, which cost five more
    /// passes.
    pub fn new(boundary_unknown: bool) -> Self {
        Self { given: Tally::default(), unknown: boundary_unknown.then(Tally::default) }
    }

    /// Masks these places of a sequence, rising, and scores them.
    ///
    /// # Errors
    /// Errors of the scorer.
    pub async fn add<S: Scorer>(
        &mut self,
        sequence: &Sequence,
        places: &[usize],
        vocabulary: &Vocabulary,
        priors: &Priors,
        scorer: &mut S,
    ) -> Result<(), S::Error> {
        // Places outside the sequence would have no target.
        let places: Vec<usize> = places.iter().copied().filter(|place| *place < sequence.ids.len()).collect();
        if places.is_empty() {
            return Ok(());
        }
        let targets: Vec<TokenId> = places.iter().map(|place| sequence.ids[*place]).collect();
        let starts: Vec<bool> = targets.iter().map(|target| starts_word(vocabulary, *target)).collect();
        let mut rows = vec![masked(sequence, &places, &starts)];
        if self.unknown.is_some() {
            let likely = likely_starts(sequence, &places, vocabulary, priors);
            rows.push(masked(sequence, &places, &likely));
            rows.extend((0..SHARES).map(|share| masked(sequence, &places, &flipped(&likely, share))));
            let logits = scorer.score(&rows).await?;
            self.add_given(&logits[0], &targets, &starts, vocabulary);
            let base = &rows[1];
            let prior = |place: usize| word_start(&base.ids, place, vocabulary, priors);
            let starts = base.places.iter().map(|place| scorer.word_start(base, *place, prior(*place))).collect();
            self.add_unknown(&logits[1..], &targets, &likely, starts, vocabulary);
        } else {
            let logits = scorer.score(&rows).await?;
            self.add_given(&logits[0], &targets, &starts, vocabulary);
        }
        Ok(())
    }

    /// Returns the results so far.
    pub fn report(&self) -> Report {
        Report { boundary_given: self.given.scores(), boundary_unknown: self.unknown.as_ref().map(Tally::scores) }
    }

    fn add_given(&mut self, logits: &[Vec<f32>], targets: &[TokenId], starts: &[bool], vocabulary: &Vocabulary) {
        for ((logits, target), starts) in logits.iter().zip(targets).zip(starts) {
            let of_kind = |id: TokenId| starts_word(vocabulary, id) == *starts;
            self.given.add(log_probability(logits, *target), rank_among(logits, *target, of_kind));
        }
    }

    fn add_unknown(
        &mut self,
        logits: &[Vec<Vec<f32>>],
        targets: &[TokenId],
        likely: &[bool],
        word_starts: Vec<f32>,
        vocabulary: &Vocabulary,
    ) {
        let Some(tally) = &mut self.unknown else { return };
        let readings = Readings::new(vocabulary);
        for (number, (target, word_start)) in targets.iter().zip(word_starts).enumerate() {
            let (likelier, other) = (&logits[0][number], &logits[1 + number % SHARES][number]);
            let (start, inside) = if likely[number] { (likelier, other) } else { (other, likelier) };
            let mixed = readings.mixed(start, inside, word_start);
            if let Some(reading) = readings.of(*target) {
                let probability = mixed[reading];
                let better = mixed.iter().filter(|other| **other > probability).count();
                tally.add(f64::from(probability).max(f64::MIN_POSITIVE).ln(), better);
            }
        }
    }
}

/// The tokens of a vocabulary by reading: `na` and `-na` are one.
struct Readings {
    of_token: Vec<Option<(usize, bool)>>,
    count: usize,
}

impl Readings {
    fn new(vocabulary: &Vocabulary) -> Self {
        let mut numbers = std::collections::HashMap::new();
        let of_token = (0..)
            .take(vocabulary.len())
            .map(|id| {
                let (reading, starts_word) = vocabulary.reading(id)?;
                let next = numbers.len();
                Some((*numbers.entry(reading).or_insert(next), starts_word))
            })
            .collect();
        Self { of_token, count: numbers.len() }
    }

    /// Returns the number of a token's reading.
    fn of(&self, id: TokenId) -> Option<usize> {
        self.of_token.get(id as usize).copied().flatten().map(|(reading, _)| reading)
    }

    /// Probability of every reading: softmax among the tokens of each kind, mixed by the prior of a word start.
    fn mixed(&self, start: &[f32], inside: &[f32], word_start: f32) -> Vec<f32> {
        let mut mixed = vec![0.0; self.count];
        for (logits, share, kind) in [(start, word_start, true), (inside, 1.0 - word_start, false)] {
            let ours = || {
                self.of_token
                    .iter()
                    .zip(logits)
                    .filter_map(|(token, logit)| Some((token.filter(|token| token.1 == kind)?.0, *logit)))
            };
            let largest = ours().map(|(_, logit)| logit).fold(f32::NEG_INFINITY, f32::max);
            let sum: f32 = ours().map(|(_, logit)| (logit - largest).exp()).sum();
            for (reading, logit) in ours() {
                mixed[reading] += share * (logit - largest).exp() / sum;
            }
        }
        mixed
    }
}

/// Returns the likelier kind of each place, from its neighbours.
fn likely_starts(sequence: &Sequence, places: &[usize], vocabulary: &Vocabulary, priors: &Priors) -> Vec<bool> {
    let unknown = masked(sequence, places, &vec![true; places.len()]);
    places.iter().map(|place| word_start(&unknown.ids, *place, vocabulary, priors) >= 0.5).collect()
}

/// Flips the kind of every place of a share.
fn flipped(likely: &[bool], share: usize) -> Vec<bool> {
    likely.iter().enumerate().map(|(number, starts)| *starts != (number % SHARES == share)).collect()
}

/// Probability that a word begins at a place of a row.
fn word_start(ids: &[TokenId], place: usize, vocabulary: &Vocabulary, priors: &Priors) -> f32 {
    let beside = |id: Option<&TokenId>| id.copied().unwrap_or(LINE_END);
    let previous = beside(place.checked_sub(1).and_then(|before| ids.get(before)));
    priors.word_start_between(previous, beside(ids.get(place + 1)), vocabulary)
}

#[cfg(test)]
mod tests;
