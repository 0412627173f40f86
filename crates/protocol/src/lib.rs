//! Every message between page and worker. Each request carries a number; its events carry the same one, and it always
//! ends in exactly one [`Event::Done`] or [`Event::Failed`].

mod ablation;
mod models;
mod settling;
mod training;

pub use self::ablation::*;
pub use self::models::*;
pub use self::settling::*;
pub use self::training::*;
use serde::{Deserialize, Serialize};
pub use tuppum_tasks::restoration::{
    Answer, Boundary, Filled, GapAnswer, GapChoice, Joint, JointReading, LengthAnswer, Period, Proposal, Question,
    Traces, Variant, export,
};
pub use tuppum_tasks::restoration::{texts, training as restoring};
pub use tuppum_tasks::translation::looking::{self, LearnedPoints, Looked};
pub use tuppum_tasks::translation::{self, Translated};
use tuppum_text::SignIndex;

/// Number of a request, given by the page, rising.
pub type RequestId = u32;

/// Page to worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToEngine {
    /// Number of the request.
    pub id: RequestId,
    /// What is asked.
    pub request: Request,
}

/// What the page asks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// Choose a device, fetch or open the weights, warm up, test itself. Comes first. Events: `Progress`*, `Device`, `Done`.
    Open {
        /// Folder of the weights, relative to the page (`models/restorer/`).
        model: String,
        /// Which device to try.
        device: DevicePreference,
        /// Whether to keep the weights in the browser's storage, and to read those kept there.
        store: bool,
    },
    /// Restore. Events: `Progress`*, `Answer`* (each complete in itself, refining), `Done`.
    Restore(Question),
    /// Which signs an answer leaned on. Events: `Influence`, `Done`.
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
    /// Bring the translator and a device together, beside the restorer. Events: `Progress`*, `Translator`, `Done`.
    OpenTranslator {
        /// Folder of the weights, relative to the page, or `kept:NAME` for a model that the user brought.
        model: String,
        /// Which device to try.
        device: DevicePreference,
        /// Whether to keep the weights in the browser's storage, and to read those kept there.
        store: bool,
    },
    /// Translate. Events: `Progress`*, `Translated`* (each passage often, replacing what was said of it before), `Done`.
    Translate(translation::Question),
    /// What the browser keeps. Answered beside running jobs, as are the next four. Events: `Shelves`, `Done`.
    ListModels,
    /// What a hub has under this name. Events: `Offer`, `Done`.
    AskHub(Repository),
    /// Fetch a model from a hub, or what of it is still missing, and keep it. Events: `Progress`*, `Kept`, `Done`.
    FetchModel(Repository),
    /// Keep a model whose files come beside the message, as a list of `File`s named `files`. Events: `Progress`*, `Kept`,
    /// `Done`.
    KeepFiles {
        /// The name that the user gave it; made plain, and changed if another model has it.
        name: String,
    },
    /// Delete a kept model, or the part of it that is here. Events: `Done`.
    ForgetModel(String),
    /// Stop the request with this number; that request then fails as cancelled.
    Cancel(RequestId),
    /// What the translator looks at. Events: `Progress`*, `Attention`, `Done`.
    Attention(looking::Question),
    /// The points of the translator's bias. Events: `Points`, `Done`.
    Points,
    /// Train. A cancel lets the unfinished step go, keeps a checkpoint and fails as cancelled. Events: `Progress`*, `Training`,
    /// then in any order `TrainingStep`*, `Validation`*, `Samples`*, `Checkpoint`*, `Compared`, then `Done`.
    Train(Box<TrainingOrder>),
    /// Train a restorer. Otherwise as `Train`, with `RestorersCompared` in place of `Compared` and no samples.
    TrainRestorer(Box<RestorerOrder>),
    /// Go on with a run from its newest whole checkpoint. Events as for `Train`.
    GoOnTraining(TrainingGoOn),
    /// Which runs are kept. Events: `Trainings`, `Done`.
    ListTrainings,
    /// Let a run go from memory, so that another tab can have it. One that is not wholly kept is kept first, unless `unkept`; if that fails
    /// it stays in memory. Events: `Progress`*, `Checkpoint`?, `Done`.
    PutTrainingAway {
        /// Name of the run.
        name: String,
        /// Whether steps may be lost.
        unkept: bool,
    },
    /// Delete a run; what was made a model of it stays. Events: `Done`.
    ForgetTraining(String),
    /// Make a model on the shelf of the newest whole checkpoint of a run. Events: `Progress`*, `Kept`, `Done`.
    KeepTraining {
        /// Name of the run.
        name: String,
        /// Name of the model; made plain, and numbered if another model has it.
        model: String,
    },
    /// Make files for the user's device of the model that a run in memory or its newest whole checkpoint has. Events: `Progress`*, `Files`,
    /// `Done`.
    SaveTraining(String),
    /// Translate what a finished run set aside, by its base and by what it came to, and score both. The run must be in memory. Events:
    /// `Progress`*, `Scored`, `Done`.
    ScoreTraining(String),
    /// Train in six ways and compare them. A cancel costs the run that is under way. Events: `Progress`*, `Ablation`, then
    /// `AblationStep`*, `AblationRun`* each followed by `AblationFound`, then `Done`.
    Ablate(Box<AblationOrder>),
    /// Learn a part of the sign tree. Needs neither model nor device. Events: `Settling`*, `Done`.
    Settle(TreePart),
}

/// Which device the user wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum DevicePreference {
    /// WebGPU if it passes its test, else the CPU.
    #[default]
    Best,
    /// The CPU, without trying.
    Cpu,
    /// WebGPU or fail.
    WebGpu,
}

/// Everything that the worker posts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Message {
    /// The worker hears requests from now on.
    Ready,
    /// Something happened with a request.
    Event(FromEngine),
    /// The worker cannot go on, and why: it panicked or lost its device. Its open requests are lost with it.
    Broken(String),
}

/// An event and the request that it belongs to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FromEngine {
    /// Number of the request that this belongs to.
    pub id: RequestId,
    /// What happened.
    pub event: Event,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// How far the job is.
    Progress(Progress),
    /// The device in use and why.
    Device(DeviceReport),
    /// What the restorer has found so far; replaces the answer before it.
    Answer(Answer),
    /// The translator is ready, and where it computes.
    Translator(TranslatorReport),
    /// A passage as far as it is translated.
    Translated {
        /// Number of the passage.
        number: usize,
        /// How many passages the text has.
        total: usize,
        /// What is there of it.
        translated: Translated,
    },
    /// What the browser keeps.
    Shelves(Shelves),
    /// What a hub has.
    Offer(Offer),
    /// A model is whole and kept.
    Kept(KeptModel),
    /// How much each sign of the document moved the answer, by gradient x input; 1 is the strongest.
    Influence(Vec<(SignIndex, f32)>),
    /// The job is finished.
    Done,
    /// The job stopped.
    Failed(Failure),
    /// A map of attention.
    Attention(Looked),
    /// The points that the translator has learnt.
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
    /// So many steps are kept.
    Checkpoint(u32),
    /// The runs that are kept.
    Trainings(Vec<KeptTraining>),
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
    /// What its runs so far tell.
    AblationFound(AblationFound),
    /// Where the points of a part of the sign tree are by now.
    Settling(Settling),
}

/// How far a job is. `total` 0 means unknown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// What is being done.
    pub phase: Phase,
    /// Bytes, layers or steps done.
    pub done: u64,
    /// Of how many.
    pub total: u64,
}

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// Looking for a device.
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
    /// Which signs the answer leaned on.
    Influence,
    /// Translating; counts passages.
    Translate,
    /// Looking at the translator's attention.
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

/// The device in use and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeviceReport {
    /// What computes.
    pub device: DeviceKind,
    /// Name of the adapter, when the browser tells.
    pub adapter: String,
    /// Why this one, in a sentence for the user.
    pub reason: String,
    /// Largest relative difference from the golden numbers in the self-test.
    pub self_test: f32,
    /// Whether the model brings golden numbers; without them, a GPU is compared with the CPU, and the CPU with nothing.
    #[serde(default)]
    pub golden: bool,
    /// Whether the weights lie in the browser's storage, so that the next visit needs no network.
    pub stored: bool,
    /// Why the weights could not be stored, if so.
    pub storage_note: Option<String>,
    /// Number of parameters of the model.
    pub parameters: u64,
}

/// The translator in use.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TranslatorReport {
    /// What computes.
    pub device: DeviceKind,
    /// Why this one, in a sentence for the user.
    pub reason: String,
    /// Largest relative difference from the golden numbers in the self-test, or from the CPU; none where there was neither.
    pub self_test: Option<f32>,
    /// Whether the weights lie in the browser's storage.
    pub stored: bool,
    /// Why the weights could not be stored, if so.
    pub storage_note: Option<String>,
    /// Number of parameters of the model with its bias.
    pub parameters: u64,
    /// Whether it has a hyperbolic bias.
    pub bias: bool,
    /// Whether it was tested against golden numbers of its own; without them, a GPU is compared with the CPU.
    #[serde(default)]
    pub golden: bool,
    /// Bytes of the engine's own memory after opening, which never shrinks: the most that it held. What a GPU holds is
    /// not counted.
    #[serde(default)]
    pub memory: u64,
}

/// What computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DeviceKind {
    /// A GPU, by WebGPU.
    WebGpu,
    /// The processor, by burn-flex with simd128.
    Cpu,
}

/// Why a job stopped: plain data, worded for the user.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// Which class of failure, each with its own way out on the page.
    pub kind: FailureKind,
    /// One sentence: what happened.
    pub message: String,
    /// Likely causes and what to do, one each.
    pub hints: Vec<String>,
    /// Technical details, folded away on the page.
    pub details: String,
}

/// Classes of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FailureKind {
    /// The user stopped it.
    Cancelled,
    /// The weights could not be fetched.
    Network,
    /// There is no such model where it was looked for.
    Missing,
    /// The weights are truncated, altered or of another model.
    Weights,
    /// The browser refused to store.
    Storage,
    /// No device, too little memory on it, self-test failed where WebGPU was demanded.
    Device,
    /// The device went away or made errors in the middle of a job; the worker is rebuilt.
    DeviceLost,
    /// The question makes no sense: no gaps, a sign number outside the text.
    Question,
    /// The engine itself broke; the worker is rebuilt.
    Internal,
}
