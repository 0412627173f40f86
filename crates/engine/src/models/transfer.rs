//! Transfer of one large file from a hub into the browser's storage, range by range, continuing where the last attempt
//! ended.

use crate::errors::{self, StorageError};
use crate::event_loop::CancellationToken;
use crate::storage::fetch::{Download, HttpRequest, HttpResponse};
use crate::storage::record::RecordedFile;
use crate::storage::store::{FileWriter, ModelStore};
use tuppum_protocol::Failure;
use tuppum_weights::Checksum;
use tuppum_weights::hub::content_range;

/// Bytes requested at a time: few requests, and after each the file is flushed to disk.
const RANGE: u64 = 32 << 20;
/// Bytes read at a time when the existing part is added to the checksum.
const PIECE: u64 = 4 << 20;

/// Fetches `file` from `url` into the storage, continuing after the existing part. Calls `on_bytes` with the bytes that
/// have arrived. Returns the file's sha256.
///
/// # Errors
/// The server cannot be reached or has another file by now, the browser has no space, or the file has another checksum
/// than promised. In this last case, and if the server's file is another, the existing part is deleted.
pub async fn transfer(
    file: &RecordedFile,
    url: &str,
    store: &ModelStore,
    token: &CancellationToken,
    on_bytes: &dyn Fn(u64),
) -> Result<String, Failure> {
    let refused = |refusal: StorageError| errors::storage(&file.name, refusal);
    let mut writer = store.continued(file.place()).await.map_err(refused)?;
    if writer.length() > file.bytes {
        writer.clear().map_err(refused)?;
    }
    let mut transfer = Transfer { file, url, writer, checksum: Checksum::default(), token, on_bytes };
    transfer.add_what_is_here()?;
    while transfer.writer.length() < file.bytes {
        transfer.range().await?;
    }
    let Transfer { mut writer, checksum, .. } = transfer;
    let found = checksum.digits();
    if let Some(promised) = file.promised.as_ref().filter(|promised| **promised != found) {
        let _ = writer.clear(); // leftovers are found out next time
        return Err(errors::altered_on_the_way(&file.name, format!("sha256 {found} instead of {promised}")));
    }
    writer.finish().map_err(refused)?;
    Ok(found)
}

struct Transfer<'a> {
    file: &'a RecordedFile,
    url: &'a str,
    writer: FileWriter,
    checksum: Checksum,
    token: &'a CancellationToken,
    on_bytes: &'a dyn Fn(u64),
}

impl Transfer<'_> {
    fn add_what_is_here(&mut self) -> Result<(), Failure> {
        let (length, mut at) = (self.writer.length(), 0);
        while at < length {
            let piece = PIECE.min(length - at);
            let bytes = self.writer.read(at, piece).map_err(|refusal| errors::storage(&self.file.name, refusal))?;
            self.checksum.add(&bytes);
            at += piece;
        }
        (self.on_bytes)(length);
        Ok(())
    }

    /// Fetches the next range.
    async fn range(&mut self) -> Result<(), Failure> {
        if self.token.is_cancelled() {
            return Err(errors::cancelled());
        }
        let start = self.writer.length();
        let end = self.file.bytes.min(start + RANGE);
        let question = HttpRequest { range: Some((start, end - 1)), ..HttpRequest::whole(self.url) };
        let answer = HttpResponse::to(question, self.token).await?;
        self.compare(&answer, start)?;
        let end = if answer.status() == 206 { end } else { self.file.bytes };
        let mut download = Download::of(answer, self.token)?;
        while let Some(chunk) = download.next().await? {
            if self.writer.length() + u64::from(chunk.length()) > end {
                return Err(self.changed("more bytes came than the file has"));
            }
            self.writer.append(&chunk).map_err(|refusal| errors::storage(&self.file.name, refusal))?;
            self.checksum.add(&chunk.to_vec());
            (self.on_bytes)(self.writer.length());
        }
        self.writer.flush().map_err(|refusal| errors::storage(&self.file.name, refusal))?;
        if self.writer.length() < end {
            let details = format!("the connection ended after {} of {} bytes", self.writer.length(), self.file.bytes);
            return Err(errors::unreachable(self.url, details));
        }
        Ok(())
    }

    /// Checks that the response continues the existing part of the same version of the file. `If-Range` would have the
    /// server compare, but makes the browser send a preflight request, which not all storage servers behind hubs allow;
    /// so the tag is compared here, before a byte is written.
    fn compare(&mut self, answer: &HttpResponse, start: u64) -> Result<(), Failure> {
        let tag = answer.field("ETag");
        // An error page has a tag of its own, which says nothing about the file.
        let has_file = matches!(answer.status(), 200 | 206);
        let differs = has_file
            && self.file.promised.is_none()
            && !answer.redirected()
            && self.file.tag.as_ref().zip(tag.as_ref()).is_some_and(|(expected, found)| expected != found);
        if answer.status() == 416 || differs {
            return Err(self.changed(&format!("tag {tag:?} instead of {:?}", self.file.tag)));
        }
        if answer.status() == 200 && start > 0 {
            // A server that does not support ranges sends the whole file again.
            self.writer.clear().map_err(|refusal| errors::storage(&self.file.name, refusal))?;
            self.checksum = Checksum::default();
        }
        if answer.status() == 206
            && let Some((first, whole)) = answer.field("Content-Range").as_deref().and_then(content_range)
            && (first, whole) != (start, self.file.bytes)
        {
            return Err(
                self.changed(&format!("byte {first} of {whole} came instead of {start} of {}", self.file.bytes))
            );
        }
        Ok(())
    }

    fn changed(&mut self, details: &str) -> Failure {
        let _ = self.writer.clear(); // leftovers are found out by the checksum
        errors::changed_on_hub(&self.file.name, details)
    }
}
