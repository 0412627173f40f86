//! Yielding between the steps of a long computation, so that other jobs take their turn and the job can be cancelled.

/// Error of a job that was cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

/// Yields the thread between the layers of a model and between the tensors of a weights file. In the worker, the
/// implementation lets the message queue run and returns [`Cancelled`] if the job was cancelled.
#[allow(async_fn_in_trait)] // one thread in the worker; nobody needs `Send` here
pub trait Yield {
    /// Waits until the computation may go on.
    ///
    /// # Errors
    /// [`Cancelled`] when the job is to end.
    async fn yield_now(&self) -> Result<(), Cancelled>;
}

impl<Y: Yield> Yield for &Y {
    async fn yield_now(&self) -> Result<(), Cancelled> {
        (**self).yield_now().await
    }
}

/// [`Yield`] that never waits and is never cancelled, for the command line and for tests.
#[derive(Clone, Copy, Debug, Default)]
pub struct NeverYields;

impl Yield for NeverYields {
    async fn yield_now(&self) -> Result<(), Cancelled> {
        Ok(())
    }
}
