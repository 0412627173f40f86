//! `cargo xtask serve`: a small server for `dist/`, and a rebuild with a reload on every edit.

use crate::dist::{self, Build};
use crate::engine::{Engine, engine};
use crate::page::page;
use crate::run::{Outcome, duration, timed};
use crate::{places, watch};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Counts the builds; pages wait for the next one.
#[derive(Default)]
struct Builds {
    number: Mutex<u64>,
    another: Condvar,
}

impl Builds {
    fn number(&self) -> u64 {
        *self.number.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn announce(&self) {
        *self.number.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.another.notify_all();
    }

    /// Waits for a build after this one, or a while.
    fn wait(&self, seen: u64) -> u64 {
        let number = self.number.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.another.wait_timeout_while(number, Duration::from_secs(15), |number| *number == seen);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

/// Builds, serves and rebuilds until stopped. A release is served as users get it: with service worker, without reload.
pub fn serve(build: Build, port: u16) -> Outcome<()> {
    let build = Build { live: !build.release, ..build };
    let before = watch::state(&watched());
    let page_folder = page(build)?;
    let mut current = engine(build)?;
    dist::assemble(build, &page_folder, &current)?;
    let listener = TcpListener::bind(("127.0.0.1", port))
        .map_err(|error| format!("cannot serve on 127.0.0.1:{port}: {error}; choose another with --port"))?;
    let address = listener.local_addr().map_err(|error| format!("the server has no address: {error}"))?;
    let builds = Arc::new(Builds::default());
    let announced = builds.clone();
    thread::spawn(move || {
        for connection in listener.incoming().flatten() {
            let builds = announced.clone();
            thread::spawn(move || answer(connection, &builds));
        }
    });
    println!("\nTuppum is at http://{address}/ - edits rebuild it, Ctrl-C ends it");
    let mut seen = before;
    loop {
        thread::sleep(Duration::from_millis(300));
        let now = watch::state(&watched());
        if now != seen {
            seen = now;
            match rebuild(build, &builds, &current) {
                Ok(engine) => current = engine,
                Err(message) => eprintln!("xtask: {message}; the last good build is still served"),
            }
        }
    }
}

/// The page first, since most edits are there; the engine after it, if it is touched at all.
fn rebuild(build: Build, builds: &Builds, current: &Engine) -> Outcome<Engine> {
    let start = Instant::now();
    let page_folder = page(build)?;
    dist::assemble(build, &page_folder, current)?;
    builds.announce();
    println!("── page reloaded after {}", duration(start.elapsed()));
    let engine = timed("engine", || engine(build))?;
    if engine.script != current.script {
        dist::assemble(build, &page_folder, &engine)?;
        builds.announce();
        println!("── engine reloaded after {}", duration(start.elapsed()));
    }
    Ok(engine)
}

fn watched() -> Vec<PathBuf> {
    let parts =
        ["src", "crates", "assets", "style", "public", "models", "index.html", "start.js", "Cargo.toml", "Cargo.lock"];
    parts.iter().map(|part| places::project().join(part)).collect()
}

/// Answers one request. A browser that hangs up is no failure of ours.
fn answer(mut connection: TcpStream, builds: &Builds) {
    let Ok(reading) = connection.try_clone() else { return };
    let mut lines = BufReader::new(reading).lines().map_while(Result::ok);
    let Some(request) = lines.next() else { return };
    // The rest of the head is read so that closing does not reset the connection.
    for _ in lines.by_ref().take_while(|line| !line.is_empty()) {}
    let mut words = request.split_whitespace();
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let _ = match (method, path) {
        ("GET", "/--reload") => reloads(&mut connection, builds),
        ("GET" | "HEAD", path) => send(&mut connection, method, &places::dist(), path),
        _ => head(&mut connection, "405 Method Not Allowed", "text/plain", 0),
    };
}

/// One message for each build that comes, as server-sent events.
fn reloads(connection: &mut TcpStream, builds: &Builds) -> std::io::Result<()> {
    connection.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n\r\n")?;
    let mut seen = builds.number();
    loop {
        let now = builds.wait(seen);
        // A comment between builds finds out whether the page is still there.
        connection.write_all(if now == seen { b":\n\n".as_slice() } else { b"data: built\n\n" })?;
        connection.flush()?;
        seen = now;
    }
}

fn send(connection: &mut TcpStream, method: &str, dist: &Path, path: &str) -> std::io::Result<()> {
    let Some(body) = file_for(dist, path).and_then(|file| Some((fs::read(&file).ok()?, file))) else {
        let message = format!("there is no {path}\n");
        head(connection, "404 Not Found", "text/plain; charset=utf-8", message.len())?;
        return connection.write_all(message.as_bytes());
    };
    head(connection, "200 OK", mime(&body.1), body.0.len())?;
    if method == "HEAD" { Ok(()) } else { connection.write_all(&body.0) }
}

fn head(connection: &mut TcpStream, status: &str, mime: &str, length: usize) -> std::io::Result<()> {
    let fixed = "Cache-Control: no-cache\r\nConnection: close\r\nX-Content-Type-Options: nosniff";
    write!(connection, "HTTP/1.1 {status}\r\nContent-Type: {mime}\r\nContent-Length: {length}\r\n{fixed}\r\n\r\n")
}

/// The file of a path, never one outside the folder.
fn file_for(dist: &Path, path: &str) -> Option<PathBuf> {
    let path = path.split(['?', '#']).next()?.strip_prefix('/')?;
    let inside = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    let file = dist.join(if path.is_empty() { "index.html" } else { path });
    inside.then_some(file)
}

fn mime(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()).unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "wasm" => "application/wasm",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "woff2" => "font/woff2",
        "txt" | "md" | "tsv" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_inside() {
        let dist = Path::new("dist");
        assert_eq!(file_for(dist, "/"), Some(dist.join("index.html")));
        assert_eq!(file_for(dist, "/models/a.json?v=1"), Some(dist.join("models/a.json")));
        assert_eq!(file_for(dist, "/../Cargo.toml"), None);
        assert_eq!(file_for(dist, "//etc/passwd"), None);
        assert_eq!(file_for(dist, "index.html"), None);
    }

    #[test]
    fn wasm_has_its_own_type() {
        assert_eq!(mime(Path::new("a_bg.wasm")), "application/wasm");
        assert_eq!(mime(Path::new("restorer.safetensors")), "application/octet-stream");
    }
}
