//! Translation of a text of many passages by several workers side by side. Each worker takes the next free shares, as
//! many as the translator writes together; helpers are started once the rest would take long. Passages are independent
//! of each other, so the answers equal those of a single worker.

use super::Workers;
use crate::engine::job::Stop;
use crate::engine::shared::Handler;
use crate::shell::timing::now;
use crate::translate::state::rendering::place;
use leptos::prelude::{GetUntracked, Set};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;
use tuppum_protocol::translation::{Passage, Question, Translated};
use tuppum_protocol::{Failure, ModelRequest, OpenModel, Phase, Progress, Told, TranslationEvent};

/// Milliseconds that the first worker alone must need for the rest before helpers are started: starting one takes about
/// a second.
const LONG: f64 = 2_000.0;

/// Unit of work, never split between workers: passages that share lines, nearly always one.
#[derive(Clone, Debug, PartialEq)]
struct Share {
    /// Places of the passages, in order.
    places: Vec<(usize, usize)>,
    /// Line after the last line of the share.
    end: usize,
}

/// Returns the shares of a question, in the order of the text.
fn shares(passages: &[Passage]) -> VecDeque<Share> {
    let mut shares: VecDeque<Share> = VecDeque::new();
    for passage in passages {
        let (place, lines) = (place(&Translated::beginning(passage)), &passage.lines);
        match shares.back_mut().filter(|share| lines.start < share.end) {
            Some(share) => {
                share.places.push(place);
                share.end = share.end.max(lines.end);
            }
            None => shares.push_back(Share { places: vec![place], end: lines.end }),
        }
    }
    shares
}

/// Shares that a worker is translating, and the time at which it started, in milliseconds.
#[derive(Clone, Debug, Default, PartialEq)]
struct Started {
    shares: Vec<Share>,
    at: f64,
}

/// Progress of a question through the workers.
struct Course {
    question: Question,
    asked: OpenModel,
    waiting: VecDeque<Share>,
    /// Shares being translated, by the number of the worker.
    under_way: BTreeMap<usize, Started>,
    /// Helpers that were started, ready or not.
    called: BTreeSet<usize>,
    /// Helpers that crashed or could not open the translator: the other workers take over their shares.
    gone: BTreeSet<usize>,
    /// Maximum number of workers.
    most: usize,
    /// Maximum number of shares that a worker gets at a time.
    together: usize,
    /// Places of the translated passages.
    done: BTreeSet<(usize, usize)>,
    total: usize,
    since: f64,
    /// Milliseconds that the worker which finished last took for its shares.
    usual: Option<f64>,
    is_over: bool,
}

impl Course {
    /// Returns the next shares for an idle worker, as a question; `None` if there are none. Towards the end a worker
    /// gets fewer, so that no worker waits long for another.
    fn take(&mut self, worker: usize, at: f64) -> Option<Question> {
        if self.is_over || self.under_way.contains_key(&worker) || self.waiting.is_empty() {
            return None;
        }
        let count = self.waiting.len().div_ceil(1 + self.soon_free(worker, at)).min(self.together);
        let shares: Vec<Share> = self.waiting.drain(..count).collect();
        let lines = shares.iter().flat_map(|share| &share.places).map(|(line, _)| *line).collect();
        let question = Question { only: Some(lines), ..self.question.clone() };
        self.under_way.insert(worker, Started { shares, at });
        Some(question)
    }

    /// Returns how many other workers will ask for shares before `worker` has finished its next ones: idle workers, and
    /// those that have done half of theirs.
    fn soon_free(&self, worker: usize, at: f64) -> usize {
        let is_free = |other: &usize| match (self.under_way.get(other), self.usual) {
            (Some(started), Some(usual)) => at - started.at > usual / 2.0,
            _ => true,
        };
        self.present().filter(|other| *other != worker).filter(is_free).count()
    }

    /// Returns the workers that translate or soon will.
    fn present(&self) -> impl Iterator<Item = usize> {
        std::iter::once(0).chain(self.called.difference(&self.gone).copied())
    }

    /// Returns the number of workers that translate or soon will.
    fn workers(&self) -> usize {
        self.present().count()
    }

    /// Returns `true` if this worker writes the first of all unfinished passages in the text: only that one is shown
    /// while it is written.
    fn is_foremost(&self, worker: usize) -> bool {
        let first = |shares: &[Share]| {
            let places = shares.iter().flat_map(|share| &share.places);
            places.filter(|place| !self.done.contains(place)).min().copied()
        };
        let unfinished = self.under_way.iter().filter_map(|(number, started)| Some((first(&started.shares)?, *number)));
        unfinished.min().is_some_and(|(_, number)| number == worker)
    }

    /// Notes that a worker has finished its shares.
    fn finish(&mut self, worker: usize, at: f64) {
        if let Some(started) = self.under_way.remove(&worker) {
            self.usual = Some(at - started.at);
        }
        self.is_over |= self.waiting.is_empty() && self.under_way.is_empty();
    }

    /// Notes that a helper is gone, and returns its unfinished shares to the waiting ones.
    fn give_back(&mut self, worker: usize) {
        self.gone.insert(worker);
        let mut shares = self.under_way.remove(&worker).unwrap_or_default().shares;
        shares.retain(|share| share.places.iter().any(|place| !self.done.contains(place)));
        self.waiting.extend(shares);
        self.waiting.make_contiguous().sort_by_key(|share| share.end);
        // A stopped translation stays over, whatever its helpers report later.
        self.is_over |= self.waiting.is_empty() && self.under_way.is_empty();
    }

    /// Returns the helpers to start, after `passed` milliseconds: no more than there are shares, each helper once.
    fn call_helpers(&mut self, passed: f64) -> Vec<usize> {
        let done = self.done.len();
        let left = self.total.saturating_sub(done) as f64;
        let alone = passed * self.workers() as f64 / done.max(1) as f64 * left;
        if self.is_over || done == 0 || alone < LONG {
            return Vec::new();
        }
        let most = self.most.min(1 + self.waiting.len());
        let helpers: Vec<usize> = (1..most).filter(|number| !self.called.contains(number)).collect();
        self.called.extend(&helpers);
        helpers
    }
}

/// A question's progress with its workers and the handler of its events.
struct SideBySide {
    workers: Workers,
    course: RefCell<Course>,
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
    let course = Course {
        waiting: shares(passages),
        under_way: BTreeMap::new(),
        called: BTreeSet::new(),
        gone: BTreeSet::new(),
        total: passages.len(),
        done: BTreeSet::new(),
        since: now(),
        usual: None,
        is_over: false,
        question,
        asked,
        most,
        together,
    };
    let all = Rc::new(SideBySide { workers, course: RefCell::new(course), handle: RefCell::new(handle) });
    all.tell_progress();
    let rested = all.call_those_who_rest();
    all.work(0);
    rested.into_iter().for_each(|helper| all.work(helper));
    Rc::new(move || all.stop())
}

impl SideBySide {
    /// Gives an idle worker its next shares, if there are any.
    fn work(self: &Rc<Self>, number: usize) {
        let Some(worker) = self.workers.get(number) else { return };
        if number == 0 && self.first_lost_it() {
            return;
        }
        let Some(question) = self.course.borrow_mut().take(number, now()) else { return };
        self.count();
        let all = self.clone();
        worker.job.start(ModelRequest::Translate(question), move |event| all.hear(number, event));
    }

    /// Returns `true` if the first worker must wait for the translator: another part of the page has opened another one
    /// in it, and a worker holds only one. The translator is then opened again, and work continues with it.
    fn first_lost_it(self: &Rc<Self>) -> bool {
        let (asked, has_work) = {
            let course = self.course.borrow();
            (course.asked.clone(), !course.is_over && !course.waiting.is_empty())
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
    fn call_those_who_rest(&self) -> Vec<usize> {
        let mut course = self.course.borrow_mut();
        let resting = |helper: &usize| self.workers.is_held_by(*helper, &course.asked);
        let rested: Vec<usize> = (1..course.most).filter(resting).collect();
        course.called.extend(&rested);
        rested
    }

    fn hear(self: &Rc<Self>, number: usize, event: Told<TranslationEvent>) {
        match event {
            Told::Answer(TranslationEvent::Translated { translated, .. }) => {
                let is_finished = !translated.candidates.is_empty();
                let place = place(&translated);
                let (is_foremost, is_known, done, total) = {
                    let course = self.course.borrow();
                    (course.is_foremost(number), course.done.contains(&place), course.done.len(), course.total)
                };
                // A helper may have reported the passage before it was lost.
                if is_known || !is_finished && !is_foremost {
                    return;
                }
                if is_finished {
                    self.course.borrow_mut().done.insert(place);
                    self.tell_progress();
                }
                self.tell(Told::Answer(TranslationEvent::Translated { number: done, total, translated }));
            }
            Told::Done => {
                self.course.borrow_mut().finish(number, now());
                self.go_on(number);
                // Not after each passage: passages written together are all nearly done when the first one is.
                self.call_helpers();
            }
            Told::Failed(failure) if number == 0 => self.fail(failure),
            Told::Failed(_) => {
                self.workers.let_go(number);
                self.course.borrow_mut().give_back(number);
                self.go_on(0);
            }
            _ => {}
        }
    }

    /// Continues after a worker has finished its shares.
    fn go_on(self: &Rc<Self>, number: usize) {
        if self.course.borrow().is_over {
            self.workers.rest();
            self.tell(Told::Done);
        }
        self.work(number);
        self.count();
    }

    /// Starts helpers if they are worth it.
    fn call_helpers(self: &Rc<Self>) {
        let (asked, called) = {
            let mut course = self.course.borrow_mut();
            let passed = now() - course.since;
            (course.asked.clone(), course.call_helpers(passed))
        };
        for helper in called {
            let all = self.clone();
            self.workers.open_helper(helper, &asked, move |is_open| match is_open {
                true => all.work(helper),
                false => all.course.borrow_mut().give_back(helper),
            });
        }
    }

    fn fail(&self, failure: Failure) {
        self.stop();
        self.tell(Told::Failed(failure));
    }

    fn stop(&self) {
        let under_way = {
            let mut course = self.course.borrow_mut();
            course.is_over = true;
            std::mem::take(&mut course.under_way)
        };
        for worker in under_way.into_keys().filter_map(|number| self.workers.get(number)) {
            worker.job.cancel();
        }
        self.count();
        self.workers.rest();
    }

    /// Updates the number of busy workers that the page shows.
    fn count(&self) {
        let (busy, count) = (self.workers.busy, self.course.borrow().under_way.len());
        if busy.get_untracked() != count {
            busy.set(count);
        }
    }

    fn tell_progress(&self) {
        let (done, total) = {
            let course = self.course.borrow();
            (course.done.len() as u64, course.total as u64)
        };
        self.tell(Told::Progress(Progress { phase: Phase::Translate, done, total }));
    }

    fn tell(&self, event: Told<TranslationEvent>) {
        (self.handle.borrow_mut())(event);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_protocol::{DevicePreference, ModelRef};
    use tuppum_text::Document;

    fn course(text: &str, most: usize) -> Course {
        let question = Question::about(text);
        let passages = question.passages(&Document::read(text));
        Course {
            waiting: shares(&passages),
            under_way: BTreeMap::new(),
            called: BTreeSet::new(),
            gone: BTreeSet::new(),
            total: passages.len(),
            done: BTreeSet::new(),
            since: 0.0,
            usual: None,
            is_over: false,
            asked: OpenModel {
                model: ModelRef::shipped("models/translator/"),
                device: DevicePreference::Cpu,
                store: true,
            },
            question,
            most,
            together: 2,
        }
    }

    #[test]
    fn every_passage_is_asked_for_once_and_pieces_of_a_line_stay_together() {
        let text = format!("a-na\n{}\n$ ruling\num-ma", "a-na be-li₂ ".repeat(60));
        let (mut course, document) = (course(&text, 4), Document::read(&text));
        course.called = BTreeSet::from([1, 2, 3]);
        let all = course.question.passages(&document);
        let mut asked = Vec::new();
        for worker in [0, 2, 1, 3] {
            asked.extend(course.take(worker, 0.0).into_iter().flat_map(|question| question.passages(&document)));
        }
        assert!(all.len() > 3 && course.waiting.is_empty());
        assert_eq!(asked, all);
        assert!(course.is_foremost(0) && !course.is_foremost(2));
        for worker in [2, 0, 1] {
            course.finish(worker, 0.0);
            assert_eq!(course.is_over, worker == 1);
        }
    }

    #[test]
    fn passages_are_translated_together_and_the_last_by_those_who_are_free_for_them() {
        // Each turn: a worker that finishes its shares and takes the next, and the time.
        let taken = |passages: usize, helpers: &[usize], turns: &[(usize, f64)]| -> Vec<usize> {
            let mut course = self::course(&["a-na"].repeat(passages).join("\n"), 2);
            course.called.extend(helpers);
            let mut take = |(worker, at): &(usize, f64)| {
                course.finish(*worker, *at);
                course.take(*worker, *at).and_then(|question| question.only).map_or(0, |lines| lines.len())
            };
            turns.iter().map(&mut take).collect()
        };
        assert_eq!(taken(7, &[], &[(0, 0.0), (0, 9.0), (0, 18.0), (0, 27.0)]), [2, 2, 2, 1]);
        let alike = [(0, 0.0), (1, 0.0), (0, 9.0), (1, 9.5), (0, 15.0)];
        assert_eq!(taken(6, &[1], &alike), [2, 2, 1, 1, 0], "each takes one of two");
        assert_eq!(taken(7, &[1], &alike), [2, 2, 2, 1, 0]);
        let in_turn = [(0, 0.0), (1, 6.0), (0, 9.0), (1, 15.0)];
        assert_eq!(taken(6, &[1], &in_turn), [2, 2, 2, 0], "the other has only begun");
        assert_eq!(taken(5, &[1, 2], &[(0, 0.0), (1, 0.0), (2, 0.0), (0, 9.0)]), [2, 1, 1, 1]);
        let four: Vec<(usize, f64)> = (0..3)
            .flat_map(|round| (0..4).map(move |worker| (worker, f64::from(9 * round) + worker as f64 / 10.0)))
            .collect();
        assert_eq!(taken(20, &[1, 2, 3], &four), [2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1]);
        let mut alone = self::course(&["a-na"].repeat(7).join("\n"), 2);
        alone.together = 1;
        assert_eq!(alone.take(0, 0.0).and_then(|question| question.only), Some(vec![0]), "a large translator");
    }

    #[test]
    fn what_a_lost_helper_had_is_taken_first() {
        let mut course = course("a-na\num-ma\nqi₂-bi₂-ma", 2);
        course.called.insert(1);
        let lines = |question: Option<Question>| question.and_then(|question| question.only);
        assert_eq!([lines(course.take(0, 0.0)), lines(course.take(1, 0.0))], [Some(vec![0, 1]), Some(vec![2])]);
        assert_eq!(lines(course.take(1, 0.0)), None, "one share at a time");
        course.give_back(1);
        course.finish(0, 0.0);
        assert_eq!(lines(course.take(0, 0.0)), Some(vec![2]), "nothing is left for one who is gone");
    }

    #[test]
    fn what_was_stopped_does_not_go_on_when_a_helper_cannot_open_the_translator() {
        let mut course = course("a-na\num-ma\nqi₂-bi₂-ma\nki-ma", 3);
        course.called.extend([1, 2]);
        course.take(0, 0.0);
        (course.is_over, course.under_way) = (true, BTreeMap::new());
        course.give_back(1);
        assert!(course.is_over && !course.waiting.is_empty());
        assert_eq!(course.take(2, 0.0), None);
    }

    #[test]
    fn what_a_lost_helper_has_finished_is_not_translated_again() {
        let mut course = course("a-na\num-ma\nqi₂-bi₂-ma\nki-ma", 3);
        let places: Vec<_> = course.waiting.iter().flat_map(|share| share.places.clone()).collect();
        course.called.insert(1);
        let lines = |question: Option<Question>| question.and_then(|question| question.only);
        assert_eq!([lines(course.take(1, 0.0)), lines(course.take(0, 0.0))], [Some(vec![0, 1]), Some(vec![2])]);
        course.done.insert((0, 0));
        assert!(course.is_foremost(1));
        course.give_back(1);
        course.called.insert(2);
        assert!(course.is_foremost(0) && !course.is_over);
        course.finish(0, 0.0);
        assert_eq!(lines(course.take(0, 0.0)), Some(vec![1]));
        course.finish(0, 0.0);
        assert_eq!(lines(course.take(2, 0.0)), Some(vec![3]));
        course.done.extend(places);
        course.give_back(2);
        assert!(course.is_over && course.waiting.is_empty(), "{:?}", course.waiting);
    }

    #[test]
    fn helpers_come_where_the_rest_would_take_long_and_no_more_than_there_are_shares() {
        let mut course = course("a-na\num-ma\nqi₂-bi₂-ma\nki-ma\na-na\num-ma", 4);
        assert!(course.call_helpers(60_000.0).is_empty(), "nobody knows yet how long a passage takes");
        course.take(0, 0.0);
        course.done.insert((0, 0));
        course.finish(0, 0.0);
        assert!(course.call_helpers(LONG / 5.0 - 1.0).is_empty());
        course.waiting.pop_front();
        assert_eq!(course.call_helpers(LONG), [1, 2, 3]);
        assert!(course.call_helpers(LONG).is_empty(), "each is called once");
        course.give_back(2);
        assert!(!course.is_over);
        assert_eq!(
            (course.workers(), course.call_helpers(LONG)),
            (3, vec![]),
            "one that could not open the translator"
        );
        let mut short = self::course("a-na\num-ma\nqi₂-bi₂-ma", 4);
        short.done.insert((0, 0));
        short.waiting.drain(..2);
        assert_eq!(short.call_helpers(2.0 * LONG), [1], "one passage is left that nobody has");
    }
}
