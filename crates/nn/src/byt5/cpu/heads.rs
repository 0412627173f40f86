//! Attention logits and softmax in plain memory, all heads of a place side by side.

/// Returns the dot product.
pub fn dot(one: &[f32], other: &[f32]) -> f32 {
    // The compiler must not reorder additions of floats, so a single sum would be one chain of dependent additions;
    // eight sums fit into one or two registers.
    const LANES: usize = 8;
    let mut sums = [0.0f32; LANES];
    let (ones, others) = (one.chunks_exact(LANES), other.chunks_exact(LANES));
    let rest: f32 = ones.remainder().iter().zip(others.remainder()).map(|(x, y)| x * y).sum();
    for (ones, others) in ones.zip(others) {
        for lane in 0..LANES {
            sums[lane] += ones[lane] * others[lane];
        }
    }
    sums.iter().sum::<f32>() + rest
}

/// Replaces logits by their softmax over the places, separately for each head: `[places, heads]`.
pub fn softmax(values: &mut [f32], heads: usize) {
    let mut largest = vec![f32::MIN; heads];
    for row in values.chunks_exact(heads) {
        largest.iter_mut().zip(row).for_each(|(largest, value)| *largest = largest.max(*value));
    }
    let mut sums = vec![0.0; heads];
    for row in values.chunks_exact_mut(heads) {
        for ((value, largest), sum) in row.iter_mut().zip(&largest).zip(&mut sums) {
            *value = (*value - largest).exp();
            *sum += *value;
        }
    }
    for row in values.chunks_exact_mut(heads) {
        row.iter_mut().zip(&sums).for_each(|(value, sum)| *value /= sum);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_products_of_any_length() {
        for length in [0, 1, 7, 8, 9, 64, 65] {
            let one: Vec<f32> = (0..length).map(|value| value as f32).collect();
            let expected: f32 = one.iter().map(|value| value * 2.0).sum();
            assert_eq!(dot(&one, &vec![2.0; length]), expected);
        }
    }

    #[test]
    fn the_shares_of_a_head_sum_to_one() {
        let mut values = vec![1000.0, 0.0, 999.0, 0.0, -1e9, 0.0];
        softmax(&mut values, 2);
        assert!((values[0] + values[2] + values[4] - 1.0).abs() < 1e-6);
        assert!((values[0] / values[2] - 1f32.exp()).abs() < 1e-5);
        assert_eq!([values[4], values[1]], [0.0, 1.0 / 3.0]);
    }
}
