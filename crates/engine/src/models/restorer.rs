//! The restorer: its files, from a folder beside the page or from the browser's storage, opening it, restoring, and the
//! influence of each sign on an answer.

use crate::bindings::now;
use crate::errors::{self, ModelError};
use crate::job::{Job, JobYield};
use crate::models::opening::{Candidate, ComputeDevice, Trusted, choose, open as open_model};
use crate::queue::Throttle;
use crate::records::model::{Record, RecordedFile};
use crate::records::names::{CONFIG, GOLDEN};
use crate::storage::folder::{self, Folder};
use crate::storage::store::{Content, ModelStore, StoreArea};
use burn::tensor::Device;
use tuppum_corpus::opened::OpenCorpus;
use tuppum_domain::restoration::Row;
use tuppum_domain::restoration::saliency::SaliencyQuestion;
use tuppum_domain::restoration::search::{RestoreError, Restorer, SearchPhase, Update};
use tuppum_nn::torso::{GOLDEN_TOLERANCE, Golden, Torso, TorsoConfig, TorsoScorer, computed, self_test};
use tuppum_protocol::{DeviceReport, Failure, ModelRef, OpenModel, Phase, Question, RestorationEvent, ShippedFolder};
use tuppum_text::SignIndex;
use tuppum_text::tokens::{BEGIN, LINE_END, MASK, Vocabulary};
use tuppum_weights::{FileEntry, WeightsError, check_torso, load_torso, read_golden, read_vocabulary};

/// Name of the weights file.
pub const WEIGHTS: &str = "restorer.safetensors";
/// Number of signs in the row of the warm-up run: a typical passage.
const TYPICAL_LENGTH: usize = 64;
/// Name of the vocabulary file.
pub const VOCABULARY: &str = "vocab.json";

/// Restorer with its short files read and its weights ready to be read.
pub struct RestorerFiles {
    /// Configuration of the torso: its sizes.
    pub config: TorsoConfig,
    /// Reference numbers to test a device with, if the model has any.
    pub golden: Option<Golden>,
    model: ModelRef,
    store: bool,
    vocabulary: Vec<u8>,
    place: Place,
}

/// Location of the files.
enum Place {
    /// Folder beside the page, possibly with copies in the storage.
    Shipped(Folder),
    /// In the storage, under this name: the weights and their entry.
    Stored(String, Content, FileEntry),
}

impl RestorerFiles {
    /// Collects the files of a model. With `store`, files of a shipped model are written to the browser's storage and
    /// read from there.
    ///
    /// # Errors
    /// There is neither network nor a stored copy, files are damaged or missing, the model is not a restorer, or the
    /// job was cancelled.
    pub async fn open(job: &Job, model: &ModelRef, store: bool) -> Result<Self, Failure> {
        match model {
            ModelRef::Shipped(folder) => Self::shipped(job, folder, store).await,
            ModelRef::Stored(name) => Self::stored(name).await,
            ModelRef::New(_) => Err(errors::no_files()),
        }
    }

    async fn shipped(job: &Job, model: &ShippedFolder, store: bool) -> Result<Self, Failure> {
        let folder = folder::open(model, store, &job.token, &|progress| job.emit(progress)).await?;
        let config = config(&folder.whole(CONFIG).await?)?;
        let vocabulary = folder.whole(VOCABULARY).await?;
        let golden = match folder.manifest.file(GOLDEN) {
            Ok(_) => Some(read_golden(&folder.whole(GOLDEN).await?).await.map_err(|error| errors::weights(&error))?),
            Err(_) => None,
        };
        let model = ModelRef::Shipped(model.clone());
        Ok(Self { config, golden, model, store, vocabulary, place: Place::Shipped(folder) })
    }

    async fn stored(name: &str) -> Result<Self, Failure> {
        let store = ModelStore::of(StoreArea::Stored, name, false)
            .await
            .map_err(|refusal| errors::model_gone(name, refusal))?;
        let record = Record::read(&store).await.ok_or_else(|| errors::model_gone(name, "its record cannot be read"))?;
        let content = async |file: &str| {
            let place = record.file(file).map_or(file, RecordedFile::place);
            let stored =
                store.file(place).await.ok_or_else(|| errors::model_gone(name, format!("{file} is missing")))?;
            let entry = record.file(file).and_then(RecordedFile::entry);
            let entry = entry.ok_or_else(|| errors::model_gone(name, format!("{file} is not complete")))?;
            Ok::<_, Failure>((Content::Stored(stored), entry))
        };
        let short = async |file: &str| {
            let (content, entry) = content(file).await?;
            let bytes = content.whole().await.map_err(|problem| errors::unreadable(file, problem))?;
            entry.verify(&bytes).map_err(|error| errors::weights(&error))?;
            Ok::<_, Failure>(bytes)
        };
        let (config, vocabulary) = (config(&short(CONFIG).await?)?, short(VOCABULARY).await?);
        let (weights, entry) = content(WEIGHTS).await?;
        let place = Place::Stored(name.to_owned(), weights, entry);
        Ok(Self { config, golden: None, model: ModelRef::stored(name), store: true, vocabulary, place })
    }

    async fn load_once(&self, job: &Job, device: &Device) -> Result<Torso, WeightsError> {
        let (mut source, entry) = match &self.place {
            Place::Shipped(folder) => {
                let content = folder.file(WEIGHTS).map_err(|failure| WeightsError::Header(failure.details))?;
                (content.clone(), folder.manifest.file(WEIGHTS)?)
            }
            Place::Stored(_, content, entry) => (content.clone(), entry),
        };
        let throttle = Throttle::new(now);
        let on_bytes = |done, total| {
            if throttle.passes(done, total) {
                job.progress(Phase::Read, done, total);
            }
        };
        load_torso(&self.config, &mut source, Some(entry), device, on_bytes, &job.yielder()).await
    }

    /// Returns the checksum of the weights, which tells restorers of the same name apart.
    pub fn checksum(&self) -> Option<String> {
        match &self.place {
            Place::Shipped(folder) => folder.manifest.file(WEIGHTS).ok().map(|entry| entry.sha256.clone()),
            Place::Stored(_, _, entry) => Some(entry.sha256.clone()),
        }
    }

    /// Returns the vocabulary.
    ///
    /// # Errors
    /// The vocabulary does not fit the configuration.
    pub fn vocabulary(&self) -> Result<Vocabulary, Failure> {
        read_vocabulary(&self.vocabulary, &self.config).map_err(|error| errors::weights(&error))
    }

    /// Describes the restorer and its device for the page.
    pub fn report(&self, device: &ComputeDevice, reason: String, self_test: f32) -> DeviceReport {
        let (stored, storage_note) = match &self.place {
            Place::Shipped(folder) => (folder.stored, folder.storage_note.clone()),
            Place::Stored(..) => (true, None),
        };
        let (golden, parameters) = (self.golden.is_some(), self.config.parameter_count());
        let adapter = match device {
            ComputeDevice::Cpu => String::new(),
            ComputeDevice::Gpu(gpu) => gpu.name.clone(),
        };
        let device = device.kind();
        DeviceReport { device, adapter, reason, self_test, golden, stored, storage_note, parameters }
    }
}

impl Candidate for RestorerFiles {
    type Model = Torso;
    type Golden = Golden;
    const TOLERANCE: f32 = GOLDEN_TOLERANCE;

    /// Loads the weights. A damaged copy of a shipped file is fetched again, once; a damaged file of a stored model is
    /// recorded as damaged.
    async fn load(&mut self, job: &Job, device: &Device) -> Result<Torso, Failure> {
        let loaded = self.load_once(job, device).await;
        let is_damaged =
            matches!(loaded, Err(WeightsError::Altered { .. } | WeightsError::Length { .. } | WeightsError::Source(_)));
        match &self.place {
            Place::Shipped(folder) if is_damaged => {
                folder.discard(WEIGHTS).await;
                *self = Self::open(job, &self.model, self.store).await?;
                return self.load_once(job, device).await.map_err(|error| errors::weights(&error));
            }
            Place::Stored(name, _, entry) if matches!(loaded, Err(WeightsError::Altered { .. })) => {
                Record::discard(name, entry).await;
            }
            Place::Shipped(_) | Place::Stored(..) => {}
        }
        loaded.map_err(|error| errors::weights(&error))
    }

    fn golden(&self) -> Option<&Golden> {
        self.golden.as_ref()
    }

    async fn computed(&self, job: &Job, torso: &Torso) -> Result<Golden, ModelError> {
        Ok(computed(torso, &job.yielder()).await?)
    }

    /// Compares with golden numbers, if there are any, then runs a typical row, so that the first question is answered
    /// fast.
    async fn test(&self, job: &Job, torso: &Torso, golden: Option<&Golden>) -> Result<Option<f32>, ModelError> {
        let mut difference = None;
        if let Some(golden) = golden {
            job.progress(Phase::SelfTest, 0, 1);
            difference = Some(self_test(torso, golden, &job.yielder()).await?);
            job.progress(Phase::SelfTest, 1, 1);
        }
        job.progress(Phase::WarmUp, 0, 1);
        let length = TYPICAL_LENGTH.min(torso.config().longest);
        let ids = (0..length).map(|place| if place == 0 { BEGIN } else { LINE_END }).chain([MASK]).skip(1).collect();
        torso.logits(&[&Row { ids, places: vec![length - 1] }], length, &job.yielder()).await?;
        job.progress(Phase::WarmUp, 1, 1);
        Ok(difference)
    }
}

/// Checks that these are the files of a restorer, without reading its numbers. Returns the number of parameters.
///
/// # Errors
/// Names the file that is wrong, or the tensor that is missing or misshapen.
pub async fn check(json: &[u8], vocabulary: &[u8], weights: &Content) -> Result<u64, Failure> {
    let config = config(json)?;
    read_vocabulary(vocabulary, &config).map_err(|error| errors::weights(&error))?;
    check_torso(&config, WEIGHTS, &mut weights.clone()).await.map_err(|error| errors::weights(&error))?;
    Ok(config.parameter_count())
}

fn config(json: &[u8]) -> Result<TorsoConfig, Failure> {
    TorsoConfig::from_json(json).map_err(|problem| errors::unreadable(CONFIG, problem))
}

/// Open restorer with its device.
pub struct OpenRestorer {
    restorer: Restorer,
    scorer: TorsoScorer<JobYield>,
    device: ComputeDevice,
}

/// Opens a restorer on a device.
///
/// # Errors
/// There is neither network nor a stored copy, files are damaged, WebGPU was demanded and cannot be used, or the job
/// was cancelled.
pub async fn open(job: &Job, asked: &OpenModel) -> Result<OpenRestorer, Failure> {
    let gpu = choose(job, asked.device).await;
    let mut files = RestorerFiles::open(job, &asked.model, asked.store).await?;
    let Trusted { model, device, difference, rejected } = open_model(job, &mut files, gpu, asked.device).await?;
    let reason = match &rejected {
        Some(rejected) => format!("The CPU computes because {rejected}."),
        None if files.golden.is_some() => "It passed its self-test against stored reference numbers.".to_owned(),
        None => "It passed its self-test against the CPU.".to_owned(),
    };
    job.emit(files.report(&device, reason, difference.unwrap_or_default()));
    let scorer = TorsoScorer::new(model, job.yielder());
    Ok(OpenRestorer { restorer: Restorer::new(files.vocabulary()?), scorer, device })
}

/// Answers a question with increasingly good answers; with corpora, attested contexts count too.
///
/// # Errors
/// The question cannot be answered as asked, the device failed, or the job was cancelled.
pub async fn restore(
    job: &Job,
    opened: &mut OpenRestorer,
    corpus: Option<&OpenCorpus>,
    question: &Question,
) -> Result<(), Failure> {
    let OpenRestorer { restorer, scorer, device } = opened;
    scorer.set_yielder(job.yielder());
    // A text of a thousand gaps is refined faster than a page can draw; the last answer is always sent, below.
    let throttle = Throttle::new(now);
    let on_update = |update| match update {
        Update::Progress { phase, done, total } => job.progress(search_phase(phase), done, total),
        Update::Answer(answer) if throttle.passes(0, 1) => job.emit(RestorationEvent::Answer(answer)),
        Update::Answer(_) => {}
    };
    match tuppum_corpus::opened::restore(corpus, restorer, question, scorer, on_update).await {
        Err(RestoreError::Question(problem)) => Err(errors::question(problem)),
        Err(RestoreError::Scorer(error)) => Err(device.failure(error)),
        Ok(answer) => {
            device.check()?;
            job.emit(RestorationEvent::Answer(answer));
            Ok(())
        }
    }
}

/// Computes the influence of each sign on an answer.
///
/// # Errors
/// The question cannot be answered as asked, the device failed, or the job was cancelled.
pub async fn influence(
    job: &Job,
    opened: &OpenRestorer,
    question: &Question,
    (sign, reading, starts_word): (SignIndex, &str, bool),
) -> Result<(), Failure> {
    job.progress(Phase::Influence, 0, 1);
    let asked = SaliencyQuestion::new(question, opened.restorer.vocabulary(), sign, reading, starts_word);
    let saliency = asked.map_err(errors::question)?;
    let torso = opened.scorer.torso();
    let shares = torso.influence(&saliency.ids, saliency.place, saliency.token, &job.yielder()).await;
    let shares = shares.map_err(|error| opened.device.failure(error))?;
    opened.device.check()?;
    job.progress(Phase::Influence, 1, 1);
    job.emit(RestorationEvent::Influence(saliency.by_sign(&shares)));
    Ok(())
}

fn search_phase(phase: SearchPhase) -> Phase {
    match phase {
        SearchPhase::Singles => Phase::Singles,
        SearchPhase::Joint => Phase::Joint,
        SearchPhase::Lengths => Phase::Lengths,
    }
}
