//! What one part of the page has asked the worker to do: started, followed, stopped.

use super::shared::{Engine, Handler};
use crate::kit::timing::{Debounce, Pace, now};
use leptos::prelude::*;
use serde::de::DeserializeOwned;
use std::rc::Rc;
use tuppum_protocol::{Progress, Request, Told};
use web_sys::File;

/// What waits at the job's pace.
const PROGRESS: &str = "progress";

/// Stops what was begun.
pub type Stop = Rc<dyn Fn()>;

/// Progress with the time at which its phase began, in the browser's milliseconds.
#[derive(Clone, Debug, PartialEq)]
pub struct TimedProgress {
    /// How far.
    pub progress: Progress,
    /// Since when this phase.
    pub since: f64,
}

impl TimedProgress {
    /// The next report of progress; the clock goes on while the phase stays.
    fn after(before: Option<&Self>, progress: Progress) -> Self {
        let since = before.filter(|before| before.progress.phase == progress.phase).map(|before| before.since);
        Self { progress, since: since.unwrap_or_else(now) }
    }
}

/// A request at a time: a new one takes the place of the one before, whose later events are dropped.
#[derive(Clone, Copy)]
pub struct Job {
    engine: Engine,
    running: RwSignal<bool>,
    progress: RwSignal<Option<TimedProgress>>,
    pace: Pace,
    /// Number of the newest start, by which late events are told from present ones.
    number: StoredValue<u32>,
    stop: StoredValue<Option<Stop>, LocalStorage>,
    debounce: Debounce,
}

impl Job {
    /// Nothing asked yet.
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

    /// Whether a request is on its way. Followed as a signal.
    pub fn is_running(self) -> bool {
        self.running.get()
    }

    /// Whether a request is on its way; not followed.
    pub fn is_running_untracked(self) -> bool {
        self.running.get_untracked()
    }

    /// How far the request is. Followed as a signal, which speaks at once of a new phase and else now and then.
    pub fn progress(self) -> Option<TimedProgress> {
        self.progress.get()
    }

    /// At what pace progress is shown: what is shown with it is drawn with it.
    pub fn pace(self) -> Pace {
        self.pace
    }

    /// Forgets how far it is, until it is reported again.
    pub fn clear_progress(self) {
        self.pace.forget(PROGRESS);
        self.progress.set(None);
    }

    /// Sends a request; `handle` gets its events, with answers of the kind `A`, after the job has taken note of them.
    pub fn start<A: DeserializeOwned + 'static>(
        self,
        request: impl Into<Request>,
        handle: impl FnMut(Told<A>) + 'static,
    ) {
        self.start_with_files(request.into(), Vec::new(), Box::new(handle));
    }

    /// Sends a request with files of the user, which are handed on without being read.
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

    /// Begins what takes more than one request and is told as one: `begin` gets what hears its events, and gives what
    /// stops it.
    pub fn begin<A: 'static>(self, mut handle: Handler<A>, begin: impl FnOnce(Handler<A>) -> Option<Stop>) {
        self.cancel();
        let number = self.number.get_value();
        self.running.set(true);
        let handle_present = move |event: Told<A>| {
            // What the job belongs to may be gone by now.
            if self.number.try_get_value() == Some(number) {
                self.note(&event);
                handle(event);
            }
        };
        let stop = begin(Box::new(handle_present));
        self.stop.set_value(stop);
    }

    fn note<A>(self, event: &Told<A>) {
        match event {
            Told::Progress(progress) => {
                // A restorer is opened again, without being asked, when the worker broke.
                if !self.is_running_untracked() {
                    self.running.set(true);
                }
                self.take_note_of(progress.clone());
            }
            Told::Done | Told::Failed(_) => self.end(),
            _ => {}
        }
    }

    fn take_note_of(self, progress: Progress) {
        // What is shown may be older, but is of the present phase.
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

    /// Acts once nothing else was started or waited for during so many milliseconds.
    pub fn debounce(self, milliseconds: u32, act: impl FnOnce() + 'static) {
        self.debounce.start(milliseconds, act);
    }

    /// Asks for the request to be stopped, which then ends as cancelled.
    pub fn stop(self) {
        if let Some(stop) = self.stop.try_get_value().flatten() {
            stop();
        }
    }

    /// Stops the request at once: its later events are dropped.
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
