//! A right matrix of many products, laid out once as the kernel reads it: panel after panel of sixteen columns, in each
//! row after row. Few rows times a matrix that lies in memory otherwise take as long as it takes to gather its columns;
//! so laid out they are read in one stream, once from far away and then, for the other rows, from the first cache.

use crate::blocks::{DEEPEST, parts};
use crate::kernel::{COLUMNS, Multiply, Task};
use crate::matrix::{Line, Matrix};

/// A matrix, `[depth, columns]`.
#[derive(Clone, Debug)]
pub struct Packed {
    depth: usize,
    columns: usize,
    /// `[panels, depth]`, zeros beyond the last column.
    lines: Vec<Line>,
}

impl Packed {
    /// Lays out a matrix whose rows lie together; `None` without numbers, or where they are no whole rows.
    pub fn laid_out(values: &[f32], columns: usize) -> Option<Self> {
        if values.is_empty() || !values.len().is_multiple_of(columns) {
            return None;
        }
        let depth = values.len() / columns;
        let mut lines = vec![Line::EMPTY; depth * columns.div_ceil(COLUMNS)];
        for (number, panel) in lines.chunks_exact_mut(depth).enumerate() {
            let first = number * COLUMNS;
            let matrix = Matrix { at: values.as_ptr(), row: columns as isize, column: 1 }.part(0, first);
            // SAFETY: it has these rows, and these columns from the first of the panel on.
            unsafe { matrix.pack(COLUMNS.min(columns - first), panel) };
        }
        Some(Self { depth, columns, lines })
    }

    /// The product of rows with it, `[rows, depth]` to `[rows, columns]`, the same as that of the matrix that was laid
    /// out.
    ///
    /// # Panics
    /// The numbers are no whole rows.
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
