//! What the worker answers.

use super::{
    AblationFound, AblationReport, AblationRun, AblationStep, Answer, AttentionAnswer, AttestedReading, Attribution,
    Compared, Cover, DeviceReport, Failure, GlossedLine, LearnedPoints, Offer, OwnArchive, OwnReport, ParallelPassages,
    RememberedTranslation, RestorersCompared, Sample, Scored, Settling, StorageUsage, StoredModel, StoredRun,
    TrainingReport, Translated, TranslatorReport, translation,
};
use serde::{Deserialize, Serialize};
use tuppum_text::SignIndex;

/// An event of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// Progress of the job.
    Progress(Progress),
    /// The device in use and why.
    Device(DeviceReport),
    /// What the restorer has found so far; replaces the answer before it.
    Answer(Answer),
    /// The translator is ready, and where it computes.
    Translator(TranslatorReport),
    /// A passage as far as it is translated.
    Translated {
        /// How many passages were finished before.
        number: usize,
        /// How many passages the text has.
        total: usize,
        /// Translation of the passage so far.
        translated: Translated,
    },
    /// The corpora are open.
    Corpus(CorpusReport),
    /// What stands elsewhere in the place of a gap, the likeliest first.
    Attested(Vec<AttestedReading>),
    /// Passages that are like the lines asked about.
    Parallels(ParallelPassages),
    /// Published translations of the nearest passages.
    Remembered(RememberedTranslation),
    /// The words of a text with their glosses.
    Glossed(Vec<GlossedLine>),
    /// Where a text may be from.
    Attributed(Attribution),
    /// A passage covered by clauses of the formulary.
    Covered(Cover),
    /// The archives of the user's own.
    Own(OwnArchives),
    /// One of them as it was put by; none where there is none of that name.
    OwnArchive(Option<OwnArchive>),
    /// What the browser stores.
    Storage(StorageUsage),
    /// Models that a hub offers.
    Offer(Offer),
    /// A model is whole and stored.
    Stored(StoredModel),
    /// How much each sign of the document moved the answer, by gradient x input; 1 is the strongest.
    Influence(Vec<(SignIndex, f32)>),
    /// The job is finished.
    Done,
    /// The job stopped.
    Failed(Failure),
    /// A map of attention.
    Attention(AttentionAnswer),
    /// The points of the translator's bias as they are now.
    Points(LearnedPoints),
    /// A run begins or goes on.
    Training(Box<TrainingReport>),
    /// A step was made.
    TrainingStep(translation::training::Step),
    /// What was set aside was measured with.
    Validation(translation::training::Validation),
    /// Translations before and now.
    Samples(Vec<Sample>),
    /// How the base and the trained model compare, after the last step.
    Compared(Compared),
    /// A checkpoint was written after this many steps.
    Checkpoint(u32),
    /// The stored runs.
    Runs(Vec<StoredRun>),
    /// Names of files and where they lie, for a while: addresses in the memory of this browser.
    Files(Vec<(String, String)>),
    /// How the base and the trained restorer compare, after the last step.
    RestorersCompared(RestorersCompared),
    /// How well the base and the trained model translate.
    Scored(Scored),
    /// An ablation begins or goes on.
    Ablation(AblationReport),
    /// A step of one of its runs was made.
    AblationStep(AblationStep),
    /// One of its runs is finished.
    AblationRun(AblationRun),
    /// Findings of the ablation so far.
    AblationFound(AblationFound),
    /// Where the points of a part of the sign tree are by now.
    Settling(Settling),
}

/// The archives of the user's own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnArchives {
    /// What each holds, in the order in which they were put by.
    pub archives: Vec<OwnReport>,
    /// Names for those whose file cannot be read any more; they count for nothing, but can be given and forgotten.
    #[serde(default)]
    pub damaged: Vec<String>,
    /// Why some of them are not stored for later visits, if so.
    pub not_stored: Option<String>,
    /// Why they do not stand beside the corpora, if so.
    pub not_indexed: Option<String>,
}

/// What was opened, and whether it will be there on the next visit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorpusReport {
    /// How many texts.
    pub texts: u64,
    /// How many signs they have.
    pub signs: u64,
    /// How many lines with published translations there are beside them.
    pub translations: u64,
    /// How many spellings the lexicon beside them has.
    pub spellings: u64,
    /// Whether a model of names is there.
    pub proposes_names: bool,
    /// Whether they lie in the browser's storage.
    pub stored: bool,
    /// Why not, if not.
    pub storage_note: Option<String>,
}

/// How far a job is. `total` 0 means unknown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// What is being done.
    pub phase: Phase,
    /// Bytes, layers or steps done.
    pub done: u64,
    /// The total of these.
    pub total: u64,
}

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// Searching for a device.
    Device,
    /// Fetching weights over the network; counts bytes.
    Download,
    /// Reading and checking the stored weights; counts bytes.
    Read,
    /// First run, so that the next ones are fast.
    WarmUp,
    /// Comparing with stored golden numbers.
    SelfTest,
    /// Every gap on its own; counts forward passes.
    Singles,
    /// Breaks of unknown length; counts forward passes.
    Lengths,
    /// All gaps together; counts gaps filled.
    Joint,
    /// Computing the saliency of the signs for an answer.
    Influence,
    /// Translating; counts passages.
    Translate,
    /// Computing the translator's attention.
    Attention,
    /// Training; counts steps.
    Train,
    /// Measuring with what was set aside.
    Validate,
    /// Writing translations to compare.
    Samples,
    /// Writing a checkpoint; counts bytes.
    Checkpoint,
}
