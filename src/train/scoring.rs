//! Scoring requests for BLEU and chrF++. They need translations, which take a while, so the user asks for them.

use super::state::{Run, Standing, Training};
use leptos::prelude::*;
use tuppum_protocol::{FailureKind, Told, TrainingEvent, TrainingRequest};

impl Training {
    /// Scores the present run, or does so as soon as it is loaded.
    pub fn score_when_open(self) {
        match self.run.with_untracked(|run| run.as_ref().map(|run| run.standing)) {
            Some(Standing::Opening) => self.to_score.set(true),
            _ => self.score(),
        }
    }

    /// Scores the run that has just been loaded, if the user asked for that meanwhile and pairs were held out.
    pub(super) fn score_if_asked(self) {
        let asked = self.to_score.get_untracked();
        self.to_score.set(false);
        let finished =
            self.run.with_untracked(|run| run.as_ref().is_some_and(|run| run.standing == Standing::Finished));
        if asked && finished && self.compared.with_untracked(Option::is_some) {
            self.score();
        }
    }

    /// Translates the held-out pairs with the trained model and its base, and scores both.
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
