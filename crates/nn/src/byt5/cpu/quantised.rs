//! A large matrix with sixteen bits per number, for products with few rows.
//!
//! Such a product takes as long as reading the matrix from memory. Each column is divided by a step of its own, so that
//! its largest number becomes 32,767, and rounded (symmetric quantisation per column). A number changes by at most half
//! a step, 1/65,534 of the largest number in its column. In normally distributed columns that is a third of the error
//! of rounding to f16.

/// Number of columns whose sums are kept in registers.
const COLUMNS: usize = 16;
/// Number of rows per widening of a number to f32.
const ROWS: usize = 2;
/// Value of the largest number of a column after rounding.
const MAX_QUANTISED: f32 = i16::MAX as f32;

/// Rounded matrix, `[depth, columns]`.
#[derive(Clone, Debug)]
pub struct QuantisedMatrix {
    depth: usize,
    columns: usize,
    /// Panels of sixteen columns, row by row, zeros beyond the last column: `[panels, depth, 16]`.
    panels: Vec<i16>,
    /// Value of one unit in each column.
    steps: Vec<f32>,
}

impl QuantisedMatrix {
    /// Rounds a row-major matrix. Returns `None` if it is empty or has a number that is not finite.
    pub fn new(values: &[f32], columns: usize) -> Option<Self> {
        if columns == 0 || values.is_empty() || values.iter().any(|value| !value.is_finite()) {
            return None;
        }
        let mut steps = vec![0.0f32; columns];
        for row in values.chunks_exact(columns) {
            steps.iter_mut().zip(row).for_each(|(step, value)| *step = step.max(value.abs()));
        }
        steps.iter_mut().for_each(|step| *step /= MAX_QUANTISED);
        let depth = values.len() / columns;
        let mut panels = vec![0; columns.div_ceil(COLUMNS) * depth * COLUMNS];
        for (number, row) in values.chunks_exact(columns).enumerate() {
            let parts = row.chunks(COLUMNS).zip(steps.chunks(COLUMNS));
            for (panel, (values, steps)) in panels.chunks_exact_mut(depth * COLUMNS).zip(parts) {
                let own = &mut panel[number * COLUMNS..][..COLUMNS];
                for ((own, value), step) in own.iter_mut().zip(values).zip(steps) {
                    *own = if *step > 0.0 { (value / step).round() as i16 } else { 0 };
                }
            }
        }
        Some(Self { depth, columns, panels, steps })
    }

    /// Multiplies rows by the matrix, `[rows, depth]` to `[rows, columns]`. Each number of the result is summed in the
    /// order of the depth, however many rows there are, so a row gives the same result alone and among others.
    pub fn product(&self, rows: &[f32]) -> Vec<f32> {
        let mut product = vec![0.0; rows.len() / self.depth * self.columns];
        let parts = self.steps.chunks(COLUMNS).enumerate();
        // Panel by panel, not row by row: the panel is read from memory for the first rows and from the cache for the
        // others.
        for (panel, (number, steps)) in self.panels.chunks_exact(self.depth * COLUMNS).zip(parts) {
            // The step multiplies the sum once instead of every number of the column.
            let mut put = |row: usize, sums: &[f32; COLUMNS]| {
                let own = &mut product[row * self.columns + number * COLUMNS..][..steps.len()];
                own.iter_mut().zip(sums).zip(steps).for_each(|((own, sum), step)| *own = sum * step);
            };
            let several = rows.chunks_exact(ROWS * self.depth);
            let first_single = several.len() * ROWS;
            let singles = several.remainder().chunks_exact(self.depth);
            for (pair, both) in several.enumerate() {
                let (one, other) = both.split_at(self.depth);
                let sums = sums(panel, [one, other]);
                sums.iter().enumerate().for_each(|(at, sums)| put(pair * ROWS + at, sums));
            }
            for (at, row) in singles.enumerate() {
                let [sums] = sums(panel, [row]);
                put(first_single + at, &sums);
            }
        }
        product
    }
}

/// Returns the sums of a panel for each row.
#[inline]
fn sums<const N: usize>(panel: &[i16], rows: [&[f32]; N]) -> [[f32; COLUMNS]; N] {
    let mut sums = [[0.0; COLUMNS]; N];
    for (at, numbers) in panel.chunks_exact(COLUMNS).enumerate() {
        // Sixteen independent sums, so that the compiler vectorises the loop and keeps them in registers.
        let wide: [f32; COLUMNS] = std::array::from_fn(|column| f32::from(numbers[column]));
        for (row, sums) in rows.iter().zip(&mut sums) {
            let factor = row[at];
            sums.iter_mut().zip(wide).for_each(|(sum, wide)| *sum += factor * wide);
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn matrix() -> impl Strategy<Value = (usize, usize, Vec<f32>, Vec<f32>)> {
        (1usize..40, 1usize..40, 1usize..6).prop_flat_map(|(depth, columns, rows)| {
            let numbers = |count| prop::collection::vec(-2.0f32..2.0, count);
            (Just(depth), Just(columns), numbers(depth * columns), numbers(rows * depth))
        })
    }

    proptest! {
        #[test]
        fn a_product_differs_by_no_more_than_the_rounding((depth, columns, values, rows) in matrix()) {
            let quantised = QuantisedMatrix::new(&values, columns).unwrap();
            let product = quantised.product(&rows);
            prop_assert_eq!(product.len(), rows.len() / depth * columns);
            for (row, product) in rows.chunks_exact(depth).zip(product.chunks_exact(columns)) {
                for (column, found) in product.iter().enumerate() {
                    let own = || values.iter().skip(column).step_by(columns).map(|value| f64::from(*value));
                    let exact: f64 = own().zip(row).map(|(value, factor)| value * f64::from(*factor)).sum();
                    let largest = own().fold(0.0, |largest: f64, value| largest.max(value.abs()));
                    // The error is half a step per number, plus the f32 sum: 40 terms below 4, each rounded to 2^-24.
                    let size: f64 = row.iter().map(|factor| f64::from(factor.abs())).sum();
                    let most = largest / 65_534.0 * size * 1.01 + 160.0 * 40.0 * 2f64.powi(-24);
                    prop_assert!((f64::from(*found) - exact).abs() <= most, "{found} {exact} {most}");
                }
            }
        }

        #[test]
        fn a_row_is_multiplied_as_it_is_among_others((depth, columns, values, rows) in matrix()) {
            let quantised = QuantisedMatrix::new(&values, columns).unwrap();
            let singly: Vec<f32> = rows.chunks_exact(depth).flat_map(|row| quantised.product(row)).collect();
            prop_assert_eq!(quantised.product(&rows), singly);
        }
    }

    #[test]
    fn the_largest_number_of_a_column_keeps_its_value_and_zeros_stay() {
        let quantised = QuantisedMatrix::new(&[0.0, -3.0, 0.0, 1.5], 2).unwrap();
        assert_eq!(quantised.product(&[1.0, 0.0, 0.0, 1.0]), [0.0, -3.0, 0.0, 1.5 + 1.5 / 32_767.0]);
    }

    #[test]
    fn what_has_no_steps_is_not_rounded() {
        for values in [&[][..], &[1.0, f32::NAN], &[f32::INFINITY, 0.0]] {
            assert!(QuantisedMatrix::new(values, 2).is_none());
        }
        assert!(QuantisedMatrix::new(&[], 0).is_none());
    }
}
