//! Matrix of attention: grouping, differences, shares.
//!
//! Grouping sums over the columns, which are attended to, and averages over the rows, which attend. A row still sums to
//! 1, and is the attention of an average byte of the group.

use std::ops::Range;

/// Numbers in rows and columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matrix {
    pub rows: usize,
    pub columns: usize,
    /// Numbers row by row, rows times columns in all.
    pub values: Vec<f32>,
}

impl Matrix {
    /// Creates a matrix; `None` if the number of values is not rows times columns.
    pub fn new(rows: usize, columns: usize, values: Vec<f32>) -> Option<Self> {
        (values.len() == rows * columns).then_some(Self { rows, columns, values })
    }

    /// Returns the number at a place; 0 outside the matrix.
    pub fn at(&self, row: usize, column: usize) -> f32 {
        let inside = column < self.columns;
        self.values.get(row * self.columns + column).copied().filter(|_| inside).unwrap_or(0.0)
    }

    /// Returns a row; empty outside the matrix.
    pub fn row(&self, row: usize) -> &[f32] {
        self.values.get(row * self.columns..(row + 1) * self.columns).unwrap_or_default()
    }

    /// Groups rows and columns: entry (i, j) is the mean over the rows of group i of the sum over the columns of group
    /// j. Places outside the matrix are ignored.
    pub fn grouped(&self, rows: &[Range<usize>], columns: &[Range<usize>]) -> Self {
        let mut values = Vec::with_capacity(rows.len() * columns.len());
        for group in rows {
            let own = group.start.min(self.rows)..group.end.min(self.rows);
            let mut sums = vec![0.0f64; columns.len()];
            for row in own.clone() {
                let row = self.row(row);
                for (sum, group) in sums.iter_mut().zip(columns) {
                    let cells = row.get(group.start.min(row.len())..group.end.min(row.len())).unwrap_or_default();
                    *sum += cells.iter().map(|cell| f64::from(*cell)).sum::<f64>();
                }
            }
            values.extend(sums.into_iter().map(|sum| (sum / own.len().max(1) as f64) as f32));
        }
        Self { rows: rows.len(), columns: columns.len(), values }
    }

    /// Subtracts another matrix of the same size; `None` if the sizes differ.
    pub fn less(&self, other: &Self) -> Option<Self> {
        let same = (self.rows, self.columns) == (other.rows, other.columns);
        let values = || self.values.iter().zip(&other.values).map(|(one, other)| one - other).collect();
        same.then(|| Self { values: values(), ..*self })
    }

    /// Returns the largest magnitude of a number.
    pub fn most(&self) -> f32 {
        self.values.iter().fold(0.0, |most, value| value.abs().max(most))
    }

    /// Returns the share of their attention that the rows of some groups give to the columns of others: mean over the
    /// rows, sum over the columns.
    pub fn share(&self, from: &[Range<usize>], to: &[Range<usize>]) -> f64 {
        let rows: Vec<usize> = from.iter().cloned().flatten().filter(|row| *row < self.rows).collect();
        let columns = || to.iter().cloned().flatten();
        let sum = |row: &usize| columns().map(|column| f64::from(self.at(*row, column))).sum::<f64>();
        rows.iter().map(sum).sum::<f64>() / rows.len().max(1) as f64
    }

    /// Returns the share of its attention that a byte of a sign gives to the other bytes of the same sign: mean over
    /// all bytes of signs of two bytes and more; `None` if there is no such sign.
    pub fn within(&self, signs: &[Range<usize>]) -> Option<f64> {
        let (mut sum, mut rows) = (0.0, 0u32);
        for sign in signs.iter().filter(|sign| sign.len() > 1) {
            for row in sign.clone() {
                let others = sign.clone().filter(|column| *column != row);
                sum += others.map(|column| f64::from(self.at(row, column))).sum::<f64>();
                rows += 1;
            }
        }
        (rows > 0).then(|| sum / f64::from(rows))
    }

    /// Returns a matrix of the same size with even rows: the shares without any preference.
    pub fn even(&self) -> Self {
        let value = 1.0 / self.columns.max(1) as f32;
        Self { values: vec![value; self.values.len()], ..*self }
    }
}
