//! The files of a restorer, whether its folder lies beside the page or it was trained here or brought by the user.

use super::errors;
use super::folder::{self, Folder};
use super::jobs::{Job, from_weights};
use super::kept::{CONFIG, GOLDEN, Record, RecordedFile};
use super::pace::Throttle;
use super::source::Content;
use super::store::{Room, Shelf};
use burn::tensor::Device;
use tuppum_nn::torso::{Golden, Torso, TorsoConfig};
use tuppum_protocol::{DeviceKind, DeviceReport, Event, Failure, KEPT, Phase};
use tuppum_text::tokens::Vocabulary;
use tuppum_weights::{FileEntry, WeightsError, check_torso, load_torso, read_golden, read_vocabulary};

/// The weights in a model's folder.
pub const WEIGHTS: &str = "restorer.safetensors";
/// The tokens.
pub const VOCABULARY: &str = "vocab.json";

/// A restorer with its short files read, and its weights at hand.
pub struct RestorerFiles {
    /// Its size.
    pub config: TorsoConfig,
    /// Numbers to test a device with, when it brings some.
    pub golden: Option<Golden>,
    model: String,
    store: bool,
    vocabulary: Vec<u8>,
    place: Place,
}

/// Where the files lie.
enum Place {
    /// Beside the page, perhaps with copies in the storage.
    Shipped(Folder),
    /// In the storage, trained here or brought, under this name.
    Kept(String, Content, FileEntry),
}

impl RestorerFiles {
    /// Brings the files of `model`: a folder beside the page, or `kept:NAME`. With `store`, a folder is kept in the browser's storage, and
    /// read from there.
    ///
    /// # Errors
    /// No network and nothing stored; files that are damaged or missing; no restorer; the job was stopped.
    pub async fn open(job: &Job, model: &str, store: bool) -> Result<Self, Failure> {
        match model.strip_prefix(KEPT) {
            Some(name) => Self::kept(model, name).await,
            None => Self::shipped(job, model, store).await,
        }
    }

    async fn shipped(job: &Job, model: &str, store: bool) -> Result<Self, Failure> {
        let folder = folder::open(model, store, &job.stop, &|progress| job.tell(Event::Progress(progress))).await?;
        let config = config(&folder.whole(CONFIG).await?)?;
        let vocabulary = folder.whole(VOCABULARY).await?;
        let golden = match folder.manifest.file(GOLDEN) {
            Ok(_) => Some(read_golden(&folder.whole(GOLDEN).await?).await.map_err(|error| from_weights(&error))?),
            Err(_) => None,
        };
        Ok(Self { config, golden, model: model.to_owned(), store, vocabulary, place: Place::Shipped(folder) })
    }

    async fn kept(model: &str, name: &str) -> Result<Self, Failure> {
        let shelf = Shelf::of(Room::Kept, name, false).await.map_err(|refusal| errors::not_kept(name, refusal))?;
        let record = Record::read(&shelf).await.ok_or_else(|| errors::not_kept(name, "its record cannot be read"))?;
        let content = async |file: &str| {
            let place = record.file(file).map_or(file, RecordedFile::place);
            let stored = shelf.file(place).await.ok_or_else(|| errors::not_kept(name, format!("{file} is missing")))?;
            let entry = record.file(file).and_then(RecordedFile::entry);
            let entry = entry.ok_or_else(|| errors::not_kept(name, format!("{file} is not complete")))?;
            Ok::<_, Failure>((Content::Stored(stored), entry))
        };
        let short = async |file: &str| {
            let (content, entry) = content(file).await?;
            let bytes = content.whole().await.map_err(|problem| errors::unreadable(file, problem))?;
            entry.verify(&bytes).map_err(|error| from_weights(&error))?;
            Ok::<_, Failure>(bytes)
        };
        let (config, vocabulary) = (config(&short(CONFIG).await?)?, short(VOCABULARY).await?);
        let (weights, entry) = content(WEIGHTS).await?;
        let place = Place::Kept(name.to_owned(), weights, entry);
        Ok(Self { config, golden: None, model: model.to_owned(), store: true, vocabulary, place })
    }

    /// Loads the weights. A stored copy of a shipped file that turns out to be damaged is fetched again, once; a damaged file of a
    /// kept model is noted as such.
    ///
    /// # Errors
    /// Which tensor or file is wrong; the job was stopped.
    pub async fn load(&mut self, job: &Job, device: &Device) -> Result<Torso, Failure> {
        let loaded = self.load_once(job, device).await;
        let is_damaged =
            matches!(loaded, Err(WeightsError::Altered { .. } | WeightsError::Length { .. } | WeightsError::Source(_)));
        match &self.place {
            Place::Shipped(folder) if is_damaged => {
                folder.discard(WEIGHTS).await;
                *self = Self::open(job, &self.model, self.store).await?;
                return self.load_once(job, device).await.map_err(|error| from_weights(&error));
            }
            Place::Kept(name, _, entry) if matches!(loaded, Err(WeightsError::Altered { .. })) => {
                Record::discard(name, entry).await;
            }
            _ => {}
        }
        loaded.map_err(|error| from_weights(&error))
    }

    async fn load_once(&self, job: &Job, device: &Device) -> Result<Torso, WeightsError> {
        let (mut source, entry) = match &self.place {
            Place::Shipped(folder) => {
                let content = folder.file(WEIGHTS).map_err(|failure| WeightsError::Header(failure.details))?;
                (content.clone(), folder.manifest.file(WEIGHTS)?)
            }
            Place::Kept(_, content, entry) => (content.clone(), entry),
        };
        let throttle = Throttle::new();
        let on_bytes = |done, total| {
            if throttle.passes(done, total) {
                job.progress(Phase::Read, done, total);
            }
        };
        load_torso(&self.config, &mut source, Some(entry), device, on_bytes, &job.pace()).await
    }

    /// Checksum of its weights, by which another restorer under the same name is known.
    pub fn checksum(&self) -> Option<String> {
        match &self.place {
            Place::Shipped(folder) => folder.manifest.file(WEIGHTS).ok().map(|entry| entry.sha256.clone()),
            Place::Kept(_, _, entry) => Some(entry.sha256.clone()),
        }
    }

    /// Its tokens.
    ///
    /// # Errors
    /// They are not those of a model of this size.
    pub fn vocabulary(&self) -> Result<Vocabulary, Failure> {
        read_vocabulary(&self.vocabulary, &self.config).map_err(|error| from_weights(&error))
    }

    /// What the page is told of it and of the device that computes it.
    pub fn report(&self, device: DeviceKind, adapter: String, reason: String, self_test: f32) -> DeviceReport {
        let (stored, storage_note) = match &self.place {
            Place::Shipped(folder) => (folder.stored, folder.storage_note.clone()),
            Place::Kept(..) => (true, None),
        };
        let (golden, parameters) = (self.golden.is_some(), self.config.parameter_count());
        DeviceReport { device, adapter, reason, self_test, golden, stored, storage_note, parameters }
    }
}

/// Whether these are the files of a restorer, as far as can be told without reading its numbers. How many it has.
///
/// # Errors
/// What is wrong with which file, which tensor is missing or misshapen.
pub async fn check(json: &[u8], vocabulary: &[u8], weights: &Content) -> Result<u64, Failure> {
    let config = config(json)?;
    read_vocabulary(vocabulary, &config).map_err(|error| from_weights(&error))?;
    check_torso(&config, WEIGHTS, &mut weights.clone()).await.map_err(|error| from_weights(&error))?;
    Ok(config.parameter_count())
}

fn config(json: &[u8]) -> Result<TorsoConfig, Failure> {
    TorsoConfig::from_json(json).map_err(|problem| errors::unreadable(CONFIG, problem))
}
