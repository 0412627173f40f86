//! MuRP's query: the head's tangent vector times a diagonal, back onto the hyperboloid, then translated.

use super::GraphModel;
use super::query::{Query, QueryGradient, replace};
use super::tangent::to_tangent;

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
