//! MuRP's query: the head's tangent vector times a diagonal, back onto the sheet, then translated.

use super::GraphModel;
use super::query::{Query, QueryGradient, replace};
use super::tangent::{back_through, from_tangent, to_tangent};
use super::translation::{translate, translation_gradient};

impl GraphModel {
    pub(super) fn poincare(&self, head: usize, relation: usize, query: &mut Query) {
        let root = self.settings.c().sqrt();
        to_tangent(root, self.point(head), &mut query.tangent);
        replace(&mut query.inside, query.tangent.iter().zip(self.transform(relation)).map(|(h, r)| h * r));
        from_tangent(root, &query.inside, &mut query.before);
        translate(&self.settings, self.shift(relation), query);
    }

    pub(super) fn poincare_gradient(
        &self,
        head: usize,
        relation: usize,
        query: &Query,
        by_query: (&[f32], f32),
        gradient: &mut QueryGradient,
    ) {
        let root = self.settings.c().sqrt();
        let by_before =
            translation_gradient(&self.settings, self.shift(relation), query, by_query, &mut gradient.shift);
        let (mut unused, mut by_inside) = (Vec::new(), Vec::new());
        let slopes = from_tangent(root, &query.inside, &mut unused);
        back_through(&query.inside, slopes, &by_before, &mut by_inside);
        replace(&mut gradient.inside, by_inside.iter().zip(&query.tangent).map(|(g, h)| g * h));
        let by_tangent: Vec<f32> = by_inside.iter().zip(self.transform(relation)).map(|(g, r)| g * r).collect();
        let slopes = to_tangent(root, self.point(head), &mut unused);
        back_through(self.point(head), slopes, &by_tangent, &mut gradient.head);
        (gradient.head_time, gradient.gate) = (0.0, 0.0);
    }
}
