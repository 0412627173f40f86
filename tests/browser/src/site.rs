//! A static file server on the loopback that can misbehave: stop, alter a file's bytes, hold a file back half-way, cut
//! the connection. It supports ranges, and can be open to pages of other origins, as a hub is.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Function that changes a file's bytes before they are sent.
type Alteration = Arc<dyn Fn(Vec<u8>) -> Vec<u8> + Send + Sync>;

/// Server of the built page, on a port that it keeps while stopped.
pub struct Site {
    address: SocketAddr,
    shared: Arc<Shared>,
    running: Option<Running>,
}

struct Running {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    released: Condvar,
}

#[derive(Default)]
struct State {
    /// Folders by the path prefix that they serve, longest prefix first.
    folders: Vec<(String, PathBuf)>,
    altered: BTreeMap<String, Alteration>,
    held: Vec<String>,
    /// First byte of each file that is never sent.
    cut: BTreeMap<String, u64>,
    /// Byte of each file in which one bit is sent wrong.
    flipped: BTreeMap<String, u64>,
    /// Extra header fields, by path.
    fields: BTreeMap<String, Vec<(String, String)>>,
    /// `true` if pages of other origins may read the answers.
    open: bool,
    requests: Vec<String>,
    /// Paths and first bytes of range requests.
    ranges: Vec<(String, u64)>,
}

impl Site {
    /// Serves `folder` at `/`, on a free port.
    ///
    /// # Panics
    /// The loopback has no free port.
    pub fn serve(folder: &Path) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port on 127.0.0.1");
        let address = listener.local_addr().expect("the address of a bound listener");
        let mut site = Self { address, shared: Arc::default(), running: None };
        site.mount("/", folder);
        site.run(listener);
        site
    }

    /// Serves the built page, with the tiny random models of the golden tests under `/models/tiny/` and
    /// `/models/tiny-translator/`.
    pub fn of_the_page() -> Self {
        let site = Self::serve(&crate::dist());
        let golden = crate::workspace().join("tests/golden");
        site.mount("/models/tiny/", &golden.join("tiny-torso"));
        site.mount("/models/tiny-translator/", &golden.join("tiny-translator"));
        site
    }

    /// Serves `folder` at `/` to pages of every origin, as a hub does.
    pub fn of_a_hub(folder: &Path) -> Self {
        let site = Self::serve(folder);
        site.state().open = true;
        site
    }

    /// Serves paths below `prefix` from `folder`.
    pub fn mount(&self, prefix: &str, folder: &Path) {
        let mut state = self.state();
        state.folders.push((prefix.to_owned(), folder.to_owned()));
        state.folders.sort_by_key(|(prefix, _)| std::cmp::Reverse(prefix.len()));
    }

    /// Returns the address of the page, with `fragment` (without `#`) if it is not empty.
    pub fn url(&self, fragment: &str) -> String {
        let hash = if fragment.is_empty() { "" } else { "#" };
        format!("{}{hash}{fragment}", self.origin() + "/")
    }

    /// Returns scheme, host and port.
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Changes the bytes sent for `path` from now on.
    pub fn alter(&self, path: &str, alteration: impl Fn(Vec<u8>) -> Vec<u8> + Send + Sync + 'static) {
        self.state().altered.insert(path.to_owned(), Arc::new(alteration));
    }

    /// Puts `code` before the JavaScript file `path`.
    pub fn prelude(&self, path: &str, code: &'static str) {
        self.alter(path, |bytes| [code.as_bytes(), b"\n", &bytes].concat());
    }

    /// Puts `code` before the script of the engine's worker.
    pub fn engine_prelude(&self, code: &'static str) {
        self.prelude(&engine_script(), code);
    }

    /// Sends the original bytes of `path` again.
    pub fn restore(&self, path: &str) {
        self.state().altered.remove(path);
    }

    /// Sets a header field of every answer for `path`.
    pub fn field(&self, path: &str, name: &str, value: &str) {
        let mut state = self.state();
        let fields = state.fields.entry(path.to_owned()).or_default();
        fields.retain(|(other, _)| other != name);
        fields.push((name.to_owned(), value.to_owned()));
    }

    /// Closes the connection whenever this byte of `path` would be sent, until [`Site::mend`]. A path that is also held
    /// closes only when it is released, so that everything before the cut can arrive: when a connection closes, a
    /// browser drops bytes that it has not yet passed on.
    pub fn cut(&self, path: &str, byte: u64) {
        self.state().cut.insert(path.to_owned(), byte);
    }

    /// Sends one bit of this byte of `path` wrong, until [`Site::mend`].
    pub fn flip(&self, path: &str, byte: u64) {
        self.state().flipped.insert(path.to_owned(), byte);
    }

    /// Stops closing connections at `path`.
    pub fn uncut(&self, path: &str) {
        self.state().cut.remove(path);
    }

    /// Sends the whole of `path` again, unchanged.
    pub fn mend(&self, path: &str) {
        let mut state = self.state();
        state.cut.remove(path);
        state.flipped.remove(path);
    }

    /// Returns paths and first bytes of the range requests since the last call.
    pub fn ranges(&self) -> Vec<(String, u64)> {
        std::mem::take(&mut self.state().ranges)
    }

    /// Sends only the first half of `path`, or everything before a cut, until [`Site::release`].
    pub fn hold(&self, path: &str) {
        self.state().held.push(path.to_owned());
    }

    /// Sends what was held back.
    pub fn release(&self) {
        self.state().held.clear();
        self.shared.released.notify_all();
    }

    /// Returns the paths requested since the last call.
    pub fn requests(&self) -> Vec<String> {
        std::mem::take(&mut self.state().requests)
    }

    /// Returns `true` for the path of a model's file. The models' cards are part of the page: its help links them.
    pub fn is_of_a_model(path: &str) -> bool {
        path.contains("models/") && !["/README.md", "/card.html"].iter().any(|card| path.ends_with(card))
    }

    /// Closes the port: to the browser, the network is down.
    pub fn stop(&mut self) {
        self.release();
        let Some(running) = self.running.take() else { return };
        running.stop.store(true, Ordering::SeqCst);
        // A last connection wakes the thread, so that it sees the flag.
        let _ = TcpStream::connect(self.address);
        let _ = running.thread.join();
    }

    /// Opens the same port again.
    ///
    /// # Panics
    /// Another program has taken the port meanwhile.
    pub fn start(&mut self) {
        if self.running.is_none() {
            let listener = TcpListener::bind(self.address).expect("the port of this site is free again");
            self.run(listener);
        }
    }

    fn run(&mut self, listener: TcpListener) {
        let stop = Arc::new(AtomicBool::new(false));
        let (flag, shared) = (Arc::clone(&stop), Arc::clone(&self.shared));
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if flag.load(Ordering::SeqCst) {
                    return;
                }
                let shared = Arc::clone(&shared);
                std::thread::spawn(move || {
                    // A browser that closes a connection early is no failure of the test.
                    let _ = shared.answer(stream);
                });
            }
        });
        self.running = Some(Running { stop, thread });
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.lock()
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answer(&self, mut stream: TcpStream) -> std::io::Result<()> {
        stream.set_read_timeout(Some(Duration::from_secs(10)))?;
        let Some(asked) = Asked::read(&mut stream)? else { return Ok(()) };
        let Asked { method, path, range } = &asked;
        let (alteration, file, cut, flipped, fields) = {
            let mut state = self.lock();
            state.requests.push(path.clone());
            state.ranges.extend(range.map(|(first, _)| (path.clone(), first)));
            let mut fields = state.fields.get(path).cloned().unwrap_or_default();
            if state.open {
                let all = ["Access-Control-Allow-Origin", "Access-Control-Expose-Headers"];
                fields.extend(all.map(|name| (name.to_owned(), "*".to_owned())));
            }
            let (cut, flipped) = (state.cut.get(path).copied(), state.flipped.get(path).copied());
            (state.altered.get(path).cloned(), state.file(path), cut, flipped, fields)
        };
        let Some(mut body) = file.as_ref().and_then(|file| Body::open(file, alteration.as_ref()).ok()) else {
            let text = format!("no such file: {path}\n");
            let head = head("404 Not Found", "text/plain; charset=utf-8", text.len() as u64, &fields);
            return write!(stream, "{head}{text}");
        };
        let kind = mime(file.as_deref().unwrap_or(Path::new("")));
        let length = body.length()?;
        let (first, end, status) = match range {
            Some((first, _)) if *first >= length => {
                return write!(stream, "{}", head("416 Range Not Satisfiable", kind, 0, &fields));
            }
            Some((first, last)) => (*first, length.min(last.saturating_add(1)), "206 Partial Content"),
            None => (0, length, "200 OK"),
        };
        let mut fields = fields;
        if range.is_some() {
            fields.push(("Content-Range".to_owned(), format!("bytes {first}-{}/{length}", end - 1)));
        }
        stream.write_all(head(status, kind, end - first, &fields).as_bytes())?;
        if method == "HEAD" {
            return Ok(());
        }
        let sent = cut.map_or(end, |cut| cut.clamp(first, end));
        let half = if sent < end { sent } else { first + (sent - first) / 2 };
        body.send(first, half, flipped, &mut stream)?;
        stream.flush()?;
        let mut state = self.lock();
        while state.held.contains(path) {
            state = self.released.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        drop(state);
        body.send(half, sent, flipped, &mut stream)
    }
}

/// Body of an answer: a file, read while it is sent, or altered bytes.
enum Body {
    File(File),
    Altered(Vec<u8>),
}

impl Body {
    fn open(path: &Path, alteration: Option<&Alteration>) -> std::io::Result<Self> {
        if path.is_dir() {
            return Err(std::io::ErrorKind::NotFound.into());
        }
        match alteration {
            Some(alter) => Ok(Self::Altered(alter(std::fs::read(path)?))),
            None => Ok(Self::File(File::open(path)?)),
        }
    }

    fn length(&self) -> std::io::Result<u64> {
        match self {
            Self::File(file) => Ok(file.metadata()?.len()),
            Self::Altered(bytes) => Ok(bytes.len() as u64),
        }
    }

    fn send(&mut self, first: u64, end: u64, flipped: Option<u64>, stream: &mut TcpStream) -> std::io::Result<()> {
        let file = match self {
            Self::File(file) => file,
            Self::Altered(bytes) => {
                return stream.write_all(bytes.get(first as usize..end as usize).unwrap_or_default());
            }
        };
        file.seek(SeekFrom::Start(first))?;
        let (mut at, mut part) = (first, vec![0; 1 << 20]);
        while at < end {
            let length = part.len().min((end - at) as usize);
            let bytes = part.get_mut(..length).unwrap_or_default();
            file.read_exact(bytes)?;
            let place = flipped.and_then(|byte| byte.checked_sub(at)).and_then(|place| bytes.get_mut(place as usize));
            if let Some(byte) = place {
                *byte ^= 1;
            }
            stream.write_all(bytes)?;
            at += length as u64;
        }
        Ok(())
    }
}

impl State {
    /// Returns the file for `path`, without checking that it exists.
    fn file(&self, path: &str) -> Option<PathBuf> {
        let (prefix, folder) = self.folders.iter().find(|(prefix, _)| path.starts_with(prefix.as_str()))?;
        let rest = path.strip_prefix(prefix.as_str())?;
        let rest = if rest.is_empty() || rest.ends_with('/') { format!("{rest}index.html") } else { rest.to_owned() };
        let plain = Path::new(&rest).components().all(|part| matches!(part, Component::Normal(_)));
        plain.then(|| folder.join(rest))
    }
}

/// A request; other header fields are ignored.
struct Asked {
    method: String,
    /// Path without the query.
    path: String,
    /// First and last byte.
    range: Option<(u64, u64)>,
}

impl Asked {
    fn read(stream: &mut TcpStream) -> std::io::Result<Option<Self>> {
        let mut head = Vec::new();
        let mut part = [0; 4096];
        while !head.windows(4).any(|end| end == b"\r\n\r\n") && head.len() < 65_536 {
            let read = stream.read(&mut part)?;
            if read == 0 {
                break;
            }
            head.extend_from_slice(part.get(..read).unwrap_or_default());
        }
        let head = String::from_utf8_lossy(&head);
        let mut words = head.lines().next().unwrap_or_default().split(' ');
        let (Some(method), Some(target)) = (words.next(), words.next()) else { return Ok(None) };
        let path = target.split(['?', '#']).next().unwrap_or_default();
        let field = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("range").then(|| value.trim().to_owned())
        });
        let range = field.and_then(|field| {
            let (first, last) = field.strip_prefix("bytes=")?.split_once('-')?;
            Some((first.parse().ok()?, last.parse().unwrap_or(u64::MAX)))
        });
        Ok(Some(Self { method: method.to_owned(), path: path.to_owned(), range }))
    }
}

fn head(status: &str, kind: &str, length: u64, fields: &[(String, String)]) -> String {
    let fields: String = fields.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    // `no-store`, so that an answer without network can only come from the service worker.
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n{fields}Accept-Ranges: \
         bytes\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n"
    )
}

fn mime(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()).unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" | "md" | "tsv" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// Returns the path of the engine's worker script, as the built page names it.
///
/// # Panics
/// The page does not name it.
pub fn engine_script() -> String {
    let page = std::fs::read_to_string(crate::dist().join("index.html")).expect("the built page");
    let meta = page.split("<meta").find(|meta| meta.contains("tuppum-engine")).expect("the page names its engine");
    let content = meta.split_once("content=").expect("the address of the engine").1;
    let address = content.trim_start_matches(['"', '\'']).split(['"', '\'', '?', '>', ' ']).next().unwrap_or_default();
    format!("/{}", address.trim_start_matches("./").trim_start_matches('/'))
}
