//! Vectors as slices of f64. Callers pass slices of equal length; of unequal ones the longer is cut.

/// Returns Σ xᵢyᵢ.
pub fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// Returns √(x·x).
pub fn norm(x: &[f64]) -> f64 {
    dot(x, x).sqrt()
}

/// Returns |x - y|², computed from the difference and hence exact to the last digits also where x and y are close to
/// each other.
pub fn squared_difference(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| (x - y) * (x - y)).sum()
}

/// Returns the multiple ax.
pub fn scaled(a: f64, x: &[f64]) -> Vec<f64> {
    x.iter().map(|x| a * x).collect()
}

/// Returns the combination ax + by.
pub fn combined(a: f64, x: &[f64], b: f64, y: &[f64]) -> Vec<f64> {
    x.iter().zip(y).map(|(x, y)| a * x + b * y).collect()
}

/// Returns x / |x|; zero stays zero.
pub fn unit(x: &[f64]) -> Vec<f64> {
    let length = norm(x);
    if length > 0.0 { scaled(1.0 / length, x) } else { x.to_vec() }
}
