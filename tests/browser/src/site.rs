//! A static file server on the loopback that can misbehave: stop, alter the bytes of a file, hold a file back half-way.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Changes the bytes of a file before they are sent.
type Alteration = Arc<dyn Fn(Vec<u8>) -> Vec<u8> + Send + Sync>;

/// A server over the built page, on a port of its own that it keeps while stopped.
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
    /// Folders by the prefix of the path that they answer, longest prefix first.
    folders: Vec<(String, PathBuf)>,
    altered: BTreeMap<String, Alteration>,
    held: Vec<String>,
    requests: Vec<String>,
}

impl Site {
    /// Serves `folder` at `/`, on a free port.
    ///
    /// # Panics
    /// When the loopback gives no port.
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

    /// Answers paths below `prefix` from `folder`.
    pub fn mount(&self, prefix: &str, folder: &Path) {
        let mut state = self.state();
        state.folders.push((prefix.to_owned(), folder.to_owned()));
        state.folders.sort_by_key(|(prefix, _)| std::cmp::Reverse(prefix.len()));
    }

    /// The address of the page, with `fragment` (without `#`) when it is not empty.
    pub fn url(&self, fragment: &str) -> String {
        let hash = if fragment.is_empty() { "" } else { "#" };
        format!("{}{hash}{fragment}", self.origin() + "/")
    }

    /// Scheme, host and port.
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Changes what is sent for `path` from now on.
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

    /// Sends the true bytes of `path` again.
    pub fn restore(&self, path: &str) {
        self.state().altered.remove(path);
    }

    /// Sends only the first half of `path` until [`Site::release`].
    pub fn hold(&self, path: &str) {
        self.state().held.push(path.to_owned());
    }

    /// Sends what was held back.
    pub fn release(&self) {
        self.state().held.clear();
        self.shared.released.notify_all();
    }

    /// The paths asked for since the last call.
    pub fn requests(&self) -> Vec<String> {
        std::mem::take(&mut self.state().requests)
    }

    /// Closes the port: to the browser, the network is off.
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
    /// When something else took the port meanwhile.
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
        let Some((method, path)) = request_line(&mut stream)? else { return Ok(()) };
        let (alteration, file) = {
            let mut state = self.lock();
            state.requests.push(path.clone());
            (state.altered.get(&path).cloned(), state.file(&path))
        };
        let body = file.as_ref().and_then(|file| std::fs::read(file).ok());
        let Some(body) = body else {
            let text = format!("no such file: {path}\n");
            return write!(stream, "{}{text}", head("404 Not Found", "text/plain; charset=utf-8", text.len()));
        };
        let body = match alteration {
            Some(alter) => alter(body),
            None => body,
        };
        let kind = mime(file.as_deref().unwrap_or(Path::new("")));
        stream.write_all(head("200 OK", kind, body.len()).as_bytes())?;
        if method == "HEAD" {
            return Ok(());
        }
        let (first, rest) = body.split_at(body.len() / 2);
        stream.write_all(first)?;
        stream.flush()?;
        let mut state = self.lock();
        while state.held.contains(&path) {
            state = self.released.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        drop(state);
        stream.write_all(rest)
    }
}

impl State {
    /// The file that answers `path`, without looking whether it is there.
    fn file(&self, path: &str) -> Option<PathBuf> {
        let (prefix, folder) = self.folders.iter().find(|(prefix, _)| path.starts_with(prefix.as_str()))?;
        let rest = path.strip_prefix(prefix.as_str())?;
        let rest = if rest.is_empty() || rest.ends_with('/') { format!("{rest}index.html") } else { rest.to_owned() };
        let plain = Path::new(&rest).components().all(|part| matches!(part, Component::Normal(_)));
        plain.then(|| folder.join(rest))
    }
}

/// Method and path (without query) of one request; the rest of its head is read and left aside.
fn request_line(stream: &mut TcpStream) -> std::io::Result<Option<(String, String)>> {
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
    Ok(Some((method.to_owned(), path.to_owned())))
}

fn head(status: &str, kind: &str, length: usize) -> String {
    // `no-store`, so that an answer with the network off can only come from the service worker.
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n"
    )
}

fn mime(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()).unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
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

/// Path of the script of the engine's worker, as the built page names it.
///
/// # Panics
/// When the page does not name it.
pub fn engine_script() -> String {
    let page = std::fs::read_to_string(crate::dist().join("index.html")).expect("the built page");
    let meta = page.split("<meta").find(|meta| meta.contains("tuppum-engine")).expect("the page names its engine");
    let content = meta.split_once("content=").expect("the address of the engine").1;
    let address = content.trim_start_matches(['"', '\'']).split(['"', '\'', '?', '>', ' ']).next().unwrap_or_default();
    format!("/{}", address.trim_start_matches("./").trim_start_matches('/'))
}
