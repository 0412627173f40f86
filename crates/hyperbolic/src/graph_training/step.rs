//! One step of training: scores, loss and gradients of a batch, then an update of every number.
//!
//! The loss is the cross-entropy of σ(score) against 1 for true and 0 for false tails, averaged over all tails. Threads
//! share the work in two rounds. In the first, each takes some triples and computes the gradients by their queries; in
//! the second, each takes some entities, gathers their gradients from all triples in the order of the batch, and moves
//! them at once. So the result is the same, bit for bit, for any number of threads.

use super::adam::{Adam, EntityShare, GraphMoments, GraphUpdate};
use super::triples::TripleBatch;
use crate::graph::lanes::{add_scaled, dot};
use crate::graph::transform::{Query, QueryGradient};
use crate::graph::{GraphGeometry, GraphModel};

/// Result of the first round for one triple.
#[derive(Clone, Debug, Default)]
struct Found {
    query: Query,
    gradient: QueryGradient,
    /// Derivatives of the loss for every tail: by its score, and by its product with the query.
    tails: Vec<(f32, f32)>,
    /// Product of every tail with the query.
    products: Vec<f32>,
    by_space: Vec<f32>,
    /// Share of the query in the time-like place of a tail's gradient; 1 in Euclid's space.
    carried: f32,
    loss: f64,
}

/// Buffers that every step uses again.
#[derive(Debug, Default)]
pub struct Workspace {
    found: Vec<Found>,
}

/// Rule by which a step learns.
#[derive(Clone, Copy, Debug)]
pub struct StepRule<'a> {
    /// The optimiser.
    pub adam: &'a Adam,
    /// Share of the learning rate.
    pub share: f32,
    /// Amount taken from a true tail's 1 and shared out among the false ones.
    pub smoothing: f32,
}

/// Trains on a batch; returns the batch's loss before the step.
pub fn step(
    model: &mut GraphModel,
    moments: &mut GraphMoments,
    batch: &TripleBatch,
    rule: StepRule,
    threads: usize,
    work: &mut Workspace,
) -> f64 {
    let threads = threads.max(1);
    work.found.resize_with(batch.len(), Found::default);
    let triples = batch.len().div_ceil(threads).max(1);
    let (settings, shared): (_, &GraphModel) = (model.settings, model);
    in_threads(work.found.chunks_mut(triples).enumerate().collect(), |(number, found)| {
        for (place, found) in found.iter_mut().enumerate() {
            examine(shared, batch, number * triples + place, rule.smoothing, found);
        }
    });
    let found = &work.found;
    moments.steps += 1;
    let update = GraphUpdate::new(rule.adam, moments.steps, rule.share);
    // The relations' gradients need the heads' points as they were.
    gather_relations(model, moments, batch, found);
    let entities = model.entities().div_ceil(threads);
    in_threads(moments.entity_shares(model, entities), |mut share| {
        gather(&mut share, batch, found);
        update.entities(&settings, &mut share);
    });
    update.relations(model, moments);
    found.iter().map(|found| found.loss).sum()
}

/// Runs the work for each item: the last one in this thread, the others in threads of their own.
pub fn in_threads<T: Send>(mut items: Vec<T>, work: impl Fn(T) + Sync) {
    let last = items.pop();
    std::thread::scope(|scope| {
        for item in items {
            let work = &work;
            scope.spawn(move || work(item));
        }
        if let Some(item) = last {
            work(item);
        }
    });
}

/// Scores a triple's tails and finds the gradients by its query.
fn examine(model: &GraphModel, batch: &TripleBatch, row: usize, smoothing: f32, found: &mut Found) {
    let settings = &model.settings;
    let (head, relation) = (batch.heads[row] as usize, batch.relations[row] as usize);
    let flat = settings.geometry == GraphGeometry::Euclidean;
    model.query(head, relation, &mut found.query);
    let query = &found.query;
    found.carried = if flat { 1.0 } else { query.time };
    found.tails.clear();
    found.by_space.clear();
    found.by_space.resize(settings.dimension, 0.0);
    let weight = 1.0 / batch.tails.len() as f32;
    let (mut by_time, mut loss) = (0.0, 0.0);
    let tails = &batch.tails[row * batch.width..][..batch.width];
    // All products first: points are scattered in memory, and the processor fetches several of them at a time.
    found.products.clear();
    found.products.extend(tails.iter().map(|tail| {
        let tail = *tail as usize;
        settings.product(&query.space, query.time, model.point(tail), model.times[tail])
    }));
    for ((place, tail), product) in tails.iter().enumerate().zip(&found.products) {
        let tail = *tail as usize;
        let (point, time) = (model.point(tail), model.times[tail]);
        let (score, slope) = settings.score(*product);
        let score = score + model.head_biases[head] + model.tail_biases[tail];
        let truth = if place == 0 { 1.0 - smoothing } else { smoothing / (batch.width - 1) as f32 };
        // ln(1 + e^s) - truth · s, without overflow.
        let small = (-score.abs()).exp();
        loss += f64::from(score.max(0.0) - truth * score + small.ln_1p());
        let sigmoid = if score >= 0.0 { 1.0 / (1.0 + small) } else { small / (1.0 + small) };
        let by_score = (sigmoid - truth) * weight;
        let by_product = by_score * slope;
        found.tails.push((by_score, by_product));
        add_scaled(&mut found.by_space, by_product, point);
        by_time -= by_product * if flat { 1.0 } else { time };
    }
    found.loss = loss * f64::from(weight);
    model.query_gradient(head, relation, &found.query, &found.by_space, by_time, &mut found.gradient);
}

/// Adds up the gradients of a share of the entities.
fn gather(share: &mut EntityShare, batch: &TripleBatch, found: &[Found]) {
    let (first, count, size) = (share.first, share.by_time.len(), share.size);
    for ((found, head), tails) in found.iter().zip(&batch.heads).zip(batch.tails.chunks_exact(batch.width)) {
        let at = (*head as usize).wrapping_sub(first);
        if at < count {
            add_scaled(&mut share.by_space[at * size..][..size], 1.0, &found.gradient.head);
            // The metric turns the sign of the time-like part of a gradient.
            share.by_time[at] -= found.gradient.head_time;
            share.by_head_bias[at] += found.tails.iter().map(|(by_score, _)| by_score).sum::<f32>();
        }
        for (tail, (by_score, by_product)) in tails.iter().zip(&found.tails) {
            let at = (*tail as usize).wrapping_sub(first);
            if at < count {
                add_scaled(&mut share.by_space[at * size..][..size], *by_product, &found.query.space);
                share.by_time[at] += by_product * found.carried;
                share.by_tail_bias[at] += by_score;
            }
        }
    }
}

/// Adds up the gradients of the relations.
fn gather_relations(model: &GraphModel, moments: &mut GraphMoments, batch: &TripleBatch, found: &[Found]) {
    let (size, width) = (model.settings.dimension, model.settings.transform_size());
    let (transforms, shifts) = moments.relation_gradients();
    for ((found, head), relation) in found.iter().zip(&batch.heads).zip(&batch.relations) {
        let (head, relation) = (*head as usize, *relation as usize);
        let gradient = &found.gradient;
        add_scaled(&mut shifts[relation * size..][..size], 1.0, &gradient.shift);
        let transform = &mut transforms[relation * width..][..width];
        if model.settings.geometry != GraphGeometry::Lorentz {
            add_scaled(transform, 1.0, &gradient.inside);
            continue;
        }
        let (matrix, velocity) = transform.split_at_mut((size + 1) * size);
        let coordinates = std::iter::once(&model.times[head]).chain(model.point(head));
        for ((coordinate, row), velocity) in coordinates.zip(matrix.chunks_exact_mut(size)).zip(velocity) {
            add_scaled(row, *coordinate, &gradient.inside);
            *velocity += coordinate * gradient.gate;
        }
    }
    debug_assert!(found.iter().all(|found| dot(&found.by_space, &found.by_space).is_finite()));
}
