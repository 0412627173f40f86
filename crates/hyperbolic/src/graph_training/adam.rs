//! Riemannian Adam (Bécigneul and Ganea, "Riemannian adaptive optimization methods", ICLR 2019) over the points of a
//! graph, and plain Adam over its other numbers.
//!
//! A point is one factor of the manifold: it has one second moment, of its gradient's squared length. The first moment
//! is a tangent vector and is transported along with the point. Only the space-like coordinates of tangent vectors are
//! stored, since the time-like one follows from them. Euclid's space has the same rule, so that the geometries differ
//! in nothing else. Every entity moves in every step: its moments move it even if the batch did not touch it.

use crate::graph::lanes::{add_scaled, dot};
use crate::graph::{GraphGeometry, GraphModel, GraphSettings};
use serde::{Deserialize, Serialize};
use tuppum_geometry::adam::{self, AdamStep};

/// Settings of the optimiser.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Adam {
    /// Learning rate.
    pub rate: f32,
    /// Share of the first moment that is kept.
    pub beta_1: f32,
    /// Share of the second moment that is kept.
    pub beta_2: f32,
    /// Added to the root of the second moment.
    pub epsilon: f32,
}

impl Default for Adam {
    /// Returns the published settings for WN18RR.
    fn default() -> Self {
        Self { rate: 5e-3, beta_1: 0.9, beta_2: 0.999, epsilon: 1e-8 }
    }
}

/// Memory of the optimiser.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GraphMoments {
    /// Number of steps made.
    pub steps: u32,
    /// Moments of the points: the first by coordinate, the second by entity.
    pub points: adam::Moments<f32>,
    /// Moments of the biases as head.
    pub heads: adam::Moments<f32>,
    /// Moments of the biases as tail.
    pub tails: adam::Moments<f32>,
    /// Moments of the relations' transforms.
    pub transforms: adam::Moments<f32>,
    /// Moments of the relations' biases or translations.
    pub shifts: adam::Moments<f32>,
    /// The gradients of one step, zero between steps.
    gradients: Gradients,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Gradients {
    space: Vec<f32>,
    time: Vec<f32>,
    heads: Vec<f32>,
    tails: Vec<f32>,
    transforms: Vec<f32>,
    shifts: Vec<f32>,
}

impl GraphMoments {
    /// Returns the moments before the first step.
    pub fn new(model: &GraphModel) -> Self {
        let (points, entities) = (model.points.len(), model.entities());
        let (transforms, shifts) = (model.transforms.len(), model.shifts.len());
        let zeros = |size: usize| vec![0.0; size];
        Self {
            steps: 0,
            points: adam::Moments::of_points(points, entities),
            heads: adam::Moments::zeros(entities),
            tails: adam::Moments::zeros(entities),
            transforms: adam::Moments::zeros(transforms),
            shifts: adam::Moments::zeros(shifts),
            gradients: Gradients {
                space: zeros(points),
                time: zeros(entities),
                heads: zeros(entities),
                tails: zeros(entities),
                transforms: zeros(transforms),
                shifts: zeros(shifts),
            },
        }
    }

    /// Gradients of the relations' transforms and of their biases or translations, for the step to add to.
    pub fn relation_gradients(&mut self) -> (&mut [f32], &mut [f32]) {
        (&mut self.gradients.transforms, &mut self.gradients.shifts)
    }

    /// Cuts all numbers that are kept by entity into shares of `count` entities.
    pub fn entity_shares<'a>(&'a mut self, model: &'a mut GraphModel, count: usize) -> Vec<EntityShare<'a>> {
        let (count, size) = (count.max(1), model.settings.dimension);
        let points = model.points.chunks_mut(count * size).zip(model.times.chunks_mut(count));
        let biases = model.head_biases.chunks_mut(count).zip(model.tail_biases.chunks_mut(count));
        let gradients = &mut self.gradients;
        let by_point = gradients.space.chunks_mut(count * size).zip(gradients.time.chunks_mut(count));
        let by_bias = gradients.heads.chunks_mut(count).zip(gradients.tails.chunks_mut(count));
        let of_points = self.points.first.chunks_mut(count * size).zip(self.points.second.chunks_mut(count));
        let of_heads = self.heads.first.chunks_mut(count).zip(self.heads.second.chunks_mut(count));
        let of_tails = self.tails.first.chunks_mut(count).zip(self.tails.second.chunks_mut(count));
        let all = points.zip(biases).zip(by_point.zip(by_bias)).zip(of_points.zip(of_heads.zip(of_tails)));
        all.enumerate()
            .map(|(number, (((points, biases), (by_point, by_bias)), (of_points, (of_heads, of_tails))))| EntityShare {
                first: number * count,
                size,
                points: points.0,
                times: points.1,
                head_biases: biases.0,
                tail_biases: biases.1,
                by_space: by_point.0,
                by_time: by_point.1,
                by_head_bias: by_bias.0,
                by_tail_bias: by_bias.1,
                of_points,
                of_heads,
                of_tails,
            })
            .collect()
    }
}

/// First and second moments, borrowed.
type Borrowed<'a> = (&'a mut [f32], &'a mut [f32]);

/// The entities that one thread gathers gradients for and moves.
#[derive(Debug)]
pub struct EntityShare<'a> {
    /// Number of the first entity.
    pub first: usize,
    /// Coordinates of a point.
    pub size: usize,
    points: &'a mut [f32],
    times: &'a mut [f32],
    head_biases: &'a mut [f32],
    tail_biases: &'a mut [f32],
    /// Σ of what pulls at each point, as a vector of the surrounding space: its space-like coordinates,
    pub by_space: &'a mut [f32],
    /// and its time-like one. In Euclid's space, Σ of the coefficients by which the point itself is to be subtracted.
    pub by_time: &'a mut [f32],
    /// Gradients of the biases as head.
    pub by_head_bias: &'a mut [f32],
    /// Gradients of the biases as tail.
    pub by_tail_bias: &'a mut [f32],
    of_points: Borrowed<'a>,
    of_heads: Borrowed<'a>,
    of_tails: Borrowed<'a>,
}

/// The optimiser at one step.
#[derive(Clone, Copy, Debug)]
pub struct GraphUpdate(AdamStep<f32>);

impl GraphUpdate {
    /// Returns the update of step number `steps`, from 1, at a share of the learning rate.
    pub fn new(adam: &Adam, steps: u32, share: f32) -> Self {
        let (rate, epsilon) = (f64::from(adam.rate * share), f64::from(adam.epsilon));
        Self(AdamStep::with(rate, [adam.beta_1, adam.beta_2].map(f64::from), epsilon, steps))
    }

    /// Moves a share of the entities by the gathered gradients, and clears these.
    pub fn entities(&self, settings: &GraphSettings, share: &mut EntityShare) {
        let EntityShare { size, points, times, by_space, by_time, of_points, .. } = share;
        let rows = points.chunks_exact_mut(*size).zip(times.iter_mut());
        let gradients = by_space.chunks_exact_mut(*size).zip(by_time.iter_mut());
        let moments = of_points.0.chunks_exact_mut(*size).zip(of_points.1.iter_mut());
        let mut before = vec![0.0; *size];
        for (((point, time), (gradient, pull)), (first, second)) in rows.zip(gradients).zip(moments) {
            if settings.geometry == GraphGeometry::Euclidean {
                add_scaled(gradient, -*pull, point);
                let factor = self.0.remember(gradient, dot(gradient, gradient), first, second);
                add_scaled(point, factor, first);
                shorten(point, settings.reach);
                *time = settings.time(point);
            } else {
                self.on_the_hyperboloid(settings, (point, time), (gradient, *pull), (first, second), &mut before);
            }
            gradient.fill(0.0);
            *pull = 0.0;
        }
        self.numbers(share.head_biases, share.by_head_bias, (share.of_heads.0, share.of_heads.1));
        self.numbers(share.tail_biases, share.by_tail_bias, (share.of_tails.0, share.of_tails.1));
    }

    /// Moves one point of the hyperboloid along a geodesic, and its first moment with it.
    fn on_the_hyperboloid(
        &self,
        settings: &GraphSettings,
        (point, time): (&mut [f32], &mut f32),
        (gradient, pull): (&mut [f32], f32),
        (first, second): (&mut [f32], &mut f32),
        before: &mut [f32],
    ) {
        let c = settings.c();
        // The Riemannian gradient: what pulls, without its part along the normal.
        let normal = dot(point, gradient) - *time * pull;
        add_scaled(gradient, c * normal, point);
        let upward = dot(point, gradient) / *time;
        let square = (dot(gradient, gradient) - upward * upward).max(0.0);
        let factor = self.0.remember(gradient, square, first, second);
        let upward = dot(point, first) / *time;
        let square = c * factor * factor * (dot(first, first) - upward * upward).max(0.0);
        let (cosh, slope) = if square < 0.04 {
            (1.0 + square * (0.5 + square / 24.0), 1.0 + square * (1.0 / 6.0 + square / 120.0))
        } else {
            let length = square.sqrt();
            (length.cosh(), length.sinh() / length)
        };
        before.copy_from_slice(point);
        for (point, first) in point.iter_mut().zip(first.iter()) {
            *point = cosh * *point + factor * slope * first;
        }
        shorten(point, settings.reach);
        let time_before = *time;
        *time = settings.time(point);
        // Transport: m + c⟨y, m⟩ / (1 - c⟨x, y⟩) · (x + y).
        let along = dot(point, first) - *time * upward;
        let share = c * along / (1.0 - c * (dot(before, point) - time_before * *time));
        for ((first, before), point) in first.iter_mut().zip(before.iter()).zip(point.iter()) {
            *first += share * (before + point);
        }
    }

    /// Moves plain numbers by Adam, and clears their gradients.
    fn numbers(&self, numbers: &mut [f32], gradients: &mut [f32], moments: Borrowed) {
        self.0.update(numbers, gradients, moments);
        gradients.fill(0.0);
    }

    /// Moves the relations.
    pub fn relations(&self, model: &mut GraphModel, moments: &mut GraphMoments) {
        let GraphMoments { transforms, shifts, gradients, .. } = moments;
        self.numbers(&mut model.transforms, &mut gradients.transforms, (&mut transforms.first, &mut transforms.second));
        self.numbers(&mut model.shifts, &mut gradients.shifts, (&mut shifts.first, &mut shifts.second));
    }
}

/// Brings a point that is longer than `reach` back to it; a reach of 0 has no end.
fn shorten(point: &mut [f32], reach: f32) {
    let square = dot(point, point);
    if reach > 0.0 && square > reach * reach {
        let share = reach / square.sqrt();
        point.iter_mut().for_each(|one| *one *= share);
    }
}
