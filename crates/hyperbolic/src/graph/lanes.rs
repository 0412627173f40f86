//! Sums and products of rows of f32, in eight lanes, so that the compiler uses the processor's wide registers: it must
//! not reorder a sum of floats by itself.

const LANES: usize = 8;

/// Σ xᵢyᵢ.
#[inline]
pub fn dot(x: &[f32], y: &[f32]) -> f32 {
    let mut sums = [0.0f32; LANES];
    let ((xs, x_rest), (ys, y_rest)) = (x.as_chunks::<LANES>(), y.as_chunks::<LANES>());
    let rest: f32 = x_rest.iter().zip(y_rest).map(|(x, y)| x * y).sum();
    for (x, y) in xs.iter().zip(ys) {
        for lane in 0..LANES {
            sums[lane] += x[lane] * y[lane];
        }
    }
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + e) + (b + f)) + ((c + g) + (d + h)) + rest
}

/// y += ax.
#[inline]
pub fn add_scaled(y: &mut [f32], a: f32, x: &[f32]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += a * x;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_is_summed_whole() {
        for length in 0..40 {
            let x: Vec<f32> = (0..length).map(|one| one as f32).collect();
            let expected: f32 = x.iter().map(|one| one * one).sum();
            assert_eq!(dot(&x, &x), expected);
            let mut y = x.clone();
            add_scaled(&mut y, 2.0, &x);
            assert!(y.iter().zip(&x).all(|(y, x)| *y == 3.0 * x));
        }
    }
}
