//! Products of few rows with contiguous columns: each number of the result is a dot product. Repacking the columns
//! would take longer than the product.

use crate::kernel::lanes::{Four, load, product_and_sum, splat, store};
use crate::matrix::Matrix;

/// Number of columns computed at a time.
const COLUMNS: usize = 4;
/// Number of lanes that are added side by side.
const LANES: usize = 4;

/// Multiplies rows by columns; `put` receives row, column and number of the result.
///
/// # Safety
/// The rows of the left and the columns of the right matrix are contiguous; there are `rows` and `columns` of them, and
/// both are `depth` long.
pub unsafe fn dots(
    [rows, columns, depth]: [usize; 3],
    left: Matrix,
    right: Matrix,
    mut put: impl FnMut(usize, usize, f32),
) {
    let mut row = 0;
    while row < rows {
        // SAFETY: these rows and columns exist.
        unsafe {
            if row + 2 <= rows {
                some_rows::<2>([row, columns, depth], left, right, &mut put);
                row += 2;
            } else {
                some_rows::<1>([row, columns, depth], left, right, &mut put);
                row += 1;
            }
        }
    }
}

/// Multiplies `N` rows by all columns.
///
/// # Safety
/// As for [`dots`]; there are `N` rows from `first` on.
unsafe fn some_rows<const N: usize>(
    [first, columns, depth]: [usize; 3],
    left: Matrix,
    right: Matrix,
    put: &mut impl FnMut(usize, usize, f32),
) {
    let own = core::array::from_fn(|row| left.part(first + row, 0).at);
    let mut column = 0;
    while column < columns {
        // The last group of columns overlaps the group before it, so that every group is full; the columns in both are
        // computed twice with the same result.
        let start = column.min(columns.saturating_sub(COLUMNS));
        let others: [_; COLUMNS] = core::array::from_fn(|at| right.part(0, (start + at).min(columns - 1)).at);
        // SAFETY: these rows and columns exist.
        let found: [[f32; COLUMNS]; N] = unsafe { several(own, others, depth) };
        for (row, found) in found.iter().enumerate() {
            for (at, found) in found.iter().enumerate().take(columns - start).skip(column - start) {
                put(first + row, start + at, *found);
            }
        }
        column = start + COLUMNS;
    }
}

/// Returns the dot products of some rows and columns.
///
/// # Safety
/// `depth` contiguous numbers lie at each of the pointers.
#[inline(always)]
unsafe fn several<const N: usize>(
    rows: [*const f32; N],
    columns: [*const f32; COLUMNS],
    depth: usize,
) -> [[f32; COLUMNS]; N] {
    let whole = depth / LANES * LANES;
    let mut sums = [[splat(0.0); COLUMNS]; N];
    for at in (0..whole).step_by(LANES) {
        // SAFETY: four numbers lie there.
        let columns = columns.map(|column| unsafe { load(column.add(at)) });
        for (row, sums) in rows.iter().zip(&mut sums) {
            // SAFETY: four numbers lie there.
            let row = unsafe { load(row.add(at)) };
            for (sum, column) in sums.iter_mut().zip(columns) {
                *sum = product_and_sum(row, column, *sum);
            }
        }
    }
    core::array::from_fn(|row| {
        core::array::from_fn(|column| {
            // SAFETY: the index is below the depth.
            let term = |at: usize| unsafe { *rows[row].add(at) * *columns[column].add(at) };
            (whole..depth).map(term).fold(in_sum(sums[row][column]), |sum, term| sum + term)
        })
    })
}

#[inline(always)]
fn in_sum(four: Four) -> f32 {
    let mut numbers = [0.0f32; LANES];
    // SAFETY: the array has four numbers.
    unsafe { store(numbers.as_mut_ptr(), four) };
    let [a, b, c, d] = numbers;
    (a + c) + (b + d)
}
