//! Requests of the page, sorted by what serves them: the worker has one queue for models and one for training; requests
//! about the corpora and the storage are served at once, outside both queues.
//!
//! Each request documents its events. Each of these is a variant of one kind of answer (`event.rs`), and the code that
//! asks must read them as that kind: a worker whose answer cannot be read is taken for broken.

use super::{
    AblationOrder, BiasOrder, DevicePreference, ModelRef, OwnArchive, Repository, RestorerOrder, ResumeOrder,
    TrainingOrder, TreePart,
};
use super::{Question, attention, translation};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use tuppum_text::{ReadingOptions, SignIndex};

/// Number of a request. The page assigns rising numbers.
pub type RequestId = u32;

/// Request. It ends in exactly one `Done` or `Failed`, which the lists of events below leave out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// Uses a model; one request at a time.
    Model(ModelRequest),
    /// Works on training runs; one request at a time, in parallel with requests that use a model.
    Training(TrainingRequest),
    /// Searches the corpora; served at once, since it needs neither model nor device.
    Corpus(CorpusRequest),
    /// Reads or changes what the browser stores; served at once.
    Storage(StorageRequest),
    /// Cancels the request with this number, which then fails as cancelled.
    Cancel(RequestId),
}

/// Request to the restorer, the translator or the sign tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ModelRequest {
    /// Chooses a device, loads the restorer onto it, and tests both. Must come first. Events: `Progress`*, `Device`.
    OpenRestorer(OpenModel),
    /// Restores a text. Events: `Progress`*, `Answer`* (each complete in itself and better than the one before).
    Restore(Question),
    /// Computes the influence of each sign on an answer. Events: `Progress`*, `Influence`.
    Influence {
        /// Text with the gaps that are filled already.
        question: Question,
        /// Sign number of the gap.
        sign: SignIndex,
        /// Canonical reading whose influences are wanted.
        reading: String,
        /// `true` if the reading begins a word.
        starts_word: bool,
    },
    /// Loads the translator onto a device, beside the restorer. Events: `Progress`*, `Translator`.
    OpenTranslator(OpenModel),
    /// Translates a text. Events: `Progress`*, `Translated`* (several for each passage, each replacing the one before).
    Translate(translation::Question),
    /// Computes an attention map of the translator. Events: `Progress`*, `Attention`.
    Attention(attention::AttentionQuestion),
    /// Sends the points of the translator's bias. Events: `Points`.
    Points,
    /// Learns the points of a part of the sign tree. Needs neither model nor device. Events: `Settling`*.
    Settle(TreePart),
}

/// Request to open a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenModel {
    /// Model to open.
    pub model: ModelRef,
    /// Device to try.
    pub device: DevicePreference,
    /// `true` if the weights may be stored in the browser and read from its storage.
    pub store: bool,
}

/// Request about training runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum TrainingRequest {
    /// Trains a translator. A cancel discards the unfinished step, writes a checkpoint and fails as cancelled. Events:
    /// `Progress`*, `Training`, then in any order `TrainingStep`*, `Validation`*, `Samples`*, `Checkpoint`*,
    /// `Compared`.
    TrainTranslator(Box<TrainingOrder>),
    /// Trains a restorer. Behaves as for a translator, with `RestorersCompared` in place of `Compared` and no samples.
    TrainRestorer(Box<RestorerOrder>),
    /// Continues a run from its newest complete checkpoint. Events: the same as when it started.
    Resume(ResumeOrder),
    /// Releases a run from memory, so that another tab can have it. Steps not yet in a checkpoint are saved first,
    /// unless they are to be discarded; if that fails the run stays in memory. Events: `Progress`*, `Checkpoint`?.
    Release {
        /// Name of the run.
        run: String,
        /// `true` if unsaved steps may be lost.
        discard: bool,
    },
    /// Deletes a run; models stored from it stay. Events: none.
    DeleteRun(String),
    /// Stores the model of a run, from memory or its newest complete checkpoint. Events: `Progress`*, `Stored`.
    StoreModel {
        /// Name of the run.
        run: String,
        /// Name of the model; made plain, and numbered if another model has it.
        model: String,
    },
    /// Stores a copy of a translator with another hyperbolic bias, or with none. Events: `Progress`*, `Stored`.
    StoreCopy(BiasOrder),
    /// Writes the model of a run, from memory or its newest complete checkpoint, to files for the user's device.
    /// Events: `Progress`*, `Files`.
    SaveFiles(String),
    /// Translates the held-out pairs of a finished run with its base and with the trained model, and scores both. The
    /// run must be in memory. Events: `Progress`*, `Scored`.
    Score(String),
    /// Trains in six ways and compares them. A cancel loses the current run. Events: `Progress`*, `Ablation`, then
    /// `AblationStep`*, `AblationRun`* each followed by `AblationFound`.
    Ablate(Box<AblationOrder>),
}

/// Request to the corpora of edited texts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum CorpusRequest {
    /// Loads the corpora; must come before all other requests except `Cover` and `Own`. Restorations then count
    /// attested contexts, including those of the user's own archives. Events: `Progress`*, `Corpus`, `Own`.
    Open(OpenCorpora),
    /// Finds attested readings for a gap. Events: `Attested`.
    Attested {
        /// Text with the gaps that are filled already.
        question: Question,
        /// Sign number of the gap.
        sign: SignIndex,
    },
    /// Finds passages similar to some lines. Events: `Parallels`.
    Parallels {
        /// The transliteration.
        text: String,
        /// Options for reading the transliteration.
        reading: ReadingOptions,
        /// Line numbers, counted from 0.
        lines: Range<usize>,
        /// Maximum number of passages.
        most: usize,
    },
    /// Finds the published translations of the passages nearest to a transliteration. Events: `Remembered`.
    Remembered(String),
    /// Finds the words of a transliteration in the lexicon, and the names among them. Events: `Glossed`.
    Gloss {
        /// The transliteration.
        text: String,
        /// Options for reading the transliteration.
        reading: ReadingOptions,
    },
    /// Finds the probable origin of a text by the most similar edited texts. Events: `Attributed`.
    Attribute {
        /// The transliteration.
        text: String,
        /// Options for reading the transliteration.
        reading: ReadingOptions,
    },
    /// Covers an Old Assyrian passage with clauses of the formulary. Needs no corpora. Events: `Covered`.
    Cover(String),
    /// Works on the user's own archives.
    Own(OwnRequest),
}

/// Request about the user's own archives, which are searched with the corpora once these are open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OwnRequest {
    /// Lists the archives. Events: `Own`.
    List,
    /// Stores an archive, replacing one of the same name. Fails if its table of names cannot be read. Events: `Own`.
    Keep(OwnArchive),
    /// Returns an archive as it was stored. Events: `OwnArchive`.
    Give(String),
    /// Deletes an archive. Events: `Own`.
    Forget(String),
}

/// Request to open corpora.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenCorpora {
    /// Corpora to open; they are shipped with the page.
    pub corpora: ModelRef,
    /// `true` if the corpora may be stored in the browser and read from its storage.
    pub store: bool,
}

/// Request about the browser's storage, and about filling it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum StorageRequest {
    /// Lists the stored models. Events: `Storage`.
    ListModels,
    /// Asks a hub for a repository. Events: `Offer`.
    AskHub(Repository),
    /// Fetches a model, or its missing parts, from a hub and stores it. Events: `Progress`*, `Stored`.
    FetchModel(Repository),
    /// Stores a model from files. They are sent with the message, as a list of `File`s named `files`. Events:
    /// `Progress`*, `Stored`.
    ImportFiles {
        /// Name given by the user; reduced to plain letters, and numbered if another model has it.
        name: String,
    },
    /// Deletes a stored model, complete or not. Events: none.
    DeleteModel(String),
    /// Deletes the stored copy of a shipped model, by the name of its folder. Events: none.
    DeleteShipped(String),
    /// Lists the stored training runs. Events: `Runs`.
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
