//! Cancelling a job.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// An action to perform when a job is cancelled.
type Action = Box<dyn FnOnce()>;

/// Cancels one job. Clones cancel the same job.
#[derive(Clone, Default)]
pub struct CancellationToken {
    cancelled: Rc<Cell<bool>>,
    /// Actions to call when the job is cancelled.
    actions: Rc<RefCell<Vec<Action>>>,
}

impl CancellationToken {
    /// Returns the token of a job that is not cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Cancels the job; its network requests are aborted at once.
    pub fn cancel(&self) {
        self.cancelled.set(true);
        // Taken out first, since an action may use the token.
        for action in self.actions.take() {
            action();
        }
    }

    /// Returns `true` if the job is cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.get()
    }

    /// Calls `action` when the job is cancelled, or at once if it is cancelled already.
    pub fn on_cancel(&self, action: impl FnOnce() + 'static) {
        if self.is_cancelled() {
            action();
        } else {
            self.actions.borrow_mut().push(Box::new(action));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A count, and an action that raises it.
    fn counter() -> (Rc<Cell<u32>>, impl Fn() + Clone) {
        let count = Rc::new(Cell::new(0));
        let own = count.clone();
        (count, move || own.set(own.get() + 1))
    }

    #[test]
    fn a_clone_cancels_the_same_job() {
        let token = CancellationToken::new();
        token.clone().cancel();
        assert!(token.is_cancelled());
        assert!(!CancellationToken::new().is_cancelled(), "another job goes on");
    }

    #[test]
    fn every_action_is_called_once() {
        let (count, action) = counter();
        let token = CancellationToken::new();
        token.on_cancel(action.clone());
        token.on_cancel(action);
        assert_eq!(count.get(), 0, "nothing is aborted before the cancel");
        token.cancel();
        token.cancel();
        assert_eq!(count.get(), 2);
    }

    #[test]
    fn an_action_after_the_cancel_is_called_at_once() {
        let (count, action) = counter();
        let token = CancellationToken::new();
        token.cancel();
        token.on_cancel(action);
        assert_eq!(count.get(), 1);
    }

    #[test]
    fn an_action_may_use_the_token() {
        let (count, action) = counter();
        let token = CancellationToken::new();
        let own = token.clone();
        token.on_cancel(move || {
            assert!(own.is_cancelled());
            own.on_cancel(action);
        });
        token.cancel();
        assert_eq!(count.get(), 1);
    }
}
