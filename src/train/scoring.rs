//! BLEU and chrF++ on the page: asked for when a run is finished, since translating takes a while.

use super::state::{Run, Standing, Training};
use leptos::prelude::*;
use tuppum_protocol::{FailureKind, Told, TrainingEvent, TrainingRequest};

impl Training {
    /// Scores the run on the page, as soon as it is open if it is still being opened.
    pub fn score_when_open(self) {
        match self.run.with_untracked(|run| run.as_ref().map(|run| run.standing)) {
            Some(Standing::Opening) => self.to_score.set(true),
            _ => self.score(),
        }
    }

    /// Scores the run, which has just been opened, if that was asked meanwhile and something was set aside.
    pub(super) fn score_if_asked(self) {
        let asked = self.to_score.get_untracked();
        self.to_score.set(false);
        let finished =
            self.run.with_untracked(|run| run.as_ref().is_some_and(|run| run.standing == Standing::Finished));
        if asked && finished && self.compared.with_untracked(Option::is_some) {
            self.score();
        }
    }

    /// Has the run on the page translate what was set aside, and scores it beside its base.
    pub fn score(self) {
        let Some(name) = self.run.with_untracked(|run| run.as_ref().map(|run| run.name.clone())) else { return };
        self.failure.set(None);
        self.scoring.start(TrainingRequest::Score(name), move |event| match event {
            Told::Answer(TrainingEvent::Scored(scored)) => {
                let is_here = |run: &Run| run.name == scored.run;
                if self.run.with_untracked(|run| run.as_ref().is_some_and(is_here)) {
                    self.scored.set(Some(scored));
                }
            }
            Told::Failed(failure) if failure.kind != FailureKind::Cancelled => self.failure.set(Some(failure)),
            _ => {}
        });
    }
}
