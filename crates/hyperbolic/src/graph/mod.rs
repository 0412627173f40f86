//! Scores of the triples of a knowledge graph, with gradients by hand: plain f32, no tensors.
//!
//! A triple is a head, a relation and a tail. The relation maps the head's point to a query q ([`transform`]); the
//! score says how near the tail's point t is to the query, and adds a bias of the head and one of the tail. Every batch
//! touches tens of thousands of points of 32 coordinates, one by one: work for a processor's caches rather than for
//! tensors. Tests compare it with the layers over tensors.
//!
//! Beside the paper's geometry (its section on knowledge graphs) there are four controls: two after Balažević, Allen
//! and Hospedales, "Multi-relational Poincaré graph embeddings" (NeurIPS 2019), and two after Chami et al.,
//! "Low-dimensional hyperbolic knowledge graph embeddings" (ACL 2020).

pub mod lanes;
mod rotations;
#[cfg(test)]
mod tests;
pub mod transform;
mod translation;

use crate::error::SettingsError;
use lanes::dot;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;
use std::fmt;
use tuppum_geometry::Random;

/// Space of the points, and the way in which a relation moves them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GraphGeometry {
    /// The hyperboloid; a relation is a Lorentz linear layer; score δ - d²_L with the squared Lorentz distance 2/K -
    /// 2⟨q, t⟩.
    Lorentz,
    /// Lorentz's hyperboloid, moved in as Poincaré's ball is in MuRP: a diagonal matrix over the tangent space of the
    /// origin, then a translation; score δ - d² with the geodesic distance. MuRP adds its vector to the tail from the
    /// right; here the query is translated from the left, an isometry, so that tails stay where they are.
    Poincare,
    /// Lorentz's hyperboloid with MuRP's score; a relation turns the head's planes of two coordinates by an angle each,
    /// then translates it, from the left where RotH adds its vector from the right. RotH learns a curvature for each
    /// relation, here all relations share one; the published program of RotH translates before the turn as well.
    RotH,
    /// Lorentz's hyperboloid as for RotH, but the head's tangent vector is turned by some angles and mirrored by
    /// others; the mean of both, weighed by attention with one weight for all planes, is translated.
    AttH,
    /// Euclid's space, as in MuRE: a diagonal matrix and a translation of the head; score δ - d².
    Euclidean,
}

impl fmt::Display for GraphGeometry {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(match self {
            Self::Lorentz => "lorentz",
            Self::Poincare => "poincare",
            Self::RotH => "roth",
            Self::AttH => "atth",
            Self::Euclidean => "euclidean",
        })
    }
}

/// Settings of a model: everything but its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GraphSettings {
    /// The geometry.
    pub geometry: GraphGeometry,
    /// Space-like coordinates of a point.
    pub dimension: usize,
    /// K; without meaning in Euclid's space.
    pub curvature: f32,
    /// λ: queries have time-like coordinates between 1/√-K + 0.1 and λ more. Lorentz only.
    pub scale: f32,
    /// δ, the score of a tail that lies on the query.
    pub margin: f32,
    /// Maximum length of the space-like part of an entity's point; 0 for no bound.
    pub reach: f32,
}

impl Default for GraphSettings {
    /// Returns the settings of the paper's dimension, with its bounds for FB15k-237.
    fn default() -> Self {
        Self { geometry: GraphGeometry::Lorentz, dimension: 32, curvature: -1.0, scale: 2.5, margin: 8.0, reach: 1.5 }
    }
}

impl GraphSettings {
    /// Returns the settings of a control: the same dimension, margin and curvature, without a bound, since the points
    /// of controls begin at the centre.
    pub fn control(geometry: GraphGeometry) -> Self {
        Self { geometry, reach: 0.0, ..Self::default() }
    }

    /// Checks that a model can have these settings.
    ///
    /// # Errors
    /// [`SettingsError`] says what is wrong and what to give instead.
    pub fn check(&self) -> Result<(), SettingsError> {
        if self.dimension < 2 {
            return Err(SettingsError::GraphDimension(self.dimension));
        }
        if matches!(self.geometry, GraphGeometry::RotH | GraphGeometry::AttH) && !self.dimension.is_multiple_of(2) {
            return Err(SettingsError::OddDimension(self.dimension));
        }
        if self.geometry != GraphGeometry::Euclidean && !(self.curvature < 0.0 && self.curvature.is_finite()) {
            return Err(SettingsError::GraphCurvature(self.curvature));
        }
        let finite =
            [("scale", self.scale, 0.0), ("margin", self.margin, f32::MIN), ("reach", self.reach, -f32::EPSILON)];
        match finite.into_iter().find(|(_, value, above)| !(value.is_finite() && value > above)) {
            Some((name, value, _)) => Err(SettingsError::NotPositive { name, value }),
            None => Ok(()),
        }
    }

    /// c = -K.
    pub fn c(&self) -> f32 {
        -self.curvature
    }

    /// Returns the coordinate that completes space-like coordinates: the time-like one √(1/c + |s|²), or in Euclid's
    /// space |s|²/2.
    pub fn time(&self, space: &[f32]) -> f32 {
        match self.geometry {
            GraphGeometry::Euclidean => 0.5 * dot(space, space),
            _ => (1.0 / self.c() + dot(space, space)).sqrt(),
        }
    }

    /// ⟨q, t⟩; in Euclid's space -|q - t|²/2.
    pub fn product(&self, q: &[f32], q0: f32, t: &[f32], t0: f32) -> f32 {
        match self.geometry {
            GraphGeometry::Euclidean => dot(q, t) - q0 - t0,
            _ => dot(q, t) - q0 * t0,
        }
    }

    /// Returns the score that a product stands for, and its derivative.
    pub fn score(&self, product: f32) -> (f32, f32) {
        match self.geometry {
            GraphGeometry::Lorentz => (self.margin + 2.0 / self.c() + 2.0 * product, 2.0),
            GraphGeometry::Euclidean => (self.margin + 2.0 * product, 2.0),
            GraphGeometry::Poincare | GraphGeometry::RotH | GraphGeometry::AttH => {
                // arcosh of 1 + z as log1p(z + √(z(z + 2))).
                let beyond = (-self.c() * product - 1.0).max(0.0);
                let sinh = (beyond * (beyond + 2.0)).sqrt();
                let angle = (beyond + sinh).ln_1p();
                // Below this, angle / sinh(angle) is 1 in f32.
                let slope = if angle > 1e-3 { 2.0 * angle / sinh } else { 2.0 };
                (self.margin - angle * angle / self.c(), slope)
            }
        }
    }

    /// Returns the number of numbers in a relation's transform: in Lorentz's model W, a row of outputs for each of the
    /// d + 1 inputs, and v; for RotH an angle for each plane; for AttH an angle to turn and one to mirror it by, and a
    /// context vector; otherwise a diagonal.
    pub fn transform_size(&self) -> usize {
        match self.geometry {
            GraphGeometry::Lorentz => (self.dimension + 1) * (self.dimension + 1),
            GraphGeometry::RotH => self.dimension / 2,
            GraphGeometry::AttH => 2 * self.dimension,
            GraphGeometry::Poincare | GraphGeometry::Euclidean => self.dimension,
        }
    }

    /// Returns the first value of a number of a relation's transform, by its place and a draw from 0 to 1.
    fn first_transform(&self, place: usize, draw: f64) -> f32 {
        let even = 2.0 * draw - 1.0;
        match self.geometry {
            GraphGeometry::Lorentz => (6.0f64.sqrt() / (self.dimension + 1) as f64 * even) as f32,
            // Angles; the context vector of AttH behind them is 0.
            GraphGeometry::RotH | GraphGeometry::AttH if place < self.dimension => (PI * even) as f32,
            GraphGeometry::RotH | GraphGeometry::AttH => 0.0,
            GraphGeometry::Poincare | GraphGeometry::Euclidean => 1.0,
        }
    }
}

/// The numbers of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphModel {
    /// Settings of the model.
    pub settings: GraphSettings,
    /// Space-like coordinates, `[entities, dimension]`.
    pub points: Vec<f32>,
    /// Completing coordinate of every point ([`GraphSettings::time`]), `[entities]`.
    pub times: Vec<f32>,
    /// Matrices, diagonals or angles, `[relations, transform size]`.
    pub transforms: Vec<f32>,
    /// Biases or translations, `[relations, dimension]`.
    pub shifts: Vec<f32>,
    /// Biases as head, `[entities]`.
    pub head_biases: Vec<f32>,
    /// Biases as tail, `[entities]`.
    pub tail_biases: Vec<f32>,
}

impl GraphModel {
    /// Returns a model to begin with: points normal around the origin, with deviation 1 / √(d + 1) (0.001 where the
    /// controls begin), matrices even within ±√6 / (d + 1), biases and translations 0, as the published codes do;
    /// diagonals 1. Angles are even within ±π and context vectors 0; there the published code draws small numbers for
    /// the latter.
    pub fn new(settings: GraphSettings, entities: usize, relations: usize, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let (size, width) = (settings.dimension, settings.transform_size());
        let lorentz = settings.geometry == GraphGeometry::Lorentz;
        let deviation = if lorentz { 1.0 / ((size + 1) as f64).sqrt() } else { 1e-3 };
        let points: Vec<f32> = (0..entities * size).map(|_| (deviation * random.normal()) as f32).collect();
        let transforms =
            (0..relations * width).map(|at| settings.first_transform(at % width, random.uniform())).collect();
        let mut model = Self {
            settings,
            points,
            times: Vec::new(),
            transforms,
            shifts: vec![0.0; relations * size],
            head_biases: vec![0.0; entities],
            tail_biases: vec![0.0; entities],
        };
        if lorentz {
            model.map_from_tangents();
        }
        model.complete();
        model
    }

    /// Treats the points as tangent vectors at the origin, and moves each to the end of its geodesic.
    fn map_from_tangents(&mut self) {
        let root = self.settings.c().sqrt();
        for point in self.points.chunks_exact_mut(self.settings.dimension) {
            let length = root * dot(point, point).sqrt();
            let slope = if length > 0.0 { length.sinh() / length } else { 1.0 };
            point.iter_mut().for_each(|one| *one *= slope);
        }
    }

    /// Computes the time-like coordinates of the points from the space-like ones.
    pub fn complete(&mut self) {
        self.times = self.points.chunks_exact(self.settings.dimension).map(|s| self.settings.time(s)).collect();
    }

    /// Returns the number of entities.
    pub fn entities(&self) -> usize {
        self.head_biases.len()
    }

    /// Returns the number of relations.
    pub fn relations(&self) -> usize {
        self.shifts.len() / self.settings.dimension
    }

    /// Returns the space-like coordinates of an entity.
    pub fn point(&self, entity: usize) -> &[f32] {
        let size = self.settings.dimension;
        &self.points[entity * size..][..size]
    }
}
