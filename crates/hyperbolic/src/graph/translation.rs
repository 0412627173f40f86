//! Translations of hyperbolic space, the last operation of MuRP, RotH and AttH on a head: the isometry that takes the
//! origin along a geodesic to exp₀(b). In Poincaré's ball this is Möbius addition of that point from the left.

use super::lanes::dot;
use super::query::{Query, QueryGradient, replace};
use super::tangent::{back_through, from_tangent, to_tangent};
use super::{GraphModel, GraphSettings};

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
