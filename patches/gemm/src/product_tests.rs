//! Tests of every order and size against a plain sum in f64.

use crate::blocks::Size;
use crate::kernel::multiply;
use crate::matrix::Matrix;
use crate::packed::Packed;
use crate::product::{Factors, Place, product};
use proptest::prelude::*;

/// Order of a matrix in memory.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Order {
    Rows,
    Columns,
    /// Row-major order with unused numbers between the rows and between the numbers of a row.
    Apart,
}

const ORDERS: [Order; 3] = [Order::Rows, Order::Columns, Order::Apart];

impl Order {
    /// Returns the distance from a row to the next, from a column to the next, and the number of elements in memory.
    fn steps(self, rows: usize, columns: usize) -> (isize, isize, usize) {
        match self {
            Self::Rows => (columns as isize, 1, rows * columns),
            Self::Columns => (1, rows as isize, rows * columns),
            Self::Apart => (2 * columns as isize + 3, 2, rows * (2 * columns + 3)),
        }
    }
}

/// Returns pseudo-random numbers between −1 and 1.
fn numbers(count: usize, seed: usize) -> Vec<f32> {
    (0..count).map(|at| (((at * 7 + seed) * 2_654_435_761) % 2_003) as f32 / 1_001.0 - 1.0).collect()
}

/// Compares a product with a plain sum; unused numbers between those of the result must stay unchanged.
fn check(size: Size, orders: [Order; 3], factors: Factors) {
    let [left_order, right_order, out_order] = orders;
    let Size { rows, columns, depth } = size;
    let (left_row, left_column, count) = left_order.steps(rows, depth);
    let left = numbers(count, 1);
    let (right_row, right_column, count) = right_order.steps(depth, columns);
    let right = numbers(count, 2);
    let (row, column, count) = out_order.steps(rows, columns);
    let before = numbers(count, 3);
    let mut after = before.clone();
    // SAFETY: all three are as large as their strides say.
    unsafe {
        let left = Matrix { at: left.as_ptr(), row: left_row, column: left_column };
        let right = Matrix { at: right.as_ptr(), row: right_row, column: right_column };
        product(size, left, right, Place { at: after.as_mut_ptr(), row, column }, factors, multiply);
    }
    let mut expected: Vec<f64> = before.iter().copied().map(f64::from).collect();
    for (at_row, at_column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        let number = |of: &[f32], row: usize, column: usize, steps: [isize; 2]| {
            f64::from(of[row * steps[0] as usize + column * steps[1] as usize])
        };
        let term = |at: usize| {
            number(&left, at_row, at, [left_row, left_column])
                * number(&right, at, at_column, [right_row, right_column])
        };
        let place = at_row * row as usize + at_column * column as usize;
        let kept = factors.kept.map_or(0.0, |kept| f64::from(kept) * expected[place]);
        let terms = (0..depth).map(|at| f64::from(factors.product) * term(at));
        expected[place] = terms.clone().sum::<f64>() + kept;
        // Every product, sum and factor rounds by half a unit, of at most the sum of all sizes (Higham 2002, §3.1).
        let largest = terms.map(f64::abs).sum::<f64>() + kept.abs();
        let tolerance = f64::from(f32::EPSILON) / 2.0 * (depth + 3) as f64 * largest;
        let difference = (f64::from(after[place]) - expected[place]).abs();
        assert!(difference <= tolerance, "{size:?} {orders:?}, {at_row} {at_column}: {difference:e}");
        after[place] = before[place];
    }
    assert_eq!(after, before, "{size:?} {orders:?}: what belongs to nobody was written to");
}

/// Factors of the product alone.
const ALONE: Factors = Factors { kept: None, product: 1.0 };
/// Factors of a product that is added to the result.
const ADDED: Factors = Factors { kept: Some(1.0), product: 1.0 };

fn every_order(size: Size, factors: Factors) {
    for left in ORDERS {
        for right in ORDERS {
            ORDERS.into_iter().for_each(|out| check(size, [left, right, out], factors));
        }
    }
}

#[test]
fn every_small_size_and_order() {
    for rows in 1..=5 {
        for columns in (1..=17).chain([31, 32, 33]) {
            for depth in [1, 2, 3, 4, 5, 16, 17] {
                every_order(Size { rows, columns, depth }, ALONE);
            }
        }
    }
}

#[test]
fn all_edges_of_rows() {
    for rows in 1..=20 {
        every_order(Size { rows, columns: 17, depth: 6 }, ADDED);
    }
}

#[test]
fn sizes_beyond_a_block() {
    for [rows, columns, depth] in [
        [3, 33, 385],
        [18, 17, 1_000],
        [289, 17, 9],
        [577, 16, 400],
        [1, 300, 800],
        [2, 2_070, 9],
        [8, 2_070, 15],
        [5, 120, 397],
    ] {
        every_order(Size { rows, columns, depth }, ALONE);
        every_order(Size { rows, columns, depth }, ADDED);
    }
}

#[test]
fn nothing_to_sum_leaves_zeros_or_what_is_kept() {
    for size in [[0, 3, 4], [3, 0, 4], [3, 4, 0], [0, 0, 0]] {
        let size = Size { rows: size[0], columns: size[1], depth: size[2] };
        for kept in [None, Some(1.0), Some(0.5)] {
            every_order(size, Factors { kept, product: 1.0 });
        }
    }
}

#[test]
fn a_row_is_the_same_number_for_number_whatever_rows_stand_beside_it() {
    // Panel by panel in place and, with more columns, row by row, with any number of remaining rows; both matrices are
    // row-major.
    for [columns, depth] in [[40, 500], [100, 757], [112, 250], [2_080, 13]] {
        let (left, right) = (numbers(300 * depth, 1), numbers(depth * columns, 2));
        for factors in [ALONE, ADDED] {
            let found = |rows: usize| {
                let mut out = numbers(rows * columns, 3);
                let at = |of: &[f32], row: usize| Matrix { at: of.as_ptr(), row: row as isize, column: 1 };
                let result = Place { at: out.as_mut_ptr(), row: columns as isize, column: 1 };
                let size = Size { rows, columns, depth };
                // SAFETY: all three are as large as the size says.
                unsafe { product(size, at(&left, depth), at(&right, columns), result, factors, multiply) };
                out
            };
            let all = found(300);
            for rows in (1..=9).chain([16, 17, 289]) {
                assert_eq!(found(rows), all[..rows * columns], "{rows} rows, {columns} columns, {depth} deep");
            }
        }
    }
}

proptest! {
    #[test]
    fn any_size_order_and_factors(
        rows in 1usize..40,
        columns in 1usize..70,
        depth in 1usize..60,
        orders in prop::array::uniform3(prop::sample::select(&ORDERS)),
        kept in prop::option::of(-2.0f32..2.0),
        product in -2.0f32..2.0,
    ) {
        check(Size { rows, columns, depth }, orders, Factors { kept, product });
    }
}

proptest! {
    /// Checks that a packed matrix gives the same result to the bit. A single column is excluded: it is multiplied as a
    /// row and summed in another order.
    #[test]
    fn what_is_laid_out_once_gives_the_same(rows in 1usize..8, columns in 2usize..70, depth in 1usize..900) {
        let (left, right) = (numbers(rows * depth, 1), numbers(depth * columns, 2));
        let mut expected = vec![0.0f32; rows * columns];
        // SAFETY: all three are as large as the size says.
        unsafe {
            let size = Size { rows, columns, depth };
            let [left, right] = [(&left, depth), (&right, columns)]
                .map(|(of, row)| Matrix { at: of.as_ptr(), row: row as isize, column: 1 });
            let out = Place { at: expected.as_mut_ptr(), row: columns as isize, column: 1 };
            product(size, left, right, out, Factors { kept: None, product: 1.0 }, multiply);
        }
        let packed = Packed::laid_out(&right, columns).unwrap();
        prop_assert_eq!(packed.times(&left, multiply), expected);
    }
}

#[test]
fn what_has_no_rows_is_not_laid_out() {
    for (values, columns) in [(&[][..], 3), (&[][..], 0), (&[1.0][..], 0), (&[1.0, 2.0, 3.0][..], 2)] {
        assert!(Packed::laid_out(values, columns).is_none(), "{values:?} {columns}");
    }
}
