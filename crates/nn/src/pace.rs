//! Where a long computation may pause or end.

/// The job is to end here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop;

/// Asked between the layers of a model and between the tensors of a weights file. The worker lets its message queue
/// run there and says [`Stop`] when the job was cancelled.
#[allow(async_fn_in_trait)] // one thread in the worker; nobody needs `Send` here
pub trait Pace {
    /// Pauses as long as it likes.
    ///
    /// # Errors
    /// [`Stop`] when the job is to end.
    async fn between_layers(&self) -> Result<(), Stop>;
}

impl<P: Pace> Pace for &P {
    async fn between_layers(&self) -> Result<(), Stop> {
        (**self).between_layers().await
    }
}

/// Never pauses, never stops: for the command line and for tests.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unpaced;

impl Pace for Unpaced {
    async fn between_layers(&self) -> Result<(), Stop> {
        Ok(())
    }
}
