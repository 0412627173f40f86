//! Adafactor (Shazeer and Stern 2018, <https://arxiv.org/abs/1804.04235>, Algorithm 4, with the plan's learning rate in
//! place of a relative one, as `transformers` computes it): of a matrix it keeps the mean square of its gradients by
//! row and by column, and no first moment. That is next to nothing beside the matrix.

use crate::tensor_update::TensorUpdate;
use burn::tensor::Tensor;

/// ε₁: added to the squares of the gradient.
const LEAST_SQUARE: f64 = 1e-30;
/// d: the largest root mean square of an update before the rate.
const LONGEST_UPDATE: f64 = 1.0;
/// By which power of a step's number the share of the old means approaches 1.
const DECAY_POWER: f64 = -0.8;

/// Mean squares of the gradients of one tensor. Of a vector, which is one row, the columns have all that there is.
#[derive(Clone, Debug)]
pub struct SquareMeans {
    /// Of every row: `[rows, 1]`.
    pub rows: Tensor<2>,
    /// Of every column: `[1, columns]`.
    pub columns: Tensor<2>,
}

impl SquareMeans {
    /// The means after the gradient of a step; those before the first step are `None`.
    fn after(before: Option<Self>, gradient: &Tensor<2>, number: u32) -> Self {
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

    /// The gradient over the root of its mean square, which is that of the row times that of the column over that of
    /// all rows.
    fn scaled(&self, gradient: Tensor<2>) -> Tensor<2> {
        let rows = self.rows.clone() / self.rows.clone().mean().reshape([1, 1]);
        gradient * rows.sqrt().recip() * self.columns.clone().sqrt().recip()
    }
}

/// A tensor after one step of Adafactor, and its means. Of `update` it takes rate, decay and number.
pub fn adafactor(
    value: Tensor<2>,
    gradient: Tensor<2>,
    before: Option<SquareMeans>,
    update: &TensorUpdate,
) -> (Tensor<2>, SquareMeans) {
    let means = SquareMeans::after(before, &gradient, update.number);
    let movement = means.scaled(gradient);
    let length = movement.clone().square().mean().sqrt().reshape([1, 1]);
    let factor = (length / LONGEST_UPDATE).clamp_min(1.0).recip() * update.rate;
    (update.decayed(value) - movement * factor, means)
}
