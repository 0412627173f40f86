//! Filtered ranking of tails: for each question, the place of the true tail among all entities without the other known
//! tails.

use crate::graph::transform::Query;
use crate::graph::{GraphGeometry, GraphModel};
use crate::graph_training::step::in_threads;
use crate::graph_training::triples::{Answers, Triple};
use serde::Serialize;

/// Number of questions scored together.
const QUESTIONS: usize = 8;
/// Number of entities in a block: their coordinates stay in the fastest cache while all questions pass.
const ENTITIES: usize = 128;

/// Quality of the ranks of true tails over both directions of all triples, in percent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Ranking {
    /// Mean of 1 / rank.
    pub mrr: f64,
    /// Ranks of 1.
    pub hits_1: f64,
    /// Ranks up to 3.
    pub hits_3: f64,
    /// Ranks up to 10.
    pub hits_10: f64,
    /// Number of questions.
    pub questions: usize,
}

impl Ranking {
    /// Returns the figures of some ranks.
    pub fn of(ranks: &[f64]) -> Self {
        let count = ranks.len().max(1) as f64;
        let hits = |most: f64| 100.0 * ranks.iter().filter(|rank| **rank <= most).count() as f64 / count;
        Self {
            mrr: 100.0 * ranks.iter().map(|rank| 1.0 / rank).sum::<f64>() / count,
            hits_1: hits(1.0),
            hits_3: hits(3.0),
            hits_10: hits(10.0),
            questions: ranks.len(),
        }
    }
}

/// Returns the answers, with every head among its own: it is then left out too, unless it is the tail asked for.
///
/// The published programs of MuRP and of the paper rank so, and their figures compare with no others. A relation that
/// holds both ways leads most heads near themselves.
pub fn with_heads(answers: &Answers) -> Answers {
    let mut answers = answers.clone();
    answers.iter_mut().for_each(|((head, _), tails)| _ = tails.insert(*head));
    answers
}

/// Ranks the tails of some triples. Of entities with equal scores half are counted as better.
pub fn ranks(model: &GraphModel, triples: &[Triple], answers: &Answers, threads: usize) -> Vec<f64> {
    let columns = Columns::of(model);
    let mut ranks = vec![0.0; triples.len()];
    let share = triples.len().div_ceil(threads.max(1)).max(1);
    in_threads(triples.chunks(share).zip(ranks.chunks_mut(share)).collect(), |(triples, ranks)| {
        let mut scores = vec![Vec::new(); QUESTIONS];
        for (triples, ranks) in triples.chunks(QUESTIONS).zip(ranks.chunks_mut(QUESTIONS)) {
            columns.score(model, triples, &mut scores);
            for ((triple, rank), scores) in triples.iter().zip(ranks).zip(&scores) {
                *rank = rank_of(triple, scores, answers);
            }
        }
    });
    ranks
}

/// Returns the place of a triple's tail, given the scores of all entities.
pub fn rank_of(triple: &Triple, scores: &[f32], answers: &Answers) -> f64 {
    let own = scores[triple.tail as usize];
    let compare = |score: f32| (u32::from(score > own), u32::from(score == own));
    let add = |(better, equal): (u32, u32), (b, e): (u32, u32)| (better + b, equal + e);
    let (better, equal) = scores.iter().map(|score| compare(*score)).fold((0, 0), add);
    let known = answers.get(&(triple.head, triple.relation)).into_iter().flatten();
    let others = known.filter(|tail| **tail != triple.tail);
    let (known_better, known_equal) = others.map(|tail| compare(scores[*tail as usize])).fold((0, 0), add);
    // The tail itself is among the equal ones.
    1.0 + f64::from(better - known_better) + f64::from((equal - known_equal).saturating_sub(1)) / 2.0
}

/// Returns the scores of all entities as tail of each triple's head and relation.
pub fn scores(model: &GraphModel, triples: &[Triple]) -> Vec<Vec<f32>> {
    let columns = Columns::of(model);
    let mut all = Vec::new();
    for triples in triples.chunks(QUESTIONS) {
        let mut scores = vec![Vec::new(); triples.len()];
        columns.score(model, triples, &mut scores);
        all.append(&mut scores);
    }
    all
}

/// The points of all entities coordinate by coordinate, in blocks, so that one product runs over many entities at once.
struct Columns {
    /// Blocks of `[dimension, ENTITIES]`, the last filled up with zeros.
    blocks: Vec<Vec<f32>>,
}

impl Columns {
    fn of(model: &GraphModel) -> Self {
        let size = model.settings.dimension;
        let block = |points: &[f32]| {
            let mut block = vec![0.0; size * ENTITIES];
            for (place, point) in points.chunks_exact(size).enumerate() {
                point.iter().enumerate().for_each(|(at, one)| block[at * ENTITIES + place] = *one);
            }
            block
        };
        Self { blocks: model.points.chunks(size * ENTITIES).map(block).collect() }
    }

    /// Fills the first of `scores`, one for each triple.
    fn score(&self, model: &GraphModel, triples: &[Triple], scores: &mut [Vec<f32>]) {
        let settings = &model.settings;
        let mut queries = vec![Query::default(); triples.len()];
        for ((triple, query), scores) in triples.iter().zip(&mut queries).zip(scores.iter_mut()) {
            model.query(triple.head as usize, triple.relation as usize, query);
            scores.clear();
        }
        let flat = settings.geometry == GraphGeometry::Euclidean;
        for (number, block) in self.blocks.iter().enumerate() {
            let first = number * ENTITIES;
            let count = ENTITIES.min(model.entities() - first);
            let (times, biases) = (&model.times[first..][..count], &model.tail_biases[first..][..count]);
            for ((triple, query), scores) in triples.iter().zip(&queries).zip(scores.iter_mut()) {
                let mut sums = [0.0f32; ENTITIES];
                for (coordinate, column) in query.space.iter().zip(block.chunks_exact(ENTITIES)) {
                    for (sum, one) in sums.iter_mut().zip(column) {
                        *sum += coordinate * one;
                    }
                }
                let bias = model.head_biases[triple.head as usize];
                let finished = sums.iter().zip(times).zip(biases).map(|((sum, time), tail_bias)| {
                    let product = if flat { sum - query.time - time } else { sum - query.time * time };
                    settings.score(product).0 + bias + tail_bias
                });
                scores.extend(finished);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::GraphSettings;
    use std::collections::BTreeSet;

    #[test]
    fn ranks_leave_known_tails_out_and_share_ties() {
        let triple = Triple { head: 0, relation: 0, tail: 2 };
        let scores = [5.0, 4.0, 3.0, 3.0, 3.0, 1.0];
        assert_eq!(rank_of(&triple, &scores, &Answers::new()), 4.0);
        let known = Answers::from([((0, 0), BTreeSet::from([0, 2, 4]))]);
        assert_eq!(rank_of(&triple, &scores, &known), 2.5);
        // The head, entity 0, is left out whether it is known as a tail or not, but not where it is asked for.
        let known = Answers::from([((0, 0), BTreeSet::from([1, 2]))]);
        assert_eq!((rank_of(&triple, &scores, &known), rank_of(&triple, &scores, &with_heads(&known))), (3.0, 2.0));
        assert_eq!(rank_of(&Triple { tail: 0, ..triple }, &scores, &with_heads(&known)), 1.0);
        let ranking = Ranking::of(&[1.0, 2.0, 4.0, 20.0]);
        assert_eq!((ranking.hits_1, ranking.hits_3, ranking.hits_10), (25.0, 50.0, 75.0));
        assert!((ranking.mrr - 45.0).abs() < 1e-9, "{}", ranking.mrr);
    }

    #[test]
    fn blocks_give_the_scores_of_single_triples() {
        use GraphGeometry::{AttH, Euclidean, Lorentz, Poincare, RotH};
        for geometry in [Lorentz, Poincare, RotH, AttH, Euclidean] {
            let settings = GraphSettings { geometry, dimension: 6, ..GraphSettings::default() };
            // More entities than a block, and not a multiple of it.
            let mut model = GraphModel::new(settings, 300, 3, 9);
            model.points.iter_mut().enumerate().for_each(|(at, one)| *one += 0.1 * (at as f32).sin());
            model.tail_biases.iter_mut().enumerate().for_each(|(at, one)| *one = 0.01 * at as f32);
            model.complete();
            let triples: Vec<Triple> =
                (0..11).map(|at| Triple { head: at * 7, relation: at % 3, tail: at * 20 }).collect();
            for (triple, scores) in triples.iter().zip(self::scores(&model, &triples)) {
                let mut query = Query::default();
                model.query(triple.head as usize, triple.relation as usize, &mut query);
                for (tail, score) in scores.iter().enumerate() {
                    let product = settings.product(&query.space, query.time, model.point(tail), model.times[tail]);
                    let expected = settings.score(product).0 + model.tail_biases[tail];
                    // Two orders of the same sum.
                    assert!((score - expected).abs() < 1e-4, "{geometry} {tail}: {score} {expected}");
                }
                assert_eq!(scores.len(), 300);
            }
            let answers = Answers::new();
            assert_eq!(ranks(&model, &triples, &answers, 1), ranks(&model, &triples, &answers, 3));
        }
    }
}
