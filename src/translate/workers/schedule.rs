//! Schedule of a translation by several workers: which passages each worker gets next, when helpers are worth starting,
//! and what happens to the passages of a lost one. It knows no worker and no clock, so it is tested on its own.

use crate::translate::state::rendering::place;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use tuppum_protocol::OpenModel;
use tuppum_protocol::translation::{Passage, Question, Translated};

/// Milliseconds that the first worker alone must need for the rest before helpers are started: starting one takes about
/// a second.
const HELPERS_AFTER_MS: f64 = 2_000.0;

/// Unit of work, never split between workers: passages that share lines, nearly always one.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkShare {
    /// Places of the passages, in order.
    places: Vec<(usize, usize)>,
    /// Line after the last line of the share.
    end: usize,
}

/// Returns the shares of a question, in the order of the text.
fn shares(passages: &[Passage]) -> VecDeque<WorkShare> {
    let mut shares: VecDeque<WorkShare> = VecDeque::new();
    for passage in passages {
        let (place, lines) = (place(&Translated::beginning(passage)), &passage.lines);
        match shares.back_mut().filter(|share| lines.start < share.end) {
            Some(share) => {
                share.places.push(place);
                share.end = share.end.max(lines.end);
            }
            None => shares.push_back(WorkShare { places: vec![place], end: lines.end }),
        }
    }
    shares
}

/// Shares that a worker is translating, and the time at which it started, in milliseconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Started {
    shares: Vec<WorkShare>,
    at: f64,
}

/// Progress of a question through the workers.
pub struct TranslationSchedule {
    question: Question,
    pub asked: OpenModel,
    pub waiting: VecDeque<WorkShare>,
    /// Shares being translated, by the number of the worker.
    pub under_way: BTreeMap<usize, Started>,
    /// Helpers that were started, ready or not.
    pub called: BTreeSet<usize>,
    /// Helpers that crashed or could not open the translator: the other workers take over their shares.
    gone: BTreeSet<usize>,
    /// Maximum number of workers.
    pub most: usize,
    /// Maximum number of shares that a worker gets at a time.
    together: usize,
    /// Places of the translated passages.
    pub done: BTreeSet<(usize, usize)>,
    pub total: usize,
    pub since: f64,
    /// Milliseconds that the worker which finished last took for its shares.
    usual: Option<f64>,
    pub is_over: bool,
}

impl TranslationSchedule {
    /// Returns the schedule of a question, with nothing started yet; `since` is the time in milliseconds.
    pub fn new(
        (question, passages): (Question, &[Passage]),
        asked: OpenModel,
        most: usize,
        together: usize,
        since: f64,
    ) -> Self {
        Self {
            question,
            asked,
            waiting: shares(passages),
            under_way: BTreeMap::new(),
            called: BTreeSet::new(),
            gone: BTreeSet::new(),
            most,
            together,
            done: BTreeSet::new(),
            total: passages.len(),
            since,
            usual: None,
            is_over: false,
        }
    }

    /// Returns the next shares for an idle worker, as a question; `None` if there are none. Towards the end a worker
    /// gets fewer, so that no worker waits long for another.
    pub fn take(&mut self, worker: usize, at: f64) -> Option<Question> {
        if self.is_over || self.under_way.contains_key(&worker) || self.waiting.is_empty() {
            return None;
        }
        let count = self.waiting.len().div_ceil(1 + self.soon_free(worker, at)).min(self.together);
        let shares: Vec<WorkShare> = self.waiting.drain(..count).collect();
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
    pub fn is_foremost(&self, worker: usize) -> bool {
        let first = |shares: &[WorkShare]| {
            let places = shares.iter().flat_map(|share| &share.places);
            places.filter(|place| !self.done.contains(place)).min().copied()
        };
        let unfinished = self.under_way.iter().filter_map(|(number, started)| Some((first(&started.shares)?, *number)));
        unfinished.min().is_some_and(|(_, number)| number == worker)
    }

    /// Notes that a worker has finished its shares.
    pub fn finish(&mut self, worker: usize, at: f64) {
        if let Some(started) = self.under_way.remove(&worker) {
            self.usual = Some(at - started.at);
        }
        self.is_over |= self.waiting.is_empty() && self.under_way.is_empty();
    }

    /// Notes that a helper is gone, and returns its unfinished shares to the waiting ones.
    pub fn give_back(&mut self, worker: usize) {
        self.gone.insert(worker);
        let mut shares = self.under_way.remove(&worker).unwrap_or_default().shares;
        shares.retain(|share| share.places.iter().any(|place| !self.done.contains(place)));
        self.waiting.extend(shares);
        self.waiting.make_contiguous().sort_by_key(|share| share.end);
        // A stopped translation stays over, whatever its helpers report later.
        self.is_over |= self.waiting.is_empty() && self.under_way.is_empty();
    }

    /// Returns the helpers to start, after `passed` milliseconds: no more than there are shares, each helper once.
    pub fn call_helpers(&mut self, passed: f64) -> Vec<usize> {
        let done = self.done.len();
        let left = self.total.saturating_sub(done) as f64;
        let alone = passed * self.workers() as f64 / done.max(1) as f64 * left;
        if self.is_over || done == 0 || alone < HELPERS_AFTER_MS {
            return Vec::new();
        }
        let most = self.most.min(1 + self.waiting.len());
        let helpers: Vec<usize> = (1..most).filter(|number| !self.called.contains(number)).collect();
        self.called.extend(&helpers);
        helpers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_protocol::{DevicePreference, ModelRef};
    use tuppum_text::Document;

    fn schedule(text: &str, most: usize) -> TranslationSchedule {
        let question = Question::about(text);
        let passages = question.passages(&Document::read(text));
        let asked =
            OpenModel { model: ModelRef::shipped("models/translator/"), device: DevicePreference::Cpu, store: true };
        TranslationSchedule::new((question, &passages), asked, most, 2, 0.0)
    }

    #[test]
    fn every_passage_is_asked_for_once_and_pieces_of_a_line_stay_together() {
        let text = format!("a-na\n{}\n$ ruling\num-ma", "a-na be-li₂ ".repeat(60));
        let (mut schedule, document) = (schedule(&text, 4), Document::read(&text));
        schedule.called = BTreeSet::from([1, 2, 3]);
        let all = schedule.question.passages(&document);
        let mut asked = Vec::new();
        for worker in [0, 2, 1, 3] {
            asked.extend(schedule.take(worker, 0.0).into_iter().flat_map(|question| question.passages(&document)));
        }
        assert!(all.len() > 3 && schedule.waiting.is_empty());
        assert_eq!(asked, all);
        assert!(schedule.is_foremost(0) && !schedule.is_foremost(2));
        for worker in [2, 0, 1] {
            schedule.finish(worker, 0.0);
            assert_eq!(schedule.is_over, worker == 1);
        }
    }

    #[test]
    fn passages_are_translated_together_and_the_last_by_those_who_are_free_for_them() {
        // Each turn: a worker that finishes its shares and takes the next, and the time.
        let taken = |passages: usize, helpers: &[usize], turns: &[(usize, f64)]| -> Vec<usize> {
            let mut schedule = self::schedule(&["a-na"].repeat(passages).join("\n"), 2);
            schedule.called.extend(helpers);
            let mut take = |(worker, at): &(usize, f64)| {
                schedule.finish(*worker, *at);
                schedule.take(*worker, *at).and_then(|question| question.only).map_or(0, |lines| lines.len())
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
        let mut alone = self::schedule(&["a-na"].repeat(7).join("\n"), 2);
        alone.together = 1;
        assert_eq!(alone.take(0, 0.0).and_then(|question| question.only), Some(vec![0]), "a large translator");
    }

    #[test]
    fn what_a_lost_helper_had_is_taken_first() {
        let mut schedule = schedule("a-na\num-ma\nqi₂-bi₂-ma", 2);
        schedule.called.insert(1);
        let lines = |question: Option<Question>| question.and_then(|question| question.only);
        assert_eq!([lines(schedule.take(0, 0.0)), lines(schedule.take(1, 0.0))], [Some(vec![0, 1]), Some(vec![2])]);
        assert_eq!(lines(schedule.take(1, 0.0)), None, "one share at a time");
        schedule.give_back(1);
        schedule.finish(0, 0.0);
        assert_eq!(lines(schedule.take(0, 0.0)), Some(vec![2]), "nothing is left for one who is gone");
    }

    #[test]
    fn what_was_stopped_does_not_go_on_when_a_helper_cannot_open_the_translator() {
        let mut schedule = schedule("a-na\num-ma\nqi₂-bi₂-ma\nki-ma", 3);
        schedule.called.extend([1, 2]);
        schedule.take(0, 0.0);
        (schedule.is_over, schedule.under_way) = (true, BTreeMap::new());
        schedule.give_back(1);
        assert!(schedule.is_over && !schedule.waiting.is_empty());
        assert_eq!(schedule.take(2, 0.0), None);
    }

    #[test]
    fn what_a_lost_helper_has_finished_is_not_translated_again() {
        let mut schedule = schedule("a-na\num-ma\nqi₂-bi₂-ma\nki-ma", 3);
        let places: Vec<_> = schedule.waiting.iter().flat_map(|share| share.places.clone()).collect();
        schedule.called.insert(1);
        let lines = |question: Option<Question>| question.and_then(|question| question.only);
        assert_eq!([lines(schedule.take(1, 0.0)), lines(schedule.take(0, 0.0))], [Some(vec![0, 1]), Some(vec![2])]);
        schedule.done.insert((0, 0));
        assert!(schedule.is_foremost(1));
        schedule.give_back(1);
        schedule.called.insert(2);
        assert!(schedule.is_foremost(0) && !schedule.is_over);
        schedule.finish(0, 0.0);
        assert_eq!(lines(schedule.take(0, 0.0)), Some(vec![1]));
        schedule.finish(0, 0.0);
        assert_eq!(lines(schedule.take(2, 0.0)), Some(vec![3]));
        schedule.done.extend(places);
        schedule.give_back(2);
        assert!(schedule.is_over && schedule.waiting.is_empty(), "{:?}", schedule.waiting);
    }

    #[test]
    fn helpers_come_where_the_rest_would_take_long_and_no_more_than_there_are_shares() {
        let mut schedule = schedule("a-na\num-ma\nqi₂-bi₂-ma\nki-ma\na-na\num-ma", 4);
        assert!(schedule.call_helpers(60_000.0).is_empty(), "nobody knows yet how long a passage takes");
        schedule.take(0, 0.0);
        schedule.done.insert((0, 0));
        schedule.finish(0, 0.0);
        assert!(schedule.call_helpers(HELPERS_AFTER_MS / 5.0 - 1.0).is_empty());
        schedule.waiting.pop_front();
        assert_eq!(schedule.call_helpers(HELPERS_AFTER_MS), [1, 2, 3]);
        assert!(schedule.call_helpers(HELPERS_AFTER_MS).is_empty(), "each is called once");
        schedule.give_back(2);
        assert!(!schedule.is_over);
        assert_eq!(
            (schedule.workers(), schedule.call_helpers(HELPERS_AFTER_MS)),
            (3, vec![]),
            "one that could not open the translator"
        );
        let mut short = self::schedule("a-na\num-ma\nqi₂-bi₂-ma", 4);
        short.done.insert((0, 0));
        short.waiting.drain(..2);
        assert_eq!(short.call_helpers(2.0 * HELPERS_AFTER_MS), [1], "one passage is left that nobody has");
    }
}
