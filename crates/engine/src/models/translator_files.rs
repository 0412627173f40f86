//! The files of a translator, from a folder beside the page or from the browser's storage.

use crate::bindings::now;
use crate::errors::{self, ModelError};
use crate::job::Job;
use crate::models::opening::Candidate;
use crate::queue::Throttle;
use crate::records::model::{Record, RecordedFile};
use crate::records::names::{CONFIG, GOLDEN};
use crate::storage::folder::{self, Folder};
use crate::storage::store::{Content, ModelStore, StoreArea};
use crate::wasm_module::memory_needed;
use burn::tensor::Device;
use tuppum_nn::byt5::{ByT5, ByT5Config, GOLDEN_TOLERANCE, Golden, computed, self_test};
use tuppum_protocol::{Failure, MOST_MEMORY, ModelRef, Origin, Phase};
use tuppum_text::bytes;
use tuppum_weights::index::Index;
use tuppum_weights::translator_files::{WeightsFile, check_translator, is_index, layout, load_translator};
use tuppum_weights::{FileEntry, WeightsError, read_translator_golden};

/// Row for testing a device when a model has no golden numbers: a source and the beginning of a translation.
const SHORT_ROW: (&str, &str) = ("um-ma a-na", "Thus");
/// Variant in the golden file that describes the model as it is shipped.
const GOLDEN_VARIANT: &str = "byte";

/// Translator with its short files read and its weights ready to be read.
pub struct TranslatorFiles {
    /// Configuration of the translator: its sizes.
    pub config: ByT5Config,
    /// Reference numbers to test a device with, if the model has any.
    pub golden: Option<Golden>,
    /// `true` if all files are in the browser's storage.
    pub stored: bool,
    /// Reason why files are not stored, if so.
    pub storage_note: Option<String>,
    index: Option<Index>,
    weights: Vec<WeightsFile<Content>>,
    place: Place,
}

/// Location of the files, needed to delete a damaged one.
enum Place {
    /// Outside the storage: the files are only inspected.
    Nowhere,
    /// Folder beside the page, possibly with copies in the storage.
    Shipped(Folder),
    /// In the storage, under this name.
    Stored(String),
}

impl TranslatorFiles {
    /// Collects the files of a model. With `store`, files of a shipped model are written to the browser's storage and
    /// read from there.
    ///
    /// # Errors
    /// There is neither network nor a stored copy, files are damaged or missing, the model is not a ByT5, or the job
    /// was cancelled.
    pub async fn open(job: &Job, model: &ModelRef, store: bool) -> Result<Self, Failure> {
        match model {
            ModelRef::Shipped(folder) => {
                let report = |progress| job.emit(progress);
                Self::shipped(folder::open(folder, store, &job.token, &report).await?).await
            }
            ModelRef::Stored(name) => Self::stored(name).await,
            ModelRef::New(_) => Err(errors::no_files()),
        }
    }

    /// Returns a translator with this `config.json`, still without weights; `whose` names its owner for the user.
    ///
    /// # Errors
    /// The configuration is not that of a ByT5.
    pub fn begin(whose: &str, config: &[u8], golden: Option<Golden>, index: Option<Index>) -> Result<Self, Failure> {
        let config = ByT5Config::from_json(config).map_err(|problem| errors::no_translator(whose, problem))?;
        Ok(Self {
            config,
            golden,
            stored: false,
            storage_note: None,
            index,
            weights: Vec::new(),
            place: Place::Nowhere,
        })
    }

    /// Adds weight files.
    pub fn with(mut self, files: impl Iterator<Item = (String, Content, Option<FileEntry>)>) -> Self {
        self.weights = files.map(|(name, source, entry)| WeightsFile { name, source, entry }).collect();
        self
    }

    async fn shipped(folder: Folder) -> Result<Self, Failure> {
        let manifest = &folder.manifest;
        let name = layout(|name| manifest.file(name).is_ok()).map_err(|error| errors::weights(&error))?;
        let index = match is_index(name) {
            true => Some(Index::from_json(name, &folder.whole(name).await?).map_err(|error| errors::weights(&error))?),
            false => None,
        };
        let names = index.as_ref().map_or_else(|| vec![name], |index| index.shards().into_iter().collect());
        let mut files = Vec::new();
        for name in names {
            let entry = manifest.file(name).map_err(|error| errors::weights(&error))?.clone();
            files.push((name.to_owned(), folder.file(name)?.clone(), Some(entry)));
        }
        let golden = match manifest.file(GOLDEN) {
            Ok(_) => Some(folder.whole(GOLDEN).await?),
            Err(_) => None,
        };
        let golden = read_golden(golden.as_deref()).await?;
        let mut opened =
            Self::begin("this folder", &folder.whole(CONFIG).await?, golden, index)?.with(files.into_iter());
        (opened.stored, opened.storage_note) = (folder.stored, folder.storage_note.clone());
        opened.place = Place::Shipped(folder);
        Ok(opened)
    }

    async fn stored(name: &str) -> Result<Self, Failure> {
        let store = ModelStore::of(StoreArea::Stored, name, false)
            .await
            .map_err(|refusal| errors::model_gone(name, refusal))?;
        let record = Record::read(&store).await.ok_or_else(|| errors::model_gone(name, "its record cannot be read"))?;
        Self::of_record(name, &store, &record).await
    }

    /// Returns the stored model of this name, as described by a record of its folder.
    ///
    /// # Errors
    /// Files are damaged or missing, or the model is not a ByT5.
    pub async fn of_record(name: &str, store: &ModelStore, record: &Record) -> Result<Self, Failure> {
        let model = record.describe(name, store).await;
        if !model.is_complete() {
            let from_hub = matches!(record.origin, Origin::Hub(_));
            return Err(errors::incomplete(name, model.present(), model.bytes(), from_hub));
        }
        let content = async |file: &str| {
            let place = record.file(file).map_or(file, RecordedFile::place);
            let stored =
                store.file(place).await.ok_or_else(|| errors::model_gone(name, format!("{file} is missing")))?;
            Ok::<_, Failure>(Content::Stored(stored))
        };
        let short = async |file: &str| {
            let bytes = content(file).await?.whole().await.map_err(|problem| errors::unreadable(file, problem))?;
            let entry = record.file(file).and_then(RecordedFile::entry);
            if let Some((entry, Err(error))) = entry.map(|entry| (entry.clone(), entry.verify(&bytes))) {
                Record::discard(name, &entry).await;
                return Err(errors::weights(&error));
            }
            Ok(bytes)
        };
        let layout = layout(|name| record.file(name).is_some()).map_err(|error| errors::weights(&error))?;
        let index = match is_index(layout) {
            true => Some(Index::from_json(layout, &short(layout).await?).map_err(|error| errors::weights(&error))?),
            false => None,
        };
        let names = index.as_ref().map_or_else(|| vec![layout], |index| index.shards().into_iter().collect());
        let mut files = Vec::new();
        for file in names {
            let entry = record.file(file).and_then(RecordedFile::entry);
            files.push((file.to_owned(), content(file).await?, entry));
        }
        let golden = if record.file(GOLDEN).is_some() { Some(short(GOLDEN).await?) } else { None };
        let golden = read_golden(golden.as_deref()).await?;
        let mut opened = Self::begin(name, &short(CONFIG).await?, golden, index)?.with(files.into_iter());
        (opened.stored, opened.place) = (true, Place::Stored(name.to_owned()));
        Ok(opened)
    }

    /// Returns the checksum of all weights, which tells models of the same name apart; `None` if a file has no
    /// checksum.
    pub fn checksum(&self) -> Option<String> {
        let sums = self.weights.iter().map(|file| file.entry.as_ref().map(|entry| entry.sha256.as_str()));
        sums.collect::<Option<Vec<_>>>().map(|sums| sums.join("+"))
    }

    /// Checks that the weights fit this configuration, without reading their numbers.
    ///
    /// # Errors
    /// Names the tensor that is missing or misshapen, or the file that is damaged.
    pub async fn check(&self) -> Result<(), Failure> {
        let checked = check_translator(&self.config, &mut self.weights.clone(), self.index.as_ref()).await;
        checked.map_err(|error| errors::weights(&error))
    }
}

impl Candidate for TranslatorFiles {
    type Model = ByT5;
    type Golden = Golden;
    const TOLERANCE: f32 = GOLDEN_TOLERANCE;

    /// Loads the model onto a device. A stored file that turns out to be damaged is deleted, so that it can be fetched
    /// again.
    async fn load(&mut self, job: &Job, device: &Device) -> Result<ByT5, Failure> {
        let throttle = Throttle::new(now);
        let on_bytes = |done, total| {
            if throttle.passes(done, total) {
                job.progress(Phase::Read, done, total);
            }
        };
        let (mut files, index) = (self.weights.clone(), self.index.as_ref());
        let loaded = load_translator(&self.config, &mut files, index, device, on_bytes, &job.yielder()).await;
        let damaged: Vec<&str> = match &loaded {
            Err(WeightsError::Altered { file, .. } | WeightsError::Length { file, .. }) => vec![file],
            // A read error of the storage does not name the file, so all files are suspect.
            Err(WeightsError::Source(_)) => self.weights.iter().map(|file| file.name.as_str()).collect(),
            _ => Vec::new(),
        };
        for file in damaged {
            match &self.place {
                Place::Shipped(folder) => folder.discard(file).await,
                Place::Stored(name) if matches!(loaded, Err(WeightsError::Altered { .. })) => {
                    for entry in self.weights.iter().filter(|own| own.name == file).filter_map(|own| own.entry.as_ref())
                    {
                        Record::discard(name, entry).await;
                    }
                }
                Place::Nowhere | Place::Stored(_) => {}
            }
        }
        loaded.map_err(|error| errors::weights(&error))
    }

    fn golden(&self) -> Option<&Golden> {
        self.golden.as_ref()
    }

    fn fits_processor(&self) -> Result<(), u64> {
        let needed = memory_needed(&self.config);
        if needed < MOST_MEMORY { Ok(()) } else { Err(needed) }
    }

    async fn computed(&self, job: &Job, model: &ByT5) -> Result<Golden, ModelError> {
        short_row_numbers(job, model).await
    }

    async fn test(&self, job: &Job, model: &ByT5, golden: Option<&Golden>) -> Result<Option<f32>, ModelError> {
        let Some(golden) = golden else {
            // Without golden numbers the only check is that the results are finite.
            self.computed(job, model).await?;
            return Ok(None);
        };
        job.progress(Phase::SelfTest, 0, 1);
        let difference = difference(job, model, golden).await?;
        job.progress(Phase::SelfTest, 1, 1);
        Ok(Some(difference))
    }
}

/// Computes reference numbers for a model that has none: those of a short row.
///
/// # Errors
/// The device failed, or the job was cancelled.
pub async fn short_row_numbers(job: &Job, model: &ByT5) -> Result<Golden, ModelError> {
    let (source, target) = SHORT_ROW;
    let target = [vec![model.config().decoder_start_token_id], bytes::encode(target)].concat();
    Ok(computed(model, model.row_of(source), target, &job.yielder()).await?)
}

/// Computes with a model and returns its largest relative difference from reference numbers.
///
/// # Errors
/// The device failed, or the job was cancelled.
pub async fn difference(job: &Job, model: &ByT5, golden: &Golden) -> Result<f32, ModelError> {
    let [states, logits] = self_test(model, golden, &job.yielder()).await?;
    Ok(states.max(logits))
}

/// Reads the golden numbers for the model as it is shipped, if there are any.
///
/// # Errors
/// The file cannot be read.
pub async fn read_golden(bytes: Option<&[u8]>) -> Result<Option<Golden>, Failure> {
    match bytes {
        Some(bytes) => {
            read_translator_golden(bytes, GOLDEN_VARIANT).await.map(Some).map_err(|error| errors::weights(&error))
        }
        None => Ok(None),
    }
}
