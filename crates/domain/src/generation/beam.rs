//! Beam search, as in Hugging Face's `generate(num_beams=…)`.
//!
//! Each step looks at the best continuations of all beams, twice as many as beams: ended ones among the first half join
//! the finished outputs, the best of the others continue. Finished outputs are ranked by `log P / length^penalty`. The
//! search ends when there are as many finished outputs as beams, and the best beam, ranked at its present length, is no
//! better than the worst of them. For penalties above 0 this is a heuristic, the same as theirs.

use super::next_byte::NextByteScores;
use super::options::Options;
use super::output::Output;
use super::search::{Paths, Search};
use tuppum_text::bytes::END;
use tuppum_text::tokens::TokenId;

/// State of a beam search for one source.
#[derive(Debug)]
pub struct Beam {
    beams: usize,
    length_penalty: f32,
    early: bool,
    longest: usize,
    answers: usize,
    paths: Paths,
    /// Unfinished paths, best first: log-probability and end of the path.
    running: Vec<(f32, Option<usize>)>,
    /// Finished outputs, best first: score and end of the path.
    finished: Vec<(f32, usize)>,
    /// Number of tokens of the unfinished paths.
    length: usize,
}

/// A continuation of a beam.
#[derive(Clone, Copy, Debug)]
struct BeamContinuation {
    total: f32,
    beam: usize,
    token: TokenId,
    log_probability: f32,
}

impl Beam {
    /// Starts a search with this number of beams and this length penalty.
    pub fn new(beams: usize, length_penalty: f32, early: bool, options: &Options) -> Self {
        Self {
            beams,
            length_penalty,
            early,
            longest: options.longest,
            answers: options.answers.min(beams),
            paths: Paths::default(),
            running: vec![(0.0, None)],
            finished: Vec::new(),
            length: 0,
        }
    }

    /// Returns the best continuations of all beams, best first; on a tie the earlier one.
    fn candidates(&self, scores: &NextByteScores, first: usize) -> Vec<BeamContinuation> {
        let wanted = 2 * self.beams;
        let mut best: Vec<BeamContinuation> = Vec::with_capacity(wanted + 1);
        for (beam, (total, _)) in self.running.iter().enumerate() {
            for (token, log_probability) in (0..).zip(scores.log_probabilities(first + beam)) {
                let total = total + log_probability;
                // Most tokens fall short of the worst candidate, so this test spares nearly all insertions.
                if best.len() == wanted && best.last().is_some_and(|worst| worst.total >= total) {
                    continue;
                }
                let place = best.partition_point(|better| better.total >= total);
                best.insert(place, BeamContinuation { total, beam, token, log_probability });
                best.truncate(wanted);
            }
        }
        best
    }

    /// Returns the length of the unfinished paths to the power of the penalty.
    fn divisor(&self) -> f32 {
        (self.length as f64).powf(f64::from(self.length_penalty)) as f32
    }

    fn finish_path(&mut self, score: f32, end: usize) {
        let place = self.finished.partition_point(|(better, _)| *better >= score);
        self.finished.insert(place, (score, end));
        self.finished.truncate(self.beams);
    }

    fn is_over(&self) -> bool {
        let full = self.finished.len() == self.beams;
        let improvable = match (self.running.first(), self.finished.last()) {
            (Some((best, _)), Some((worst, _))) => best / self.divisor() > *worst,
            (running, _) => running.is_some(),
        };
        self.running.is_empty() || full && (self.early || !improvable)
    }
}

impl Search for Beam {
    fn advance(&mut self, scores: &NextByteScores, first: usize) -> Vec<(usize, TokenId)> {
        let attention: Vec<Option<usize>> =
            (0..self.running.len()).map(|beam| self.paths.keep_attention(scores, first + beam)).collect();
        let candidates = self.candidates(scores, first);
        self.length += 1;
        let mut running = Vec::with_capacity(self.beams);
        let mut rows = Vec::with_capacity(self.beams);
        for (rank, candidate) in candidates.into_iter().enumerate() {
            let BeamContinuation { total, beam, token, log_probability } = candidate;
            let ends = token == END || self.length == self.longest;
            // As in Hugging Face's search, an output ends only among the first half; unfinished paths fill the beams in
            // order.
            if ends && rank >= self.beams || !ends && running.len() == self.beams {
                continue;
            }
            let end = self.paths.append(self.running[beam].1, token, log_probability, attention[beam]);
            if ends {
                self.finish_path(total / self.divisor(), end);
            } else {
                running.push((total, Some(end)));
                rows.push((beam, token));
            }
        }
        self.running = running;
        if self.is_over() { Vec::new() } else { rows }
    }

    fn partial(&self) -> Vec<TokenId> {
        self.paths.tokens(self.running.first().and_then(|(_, end)| *end))
    }

    fn outputs(&self) -> Vec<Output> {
        self.finished.iter().take(self.answers).map(|(score, end)| self.paths.output(Some(*end), *score)).collect()
    }
}
