//! A right matrix for many products, packed once in the order in which the kernel reads it: panel after panel of
//! sixteen columns, each row by row. Otherwise few rows times a matrix in memory take as long as gathering its columns.
//! Packed, the columns are read in one stream, once from memory and then, for the other rows, from the first-level
//! cache.

use crate::blocks::{DEEPEST, parts};
use crate::kernel::{COLUMNS, Multiply, Task};
use crate::matrix::{Line, Matrix};

/// Packed matrix, `[depth, columns]`.
#[derive(Clone, Debug)]
pub struct Packed {
    depth: usize,
    columns: usize,
    /// Lines of all panels, `[panels, depth]`, zeros beyond the last column.
    lines: Vec<Line>,
}

impl Packed {
    /// Packs a row-major matrix. Returns `None` if it has no numbers or they are not whole rows.
    pub fn laid_out(values: &[f32], columns: usize) -> Option<Self> {
        if values.is_empty() || !values.len().is_multiple_of(columns) {
            return None;
        }
        let depth = values.len() / columns;
        let mut lines = vec![Line::EMPTY; depth * columns.div_ceil(COLUMNS)];
        for (number, panel) in lines.chunks_exact_mut(depth).enumerate() {
            let first = number * COLUMNS;
            let matrix = Matrix { at: values.as_ptr(), row: columns as isize, column: 1 }.part(0, first);
            // SAFETY: the matrix has these rows, and these columns from the first of the panel on.
            unsafe { matrix.pack(COLUMNS.min(columns - first), panel) };
        }
        Some(Self { depth, columns, lines })
    }

    /// Multiplies rows by the matrix, `[rows, depth]` to `[rows, columns]`, with the same result as from the matrix
    /// that was packed.
    ///
    /// # Panics
    /// If the numbers are not whole rows.
    pub(crate) fn times(&self, left: &[f32], multiply: Multiply) -> Vec<f32> {
        let rows = left.len() / self.depth;
        assert_eq!(rows * self.depth, left.len(), "whole rows of {} numbers", self.depth);
        let mut product = vec![0.0f32; rows * self.columns];
        let mut edge = Vec::new();
        for (number, panel) in self.lines.chunks_exact(self.depth).enumerate() {
            let first = number * COLUMNS;
            let width = COLUMNS.min(self.columns - first);
            let (out, out_step) = match width {
                COLUMNS => (product.as_mut_ptr().wrapping_add(first), self.columns),
                _ => {
                    edge.resize(rows * COLUMNS, 0.0);
                    (edge.as_mut_ptr(), COLUMNS)
                }
            };
            for (at, depth) in parts(self.depth, DEEPEST) {
                let task = Task {
                    rows,
                    depth,
                    left: left.as_ptr().wrapping_add(at),
                    left_step: self.depth as isize,
                    columns: COLUMNS,
                    panel: panel.as_ptr().wrapping_add(at).cast(),
                    panel_step: COLUMNS as isize,
                    out,
                    out_step: out_step as isize,
                    adds: at > 0,
                };
                // SAFETY: the rows, the panel and the result have as many numbers as the task says.
                unsafe { multiply(&task) };
            }
            let rows = product.chunks_exact_mut(self.columns).zip(edge.chunks_exact(COLUMNS));
            rows.for_each(|(row, edge)| row[first..].copy_from_slice(&edge[..width]));
        }
        product
    }
}
