//! Breaks of unknown length: every length is tried and filled, then they are compared.
//!
//! A filling of few signs always has the greater probability, so a length `k` with its filling scores `ln P(k) + Σ ln
//! pᵢ − E(k)`: how common breaks of `k` signs are in the corpora, how well the filling fits, and how well `k` signs
//! filled in the same way fit on average.
//!
//! All lengths are filled side by side in at most [`STEPS`] steps, each one call of the scorer. A step has two rows per
//! length: in the first row, places with an uncertain boundary alternate between `<mask>` and `-<mask>`, as in words of
//! two signs; in the second row they are exchanged. So every place is seen with both masks. Then the most certain
//! places are filled, but never two neighbours in one step, since neither would know of the other.

use super::joint::{Choice, Ground};
use super::knowledge::{Knowledge, PlaceEvidence};
use super::plan::Gap;
use super::singles::WordStart;
use super::template::{Filling, Template, UnitIndex};
use super::window::around;
use super::{JointReading, LengthAnswer, Logits, Proposal, Row, Scorer};
use std::ops::Range;

/// Number of steps in which a length is filled.
pub const STEPS: usize = 4;
/// Largest number of slots in a row: a break is filled from the lines around it. Ten lengths are some seventy rows,
/// which already take a processor ten seconds.
const LONGEST_WINDOW: usize = 63;

/// Result for one break.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BreakAnswer {
    /// Readings of a single sign in the place of the break.
    pub proposals: Vec<Proposal>,
    /// Probability that a word begins there.
    pub word_start: f32,
    /// Every length, most probable first.
    pub lengths: Vec<LengthAnswer>,
}

/// Fills the break `number` of the plan at every length from 1 to `longest`, with `filling` in the other gaps.
/// `on_step` gets the number of finished steps, out of [`STEPS`].
///
/// # Errors
/// Returns the scorer's errors.
pub async fn lengths<S: Scorer, K: Knowledge>(
    ground: &Ground<'_, K>,
    (number, gap): (usize, &Gap),
    filling: &Filling,
    (longest, top): (usize, usize),
    scorer: &mut S,
    mut on_step: impl FnMut(usize),
) -> Result<BreakAnswer, S::Error> {
    let opened = |length| Trial::new(ground.template.opened(number, length, &gap.first, filling));
    let mut trials: Vec<Trial> = (1..=longest).map(opened).collect();
    let mut answer = BreakAnswer { word_start: 1.0, ..BreakAnswer::default() };
    for step in 0..STEPS {
        let mut rows: Vec<Row> = Vec::new();
        let pairs: Vec<Pair> = trials.iter().map(|trial| trial.pair(ground.knowledge, scorer)).collect();
        rows.extend(pairs.iter().flat_map(|pair| pair.rows.clone()));
        if rows.is_empty() {
            break;
        }
        let logits = scorer.score(&rows).await?;
        let mut rest = logits.as_slice();
        for (trial, pair) in trials.iter_mut().zip(&pairs) {
            let (own, others) = rest.split_at(pair.rows.len().min(rest.len()));
            rest = others;
            if step == 0 && trial.template.units.len() == 1 {
                answer.word_start = pair.starts.first().map_or(1.0, |start| start.probability);
                answer.proposals = trial.proposals(ground.knowledge, pair, own, (0, 0), top);
            }
            trial.fill(ground, number, pair, own, step + 1 == STEPS);
        }
        on_step(step + 1);
    }
    on_step(STEPS);
    answer.lengths = ranked(ground.knowledge, trials);
    Ok(answer)
}

/// Returns lengths with their probabilities among those tried, most probable first.
fn ranked<K: Knowledge>(knowledge: &K, trials: Vec<Trial>) -> Vec<LengthAnswer> {
    let score = |trial: &Trial| {
        let length = trial.template.units.len();
        knowledge.log_length(length) + trial.log_probability - knowledge.expected_log_probability(length)
    };
    let scores: Vec<f32> = trials.iter().map(score).collect();
    let shares = shares(&scores);
    let answers = trials.into_iter().zip(shares).map(|(trial, probability)| LengthAnswer {
        length: trial.template.units.len(),
        probability,
        readings: trial.readings.into_iter().flatten().collect(),
    });
    let mut answers: Vec<LengthAnswer> = answers.collect();
    answers.sort_by(|one, other| other.probability.total_cmp(&one.probability));
    answers
}

/// Returns probabilities in proportion to the exponentials of the scores (softmax).
pub fn shares(scores: &[f32]) -> Vec<f32> {
    let greatest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let weights: Vec<f32> = scores.iter().map(|score| (score - greatest).exp()).collect();
    let sum: f32 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

/// One length being filled.
struct Trial {
    template: Template,
    window: Range<usize>,
    filling: Filling,
    readings: Vec<Option<JointReading>>,
    log_probability: f32,
}

/// The two rows of a step, and the units that they ask for.
#[derive(Default)]
struct Pair {
    rows: Vec<Row>,
    open: Vec<UnitIndex>,
    starts: Vec<WordStart>,
    /// Masks of the first row.
    masks: Vec<bool>,
}

impl Trial {
    fn new(template: Template) -> Self {
        let first = template.places.first().copied().unwrap_or(0);
        let window = around(&template, &(first..first + template.units.len()), LONGEST_WINDOW);
        let filling = template.nothing_filled();
        let readings = vec![None; template.units.len()];
        Self { template, window, filling, readings, log_probability: 0.0 }
    }

    fn start<K: Knowledge>(&self, knowledge: &K, unit: UnitIndex) -> WordStart {
        WordStart::of(knowledge, &self.template, unit, &self.filling)
    }

    /// Returns the number of places that a step fills, so that [`STEPS`] steps fill all.
    fn quota(&self) -> usize {
        self.template.units.len().div_ceil(STEPS)
    }

    fn pair<K: Knowledge, S: Scorer>(&self, knowledge: &K, scorer: &mut S) -> Pair {
        let units = 0..self.template.units.len();
        let open: Vec<UnitIndex> = units.clone().filter(|&unit| self.readings[unit].is_none()).collect();
        if open.is_empty() {
            return Pair::default();
        }
        let mut starts: Vec<WordStart> = units.map(|unit| self.start(knowledge, unit)).collect();
        let row =
            |starts: &[WordStart]| self.template.row(&self.window, &self.filling, &WordStart::masks(starts), &open);
        WordStart::inform(&mut starts, &open, row, scorer);
        let mut begins = false;
        let mut mask = |start: &WordStart| {
            // Uncertain places alternate after any kind of neighbour, as in words of two signs.
            begins = if start.open { !begins } else { start.likelier() };
            begins
        };
        let masks: Vec<bool> = starts.iter().map(&mut mask).collect();
        let mut rows = vec![self.template.row(&self.window, &self.filling, &masks, &open)];
        if open.iter().any(|&unit| starts[unit].open) {
            let exchanged: Vec<bool> = masks.iter().zip(&starts).map(|(mask, start)| *mask != start.open).collect();
            rows.push(self.template.row(&self.window, &self.filling, &exchanged, &open));
        }
        Pair { rows, open, starts, masks }
    }

    fn proposals<K: Knowledge>(
        &self,
        knowledge: &K,
        pair: &Pair,
        logits: &[Logits],
        (unit, place): (UnitIndex, usize),
        top: usize,
    ) -> Vec<Proposal> {
        let (Some(slot), Some(start)) = (self.template.units.get(unit), pair.starts.get(unit)) else {
            return Vec::new();
        };
        let row = |row: usize| logits.get(row).and_then(|places| places.get(place)).map(Vec::as_slice);
        let first_begins = pair.masks.get(unit).copied().unwrap_or(true);
        let other = if start.open { row(1) } else { None };
        let (begins, inside) = if first_begins { (row(0), other) } else { (other, row(0)) };
        let evidence = PlaceEvidence { start: begins, inside, word_start: start.probability, traces: &slot.traces };
        knowledge.proposals(&evidence, top)
    }

    /// Fills the most certain places of this step; in the last step all.
    fn fill<K: Knowledge>(&mut self, ground: &Ground<'_, K>, gap: usize, pair: &Pair, logits: &[Logits], last: bool) {
        let mut best: Vec<(UnitIndex, Option<Choice>)> = Vec::with_capacity(pair.open.len());
        for (place, &unit) in pair.open.iter().enumerate() {
            let proposals = self.proposals(ground.knowledge, pair, logits, (unit, place), 1);
            best.push((unit, ground.choices(gap, &proposals, 1.0, 1).into_iter().next()));
        }
        let certainty = |choice: &Option<Choice>| choice.as_ref().map_or(0.0, |choice| choice.reading.probability);
        best.sort_by(|(_, one), (_, other)| certainty(other).total_cmp(&certainty(one)));
        let mut taken: Vec<UnitIndex> = Vec::new();
        for (unit, choice) in best {
            let beside = taken.iter().any(|other| other.abs_diff(unit) == 1);
            if last || (taken.len() < self.quota() && !beside) {
                taken.push(unit);
                self.take(unit, choice);
            }
        }
    }

    fn take(&mut self, unit: UnitIndex, choice: Option<Choice>) {
        let Some(choice) = choice else {
            // Nothing fits the traces: this length is nearly impossible, and the place stays a mask.
            self.log_probability += f32::MIN_POSITIVE.ln();
            return;
        };
        self.log_probability += choice.reading.probability.ln();
        self.filling[unit] = Some(choice.token);
        self.readings[unit] = Some(choice.reading);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::restoration::plan::Extent;
    use crate::restoration::template::Unit;
    use crate::restoration::toy::{ToyScorer, on_ground, template};
    use tuppum_testing::now;
    use tuppum_text::tokens::{INNER_MASK, MASK};

    fn run(text: &str, longest: usize, first: Unit, scorer: &mut ToyScorer) -> Result<BreakAnswer, &'static str> {
        let template = template(text);
        let gap = Gap { sign: 7, extent: Extent::Unknown, first };
        let filling = template.nothing_filled();
        on_ground(&template, 0.5, |ground| now(lengths(ground, (0, &gap), &filling, (longest, 20), scorer, |_| ())))
    }

    #[test]
    fn every_length_is_filled_in_few_calls() {
        let mut scorer = ToyScorer::default();
        let found = run("aaaga/aaa", 10, Unit::unknown(0), &mut scorer).unwrap_or_default();
        let mut tried: Vec<usize> = found.lengths.iter().map(|length| length.length).collect();
        assert!(found.lengths.iter().all(|length| length.readings.len() == length.length));
        tried.sort_unstable();
        assert_eq!(tried, (1..=10).collect::<Vec<_>>());
        assert_eq!(scorer.calls.len(), STEPS);
        assert_eq!(scorer.calls[0].len(), 20, "both masks of ten lengths in one call");
        let sum: f32 = found.lengths.iter().map(|length| length.probability).sum();
        assert!((sum - 1.0).abs() < 1e-5, "probabilities of all lengths: {sum}");
        assert!(found.lengths.is_sorted_by(|one, other| one.probability >= other.probability));
    }

    #[test]
    fn the_two_rows_of_a_length_have_opposite_masks() {
        let mut scorer = ToyScorer::default();
        assert!(run("aga", 3, Unit::unknown(0), &mut scorer).is_ok());
        let rows = &scorer.calls[0];
        assert_eq!(rows[4].ids[2..5], [MASK, INNER_MASK, MASK]);
        assert_eq!(rows[5].ids[2..5], [INNER_MASK, MASK, INNER_MASK]);
    }

    #[test]
    fn the_score_is_prior_and_fit_less_what_is_expected() {
        let mut scorer = ToyScorer::default();
        let found = run("aga", 3, Unit::unknown(0), &mut scorer).unwrap_or_default();
        // The toy's prior is -k and its expectation -2k.
        let score = |length: &LengthAnswer| {
            let fit: f32 = length.readings.iter().map(|reading| reading.probability.ln()).sum();
            fit + length.length as f32
        };
        for pair in found.lengths.windows(2) {
            let expected = (score(&pair[1]) - score(&pair[0])).exp();
            assert!((pair[1].probability / pair[0].probability - expected).abs() < 1e-4, "{pair:?}");
        }
    }

    #[test]
    fn a_long_text_is_cut_to_the_surroundings() {
        let mut scorer = ToyScorer::default();
        let text = format!("{}g{}", "aaaaaaaa/".repeat(50), "/aaaaaa".repeat(50));
        assert!(run(&text, 10, Unit::unknown(0), &mut scorer).is_ok());
        assert!(scorer.calls.iter().flatten().all(|row| row.ids.len() <= LONGEST_WINDOW + 1));
    }

    #[test]
    fn what_can_be_seen_holds_for_the_first_sign() {
        let mut first = Unit::unknown(0);
        first.traces.starts_with = "b".into();
        let found = run("aga", 4, first, &mut ToyScorer::default()).unwrap_or_default();
        assert!(found.lengths.iter().all(|length| length.readings[0].reading == "b"));
        assert!(found.proposals.iter().all(|proposal| proposal.reading == "b"));
    }

    #[test]
    fn a_stopped_scorer_stops_the_search() {
        let mut scorer = ToyScorer { fails_after: Some(2), ..ToyScorer::default() };
        assert_eq!(run("aga", 10, Unit::unknown(0), &mut scorer), Err("cancelled"));
    }
}
