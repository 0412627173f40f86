//! The innermost loops: some rows times a panel of sixteen columns, two rows at a time; or few rows times many columns.
//!
//! Eight sums of four numbers are kept in registers, with four registers for the columns, one for a number of the row
//! and one for their product: fourteen of the sixteen that a processor has where Chromium uses no more. Twelve sums,
//! as in most kernels written for such processors, are spilled to memory by its compiler and take twice as long.
//!
//! A product of few rows takes as long as it takes to read the columns, each once. A panel of columns that lie in rows
//! is sixteen numbers here and sixteen far away, which no processor foresees; so then the matrix is read as it lies,
//! eight of its rows side by side, and the sums are kept in memory.
//!
//! It stands alone, so that it can be compiled once more for browsers that know relaxed instructions.

use self::lanes::{load, product_and_sum, splat, store, sum};

/// Columns in a panel.
pub const COLUMNS: usize = 16;
/// Rows that are computed at a time.
const ROWS: usize = 2;
/// Registers for the columns of a panel.
const FOURS: usize = COLUMNS / 4;
/// Rows of columns that are read side by side where there are more columns than a panel has, and of those left over.
/// Sixteen are a seventh faster where they come from memory, and take twice as long where they lie in a cache, since
/// their numbers of the left row no longer fit into registers.
const ABREAST: usize = 8;
const FEWER_ABREAST: usize = 4;
/// Columns whose sums are kept in the processor's first cache meanwhile, for all rows of the left matrix together.
const COLUMNS_OF_SUMS: usize = 4096;

/// What [`multiply`] is to compute.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Task {
    /// Rows of the left matrix.
    pub rows: usize,
    /// Columns of the left matrix, rows of the panel.
    pub depth: usize,
    /// The left matrix, whose rows lie together.
    pub left: *const f32,
    /// From a row of it to the next.
    pub left_step: isize,
    /// How many columns: those of a panel, or a multiple of them.
    pub columns: usize,
    /// The columns, whose rows lie together.
    pub panel: *const f32,
    /// From a row of them to the next.
    pub panel_step: isize,
    /// The result, whose rows lie together.
    pub out: *mut f32,
    /// From a row of it to the next.
    pub out_step: isize,
    /// Whether the product is added to what lies there.
    pub adds: bool,
}

/// A function as [`multiply`] is.
pub type Multiply = unsafe extern "C" fn(*const Task);

/// The product of rows and columns.
///
/// Each number of the result is summed in the order of the depth, whatever the number of rows.
///
/// # Safety
/// The task points to a task, whose matrices are as large as it says; the result overlaps neither of the others.
pub unsafe extern "C" fn multiply(task: *const Task) {
    // SAFETY: what the caller promises; the rows below are those of the task.
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

/// # Safety
/// As for [`multiply`]; the task has the rows from `first` on.
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

/// # Safety
/// As for [`multiply`].
#[inline(always)]
unsafe fn many_columns(task: &Task) {
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

/// Adds `N` rows of the columns, each times its number of the left row, to the sums.
///
/// # Safety
/// There are `N` numbers of the left row, `N` rows of `width` columns, and as many sums.
#[inline(always)]
unsafe fn side_by_side<const N: usize>(
    left: *const f32,
    panel: *const f32,
    panel_step: isize,
    out: *mut f32,
    width: usize,
    adds: bool,
) {
    // SAFETY: what the caller promises.
    unsafe {
        let mut numbers = [splat(0.0); N];
        for (at, number) in numbers.iter_mut().enumerate() {
            *number = splat(*left.add(at));
        }
        let mut column = 0;
        while column < width {
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

/// Four numbers side by side, in one register.
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

    /// `one · other + sum`, rounded once or twice.
    #[inline(always)]
    pub fn product_and_sum(one: Four, other: Four, sum: Four) -> Four {
        #[cfg(target_feature = "relaxed-simd")]
        return core::arch::wasm32::f32x4_relaxed_madd(one, other, sum);
        #[cfg(not(target_feature = "relaxed-simd"))]
        return f32x4_add(core::arch::wasm32::f32x4_mul(one, other), sum);
    }

    /// # Safety
    /// Four numbers lie there.
    #[inline(always)]
    pub unsafe fn load(from: *const f32) -> Four {
        // SAFETY: they may lie at any address.
        unsafe { v128_load(from.cast()) }
    }

    /// # Safety
    /// Four numbers lie there.
    #[inline(always)]
    pub unsafe fn store(to: *mut f32, four: Four) {
        // SAFETY: they may lie at any address.
        unsafe { v128_store(to.cast(), four) }
    }
}

/// The same for tests on other processors.
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

    /// # Safety
    /// Four numbers lie there.
    pub unsafe fn load(from: *const f32) -> Four {
        // SAFETY: what the caller promises.
        unsafe { from.cast::<Four>().read() }
    }

    /// # Safety
    /// Four numbers lie there.
    pub unsafe fn store(to: *mut f32, four: Four) {
        // SAFETY: what the caller promises.
        unsafe { to.cast::<Four>().write(four) }
    }
}
