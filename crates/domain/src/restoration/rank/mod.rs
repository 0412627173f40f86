//! Turns logits into proposals: mixes two masks, leaves specials out, applies traces and period, merges variants.
//!
//! For a place where a word begins with probability `w`, with `softmax` taken over the tokens of one kind only:
//!
//! ```text
//! p(token) ∝ (w · softmax(start) or (1 - w) · softmax(inside)) · fits traces (0 or 1) · period(reading)
//! period(reading) = (count in period + 5) / (count expected in period + 5)
//! expected = signs of period · count in all corpora / signs of all corpora
//! ```
//!
//! Adding five on both sides shrinks rare readings towards 1: a reading expected twice and not seen says little, one
//! expected a hundred times and not seen says much.

mod traces;

use super::{Period, Proposal, Traces, Variant};
use std::cmp::Ordering;
use std::collections::HashMap;
use traces::{Form, Pattern};
use tuppum_text::signs::{Frequencies, SignList, fold};
use tuppum_text::tokens::{TokenId, Vocabulary};
use tuppum_text::{Style, write};

/// Count added to the observed and to the expected count. Five is where a Poisson count becomes significant: zero is
/// then seen by chance in less than one of a hundred cases.
const SHRINKAGE: f32 = 5.0;

/// Turns logits over one vocabulary into readings. Everything that depends on the vocabulary alone is computed once.
#[derive(Debug)]
pub struct Ranker {
    /// Reading of each token, with `true` if it begins a word; `None` for specials.
    tokens: Vec<Option<(usize, bool)>>,
    readings: Vec<RankedReading>,
    groups: Vec<Group>,
}

/// A canonical reading, shared by its two tokens.
#[derive(Debug)]
struct RankedReading {
    text: String,
    form: Form,
    group: usize,
    /// Factor of each period, in the order of [`Period::ALL`].
    period_factors: [f32; Period::ALL.len()],
}

/// Readings of one sign that differ only in case or convention.
#[derive(Debug)]
struct Group {
    glyph: String,
    sign_name: String,
    tokens: Vec<TokenId>,
}

impl Ranker {
    /// Prepares a ranker for a model's vocabulary.
    pub fn new(vocabulary: &Vocabulary, list: &SignList, frequencies: &Frequencies) -> Self {
        let mut ranker =
            Ranker { tokens: Vec::with_capacity(vocabulary.len()), readings: Vec::new(), groups: Vec::new() };
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        let mut groups: HashMap<String, usize> = HashMap::new();
        for id in (0..).take(vocabulary.len()) {
            let Some((text, starts_word)) = vocabulary.reading(id) else {
                ranker.tokens.push(None);
                continue;
            };
            let number = *numbers.entry(text).or_insert_with(|| ranker.add(text, &mut groups, list, frequencies));
            ranker.tokens.push(Some((number, starts_word)));
            let group = ranker.readings.get(number).map(|reading| reading.group);
            if let Some(group) = group.and_then(|group| ranker.groups.get_mut(group)) {
                group.tokens.push(id);
            }
        }
        ranker
    }

    /// Adds a reading to the group of its folded form.
    fn add(
        &mut self,
        text: &str,
        groups: &mut HashMap<String, usize>,
        list: &SignList,
        frequencies: &Frequencies,
    ) -> usize {
        let group = *groups.entry(fold(text)).or_insert_with(|| {
            let sign = list.sign_of(text);
            let (sign_name, glyph) = sign.map_or_else(Default::default, |sign| (sign.name.into(), sign.glyph.into()));
            self.groups.push(Group { glyph, sign_name, tokens: Vec::new() });
            self.groups.len() - 1
        });
        let period_factors = Period::ALL.map(|period| period_factor(text, period, frequencies));
        self.readings.push(RankedReading { text: text.to_string(), form: Form::of(text), group, period_factors });
        self.readings.len() - 1
    }

    /// Returns the best readings for one place, most probable first, at most `top`.
    ///
    /// `start` and `inside` are logits over the whole vocabulary with `<mask>` and with `-<mask>` at the place. With
    /// both, they are mixed by `word_start`; with one, the answer is conditional on that kind. Probabilities sum to 1
    /// over all readings that fit the traces, shown or not. If nothing fits, or without logits, there are no proposals.
    #[allow(clippy::too_many_arguments)] // one call says everything about one place; a struct would only rename it
    pub fn proposals(
        &self,
        start: Option<&[f32]>,
        inside: Option<&[f32]>,
        word_start: f32,
        traces: &Traces,
        period: Option<Period>,
        style: &Style,
        top: usize,
    ) -> Vec<Proposal> {
        let probabilities = self.distribution(start, inside, word_start, traces, period);
        let mut sums = vec![0.0_f32; self.groups.len()];
        for (token, probability) in self.tokens.iter().zip(&probabilities) {
            if let Some(sum) = token
                .and_then(|(reading, _)| self.readings.get(reading))
                .and_then(|reading| sums.get_mut(reading.group))
            {
                *sum += probability;
            }
        }
        let mut best: Vec<(usize, f32)> = sums.into_iter().enumerate().filter(|(_, sum)| *sum > 0.0).collect();
        // Ties in the order of the vocabulary, where the more frequent reading comes first.
        let order = |a: &(usize, f32), b: &(usize, f32)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
        if top < best.len() {
            best.select_nth_unstable_by(top, order);
            best.truncate(top);
        }
        best.sort_unstable_by(order);
        best.iter().filter_map(|(group, sum)| self.proposal(*group, *sum, &probabilities, style)).collect()
    }

    /// Returns the glyph of a canonical reading of the vocabulary; empty if unknown.
    pub fn glyph(&self, id: TokenId) -> &str {
        let reading =
            self.tokens.get(id as usize).copied().flatten().and_then(|(reading, _)| self.readings.get(reading));
        reading.and_then(|reading| self.groups.get(reading.group)).map_or("", |group| group.glyph.as_str())
    }

    /// Returns the probability of every token, in the order of the vocabulary; empty if nothing fits.
    fn distribution(
        &self,
        start: Option<&[f32]>,
        inside: Option<&[f32]>,
        word_start: f32,
        traces: &Traces,
        period: Option<Period>,
    ) -> Vec<f32> {
        let (start_share, inside_share) = match (start, inside) {
            (Some(_), Some(_)) => (word_start, 1.0 - word_start),
            (Some(_), None) => (1.0, 0.0),
            (None, Some(_)) => (0.0, 1.0),
            (None, None) => return Vec::new(),
        };
        let mut probabilities = vec![0.0; self.tokens.len()];
        for (logits, share, kind) in [(start, start_share, true), (inside, inside_share, false)] {
            if let Some(logits) = logits {
                self.add_softmax(logits, share, kind, &mut probabilities);
            }
        }
        let pattern = Pattern::new(traces);
        for (token, probability) in self.tokens.iter().zip(&mut probabilities) {
            let Some(reading) = token.and_then(|(reading, _)| self.readings.get(reading)) else { continue };
            if !pattern.fits(&reading.form) {
                *probability = 0.0;
            } else if let Some(period) = period {
                *probability *= reading.period_factors.get(period as usize).copied().unwrap_or(1.0);
            }
        }
        let sum: f32 = probabilities.iter().sum();
        // Logits of a broken model sum to NaN, readings that fit no trace to 0.
        if sum.is_nan() || sum <= 0.0 {
            return Vec::new();
        }
        probabilities.iter_mut().for_each(|probability| *probability /= sum);
        probabilities
    }

    /// Writes `share · softmax` of the tokens of one kind into their places.
    fn add_softmax(&self, logits: &[f32], share: f32, kind: bool, probabilities: &mut [f32]) {
        let is_kind = |token: &Option<(usize, bool)>| token.is_some_and(|(_, starts_word)| starts_word == kind);
        let ours = || self.tokens.iter().zip(logits).enumerate().filter(|(_, (token, _))| is_kind(token));
        // Subtracting the largest logit keeps the exponentials finite.
        let largest = ours().map(|(_, (_, logit))| *logit).fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = ours().map(|(_, (_, logit))| (logit - largest).exp()).sum();
        for (place, (_, logit)) in ours() {
            if let Some(probability) = probabilities.get_mut(place) {
                *probability = share * (logit - largest).exp() / sum;
            }
        }
    }

    /// Returns a group as a proposal.
    fn proposal(&self, group: usize, sum: f32, probabilities: &[f32], style: &Style) -> Option<Proposal> {
        let group = self.groups.get(group)?;
        let mut variants: Vec<Variant> = group
            .tokens
            .iter()
            .filter_map(|id| {
                let (reading, starts_word) = self.tokens.get(*id as usize).copied().flatten()?;
                let reading = self.readings.get(reading)?.text.clone();
                let probability = probabilities.get(*id as usize).copied().filter(|probability| *probability > 0.0)?;
                Some(Variant { reading, starts_word, probability })
            })
            .collect();
        variants.sort_by(|a, b| b.probability.partial_cmp(&a.probability).unwrap_or(Ordering::Equal));
        let best = variants.first()?;
        Some(Proposal {
            reading: best.reading.clone(),
            written: write::reading(&best.reading, style),
            glyph: group.glyph.clone(),
            sign_name: group.sign_name.clone(),
            starts_word: best.starts_word,
            probability: sum,
            variants,
        })
    }
}

/// Returns how much more often the period has a reading than all corpora together; see the formula above.
fn period_factor(reading: &str, period: Period, frequencies: &Frequencies) -> f32 {
    let signs = frequencies.signs().max(1) as f64;
    let expected = frequencies.period_signs(period) as f64 * f64::from(frequencies.total(reading)) / signs;
    (frequencies.count(reading, period) as f32 + SHRINKAGE) / (expected as f32 + SHRINKAGE)
}

#[cfg(test)]
mod tests;
