//! One request at a time, for one part of the page: started, followed, stopped.

use super::{Engine, Handler};
use crate::kit::timing::{Debounce, Pace, now};
use leptos::prelude::*;
use serde::de::DeserializeOwned;
use std::rc::Rc;
use tuppum_protocol::{Progress, Reply, Request};
use web_sys::File;

/// Name under which progress waits in the job's [`Pace`].
const PROGRESS: &str = "progress";

/// Stops a running request.
pub type Stop = Rc<dyn Fn()>;

/// Progress, and the time at which its phase began.
#[derive(Clone, Debug, PartialEq)]
pub struct TimedProgress {
    /// Last reported progress.
    pub progress: Progress,
    /// Start of the phase, in milliseconds of the browser's clock.
    pub since: f64,
}

impl TimedProgress {
    /// Combines the previous progress with a new report. The start time is kept while the phase stays the same.
    fn after(before: Option<&Self>, progress: Progress) -> Self {
        let since = before.filter(|before| before.progress.phase == progress.phase).map(|before| before.since);
        Self { progress, since: since.unwrap_or_else(now) }
    }
}

/// Sends one request at a time: a new request replaces the previous one, whose later events are dropped.
#[derive(Clone, Copy)]
pub struct Job {
    engine: Engine,
    running: RwSignal<bool>,
    progress: RwSignal<Option<TimedProgress>>,
    pace: Pace,
    /// Number of the latest start. Events of earlier starts are dropped.
    number: StoredValue<u32>,
    stop: StoredValue<Option<Stop>, LocalStorage>,
    debounce: Debounce,
}

impl Job {
    /// Creates a job that has sent nothing.
    pub fn new(engine: Engine) -> Self {
        Self {
            engine,
            running: RwSignal::new(false),
            progress: RwSignal::new(None),
            pace: Pace::new(),
            number: StoredValue::new(0),
            stop: StoredValue::new_local(None),
            debounce: Debounce::new(),
        }
    }

    /// Returns `true` while a request is running. Tracked as a signal.
    pub fn is_running(self) -> bool {
        self.running.get()
    }

    /// Returns `true` while a request is running. Not tracked.
    pub fn is_running_untracked(self) -> bool {
        self.running.get_untracked()
    }

    /// Returns the progress of the request. Tracked as a signal, which changes at once with the phase and otherwise at
    /// the job's pace.
    pub fn progress(self) -> Option<TimedProgress> {
        self.progress.get()
    }

    /// Returns the pace at which progress is shown, so that other updates can be drawn together with it.
    pub fn pace(self) -> Pace {
        self.pace
    }

    /// Clears the progress until it is reported again.
    pub fn clear_progress(self) {
        self.pace.forget(PROGRESS);
        self.progress.set(None);
    }

    /// Sends a request. `handle` receives its events, with answers of type `A`, after the job has noted them.
    pub fn start<A: DeserializeOwned + 'static>(
        self,
        request: impl Into<Request>,
        handle: impl FnMut(Reply<A>) + 'static,
    ) {
        self.start_with_files(request.into(), Vec::new(), Box::new(handle));
    }

    /// Sends a request with files of the user, which are passed on unread.
    pub fn start_with_files<A: DeserializeOwned + 'static>(
        self,
        request: Request,
        files: Vec<File>,
        handle: Handler<A>,
    ) {
        self.begin(handle, move |handle| {
            let id = self.engine.send(request, files, handle)?;
            Some(Rc::new(move || self.engine.cancel(id)))
        });
    }

    /// Runs several requests as one job. `begin` receives the handler of their events and returns a function that stops
    /// them.
    pub fn begin<A: 'static>(self, mut handle: Handler<A>, begin: impl FnOnce(Handler<A>) -> Option<Stop>) {
        self.cancel();
        let number = self.number.get_value();
        self.running.set(true);
        let handle_present = move |event: Reply<A>| {
            // The owner of the job may be gone by now.
            if self.number.try_get_value() == Some(number) {
                self.note(&event);
                handle(event);
            }
        };
        let stop = begin(Box::new(handle_present));
        self.stop.set_value(stop);
    }

    fn note<A>(self, event: &Reply<A>) {
        match event {
            Reply::Progress(progress) => {
                // The client reopens a restorer by itself when the worker broke.
                if !self.is_running_untracked() {
                    self.running.set(true);
                }
                self.take_note_of(progress.clone());
            }
            Reply::Done | Reply::Failed(_) => self.end(),
            _ => {}
        }
    }

    fn take_note_of(self, progress: Progress) {
        // The progress shown may be older than the last report, but belongs to the present phase.
        let shown = self.progress.get_untracked();
        let timed = TimedProgress::after(shown.as_ref(), progress);
        if shown.is_some_and(|shown| shown.progress.phase == timed.progress.phase) {
            self.pace.act(PROGRESS, move || {
                self.progress.try_set(Some(timed));
            });
        } else {
            self.pace.forget(PROGRESS);
            self.progress.set(Some(timed));
        }
    }

    fn end(self) {
        self.running.set(false);
        self.clear_progress();
    }

    /// Calls `act` after this many milliseconds, unless another delay or request starts before.
    pub fn debounce(self, milliseconds: u32, act: impl FnOnce() + 'static) {
        self.debounce.start(milliseconds, act);
    }

    /// Asks the worker to stop the request, which then ends as cancelled.
    pub fn stop(self) {
        if let Some(stop) = self.stop.try_get_value().flatten() {
            stop();
        }
    }

    /// Stops the request at once; its later events are dropped.
    pub fn cancel(self) {
        self.debounce.cancel();
        self.number.update_value(|number| *number += 1);
        self.stop();
        self.stop.set_value(None);
        if self.is_running_untracked() {
            self.end();
        }
    }
}
