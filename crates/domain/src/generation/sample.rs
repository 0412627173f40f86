//! Random sampling of bytes, several outputs at a time; greedy search is sampling at temperature 0.

use super::next_byte::{Chosen, NextByteScores, likeliest};
use super::options::Options;
use super::output::Output;
use super::search::{Paths, Search};
use tuppum_random::Random;
use tuppum_text::bytes::{END, PAD};
use tuppum_text::tokens::TokenId;

/// State of the outputs being drawn for one source.
#[derive(Debug)]
pub struct Samples {
    temperature: f32,
    longest: usize,
    wanted: usize,
    paths: Paths,
    random: Random,
    drawn: Vec<Drawn>,
}

/// An output being drawn.
#[derive(Clone, Debug, Default)]
struct Drawn {
    end: Option<usize>,
    length: usize,
    total: f32,
    over: bool,
}

impl Samples {
    /// Starts `wanted` outputs at this temperature.
    pub fn new(temperature: f32, wanted: usize, random: Random, options: &Options) -> Self {
        let longest = options.longest;
        Self { temperature, longest, wanted, paths: Paths::default(), random, drawn: Vec::new() }
    }

    fn draw(&mut self, log_probabilities: &[f32]) -> Chosen {
        let best = likeliest(log_probabilities);
        if self.temperature <= 0.0 {
            return best;
        }
        let weight = |value: &f32| f64::from((value - best.log_probability) / self.temperature).exp();
        // Inverse transform sampling over weights that need not sum to 1.
        let mut left = self.random.uniform() * log_probabilities.iter().map(weight).sum::<f64>();
        for (token, log_probability) in (0..).zip(log_probabilities) {
            left -= weight(log_probability);
            if left < 0.0 {
                return Chosen { token, log_probability: *log_probability };
            }
        }
        best
    }
}

impl Search for Samples {
    fn advance(&mut self, scores: &NextByteScores, first: usize) -> Vec<(usize, TokenId)> {
        // The first step has one row, from which all outputs continue.
        let begins = self.drawn.is_empty();
        self.drawn.resize(self.wanted, Drawn::default());
        let mut rows = Vec::with_capacity(self.wanted);
        for number in 0..self.wanted {
            let row = if begins { 0 } else { number };
            if self.drawn[number].over {
                // A finished output keeps its row, since all sources must have equally many.
                rows.push((row, PAD));
                continue;
            }
            let chosen = self.draw(&scores.log_probabilities(first + row));
            let attention = self.paths.keep_attention(scores, first + row);
            let drawn = &mut self.drawn[number];
            drawn.end = Some(self.paths.append(drawn.end, chosen.token, chosen.log_probability, attention));
            drawn.length += 1;
            drawn.total += chosen.log_probability;
            drawn.over = chosen.token == END || drawn.length == self.longest;
            rows.push((row, chosen.token));
        }
        if self.drawn.iter().all(|drawn| drawn.over) { Vec::new() } else { rows }
    }

    fn partial(&self) -> Vec<TokenId> {
        self.paths.tokens(self.drawn.first().and_then(|drawn| drawn.end))
    }

    fn outputs(&self) -> Vec<Output> {
        let score = |drawn: &Drawn| drawn.total / drawn.length.max(1) as f32;
        let mut found: Vec<Output> =
            self.drawn.iter().map(|drawn| self.paths.output(drawn.end, score(drawn))).collect();
        found.sort_by(|one, other| other.score.total_cmp(&one.score));
        found
    }
}
