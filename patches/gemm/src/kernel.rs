//! The innermost loops: some rows times a panel of sixteen columns, two rows at a time; or few rows times many columns.
//!
//! The panel loop keeps eight sums of four numbers in registers, plus four registers for the columns, one for a number
//! of the row and one for their product: fourteen of the sixteen registers that Chromium's compiler uses. With twelve
//! sums, as in most kernels written for such processors, it spills registers to memory, which takes twice as long.
//!
//! A product of few rows takes as long as reading the columns once. A panel of a row-major matrix is sixteen numbers
//! here and sixteen far away, a pattern that no prefetcher recognises. Such a matrix is therefore read in its own
//! order, eight of its rows side by side, and the sums are kept in memory.
//!
//! This file uses nothing else of the crate, so that it can be compiled a second time for browsers with relaxed SIMD
//! instructions.

use self::lanes::{load, product_and_sum, splat, store, sum};

/// Number of columns in a panel.
pub const COLUMNS: usize = 16;
/// Number of rows computed at a time.
const ROWS: usize = 2;
/// Number of registers for the columns of a panel.
const FOURS: usize = COLUMNS / 4;
/// Number of rows of the right matrix that are read side by side if it has more columns than a panel; fewer are used
/// for the remaining rows. Sixteen are a seventh faster if the rows come from memory, but take twice as long if they
/// lie in a cache, since their numbers of the left row no longer fit into registers.
const ABREAST: usize = 8;
const FEWER_ABREAST: usize = 4;
/// Number of sums that stay in the first-level cache meanwhile, for all rows of the left matrix together.
const COLUMNS_OF_SUMS: usize = 4096;

/// Arguments of [`multiply`].
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Task {
    /// Number of rows of the left matrix.
    pub rows: usize,
    /// Number of columns of the left matrix and of rows of the panel.
    pub depth: usize,
    /// Left matrix, with contiguous rows.
    pub left: *const f32,
    /// Distance from a row of the left matrix to the next.
    pub left_step: isize,
    /// Number of columns: those of a panel, or a multiple of them.
    pub columns: usize,
    /// Right matrix, with contiguous rows.
    pub panel: *const f32,
    /// Distance from a row of the right matrix to the next.
    pub panel_step: isize,
    /// Result, with contiguous rows.
    pub out: *mut f32,
    /// Distance from a row of the result to the next.
    pub out_step: isize,
    /// `true` if the product is added to the numbers of the result.
    pub adds: bool,
}

/// Function with the signature of [`multiply`].
pub type Multiply = unsafe extern "C" fn(*const Task);

/// Computes the product of a task.
///
/// Each number of the result is summed in the order of the depth, however many rows there are, so that a row gives the
/// same result alone and among others.
///
/// # Safety
/// `task` points to a task whose matrices are as large as it says; the result does not overlap the factors.
pub unsafe extern "C" fn multiply(task: *const Task) {
    // SAFETY: guaranteed by the caller; the rows below are those of the task.
    unsafe {
        let task = *task;
        if task.columns > COLUMNS {
            return many_columns(&task);
        }
        let mut row = 0;
        while row + ROWS <= task.rows {
            rows::<ROWS>(&task, row);
            row += ROWS;
        }
        while row < task.rows {
            rows::<1>(&task, row);
            row += 1;
        }
    }
}

/// Multiplies `N` rows by a panel.
///
/// # Safety
/// As for [`multiply`]; the task has `N` rows from `first` on.
#[inline(always)]
unsafe fn rows<const N: usize>(task: &Task, first: usize) {
    // SAFETY: every address is that of a number within the matrices of the task.
    unsafe {
        let mut sums = [[splat(0.0); FOURS]; N];
        let mut left = task.left.offset(first as isize * task.left_step);
        let mut panel = task.panel;
        for _ in 0..task.depth {
            let mut columns = [splat(0.0); FOURS];
            for (at, column) in columns.iter_mut().enumerate() {
                *column = load(panel.add(4 * at));
            }
            for (row, sums) in sums.iter_mut().enumerate() {
                let number = splat(*left.offset(row as isize * task.left_step));
                for (sum, column) in sums.iter_mut().zip(columns) {
                    *sum = product_and_sum(number, column, *sum);
                }
            }
            left = left.add(1);
            // Wrapping, since after the last row the pointer may lie beyond the matrix; it is not read there.
            panel = panel.wrapping_offset(task.panel_step);
        }
        for (row, sums) in sums.iter().enumerate() {
            let out = task.out.offset((first + row) as isize * task.out_step);
            for (at, own) in sums.iter().enumerate() {
                let out = out.add(4 * at);
                store(out, if task.adds { sum(load(out), *own) } else { *own });
            }
        }
    }
}

/// Multiplies all rows by many columns, reading the right matrix in its own order.
///
/// # Safety
/// As for [`multiply`].
#[inline(always)]
unsafe fn many_columns(task: &Task) {
    // All rows of a strip of columns share the part of the right matrix just read, so the strip is as wide as its sums
    // may be to stay in the first-level cache.
    let most = (COLUMNS_OF_SUMS / task.rows.max(1)).max(COLUMNS) / COLUMNS * COLUMNS;
    let mut first = 0;
    while first < task.columns {
        let width = if most < task.columns - first { most } else { task.columns - first };
        let mut at = 0;
        while at < task.depth {
            let abreast = match task.depth - at {
                ABREAST.. => ABREAST,
                FEWER_ABREAST.. => FEWER_ABREAST,
                _ => 1,
            };
            let mut row = 0;
            while row < task.rows {
                // SAFETY: every address is that of a number within the matrices of the task.
                unsafe {
                    let left = task.left.offset(row as isize * task.left_step).add(at);
                    let panel = task.panel.wrapping_offset(at as isize * task.panel_step).wrapping_add(first);
                    let out = task.out.offset(row as isize * task.out_step).add(first);
                    // The first group of rows overwrites the result unless the task adds; the following groups add to
                    // it.
                    let adds = task.adds || at > 0;
                    match abreast {
                        ABREAST => side_by_side::<ABREAST>(left, panel, task.panel_step, out, width, adds),
                        FEWER_ABREAST => side_by_side::<FEWER_ABREAST>(left, panel, task.panel_step, out, width, adds),
                        _ => side_by_side::<1>(left, panel, task.panel_step, out, width, adds),
                    }
                }
                row += 1;
            }
            at += abreast;
        }
        first += width;
    }
}

/// Adds `N` rows of the right matrix, each times its number of the left row, to the sums.
///
/// # Safety
/// There are `N` numbers of the left row, `N` rows of `width` columns, and `width` sums.
#[inline(always)]
unsafe fn side_by_side<const N: usize>(
    left: *const f32,
    panel: *const f32,
    panel_step: isize,
    out: *mut f32,
    width: usize,
    adds: bool,
) {
    // SAFETY: guaranteed by the caller.
    unsafe {
        let mut numbers = [splat(0.0); N];
        for (at, number) in numbers.iter_mut().enumerate() {
            *number = splat(*left.add(at));
        }
        let mut column = 0;
        while column < width {
            // A sum is loaded and stored once per `N` products: with one row at a time, these transfers would take
            // longer than the products.
            let mut own = if adds { load(out.add(column)) } else { splat(0.0) };
            for (at, number) in numbers.iter().enumerate() {
                let from = panel.wrapping_offset(at as isize * panel_step).add(column);
                own = product_and_sum(*number, load(from), own);
            }
            store(out.add(column), own);
            column += 4;
        }
    }
}

/// Operations on four numbers in one register.
#[cfg(target_arch = "wasm32")]
pub mod lanes {
    use core::arch::wasm32::{f32x4_add, f32x4_splat, v128, v128_load, v128_store};

    pub type Four = v128;

    #[inline(always)]
    pub fn splat(number: f32) -> Four {
        f32x4_splat(number)
    }

    #[inline(always)]
    pub fn sum(one: Four, other: Four) -> Four {
        f32x4_add(one, other)
    }

    /// Returns `one · other + sum`, rounded once with relaxed instructions and twice without.
    #[inline(always)]
    pub fn product_and_sum(one: Four, other: Four, sum: Four) -> Four {
        #[cfg(target_feature = "relaxed-simd")]
        return core::arch::wasm32::f32x4_relaxed_madd(one, other, sum);
        #[cfg(not(target_feature = "relaxed-simd"))]
        return f32x4_add(core::arch::wasm32::f32x4_mul(one, other), sum);
    }

    /// Loads four numbers.
    ///
    /// # Safety
    /// Four numbers lie at the address, which may be unaligned.
    #[inline(always)]
    pub unsafe fn load(from: *const f32) -> Four {
        // SAFETY: guaranteed by the caller; the instruction takes any address.
        unsafe { v128_load(from.cast()) }
    }

    /// Stores four numbers.
    ///
    /// # Safety
    /// There is room for four numbers at the address, which may be unaligned.
    #[inline(always)]
    pub unsafe fn store(to: *mut f32, four: Four) {
        // SAFETY: guaranteed by the caller; the instruction takes any address.
        unsafe { v128_store(to.cast(), four) }
    }
}

/// Operations on four numbers for tests on other processors.
#[cfg(not(target_arch = "wasm32"))]
pub mod lanes {
    pub type Four = [f32; 4];

    pub fn splat(number: f32) -> Four {
        [number; 4]
    }

    pub fn sum(one: Four, other: Four) -> Four {
        core::array::from_fn(|at| one[at] + other[at])
    }

    pub fn product_and_sum(one: Four, other: Four, sum: Four) -> Four {
        core::array::from_fn(|at| one[at] * other[at] + sum[at])
    }

    /// Loads four numbers.
    ///
    /// # Safety
    /// Four numbers lie at the address.
    pub unsafe fn load(from: *const f32) -> Four {
        // SAFETY: guaranteed by the caller.
        unsafe { from.cast::<Four>().read() }
    }

    /// Stores four numbers.
    ///
    /// # Safety
    /// There is room for four numbers at the address.
    pub unsafe fn store(to: *mut f32, four: Four) {
        // SAFETY: guaranteed by the caller.
        unsafe { to.cast::<Four>().write(four) }
    }
}
