//! Events: everything that the worker answers to a request, the reasons of failures included.

use super::{
    AblationFound, AblationReport, AblationRun, AblationStep, Answer, AttentionAnswer, AttestedReading, Attribution,
    Compared, Cover, DeviceReport, GlossedLine, LearnedPoints, Offer, OwnArchive, OwnReport, ParallelPassages,
    RememberedTranslation, RestorersCompared, Sample, Scored, Settling, StorageUsage, StoredModel, StoredRun,
    TrainingReport, Translated, TranslatorReport, translation,
};
use serde::{Deserialize, Serialize};
use tuppum_text::SignIndex;

/// Event of a job. The page reads progress, the restorer's device and the end itself; other answers are read by the
/// code that asked, as one of the kinds below. So each part of the page contains code only for the kinds that it asks
/// for. Messages are flat: the kind does not show in them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Event {
    /// Progress of the job.
    Progress(Progress),
    /// The restorer is ready: the device in use and why.
    Device(DeviceReport),
    /// The job is finished.
    Done,
    /// The job failed or was cancelled.
    Failed(Failure),
    /// Answers to restoration requests.
    #[serde(untagged)]
    Restoration(RestorationEvent),
    /// Answers to translation requests.
    #[serde(untagged)]
    Translation(TranslationEvent),
    /// Answers about the translator's attention.
    #[serde(untagged)]
    Attention(AttentionEvent),
    /// Answers about the sign tree.
    #[serde(untagged)]
    Tree(TreeEvent),
    /// Answers about opening the corpora and about the user's own archives.
    #[serde(untagged)]
    Corpus(CorpusEvent),
    /// Search results for gaps, lines and texts.
    #[serde(untagged)]
    Finding(FindingEvent),
    /// Search results for passages to translate.
    #[serde(untagged)]
    Passage(PassageEvent),
    /// Search results for words.
    #[serde(untagged)]
    Word(WordEvent),
    /// Answers about the models in the browser's storage.
    #[serde(untagged)]
    Storage(StorageEvent),
    /// Answers to training requests.
    #[serde(untagged)]
    Training(TrainingEvent),
    /// Answers to ablation requests.
    #[serde(untagged)]
    Ablation(AblationEvent),
}

/// Event as the code that asked receives it. Answers of the kind `A` are read separately (`Reply::read`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Reply<A> {
    /// Progress of the job.
    Progress(Progress),
    /// The restorer is ready: the device in use and why.
    Device(DeviceReport),
    /// Answer or partial answer.
    #[serde(skip)]
    Answer(A),
    /// The job is finished.
    Done,
    /// The job failed or was cancelled.
    Failed(Failure),
}

impl<A> Reply<A> {
    /// Returns `true` if no other event follows.
    pub fn is_last(&self) -> bool {
        matches!(self, Self::Done | Self::Failed(_))
    }

    /// Converts the answer, if this is one, and leaves every other event as it is.
    ///
    /// # Errors
    /// The answer cannot be converted.
    pub fn read<B, E>(self, read: impl FnOnce(A) -> Result<B, E>) -> Result<Reply<B>, E> {
        Ok(match self {
            Self::Progress(progress) => Reply::Progress(progress),
            Self::Device(report) => Reply::Device(report),
            Self::Answer(answer) => Reply::Answer(read(answer)?),
            Self::Done => Reply::Done,
            Self::Failed(failure) => Reply::Failed(failure),
        })
    }
}

/// Answers of the restorer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum RestorationEvent {
    /// Restorations found so far; replaces the previous answer.
    Answer(Answer),
    /// Influence of each sign of the document on the answer, by gradient x input; 1 is the strongest.
    Influence(Vec<(SignIndex, f32)>),
}

/// Answers of the translator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum TranslationEvent {
    /// The translator is ready; reports its device.
    Translator(TranslatorReport),
    /// Translation of a passage so far.
    Translated {
        /// Number of passages finished before this one.
        number: usize,
        /// Number of passages of the text.
        total: usize,
        /// Translation of the passage so far.
        translated: Translated,
    },
}

/// Answers about the translator's attention.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum AttentionEvent {
    /// Attention map.
    Attention(AttentionAnswer),
}

/// Answers about the sign tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum TreeEvent {
    /// Current points of the translator's bias.
    Points(LearnedPoints),
    /// Current positions of the points of a part of the sign tree.
    Settling(Settling),
}

/// Answers about the corpora and the user's own archives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum CorpusEvent {
    /// The corpora are open.
    Corpus(CorpusReport),
    /// The user's own archives.
    Own(OwnArchives),
    /// Archive of the user's as it was stored; `None` if there is no archive of that name.
    OwnArchive(Option<OwnArchive>),
}

/// Search results from the corpora for gaps, lines and texts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum FindingEvent {
    /// Attested readings for a gap, the most probable first.
    Attested(Vec<AttestedReading>),
    /// Passages similar to the lines asked about.
    Parallels(ParallelPassages),
    /// Probable origin of a text.
    Attributed(Attribution),
}

/// Search results from corpora and formulary for a passage to translate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum PassageEvent {
    /// Published translations of the nearest passages.
    Remembered(RememberedTranslation),
    /// Clauses of the formulary that cover the passage.
    Covered(Cover),
}

/// Search results from the lexicon.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum WordEvent {
    /// Words of a text with their glosses.
    Glossed(Vec<GlossedLine>),
}

/// Answers about stored models.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum StorageEvent {
    /// Everything that the browser stores for this site.
    Storage(StorageUsage),
    /// Model that a hub offers.
    Offer(Offer),
    /// A model is complete and stored.
    Stored(StoredModel),
}

/// Answers about training runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum TrainingEvent {
    /// A run starts or continues.
    Training(Box<TrainingReport>),
    /// A training step is done.
    TrainingStep(translation::training::Step),
    /// The held-out data was measured.
    Validation(translation::training::Validation),
    /// Sample translations, before training and now.
    Samples(Vec<Sample>),
    /// Comparison of the base and the trained translator, after the last step.
    Compared(Compared),
    /// Comparison of the base and the trained restorer, after the last step.
    RestorersCompared(RestorersCompared),
    /// A checkpoint was written after this many steps.
    Checkpoint(u32),
    /// The stored runs.
    Runs(Vec<StoredRun>),
    /// Names and addresses of files in the memory of this browser, valid until the page releases them.
    Files(Vec<(String, String)>),
    /// Translation scores of the base and the trained model.
    Scored(Scored),
}

/// Answers about an ablation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum AblationEvent {
    /// An ablation starts or continues.
    Ablation(AblationReport),
    /// A training step of a run is done.
    AblationStep(AblationStep),
    /// A run of the ablation is finished.
    AblationRun(AblationRun),
    /// Results of the ablation so far.
    AblationFound(AblationFound),
}

/// Implements `From` each kind of answer for `Event`.
macro_rules! events {
    ($($kind:ident($answer:ty)),* $(,)?) => {
        $(impl From<$answer> for Event {
            fn from(answer: $answer) -> Self {
                Self::$kind(answer)
            }
        })*
    };
}

events! {
    Progress(Progress),
    Device(DeviceReport),
    Restoration(RestorationEvent),
    Translation(TranslationEvent),
    Attention(AttentionEvent),
    Tree(TreeEvent),
    Corpus(CorpusEvent),
    Finding(FindingEvent),
    Passage(PassageEvent),
    Word(WordEvent),
    Storage(StorageEvent),
    Training(TrainingEvent),
    Ablation(AblationEvent),
}

/// The user's own archives.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnArchives {
    /// Summary of each archive, in the order in which they were stored.
    pub archives: Vec<OwnReport>,
    /// Names for archives whose file is damaged; these are ignored, but can be downloaded and deleted.
    #[serde(default)]
    pub damaged: Vec<String>,
    /// Reason why some archives are not stored for later visits, if so.
    pub not_stored: Option<String>,
    /// Reason why the archives are not searched with the corpora, if so.
    pub not_indexed: Option<String>,
}

/// Summary of the opened corpora, and whether they are stored for the next visit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorpusReport {
    /// Number of texts.
    pub texts: u64,
    /// Number of signs of all texts.
    pub signs: u64,
    /// Number of lines with published translations.
    pub translations: u64,
    /// Number of spellings in the lexicon.
    pub spellings: u64,
    /// `true` if there is a name model.
    pub proposes_names: bool,
    /// `true` if the corpora are in the browser's storage.
    pub stored: bool,
    /// Reason why the corpora are not stored, if so.
    pub storage_note: Option<String>,
}

/// Progress of a job. A `total` of 0 means unknown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Phase of a job.
    pub phase: Phase,
    /// Number of bytes, layers or steps done.
    pub done: u64,
    /// Total number of bytes, layers or steps.
    pub total: u64,
}

/// Phase of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// Searching for a device.
    Device,
    /// Fetching weights over the network; counts bytes.
    Download,
    /// Reading and checking the stored weights; counts bytes.
    Read,
    /// First run, which makes later runs fast.
    WarmUp,
    /// Comparing with stored golden numbers.
    SelfTest,
    /// Restoring each gap separately; counts forward passes.
    Singles,
    /// Restoring breaks of unknown length; counts forward passes.
    Lengths,
    /// Restoring all gaps together; counts gaps filled.
    Joint,
    /// Computing the saliency of the signs for an answer.
    Influence,
    /// Translating; counts passages.
    Translate,
    /// Computing the translator's attention.
    Attention,
    /// Training; counts steps.
    Train,
    /// Measuring on held-out data.
    Validate,
    /// Writing translations to compare.
    Samples,
    /// Writing a checkpoint; counts bytes.
    Checkpoint,
}

/// Reason why a job failed: plain data, worded for the user.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// Class of the failure; the page offers a different remedy for each.
    pub kind: FailureKind,
    /// One sentence: what happened.
    pub message: String,
    /// Likely causes and remedies, one sentence each.
    pub hints: Vec<String>,
    /// Technical details, folded away on the page.
    pub details: String,
}

/// Classes of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FailureKind {
    /// The user stopped the job.
    Cancelled,
    /// The weights could not be fetched.
    Network,
    /// The model was not found.
    Missing,
    /// The weights are truncated, altered or of another model.
    Weights,
    /// The browser refused to store.
    Storage,
    /// No usable device: none found, too little memory, or the self-test failed where WebGPU was demanded.
    Device,
    /// The device was lost or made errors during a job; the worker is restarted.
    DeviceLost,
    /// The question makes no sense: no gaps, a sign number outside the text.
    Question,
    /// A message between page and engine could not be sent; both continue.
    Unposted,
    /// The engine itself crashed; the worker is restarted.
    Internal,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn flat(answer: impl Into<Event> + Serialize + Clone) -> Value {
        let alone = serde_json::to_value(&answer).unwrap();
        assert_eq!(serde_json::to_value(answer.into()).unwrap(), alone);
        alone
    }

    #[test]
    fn the_kind_of_an_answer_does_not_show_in_its_message() {
        assert_eq!(flat(RestorationEvent::Influence(vec![(7, 1.0)])), json!({ "Influence": [[7, 1.0]] }));
        let translated = Translated::beginning(&translation::Passage::default());
        let told = flat(TranslationEvent::Translated { number: 2, total: 3, translated });
        assert_eq!(told["Translated"]["number"], 2);
        assert!(flat(AttentionEvent::Attention(AttentionAnswer::default()))["Attention"].is_object());
        assert!(flat(TreeEvent::Points(LearnedPoints::default()))["Points"].is_object());
        assert_eq!(flat(CorpusEvent::OwnArchive(None)), json!({ "OwnArchive": null }));
        assert_eq!(flat(FindingEvent::Attested(vec![])), json!({ "Attested": [] }));
        assert!(flat(PassageEvent::Covered(Cover::default()))["Covered"].is_object());
        assert_eq!(flat(WordEvent::Glossed(vec![])), json!({ "Glossed": [] }));
        assert!(flat(StorageEvent::Storage(StorageUsage::default()))["Storage"].is_object());
        assert_eq!(flat(TrainingEvent::Checkpoint(300)), json!({ "Checkpoint": 300 }));
        assert!(flat(AblationEvent::AblationFound(AblationFound::default()))["AblationFound"].is_object());
    }

    #[test]
    fn what_is_told_besides_answers_is_read_by_itself() {
        let progress = Progress { phase: Phase::Read, done: 1, total: 2 };
        let same = [(Event::from(progress.clone()), Reply::Progress(progress)), (Event::Done, Reply::Done)];
        for (event, told) in same {
            let read = serde_json::from_value::<Reply<()>>(serde_json::to_value(event).unwrap()).unwrap();
            assert_eq!(read, told);
        }
        assert!(serde_json::from_value::<Reply<()>>(json!({ "Checkpoint": 300 })).is_err());
    }
}
