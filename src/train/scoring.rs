//! BLEU and chrF++ on the page: asked for when a run is finished, since translating takes a while.

use super::state::{Run, Training};
use leptos::prelude::*;
use tuppum_protocol::{Event, FailureKind, TrainingRequest};

impl Training {
    /// Has the run on the page translate what was set aside, and scores it beside its base.
    pub fn score(self) {
        let Some(name) = self.run.with_untracked(|run| run.as_ref().map(|run| run.name.clone())) else { return };
        self.failure.set(None);
        self.scoring.start(TrainingRequest::Score(name), move |event| match event {
            Event::Scored(scored) => {
                let is_here = |run: &Run| run.name == scored.run;
                if self.run.with_untracked(|run| run.as_ref().is_some_and(is_here)) {
                    self.scored.set(Some(scored));
                }
            }
            Event::Failed(failure) if failure.kind != FailureKind::Cancelled => self.failure.set(Some(failure)),
            _ => {}
        });
    }
}
