//! Rotary positions (Su et al. 2021, <https://arxiv.org/abs/2104.09864>) in the half-split layout: number `i` of the
//! first half of a head is rotated with number `i` of the second half.

use super::config::TorsoConfig;
use burn::module::Module;
use burn::tensor::{Device, Tensor, TensorData};

/// Cosines and sines for the places `0..length`, each `[1, length, 1, head_dim / 2]`.
#[derive(Module, Debug)]
pub struct Rotary {
    cos: Tensor<4>,
    sin: Tensor<4>,
}

impl Rotary {
    /// Computes the table for rows of `length` places. Angles are computed in f64, so that far places stay exact.
    pub fn new(config: &TorsoConfig, length: usize, device: &Device) -> Self {
        let half = config.head_dim / 2;
        let angle =
            |place: usize, i: usize| place as f64 * config.rope_base.powf(-((2 * i) as f64) / config.head_dim as f64);
        let table = |turn: fn(f64) -> f64| {
            let values: Vec<f32> =
                (0..length).flat_map(|place| (0..half).map(move |i| turn(angle(place, i)) as f32)).collect();
            Tensor::from_data(TensorData::new(values, [1, length, 1, half]), device)
        };
        Self { cos: table(f64::cos), sin: table(f64::sin) }
    }

    /// Returns the part of the table for rows of `length` places.
    pub fn first(&self, length: usize) -> Self {
        Self { cos: self.cos.clone().narrow(1, 0, length), sin: self.sin.clone().narrow(1, 0, length) }
    }

    /// Rotates every head by its place.
    ///
    /// # Shapes
    /// `heads` and the result: `[rows, length, heads, head_dim]`.
    pub fn turn(&self, heads: Tensor<4>) -> Tensor<4> {
        let half = heads.dims()[3] / 2;
        let (first, second) = (heads.clone().narrow(3, 0, half), heads.narrow(3, half, half));
        let turned_first = first.clone() * self.cos.clone() - second.clone() * self.sin.clone();
        let turned_second = second * self.cos.clone() + first * self.sin.clone();
        Tensor::cat(vec![turned_first, turned_second], 3)
    }
}
