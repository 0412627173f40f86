//! What a [`Trainer`](crate::trainer::Trainer) needs of a task: a model, its plan, its batches, its loss, its
//! gradients.

use crate::dropout::{Masks, Pool};
use crate::error::TrainError;
use crate::optimiser::StepUpdate;
use burn::tensor::{Device, Gradients, Tensor};
use tuppum_nn::yielding::Yield;
use tuppum_tasks::restoration::training::RestorationValidation;
use tuppum_tasks::training::OptimiserSettings;
use tuppum_tasks::translation::training::Validation;

/// Rows to train with at once.
pub trait TrainingBatch {
    /// What chance within the batch starts from.
    fn seed(&self) -> u64;

    /// How much its targets count together: the loss of a step is the mean over the weight of its batches.
    fn weight(&self) -> f64;

    /// Tokens that are read and written, without padding.
    fn tokens(&self) -> u32;

    /// How many rows it has.
    fn rows(&self) -> u32;

    /// The same rows in at most so many batches of like size; itself where that is one.
    fn split(self, parts: usize) -> Vec<Self>
    where
        Self: Sized;
}

/// What was measured on held-out rows.
pub trait Measurement: Clone {
    /// Steps that were made before it.
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

/// A model that is trained by a plan. It moves only in [`TrainingTask::update`].
#[allow(async_fn_in_trait)] // one thread in the worker; nobody needs `Send` here
pub trait TrainingTask {
    /// What comes out, without gradients.
    type Model;
    /// What is carried out.
    type Plan;
    /// Rows to train with at once.
    type Batch: TrainingBatch;
    /// What is measured on held-out rows.
    type Validation: Measurement;
    /// Gradients of a step, added up batch by batch.
    type Gradients: Default;
    /// What moves the parameters, with its moments.
    type Optimiser;

    /// What is carried out.
    fn plan(&self) -> &Self::Plan;

    /// How the plan wants the parameters moved.
    fn optimiser_settings(&self) -> OptimiserSettings;

    /// An optimiser that has made no step yet.
    fn optimiser(&self) -> Self::Optimiser;

    /// The model as it is now, without gradients: to use, or to write.
    fn model(&self) -> Self::Model;

    /// Numbers that train.
    fn trained(&self) -> u64;

    /// The device of the model, without gradients.
    fn device(&self) -> Device;

    /// The pool that dropout cuts its masks from.
    fn dropout_pool(&self) -> Pool;

    /// Steps of the whole run.
    fn steps(&self) -> u32;

    /// The batches of a step, its number counted from 0, and in which epoch it lies.
    fn batches(&mut self, step: u32) -> (u32, Vec<Self::Batch>);

    /// In how many parts each of them is computed, one after the other.
    fn parts(&self) -> usize;

    /// Loss of a batch, divided by the `weight` of all batches of the step: `[1]`, with gradients.
    ///
    /// # Errors
    /// [`TrainError::Stopped`]; a row that the model cannot read; what the device says.
    async fn loss(
        &mut self,
        batch: &Self::Batch,
        weight: f64,
        masks: &mut Masks<'_>,
        yielder: &impl Yield,
    ) -> Result<Tensor<1>, TrainError>;

    /// Adds the gradients of a batch.
    fn add_gradients(&mut self, gradients: Gradients, sum: &mut Self::Gradients);

    /// Norm of the gradients of all weights together: `[1]`. Points of the ball are not among them.
    fn grad_norm(&self, gradients: &Self::Gradients) -> Tensor<1>;

    /// Strength of the hyperbolic bias, where the model has one: `[1]`.
    fn bias_strength(&self) -> Option<Tensor<1>> {
        None
    }

    /// What is told of points that learn, before they move: the mean and the largest way from their start, and the
    /// Riemannian length of their gradient: `[3]`. `None` where no points learn.
    fn points_way(&self, gradients: &Self::Gradients) -> Option<Tensor<1>> {
        let _ = gradients;
        None
    }

    /// Moves every parameter that has a gradient.
    fn update(&mut self, optimiser: &mut Self::Optimiser, gradients: Self::Gradients, update: &StepUpdate);

    /// Measures the model on held-out rows after `after` steps; `None` where none are held out.
    ///
    /// # Errors
    /// [`TrainError::Stopped`]; what the device says.
    async fn measure(&self, after: u32, yielder: &impl Yield) -> Result<Option<Self::Validation>, TrainError>;
}
