//! State of the page “Train”, and its storage in the browser at every change.

use super::ablation::{Ablation, Session};
use super::data::{PreparedPairs, PreparedTexts, ReplacedText};
use super::run::{Run, RunStatus};
use super::settings::Choices;
use crate::engine::Engine;
use crate::engine::job::Job;
use crate::kit::timing::Debounce;
use crate::kit::{format, storage};
use leptos::prelude::*;
use std::sync::Arc;
use tuppum_protocol::{Compared, Curve, DevicePreference, Failure, RestorersCompared, Sample, Scored, StoredRun, Task};
use tuppum_text::pair_table::{Columns, Table};

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
    pub corpus: RwSignal<Option<Arc<PreparedPairs>>>,
    /// Texts for a restorer, as pasted, dropped or fetched.
    pub texts_typed: RwSignal<Arc<str>>,
    /// Texts for a restorer, read and counted.
    pub texts: RwSignal<Option<Arc<PreparedTexts>>>,
    /// Reason why the browser did not store the texts, if it did not.
    pub texts_not_stored: RwSignal<Option<String>>,
    /// Corpus that the present one replaced.
    pub corpus_before: RwSignal<Option<ReplacedText>>,
    /// Texts that the present ones replaced.
    pub texts_before: RwSignal<Option<ReplacedText>>,
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
    pub is_scoring_wanted: RwSignal<bool>,
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
    pub session: RwSignal<Option<Session>>,
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
    pub(super) last_drawn: StoredValue<f64>,
    /// `true` once the stored settings, corpus and texts have been loaded.
    pub(super) is_loaded: StoredValue<bool>,
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
            is_scoring_wanted: RwSignal::new(false),
            scoring: Job::new(engine),
            job: Job::new(engine),
            runs: RwSignal::new(None),
            storing: Job::new(engine),
            ablation: RwSignal::new(Ablation::default()),
            ablation_before: RwSignal::new(None),
            ablation_not_stored: RwSignal::new(None),
            session: RwSignal::new(None),
            ablating: Job::new(engine),
            failure: RwSignal::new(None),
            device,
            largest_on_card: RwSignal::new(None),
            engine,
            reading: StoredValue::new(0),
            typing_pairs: Debounce::new(),
            typing_texts: Debounce::new(),
            last_drawn: StoredValue::new(0.0),
            is_loaded: StoredValue::new(false),
        }
    }

    /// Returns the kind of model that the present run trains.
    pub fn task(self) -> Task {
        self.run.with(|run| run.as_ref().map(|run| run.task)).unwrap_or_default()
    }

    /// Returns the state of the present run.
    pub fn status(self) -> Option<RunStatus> {
        self.run.with(|run| run.as_ref().map(|run| run.status))
    }
}

/// Largest corpus that is stored, in bytes: browsers allow about 5 MB for all that a site stores, and take two bytes
/// for a letter.
const MAX_CORPUS_BYTES: usize = 1_200_000;
/// Largest texts for a restorer that are stored, in bytes.
const MAX_TEXTS_BYTES: usize = 1_000_000;

impl Training {
    /// Changes the settings and stores them.
    pub fn choose(self, change: impl FnOnce(&mut Choices)) {
        self.choices.update(change);
        let outcome = self.choices.with_untracked(|choices| storage::store(storage::TRAINING, choices));
        self.choices_not_stored.set(outcome.err());
    }

    /// Stores the corpus if it is not too large, and notes the reason if it is not stored.
    pub fn store_corpus(self) {
        let corpus = self.text.get_untracked();
        self.corpus_not_stored.set(store_up_to(MAX_CORPUS_BYTES, storage::CORPUS, &corpus, "it has"));
    }

    /// Stores the texts if they are not too large, and notes the reason if they are not stored.
    pub fn store_texts(self) {
        let texts = self.texts_typed.get_untracked();
        self.texts_not_stored.set(store_up_to(MAX_TEXTS_BYTES, storage::TEXTS, &texts, "they have"));
    }
}

/// Stores a text of at most `most` bytes. Otherwise deletes what was stored under `key` and returns the reason.
fn store_up_to(most: usize, key: &str, text: &str, has: &str) -> Option<String> {
    let reason = match text.len() <= most {
        true => storage::store(key, &text).err(),
        false => Some(format!("{has} more than {}", format::bytes(most as u64))),
    };
    if reason.is_some() {
        storage::forget(key);
    }
    reason
}
