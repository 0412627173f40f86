//! Products in blocks that stay in the processor's caches: a panel of columns in the first, rows in the second.

use crate::kernel::{COLUMNS, Multiply, Task};
use crate::matrix::{Line, Matrix};

/// The deepest panel: 24 KB, so that beside two rows it stays in a first cache of 32 KB.
pub const DEEPEST: usize = 384;
/// The most rows that a panel is multiplied with before the next: at the greatest depth, 440 KB for a second cache.
const MOST_ROWS: usize = 288;
/// For so few rows, columns that lie in rows are read where they lie: copying them into a panel would take longer.
const ROWS_IN_PLACE: usize = 16;
/// For so few, they are read row by row; with more, reading a panel at a time is as fast.
const ROWS_BY_SUMS: usize = 8;
/// So many numbers lie near enough for panels to be as fast.
const NUMBERS_NEAR: usize = 8_192;

/// Rows and columns of the result, and how many products each of its numbers is the sum of.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Rows of the left matrix and of the result.
    pub rows: usize,
    /// Columns of the right matrix and of the result.
    pub columns: usize,
    /// Columns of the left and rows of the right matrix.
    pub depth: usize,
}

/// Where a result goes, whose rows lie together.
#[derive(Clone, Copy, Debug)]
pub struct Out {
    /// The first number.
    pub at: *mut f32,
    /// From a row to the next.
    pub row: isize,
    /// Whether the product is added to what lies there.
    pub adds: bool,
}

/// Panels and rows that were copied and sums of a block, kept from block to block.
#[derive(Default)]
struct Copies {
    left: Vec<f32>,
    panel: Vec<Line>,
    edge: Vec<Line>,
    sums: Vec<f32>,
}

/// The product, whatever the order of its factors.
///
/// # Safety
/// The matrices are as large as the size says, and the result overlaps neither of the others.
pub unsafe fn product(size: Size, left: Matrix, right: Matrix, out: Out, multiply: Multiply) {
    let mut copies = Copies::default();
    for (row, rows) in parts(size.rows, MOST_ROWS) {
        for (at, depth) in parts(size.depth, DEEPEST) {
            let part = Size { rows, depth, ..size };
            let out = Out { at: out.at.wrapping_offset(row as isize * out.row), adds: out.adds || at > 0, ..out };
            // SAFETY: what the caller promises, of parts of the matrices.
            unsafe { copies.block(part, left.part(row, at), right.part(at, 0), out, multiply) };
        }
    }
}

impl Copies {
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
        for first in (first..columns).step_by(COLUMNS) {
            let width = COLUMNS.min(columns - first);
            // SAFETY: the right matrix has these rows and columns.
            unsafe { right.part(0, first).pack(width, &mut self.panel) };
            let at = out.at.wrapping_add(first);
            let task = Task { panel: self.panel.as_ptr().cast(), panel_step: COLUMNS as isize, out: at, ..task };
            // SAFETY: the task's matrices are those above; the result has sixteen columns here, or the edge has.
            unsafe {
                if width == COLUMNS {
                    multiply(&task);
                } else {
                    self.edge.resize(rows, Line::EMPTY);
                    let edge = self.edge.as_mut_ptr().cast();
                    multiply(&Task { out: edge, out_step: COLUMNS as isize, adds: false, ..task });
                    put(&self.edge, width, Out { at, ..out });
                }
            }
        }
    }

    /// Columns that are read where they lie: panel by panel, or row by row. Sums of the latter are kept in the result,
    /// or aside where they are to be added to it: they begin at zero, as those in registers do, so that both round
    /// alike.
    ///
    /// # Safety
    /// The task's matrices are as large as it says; the result overlaps neither of the others.
    unsafe fn in_place(&mut self, task: Task, multiply: Multiply) {
        // SAFETY: what the caller promises; the sums have as many rows and columns as the result.
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

/// Puts the first columns of a panel's result into the whole.
///
/// # Safety
/// The result has as many rows as there are lines, and as many columns.
unsafe fn put(edge: &[Line], columns: usize, out: Out) {
    for (row, line) in edge.iter().enumerate() {
        for (column, number) in line.0[..columns].iter().enumerate() {
            // SAFETY: within the result.
            unsafe {
                let at = out.at.wrapping_offset(row as isize * out.row).add(column);
                *at = if out.adds { *at + number } else { *number };
            }
        }
    }
}

/// Parts of nearly the same size, none larger than the largest, each with its start; an odd row is in the last only.
pub fn parts(whole: usize, largest: usize) -> impl Iterator<Item = (usize, usize)> {
    let count = whole.div_ceil(largest).max(1);
    let each = whole.div_ceil(count).next_multiple_of(2);
    (0..whole).step_by(each.max(1)).map(move |start| (start, each.min(whole - start)))
}
