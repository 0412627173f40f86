//! The query of a head and a relation, forward and backward: the point that distances to tails are measured from, and
//! the gradient by head and relation.

use super::lanes::{add_scaled, dot};
use super::{GraphGeometry, GraphModel};

/// A query, with the intermediate results that its backward pass needs.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// Space-like coordinates.
    pub space: Vec<f32>,
    /// Coordinate that completes the space-like ones.
    pub time: f32,
    /// Lorentz: Wh + b. MuRP: the diagonal's product, a tangent vector. AttH: the weighed tangent vector.
    pub(super) inside: Vec<f32>,
    /// Lorentz: |Wh + b|.
    pub(super) length: f32,
    /// Lorentz: σ(v·h). AttH: the weight of the turned vector.
    pub(super) gate: f32,
    /// MuRP and AttH: the head's tangent vector.
    pub(super) tangent: Vec<f32>,
    /// AttH: the head's tangent vector, turned.
    pub(super) turned: Vec<f32>,
    /// AttH: the head's tangent vector, mirrored.
    pub(super) mirrored: Vec<f32>,
    /// MuRP, RotH and AttH: the point before the translation.
    pub(super) before: Vec<f32>,
    /// MuRP, RotH and AttH: the point that the origin is translated to.
    pub(super) to: Vec<f32>,
}

/// The gradient of a loss by what a query was made of, for one triple.
#[derive(Clone, Debug, Default)]
pub struct QueryGradient {
    /// Gradient by the head's space-like coordinates.
    pub head: Vec<f32>,
    /// Lorentz: by the head's time-like coordinate, as if it were free. Else 0.
    pub head_time: f32,
    /// Lorentz: by Wh + b. Else by the relation's transform.
    pub inside: Vec<f32>,
    /// Lorentz: by v·h. Else 0.
    pub gate: f32,
    /// Gradient by the bias or the translation.
    pub shift: Vec<f32>,
}

/// Puts new numbers in the place of a vector's old ones, without a new allocation.
pub(super) fn replace(into: &mut Vec<f32>, from: impl Iterator<Item = f32>) {
    into.clear();
    into.extend(from);
}

/// Added to the squared length by which the space-like part of a query is divided.
const LENGTH_FLOOR: f32 = 1e-12;
/// Minimum by which a time-like coordinate of a query exceeds the origin's, as in the published code.
const MIN_RISE: f32 = 0.1;

impl GraphModel {
    /// Computes the query of a head and a relation, into `query`.
    pub fn query(&self, head: usize, relation: usize, query: &mut Query) {
        match self.settings.geometry {
            GraphGeometry::Lorentz => self.lorentz(head, relation, query),
            GraphGeometry::Poincare => self.poincare(head, relation, query),
            GraphGeometry::RotH => self.rotation(head, relation, query),
            GraphGeometry::AttH => self.attention(head, relation, query),
            GraphGeometry::Euclidean => {
                let (point, diagonal, shift) = (self.point(head), self.transform(relation), self.shift(relation));
                query.space.clear();
                query.space.extend(point.iter().zip(diagonal).zip(shift).map(|((h, r), b)| h * r + b));
                query.time = self.settings.time(&query.space);
            }
        }
    }

    /// Computes the gradient by head and relation, given the gradient by the query's coordinates, each taken as free.
    pub fn query_gradient(
        &self,
        head: usize,
        relation: usize,
        query: &Query,
        by_space: &[f32],
        by_time: f32,
        gradient: &mut QueryGradient,
    ) {
        match self.settings.geometry {
            GraphGeometry::Lorentz => self.lorentz_gradient(relation, query, by_space, by_time, gradient),
            GraphGeometry::Poincare => self.poincare_gradient(head, relation, query, (by_space, by_time), gradient),
            GraphGeometry::RotH => self.rotation_gradient(relation, query, (by_space, by_time), gradient),
            GraphGeometry::AttH => self.attention_gradient(head, relation, query, (by_space, by_time), gradient),
            GraphGeometry::Euclidean => {
                let (point, diagonal) = (self.point(head), self.transform(relation));
                // The time-like place holds |q|²/2.
                let whole: Vec<f32> = by_space.iter().zip(&query.space).map(|(g, q)| g + by_time * q).collect();
                replace(&mut gradient.head, whole.iter().zip(diagonal).map(|(g, r)| g * r));
                replace(&mut gradient.inside, whole.iter().zip(point).map(|(g, h)| g * h));
                replace(&mut gradient.shift, whole.iter().copied());
                (gradient.head_time, gradient.gate) = (0.0, 0.0);
            }
        }
    }

    /// Returns the numbers of a relation's transform.
    pub fn transform(&self, relation: usize) -> &[f32] {
        let width = self.settings.transform_size();
        &self.transforms[relation * width..][..width]
    }

    /// Returns a relation's bias or translation.
    pub fn shift(&self, relation: usize) -> &[f32] {
        let size = self.settings.dimension;
        &self.shifts[relation * size..][..size]
    }

    /// q₀ = λσ(v·h) + 1/√c + 0.1 and q = √(q₀² - 1/c) (Wh + b) / |Wh + b|: the form of the published code, in which the
    /// paper's figures were reached. The bias is not in v·h.
    fn lorentz(&self, head: usize, relation: usize, query: &mut Query) {
        let size = self.settings.dimension;
        let (matrix, velocity) = self.transform(relation).split_at((size + 1) * size);
        let (point, time) = (self.point(head), self.times[head]);
        replace(&mut query.inside, self.shift(relation).iter().copied());
        add_scaled(&mut query.inside, time, &matrix[..size]);
        for (coordinate, row) in point.iter().zip(matrix[size..].chunks_exact(size)) {
            add_scaled(&mut query.inside, *coordinate, row);
        }
        query.gate = 1.0 / (1.0 + (-(velocity[0] * time + dot(&velocity[1..], point))).exp());
        let origin = 1.0 / self.settings.c().sqrt();
        query.time = self.settings.scale * query.gate + origin + MIN_RISE;
        query.length = (dot(&query.inside, &query.inside) + LENGTH_FLOOR).sqrt();
        let share = (query.time * query.time - origin * origin).sqrt() / query.length;
        replace(&mut query.space, query.inside.iter().map(|one| share * one));
    }

    fn lorentz_gradient(
        &self,
        relation: usize,
        query: &Query,
        by_space: &[f32],
        by_time: f32,
        gradient: &mut QueryGradient,
    ) {
        let size = self.settings.dimension;
        let (matrix, velocity) = self.transform(relation).split_at((size + 1) * size);
        let reach = (query.time * query.time - 1.0 / self.settings.c()).sqrt();
        // ∂/∂|q|, and what is across it.
        let outward = dot(by_space, &query.inside) / query.length;
        let share = reach / query.length;
        let across = outward / query.length;
        replace(
            &mut gradient.inside,
            by_space.iter().zip(&query.inside).map(|(g, inside)| share * (g - across * inside)),
        );
        let by_gate = (by_time + outward * query.time / reach) * self.settings.scale;
        gradient.gate = by_gate * query.gate * (1.0 - query.gate);
        gradient.head_time = dot(&matrix[..size], &gradient.inside) + velocity[0] * gradient.gate;
        let rows = matrix[size..].chunks_exact(size).zip(&velocity[1..]);
        let (inside, gate) = (&gradient.inside, gradient.gate);
        replace(&mut gradient.head, rows.map(|(row, velocity)| dot(row, inside) + velocity * gate));
        replace(&mut gradient.shift, gradient.inside.iter().copied());
    }
}
