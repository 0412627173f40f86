//! The engine's worker, used by messages as the page does.

use crate::browser::Browser;
use crate::site::Site;
use crate::workbench::{ANSWERING, SOON};
use serde_json::{Value, json};
use std::cell::Cell;
use std::time::Duration;
use tuppum_protocol::translation::{Question, Scope};
use tuppum_protocol::{DevicePreference, ModelRef, ModelRequest, OpenModel, Request};

/// Script that starts a worker of the test's own and keeps its messages.
const START: &str = "
    const script = document.querySelector('meta[name=tuppum-engine]').content;
    window.heard = [];
    const name = new URL('./', document.baseURI).href;
    window.engine = new Worker(new URL(script, document.baseURI), { type: 'module', name });
    window.engine.onmessage = (event) => window.heard.push(event.data);";

/// Script that returns the events of a request.
const EVENTS: &str = "return window.heard.map(message => message.Event).filter(event => event?.id === arguments[0])
    .map(event => event.event)";

/// A worker beside the page's own.
pub struct Engine {
    /// Browser whose page started the worker.
    pub page: Browser,
    last: Cell<u32>,
}

impl Engine {
    /// Opens the page with the tiny restorer and starts a worker.
    #[track_caller]
    pub fn start(page: Browser, site: &Site) -> Self {
        let engine = Self { page, last: Cell::new(1000) };
        engine.restart(site);
        engine
    }

    /// Opens the page again and starts a new worker, as after the tab was closed.
    #[track_caller]
    pub fn restart(&self, site: &Site) {
        self.page.open("about:blank");
        self.page.open(&site.url("model=models/tiny/&device=cpu"));
        self.page.run(START, &[]);
        self.page.wait("the worker", SOON, |page| {
            (page.try_run("return window.heard[0]", &[]).unwrap_or_default() == "Ready").then_some(())
        });
    }

    /// Sends a request without waiting.
    #[track_caller]
    pub fn send(&self, id: u32, request: impl Into<Request>) {
        self.page.run("window.engine.postMessage(arguments[0])", &[json!({ "id": id, "request": request.into() })]);
    }

    /// Sends a request under an unused number, from 1000 on; returns the number.
    #[track_caller]
    pub fn send_next(&self, request: impl Into<Request>) -> u32 {
        self.last.set(self.last.get() + 1);
        self.send(self.last.get(), request);
        self.last.get()
    }

    /// Sends a request under an unused number and waits for its end; returns its events.
    #[track_caller]
    pub fn ask_next(&self, request: impl Into<Request>) -> Vec<Value> {
        let id = self.send_next(request);
        self.ended(id, ANSWERING)
    }

    /// Returns the events of a request so far.
    pub fn events(&self, id: u32) -> Vec<Value> {
        let events = self.page.try_run(EVENTS, &[json!(id)]).unwrap_or_default();
        events.as_array().cloned().unwrap_or_default()
    }

    /// Sends a request and waits for its end; returns its events.
    #[track_caller]
    pub fn ask(&self, id: u32, request: impl Into<Request>) -> Vec<Value> {
        self.send(id, request);
        self.ended(id, ANSWERING)
    }

    /// Waits for the end of a request; returns its events.
    #[track_caller]
    pub fn ended(&self, id: u32, limit: Duration) -> Vec<Value> {
        self.page.wait("the end of a request", limit, |_| {
            let events = self.events(id);
            events.iter().any(|event| event == "Done" || event.get("Failed").is_some()).then_some(events)
        })
    }
}

/// Returns the contents of the events of this name.
pub fn parts<'e>(events: &'e [Value], name: &str) -> Vec<&'e Value> {
    events.iter().filter_map(|event| event.get(name)).collect()
}

/// Returns the content of the only event of this name.
///
/// # Panics
/// There is none; the message shows the events.
#[track_caller]
pub fn part<'e>(events: &'e [Value], name: &str) -> &'e Value {
    parts(events, name).first().copied().unwrap_or_else(|| panic!("no {name} in {events:?}"))
}

/// Returns the request that opens a translator, and stores it if it comes with the page.
pub fn open_translator(model: ModelRef, device: DevicePreference) -> ModelRequest {
    ModelRequest::OpenTranslator(OpenModel { model, device, store: true })
}

/// Returns the request for a translation.
pub fn translate(text: &str, bias: bool) -> ModelRequest {
    let (beams, answers, longest) = (5, 3, 40);
    ModelRequest::Translate(Question { scope: Scope::Lines, beams, answers, longest, bias, ..Question::about(text) })
}
