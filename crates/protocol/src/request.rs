//! What the page asks, sorted by what serves it: the worker has a queue for models and one for training, and serves
//! what concerns the corpora and the storage at once beside both.
//!
//! Each request names the events that it brings. Each of these is a variant of one kind of answers (`event.rs`), and
//! whoever asks must read them as that kind: a worker whose answer cannot be read is taken for broken.

use super::{
    AblationOrder, BiasOrder, DevicePreference, ModelRef, OwnArchive, Repository, RestorerOrder, ResumeOrder,
    TrainingOrder, TreePart,
};
use super::{Question, attention, translation};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use tuppum_text::{ReadingOptions, SignIndex};

/// Number of a request, given by the page, rising.
pub type RequestId = u32;

/// A request. It ends in exactly one `Done` or `Failed`, which its events below leave out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// Uses a model; one at a time.
    Model(ModelRequest),
    /// Works on runs of training; one at a time, beside those that use a model.
    Training(TrainingRequest),
    /// Looks something up in the corpora; served at once, since it needs neither model nor device.
    Corpus(CorpusRequest),
    /// Reads or changes what the browser stores; served at once.
    Storage(StorageRequest),
    /// Stops the request with this number; that request then fails as cancelled.
    Cancel(RequestId),
}

/// What is asked of the restorer, the translator or the sign tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ModelRequest {
    /// Chooses a device, brings the weights of the restorer, and tests both. Comes first. Events: `Progress`*,
    /// `Device`.
    OpenRestorer(OpenModel),
    /// Restores. Events: `Progress`*, `Answer`* (each complete in itself, refining).
    Restore(Question),
    /// Finds which signs an answer leaned on. Events: `Progress`*, `Influence`.
    Influence {
        /// The text and what is filled.
        question: Question,
        /// Which gap.
        sign: SignIndex,
        /// The canonical reading asked about.
        reading: String,
        /// Whether it begins a word.
        starts_word: bool,
    },
    /// Brings the translator and a device together, beside the restorer. Events: `Progress`*, `Translator`.
    OpenTranslator(OpenModel),
    /// Translates. Events: `Progress`*, `Translated`* (each passage often, replacing what was said of it before).
    Translate(translation::Question),
    /// Maps the translator's attention. Events: `Progress`*, `Attention`.
    Attention(attention::AttentionQuestion),
    /// Sends the points of the translator's bias. Events: `Points`.
    Points,
    /// Learns a part of the sign tree. Needs neither model nor device. Events: `Settling`*.
    Settle(TreePart),
}

/// A model to open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenModel {
    /// Which one.
    pub model: ModelRef,
    /// Which device to try.
    pub device: DevicePreference,
    /// Whether to store the weights in the browser, and to read those stored there.
    pub store: bool,
}

/// What is asked about runs of training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum TrainingRequest {
    /// Trains a translator. A cancel lets the unfinished step go, writes a checkpoint and fails as cancelled. Events:
    /// `Progress`*, `Training`, then in any order `TrainingStep`*, `Validation`*, `Samples`*, `Checkpoint`*,
    /// `Compared`.
    TrainTranslator(Box<TrainingOrder>),
    /// Trains a restorer: otherwise as a translator, with `RestorersCompared` in place of `Compared` and no samples.
    TrainRestorer(Box<RestorerOrder>),
    /// Goes on with a run from its newest whole checkpoint. Events as when it began.
    Resume(ResumeOrder),
    /// Lets a run go from memory, so that another tab can have it. One with steps that no checkpoint has gets one
    /// first, unless they are to be discarded; if that fails the run stays in memory. Events: `Progress`*,
    /// `Checkpoint`?.
    Release {
        /// Name of the run.
        run: String,
        /// Whether steps may be lost.
        discard: bool,
    },
    /// Deletes a run; models that were made of it stay. Events: none.
    DeleteRun(String),
    /// Stores the model that a run, or its newest whole checkpoint, has. Events: `Progress`*, `Stored`.
    StoreModel {
        /// Name of the run.
        run: String,
        /// Name of the model; made plain, and numbered if another model has it.
        model: String,
    },
    /// Stores a copy of a translator with another hyperbolic bias, or with none. Events: `Progress`*, `Stored`.
    StoreCopy(BiasOrder),
    /// Makes files for the user's device of the model that a run, or its newest whole checkpoint, has. Events:
    /// `Progress`*, `Files`.
    SaveFiles(String),
    /// Translates the pairs that a finished run set aside, with its base and with the trained model, and scores both.
    /// The run must be in memory. Events: `Progress`*, `Scored`.
    Score(String),
    /// Trains in six ways and compares them. A cancel costs the run that is under way. Events: `Progress`*, `Ablation`,
    /// then `AblationStep`*, `AblationRun`* each followed by `AblationFound`.
    Ablate(Box<AblationOrder>),
}

/// What is asked of the corpora of edited texts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum CorpusRequest {
    /// Brings the corpora; comes before all others but `Cover` and `Own`. Restorations count attested contexts from
    /// then on, and those of the user's own archives. Events: `Progress`*, `Corpus`, `Own`.
    Open(OpenCorpora),
    /// Finds what stands elsewhere in the place of a gap. Events: `Attested`.
    Attested {
        /// The text and what is filled.
        question: Question,
        /// Which gap.
        sign: SignIndex,
    },
    /// Finds passages that are like some lines. Events: `Parallels`.
    Parallels {
        /// The transliteration.
        text: String,
        /// How it is read where it could be read otherwise.
        reading: ReadingOptions,
        /// Which of its lines, counted from 0.
        lines: Range<usize>,
        /// How many passages at most.
        most: usize,
    },
    /// Finds the published translations of the passages that are nearest to a transliteration. Events: `Remembered`.
    Remembered(String),
    /// Looks the words of a transliteration up in the lexicon, and finds the names among them. Events: `Glossed`.
    Gloss {
        /// The transliteration.
        text: String,
        /// How it is read where it could be read otherwise.
        reading: ReadingOptions,
    },
    /// Finds where a text may be from, by the edited texts that are most like it. Events: `Attributed`.
    Attribute {
        /// The transliteration.
        text: String,
        /// How it is read where it could be read otherwise.
        reading: ReadingOptions,
    },
    /// Covers an Old Assyrian passage by the clauses of the formulary, which needs no corpora. Events: `Covered`.
    Cover(String),
    /// Works on the archives of the user's own.
    Own(OwnRequest),
}

/// What is asked of the archives of the user's own, which stand beside the corpora once these are open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OwnRequest {
    /// Tells what is kept. Events: `Own`.
    List,
    /// Keeps an archive for later visits too, in place of one of the same name; fails where its table of names cannot
    /// be read. Events: `Own`.
    Keep(OwnArchive),
    /// Gives an archive back as it was put by. Events: `OwnArchive`.
    Give(String),
    /// Forgets an archive. Events: `Own`.
    Forget(String),
}

/// Corpora to open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenCorpora {
    /// Which: they come with the page.
    pub corpora: ModelRef,
    /// Whether to store them in the browser, and to read those stored there.
    pub store: bool,
}

/// What is asked about the browser's storage, and what fills it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum StorageRequest {
    /// Lists the stored models. Events: `Storage`.
    ListModels,
    /// Asks what a hub has under this name. Events: `Offer`.
    AskHub(Repository),
    /// Fetches a model from a hub, or what of it is still missing, and stores it. Events: `Progress`*, `Stored`.
    FetchModel(Repository),
    /// Stores a model whose files come beside the message, as a list of `File`s named `files`. Events: `Progress`*,
    /// `Stored`.
    ImportFiles {
        /// The name that the user gave it; made plain, and numbered if another model has it.
        name: String,
    },
    /// Deletes a stored model, or the part of it that is here. Events: none.
    DeleteModel(String),
    /// Deletes the stored copy of what comes with the page, by the name of its folder. Events: none.
    DeleteShipped(String),
    /// Lists the stored runs of training. Events: `Runs`.
    ListRuns,
}

impl From<ModelRequest> for Request {
    fn from(request: ModelRequest) -> Self {
        Self::Model(request)
    }
}

impl From<TrainingRequest> for Request {
    fn from(request: TrainingRequest) -> Self {
        Self::Training(request)
    }
}

impl From<CorpusRequest> for Request {
    fn from(request: CorpusRequest) -> Self {
        Self::Corpus(request)
    }
}

impl From<StorageRequest> for Request {
    fn from(request: StorageRequest) -> Self {
        Self::Storage(request)
    }
}
