//! The signals of the Train view.

use super::ablation_found::{Ablation, Sitting};
use super::choices::Choices;
use super::earlier::Earlier;
use super::prepared_texts::PreparedTexts;
use crate::engine::job::Job;
use crate::engine::shared::Engine;
use crate::shell::timing::Debounce;
use leptos::prelude::*;
use std::sync::Arc;
use tuppum_protocol::{
    Compared, Curve, DevicePreference, Failure, FailureKind, LongestPair, RestorersCompared, Sample, Scored, StoredRun,
    Task, TrainingReport,
};
use tuppum_text::pair_table::{Columns, Corpus, Table};

/// How a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Asked for; the model is being brought and the first sample translated.
    Starting,
    /// A run whose steps are all made is being brought from storage, to be looked at and scored.
    Opening,
    /// Steps are being made.
    Running,
    /// Asked to pause; a checkpoint is being written.
    Pausing,
    /// It rests, and can go on.
    Paused,
    /// All steps are made.
    Finished,
}

impl Standing {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Opening => "opening",
            Self::Running => "running",
            Self::Pausing => "pausing",
            Self::Paused => "paused",
            Self::Finished => "finished",
        }
    }

    /// How a run that is kept begins to be brought back, of whose `of` steps so many are made.
    pub fn brought_back(made: u32, of: u32) -> Self {
        if of > 0 && made >= of { Self::Opening } else { Self::Starting }
    }

    /// Whether the engine works on it.
    pub fn is_busy(self) -> bool {
        matches!(self, Self::Starting | Self::Opening | Self::Running | Self::Pausing)
    }
}

/// The run on the page.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Its name.
    pub name: String,
    /// What it trains.
    pub task: Task,
    /// How it stands.
    pub standing: Standing,
    /// What the engine told of it.
    pub report: Option<TrainingReport>,
    /// Steps made so far.
    pub step: u32,
    /// How many there will be, once known.
    pub of: u32,
    /// Steps that are kept.
    pub stored: u32,
    /// Whether it could not be kept when it was to be put away.
    pub stuck: bool,
    /// How its device or its engine failed last, if it rests for that.
    pub failed: Option<FailureKind>,
    /// When steps began to be made since the last pause, in the browser's milliseconds, and after how many steps.
    pub since: Option<(f64, u32)>,
}

impl Run {
    /// Whether it rests with steps that only the memory of this page has.
    pub fn is_unsaved(&self) -> bool {
        !self.standing.is_busy() && self.step > self.stored
    }

    /// Whether leaving the page would break it off.
    pub fn is_under_way(&self) -> bool {
        self.standing.is_busy() && self.step > 0
    }
}

/// The signals of the Train view; copied freely, provided as context.
#[derive(Clone, Copy)]
pub struct Training {
    /// The corpus as pasted, dropped or fetched.
    pub text: RwSignal<Arc<str>>,
    /// What the user chose.
    pub choices: RwSignal<Choices>,
    /// The corpus as a table.
    pub table: RwSignal<Option<Arc<Table>>>,
    /// Which column is what, as guessed or chosen.
    pub columns: RwSignal<Columns>,
    /// How many rows are read and of how many, while they are being read.
    pub importing: RwSignal<Option<(usize, usize)>>,
    /// The corpus as pairs, with the numbers of those on either side and of those that leak.
    pub corpus: RwSignal<Option<Arc<Prepared>>>,
    /// Texts for a restorer, as pasted, dropped or fetched.
    pub texts_typed: RwSignal<Arc<str>>,
    /// The same as they were read.
    pub texts: RwSignal<Option<Arc<PreparedTexts>>>,
    /// Why they are not kept for the next visit, if so.
    pub texts_not_stored: RwSignal<Option<String>>,
    /// The corpus that this one took the place of.
    pub corpus_before: RwSignal<Option<Earlier>>,
    /// The texts that these took the place of.
    pub texts_before: RwSignal<Option<Earlier>>,
    /// Why the choices are not kept for the next visit, if so.
    pub choices_not_stored: RwSignal<Option<String>>,
    /// Why a file could not be read.
    pub unread: RwSignal<Option<String>>,
    /// Why the corpus is not kept for the next visit, if so.
    pub corpus_not_stored: RwSignal<Option<String>>,
    /// Seed of the preview.
    pub draw: RwSignal<u64>,
    /// The run on the page.
    pub run: RwSignal<Option<Run>>,
    /// How it has gone.
    pub curve: RwSignal<Curve>,
    /// Translations before and now.
    pub samples: RwSignal<Vec<Sample>>,
    /// The base and the trained model, once the run is finished.
    pub compared: RwSignal<Option<Compared>>,
    /// The same of a restorer.
    pub restorers: RwSignal<Option<RestorersCompared>>,
    /// How well both translate, once that was asked for.
    pub scored: RwSignal<Option<Scored>>,
    /// Whether both are to be scored as soon as the run is open.
    pub to_score: RwSignal<bool>,
    /// The request that scores them.
    pub scoring: Job,
    /// The request that trains; its progress is what the engine does beside making steps.
    pub job: Job,
    /// Runs that the browser keeps.
    pub runs: RwSignal<Option<Vec<StoredRun>>>,
    /// The request that makes a model, or files, of a run.
    pub storing: Job,
    /// What the ablation has found.
    pub ablation: RwSignal<Ablation>,
    /// What the one before it found, which it took the place of.
    pub ablation_before: RwSignal<Option<Ablation>>,
    /// Why it is not kept for the next visit, if so.
    pub ablation_not_stored: RwSignal<Option<String>>,
    /// The sitting of the ablation that is under way.
    pub sitting: RwSignal<Option<Sitting>>,
    /// Its request.
    pub(super) ablating: Job,
    /// What went wrong last.
    pub failure: RwSignal<Option<Failure>>,
    /// Which device the user wants, wherever on the page that is chosen.
    pub(super) device: RwSignal<DevicePreference>,
    /// Bytes of the largest tensor that the browser's graphics device takes; none where there is none, or none is known
    /// yet.
    pub(super) largest_on_card: RwSignal<Option<u64>>,
    /// The engine, which all parts of the page share.
    pub(super) engine: Engine,
    /// Number of the reading of the corpus, by which a late one is told from the present one.
    pub(super) reading: StoredValue<u32>,
    /// Waits until typing of pairs rests.
    pub(super) typing_pairs: Debounce,
    /// Waits until typing of texts rests.
    pub(super) typing_texts: Debounce,
    /// When the curve was drawn last.
    pub(super) drawn: StoredValue<f64>,
    /// Whether what was kept has been looked for.
    pub(super) begun: StoredValue<bool>,
}

/// A corpus with its two sides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Prepared {
    /// Pairs, and rows left out.
    pub corpus: Corpus,
    /// How many pairs train, and how many are set aside.
    pub sides: [usize; 2],
    /// Numbers of pairs that would be set aside though a training pair has their source.
    pub leaks: Vec<usize>,
    /// How many pairs are too long to train with.
    pub too_long: usize,
    /// The longest source and target of those that are not, and do not leak.
    pub longest: LongestPair,
}

impl Training {
    /// Nothing there yet; what is kept is looked for when the view is first shown.
    pub fn new(engine: Engine, device: RwSignal<DevicePreference>) -> Self {
        Self {
            text: RwSignal::new("".into()),
            choices: RwSignal::new(Choices::default()),
            table: RwSignal::new(None),
            columns: RwSignal::new(Columns::default()),
            importing: RwSignal::new(None),
            corpus: RwSignal::new(None),
            texts_typed: RwSignal::new("".into()),
            texts: RwSignal::new(None),
            texts_not_stored: RwSignal::new(None),
            corpus_before: RwSignal::new(None),
            texts_before: RwSignal::new(None),
            choices_not_stored: RwSignal::new(None),
            unread: RwSignal::new(None),
            corpus_not_stored: RwSignal::new(None),
            draw: RwSignal::new(1),
            run: RwSignal::new(None),
            curve: RwSignal::new(Curve::default()),
            samples: RwSignal::new(Vec::new()),
            compared: RwSignal::new(None),
            restorers: RwSignal::new(None),
            scored: RwSignal::new(None),
            to_score: RwSignal::new(false),
            scoring: Job::new(engine),
            job: Job::new(engine),
            runs: RwSignal::new(None),
            storing: Job::new(engine),
            ablation: RwSignal::new(Ablation::default()),
            ablation_before: RwSignal::new(None),
            ablation_not_stored: RwSignal::new(None),
            sitting: RwSignal::new(None),
            ablating: Job::new(engine),
            failure: RwSignal::new(None),
            device,
            largest_on_card: RwSignal::new(None),
            engine,
            reading: StoredValue::new(0),
            typing_pairs: Debounce::new(),
            typing_texts: Debounce::new(),
            drawn: StoredValue::new(0.0),
            begun: StoredValue::new(false),
        }
    }

    /// What the run on the page trains.
    pub fn task(self) -> Task {
        self.run.with(|run| run.as_ref().map(|run| run.task)).unwrap_or_default()
    }

    /// How the run on the page stands.
    pub fn standing(self) -> Option<Standing> {
        self.run.with(|run| run.as_ref().map(|run| run.standing))
    }
}

#[cfg(test)]
mod tests {
    use super::Standing;

    #[test]
    fn a_run_without_steps_left_is_opened_and_not_started() {
        assert_eq!(Standing::brought_back(50, 50), Standing::Opening);
        for (made, of) in [(0, 50), (49, 50), (0, 0)] {
            assert_eq!(Standing::brought_back(made, of), Standing::Starting, "{made} of {of}");
        }
        assert!(Standing::Opening.is_busy(), "no other run may begin meanwhile");
    }
}
