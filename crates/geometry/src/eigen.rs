//! Eigenvalues and eigenvectors of symmetric matrices of up to a few hundred rows, by Jacobi rotations.

/// Maximum number of sweeps over all pairs. Ten are enough for every matrix met in practice, because convergence is
/// quadratic at the end.
const MOST_ROUNDS: usize = 60;

/// Eigenvalues with their vectors, the largest value first.
#[derive(Clone, Debug, PartialEq)]
pub struct Eigen {
    /// Eigenvalues in descending order.
    pub values: Vec<f64>,
    /// Eigenvectors of length 1, in the order of `values`. The largest component of each is positive.
    pub vectors: Vec<Vec<f64>>,
}

/// Computes all eigenvalues and eigenvectors of a symmetric matrix given by rows; only its lower half is read.
///
/// Cyclic Jacobi (Golub and Van Loan, "Matrix computations", section 8.5): n³ operations per sweep and about eight
/// sweeps, half a second for 250 rows. Small eigenvalues are as precise as large ones. For more than about 400 rows see
/// [`super::subspace`].
pub fn symmetric(rows: &[Vec<f64>]) -> Eigen {
    let count = rows.len();
    let at = |row: usize, column: usize| rows.get(row).and_then(|row| row.get(column)).copied().unwrap_or(0.0);
    let mut matrix: Vec<Vec<f64>> =
        (0..count).map(|row| (0..count).map(|column| at(row.max(column), row.min(column))).collect()).collect();
    // Eigenvectors are stored as rows, so that row k rotates together with row k of the matrix.
    let mut vectors: Vec<Vec<f64>> =
        (0..count).map(|row| (0..count).map(|column| f64::from(row == column)).collect()).collect();
    for _ in 0..MOST_ROUNDS {
        let squares = |off: bool| -> f64 {
            let kept = |row: usize, column: usize| (row != column) == off;
            let row_sum = |(row, cells): (usize, &Vec<f64>)| -> f64 {
                cells.iter().enumerate().filter(|(column, _)| kept(row, *column)).map(|(_, cell)| cell * cell).sum()
            };
            matrix.iter().enumerate().map(row_sum).sum()
        };
        // Both sides are sums of squares, so EPSILON is squared too.
        if squares(true) <= f64::EPSILON * f64::EPSILON * squares(false) {
            break;
        }
        for low in 0..count {
            for high in low + 1..count {
                rotate(&mut matrix, &mut vectors, low, high);
            }
        }
    }
    let values = (0..count).map(|place| matrix[place][place]).collect();
    sorted(values, vectors)
}

/// Rotates rows and columns `low` and `high` so that their common cell becomes 0.
fn rotate(matrix: &mut [Vec<f64>], vectors: &mut [Vec<f64>], low: usize, high: usize) {
    let cell = matrix[low][high];
    if cell == 0.0 {
        return;
    }
    let slope = (matrix[high][high] - matrix[low][low]) / (2.0 * cell);
    // The smaller of the two angles that make the cell 0: with it the sweeps converge.
    let tangent = slope.signum() / (slope.abs() + slope.hypot(1.0));
    let cosine = 1.0 / tangent.hypot(1.0);
    let sine = tangent * cosine;
    turn_rows(matrix, low, high, cosine, sine);
    for row in matrix.iter_mut() {
        (row[low], row[high]) = (cosine * row[low] - sine * row[high], sine * row[low] + cosine * row[high]);
    }
    turn_rows(vectors, low, high, cosine, sine);
}

fn turn_rows(rows: &mut [Vec<f64>], low: usize, high: usize, cosine: f64, sine: f64) {
    let (before, after) = rows.split_at_mut(high);
    for (one, other) in before[low].iter_mut().zip(after[0].iter_mut()) {
        (*one, *other) = (cosine * *one - sine * *other, sine * *one + cosine * *other);
    }
}

/// Sorts by descending value and makes the largest component of every vector positive.
pub(super) fn sorted(values: Vec<f64>, vectors: Vec<Vec<f64>>) -> Eigen {
    let mut pairs: Vec<(f64, Vec<f64>)> = values.into_iter().zip(vectors).collect();
    pairs.sort_by(|one, other| other.0.total_cmp(&one.0));
    for (_, vector) in &mut pairs {
        let largest =
            vector.iter().copied().fold(0.0, |most: f64, one| if one.abs() > most.abs() { one } else { most });
        if largest < 0.0 {
            vector.iter_mut().for_each(|one| *one = -*one);
        }
    }
    let (values, vectors) = pairs.into_iter().unzip();
    Eigen { values, vectors }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;
    use crate::vector::{combined, dot, norm};

    #[track_caller]
    fn check(rows: &[Vec<f64>]) -> Eigen {
        let eigen = symmetric(rows);
        let size = rows.iter().map(|row| norm(row)).fold(1e-300, f64::max);
        for (place, (value, vector)) in eigen.values.iter().zip(&eigen.vectors).enumerate() {
            let image: Vec<f64> = rows.iter().map(|row| dot(row, vector)).collect();
            assert!(norm(&combined(1.0, &image, -value, vector)) < 1e-13 * size * rows.len() as f64);
            for (other, second) in eigen.vectors.iter().enumerate() {
                assert!((dot(vector, second) - f64::from(place == other)).abs() < 1e-13 * rows.len() as f64);
            }
        }
        assert!(eigen.values.is_sorted_by(|one, other| one >= other));
        eigen
    }

    #[test]
    fn random_matrices() {
        let mut random = Random::new(2);
        for count in [0, 1, 2, 3, 20, 60] {
            let drawn: Vec<Vec<f64>> = (0..count).map(|_| (0..count).map(|_| random.normal()).collect()).collect();
            let symmetrical = |row: usize, column: usize| drawn[row][column] + drawn[column][row];
            let rows: Vec<Vec<f64>> =
                (0..count).map(|row| (0..count).map(|column| symmetrical(row, column)).collect()).collect();
            check(&rows);
        }
    }

    #[test]
    fn closed_forms() {
        // Eigenvalues of a path of n nodes: 2 - 2 cos(kπ / (n + 1)).
        let count = 12;
        let cell = |row: usize, column: usize| match row.abs_diff(column) {
            0 => 2.0,
            1 => -1.0,
            _ => 0.0,
        };
        let rows: Vec<Vec<f64>> = (0..count).map(|row| (0..count).map(|column| cell(row, column)).collect()).collect();
        for (place, value) in check(&rows).values.iter().enumerate() {
            let angle = std::f64::consts::PI * (count - place) as f64 / (count as f64 + 1.0);
            assert!((value - (2.0 - 2.0 * angle.cos())).abs() < 1e-13);
        }
        // One eigenvalue many times: every vector is an eigenvector.
        let ones = vec![vec![1.0; 5]; 5];
        let values = check(&ones).values;
        assert!((values[0] - 5.0).abs() < 1e-14 && values[1..].iter().all(|value| value.abs() < 1e-14));
        assert_eq!(check(&vec![vec![0.0; 4]; 4]).values, [0.0; 4]);
    }
}
