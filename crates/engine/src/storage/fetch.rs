//! Fetching files over the network, chunk by chunk.

use crate::bindings::{Head, abort_signal, scope, thrown};
use crate::errors;
use crate::queue::CancellationToken;
use js_sys::{Object, Reflect, Uint8Array};
use tuppum_protocol::Failure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{ReadableStreamDefaultReader, Request, RequestCache, RequestInit, Response};

/// Request to a server.
#[derive(Clone, Copy, Debug)]
pub struct HttpRequest<'a> {
    /// Address to fetch.
    pub url: &'a str,
    /// `true` if only the head of the response is wanted.
    pub head: bool,
    /// Range of bytes wanted, including the last one; `None` for all.
    pub range: Option<(u64, u64)>,
    /// Use of the browser's own cache.
    pub cache: RequestCache,
}

impl<'a> HttpRequest<'a> {
    /// Returns a request for a whole file that bypasses the browser's own cache.
    pub fn whole(url: &'a str) -> Self {
        Self { url, head: false, range: None, cache: RequestCache::NoStore }
    }
}

/// Head of a response.
pub struct HttpResponse {
    url: String,
    response: Response,
}

impl HttpResponse {
    /// Sends a request and waits for the head of the response, whatever its status.
    ///
    /// # Errors
    /// The server cannot be reached, or the job is cancelled.
    pub async fn to(question: HttpRequest<'_>, token: &CancellationToken) -> Result<Self, Failure> {
        let url = question.url;
        let wrong = |thrown: JsValue| failed(url, &thrown, token);
        let options = RequestInit::new();
        options.set_cache(question.cache);
        options.set_signal(abort_signal(token).as_ref());
        if question.head {
            options.set_method("HEAD");
        }
        if let Some((from, to)) = question.range {
            let headers = Object::new();
            Reflect::set(&headers, &"Range".into(), &format!("bytes={from}-{to}").into()).map_err(wrong)?;
            options.set_headers(&headers);
        }
        let request = Request::new_with_str_and_init(url, &options).map_err(wrong)?;
        let response = JsFuture::from(scope().fetch_with_request(&request)).await.map_err(wrong)?;
        Ok(Self { url: url.to_owned(), response: response.unchecked_into() })
    }

    /// Returns the HTTP status of the response.
    pub fn status(&self) -> u16 {
        self.response.status()
    }

    /// Returns `true` if the status is one of success.
    pub fn ok(&self) -> bool {
        self.response.ok()
    }

    /// Returns a header field, if the server lets it be read.
    pub fn field(&self, name: &str) -> Option<String> {
        self.response.unchecked_ref::<Head>().headers().get(name)
    }

    /// Returns `true` if the response comes from another address than the one requested.
    pub fn redirected(&self) -> bool {
        self.response.unchecked_ref::<Head>().redirected()
    }
}

/// File that is being downloaded.
pub struct Download {
    url: String,
    token: CancellationToken,
    reader: ReadableStreamDefaultReader,
    finished: bool,
}

impl Download {
    /// Requests `url` and waits for the head of the response.
    ///
    /// # Errors
    /// The server cannot be reached or refuses, or the job is cancelled.
    pub async fn begin(url: &str, cache: RequestCache, token: &CancellationToken) -> Result<Self, Failure> {
        let answer = HttpResponse::to(HttpRequest { cache, ..HttpRequest::whole(url) }, token).await?;
        Self::of(answer, token)
    }

    /// Starts reading the body of a response.
    ///
    /// # Errors
    /// The server refuses.
    pub fn of(answer: HttpResponse, token: &CancellationToken) -> Result<Self, Failure> {
        let HttpResponse { url, response } = answer;
        if !response.ok() {
            return Err(errors::refused(&url, response.status()));
        }
        let body = response.body().ok_or_else(|| errors::unreachable(&url, "the answer has no body"))?;
        let reader = ReadableStreamDefaultReader::new(&body).map_err(|thrown| failed(&url, &thrown, token))?;
        Ok(Self { url, token: token.clone(), reader, finished: false })
    }

    /// Returns the next chunk, or `None` at the end.
    ///
    /// # Errors
    /// The connection breaks, or the job is cancelled.
    pub async fn next(&mut self) -> Result<Option<Uint8Array>, Failure> {
        let wrong = |thrown: JsValue| failed(&self.url, &thrown, &self.token);
        let read = JsFuture::from(self.reader.read()).await.map_err(wrong)?;
        if Reflect::get(&read, &"done".into()).map_err(wrong)?.is_truthy() {
            self.finished = true;
            return Ok(None);
        }
        Ok(Some(Reflect::get(&read, &"value".into()).map_err(wrong)?.unchecked_into()))
    }
}

impl Drop for Download {
    fn drop(&mut self) {
        if !self.finished {
            let _ = self.reader.cancel();
        }
    }
}

/// Downloads a small file.
///
/// # Errors
/// The same as those of [`Download`], or the file is longer than `limit` bytes.
pub async fn small(url: &str, limit: usize, token: &CancellationToken) -> Result<Vec<u8>, Failure> {
    let download = Download::begin(url, RequestCache::NoCache, token).await?;
    all(download, limit).await
}

/// Reads all bytes of a small file that is being downloaded.
///
/// # Errors
/// The same as those of [`Download::next`], or the file is longer than `limit` bytes.
pub async fn all(mut download: Download, limit: usize) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    while let Some(chunk) = download.next().await? {
        bytes.extend(chunk.to_vec());
        if bytes.len() > limit {
            return Err(errors::unreadable(&download.url, format!("longer than {limit} bytes")));
        }
    }
    Ok(bytes)
}

fn failed(url: &str, error: &JsValue, token: &CancellationToken) -> Failure {
    if token.is_cancelled() { errors::cancelled() } else { errors::unreachable(url, thrown(error)) }
}
