//! From a head and a relation to the query, forward and backward.

use super::lanes::{add_scaled, dot};
use super::{GraphGeometry, GraphModel};

/// Added to the squared length by which the space-like part of a query is divided.
const LENGTH_FLOOR: f32 = 1e-12;
/// What a time-like coordinate of a query has over that of the origin at least, as in the published code.
const LEAST_RISE: f32 = 0.1;

/// A query, with what its backward pass needs to know again.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// Space-like coordinates.
    pub space: Vec<f32>,
    /// What completes them.
    pub time: f32,
    /// Lorentz: Wh + b. Else: the diagonal's product, a tangent vector or a point.
    inside: Vec<f32>,
    /// Lorentz: |Wh + b|.
    length: f32,
    /// Lorentz: σ(v·h).
    gate: f32,
    /// Poincaré: the head's tangent vector.
    tangent: Vec<f32>,
    /// Poincaré: the point before the translation.
    before: Vec<f32>,
    /// Poincaré: the point that the origin is translated to.
    to: Vec<f32>,
}

/// The gradient of a loss by what a query was made of, for one triple.
#[derive(Clone, Debug, Default)]
pub struct QueryGradient {
    /// By the head's space-like coordinates.
    pub head: Vec<f32>,
    /// By the head's time-like coordinate, as if it were free; 0 in Euclid's space.
    pub head_time: f32,
    /// Lorentz: by Wh + b. Else by the diagonal.
    pub inside: Vec<f32>,
    /// Lorentz: by v·h. Else 0.
    pub gate: f32,
    /// By the bias or the translation.
    pub shift: Vec<f32>,
}

/// f(|w|)w with f(n) = sinh(√c n) / (√c n): the point that a tangent vector of the origin leads to. Returns f and f′/n
/// as well.
fn from_tangent(root: f32, w: &[f32], out: &mut Vec<f32>) -> (f32, f32) {
    let length = root * dot(w, w).sqrt();
    let (slope, bend) = if length > 0.05 {
        let slope = length.sinh() / length;
        (slope, (length.cosh() - slope) / (length * length))
    } else {
        let square = length * length;
        (1.0 + square / 6.0 + square * square / 120.0, 1.0 / 3.0 + square / 30.0)
    };
    out.clear();
    out.extend(w.iter().map(|one| slope * one));
    (slope, bend * root * root)
}

/// The inverse of [`from_tangent`]: f(n) = arsinh(√c n) / (√c n).
fn to_tangent(root: f32, x: &[f32], out: &mut Vec<f32>) -> (f32, f32) {
    let length = root * dot(x, x).sqrt();
    let (slope, bend) = if length > 0.05 {
        let slope = length.asinh() / length;
        (slope, (1.0 / (1.0 + length * length).sqrt() - slope) / (length * length))
    } else {
        let square = length * length;
        (1.0 - square / 6.0 + 3.0 * square * square / 40.0, -1.0 / 3.0 + 3.0 * square / 10.0)
    };
    out.clear();
    out.extend(x.iter().map(|one| slope * one));
    (slope, bend * root * root)
}

/// Gradient through f(|w|)w: f·g + f′/n (w·g)w.
fn back_through(w: &[f32], (slope, bend): (f32, f32), gradient: &[f32], out: &mut Vec<f32>) {
    let along = bend * dot(w, gradient);
    out.clear();
    out.extend(w.iter().zip(gradient).map(|(w, g)| slope * g + along * w));
}

impl GraphModel {
    /// The query of a head and a relation, into `query`.
    pub fn query(&self, head: usize, relation: usize, query: &mut Query) {
        match self.settings.geometry {
            GraphGeometry::Lorentz => self.lorentz(head, relation, query),
            GraphGeometry::Poincare => self.poincare(head, relation, query),
            GraphGeometry::Euclidean => {
                let (point, diagonal, shift) = (self.point(head), self.transform(relation), self.shift(relation));
                query.space.clear();
                query.space.extend(point.iter().zip(diagonal).zip(shift).map(|((h, r), b)| h * r + b));
                query.time = self.settings.time(&query.space);
            }
        }
    }

    /// The gradient by what `query` was made of, given the gradient by its coordinates, each taken as free.
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
            GraphGeometry::Poincare => self.poincare_gradient(head, relation, query, by_space, by_time, gradient),
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

    /// The numbers of a relation's matrix.
    pub fn transform(&self, relation: usize) -> &[f32] {
        let width = self.settings.transform_size();
        &self.transforms[relation * width..][..width]
    }

    /// A relation's bias or translation.
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
        query.time = self.settings.scale * query.gate + origin + LEAST_RISE;
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

    fn poincare(&self, head: usize, relation: usize, query: &mut Query) {
        let (c, root) = (self.settings.c(), self.settings.c().sqrt());
        to_tangent(root, self.point(head), &mut query.tangent);
        replace(&mut query.inside, query.tangent.iter().zip(self.transform(relation)).map(|(h, r)| h * r));
        from_tangent(root, &query.inside, &mut query.before);
        from_tangent(root, self.shift(relation), &mut query.to);
        let (before, to) = (self.settings.time(&query.before), self.settings.time(&query.to));
        let share = root * before + c * dot(&query.to, &query.before) / (1.0 + root * to);
        replace(&mut query.space, query.before.iter().zip(&query.to).map(|(x, to)| x + share * to));
        query.time = self.settings.time(&query.space);
    }

    fn poincare_gradient(
        &self,
        head: usize,
        relation: usize,
        query: &Query,
        by_space: &[f32],
        by_time: f32,
        gradient: &mut QueryGradient,
    ) {
        let (c, root) = (self.settings.c(), self.settings.c().sqrt());
        let (before, to) = (self.settings.time(&query.before), self.settings.time(&query.to));
        let (along, gamma) = (dot(&query.to, &query.before), 1.0 + root * to);
        let share = root * before + c * along / gamma;
        // The query's time-like coordinate is that over its space-like ones.
        let whole: Vec<f32> = by_space.iter().zip(&query.space).map(|(g, q)| g + by_time / query.time * q).collect();
        let by_share = dot(&whole, &query.to);
        let mixed = by_share * c / gamma;
        let by_before: Vec<f32> = whole
            .iter()
            .zip(query.before.iter().zip(&query.to))
            .map(|(g, (x, to))| g + by_share * root / before * x + mixed * to)
            .collect();
        let bent = mixed * along / gamma * root / to;
        let by_to: Vec<f32> = whole
            .iter()
            .zip(query.before.iter().zip(&query.to))
            .map(|(g, (x, to))| g * share + mixed * x - bent * to)
            .collect();
        let mut unused = Vec::new();
        let slopes = from_tangent(root, self.shift(relation), &mut unused);
        back_through(self.shift(relation), slopes, &by_to, &mut gradient.shift);
        let slopes = from_tangent(root, &query.inside, &mut unused);
        let mut by_inside = Vec::new();
        back_through(&query.inside, slopes, &by_before, &mut by_inside);
        replace(&mut gradient.inside, by_inside.iter().zip(&query.tangent).map(|(g, h)| g * h));
        let by_tangent: Vec<f32> = by_inside.iter().zip(self.transform(relation)).map(|(g, r)| g * r).collect();
        let slopes = to_tangent(root, self.point(head), &mut unused);
        back_through(self.point(head), slopes, &by_tangent, &mut gradient.head);
        (gradient.head_time, gradient.gate) = (0.0, 0.0);
    }
}

/// Puts new numbers in the place of a vector's old ones, without a new allocation.
fn replace(into: &mut Vec<f32>, from: impl Iterator<Item = f32>) {
    into.clear();
    into.extend(from);
}
