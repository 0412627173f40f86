//! Dropout (Srivastava et al. 2014) whose masks are cut from one pool of random numbers at random places. Drawing fresh
//! masks for every stream would take a third of a step on a CPU, and a transfer per mask to a GPU.

use burn::tensor::{Device, Tensor, TensorData};
use tuppum_nn::layers::Dropout;
use tuppum_random::Random;

/// Number of mask values in the pool; longer streams repeat it.
const POOL_SIZE: usize = 1 << 20;

/// Pool of mask values of a run.
#[derive(Clone, Debug)]
pub struct Pool {
    /// Mask values, 0 or 1 / (1 − share), `[POOL_SIZE]`; `None` if nothing is dropped.
    mask: Option<Tensor<1>>,
}

impl Pool {
    /// Creates the pool of a seed, on the device without gradients.
    pub fn new(share: f64, seed: u64, device: &Device) -> Self {
        if share == 0.0 {
            return Self { mask: None };
        }
        let mut draws = Random::new(seed);
        let kept = (1.0 / (1.0 - share)) as f32;
        let mask: Vec<f32> = (0..POOL_SIZE).map(|_| if draws.uniform() < share { 0.0 } else { kept }).collect();
        Self { mask: Some(Tensor::from_data(TensorData::new(mask, [POOL_SIZE]), device)) }
    }

    /// Returns the masks for one batch; equal seeds give equal masks.
    pub fn masks(&self, seed: u64) -> Masks<'_> {
        Masks { pool: self, draws: Random::new(seed) }
    }
}

/// Masks of one batch.
#[derive(Debug)]
pub struct Masks<'p> {
    pool: &'p Pool,
    draws: Random,
}

impl Dropout for Masks<'_> {
    fn dropped(&mut self, stream: Tensor<2>) -> Tensor<2> {
        let Some(mask) = &self.pool.mask else { return stream };
        let [rows, width] = stream.dims();
        let (numbers, start) = (rows * width, self.draws.below(POOL_SIZE));
        let mask = if start + numbers <= POOL_SIZE {
            mask.clone().narrow(0, start, numbers)
        } else {
            // The mask starts in the middle of the pool and wraps around as often as needed.
            let parts = [
                Some(mask.clone().narrow(0, start, POOL_SIZE - start)),
                (start > 0).then(|| mask.clone().narrow(0, 0, start)),
            ];
            let rotated = Tensor::cat(parts.into_iter().flatten().collect(), 0);
            rotated.repeat_dim(0, numbers.div_ceil(POOL_SIZE)).narrow(0, 0, numbers)
        };
        // The mask has no gradients, so that a part of a model that does not train stays without them too.
        stream * mask.reshape([rows, width])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(pool: &Pool, seed: u64, rows: usize) -> Vec<f32> {
        let ones = Tensor::<2>::ones([rows, 64], &Device::flex()).autodiff();
        pool.masks(seed).dropped(ones).inner().into_data().try_to_vec().unwrap()
    }

    #[test]
    fn a_share_is_dropped_and_the_mean_stays() {
        let pool = Pool::new(0.1, 1, &Device::flex());
        // The second stream is longer than the pool.
        for rows in [1_000, 20_000] {
            let values = values(&pool, 7, rows);
            let dropped = values.iter().filter(|value| **value == 0.0).count() as f64 / values.len() as f64;
            let mean = values.iter().map(|value| f64::from(*value)).sum::<f64>() / values.len() as f64;
            // 64,000 draws at 1/10: 0.1 ± 5 standard deviations of 0.0012.
            assert!((dropped - 0.1).abs() < 6e-3 && (mean - 1.0).abs() < 7e-3, "{dropped} {mean}");
        }
    }

    #[test]
    fn gradients_flow_where_they_are_wanted_and_nowhere_else() {
        let pool = Pool::new(0.5, 1, &Device::flex());
        let plain = Tensor::<2>::ones([10, 64], &Device::flex());
        assert!(!pool.masks(7).dropped(plain.clone()).device().is_autodiff());
        let stream = plain.autodiff().require_grad();
        let dropped = pool.masks(7).dropped(stream.clone());
        let mut gradients = dropped.clone().sum().backward();
        let gradient = stream.grad_remove(&mut gradients).unwrap().into_data().try_to_vec::<f32>().unwrap();
        assert_eq!(gradient, dropped.inner().into_data().try_to_vec::<f32>().unwrap());
    }

    #[test]
    fn equal_seeds_drop_the_same_and_nothing_is_dropped_without() {
        let pool = Pool::new(0.5, 1, &Device::flex());
        assert_eq!(values(&pool, 7, 100), values(&pool, 7, 100));
        assert_ne!(values(&pool, 7, 100), values(&pool, 8, 100));
        assert!(values(&Pool::new(0.0, 1, &Device::flex()), 7, 100).iter().all(|value| *value == 1.0));
    }
}
