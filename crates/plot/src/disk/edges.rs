//! Geodesics between two points in each model: arcs, straight lines, branches of hyperbolas.

use super::complex::{Point, cross, dot, length, minus, plus, scaled, squared};
use super::view::{Projection, View};

/// Height, in pixels, below which an arc is drawn as its chord.
const FLAT: f64 = 0.5;
/// Number of points on a curve between its ends.
const BETWEEN: usize = 24;

#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// Start, in pixels.
    pub from: Point,
    /// End, in pixels.
    pub to: Point,
    pub shape: EdgeShape,
    /// Kind of the node at `to`.
    pub kind: u8,
}

/// Shape of an edge between its ends.
#[derive(Clone, Debug, PartialEq)]
pub enum EdgeShape {
    /// Straight line.
    Line,
    /// Shorter arc of a circle, as SVG's `A` takes it; `sweep` is `true` when angles grow along it, with y pointing
    /// down.
    Arc {
        /// Centre of the circle, in pixels.
        centre: Point,
        radius: f64,
        sweep: bool,
    },
    /// Curve through these points.
    Through(Box<[Point; BETWEEN]>),
}

impl Edge {
    /// Returns the geodesic between two points of Poincaré's disk, as a view without its isometry shows it in a picture
    /// of this size.
    pub fn between(view: &View, size: Point, a: Point, b: Point, kind: u8) -> Self {
        let (from, to) = (view.to_pixels(size, a), view.to_pixels(size, b));
        let shape = match view.projection {
            Projection::Klein => EdgeShape::Line,
            Projection::Poincare => arc(a, b, view.radius(size), scaled(0.5, size)),
            Projection::Hyperboloid => through(view, size, a, b),
        };
        Self { from, to, shape, kind }
    }
}

/// Returns the circle through a and b that meets the rim at right angles: its centre c has c·a = (1 + |a|²)/2, likewise
/// for b.
fn arc(a: Point, b: Point, radius: f64, middle: Point) -> EdgeShape {
    let below = cross(a, b);
    if below == 0.0 {
        return EdgeShape::Line;
    }
    let (one, other) = ((1.0 + squared(a)) / 2.0, (1.0 + squared(b)) / 2.0);
    let centre = [(one * b[1] - other * a[1]) / below, (other * a[0] - one * b[0]) / below];
    let round = (squared(centre) - 1.0).max(0.0).sqrt();
    let chord = length(minus(b, a));
    // Height of the arc above its chord, for the shorter arc and a small height.
    if !round.is_finite() || chord * chord / (8.0 * round) * radius < FLAT {
        return EdgeShape::Line;
    }
    let sweep = cross(minus(a, centre), minus(b, centre)) > 0.0;
    EdgeShape::Arc { centre: plus(middle, scaled(radius, centre)), radius: radius * round, sweep }
}

/// Returns points at even steps along the geodesic, computed on the hyperboloid: (sinh((1-t)d)·x + sinh(td)·y) / sinh
/// d.
fn through(view: &View, size: Point, a: Point, b: Point) -> EdgeShape {
    let lift = |w: Point| {
        let gap = (1.0 - squared(w)).max(1e-300);
        ((1.0 + squared(w)) / gap, scaled(2.0 / gap, w))
    };
    let ((time_a, x), (time_b, y)) = (lift(a), lift(b));
    let distance = (time_a * time_b - dot(x, y)).max(1.0).acosh();
    if distance < 1e-6 {
        return EdgeShape::Line;
    }
    let unit = view.radius(size) / super::view::HYPERBOLOID_REACH.sinh();
    let at = |place: usize| {
        let t = (place + 1) as f64 / (BETWEEN + 1) as f64;
        let (one, other) = (((1.0 - t) * distance).sinh() / distance.sinh(), (t * distance).sinh() / distance.sinh());
        plus(scaled(0.5, size), scaled(unit, plus(scaled(one, x), scaled(other, y))))
    };
    EdgeShape::Through(Box::new(std::array::from_fn(at)))
}
