//! Complex numbers as pairs, and the isometries of the disk among them.
//!
//! [`tuppum_geometry::Ball`] does the same in any dimension with vectors on the heap; here tens of thousands of points
//! move sixty times a second. A test compares the two.

/// Complex number: a point of the plane.
pub type Point = [f64; 2];

/// Returns a + b.
pub fn plus(a: Point, b: Point) -> Point {
    [a[0] + b[0], a[1] + b[1]]
}

/// Returns a - b.
pub fn minus(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1]]
}

/// Returns a · b.
pub fn times(a: Point, b: Point) -> Point {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

/// Returns s · a for a real s.
pub fn scaled(s: f64, a: Point) -> Point {
    [s * a[0], s * a[1]]
}

pub fn conjugate(a: Point) -> Point {
    [a[0], -a[1]]
}

/// Returns a / b.
pub fn divided(a: Point, b: Point) -> Point {
    scaled(1.0 / squared(b), times(a, conjugate(b)))
}

/// Returns |a|².
pub fn squared(a: Point) -> f64 {
    a[0] * a[0] + a[1] * a[1]
}

/// Returns |a|.
pub fn length(a: Point) -> f64 {
    squared(a).sqrt()
}

/// Returns a₀b₀ + a₁b₁, the product of two vectors.
pub fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// Returns a₀b₁ - a₁b₀, which is positive when b lies to the left of a, with the first axis to the right and the second
/// up.
pub fn cross(a: Point, b: Point) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

/// Returns e^{iφ}.
pub fn direction(angle: f64) -> Point {
    [angle.cos(), angle.sin()]
}

pub fn angle(a: Point) -> f64 {
    a[1].atan2(a[0])
}

/// Returns (z - c) / (1 - c̄z), the image of z when c moves to the centre.
pub fn to_centre(c: Point, z: Point) -> Point {
    divided(minus(z, c), minus([1.0, 0.0], times(conjugate(c), z)))
}

/// Returns (z + c) / (1 + c̄z), the image of z when the centre moves to c.
pub fn from_centre(c: Point, z: Point) -> Point {
    to_centre(scaled(-1.0, c), z)
}

/// Returns the share of the disk's radius at a distance from the centre: tanh(d/2).
pub fn radius_at(distance: f64) -> f64 {
    (distance / 2.0).tanh()
}

/// Returns the distance of a point from the centre, kept finite at the rim.
pub fn distance_from_centre(z: Point) -> f64 {
    2.0 * length(z).min(1.0 - 1e-15).atanh()
}
