//! Requests that are worked off one after the other. The worker has two such queues: training, which lasts, and everything else; they
//! take turns whenever a job gives the event loop one, so that a run keeps nobody from restoring or translating.

use super::pace::StopWish;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use tuppum_protocol::{RequestId, ToEngine};

/// Requests in the order of their coming.
#[derive(Default)]
pub struct Queue {
    waiting: RefCell<VecDeque<(ToEngine, StopWish)>>,
    running: RefCell<Option<(RequestId, StopWish)>>,
    busy: Cell<bool>,
}

impl Queue {
    /// Puts a request at the end; whether somebody must begin to work it off.
    pub fn push(&self, request: ToEngine) -> bool {
        self.waiting.borrow_mut().push_back((request, StopWish::new()));
        !self.busy.replace(true)
    }

    /// The next request, which is at work from now on; at none the queue rests.
    pub fn next(&self) -> Option<(ToEngine, StopWish)> {
        let next = self.waiting.borrow_mut().pop_front();
        *self.running.borrow_mut() = next.as_ref().map(|(request, stop)| (request.id, stop.clone()));
        self.busy.set(next.is_some());
        next
    }

    /// Asks the request at work to stop, or takes out one that waits; whether it was taken out, and so never begins.
    pub fn cancel(&self, target: RequestId) -> bool {
        if let Some((id, stop)) = &*self.running.borrow()
            && *id == target
        {
            stop.ask();
        }
        let mut waiting = self.waiting.borrow_mut();
        let before = waiting.len();
        waiting.retain(|(request, _)| request.id != target);
        waiting.len() < before
    }
}
