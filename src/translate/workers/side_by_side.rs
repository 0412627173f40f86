//! Translation of a text of many passages by several workers side by side. Each worker takes the next free shares, as
//! many as the translator writes together; helpers are started once the rest would take long. Passages are independent
//! of each other, so the answers equal those of a single worker.

use super::Workers;
use super::schedule::TranslationSchedule;
use crate::engine::Handler;
use crate::engine::job::Stop;
use crate::kit::timing::now;
use crate::translate::state::rendering::place;
use leptos::prelude::{GetUntracked, Set};
use std::cell::RefCell;
use std::rc::Rc;
use tuppum_protocol::translation::{Passage, Question};
use tuppum_protocol::{Failure, ModelRequest, OpenModel, Phase, Progress, Reply, TranslationEvent};

/// A question's progress with its workers and the handler of its events.
struct SideBySide {
    workers: Workers,
    schedule: RefCell<TranslationSchedule>,
    handle: RefCell<Handler<TranslationEvent>>,
}

/// Translates the passages of a question with at most `most` workers, each of which gets at most `together` shares at a
/// time. The first worker must have the translator `asked` open. `handle` gets the events of one request, and none
/// after a stop.
pub fn translate(
    workers: Workers,
    (question, passages): (Question, &[Passage]),
    asked: OpenModel,
    most: usize,
    together: usize,
    handle: Handler<TranslationEvent>,
) -> Stop {
    // Otherwise a helper that has been idle since the text before would be shut down in the middle of this one.
    workers.keep_helpers();
    let schedule = TranslationSchedule::new((question, passages), asked, most, together, now());
    let all = Rc::new(SideBySide { workers, schedule: RefCell::new(schedule), handle: RefCell::new(handle) });
    all.report_progress();
    let idle = all.call_idle_helpers();
    all.work(0);
    idle.into_iter().for_each(|helper| all.work(helper));
    Rc::new(move || all.stop())
}

impl SideBySide {
    /// Gives an idle worker its next shares, if there are any.
    fn work(self: &Rc<Self>, number: usize) {
        let Some(worker) = self.workers.get(number) else { return };
        if number == 0 && self.must_reopen_first() {
            return;
        }
        let Some(question) = self.schedule.borrow_mut().take(number, now()) else { return };
        self.count();
        let all = self.clone();
        worker.job.start(ModelRequest::Translate(question), move |event| all.handle_event(number, event));
    }

    /// Returns `true` if the first worker must wait for the translator: another part of the page has opened another one
    /// in it, and a worker holds only one. The translator is then opened again, and work continues with it.
    fn must_reopen_first(self: &Rc<Self>) -> bool {
        let (asked, has_work) = {
            let schedule = self.schedule.borrow();
            (schedule.asked.clone(), !schedule.is_over && !schedule.waiting.is_empty())
        };
        let translator = self.workers.first().translator;
        if !has_work || translator.holds(&asked) || translator.is_opening() {
            return translator.is_opening();
        }
        let all = self.clone();
        translator.open(asked, move |outcome| match outcome {
            Ok(()) => all.work(0),
            Err(failure) => all.fail(failure),
        });
        true
    }

    /// Returns the idle helpers that have the translator open: they start at once.
    fn call_idle_helpers(&self) -> Vec<usize> {
        let mut schedule = self.schedule.borrow_mut();
        let is_idle = |helper: &usize| self.workers.is_held_by(*helper, &schedule.asked);
        let idle: Vec<usize> = (1..schedule.most).filter(is_idle).collect();
        schedule.called.extend(&idle);
        idle
    }

    fn handle_event(self: &Rc<Self>, number: usize, event: Reply<TranslationEvent>) {
        match event {
            Reply::Answer(TranslationEvent::Translated { translated, .. }) => {
                let is_finished = !translated.candidates.is_empty();
                let place = place(&translated);
                let (is_foremost, is_known, done, total) = {
                    let schedule = self.schedule.borrow();
                    (schedule.is_foremost(number), schedule.done.contains(&place), schedule.done.len(), schedule.total)
                };
                // A helper may have reported the passage before it was lost.
                if is_known || !is_finished && !is_foremost {
                    return;
                }
                if is_finished {
                    self.schedule.borrow_mut().done.insert(place);
                    self.report_progress();
                }
                self.report(Reply::Answer(TranslationEvent::Translated { number: done, total, translated }));
            }
            Reply::Done => {
                self.schedule.borrow_mut().finish(number, now());
                self.continue_after(number);
                // Not after each passage: passages written together are all nearly done when the first one is.
                self.call_helpers();
            }
            Reply::Failed(failure) if number == 0 => self.fail(failure),
            Reply::Failed(_) => {
                self.workers.release_helper(number);
                self.schedule.borrow_mut().give_back(number);
                self.continue_after(0);
            }
            _ => {}
        }
    }

    /// Continues after a worker has finished its shares.
    fn continue_after(self: &Rc<Self>, number: usize) {
        if self.schedule.borrow().is_over {
            self.workers.release_helpers_later();
            self.report(Reply::Done);
        }
        self.work(number);
        self.count();
    }

    /// Starts helpers if they are worth it.
    fn call_helpers(self: &Rc<Self>) {
        let (asked, called) = {
            let mut schedule = self.schedule.borrow_mut();
            let passed = now() - schedule.since;
            (schedule.asked.clone(), schedule.call_helpers(passed))
        };
        for helper in called {
            let all = self.clone();
            self.workers.open_helper(helper, &asked, move |is_open| match is_open {
                true => all.work(helper),
                false => all.schedule.borrow_mut().give_back(helper),
            });
        }
    }

    fn fail(&self, failure: Failure) {
        self.stop();
        self.report(Reply::Failed(failure));
    }

    fn stop(&self) {
        let under_way = {
            let mut schedule = self.schedule.borrow_mut();
            schedule.is_over = true;
            std::mem::take(&mut schedule.under_way)
        };
        for worker in under_way.into_keys().filter_map(|number| self.workers.get(number)) {
            worker.job.cancel();
        }
        self.count();
        self.workers.release_helpers_later();
    }

    /// Updates the number of busy workers that the page shows.
    fn count(&self) {
        let (busy, count) = (self.workers.busy, self.schedule.borrow().under_way.len());
        if busy.get_untracked() != count {
            busy.set(count);
        }
    }

    fn report_progress(&self) {
        let (done, total) = {
            let schedule = self.schedule.borrow();
            (schedule.done.len() as u64, schedule.total as u64)
        };
        self.report(Reply::Progress(Progress { phase: Phase::Translate, done, total }));
    }

    fn report(&self, event: Reply<TranslationEvent>) {
        (self.handle.borrow_mut())(event);
    }
}
