//! A matrix somewhere in memory, in any order, and how parts of it are copied into another.

use crate::kernel::COLUMNS;

/// Numbers in rows and columns.
#[derive(Clone, Copy, Debug)]
pub struct Matrix {
    /// The first number.
    pub at: *const f32,
    /// From a row to the next.
    pub row: isize,
    /// From a column to the next.
    pub column: isize,
}

/// The columns of a panel in one row of it, which are a line of the processor's cache.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Line(pub [f32; COLUMNS]);

impl Line {
    /// Zeros.
    pub const EMPTY: Self = Self([0.0; COLUMNS]);
}

impl Matrix {
    /// Rows for columns.
    pub fn transposed(self) -> Self {
        Self { row: self.column, column: self.row, ..self }
    }

    /// The part that begins at a row and a column.
    pub fn part(self, row: usize, column: usize) -> Self {
        Self { at: self.at.wrapping_offset(row as isize * self.row + column as isize * self.column), ..self }
    }

    /// Copies its first rows and columns, row by row.
    ///
    /// # Safety
    /// It has as many rows and columns.
    pub unsafe fn copy(self, rows: usize, columns: usize, into: &mut Vec<f32>) {
        /// Columns that are read together where they lie far apart, so that a row is written while it is in the cache.
        const TOGETHER: usize = 16;
        into.resize(rows * columns, 0.0);
        for first in (0..columns).step_by(TOGETHER) {
            let last = columns.min(first + TOGETHER);
            for (row, into) in into.chunks_exact_mut(columns).enumerate() {
                for (column, into) in into[first..last].iter_mut().enumerate() {
                    // SAFETY: within the rows and columns that it has.
                    *into = unsafe { *self.part(row, first + column).at };
                }
            }
        }
    }

    /// Copies its first columns, at most [`COLUMNS`] of them, into the lines of a panel; what is left of each line is
    /// zero. There is a line for each row.
    ///
    /// # Safety
    /// It has as many rows and columns.
    pub unsafe fn pack(self, columns: usize, panel: &mut [Line]) {
        if columns < COLUMNS {
            panel.fill(Line::EMPTY);
        }
        if self.column == 1 && columns == COLUMNS {
            for (row, line) in panel.iter_mut().enumerate() {
                // SAFETY: a row of it, whose numbers lie together.
                line.0 = unsafe { self.part(row, 0).at.cast::<[f32; COLUMNS]>().read() };
            }
            return;
        }
        for column in 0..columns {
            for (row, line) in panel.iter_mut().enumerate() {
                // SAFETY: within the rows and columns that it has.
                line.0[column] = unsafe { *self.part(row, column).at };
            }
        }
    }
}
