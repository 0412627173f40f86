//! Importing a model from files that the user dropped or chose: they are checked in place, then copied piece by piece.

use super::stored_models::claim_free;
use crate::bindings::now;
use crate::errors::{self, StorageError};
use crate::job::Job;
use crate::models::restorer::{self, VOCABULARY};
use crate::models::translator_files::{TranslatorFiles, read_golden};
use crate::queue::Throttle;
use crate::records::model::{Record, RecordedFile};
use crate::records::names::{CONFIG, GOLDEN, MAX_SHORT_FILE_BYTES, given, only_weights};
use crate::storage::store::{Content, ModelStore, StoreArea, estimate};
use js_sys::Uint8Array;
use tuppum_protocol::{Failure, Origin, Phase, StorageEvent, Task, plain_name};
use tuppum_weights::Checksum;
use tuppum_weights::index::Index;
use tuppum_weights::translator_files::{is_index, layout};
use web_sys::File;

/// Bytes copied at a time.
const PIECE_BYTES: u64 = 4 << 20;
/// Name under which weights of another name are stored.
const USUAL_WEIGHTS_NAME: &str = "model.safetensors";

/// Files of a model that are needed, each with the name under which it is stored.
struct Checked {
    task: Task,
    parameters: u64,
    needed: Vec<(String, Content)>,
}

/// Checks that the files are those of a translator or a restorer and stores copies of those that are needed.
///
/// # Errors
/// A file is missing, damaged or of another model, the browser has no space, or the job was cancelled.
pub async fn import(job: &Job, name: &str, files: &[File]) -> Result<(), Failure> {
    job.progress(Phase::Read, 0, 0);
    let checked = check(files).await?;
    let total: u64 = checked.needed.iter().map(|(_, content)| content.len()).sum();
    if let Some(estimate) = estimate().await {
        let left = estimate.quota.saturating_sub(estimate.used);
        if total > left {
            return Err(errors::storage_full(total, left));
        }
    }
    let (name, _right) = claim_free(job, &plain_name(name)).await?;
    let opened = ModelStore::of(StoreArea::Stored, &name, true).await;
    let store = opened.map_err(|refusal| errors::nothing_stored(&refusal))?;
    let copied = copy_all(job, &store, &checked).await;
    if copied.is_err() {
        // A partial copy is of no use: unlike a partial download it cannot be continued, and the user has the files.
        let _ = StoreArea::Stored.remove(&name).await;
    }
    job.emit(StorageEvent::Stored(copied?.describe(&name, &store).await));
    Ok(())
}

async fn copy_all(job: &Job, store: &ModelStore, checked: &Checked) -> Result<Record, Failure> {
    let &Checked { task, parameters, ref needed } = checked;
    let total: u64 = needed.iter().map(|(_, content)| content.len()).sum();
    let unknown = |(name, content): &(String, Content)| RecordedFile {
        name: name.clone(),
        bytes: content.len(),
        promised: None,
        tag: None,
        sha256: None,
        at: None,
    };
    let files = needed.iter().map(unknown).collect();
    let mut record = Record { task, origin: Origin::Files, added: js_sys::Date::now(), parameters, files };
    let (throttle, mut done) = (Throttle::new(now), 0);
    for ((name, content), noted) in needed.iter().zip(&mut record.files) {
        let refused = |refusal: StorageError| errors::storage(name, refusal);
        let mut writer = store.writer(name).await.map_err(refused)?;
        let (mut checksum, mut at) = (Checksum::default(), 0);
        while at < content.len() {
            if job.token.is_cancelled() {
                return Err(errors::cancelled());
            }
            let piece = PIECE_BYTES.min(content.len() - at);
            let bytes = content.range(at, piece as usize).await.map_err(|error| errors::file_gone(name, error))?;
            checksum.add(&bytes);
            writer.append(&Uint8Array::from(bytes.as_slice())).map_err(refused)?;
            at += piece;
            if throttle.passes(done + at, total) {
                job.progress(Phase::Read, done + at, total);
            }
        }
        writer.finish().map_err(refused)?;
        noted.sha256 = Some(checksum.digits());
        done += at;
    }
    record.write(store).await.map_err(|refusal| errors::storage("the record", refusal))?;
    Ok(record)
}

/// Determines the kind of model and the files that are needed.
async fn check(files: &[File]) -> Result<Checked, Failure> {
    let all: Vec<(String, Content)> = files.iter().map(|file| (file.name(), Content::Stored(file.clone()))).collect();
    match given(&all, restorer::WEIGHTS) {
        Some(_) => check_restorer(&all).await,
        None => check_translator(&all).await,
    }
}

/// Returns the file of this name, which must exist, with the name under which it is stored.
fn needed(all: &[(String, Content)], wanted: &str) -> Result<(String, Content), Failure> {
    let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
    let found = given(all, wanted).cloned().ok_or_else(|| errors::file_missing(wanted, &names))?;
    Ok((wanted.to_owned(), found))
}

async fn check_restorer(all: &[(String, Content)]) -> Result<Checked, Failure> {
    let needed = [CONFIG, VOCABULARY, restorer::WEIGHTS].map(|name| needed(all, name));
    let needed = needed.into_iter().collect::<Result<Vec<_>, _>>()?;
    let (config, vocabulary) = (short(CONFIG, &needed[0].1).await?, short(VOCABULARY, &needed[1].1).await?);
    let parameters = restorer::check(&config, &vocabulary, &needed[2].1).await?;
    Ok(Checked { task: Task::Restoration, parameters, needed })
}

async fn check_translator(all: &[(String, Content)]) -> Result<Checked, Failure> {
    let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
    let find = |wanted: &str| needed(all, wanted);
    let config = find(CONFIG)?;
    let mut weights = match layout(|name| names.contains(&name)) {
        Ok(name) => vec![find(name)?],
        Err(_) => match only_weights(&names) {
            Some(name) => vec![(USUAL_WEIGHTS_NAME.to_owned(), find(name)?.1)],
            None => return Err(errors::file_missing("model.safetensors or pytorch_model.bin", &names)),
        },
    };
    let mut needed = vec![config.clone()];
    let mut index = None;
    if is_index(&weights[0].0) {
        let (name, content) = weights.remove(0);
        let read = Index::from_json(&name, &short(&name, &content).await?).map_err(|error| errors::weights(&error))?;
        needed.push((name, content));
        for shard in read.shards() {
            weights.push(find(shard)?);
        }
        index = Some(read);
    }
    let golden = find(GOLDEN).ok();
    let numbers = match &golden {
        Some((_, content)) => Some(short(GOLDEN, content).await?),
        None => None,
    };
    let config = short(CONFIG, &config.1).await?;
    let opened = TranslatorFiles::begin("these files", &config, read_golden(numbers.as_deref()).await?, index)?;
    let opened = opened.with(weights.iter().map(|(name, content)| (name.clone(), content.clone(), None)));
    opened.check().await?;
    needed.extend(weights);
    needed.extend(golden);
    Ok(Checked { task: Task::Translation, parameters: opened.config.parameter_count(), needed })
}

async fn short(name: &str, content: &Content) -> Result<Vec<u8>, Failure> {
    if content.len() > MAX_SHORT_FILE_BYTES as u64 {
        return Err(errors::unreadable(name, format!("longer than {MAX_SHORT_FILE_BYTES} bytes")));
    }
    content.whole().await.map_err(|problem| errors::file_gone(name, problem))
}
