//! Start, stop and continuation of the ablation, and the events that it sends. Results are stored after every run, so
//! closing the tab loses only the run under way.

use crate::kit::storage;
use crate::kit::timing::now;
use crate::models::Models;
use crate::restore::state::Workbench;
use crate::train::{Ablation, Session, Training};
use leptos::prelude::*;
use tuppum_protocol::translation::learns::Learns;
use tuppum_protocol::translation::training::{Length, TranslatorTrainingSettings};
use tuppum_protocol::{AblationEvent, AblationOrder, DeviceMemory, FailureKind, KnownRuns, Reply, TrainingRequest};

impl Training {
    /// Returns why no ablation can begin or continue now, as a sentence; `None` if one can.
    pub fn why_no_ablation(self, models: Models) -> Option<String> {
        self.why_not(models).or_else(|| {
            let [trained, held_out] = self.corpus.get().map(|prepared| prepared.split).unwrap_or_default();
            if held_out == 0 {
                Some("Nothing would be set aside to measure on: name the text of every row, at least two texts.".into())
            } else if trained < 2 {
                Some("One pair cannot be divided; at least two are needed to train on.".into())
            } else {
                None
            }
        })
    }

    /// Compares the six ways, and reuses results of the same base, corpus and settings.
    pub fn ablate(self, workbench: Workbench, models: Models) {
        let Some(prepared) = self.corpus.get_untracked() else { return };
        let choices = self.choices.get_untracked();
        let size = models.usage.with_untracked(|usage| choices.size(usage.as_ref()));
        // Planned for the CPU even if a card is chosen: results under one plan cannot be continued under another.
        let mut plan = choices.plan(&prepared.corpus, &prepared.leaks, size, DeviceMemory::PROCESSOR);
        // The ways differ in the bias: each has a new one or none, and trains more than the bias.
        let learns = if plan.settings.learns() == Learns::Bias { Learns::Whole } else { plan.settings.learns() };
        let length = Length::Steps(choices.ablation_steps);
        plan.settings =
            TranslatorTrainingSettings { length, bias: true, attach: None, ..plan.settings }.learning(learns);
        let known = self.ablation.with_untracked(|before| {
            let fingerprint = before.report.as_ref().map(|report| report.fingerprint.clone())?;
            Some(KnownRuns { fingerprint, runs: before.runs.clone() })
        });
        let first = plan.settings.seed;
        let seeds = (0..u64::from(choices.ablation_seeds)).map(|more| first.wrapping_add(more)).collect();
        let order = AblationOrder {
            base: choices.base,
            plan,
            seeds,
            device: workbench.device.preference.get_untracked(),
            known,
        };
        self.failure.set(None);
        self.session.set(Some(Session::default()));
        self.ablating.start(TrainingRequest::Ablate(Box::new(order)), move |event| self.handle_ablation(event));
    }

    /// Asks the engine to stop; the run under way is dropped.
    pub fn stop_ablation(self) {
        self.update_session(|session| session.stopping = true);
        self.ablating.stop();
    }

    /// Removes the ablation's results; they can be brought back until the page is closed.
    pub fn clear_ablation(self) {
        self.set_ablation_aside();
        self.ablation.set(Ablation::default());
        storage::forget(storage::ABLATION);
    }

    /// Swaps the present results with those of the previous ablation.
    pub fn restore_ablation(self) {
        let Some(before) = self.ablation_before.get_untracked() else { return };
        self.ablation_before.set(None);
        self.set_ablation_aside();
        self.ablation.set(before);
        self.store_ablation();
    }

    fn set_ablation_aside(self) {
        let present = self.ablation.get_untracked();
        if !present.runs.is_empty() {
            self.ablation_before.set(Some(present));
        }
    }

    fn store_ablation(self) {
        let outcome = self.ablation.with_untracked(|ablation| storage::store(storage::ABLATION, ablation));
        self.ablation_not_stored.set(outcome.err());
    }

    fn update_session(self, change: impl FnOnce(&mut Session)) {
        self.session.update(|session| {
            if let Some(session) = session {
                change(session);
            }
        });
    }

    fn handle_ablation(self, event: Reply<AblationEvent>) {
        match event {
            // The engine sends known results of the same runs again after this report.
            Reply::Answer(AblationEvent::Ablation(report)) => {
                let fingerprint = |ablation: &Ablation| ablation.report.as_ref().map(|own| own.fingerprint.clone());
                if self.ablation.with_untracked(fingerprint).is_some_and(|before| before != report.fingerprint) {
                    self.set_ablation_aside();
                }
                self.ablation.set(Ablation { report: Some(report), ..Ablation::default() });
            }
            Reply::Answer(AblationEvent::AblationStep(step)) => self.update_session(|session| {
                let (begun, made) = session.since.unwrap_or((now(), 0));
                session.since = Some((begun, made + 1));
                session.at = Some(step);
            }),
            Reply::Answer(AblationEvent::AblationRun(run)) => self.ablation.update(|ablation| ablation.take(run)),
            Reply::Answer(AblationEvent::AblationFound(found)) => {
                self.ablation.update(|ablation| ablation.found = found);
                self.store_ablation();
            }
            Reply::Done => self.session.set(None),
            Reply::Failed(failure) => {
                self.session.set(None);
                if failure.kind != FailureKind::Cancelled {
                    self.failure.set(Some(failure));
                }
            }
            _ => {}
        }
    }
}
