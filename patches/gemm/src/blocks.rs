//! Products in blocks that stay in the processor's caches: a panel of columns in the first-level cache, rows in the
//! second-level cache.

use crate::kernel::{COLUMNS, Multiply, Task};
use crate::matrix::{Line, Matrix};

/// Maximum depth of a panel: 24 KB, so that it and two rows stay in a first-level cache of 32 KB.
pub const DEEPEST: usize = 384;
/// Maximum number of rows multiplied with a panel before the next panel: at the greatest depth, 440 KB for a
/// second-level cache.
const MOST_ROWS: usize = 288;
/// Maximum number of rows for which a row-major right matrix is read in place: copying its columns into panels would
/// take longer than the product.
const ROWS_IN_PLACE: usize = 16;
/// Maximum number of rows for which a row-major right matrix is read row by row; with more, reading it panel by panel
/// is as fast.
const ROWS_BY_SUMS: usize = 8;
/// Number of elements up to which the right matrix stays in the cache, so that reading it panel by panel is as fast.
const NUMBERS_NEAR: usize = 8_192;

/// Size of a product: rows and columns of the result, and the number of products that each of its numbers sums.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Rows of the left matrix and of the result.
    pub rows: usize,
    /// Columns of the right matrix and of the result.
    pub columns: usize,
    /// Columns of the left and rows of the right matrix.
    pub depth: usize,
}

/// Destination of a result with contiguous rows.
#[derive(Clone, Copy, Debug)]
pub struct Out {
    /// Pointer to the first number.
    pub at: *mut f32,
    /// Distance from a row to the next.
    pub row: isize,
    /// `true` if the product is added to the numbers at the destination.
    pub adds: bool,
}

/// Buffers for copied panels and rows and for the sums of a block, reused from block to block.
#[derive(Default)]
struct Copies {
    left: Vec<f32>,
    panel: Vec<Line>,
    edge: Vec<Line>,
    sums: Vec<f32>,
}

/// Computes the product, whatever the order of its factors.
///
/// # Safety
/// The matrices are as large as `size` says, and the result does not overlap the factors.
pub unsafe fn product(size: Size, left: Matrix, right: Matrix, out: Out, multiply: Multiply) {
    let mut copies = Copies::default();
    for (row, rows) in parts(size.rows, MOST_ROWS) {
        for (at, depth) in parts(size.depth, DEEPEST) {
            let part = Size { rows, depth, ..size };
            let out = Out { at: out.at.wrapping_offset(row as isize * out.row), adds: out.adds || at > 0, ..out };
            // SAFETY: guaranteed by the caller, for parts of the matrices.
            unsafe { copies.block(part, left.part(row, at), right.part(at, 0), out, multiply) };
        }
    }
}

impl Copies {
    /// Computes the product for a block of rows and depth that fits into the caches.
    ///
    /// # Safety
    /// As for [`product`].
    unsafe fn block(&mut self, size: Size, left: Matrix, right: Matrix, out: Out, multiply: Multiply) {
        let Size { rows, columns, depth } = size;
        let (mut left_at, mut left_step) = (left.at, left.row);
        if left.column != 1 {
            // SAFETY: the left matrix has these rows and columns.
            unsafe { left.copy(rows, depth, &mut self.left) };
            (left_at, left_step) = (self.left.as_ptr(), depth as isize);
        }
        let task = Task {
            rows,
            depth,
            left: left_at,
            left_step,
            columns: COLUMNS,
            panel: right.at,
            panel_step: right.row,
            out: out.at,
            out_step: out.row,
            adds: out.adds,
        };
        let mut first = 0;
        if right.column == 1 && rows <= ROWS_IN_PLACE && columns >= COLUMNS {
            first = columns / COLUMNS * COLUMNS;
            // SAFETY: the right matrix and the result have these columns.
            unsafe { self.in_place(Task { columns: first, ..task }, multiply) };
        }
        if first == columns {
            return;
        }
        self.panel.resize(depth, Line::EMPTY);
        // A panel is copied into contiguous lines: the kernel then reads it with a constant stride and from the cache,
        // however far apart its rows lie in the matrix.
        for first in (first..columns).step_by(COLUMNS) {
            let width = COLUMNS.min(columns - first);
            // SAFETY: the right matrix has these rows and columns.
            unsafe { right.part(0, first).pack(width, &mut self.panel) };
            let at = out.at.wrapping_add(first);
            let task = Task { panel: self.panel.as_ptr().cast(), panel_step: COLUMNS as isize, out: at, ..task };
            // SAFETY: the task's matrices are those above; the result, or the edge, has sixteen columns here.
            unsafe {
                if width == COLUMNS {
                    multiply(&task);
                } else {
                    // The kernel always writes sixteen columns. At the right edge of the result it writes into a
                    // buffer, from which only the columns that exist are taken.
                    self.edge.resize(rows, Line::EMPTY);
                    let edge = self.edge.as_mut_ptr().cast();
                    multiply(&Task { out: edge, out_step: COLUMNS as isize, adds: false, ..task });
                    put(&self.edge, width, Out { at, ..out });
                }
            }
        }
    }

    /// Multiplies columns where they lie, panel by panel or row by row. Row by row, sums are kept in the result, or, if
    /// the product is added to the destination, in a buffer: they begin at zero like sums in registers, so that both
    /// ways round alike.
    ///
    /// # Safety
    /// The task's matrices are as large as it says; the result does not overlap the factors.
    unsafe fn in_place(&mut self, task: Task, multiply: Multiply) {
        // SAFETY: guaranteed by the caller; the sums have as many rows and columns as the result.
        unsafe {
            if task.rows > ROWS_BY_SUMS || task.columns * task.depth <= NUMBERS_NEAR {
                for first in (0..task.columns).step_by(COLUMNS) {
                    let (panel, out) = (task.panel.add(first), task.out.add(first));
                    multiply(&Task { columns: COLUMNS, panel, out, ..task });
                }
                return;
            }
            if !task.adds {
                return multiply(&task);
            }
            self.sums.resize(task.rows * task.columns, 0.0);
            let out_step = task.columns as isize;
            multiply(&Task { out: self.sums.as_mut_ptr(), out_step, adds: false, ..task });
            for (row, sums) in self.sums.chunks_exact(task.columns).enumerate() {
                let out = task.out.wrapping_offset(row as isize * task.out_step);
                for (column, sum) in sums.iter().enumerate() {
                    *out.add(column) += sum;
                }
            }
        }
    }
}

/// Copies the first columns of a panel's result to the destination.
///
/// # Safety
/// The destination has as many rows as there are lines, and at least `columns` columns.
unsafe fn put(edge: &[Line], columns: usize, out: Out) {
    for (row, line) in edge.iter().enumerate() {
        for (column, number) in line.0[..columns].iter().enumerate() {
            // SAFETY: within the destination.
            unsafe {
                let at = out.at.wrapping_offset(row as isize * out.row).add(column);
                *at = if out.adds { *at + number } else { *number };
            }
        }
    }
}

/// Splits `whole` into parts of nearly equal size, at most `largest` each, and returns start and size of each. All
/// parts but the last are even, so that only the last can leave a single row.
pub fn parts(whole: usize, largest: usize) -> impl Iterator<Item = (usize, usize)> {
    let count = whole.div_ceil(largest).max(1);
    let each = whole.div_ceil(count).next_multiple_of(2);
    (0..whole).step_by(each.max(1)).map(move |start| (start, each.min(whole - start)))
}
