//! Requests that are worked off one after the other. The worker has two such queues: training, which lasts, and everything else; they
//! take turns whenever a job gives the event loop one, so that a run keeps nobody from restoring or translating.

use super::pace::StopWish;
use super::protocol::{RequestId, ToEngine};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

/// Requests in the order of their coming.
#[derive(Default)]
pub struct Queue {
    waiting: RefCell<VecDeque<(ToEngine, StopWish)>>,
    running: RefCell<Option<(RequestId, StopWish)>>,
    busy: Cell<bool>,
}

/// What came of a wish to stop a request.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Cancelled {
    /// It is not in this queue, or over.
    Unknown,
    /// It is at work and will end by itself.
    Asked,
    /// It had not begun and never will.
    Removed,
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

    /// Says that the request at work is over.
    pub fn over(&self) {
        *self.running.borrow_mut() = None;
    }

    /// Stops a request.
    pub fn cancel(&self, target: RequestId) -> Cancelled {
        if let Some((id, stop)) = &*self.running.borrow()
            && *id == target
        {
            stop.ask();
            return Cancelled::Asked;
        }
        let mut waiting = self.waiting.borrow_mut();
        match waiting.iter().position(|(request, _)| request.id == target) {
            Some(place) => {
                waiting.remove(place);
                Cancelled::Removed
            }
            None => Cancelled::Unknown,
        }
    }
}
