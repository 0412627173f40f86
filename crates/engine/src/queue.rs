//! Requests that are served one after the other. The worker has two such queues: training, which lasts, and the use of
//! models; they take turns whenever a job gives the event loop one, so that a run keeps nobody from restoring or
//! translating.

use super::event_loop::CancellationToken;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use tuppum_protocol::RequestId;

/// Requests of one kind in the order of their coming.
pub struct Queue<R> {
    waiting: RefCell<VecDeque<Queued<R>>>,
    running: RefCell<Option<(RequestId, CancellationToken)>>,
    busy: Cell<bool>,
}

/// A request with its number and the means to cancel it.
pub struct Queued<R> {
    /// Number of the request.
    pub id: RequestId,
    /// The request itself.
    pub request: R,
    /// Cancels the request.
    pub token: CancellationToken,
}

impl<R> Default for Queue<R> {
    fn default() -> Self {
        Self { waiting: RefCell::default(), running: RefCell::default(), busy: Cell::default() }
    }
}

impl<R> Queue<R> {
    /// Puts a request at the end; whether somebody must begin to serve the queue.
    pub fn push(&self, id: RequestId, request: R) -> bool {
        self.waiting.borrow_mut().push_back(Queued { id, request, token: CancellationToken::new() });
        !self.busy.replace(true)
    }

    /// The next request, which is at work from now on; at none the queue rests.
    pub fn next(&self) -> Option<Queued<R>> {
        let next = self.waiting.borrow_mut().pop_front();
        *self.running.borrow_mut() = next.as_ref().map(|next| (next.id, next.token.clone()));
        self.busy.set(next.is_some());
        next
    }

    /// Asks the request at work to stop, or takes out one that waits; whether it was taken out, and so never begins.
    pub fn cancel(&self, target: RequestId) -> bool {
        if let Some((id, token)) = &*self.running.borrow()
            && *id == target
        {
            token.cancel();
        }
        let mut waiting = self.waiting.borrow_mut();
        let before = waiting.len();
        waiting.retain(|queued| queued.id != target);
        waiting.len() < before
    }
}
