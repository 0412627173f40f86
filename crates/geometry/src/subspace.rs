//! Leading eigenvectors of a large symmetric matrix that is given only by its product with a vector.

use super::Random;
use super::eigen::{Eigen, sorted, symmetric};
use super::vector::{combined, dot, norm, scaled};

/// Number of extra vectors carried along. They take up the eigenvalues just below the wanted ones, which slow down
/// convergence most.
const SPARE: usize = 8;

/// Returns the `wanted` largest eigenvalues, with their vectors, of a symmetric matrix of `count` rows that has no
/// negative ones.
///
/// Subspace iteration with Rayleigh-Ritz (Golub and Van Loan, section 8.2.4). It ends after `rounds`, or earlier when
/// no value changes by more than `accuracy` of the largest. The error of the values is the square of the error of the
/// vectors. Vectors of nearly equal eigenvalues come out as some basis of the space that they span together.
pub fn leading(
    count: usize,
    wanted: usize,
    rounds: usize,
    accuracy: f64,
    seed: u64,
    multiply: impl Fn(&[f64]) -> Vec<f64>,
) -> Eigen {
    let mut random = Random::new(seed);
    let mut basis: Vec<Vec<f64>> = (0..(wanted + SPARE).min(count)).map(|_| random.direction(count)).collect();
    let mut before = vec![f64::INFINITY; basis.len()];
    let mut found = Eigen { values: Vec::new(), vectors: Vec::new() };
    for _ in 0..rounds.max(1) {
        orthonormalise(&mut basis, &mut random);
        let images: Vec<Vec<f64>> = basis.iter().map(|vector| multiply(vector)).collect();
        // The matrix within the basis is small; its eigenvectors mix the basis into the best approximations that the
        // basis holds.
        let rows: Vec<Vec<f64>> =
            images.iter().map(|image| basis.iter().map(|vector| dot(image, vector)).collect()).collect();
        let small = symmetric(&rows);
        found = sorted(small.values, small.vectors.iter().map(|mix| mixed(mix, &basis)).collect());
        let changed = found.values.iter().zip(&before).map(|(now, then)| (now - then).abs()).take(wanted);
        let largest = found.values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
        if changed.fold(0.0, f64::max) <= accuracy * largest {
            break;
        }
        before.clone_from(&found.values);
        // The images of the mixed vectors are mixtures of the images: the matrix need not be applied again.
        basis = small.vectors.iter().map(|mix| mixed(mix, &images)).collect();
    }
    found.values.truncate(wanted);
    found.vectors.truncate(wanted);
    found
}

/// Returns Σ mixᵢ·vectorᵢ.
fn mixed(mix: &[f64], vectors: &[Vec<f64>]) -> Vec<f64> {
    let mut sum = vec![0.0; vectors.first().map_or(0, Vec::len)];
    for (share, vector) in mix.iter().zip(vectors) {
        sum = combined(1.0, &sum, *share, vector);
    }
    sum
}

/// Orthonormalises by Gram-Schmidt, run twice, which is as good as exact. A vector that the others span is replaced by
/// a random one.
fn orthonormalise(basis: &mut [Vec<f64>], random: &mut Random) {
    for place in 0..basis.len() {
        let (done, rest) = basis.split_at_mut(place);
        let Some(vector) = rest.first_mut() else { return };
        for _ in 0..3 {
            let length = norm(vector);
            *vector = scaled(1.0 / length.max(f64::MIN_POSITIVE), vector);
            for _ in 0..2 {
                for other in done.iter() {
                    *vector = combined(1.0, vector, -dot(vector, other), other);
                }
            }
            // A shorter remainder is rounding error, whose direction means nothing.
            if norm(vector) > 1e-8 {
                break;
            }
            *vector = random.direction(vector.len());
        }
        *vector = super::vector::unit(vector);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_jacobi() {
        let count = 60;
        // A kernel of points on a line: its eigenvalues fall fast.
        let rows: Vec<Vec<f64>> = (0..count)
            .map(|row| (0..count).map(|column| (-(f64::from(row - column) / 9.0).powi(2)).exp()).collect())
            .collect();
        let all = symmetric(&rows);
        let few = leading(60, 5, 200, 1e-15, 1, |vector| rows.iter().map(|row| dot(row, vector)).collect());
        assert_eq!(few.values.len(), 5);
        for place in 0..5 {
            assert!((few.values[place] - all.values[place]).abs() < 1e-12 * all.values[0]);
            // The error of vectors is the root of that of values; the sign of a vector is arbitrary.
            assert!((dot(&few.vectors[place], &all.vectors[place]).abs() - 1.0).abs() < 1e-6);
        }
    }

    #[test]
    fn matrices_smaller_than_the_basis() {
        let eigen = leading(2, 5, 50, 1e-15, 1, |vector| vec![3.0 * vector[0], vector[1]]);
        assert_eq!(eigen.values.len(), 2);
        assert!((eigen.values[0] - 3.0).abs() < 1e-12 && (eigen.values[1] - 1.0).abs() < 1e-12);
        assert!(leading(0, 3, 5, 1e-9, 1, <[f64]>::to_vec).values.is_empty());
        // A matrix of rank 1 leaves vectors that the others span.
        let flat = leading(20, 3, 50, 1e-15, 1, |vector| vec![vector.iter().sum(); 20]);
        assert!((flat.values[0] - 20.0).abs() < 1e-9 && flat.values[1].abs() < 1e-9);
    }
}
