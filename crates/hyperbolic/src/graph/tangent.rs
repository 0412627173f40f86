//! Maps between the hyperboloid's space-like coordinates and the tangent space of its origin, forward and backward.

use super::lanes::dot;

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
