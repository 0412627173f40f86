//! The page's side of the worker: sends requests, receives events and starts a new worker when the old one breaks.
//!
//! Every request ends in exactly one `Done` or `Failed`, whatever becomes of the worker. When a worker breaks, its open
//! requests fail, a new worker starts, and the restorer is opened again without being asked for: on the CPU if the GPU
//! may have been the cause.
//!
//! The page reads progress, the restorer's device and the end of a request here. Answers stay undecoded until the
//! requester, who knows their type, reads them.

use gloo::timers::callback::Timeout;
use js_sys::{Array, Object, Reflect};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_wasm_bindgen::{Error, from_value, preserve};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use tuppum_protocol::{
    DeviceKind, DevicePreference, Failure, FailureKind, FromEngine, Message, ModelRef, ModelRequest, OpenModel, Reply,
    Request, RequestId, StorageRequest, ToEngine, TrainingRequest,
};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{ErrorEvent, File, MessageEvent, Url, Worker, WorkerOptions, WorkerType};

/// The `<meta>` whose content is the address of the worker's script, written by the build.
const SCRIPT_META: &str = "meta[name='tuppum-engine']";
/// Number of breaks in a row, with no answer in between, after which the page starts no more workers.
const MAX_BREAKS: u32 = 3;

/// Milliseconds before a request to cancel is sent again when the browser could not post it.
const CANCEL_AGAIN_AFTER_MS: u32 = 500;

/// Reason shown for computing on the CPU after the GPU may have broken the worker.
const GPU_SPARED: &str = "The CPU computes because the engine broke off, and the GPU may have been the cause. “Start \
    the model again” tries the GPU anew.";

/// Handler of the events of one request. It decodes the answers, which may fail.
type UnreadHandler = Rc<RefCell<dyn FnMut(Reply<JsValue>) -> Result<(), Error>>>;

/// Client of the engine. Clones talk to the same worker.
#[derive(Clone)]
pub struct EngineClient {
    state: Rc<RefCell<State>>,
}

struct State {
    script: String,
    worker: Option<RunningWorker>,
    /// Requests in order of sending, held back until the worker is ready.
    waiting: Vec<Waiting>,
    open: BTreeMap<RequestId, UnreadHandler>,
    last: RequestId,
    /// The last request that opened the restorer, repeated in a new worker.
    opening: Option<Opening>,
    device: Option<DeviceKind>,
    breaks: u32,
    workers: u32,
    /// The translator that was opened last, and the number of the worker that opened it.
    translator: Option<(ModelRef, u32)>,
}

/// A request with the files that travel beside it, which plain data cannot hold.
struct Waiting {
    message: ToEngine,
    files: Vec<File>,
}

impl From<ToEngine> for Waiting {
    fn from(message: ToEngine) -> Self {
        Self { message, files: Vec::new() }
    }
}

#[derive(Clone)]
struct Opening {
    id: RequestId,
    asked: OpenModel,
    handler: UnreadHandler,
    /// `true` if the CPU computes in place of a GPU that may have broken the worker.
    spares_gpu: bool,
}

/// A running worker with its listeners.
struct RunningWorker {
    worker: Worker,
    ready: bool,
    _message: Closure<dyn FnMut(MessageEvent)>,
    _error: Closure<dyn FnMut(ErrorEvent)>,
}

impl Drop for RunningWorker {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onmessageerror(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

impl EngineClient {
    /// Starts the worker whose script the page names.
    ///
    /// # Errors
    /// The page names no script, or the browser refuses to start the worker.
    pub fn start() -> Result<Self, Failure> {
        let document = web_sys::window().and_then(|window| window.document());
        let meta = document.and_then(|document| document.query_selector(SCRIPT_META).ok().flatten());
        let script = meta.and_then(|meta| meta.get_attribute("content")).filter(|script| !script.is_empty());
        let script = script.ok_or_else(|| could_not_start("the page does not name the engine's script"))?;
        Self::start_script(&absolute(&script))
    }

    /// Starts the worker with this script, an absolute address.
    ///
    /// # Errors
    /// The browser refuses to start the worker.
    pub fn start_script(script: &str) -> Result<Self, Failure> {
        let state = State {
            script: script.to_owned(),
            worker: None,
            waiting: Vec::new(),
            open: BTreeMap::new(),
            last: 0,
            opening: None,
            device: None,
            breaks: 0,
            workers: 0,
            translator: None,
        };
        let client = Self { state: Rc::new(RefCell::new(state)) };
        client.spawn()?;
        Ok(client)
    }

    /// Sends a request. `handle` receives its events, with answers of type `A`; the last event is `Done` or `Failed`.
    /// The handler of `OpenRestorer` is called again when the restorer is reopened after the worker broke.
    pub fn send<A: DeserializeOwned>(
        &self,
        request: impl Into<Request>,
        handle: impl FnMut(Reply<A>) + 'static,
    ) -> RequestId {
        self.send_with_files(request, Vec::new(), handle)
    }

    /// Sends a request with files of the user, which are passed on unread.
    pub fn send_with_files<A: DeserializeOwned>(
        &self,
        request: impl Into<Request>,
        files: Vec<File>,
        mut handle: impl FnMut(Reply<A>) + 'static,
    ) -> RequestId {
        let read = move |told: Reply<JsValue>| told.read(serde_wasm_bindgen::from_value).map(&mut handle);
        self.send_unread(request.into(), files, Rc::new(RefCell::new(read)))
    }

    fn send_unread(&self, request: Request, files: Vec<File>, handler: UnreadHandler) -> RequestId {
        let mut state = self.state.borrow_mut();
        state.last += 1;
        let id = state.last;
        match &request {
            Request::Model(ModelRequest::OpenRestorer(asked)) => {
                let (asked, handler) = (asked.clone(), handler.clone());
                state.opening = Some(Opening { id, asked, handler, spares_gpu: false });
            }
            Request::Model(ModelRequest::OpenTranslator(asked)) => {
                // Without a worker, the next one opens the translator.
                let worker = state.workers + u32::from(state.worker.is_none());
                state.translator = Some((asked.model.clone(), worker));
            }
            Request::Storage(
                StorageRequest::DeleteModel(_) | StorageRequest::ImportFiles { .. } | StorageRequest::FetchModel(_),
            )
            | Request::Training(TrainingRequest::StoreModel { .. }) => {
                state.translator = None; // the name may stand for other weights afterwards
            }
            _ => {}
        }
        state.open.insert(id, handler);
        state.waiting.push(Waiting { message: ToEngine { id, request }, files });
        let missing = state.worker.is_none();
        drop(state);
        if missing {
            self.start_next_worker();
        }
        self.flush();
        id
    }

    /// Returns the number of workers started so far. Whatever an earlier worker held is gone.
    pub fn worker_number(&self) -> u32 {
        self.state.borrow().workers
    }

    /// Returns `true` if this translator was the last one that the present worker was asked to open: a worker holds one
    /// translator, whichever part of the page opened it.
    pub fn holds_translator(&self, model: &ModelRef) -> bool {
        let state = self.state.borrow();
        state.translator.as_ref().is_some_and(|(held, worker)| held == model && *worker == state.workers)
    }

    /// Asks the worker to stop a request, which then fails as cancelled, unless it has ended already.
    pub fn cancel(&self, id: RequestId) {
        let mut state = self.state.borrow_mut();
        if !state.open.contains_key(&id) {
            return;
        }
        state.last += 1;
        let cancel = ToEngine { id: state.last, request: Request::Cancel(id) };
        state.waiting.push(cancel.into());
        drop(state);
        self.flush();
    }

    fn spawn(&self) -> Result<(), Failure> {
        let refused = |error: JsValue| could_not_start(format!("{error:?}"));
        let script = self.state.borrow().script.clone();
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        // The worker's name is the page's address: there it finds the models that come with the page, wherever its own
        // script lies.
        options.set_name(&absolute("./"));
        let worker = Worker::new_with_options(&script, &options).map_err(refused)?;
        let client = Rc::downgrade(&self.state);
        let with_client = move |act: &dyn Fn(&EngineClient)| {
            if let Some(state) = client.upgrade() {
                act(&EngineClient { state });
            }
        };
        let on_error = with_client.clone();
        let message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            with_client(&|client| client.receive(event.data()));
        });
        let error = Closure::<dyn FnMut(ErrorEvent)>::new(move |event: ErrorEvent| {
            let details = format!("{} ({}:{})", event.message(), event.filename(), event.lineno());
            on_error(&|client| client.broken(&details));
        });
        worker.set_onmessage(Some(message.as_ref().unchecked_ref()));
        worker.set_onmessageerror(Some(message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(error.as_ref().unchecked_ref()));
        let mut state = self.state.borrow_mut();
        state.workers += 1;
        state.worker = Some(RunningWorker { worker, ready: false, _message: message, _error: error });
        drop(state);
        Ok(())
    }

    /// Posts the waiting requests if the worker is ready.
    fn flush(&self) {
        let mut state = self.state.borrow_mut();
        let Some(worker) = state.worker.as_ref().filter(|live| live.ready).map(|live| live.worker.clone()) else {
            return;
        };
        let waiting = std::mem::take(&mut state.waiting);
        drop(state);
        for Waiting { message, files } in waiting {
            let posted = serde_wasm_bindgen::to_value(&message).map_err(JsValue::from).and_then(|value| {
                if !files.is_empty() {
                    let files: Array = files.iter().collect();
                    Reflect::set(&value, &"files".into(), &files)?;
                }
                worker.post_message(&value)
            });
            let Err(error) = posted else { continue };
            if let Request::Cancel(unwanted) = message.request {
                self.cancel_later(unwanted);
                continue;
            }
            if let Request::Model(ModelRequest::OpenTranslator(_)) = message.request {
                self.state.borrow_mut().translator = None;
            }
            self.deliver_soon(message.id, Reply::Failed(not_posted(format!("{error:?}"))));
        }
    }

    /// Cancels again after a while, so that nothing unwanted is computed to its end because a message was lost.
    fn cancel_later(&self, id: RequestId) {
        let client = self.clone();
        Timeout::new(CANCEL_AGAIN_AFTER_MS, move || client.cancel(id)).forget();
    }

    fn receive(&self, data: JsValue) {
        match serde_wasm_bindgen::from_value::<Message<Received>>(data) {
            Ok(Message::Ready) => {
                if let Some(live) = &mut self.state.borrow_mut().worker {
                    live.ready = true;
                }
                self.flush();
            }
            Ok(Message::Event(FromEngine { id, event })) => match event.read() {
                Ok(event) => self.deliver(id, event),
                Err(error) => self.broken(&unknown(&error)),
            },
            Ok(Message::Broken(details)) => self.broken(&details),
            Err(error) => self.broken(&unknown(&error)),
        }
    }

    /// Hands an event to the handler of its request. Events of requests that have ended are dropped.
    fn deliver(&self, id: RequestId, mut event: Reply<JsValue>) {
        let mut state = self.state.borrow_mut();
        let handler = if event.is_last() { state.open.remove(&id) } else { state.open.get(&id).cloned() };
        let Some(handler) = handler else { return };
        if let Reply::Device(report) = &mut event {
            state.device = Some(report.device);
            if state.opening.as_ref().is_some_and(|opening| opening.id == id && opening.spares_gpu) {
                report.reason = GPU_SPARED.to_owned();
            }
        }
        if matches!(event, Reply::Done) && state.opening.as_ref().is_none_or(|opening| opening.id != id) {
            state.breaks = 0; // a question was answered, so the worker is sound
        }
        drop(state);
        let read = (handler.borrow_mut())(event);
        if let Err(error) = read {
            self.broken(&unknown(&error));
        }
    }

    /// Delivers an event outside the present call, when this client's state is no longer borrowed.
    fn deliver_soon(&self, id: RequestId, event: Reply<JsValue>) {
        let client = self.clone();
        spawn_local(async move { client.deliver(id, event) });
    }

    /// Fails all open requests of a broken worker and starts a new one.
    fn broken(&self, details: &str) {
        let failed = {
            let mut state = self.state.borrow_mut();
            let was_ready = state.worker.take().is_some_and(|live| live.ready);
            state.waiting.clear();
            state.breaks += 1;
            let may_retry = was_ready && state.breaks < MAX_BREAKS;
            let reopened = if may_retry { state.reopen() } else { None };
            let failed: Vec<RequestId> = state.open.keys().copied().filter(|id| Some(*id) != reopened).collect();
            drop(state);
            if may_retry {
                self.start_next_worker();
            }
            (failed, was_ready)
        };
        let (failed, was_ready) = failed;
        for id in failed {
            let failure = if was_ready { internal(details) } else { could_not_start(details) };
            self.deliver(id, Reply::Failed(failure));
        }
    }

    /// Starts a worker. If the browser refuses, all waiting requests fail.
    fn start_next_worker(&self) {
        if let Err(failure) = self.spawn() {
            let waiting: Vec<RequestId> =
                self.state.borrow_mut().waiting.drain(..).map(|request| request.message.id).collect();
            for id in waiting {
                self.deliver_soon(id, Reply::Failed(failure.clone()));
            }
        }
    }
}

impl State {
    /// Puts the last `OpenRestorer` back at the head of the queue and returns its number.
    fn reopen(&mut self) -> Option<RequestId> {
        let gpu_may_be_guilty = self.device != Some(DeviceKind::Cpu);
        let interrupted = self.opening.as_ref().is_some_and(|opening| self.open.contains_key(&opening.id));
        let opening = self.opening.as_mut()?;
        if opening.asked.device == DevicePreference::WebGpu && interrupted {
            return None; // WebGPU or fail, and it failed
        }
        if gpu_may_be_guilty && opening.asked.device != DevicePreference::Cpu {
            opening.asked.device = DevicePreference::Cpu;
            opening.spares_gpu = true;
        }
        let Opening { id, asked, handler, .. } = opening.clone();
        self.device = None;
        self.open.insert(id, handler);
        let message = ToEngine { id, request: ModelRequest::OpenRestorer(asked).into() };
        self.waiting.insert(0, message.into());
        Some(id)
    }
}

/// Makes an address relative to the page absolute.
fn absolute(address: &str) -> String {
    let base =
        web_sys::window().and_then(|window| window.document()).and_then(|document| document.base_uri().ok().flatten());
    let url = match base {
        Some(base) => Url::new_with_base(address, &base),
        None => Url::new(address),
    };
    url.map_or_else(|_| address.to_owned(), |url| url.href())
}

fn unknown(error: &Error) -> String {
    format!("a message that the page does not know: {error}")
}

fn could_not_start(details: impl Into<String>) -> Failure {
    Failure {
        kind: FailureKind::Internal,
        message: "The engine could not be started; your text is untouched.".to_owned(),
        hints: vec![
            "Check that this device is online and reload the page.".to_owned(),
            "A browser from the last two years is needed; some strict privacy settings forbid workers.".to_owned(),
        ],
        details: details.into(),
    }
}

fn not_posted(details: impl Into<String>) -> Failure {
    Failure {
        kind: FailureKind::Unposted,
        message: "What you asked for could not be handed to the engine; your text is untouched.".to_owned(),
        hints: vec![
            "Ask again: the browser may have been short of memory for a moment.".to_owned(),
            "If it happens again, ask for less at a time, or close other tabs.".to_owned(),
        ],
        details: details.into(),
    }
}

fn internal(details: impl Into<String>) -> Failure {
    Failure {
        kind: FailureKind::Internal,
        message: "The engine crashed and was restarted; your text is untouched.".to_owned(),
        hints: vec![
            "Ask again.".to_owned(),
            "If it crashes again at the same point, please report it with the details.".to_owned(),
        ],
        details: details.into(),
    }
}

/// An event that has not been decoded.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub struct Received(#[serde(with = "preserve")] JsValue);

impl Received {
    /// Decodes the event, unless it is an answer.
    ///
    /// # Errors
    /// The event has the name of one that is read here, but not its content.
    pub fn read(self) -> Result<Reply<JsValue>, Error> {
        if is_answer(&self.0) { Ok(Reply::Answer(self.0)) } else { from_value(self.0) }
    }
}

/// Returns `true` if the event has none of the names that are read here. The name is the event itself or its only key.
fn is_answer(event: &JsValue) -> bool {
    let name = event.as_string().or_else(|| Object::keys(event.dyn_ref::<Object>()?).get(0).as_string());
    name.is_none_or(|name| !matches!(name.as_str(), "Progress" | "Device" | "Done" | "Failed"))
}
