//! A matrix in memory with any strides, and copies of its parts in other orders.

use crate::kernel::COLUMNS;

/// Matrix in memory.
#[derive(Clone, Copy, Debug)]
pub struct Matrix {
    /// Pointer to the first number.
    pub at: *const f32,
    /// Distance from a row to the next.
    pub row: isize,
    /// Distance from a column to the next.
    pub column: isize,
}

/// One row of a panel: as long as a line of the processor's cache.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Line(pub [f32; COLUMNS]);

impl Line {
    /// Line of zeros.
    pub const EMPTY: Self = Self([0.0; COLUMNS]);
}

impl Matrix {
    /// Returns the transposed matrix, without copying.
    pub fn transposed(self) -> Self {
        Self { row: self.column, column: self.row, ..self }
    }

    /// Returns the part that begins at this row and column.
    pub fn part(self, row: usize, column: usize) -> Self {
        Self { at: self.at.wrapping_offset(row as isize * self.row + column as isize * self.column), ..self }
    }

    /// Copies the first rows and columns into row-major order.
    ///
    /// # Safety
    /// The matrix has at least these rows and columns.
    pub unsafe fn copy(self, rows: usize, columns: usize, into: &mut Vec<f32>) {
        /// Number of columns that are read together if they lie far apart, so that a row is written while it is in the
        /// cache.
        const TOGETHER: usize = 16;
        into.resize(rows * columns, 0.0);
        for first in (0..columns).step_by(TOGETHER) {
            let last = columns.min(first + TOGETHER);
            for (row, into) in into.chunks_exact_mut(columns).enumerate() {
                for (column, into) in into[first..last].iter_mut().enumerate() {
                    // SAFETY: within the rows and columns of the matrix.
                    *into = unsafe { *self.part(row, first + column).at };
                }
            }
        }
    }

    /// Copies the first columns, at most [`COLUMNS`], into the lines of a panel, one line per row; the rest of each
    /// line becomes zero.
    ///
    /// # Safety
    /// The matrix has these columns, and a row for each line.
    pub unsafe fn pack(self, columns: usize, panel: &mut [Line]) {
        if columns < COLUMNS {
            panel.fill(Line::EMPTY);
        }
        if self.column == 1 && columns == COLUMNS {
            for (row, line) in panel.iter_mut().enumerate() {
                // SAFETY: a row of the matrix, whose numbers are contiguous.
                line.0 = unsafe { self.part(row, 0).at.cast::<[f32; COLUMNS]>().read() };
            }
            return;
        }
        for column in 0..columns {
            for (row, line) in panel.iter_mut().enumerate() {
                // SAFETY: within the rows and columns of the matrix.
                line.0[column] = unsafe { *self.part(row, column).at };
            }
        }
    }
}
