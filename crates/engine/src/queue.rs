//! Queues of requests. The worker has two: for training, which takes long, and for the use of models. They take turns
//! whenever a job yields to the event loop, so that restoring and translating work during a training run.

use crate::event_loop::CancellationToken;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use tuppum_protocol::RequestId;

/// Requests of one kind in the order of arrival.
pub struct Queue<R> {
    waiting: RefCell<VecDeque<Queued<R>>>,
    running: RefCell<Option<(RequestId, CancellationToken)>>,
    busy: Cell<bool>,
}

/// Request with its number and its cancellation token.
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
    /// Adds a request at the end. Returns `true` if the queue was idle, so that the caller must start serving it.
    pub fn push(&self, id: RequestId, request: R) -> bool {
        self.waiting.borrow_mut().push_back(Queued { id, request, token: CancellationToken::new() });
        !self.busy.replace(true)
    }

    /// Takes the next request, which is the running one from now on; with `None` the queue becomes idle.
    pub fn next(&self) -> Option<Queued<R>> {
        let next = self.waiting.borrow_mut().pop_front();
        *self.running.borrow_mut() = next.as_ref().map(|next| (next.id, next.token.clone()));
        self.busy.set(next.is_some());
        next
    }

    /// Cancels the running request, or removes a waiting one. Returns `true` if it was removed and so never starts.
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
