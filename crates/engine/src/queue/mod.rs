//! Queues of requests. The worker has two: for training, which takes long, and for the use of models. They take turns
//! whenever a job yields to the event loop, so that restoring and translating work during a training run.

mod cancellation;
mod throttle;

pub use self::cancellation::CancellationToken;
pub use self::throttle::{Meter, Throttle};
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of the requests that a queue serves, in order.
    fn served(queue: &Queue<&str>) -> Vec<RequestId> {
        std::iter::from_fn(|| queue.next()).map(|queued| queued.id).collect()
    }

    #[test]
    fn requests_are_served_in_the_order_of_arrival() {
        let queue = Queue::default();
        for (id, request) in [(3, "c"), (1, "a"), (2, "b")] {
            queue.push(id, request);
        }
        let first = queue.next().map(|queued| (queued.id, queued.request));
        assert_eq!(first, Some((3, "c")));
        queue.push(9, "d");
        assert_eq!(served(&queue), [1, 2, 9]);
    }

    #[test]
    fn only_an_idle_queue_must_be_started() {
        let queue = Queue::default();
        assert!(queue.push(1, "a"), "nobody serves it yet");
        assert!(!queue.push(2, "b"));
        queue.next();
        assert!(!queue.push(3, "c"), "whoever serves it takes this one too");
        assert_eq!(served(&queue), [2, 3]);
        assert!(queue.push(4, "d"), "it is idle again");
    }

    #[test]
    fn a_waiting_request_that_is_cancelled_never_starts() {
        let queue = Queue::default();
        for id in 1..=3 {
            queue.push(id, "");
        }
        let first = queue.next().map(|queued| queued.token);
        assert!(queue.cancel(2));
        assert!(!queue.cancel(2), "it is gone");
        assert_eq!(served(&queue), [3]);
        assert!(first.is_some_and(|token| !token.is_cancelled()), "the running one goes on");
    }

    #[test]
    fn the_running_request_is_told_to_stop() {
        let queue = Queue::default();
        queue.push(1, "a");
        queue.push(2, "b");
        let running = queue.next().map(|queued| queued.token).unwrap();
        assert!(!queue.cancel(1), "it has started, and ends by itself");
        assert!(running.is_cancelled());
        assert!(queue.next().is_some_and(|next| !next.token.is_cancelled()), "the next one starts afresh");
    }

    #[test]
    fn a_finished_or_unknown_request_is_not_cancelled() {
        let queue = Queue::default();
        queue.push(1, "a");
        let finished = queue.next().map(|queued| queued.token).unwrap();
        assert!(queue.next().is_none());
        assert!(!queue.cancel(1) && !queue.cancel(7));
        assert!(!finished.is_cancelled());
    }

    #[test]
    fn two_queues_take_turns_and_cancel_only_their_own_requests() {
        let (models, trainings) = (Queue::default(), Queue::default());
        assert!(trainings.push(1, "train"));
        assert!(models.push(2, "restore"), "a run keeps nobody from restoring");
        models.push(3, "translate");
        let (run, restoring) = (trainings.next().unwrap(), models.next().unwrap());
        assert_eq!((run.id, restoring.id), (1, 2));
        assert!(!models.cancel(1) && !run.token.is_cancelled(), "the run is none of its requests");
        assert!(!trainings.cancel(1) && run.token.is_cancelled());
        assert!(!restoring.token.is_cancelled());
        assert_eq!(served(&models), [3], "the models go on while the run ends");
        assert!(models.push(4, "restore"));
        assert!(!trainings.push(5, "train"), "the run still holds its queue");
    }
}
