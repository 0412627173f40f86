//! The loop of every run: one step after the other, each made completely or not at all.

use crate::dropout::Pool;
use crate::error::TrainError;
use crate::loss::read_all;
use crate::optimiser::{GradientSum, Optimiser, StepUpdate};
use crate::task::{Measurement, TrainingBatch, TrainingTask};
use burn::tensor::{Device, Tensor};
use tuppum_domain::translation::training::Step;
#[cfg(not(target_family = "wasm"))]
use tuppum_nn::yielding::NeverYields;
use tuppum_nn::yielding::Yield;

/// Run: a model that is trained by a plan, and the progress so far.
#[derive(Debug)]
pub struct Trainer<T: TrainingTask> {
    pub(crate) task: T,
    pub(crate) optimiser: Optimiser,
    /// Steps made so far.
    pub(crate) curve: Vec<Step>,
    /// Measurements made so far.
    pub(crate) validations: Vec<T::Validation>,
    pool: Pool,
    /// Device without gradients.
    device: Device,
    /// Number of parts of a batch that are computed at the same time.
    at_once: usize,
}

impl<T: TrainingTask> Trainer<T> {
    /// Begins a run of a task.
    pub fn begin(task: T) -> Self {
        let (pool, device) = (task.dropout_pool(), task.device());
        let optimiser = Optimiser::default();
        Self { task, optimiser, curve: Vec::new(), validations: Vec::new(), pool, device, at_once: 1 }
    }

    /// Computes up to this many parts of a batch at the same time, each on a thread of its own. The steps are the same,
    /// bit for bit, as when the parts are computed one after the other. A device with kernels of its own gains nothing.
    #[cfg(not(target_family = "wasm"))]
    pub fn compute_at_once(&mut self, parts: usize) {
        self.at_once = parts.max(1);
    }

    pub fn task(&self) -> &T {
        &self.task
    }

    pub fn plan(&self) -> &T::Plan {
        self.task.plan()
    }

    /// Returns the current model without gradients, for use or for writing.
    pub fn model(&self) -> T::Model {
        self.task.model()
    }

    /// Returns the number of parameters that train.
    pub fn trained(&self) -> u64 {
        self.task.trained()
    }

    /// Returns the steps made so far.
    pub fn curve(&self) -> &[Step] {
        &self.curve
    }

    /// Returns the measurements made so far.
    pub fn validations(&self) -> &[T::Validation] {
        &self.validations
    }

    /// Returns the number of steps made.
    pub fn done(&self) -> u32 {
        self.curve.len() as u32
    }

    /// Returns the number of steps of the whole run.
    pub fn steps(&self) -> u32 {
        self.task.steps()
    }

    /// Returns `true` if all steps were made.
    pub fn is_finished(&self) -> bool {
        self.done() >= self.steps()
    }

    /// Returns `true` if the current model was measured.
    pub fn is_measured(&self) -> bool {
        self.validations.last().is_some_and(|last| last.after() == self.done())
    }

    /// Makes the next step. It yields between layers, and before and after the gradients are computed. A step that is
    /// cancelled there was not made, and the next call repeats it identically.
    ///
    /// # Errors
    /// [`TrainError::Finished`] after the last step; [`TrainError::Stopped`]; [`TrainError::Diverged`], before anything
    /// is changed; errors of the device.
    pub async fn step(&mut self, yielder: &impl Yield) -> Result<Step, TrainError> {
        if self.is_finished() {
            return Err(TrainError::Finished);
        }
        let (number, of) = (self.done(), self.steps());
        let (epoch, batches) = self.task.batches(number);
        let parts = self.task.parts();
        let batches: Vec<T::Batch> = batches.into_iter().flat_map(|batch| batch.split(parts)).collect();
        let settings = self.task.optimiser_settings();
        let rate = settings.rate_at(number, of);
        let weight: f64 = batches.iter().map(TrainingBatch::weight).sum();
        let (mut gradients, mut loss) = (GradientSum::default(), Tensor::<1>::zeros([1], &self.device));
        for group in batches.chunks(self.at_once) {
            yielder.yield_now().await?;
            loss = self.add_group(loss, group, weight, &mut gradients, yielder).await?;
        }
        let norm = self.task.grad_norm(&gradients);
        // One tensor, and so one transfer: every read waits for the device.
        let mut read = vec![loss, norm.clone()];
        read.extend(self.task.figures(&gradients));
        let read = read_all(Tensor::cat(read, 0)).await?;
        // Tested before the update: weights moved by NaN could not be recovered.
        if read.iter().any(|value| !value.is_finite()) {
            return Err(TrainError::Diverged { step: number + 1 });
        }
        let update = StepUpdate { settings, rate, number: number + 1, norm };
        self.task.update(&mut self.optimiser, gradients, &update);
        let mut step = Step {
            number: number + 1,
            of,
            epoch,
            loss: read[0],
            rate,
            gradient_norm: read[1],
            alpha: None,
            points: None,
            bytes: batches.iter().map(TrainingBatch::tokens).sum(),
            pairs: batches.iter().map(TrainingBatch::rows).sum(),
        };
        self.task.record_figures(&read[2..], &mut step);
        self.curve.push(step);
        Ok(step)
    }

    /// Adds the gradients of several batches, computed at the same time if that is possible, and returns the loss with
    /// their share: `[1]`, without gradients.
    async fn add_group(
        &mut self,
        mut loss: Tensor<1>,
        batches: &[T::Batch],
        weight: f64,
        sum: &mut GradientSum,
        yielder: &impl Yield,
    ) -> Result<Tensor<1>, TrainError> {
        #[cfg(not(target_family = "wasm"))]
        if batches.len() > 1 {
            let copies: Vec<T> = batches.iter().map_while(|_| self.task.for_another_thread()).collect();
            if copies.len() == batches.len() {
                for part in threads::gradients(copies, batches, weight, &self.pool) {
                    let (own, gradients) = part?;
                    loss = loss + own;
                    sum.add_sum(gradients);
                }
                return Ok(loss);
            }
        }
        for batch in batches {
            loss = loss + self.add_gradients(batch, weight, sum, yielder).await?;
        }
        Ok(loss)
    }

    /// Adds a batch's gradients and returns its share of the loss: `[1]`, without gradients.
    async fn add_gradients(
        &mut self,
        batch: &T::Batch,
        weight: f64,
        sum: &mut GradientSum,
        yielder: &impl Yield,
    ) -> Result<Tensor<1>, TrainError> {
        let loss = self.loss(batch, weight, yielder).await?;
        yielder.yield_now().await?;
        let gradients = loss.backward();
        yielder.yield_now().await?;
        self.task.add_gradients(gradients, sum);
        Ok(loss.inner())
    }

    /// Computes the loss of a batch with its dropout, divided by the `weight` of the step: `[1]`.
    pub(crate) async fn loss(
        &mut self,
        batch: &T::Batch,
        weight: f64,
        yielder: &impl Yield,
    ) -> Result<Tensor<1>, TrainError> {
        let mut masks = self.pool.masks(batch.seed());
        self.task.loss(batch, weight, &mut masks, yielder).await
    }

    /// Measures the model on the held-out rows and stores the measurement; `None` if nothing is held out.
    ///
    /// # Errors
    /// [`TrainError::Stopped`]; errors of the device.
    pub async fn validate(&mut self, yielder: &impl Yield) -> Result<Option<T::Validation>, TrainError> {
        let found = self.task.measure(self.done(), yielder).await?;
        self.validations.extend(found.clone());
        Ok(found)
    }
}

/// Parts of a batch at the same time, each on a thread of its own. burn shares only its larger products among the
/// cores; softmax, gates, copies and sums keep one core busy. Two halves of a batch keep two.
#[cfg(not(target_family = "wasm"))]
mod threads {
    use super::{GradientSum, NeverYields, Pool, Tensor, TrainError, TrainingBatch, TrainingTask};
    use futures_lite::future::block_on;
    use std::panic::resume_unwind;

    /// Computes each batch's share of the loss, `[1]`, and its gradients, with a copy of the task for each batch.
    ///
    /// # Panics
    /// When a thread panicked, with its panic.
    pub fn gradients<T: TrainingTask>(
        copies: Vec<T>,
        batches: &[T::Batch],
        weight: f64,
        pool: &Pool,
    ) -> Vec<Result<(Tensor<1>, GradientSum), TrainError>> {
        std::thread::scope(|scope| {
            let threads: Vec<_> = copies
                .into_iter()
                .zip(batches)
                .map(|(mut task, batch)| scope.spawn(move || part(&mut task, batch, weight, pool)))
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
        })
    }

    fn part<T: TrainingTask>(
        task: &mut T,
        batch: &T::Batch,
        weight: f64,
        pool: &Pool,
    ) -> Result<(Tensor<1>, GradientSum), TrainError> {
        let mut masks = pool.masks(batch.seed());
        let loss = block_on(task.loss(batch, weight, &mut masks, &NeverYields))?;
        let mut sum = GradientSum::default();
        task.add_gradients(loss.backward(), &mut sum);
        Ok((loss.inner(), sum))
    }
}
