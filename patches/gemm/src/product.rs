//! `dst := alpha · dst + beta · lhs · rhs` for f32: selects the method by order and size of the matrices.

use crate::blocks::{self, Out, Size};
use crate::dots::dots;
use crate::kernel::Multiply;
use crate::matrix::Matrix;

/// Maximum number of rows for which contiguous columns are not repacked.
const FEW_ROWS: usize = 8;

/// Factors of the old result and of the product.
#[derive(Clone, Copy, Debug)]
pub struct Factors {
    /// Factor of the old numbers of the result; `None` if they must not be read.
    pub kept: Option<f32>,
    /// Factor of the product.
    pub product: f32,
}

/// Result with any strides.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Pointer to the first number.
    pub at: *mut f32,
    /// Distance from a row to the next.
    pub row: isize,
    /// Distance from a column to the next.
    pub column: isize,
}

/// Computes the product of two matrices with any strides.
///
/// # Safety
/// The matrices are as large as `size` says, and the result does not overlap the factors.
pub unsafe fn product(size: Size, left: Matrix, right: Matrix, out: Place, factors: Factors, multiply: Multiply) {
    if size.rows == 0 || size.columns == 0 {
        return;
    }
    if out.column != 1 && out.row == 1 {
        let size = Size { rows: size.columns, columns: size.rows, ..size };
        let out = Place { row: out.column, column: out.row, ..out };
        // SAFETY: the same product with rows and columns exchanged.
        return unsafe { in_rows(size, right.transposed(), left.transposed(), out, factors, multiply) };
    }
    // A single contiguous column is handled as a row.
    if size.columns == 1 && size.rows > 1 && out.row == 1 {
        let size = Size { rows: 1, columns: size.rows, ..size };
        let out = Place { row: out.column, column: 1, ..out };
        // SAFETY: the same product with rows and columns exchanged.
        return unsafe { in_rows(size, right.transposed(), left.transposed(), out, factors, multiply) };
    }
    // SAFETY: guaranteed by the caller.
    unsafe { in_rows(size, left, right, out, factors, multiply) }
}

/// Computes the product into a result whose rows are contiguous if possible, otherwise through a buffer.
///
/// # Safety
/// As for [`product`].
unsafe fn in_rows(size: Size, left: Matrix, right: Matrix, out: Place, factors: Factors, multiply: Multiply) {
    let adds = match factors.kept {
        None | Some(0.0) => Some(false),
        Some(1.0) => Some(true),
        Some(_) => None,
    };
    if let (Some(adds), 1, 1.0) = (adds, out.column, factors.product)
        && size.depth > 0
    {
        let out = Out { at: out.at, row: out.row, adds };
        // SAFETY: guaranteed by the caller; the rows of the result are contiguous.
        return unsafe { straight(size, left, right, out, multiply) };
    }
    let mut found = vec![0.0f32; size.rows * size.columns];
    if size.depth > 0 {
        let aside = Out { at: found.as_mut_ptr(), row: size.columns as isize, adds: false };
        // SAFETY: the buffer is as large as the size says.
        unsafe { straight(size, left, right, aside, multiply) };
    }
    for (row, found) in found.chunks_exact(size.columns).enumerate() {
        for (column, found) in found.iter().enumerate() {
            let at = out.at.wrapping_offset(row as isize * out.row + column as isize * out.column);
            // SAFETY: within the result.
            unsafe { *at = factors.product * found + factors.kept.map_or(0.0, |kept| kept * *at) };
        }
    }
}

/// Computes the product into a result with contiguous rows.
///
/// # Safety
/// As for [`product`].
unsafe fn straight(size: Size, left: Matrix, right: Matrix, out: Out, multiply: Multiply) {
    let right_lies_in_columns = right.row == 1 && right.column != 1;
    if size.rows > FEW_ROWS || !right_lies_in_columns {
        // SAFETY: guaranteed by the caller.
        return unsafe { blocks::product(size, left, right, out, multiply) };
    }
    let (mut left, mut copied) = (left, Vec::new());
    if left.column != 1 {
        // SAFETY: the left matrix has these rows and columns.
        unsafe { left.copy(size.rows, size.depth, &mut copied) };
        left = Matrix { at: copied.as_ptr(), row: size.depth as isize, column: 1 };
    }
    let put = |row: usize, column: usize, found: f32| {
        let at = out.at.wrapping_offset(row as isize * out.row).wrapping_add(column);
        // SAFETY: within the result.
        unsafe { *at = if out.adds { *at + found } else { found } };
    };
    // SAFETY: guaranteed by the caller; rows and columns are contiguous.
    unsafe { dots([size.rows, size.columns, size.depth], left, right, put) };
}
