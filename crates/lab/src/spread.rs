//! Mean and spread of several runs over their seeds.

/// Names the seeds: `seed 1`, `seeds 1, 2, 3`.
pub fn named_seeds(seeds: &[u64]) -> String {
    let numbers = seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
    format!("{} {numbers}", if seeds.len() == 1 { "seed" } else { "seeds" })
}

/// Returns the mean; 0 if there is no value.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Returns the standard deviation of a sample.
pub fn deviation(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / (values.len().max(2) - 1) as f64).sqrt()
}
