//! Queries of RotH and AttH (Chami, Wolf, Juan, Sala, Ravi and Ré, "Low-dimensional hyperbolic knowledge graph
//! embeddings", ACL 2020; read beside their program, `models/hyperbolic.py`): planes of two neighbouring coordinates
//! are turned or mirrored by an angle each (Givens matrices), then the point is translated. Both fix the origin, so
//! that a point's space-like coordinates and its tangent vector turn alike. AttH weighs the turned and the mirrored
//! tangent vector by attention.

use super::GraphModel;
use super::lanes::{add_scaled, dot};
use super::transform::{Query, QueryGradient, replace};
use super::translation::{to_tangent, translate, translation_gradient};

/// Operation on a plane of two coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Plane {
    /// [[cos θ, -sin θ], [sin θ, cos θ]].
    Turned,
    /// [[cos θ, sin θ], [sin θ, -cos θ]].
    Mirrored,
}

impl Plane {
    /// Returns the sign of the second column of the plane's matrix, relative to the first column turned by a quarter.
    fn sign(self) -> f32 {
        if self == Self::Turned { 1.0 } else { -1.0 }
    }

    /// A vector's image, plane by plane.
    fn image(self, angles: &[f32], vector: &[f32], out: &mut Vec<f32>) {
        let sign = self.sign();
        let (planes, _) = vector.as_chunks::<2>();
        replace(
            out,
            planes.iter().zip(angles).flat_map(|([x, y], angle)| {
                let (sin, cos) = angle.sin_cos();
                [cos * x - sign * sin * y, sin * x + sign * cos * y]
            }),
        );
    }

    /// Takes the gradient by the image, adds the gradient by the vector to `by_vector`, and returns the gradient by the
    /// angles.
    fn gradient(self, angles: &[f32], image: &[f32], by_image: &[f32], by_vector: &mut [f32]) -> Vec<f32> {
        let sign = self.sign();
        let ((images, _), (gradients, _)) = (image.as_chunks::<2>(), by_image.as_chunks::<2>());
        let (into, _) = by_vector.as_chunks_mut::<2>();
        let all = into.iter_mut().zip(angles).zip(images.iter().zip(gradients));
        all.map(|(([x, y], angle), ([to_x, to_y], [by_x, by_y]))| {
            let (sin, cos) = angle.sin_cos();
            *x += cos * by_x + sin * by_y;
            *y += sign * (cos * by_y - sin * by_x);
            by_y * to_x - by_x * to_y
        })
        .collect()
    }
}

impl GraphModel {
    /// A relation's transform is an angle for each plane.
    pub(super) fn rotation(&self, head: usize, relation: usize, query: &mut Query) {
        Plane::Turned.image(self.transform(relation), self.point(head), &mut query.before);
        translate(&self.settings, self.shift(relation), query);
    }

    pub(super) fn rotation_gradient(
        &self,
        relation: usize,
        query: &Query,
        by_query: (&[f32], f32),
        gradient: &mut QueryGradient,
    ) {
        let by_before =
            translation_gradient(&self.settings, self.shift(relation), query, by_query, &mut gradient.shift);
        gradient.head.clear();
        gradient.head.resize(by_before.len(), 0.0);
        let angles = self.transform(relation);
        gradient.inside = Plane::Turned.gradient(angles, &query.before, &by_before, &mut gradient.head);
        (gradient.head_time, gradient.gate) = (0.0, 0.0);
    }

    /// Returns the angles to turn by, those to mirror by, and the relation's context vector.
    fn attending(&self, relation: usize) -> (&[f32], &[f32], &[f32]) {
        let planes = self.settings.dimension / 2;
        let (turns, rest) = self.transform(relation).split_at(planes);
        let (mirrors, context) = rest.split_at(planes);
        (turns, mirrors, context)
    }

    pub(super) fn attention(&self, head: usize, relation: usize, query: &mut Query) {
        let (turns, mirrors, context) = self.attending(relation);
        to_tangent(self.settings.c().sqrt(), self.point(head), &mut query.tangent);
        Plane::Turned.image(turns, &query.tangent, &mut query.turned);
        Plane::Mirrored.image(mirrors, &query.tangent, &mut query.mirrored);
        // The softmax of two is the sigmoid of their difference.
        let ahead = self.context_scale() * (dot(context, &query.turned) - dot(context, &query.mirrored));
        query.gate = 1.0 / (1.0 + (-ahead).exp());
        let (weight, rest) = (query.gate, 1.0 - query.gate);
        let both = query.turned.iter().zip(&query.mirrored);
        replace(&mut query.inside, both.map(|(turned, mirrored)| weight * turned + rest * mirrored));
        self.translate_inside(relation, query);
    }

    pub(super) fn attention_gradient(
        &self,
        head: usize,
        relation: usize,
        query: &Query,
        by_query: (&[f32], f32),
        gradient: &mut QueryGradient,
    ) {
        let (turns, mirrors, context) = self.attending(relation);
        let by_mixed = self.inside_gradient(relation, query, by_query, gradient);
        let by_weight = dot(&by_mixed, &query.turned) - dot(&by_mixed, &query.mirrored);
        let by_ahead = self.context_scale() * by_weight * query.gate * (1.0 - query.gate);
        let of_image = |weight: f32, ahead: f32| {
            let mut by_image: Vec<f32> = by_mixed.iter().map(|one| weight * one).collect();
            add_scaled(&mut by_image, ahead, context);
            by_image
        };
        let (by_turned, by_mirrored) = (of_image(query.gate, by_ahead), of_image(1.0 - query.gate, -by_ahead));
        let mut by_tangent = vec![0.0; by_mixed.len()];
        gradient.inside = Plane::Turned.gradient(turns, &query.turned, &by_turned, &mut by_tangent);
        gradient.inside.extend(Plane::Mirrored.gradient(mirrors, &query.mirrored, &by_mirrored, &mut by_tangent));
        let both = query.turned.iter().zip(&query.mirrored);
        gradient.inside.extend(both.map(|(turned, mirrored)| by_ahead * (turned - mirrored)));
        self.head_gradient(head, &by_tangent, gradient);
    }

    /// 1 / √d, as in the published program.
    fn context_scale(&self) -> f32 {
        1.0 / (self.settings.dimension as f32).sqrt()
    }
}
