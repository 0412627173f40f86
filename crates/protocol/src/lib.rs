//! Every message between page and worker. Each request carries a number; its events carry the same one, and it always
//! ends in exactly one [`Event::Done`] or [`Event::Failed`]. [`Event`] lists the events;
//! [`Told`] is how whoever asked hears of them.
//!
//! The page starts its worker under its own address as a name: against it the worker resolves the folders of models
//! that come with the page.

mod ablation;
mod device;
mod event;
mod failure;
mod model_ref;
mod models;
mod request;
mod settling;
mod training;

pub use self::ablation::*;
pub use self::device::*;
pub use self::event::*;
pub use self::failure::*;
pub use self::model_ref::*;
pub use self::models::*;
pub use self::request::*;
pub use self::settling::*;
pub use self::training::*;
use serde::{Deserialize, Serialize};
pub use tuppum_tasks::archive::{OwnArchive, OwnPair, OwnReport};
pub use tuppum_tasks::attested::{
    AttestedPlace, AttestedReading, CarriedOver, EditionPlace, ParallelPassage, ParallelPassages, ParallelSign,
    RememberedRun, RememberedTranslation, TranslationPiece, WrittenSign,
};
pub use tuppum_tasks::attested::{Attribution, LikelyOrigin, NearText};
pub use tuppum_tasks::dependencies::{self, ProbedTrees};
pub use tuppum_tasks::formulary::{Cover, CoverPart, CoveredClause, FilledSlot, TextKind};
pub use tuppum_tasks::gloss::{self, Gloss, GlossedLine, GlossedWord, SpellingMatch};
pub use tuppum_tasks::names::{KindProbability, NameEvidence, NameKind, WordName};
pub use tuppum_tasks::restoration::{
    Answer, Boundary, Filled, GapAnswer, GapChoice, Joint, JointReading, LengthAnswer, Period, Proposal, Question,
    Traces, Variant, export,
};
pub use tuppum_tasks::restoration::{texts, training as restoring};
pub use tuppum_tasks::training::OptimiserRule;
pub use tuppum_tasks::training_memory::{
    DeviceMemory, FittingPlan, LongestPair, MOST_MEMORY, ModelSize, TooLarge, TrainingMemory,
};
pub use tuppum_tasks::translation::attention::{self, AttentionAnswer, LearnedPoints};
pub use tuppum_tasks::translation::{self, Translated};

/// Page to worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToEngine {
    /// Number of the request.
    pub id: RequestId,
    /// What is asked.
    pub request: Request,
}

/// Everything that the worker posts. `E` is the event: an [`Event`], or what the page has received in its place and has
/// yet to read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Message<E> {
    /// The worker handles requests from now on.
    Ready,
    /// Something happened with a request.
    Event(FromEngine<E>),
    /// The worker cannot go on, and why: it panicked or lost its device. Its open requests are lost with it.
    Broken(String),
}

/// An event and the request that it belongs to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FromEngine<E> {
    /// Number of the request that this belongs to.
    pub id: RequestId,
    /// What happened.
    pub event: E,
}
