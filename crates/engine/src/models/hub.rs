//! Asking a hub for a repository: the model's size from its `config.json`, and the files that are needed.
//!
//! The hub's list of files, with lengths and checksums, is requested first. A server that has only the files is asked
//! for the head of each.

use crate::errors;
use crate::event_loop::CancellationToken;
use crate::models::model_files::{CONFIG, GOLDEN, LONGEST_SHORT_FILE};
use crate::storage::fetch::{Download, HttpRequest, HttpResponse, all};
use crate::storage::record::{Here, RecordedFile};
use crate::storage::store::{ModelStore, StoreArea, estimate};
use crate::wasm_memory::needed;
use std::collections::BTreeMap;
use tuppum_nn::byt5::ByT5Config;
use tuppum_protocol::{Failure, Offer, OfferedFile, Repository};
use tuppum_weights::hub::{Listed, checksum, listing};
use tuppum_weights::index::Index;
use tuppum_weights::translator_files::{LAYOUTS, is_index, layout};
use web_sys::RequestCache;

/// Model that a hub offers.
pub struct Found {
    /// Description of the model for the page.
    pub offer: Offer,
    /// Files of the model, for its record.
    pub files: Vec<RecordedFile>,
    /// Contents of the short files, which were fetched at once.
    pub short: BTreeMap<String, Vec<u8>>,
}

/// Asks a hub for a repository.
///
/// # Errors
/// The hub cannot be reached or has no such repository, or the repository is not a ByT5 or has no weights that can be
/// read.
pub async fn ask(repository: &Repository, token: &CancellationToken) -> Result<Found, Failure> {
    let hub = Hub { repository, token };
    let config = hub.short(CONFIG).await?;
    let size = ByT5Config::from_json(&config).map_err(|problem| errors::no_translator(&repository.id, problem))?;
    let listed = hub.list().await?;
    let has = |name: &str| listed.iter().any(|file| file.name == name);
    let weights = layout(has).map_err(|error| errors::no_weights(&repository.id, &listed, &error))?;
    let mut short = BTreeMap::from([(CONFIG.to_owned(), config)]);
    let mut names = vec![weights.to_owned()];
    if is_index(weights) {
        let bytes = hub.short(weights).await?;
        let index = Index::from_json(weights, &bytes).map_err(|error| errors::weights(&error))?;
        names = index.shards().into_iter().map(str::to_owned).collect();
        short.insert(weights.to_owned(), bytes);
    }
    names.extend(has(GOLDEN).then(|| GOLDEN.to_owned()));
    let mut files = Vec::new();
    for (name, bytes) in &short {
        let (name, bytes) = (name.clone(), bytes.len() as u64);
        files.push(RecordedFile { name, bytes, promised: None, tag: None, sha256: None, at: None });
    }
    for name in names {
        files.push(hub.describe(&name, &listed).await?);
    }
    let offer = offer(repository, &size, &files).await;
    Ok(Found { offer, files, short })
}

async fn offer(repository: &Repository, size: &ByT5Config, files: &[RecordedFile]) -> Offer {
    let parameters = size.parameter_count();
    let memory = needed(size);
    let present = match ModelStore::of(StoreArea::Stored, &repository.stored_name(), false).await {
        Ok(store) => present(&store, files).await,
        Err(_) => 0,
    };
    let offered =
        |file: &RecordedFile| OfferedFile { name: file.name.clone(), bytes: file.bytes, sha256: file.promised.clone() };
    let free = estimate().await.map(|estimate| estimate.quota.saturating_sub(estimate.used));
    Offer {
        repository: repository.clone(),
        parameters,
        memory,
        files: files.iter().map(offered).collect(),
        present,
        free,
    }
}

/// Returns the bytes of these files that have arrived already.
async fn present(store: &ModelStore, files: &[RecordedFile]) -> u64 {
    let here = Here::read(store).await;
    let mut present = 0;
    for file in files {
        if let Some(same) = here.same(file) {
            present += store.file(same.place()).await.map_or(0, |stored| stored.size() as u64).min(file.bytes);
        }
    }
    present
}

struct Hub<'a> {
    repository: &'a Repository,
    token: &'a CancellationToken,
}

impl Hub<'_> {
    async fn answer(&self, url: &str, head: bool) -> Result<HttpResponse, Failure> {
        let question = HttpRequest { head, cache: RequestCache::NoCache, ..HttpRequest::whole(url) };
        let asked = HttpResponse::to(question, self.token).await;
        asked.map_err(|failure| errors::hub_unreachable(&self.repository.hub, failure))
    }

    /// Fetches a short file, which must exist.
    async fn short(&self, name: &str) -> Result<Vec<u8>, Failure> {
        let answer = self.answer(&self.repository.file(name), false).await?;
        if !answer.ok() {
            return Err(errors::not_on_hub(self.repository, name, answer.status()));
        }
        all(Download::of(answer, self.token)?, LONGEST_SHORT_FILE).await
    }

    /// Lists the files of the repository, or at least those that could be needed.
    async fn list(&self) -> Result<Vec<Listed>, Failure> {
        let Repository { hub, id, revision } = self.repository;
        let answer = self.answer(&format!("{hub}/api/models/{id}/tree/{revision}"), false).await?;
        if answer.ok() {
            let json = all(Download::of(answer, self.token)?, LONGEST_SHORT_FILE).await?;
            if let Ok(listed) = listing(&json) {
                return Ok(listed);
            }
        }
        let mut listed = Vec::new();
        for name in LAYOUTS.into_iter().chain([GOLDEN]) {
            if let Some(file) = self.head(name).await? {
                listed.push(Listed { name: name.to_owned(), bytes: file.bytes, sha256: file.promised });
            }
        }
        Ok(listed)
    }

    /// Returns a file's length and what identifies its version. The head is requested if the list has no checksum.
    async fn describe(&self, name: &str, listed: &[Listed]) -> Result<RecordedFile, Failure> {
        if let Some(file) = listed.iter().find(|file| file.name == name && file.sha256.is_some()) {
            let (bytes, promised) = (file.bytes, file.sha256.clone());
            return Ok(RecordedFile { name: name.to_owned(), bytes, promised, tag: None, sha256: None, at: None });
        }
        let described = self.head(name).await?;
        described.ok_or_else(|| errors::not_on_hub(self.repository, name, 404))
    }

    /// Describes a file by its head; `None` if it does not exist.
    async fn head(&self, name: &str) -> Result<Option<RecordedFile>, Failure> {
        let url = self.repository.file(name);
        let answer = self.answer(&url, true).await?;
        if !answer.ok() {
            return Ok(None);
        }
        let tag = answer.field("ETag");
        // The server that a hub redirects to may use other checksums than sha256 as tags.
        let own_tag = tag.as_deref().filter(|_| !answer.redirected()).and_then(checksum);
        let promised = answer.field("X-Linked-ETag").as_deref().and_then(checksum).or(own_tag);
        let length = answer.field("X-Linked-Size").or_else(|| answer.field("Content-Length"));
        let Some(bytes) = length.and_then(|length| length.parse().ok()) else {
            return Err(errors::unreachable(&url, "the server does not say how long the file is"));
        };
        Ok(Some(RecordedFile { name: name.to_owned(), bytes, promised, tag, sha256: None, at: None }))
    }
}
