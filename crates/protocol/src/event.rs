//! What the worker answers.

use super::{
    AblationFound, AblationReport, AblationRun, AblationStep, Answer, AttentionAnswer, AttestedReading, Attribution,
    Compared, Cover, DeviceReport, Failure, GlossedLine, LearnedPoints, Offer, OwnArchive, OwnReport, ParallelPassages,
    RememberedTranslation, RestorersCompared, Sample, Scored, Settling, StorageUsage, StoredModel, StoredRun,
    TrainingReport, Translated, TranslatorReport, translation,
};
use serde::{Deserialize, Serialize};
use tuppum_text::SignIndex;

/// An event of a job. The page reads progress, the restorer's device and the end at once, and answers where they were
/// asked for, as one of the kinds below: so each part of it carries code only for the kinds that it asks for. The kinds
/// do not show in a message, which is flat.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Event {
    /// Progress of the job.
    Progress(Progress),
    /// The restorer is ready: the device in use and why.
    Device(DeviceReport),
    /// The job is finished.
    Done,
    /// The job stopped.
    Failed(Failure),
    /// Of restoring.
    #[serde(untagged)]
    Restoration(RestorationEvent),
    /// Of translating.
    #[serde(untagged)]
    Translation(TranslationEvent),
    /// Of the translator's attention.
    #[serde(untagged)]
    Attention(AttentionEvent),
    /// Of the sign tree.
    #[serde(untagged)]
    Tree(TreeEvent),
    /// Of opening the corpora, and of the archives of the user's own.
    #[serde(untagged)]
    Corpus(CorpusEvent),
    /// Of looking up gaps, lines and texts.
    #[serde(untagged)]
    Finding(FindingEvent),
    /// Of looking up what is translated.
    #[serde(untagged)]
    Passage(PassageEvent),
    /// Of looking up words.
    #[serde(untagged)]
    Word(WordEvent),
    /// Of the models in the browser's storage.
    #[serde(untagged)]
    Storage(StorageEvent),
    /// Of training.
    #[serde(untagged)]
    Training(TrainingEvent),
    /// Of ablations.
    #[serde(untagged)]
    Ablation(AblationEvent),
}

/// An event as it is told to whoever asked, with answers of the kind `A`, which are read apart from the others
/// (`Told::read`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Told<A> {
    /// Progress of the job.
    Progress(Progress),
    /// The restorer is ready: the device in use and why.
    Device(DeviceReport),
    /// An answer, or a part of it.
    #[serde(skip)]
    Answer(A),
    /// The job is finished.
    Done,
    /// The job stopped.
    Failed(Failure),
}

impl<A> Told<A> {
    /// Whether no other event follows.
    pub fn is_last(&self) -> bool {
        matches!(self, Self::Done | Self::Failed(_))
    }

    /// With the answer read as something else, if there is one.
    ///
    /// # Errors
    /// It cannot be read so.
    pub fn read<B, E>(self, read: impl FnOnce(A) -> Result<B, E>) -> Result<Told<B>, E> {
        Ok(match self {
            Self::Progress(progress) => Told::Progress(progress),
            Self::Device(report) => Told::Device(report),
            Self::Answer(answer) => Told::Answer(read(answer)?),
            Self::Done => Told::Done,
            Self::Failed(failure) => Told::Failed(failure),
        })
    }
}

/// What a restorer answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum RestorationEvent {
    /// What it has found so far; replaces the answer before it.
    Answer(Answer),
    /// How much each sign of the document moved the answer, by gradient x input; 1 is the strongest.
    Influence(Vec<(SignIndex, f32)>),
}

/// What a translator answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum TranslationEvent {
    /// It is ready, and where it computes.
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
}

/// What is answered about a translator's attention.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum AttentionEvent {
    /// A map of attention.
    Attention(AttentionAnswer),
}

/// What is answered about the sign tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum TreeEvent {
    /// The points of the translator's bias as they are now.
    Points(LearnedPoints),
    /// Where the points of a part of the sign tree are by now.
    Settling(Settling),
}

/// What is answered about the corpora and the archives beside them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum CorpusEvent {
    /// The corpora are open.
    Corpus(CorpusReport),
    /// The archives of the user's own.
    Own(OwnArchives),
    /// One of them as it was put by; none where there is none of that name.
    OwnArchive(Option<OwnArchive>),
}

/// What the corpora have for gaps, lines and texts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum FindingEvent {
    /// What stands elsewhere in the place of a gap, the likeliest first.
    Attested(Vec<AttestedReading>),
    /// Passages that are like the lines asked about.
    Parallels(ParallelPassages),
    /// Where a text may be from.
    Attributed(Attribution),
}

/// What corpora and formulary have for a passage that is translated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum PassageEvent {
    /// Published translations of the nearest passages.
    Remembered(RememberedTranslation),
    /// The passage covered by clauses of the formulary.
    Covered(Cover),
}

/// What the lexicon has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum WordEvent {
    /// The words of a text with their glosses.
    Glossed(Vec<GlossedLine>),
}

/// What is answered about stored models.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum StorageEvent {
    /// What the browser stores.
    Storage(StorageUsage),
    /// Models that a hub offers.
    Offer(Offer),
    /// A model is whole and stored.
    Stored(StoredModel),
}

/// What is answered about runs of training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum TrainingEvent {
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
    /// How the base and the trained restorer compare, after the last step.
    RestorersCompared(RestorersCompared),
    /// A checkpoint was written after this many steps.
    Checkpoint(u32),
    /// The stored runs.
    Runs(Vec<StoredRun>),
    /// Names of files and where they lie, for a while: addresses in the memory of this browser.
    Files(Vec<(String, String)>),
    /// How well the base and the trained model translate.
    Scored(Scored),
}

/// What an ablation answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum AblationEvent {
    /// An ablation begins or goes on.
    Ablation(AblationReport),
    /// A step of one of its runs was made.
    AblationStep(AblationStep),
    /// One of its runs is finished.
    AblationRun(AblationRun),
    /// Findings of the ablation so far.
    AblationFound(AblationFound),
}

/// Makes events of the kinds above.
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
        let same = [(Event::from(progress.clone()), Told::Progress(progress)), (Event::Done, Told::Done)];
        for (event, told) in same {
            let read = serde_json::from_value::<Told<()>>(serde_json::to_value(event).unwrap()).unwrap();
            assert_eq!(read, told);
        }
        assert!(serde_json::from_value::<Told<()>>(json!({ "Checkpoint": 300 })).is_err());
    }
}
