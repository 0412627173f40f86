//! The interface between a [`Trainer`](crate::trainer::Trainer) and a task: model, plan, batches, loss, gradients.

use crate::dropout::{Masks, Pool};
use crate::error::TrainError;
use crate::optimiser::{GradientSum, Optimiser, StepUpdate};
use burn::tensor::{Device, Gradients, Tensor};
use tuppum_domain::restoration::training::RestorationValidation;
use tuppum_domain::training::OptimiserSettings;
use tuppum_domain::translation::training::{Step, Validation};
use tuppum_nn::yielding::Yield;

/// Rows that train at once.
pub trait TrainingBatch {
    /// Returns the seed of the random numbers within the batch.
    fn seed(&self) -> u64;

    /// Returns the total weight of the batch's targets; the loss of a step is the mean over the weight of its batches.
    fn weight(&self) -> f64;

    /// Returns the number of tokens read and written, without padding.
    fn tokens(&self) -> u32;

    fn rows(&self) -> u32;

    /// Splits the rows into at most `parts` batches of similar size; returns the batch itself if that is one.
    fn split(self, parts: usize) -> Vec<Self>
    where
        Self: Sized;
}

/// Measurement on held-out rows.
pub trait Measurement: Clone {
    /// Returns the number of steps made before the measurement.
    fn after(&self) -> u32;
}

impl Measurement for Validation {
    fn after(&self) -> u32 {
        self.after
    }
}

impl Measurement for RestorationValidation {
    fn after(&self) -> u32 {
        self.after
    }
}

/// Model that is trained by a plan. It changes only in [`TrainingTask::update`].
#[allow(async_fn_in_trait)] // one thread in the worker; nobody needs `Send` here
pub trait TrainingTask: Send + Sized {
    /// Trained model, without gradients.
    type Model;
    /// Plan of the run.
    type Plan;
    type Batch: TrainingBatch + Sync;
    /// Measurement on held-out rows.
    type Validation: Measurement;

    fn plan(&self) -> &Self::Plan;

    fn optimiser_settings(&self) -> OptimiserSettings;

    /// Returns the current model without gradients, for use or for writing.
    fn model(&self) -> Self::Model;

    /// Returns the number of parameters that train.
    fn trained(&self) -> u64;

    /// Returns the device of the model, without gradients.
    fn device(&self) -> Device;

    /// Returns the pool from which dropout cuts its masks.
    fn dropout_pool(&self) -> Pool;

    /// Returns the number of steps of the whole run.
    fn steps(&self) -> u32;

    /// Returns the epoch of a step, its number counted from 0, and the step's batches.
    fn batches(&mut self, step: u32) -> (u32, Vec<Self::Batch>);

    /// Returns the number of parts into which each batch is split.
    fn parts(&self) -> usize;

    /// Returns a copy that computes losses on another thread: the same numbers, with gradients apart. `None` if the
    /// task has to compute one part after the other.
    fn for_another_thread(&self) -> Option<Self> {
        None
    }

    /// Computes the loss of a batch divided by `weight`, the weight of all batches of the step: `[1]`, with gradients.
    ///
    /// # Errors
    /// [`TrainError::Stopped`]; a row that the model cannot read; errors of the device.
    async fn loss(
        &mut self,
        batch: &Self::Batch,
        weight: f64,
        masks: &mut Masks<'_>,
        yielder: &impl Yield,
    ) -> Result<Tensor<1>, TrainError>;

    /// Adds the gradients of a batch.
    fn add_gradients(&mut self, gradients: Gradients, sum: &mut GradientSum);

    /// Returns the norm of the gradients of all weights together, without the points of the ball: `[1]`.
    fn grad_norm(&self, gradients: &GradientSum) -> Tensor<1>;

    /// Returns further figures of a step as tensors of one axis, taken before the parameters move. They are read in one
    /// transfer with the loss, and a figure that is not finite ends the run.
    fn figures(&self, gradients: &GradientSum) -> Vec<Tensor<1>> {
        let _ = gradients;
        Vec::new()
    }

    /// Puts the figures of [`TrainingTask::figures`], as numbers one after the other, into the record of the step.
    fn record_figures(&self, figures: &[f32], step: &mut Step) {
        let _ = (figures, step);
    }

    /// Moves every parameter that has a gradient.
    fn update(&mut self, optimiser: &mut Optimiser, gradients: GradientSum, update: &StepUpdate);

    /// Measures the model on held-out rows after `after` steps; `None` if none are held out.
    ///
    /// # Errors
    /// [`TrainError::Stopped`]; errors of the device.
    async fn measure(&self, after: u32, yielder: &impl Yield) -> Result<Option<Self::Validation>, TrainError>;
}
