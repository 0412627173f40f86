//! State of the page “Train”.

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
use tuppum_text::corpus::{Columns, Corpus, Table};

/// State of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The engine loads the model and translates the first samples.
    Starting,
    /// The engine loads a run whose steps are all done, to show and score it.
    Opening,
    /// The engine makes steps.
    Running,
    /// The user asked for a pause; the engine writes a checkpoint.
    Pausing,
    /// The run stopped before its last step and can be resumed.
    Paused,
    /// All steps are done.
    Finished,
}

impl Standing {
    /// Returns the word that the page shows.
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

    /// Returns the first state of a stored run that is loaded again, with `made` of its `of` steps done.
    pub fn brought_back(made: u32, of: u32) -> Self {
        if of > 0 && made >= of { Self::Opening } else { Self::Starting }
    }

    /// Returns `true` if the engine works on the run.
    pub fn is_busy(self) -> bool {
        matches!(self, Self::Starting | Self::Opening | Self::Running | Self::Pausing)
    }
}

/// The run that the page shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    pub name: String,
    /// Kind of model that the run trains.
    pub task: Task,
    pub standing: Standing,
    /// Latest report of the engine on the run.
    pub report: Option<TrainingReport>,
    /// Number of steps done.
    pub step: u32,
    /// Number of steps in all; 0 until the engine reports it.
    pub of: u32,
    /// Number of steps in the stored checkpoint.
    pub stored: u32,
    /// `true` if closing the run failed because it could not be stored.
    pub stuck: bool,
    /// Kind of the last failure, if the run stopped for one.
    pub failed: Option<FailureKind>,
    /// Time of the first step since the last pause, in milliseconds of the browser's clock, and the number of steps
    /// done then.
    pub since: Option<(f64, u32)>,
}

impl Run {
    /// Returns `true` if the run is paused or finished with steps that exist only in this page's memory.
    pub fn is_unsaved(&self) -> bool {
        !self.standing.is_busy() && self.step > self.stored
    }

    /// Returns `true` if leaving the page now would interrupt the run.
    pub fn is_under_way(&self) -> bool {
        self.standing.is_busy() && self.step > 0
    }
}

/// State of the page “Train”: signals that are copied freely, provided as a context.
#[derive(Clone, Copy)]
pub struct Training {
    /// Corpus of pairs, as pasted, dropped or fetched.
    pub text: RwSignal<Arc<str>>,
    /// The user's settings.
    pub choices: RwSignal<Choices>,
    /// Corpus of pairs, divided into cells.
    pub table: RwSignal<Option<Arc<Table>>>,
    /// Columns of source, target, text and weight, as guessed or chosen.
    pub columns: RwSignal<Columns>,
    /// Number of rows read and of all rows, while the corpus is being read.
    pub importing: RwSignal<Option<(usize, usize)>>,
    /// Pairs read from the corpus, with their division into training and held-out pairs.
    pub corpus: RwSignal<Option<Arc<Prepared>>>,
    /// Texts for a restorer, as pasted, dropped or fetched.
    pub texts_typed: RwSignal<Arc<str>>,
    /// Texts for a restorer, read and counted.
    pub texts: RwSignal<Option<Arc<PreparedTexts>>>,
    /// Reason why the browser did not store the texts, if it did not.
    pub texts_not_stored: RwSignal<Option<String>>,
    /// Corpus that the present one replaced.
    pub corpus_before: RwSignal<Option<Earlier>>,
    /// Texts that the present ones replaced.
    pub texts_before: RwSignal<Option<Earlier>>,
    /// Reason why the browser did not store the settings, if it did not.
    pub choices_not_stored: RwSignal<Option<String>>,
    /// Reason why a file or sample could not be read.
    pub unread: RwSignal<Option<String>>,
    /// Reason why the browser did not store the corpus, if it did not.
    pub corpus_not_stored: RwSignal<Option<String>>,
    /// Seed of the preview of augmented lines.
    pub draw: RwSignal<u64>,
    pub run: RwSignal<Option<Run>>,
    /// Losses of the run so far.
    pub curve: RwSignal<Curve>,
    /// Sample translations before training and now.
    pub samples: RwSignal<Vec<Sample>>,
    /// Comparison of the trained translator with its base, once the run is finished.
    pub compared: RwSignal<Option<Compared>>,
    /// Comparison of the trained restorer with its base, once the run is finished.
    pub restorers: RwSignal<Option<RestorersCompared>>,
    /// BLEU and chrF++ of the trained translator and its base, once computed.
    pub scored: RwSignal<Option<Scored>>,
    /// `true` if the scores are to be computed as soon as the run is loaded.
    pub to_score: RwSignal<bool>,
    /// The scoring request.
    pub scoring: Job,
    /// The training request; its progress shows what the engine does between steps.
    pub job: Job,
    /// Runs stored in this browser.
    pub runs: RwSignal<Option<Vec<StoredRun>>>,
    /// The request that stores a run as a model or saves its files.
    pub storing: Job,
    /// Results of the ablation.
    pub ablation: RwSignal<Ablation>,
    /// Results of the previous ablation, which the present one replaced.
    pub ablation_before: RwSignal<Option<Ablation>>,
    /// Reason why the browser did not store the ablation's results, if it did not.
    pub ablation_not_stored: RwSignal<Option<String>>,
    /// Session of the ablation that is under way.
    pub sitting: RwSignal<Option<Sitting>>,
    /// The ablation request.
    pub(super) ablating: Job,
    /// Last failure.
    pub failure: RwSignal<Option<Failure>>,
    /// Device that the user chose anywhere on the page.
    pub(super) device: RwSignal<DevicePreference>,
    /// Bytes of the largest tensor that the browser's graphics device accepts; `None` without such a device, or until
    /// the browser has answered.
    pub(super) largest_on_card: RwSignal<Option<u64>>,
    /// The engine, shared by all parts of the page.
    pub(super) engine: Engine,
    /// Number of the latest reading of the corpus; an older reading that is still going on stops when it sees another
    /// number.
    pub(super) reading: StoredValue<u32>,
    /// Delay until the user stops typing pairs.
    pub(super) typing_pairs: Debounce,
    /// Delay until the user stops typing texts.
    pub(super) typing_texts: Debounce,
    /// Time of the last drawing of the curve, in milliseconds of the browser's clock.
    pub(super) drawn: StoredValue<f64>,
    /// `true` once the stored settings, corpus and texts have been loaded.
    pub(super) begun: StoredValue<bool>,
}

/// A corpus divided into training and held-out pairs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Prepared {
    /// Pairs, and rows left out.
    pub corpus: Corpus,
    /// Numbers of training pairs and of held-out pairs.
    pub sides: [usize; 2],
    /// Indices of pairs that are left out because a training pair has the same source; they would have been held out.
    pub leaks: Vec<usize>,
    /// Number of pairs that are too long to train on.
    pub too_long: usize,
    /// Lengths of the longest source and target among the pairs that are used.
    pub longest: LongestPair,
}

impl Training {
    /// Returns the empty state; the page loads what is stored when it is first shown.
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

    /// Returns the kind of model that the present run trains.
    pub fn task(self) -> Task {
        self.run.with(|run| run.as_ref().map(|run| run.task)).unwrap_or_default()
    }

    /// Returns the state of the present run.
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
