//! Vectors as slices of f64. Of two lengths the shorter counts; callers give equal ones.

/// Σ xᵢyᵢ.
pub fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// √(x·x).
pub fn norm(x: &[f64]) -> f64 {
    dot(x, x).sqrt()
}

/// |x - y|², from the difference and hence exact to the last digits also where x and y are near each other.
pub fn squared_difference(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| (x - y) * (x - y)).sum()
}

/// The multiple ax.
pub fn scaled(a: f64, x: &[f64]) -> Vec<f64> {
    x.iter().map(|x| a * x).collect()
}

/// The combination ax + by.
pub fn combined(a: f64, x: &[f64], b: f64, y: &[f64]) -> Vec<f64> {
    x.iter().zip(y).map(|(x, y)| a * x + b * y).collect()
}

/// x / |x|; zero stays zero.
pub fn unit(x: &[f64]) -> Vec<f64> {
    let length = norm(x);
    if length > 0.0 { scaled(1.0 / length, x) } else { x.to_vec() }
}
