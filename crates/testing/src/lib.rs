//! Shared parts of tests: an executor that never waits, temporary folders, the path of the project, and a fuzzer.

mod folder;
pub mod fuzz;
mod project;

pub use folder::TemporaryFolder;
pub use project::project;

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// Runs a future that never waits: on the CPU every read of a tensor is ready at once.
///
/// # Panics
/// The future waits for something.
#[track_caller]
pub fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("a computation on the CPU waited for something"),
    }
}

#[cfg(test)]
mod tests {
    use super::now;

    #[test]
    fn what_is_ready_is_returned() {
        assert_eq!(now(async { now(std::future::ready(2)) + 1 }), 3);
    }

    #[test]
    #[should_panic(expected = "waited for something")]
    fn what_waits_is_refused() {
        now(std::future::pending::<()>());
    }
}
