//! The published kernels, selected by the type of the numbers.

use core::any::TypeId;
use core::convert::Infallible;
use core::mem::swap;
pub use gemm_common::Parallelism;
use gemm_f16::f16;

/// Matrix packed for many products. It does not exist natively, where the published kernels read a matrix where it
/// lies.
#[derive(Clone, Debug)]
pub struct Packed(Infallible);

impl Packed {
    /// Returns `None`.
    pub fn new(_values: &[f32], _columns: usize) -> Option<Self> {
        None
    }

    /// Multiplies rows by the matrix.
    pub fn product(&self, _rows: &[f32]) -> Vec<f32> {
        match self.0 {}
    }
}

/// Computes `dst := alpha · dst + beta · lhs · rhs` for f16, f32 and f64, where `dst` is only read if `read_dst` is set
/// and counts as zero otherwise. `cs` is the distance from a column to the next, `rs` from a row to the next.
///
/// # Safety
/// The pointers must be valid for the sizes and strides, and `dst` must not overlap the factors.
///
/// # Panics
/// If the numbers are of another type.
#[allow(clippy::too_many_arguments)] // those of the published crate
pub unsafe fn gemm<T: 'static>(
    mut m: usize,
    mut n: usize,
    k: usize,
    mut dst: *mut T,
    mut dst_cs: isize,
    mut dst_rs: isize,
    read_dst: bool,
    mut lhs: *const T,
    mut lhs_cs: isize,
    mut lhs_rs: isize,
    mut rhs: *const T,
    mut rhs_cs: isize,
    mut rhs_rs: isize,
    alpha: T,
    beta: T,
    conj_dst: bool,
    mut conj_lhs: bool,
    mut conj_rhs: bool,
    parallelism: Parallelism,
) {
    // The kernels need contiguous columns of the result, and positive strides.
    if dst_cs.abs() < dst_rs.abs() {
        swap(&mut m, &mut n);
        swap(&mut dst_cs, &mut dst_rs);
        swap(&mut lhs, &mut rhs);
        (lhs_cs, lhs_rs, rhs_cs, rhs_rs) = (rhs_rs, rhs_cs, lhs_rs, lhs_cs);
        swap(&mut conj_lhs, &mut conj_rhs);
    }
    if dst_rs < 0 && m > 0 {
        (dst, dst_rs) = turned(dst, m, dst_rs);
        (lhs, lhs_rs) = (lhs.wrapping_offset((m - 1) as isize * lhs_rs), -lhs_rs);
    }
    if dst_cs < 0 && n > 0 {
        (dst, dst_cs) = turned(dst, n, dst_cs);
        (rhs, rhs_cs) = (rhs.wrapping_offset((n - 1) as isize * rhs_cs), -rhs_cs);
    }
    if lhs_cs < 0 && k > 0 {
        (lhs, lhs_cs) = (lhs.wrapping_offset((k - 1) as isize * lhs_cs), -lhs_cs);
        (rhs, rhs_rs) = (rhs.wrapping_offset((k - 1) as isize * rhs_rs), -rhs_rs);
    }
    macro_rules! of {
        ($number:ty, $kernel:path) => {
            if TypeId::of::<T>() == TypeId::of::<$number>() {
                // SAFETY: `T` is this type; the rest is guaranteed by the caller.
                return unsafe {
                    let (dst, lhs, rhs) = (dst.cast(), lhs.cast(), rhs.cast());
                    let (alpha, beta) = (*(&raw const alpha).cast(), *(&raw const beta).cast());
                    $kernel()(
                        m,
                        n,
                        k,
                        dst,
                        dst_cs,
                        dst_rs,
                        read_dst,
                        lhs,
                        lhs_cs,
                        lhs_rs,
                        rhs,
                        rhs_cs,
                        rhs_rs,
                        alpha,
                        beta,
                        conj_dst,
                        conj_lhs,
                        conj_rhs,
                        parallelism,
                    )
                };
            }
        };
    }
    of!(f32, gemm_f32::gemm::f32::get_gemm_fn);
    of!(f64, gemm_f64::gemm::f64::get_gemm_fn);
    of!(f16, gemm_f16::gemm::f16::get_gemm_fn);
    panic!("no matrix products of {}", core::any::type_name::<T>());
}

/// Returns the address after all but the first of some steps, and the reversed step.
fn turned<T>(at: *mut T, steps: usize, step: isize) -> (*mut T, isize) {
    (at.wrapping_offset((steps - 1) as isize * step), -step)
}
