//! Translations of hyperbolic space, the last operation of MuRP, RotH and AttH on a head: the isometry that takes the
//! origin along a geodesic to exp₀(b). In Poincaré's ball this is Möbius addition of that point from the left.
//!
//! Before them stand the maps between the hyperboloid's space-like coordinates and the tangent space of its origin,
//! forward and backward; after them MuRP's query: the head's tangent vector times a diagonal, back onto the
//! hyperboloid, then translated.

use super::lanes::dot;
use super::transform::{Query, QueryGradient, replace};
use super::{GraphModel, GraphSettings};

/// f(|w|)w with f(n) = sinh(√c n) / (√c n): the point that a tangent vector of the origin leads to. Returns f and f′/n
/// as well.
pub(super) fn from_tangent(root: f32, w: &[f32], out: &mut Vec<f32>) -> (f32, f32) {
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

/// Returns the inverse of [`from_tangent`]: f(n) = arsinh(√c n) / (√c n).
pub(super) fn to_tangent(root: f32, x: &[f32], out: &mut Vec<f32>) -> (f32, f32) {
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
pub(super) fn back_through(w: &[f32], (slope, bend): (f32, f32), gradient: &[f32], out: &mut Vec<f32>) {
    let along = bend * dot(w, gradient);
    out.clear();
    out.extend(w.iter().zip(gradient).map(|(w, g)| slope * g + along * w));
}

/// Translates the point `query.before` by the tangent vector `shift`, into `query.space`.
pub(super) fn translate(settings: &GraphSettings, shift: &[f32], query: &mut Query) {
    let (c, root) = (settings.c(), settings.c().sqrt());
    from_tangent(root, shift, &mut query.to);
    let (before, to) = (settings.time(&query.before), settings.time(&query.to));
    let share = root * before + c * dot(&query.to, &query.before) / (1.0 + root * to);
    replace(&mut query.space, query.before.iter().zip(&query.to).map(|(x, to)| x + share * to));
    query.time = settings.time(&query.space);
}

/// Takes the gradient by the query's coordinates, each taken as free, and writes the gradient by `shift`; returns the
/// gradient by `query.before`, whose time-like coordinate follows from the others.
pub(super) fn translation_gradient(
    settings: &GraphSettings,
    shift: &[f32],
    query: &Query,
    (by_space, by_time): (&[f32], f32),
    by_shift: &mut Vec<f32>,
) -> Vec<f32> {
    let (c, root) = (settings.c(), settings.c().sqrt());
    let (before, to) = (settings.time(&query.before), settings.time(&query.to));
    let (along, gamma) = (dot(&query.to, &query.before), 1.0 + root * to);
    let share = root * before + c * along / gamma;
    // The query's time-like coordinate is that over its space-like ones.
    let whole: Vec<f32> = by_space.iter().zip(&query.space).map(|(g, q)| g + by_time / query.time * q).collect();
    let by_share = dot(&whole, &query.to);
    let mixed = by_share * c / gamma;
    let bent = mixed * along / gamma * root / to;
    let pairs = || whole.iter().zip(query.before.iter().zip(&query.to));
    let by_to: Vec<f32> = pairs().map(|(g, (x, to))| g * share + mixed * x - bent * to).collect();
    let slopes = from_tangent(root, shift, &mut Vec::new());
    back_through(shift, slopes, &by_to, by_shift);
    pairs().map(|(g, (x, to))| g + by_share * root / before * x + mixed * to).collect()
}

impl GraphModel {
    /// Leads the tangent vector `query.inside` to its point and translates that.
    pub(super) fn translate_inside(&self, relation: usize, query: &mut Query) {
        from_tangent(self.settings.c().sqrt(), &query.inside, &mut query.before);
        translate(&self.settings, self.shift(relation), query);
    }

    /// Takes the gradient by the query's coordinates and writes the gradient by the translation; returns the gradient
    /// by `query.inside`.
    pub(super) fn inside_gradient(
        &self,
        relation: usize,
        query: &Query,
        by_query: (&[f32], f32),
        gradient: &mut QueryGradient,
    ) -> Vec<f32> {
        let shift = self.shift(relation);
        let by_before = translation_gradient(&self.settings, shift, query, by_query, &mut gradient.shift);
        let slopes = from_tangent(self.settings.c().sqrt(), &query.inside, &mut Vec::new());
        let mut by_inside = Vec::new();
        back_through(&query.inside, slopes, &by_before, &mut by_inside);
        by_inside
    }

    /// Takes the gradient by the head's tangent vector and returns the gradient by the head.
    pub(super) fn head_gradient(&self, head: usize, by_tangent: &[f32], gradient: &mut QueryGradient) {
        let slopes = to_tangent(self.settings.c().sqrt(), self.point(head), &mut Vec::new());
        back_through(self.point(head), slopes, by_tangent, &mut gradient.head);
        (gradient.head_time, gradient.gate) = (0.0, 0.0);
    }
}

impl GraphModel {
    pub(super) fn poincare(&self, head: usize, relation: usize, query: &mut Query) {
        to_tangent(self.settings.c().sqrt(), self.point(head), &mut query.tangent);
        replace(&mut query.inside, query.tangent.iter().zip(self.transform(relation)).map(|(h, r)| h * r));
        self.translate_inside(relation, query);
    }

    pub(super) fn poincare_gradient(
        &self,
        head: usize,
        relation: usize,
        query: &Query,
        by_query: (&[f32], f32),
        gradient: &mut QueryGradient,
    ) {
        let by_inside = self.inside_gradient(relation, query, by_query, gradient);
        replace(&mut gradient.inside, by_inside.iter().zip(&query.tangent).map(|(g, h)| g * h));
        let by_tangent: Vec<f32> = by_inside.iter().zip(self.transform(relation)).map(|(g, r)| g * r).collect();
        self.head_gradient(head, &by_tangent, gradient);
    }
}
