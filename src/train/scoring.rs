//! BLEU and chrF++ on the page: asked for when a run is finished, since translating takes a while.

use super::state::{Run, Scoring, Training};
use crate::restore::engine_state::Timed;
use crate::restore::state::Workbench;
use leptos::prelude::*;
use tuppum_protocol::{Event, FailureKind, TrainingRequest};

impl Training {
    /// Has the run on the page translate what was set aside, and scores it beside its base.
    pub fn score(self, workbench: Workbench) {
        let Some(name) = self.run.with_untracked(|run| run.as_ref().map(|run| run.name.clone())) else { return };
        let Some(client) = self.client(workbench) else { return };
        self.trouble.set(None);
        self.scoring.set(Some(Scoring::default()));
        let id = client.send(TrainingRequest::Score(name), move |event| self.hear_of_scoring(event));
        self.scoring.update(|scoring| {
            if let Some(scoring) = scoring {
                scoring.asked = Some(id);
            }
        });
    }

    /// Asks the engine to stop.
    pub fn stop_scoring(self, workbench: Workbench) {
        let asked = self.scoring.with_untracked(|scoring| scoring.as_ref().and_then(|scoring| scoring.asked));
        if let (Some(id), Some(client)) = (asked, self.client(workbench)) {
            client.cancel(id);
        }
    }

    fn hear_of_scoring(self, event: Event) {
        match event {
            Event::Progress(progress) => self.scoring.update(|scoring| {
                if let Some(scoring) = scoring {
                    scoring.progress = Some(Timed::after(scoring.progress.as_ref(), progress));
                }
            }),
            Event::Scored(scored) => {
                let is_here = |run: &Run| run.name == scored.run;
                if self.run.with_untracked(|run| run.as_ref().is_some_and(is_here)) {
                    self.scored.set(Some(scored));
                }
            }
            Event::Done => self.scoring.set(None),
            Event::Failed(failure) => {
                self.scoring.set(None);
                if failure.kind != FailureKind::Cancelled {
                    self.trouble.set(Some(failure));
                }
            }
            _ => {}
        }
    }
}
