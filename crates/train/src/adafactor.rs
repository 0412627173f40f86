//! Adafactor (Shazeer and Stern 2018, <https://arxiv.org/abs/1804.04235>, Algorithm 4) as `transformers` computes it,
//! with the plan's learning rate in place of a relative one. For a matrix it stores the mean square of the gradients by
//! row and by column and no first moment, which is next to nothing beside the matrix.

use crate::tensor_update::TensorUpdate;
use burn::tensor::Tensor;

/// ε₁, added to the squares of the gradient.
const LEAST_SQUARE: f64 = 1e-30;
/// d, the largest root mean square of an update before it is multiplied by the rate.
const LONGEST_UPDATE: f64 = 1.0;
/// Exponent of the step's number in the share of the old means, `1 − number^DECAY_POWER`, which approaches 1.
const DECAY_POWER: f64 = -0.8;

/// Mean squares of the gradients of one tensor. For a vector, which is one row, `columns` holds everything.
#[derive(Clone, Debug)]
pub struct SquareMeans {
    /// Mean square of every row: `[rows, 1]`.
    pub rows: Tensor<2>,
    /// Mean square of every column: `[1, columns]`.
    pub columns: Tensor<2>,
}

impl SquareMeans {
    /// Returns the means after the gradient of a step; `before` is `None` at the first step.
    fn after(before: Option<Self>, gradient: &Tensor<2>, number: u32) -> Self {
        // At the first step no old means are kept; later their share approaches 1. A constant share would need a
        // correction like Adam's for the start at zero.
        let kept = 1.0 - f64::from(number.max(1)).powf(DECAY_POWER);
        let square = gradient.clone().square() + LEAST_SQUARE;
        let [rows, columns] = [1, 0].map(|axis| square.clone().mean_dim(axis));
        match before {
            Some(own) => Self {
                rows: own.rows * kept + rows * (1.0 - kept),
                columns: own.columns * kept + columns * (1.0 - kept),
            },
            None => Self { rows, columns },
        }
    }

    /// Divides the gradient by the root of its estimated mean square: (mean of its row) · (mean of its column) / (mean
    /// of all rows).
    fn scaled(&self, gradient: Tensor<2>) -> Tensor<2> {
        // An outer product of rows and columns stands for the matrix of mean squares, which would take as much memory
        // as the weights. Dividing by the mean of the rows gives it the right total.
        let rows = self.rows.clone() / self.rows.clone().mean().reshape([1, 1]);
        gradient * rows.sqrt().recip() * self.columns.clone().sqrt().recip()
    }
}

/// Returns a tensor after one step of Adafactor, and its means. Of `update`, the rate, the decay and the number of the
/// step are used.
pub fn adafactor(
    value: Tensor<2>,
    gradient: Tensor<2>,
    before: Option<SquareMeans>,
    update: &TensorUpdate,
) -> (Tensor<2>, SquareMeans) {
    let means = SquareMeans::after(before, &gradient, update.number);
    let movement = means.scaled(gradient);
    // Without a first moment, a gradient much larger than the stored means suggests would move the tensor too far; the
    // root mean square of an update is therefore at most 1.
    let length = movement.clone().square().mean().sqrt().reshape([1, 1]);
    let factor = (length / LONGEST_UPDATE).clamp_min(1.0).recip() * update.rate;
    (update.decayed(value) - movement * factor, means)
}
