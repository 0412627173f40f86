//! Every message between page and worker. Each request carries a number; its events carry the same number and end in
//! exactly one [`Event::Done`] or [`Event::Failed`]. [`Event`] lists the events; the code that asked receives them as
//! [`Reply`].
//!
//! The page passes its own address to the worker as the worker's name; the worker resolves the folders of shipped
//! models against it.

#![warn(missing_docs)]

mod ablation;
mod device;
mod event;
mod live_tree;
mod model_ref;
mod models;
mod request;
mod training;

pub use self::ablation::*;
pub use self::device::*;
pub use self::event::*;
pub use self::live_tree::*;
pub use self::model_ref::*;
pub use self::models::*;
pub use self::request::*;
pub use self::training::*;
use serde::{Deserialize, Serialize};
pub use tuppum_domain::archive::{OwnArchive, OwnPair, OwnReport};
pub use tuppum_domain::attested::{
    AttestedPlace, AttestedReading, CarriedOver, EditionPlace, ParallelPassage, ParallelPassages, ParallelSign,
    RememberedRun, RememberedTranslation, TranslationPiece, WrittenSign,
};
pub use tuppum_domain::attested::{Attribution, LikelyOrigin, NearText};
pub use tuppum_domain::dependencies::{self, ProbedTrees};
pub use tuppum_domain::formulary::{Cover, CoverPart, CoveredClause, FilledSlot, TextKind};
pub use tuppum_domain::gloss::{self, Gloss, GlossedLine, GlossedWord, SpellingMatch};
pub use tuppum_domain::names::{KindProbability, NameEvidence, NameKind, WordName};
pub use tuppum_domain::restoration::{
    Answer, Boundary, Filled, GapAnswer, GapChoice, Joint, JointReading, LengthAnswer, Period, Proposal, Question,
    Traces, Variant, export,
};
pub use tuppum_domain::restoration::{texts, training as restoring};
pub use tuppum_domain::training::OptimiserRule;
pub use tuppum_domain::training_memory::{
    DeviceMemory, FittingPlan, LongestPair, MOST_MEMORY, ModelSize, TooLarge, TrainingMemory,
};
pub use tuppum_domain::translation::attention::{self, AttentionAnswer, LearnedPoints};
pub use tuppum_domain::translation::{self, Translated};

/// Message from the page to the worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToEngine {
    /// Number of the request.
    pub id: RequestId,
    /// The request itself.
    pub request: Request,
}

/// Message from the worker. `E` is an [`Event`], or what the page has received in its place and has yet to read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Message<E> {
    /// The worker is ready for requests.
    Ready,
    /// Event of a request.
    Event(FromEngine<E>),
    /// The worker cannot continue, with the reason: it panicked or lost its device. Its open requests are lost.
    Broken(String),
}

/// Event with the number of its request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FromEngine<E> {
    /// Number of the request.
    pub id: RequestId,
    /// The event itself.
    pub event: E,
}
