//! Restoring: the restorer, the request that runs, and the answer on the page.

use crate::engine::Engine;
use crate::engine::job::Job;
use crate::engine::model::Model;
use crate::restore::state::work::Mapping;
use leptos::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;
use tuppum_protocol::{Answer, Failure, GapAnswer, Question, Task};
use tuppum_text::SignIndex;

/// Origin of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerSource {
    /// Computed in advance with the shipped model and delivered with the page.
    Stored,
    /// Computed by the engine.
    Engine,
}

/// The answer on the page.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownAnswer {
    /// Question that was answered.
    pub question: Question,
    pub answer: Arc<Answer>,
    pub origin: AnswerSource,
    /// `true` if the engine has finished the answer.
    pub complete: bool,
}

/// Influence of each sign on a proposal.
#[derive(Clone, Debug, PartialEq)]
pub struct Influence {
    /// Gap of the proposal.
    pub sign: SignIndex,
    /// Reading of the proposal, as written.
    pub written: String,
    /// Weight of each sign; the strongest has 1.
    pub weights: HashMap<SignIndex, f32>,
}

/// Signals of restoring; cheap to copy, a part of the workbench.
#[derive(Clone, Copy)]
pub struct Restoring {
    /// The restorer in the engine.
    pub restorer: Model,
    /// The running request to the restorer.
    pub job: Job,
    /// The answer on the page.
    pub shown: RwSignal<Option<ShownAnswer>>,
    /// The last proposals for gaps that have been filled since.
    pub earlier: RwSignal<HashMap<SignIndex, GapAnswer>>,
    /// Influence of the signs on a proposal, while it is shown.
    pub influence: RwSignal<Option<Influence>>,
    /// The failure on the page.
    pub failure: RwSignal<Option<Failure>>,
    /// Gaps of the last request; `None` if it was about all.
    pub only: RwSignal<Option<Vec<SignIndex>>>,
    /// `true` while a restoration waits for the restorer.
    pub queued: RwSignal<bool>,
    /// `true` if proposals are listed by sign.
    pub by_sign: RwSignal<bool>,
    /// Latest complete answers.
    pub(super) answers: StoredValue<Vec<(Question, Arc<Answer>, AnswerSource)>>,
}

impl Restoring {
    /// Creates the state with a closed restorer and no answer.
    pub fn new(engine: Engine) -> Self {
        Self {
            restorer: Model::new(engine, Task::Restoration),
            job: Job::new(engine),
            shown: RwSignal::new(None),
            earlier: RwSignal::new(HashMap::new()),
            influence: RwSignal::new(None),
            failure: RwSignal::new(None),
            only: RwSignal::new(None),
            queued: RwSignal::new(false),
            by_sign: RwSignal::new(false),
            answers: StoredValue::new(Vec::new()),
        }
    }

    /// Moves the answer to an edited text.
    pub(super) fn carry(self, mapping: &Mapping) {
        self.only.update(|only| {
            if let Some(only) = only {
                *only = only.iter().filter_map(|sign| mapping.place(*sign)).collect();
            }
        });
        self.earlier.update(|earlier| {
            let moved = earlier.drain().filter_map(|(sign, gap)| mapping.place(sign).map(|place| (place, gap)));
            *earlier = moved.collect();
        });
        self.shown.update(|shown| {
            let Some(shown) = shown else { return };
            let answer = Arc::make_mut(&mut shown.answer);
            answer.joint.clear();
            answer.gaps.retain_mut(|gap| match mapping.place(gap.sign) {
                Some(place) => {
                    gap.sign = place;
                    gap.lengths.iter_mut().flat_map(|length| &mut length.readings).for_each(|r| r.sign = place);
                    true
                }
                None => false,
            });
        });
    }

    /// Drops the answer on the page: it is about another text.
    pub(super) fn clear(self) {
        self.shown.set(None);
        self.only.set(None);
        self.influence.set(None);
        self.earlier.update(HashMap::clear);
    }

    /// Returns the proposals for a gap: from the answer on the page, or from before the gap was filled.
    pub fn gap_answer(self, sign: SignIndex) -> Option<GapAnswer> {
        let of = |shown: &ShownAnswer| shown.answer.gaps.iter().find(|gap| gap.sign == sign).cloned();
        self.shown
            .with(|shown| shown.as_ref().and_then(of))
            .or_else(|| self.earlier.with(|earlier| earlier.get(&sign).cloned()))
    }
}
