//! Our kernel for f32, the only type that the application multiplies in a browser; a plain loop for other types.

use crate::blocks::Size;
use crate::chosen::kernel;
use crate::matrix::Matrix;
use crate::packed::Packed;
use crate::product::{Factors, Place, product};
use core::any::TypeId;
use core::ops::{Add, Mul};
use half::f16;

/// Number of threads that compute a product; always one here.
#[derive(Clone, Copy, Debug)]
pub enum Parallelism {
    /// One thread.
    None,
}

/// Computes `dst := alpha · dst + beta · lhs · rhs`, where `dst` is only read if `read_dst` is set and counts as zero
/// otherwise. `cs` is the distance from a column to the next, `rs` from a row to the next.
///
/// # Safety
/// The pointers must be valid for the sizes and strides, and `dst` must not overlap the factors.
#[allow(clippy::too_many_arguments)] // those of the published crate
pub unsafe fn gemm<T: 'static>(
    m: usize,
    n: usize,
    k: usize,
    dst: *mut T,
    dst_cs: isize,
    dst_rs: isize,
    read_dst: bool,
    lhs: *const T,
    lhs_cs: isize,
    lhs_rs: isize,
    rhs: *const T,
    rhs_cs: isize,
    rhs_rs: isize,
    alpha: T,
    beta: T,
    _conj_dst: bool,
    _conj_lhs: bool,
    _conj_rhs: bool,
    _parallelism: Parallelism,
) {
    if TypeId::of::<T>() == TypeId::of::<f32>() {
        let left = Matrix { at: lhs.cast(), row: lhs_rs, column: lhs_cs };
        let right = Matrix { at: rhs.cast(), row: rhs_rs, column: rhs_cs };
        let out = Place { at: dst.cast(), row: dst_rs, column: dst_cs };
        // SAFETY: `T` is f32; the rest is guaranteed by the caller.
        unsafe {
            let [alpha, beta] = [*(&raw const alpha).cast::<f32>(), *(&raw const beta).cast::<f32>()];
            let factors = Factors { kept: read_dst.then_some(alpha), product: beta };
            product(Size { rows: m, columns: n, depth: k }, left, right, out, factors, kernel());
        }
        return;
    }
    macro_rules! plainly {
        ($number:ty) => {
            if TypeId::of::<T>() == TypeId::of::<$number>() {
                let left = Plain { at: lhs.cast::<$number>(), row: lhs_rs, column: lhs_cs };
                let right = Plain { at: rhs.cast::<$number>(), row: rhs_rs, column: rhs_cs };
                let out = Plain { at: dst.cast::<$number>(), row: dst_rs, column: dst_cs };
                // SAFETY: `T` is this type; the rest is guaranteed by the caller.
                return unsafe {
                    let [alpha, beta] = [*(&raw const alpha).cast(), *(&raw const beta).cast()];
                    plain([m, n, k], left, right, out, read_dst.then_some(alpha), beta)
                };
            }
        };
    }
    plainly!(f64);
    plainly!(f16);
    panic!("no matrix products of {}", core::any::type_name::<T>());
}

impl Packed {
    /// Packs a row-major matrix. Returns `None` if it has no numbers.
    pub fn new(values: &[f32], columns: usize) -> Option<Self> {
        Self::laid_out(values, columns)
    }

    /// Multiplies rows by the matrix, `[rows, depth]` to `[rows, columns]`.
    ///
    /// # Panics
    /// If the numbers are not whole rows.
    pub fn product(&self, rows: &[f32]) -> Vec<f32> {
        self.times(rows, kernel())
    }
}

/// Matrix of any type of number and any strides.
struct Plain<P> {
    at: P,
    row: isize,
    column: isize,
}

/// Computes the product number by number.
///
/// # Safety
/// As for [`gemm`].
unsafe fn plain<T: Copy + Add<Output = T> + Mul<Output = T>>(
    [rows, columns, depth]: [usize; 3],
    left: Plain<*const T>,
    right: Plain<*const T>,
    out: Plain<*mut T>,
    alpha: Option<T>,
    beta: T,
) {
    for (row, column) in (0..rows as isize).flat_map(|row| (0..columns as isize).map(move |column| (row, column))) {
        // SAFETY: within the matrices, as guaranteed by the caller.
        unsafe {
            let term = |at: isize| {
                let left = *left.at.offset(row * left.row + at * left.column);
                left * *right.at.offset(at * right.row + column * right.column)
            };
            let sum = (0..depth as isize).map(term).reduce(|sum, term| sum + term).map(|sum| beta * sum);
            let at = out.at.offset(row * out.row + column * out.column);
            match (sum, alpha.map(|alpha| alpha * *at)) {
                (Some(sum), Some(kept)) => *at = sum + kept,
                (Some(one), None) | (None, Some(one)) => *at = one,
                // There is nothing to sum, and burn's results begin as zeros.
                (None, None) => {}
            }
        }
    }
}
