//! Descent by [Adam](tuppum_geometry::adam) over plain numbers, in batches drawn by chance: for models so small that
//! their gradients are written by hand.
//!
//! Settings that nothing can be trained with, a descent, a probe or a classifier, have one error.

use thiserror::Error;
use tuppum_geometry::Random;
use tuppum_geometry::adam::{AdamStep, Moments};

/// Reason why nothing can be trained with settings.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum SettingsError {
    /// A batch is empty, or a learning rate not above 0.
    #[error("the batch must be at least 1 and the learning rate a positive number")]
    Descent,
    /// A probe has too few dimensions, or nothing to read.
    #[error("the dimension is {0}; a probe needs at least 2, and states")]
    ProbeDimension(usize),
    /// Points of a classifier have too few dimensions.
    #[error("the dimension is {0}; points need at least 2")]
    PointDimension(usize),
}

/// Settings of a descent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Descent {
    /// Learning rate at the beginning.
    pub rate: f64,
    /// `true` if the rate falls evenly to zero; otherwise it stays.
    pub falls: bool,
    /// Share by which numbers shrink in a step, over the learning rate.
    pub decay: f64,
    /// Passes over the examples.
    pub epochs: u32,
    /// Examples in a batch.
    pub batch: usize,
    /// Seed of the orders.
    pub seed: u64,
}

impl Descent {
    /// Checks that a descent can have these settings.
    ///
    /// # Errors
    /// An empty batch or an impossible learning rate.
    pub fn check(&self) -> Result<(), SettingsError> {
        if self.batch == 0 || !(self.rate > 0.0 && self.rate.is_finite()) {
            return Err(SettingsError::Descent);
        }
        Ok(())
    }

    /// Moves a model's numbers. `numbers` says where they are, and `add_gradient` adds the gradient of one of the
    /// `examples`.
    pub fn run<M>(
        &self,
        model: &mut M,
        examples: usize,
        numbers: impl Fn(&mut M) -> &mut [f64],
        add_gradient: impl Fn(&M, usize, &mut [f64]),
    ) {
        let count = numbers(model).len();
        let steps = f64::from(self.epochs) * examples.div_ceil(self.batch) as f64;
        let (mut moments, mut gradient) = (Moments::zeros(count), vec![0.0; count]);
        let mut order: Vec<usize> = (0..examples).collect();
        let (mut random, mut step) = (Random::new(self.seed ^ 0x5EED), 0);
        for _ in 0..self.epochs {
            random.shuffle(&mut order);
            for batch in order.chunks(self.batch) {
                gradient.fill(0.0);
                batch.iter().for_each(|example| add_gradient(model, *example, &mut gradient));
                gradient.iter_mut().for_each(|g| *g /= batch.len() as f64);
                let rate = if self.falls { self.rate * (1.0 - f64::from(step) / steps) } else { self.rate };
                step += 1;
                let numbers = numbers(model);
                numbers.iter_mut().for_each(|number| *number -= rate * self.decay * *number);
                AdamStep::new(rate, step).update(numbers, &gradient, (&mut moments.first, &mut moments.second));
            }
        }
    }
}
