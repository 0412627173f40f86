//! The worker's entry: receives requests, serves them, and reports every failure. The use of models and training have a
//! queue each; requests about the corpora or the storage are served outside both, so that neither a training run nor a
//! download blocks a translation.

use crate::bindings::{now, report_error, scope, thrown};
use crate::job::Job;
use crate::models::restorer::{self, OpenRestorer};
use crate::models::translator::{self, Translator};
use crate::models::{corpora, hub, import, stored_models};
use crate::queue::{CancellationToken, Queue, Queued, Throttle};
use crate::storage::own_archives::Archives;
use crate::training::{self, ActiveRun};
use crate::{errors, live_tree};
use std::cell::RefCell;
use std::rc::Rc;
use tuppum_corpus::names::Onomasticon;
use tuppum_corpus::opened::OpenCorpus;
use tuppum_corpus::own::ReadArchive;
use tuppum_protocol::{
    CorpusEvent, CorpusRequest, Event, Failure, FailureKind, FromEngine, Message, ModelRequest, OwnArchive, OwnRequest,
    Request, RequestId, StorageEvent, StorageRequest, ToEngine, TrainingRequest,
};
use tuppum_text::Document;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{File, MessageEvent};

/// Starts the engine in this worker.
pub fn start() {
    #[cfg(target_family = "wasm")]
    crate::wasm_module::use_relaxed();
    std::panic::set_hook(Box::new(|panic| {
        console_error_panic_hook::hook(panic);
        post(&Message::Broken(panic.to_string()));
    }));
    let engine = Rc::new(Engine::default());
    let handle = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| engine.handle(event.data()));
    scope().set_onmessage(Some(handle.as_ref().unchecked_ref()));
    handle.forget(); // lives as long as the worker
    post(&Message::Ready);
}

/// The engine: its requests, and the models and runs that these use.
#[derive(Default)]
struct Engine {
    models: Queue<ModelRequest>,
    trainings: Queue<TrainingRequest>,
    /// Requests that are served outside the queues.
    beside: RefCell<Vec<(RequestId, CancellationToken)>>,
    restorer: RefCell<Option<OpenRestorer>>,
    /// Reason why there is no restorer, if opening it failed.
    not_open: RefCell<Option<Failure>>,
    translator: RefCell<Option<Translator>>,
    corpus: RefCell<Option<Rc<OpenCorpus>>>,
    /// The user's own archives.
    own: Archives,
    /// The most recent training run.
    run: RefCell<Option<ActiveRun>>,
}

impl Engine {
    fn handle(self: &Rc<Self>, data: JsValue) {
        let number = js_sys::Reflect::get(&data, &"id".into()).ok().and_then(|id| id.as_f64());
        let files = files_beside(&data);
        let ToEngine { id, request } = match serde_wasm_bindgen::from_value(data) {
            Ok(message) => message,
            Err(error) => {
                let details = format!("a message that the engine does not know: {error}");
                let id = number.unwrap_or_default() as RequestId;
                return end(id, Err(errors::internal(details)));
            }
        };
        match request {
            Request::Model(request) => {
                if self.models.push(id, request) {
                    spawn_local(self.clone().serve_models());
                }
            }
            Request::Training(request) => {
                if self.trainings.push(id, request) {
                    spawn_local(self.clone().serve_trainings());
                }
            }
            Request::Corpus(request) => spawn_local(self.clone().serve_corpus(id, request)),
            Request::Storage(request) => spawn_local(self.clone().serve_storage(id, request, files)),
            Request::Cancel(target) => {
                self.cancel(target);
                end(id, Ok(()));
            }
        }
    }

    /// Cancels a request, if it is known and not finished.
    fn cancel(&self, target: RequestId) {
        self.beside.borrow().iter().filter(|(id, _)| *id == target).for_each(|(_, token)| token.cancel());
        if self.models.cancel(target) || self.trainings.cancel(target) {
            end(target, Err(errors::cancelled()));
        }
    }

    async fn serve_models(self: Rc<Self>) {
        while let Some(Queued { id, request, token }) = self.models.next() {
            let opens = matches!(request, ModelRequest::OpenRestorer(_) | ModelRequest::OpenTranslator(_));
            let outcome = self.use_model(&Job { id, token, post: post_event }, request).await;
            match opens {
                true => end(id, outcome),
                false => end_on_device(id, outcome),
            }
        }
    }

    async fn serve_trainings(self: Rc<Self>) {
        while let Some(Queued { id, request, token }) = self.trainings.next() {
            let outcome = self.train(&Job { id, token, post: post_event }, request).await;
            end_on_device(id, outcome);
        }
    }

    async fn serve_corpus(self: Rc<Self>, id: RequestId, request: CorpusRequest) {
        let token = CancellationToken::new();
        self.beside.borrow_mut().push((id, token.clone()));
        let outcome = self.use_corpus(&Job { id, token, post: post_event }, request).await;
        self.beside.borrow_mut().retain(|(other, _)| *other != id);
        end(id, outcome);
    }

    async fn use_corpus(&self, job: &Job, request: CorpusRequest) -> Result<(), Failure> {
        let opened = || self.corpus.borrow().clone().ok_or_else(errors::no_corpora);
        match request {
            CorpusRequest::Open(asked) => {
                drop(self.corpus.take());
                let corpus = corpora::open(job, &asked).await?;
                *self.corpus.borrow_mut() = Some(Rc::new(corpus));
                self.index_own(job).await;
            }
            CorpusRequest::Cover(source) => corpora::cover(job, &Document::read(&source)),
            CorpusRequest::Own(request) => self.use_own(job, request).await?,
            CorpusRequest::Attested { question, sign } => corpora::attested(job, &*opened()?, &question, sign)?,
            CorpusRequest::Parallels { text, reading, lines, most } => {
                let document = Document::read_with(&text, &reading);
                corpora::parallels(job, &*opened()?, document, lines, most);
            }
            CorpusRequest::Remembered(source) => corpora::remembered(job, &*opened()?, &source),
            CorpusRequest::Gloss { text, reading } => {
                corpora::gloss(job, &*opened()?, &Document::read_with(&text, &reading));
            }
            CorpusRequest::Attribute { text, reading } => {
                corpora::attribute(job, &*opened()?, &Document::read_with(&text, &reading));
            }
        }
        Ok(())
    }

    async fn use_own(&self, job: &Job, request: OwnRequest) -> Result<(), Failure> {
        match request {
            OwnRequest::List => job.emit(CorpusEvent::Own(self.own.report(&read(&self.own.all().await)))),
            OwnRequest::Keep(archive) => {
                if !archive.names.is_empty() {
                    Onomasticon::read(&archive.names).map_err(errors::question)?;
                }
                self.own.keep(archive).await;
                self.index_own(job).await;
            }
            OwnRequest::Give(name) => job.emit(CorpusEvent::OwnArchive(self.own.give(&name).await)),
            OwnRequest::Forget(name) => {
                self.own.forget(&name).await;
                self.index_own(job).await;
            }
        }
        Ok(())
    }

    /// Adds the user's own archives to the corpora, if these are open, and reports the archives.
    async fn index_own(&self, job: &Job) {
        let archives = read(&self.own.all().await);
        let mut report = self.own.report(&archives);
        if let Some(corpus) = self.corpus.take() {
            let mut corpus = Rc::unwrap_or_clone(corpus);
            report.not_indexed = corpus.set_own(&archives).err().map(|error| error.to_string());
            *self.corpus.borrow_mut() = Some(Rc::new(corpus));
        }
        job.emit(CorpusEvent::Own(report));
    }

    async fn serve_storage(self: Rc<Self>, id: RequestId, request: StorageRequest, files: Vec<File>) {
        let token = CancellationToken::new();
        self.beside.borrow_mut().push((id, token.clone()));
        let outcome = use_storage(&Job { id, token, post: post_event }, request, files).await;
        self.beside.borrow_mut().retain(|(other, _)| *other != id);
        end(id, outcome);
    }

    /// Works on a training run, which stays in memory afterwards.
    async fn train(&self, job: &Job, request: TrainingRequest) -> Result<(), Failure> {
        let mut active = self.run.take();
        let outcome = match request {
            TrainingRequest::TrainTranslator(order) => training::train_translator(job, &mut active, *order).await,
            TrainingRequest::TrainRestorer(order) => training::train_restorer(job, &mut active, *order).await,
            TrainingRequest::Resume(order) => training::resume(job, &mut active, order).await,
            TrainingRequest::StoreModel { run, model } => {
                training::store_model(job, active.as_ref(), &run, &model).await
            }
            TrainingRequest::DeleteRun(name) => {
                // Dropping the run releases its lock.
                active = active.filter(|run| !run.is_called(&name));
                training::delete(&name).await
            }
            TrainingRequest::Release { run, discard } => training::release(job, &mut active, &run, discard).await,
            TrainingRequest::SaveFiles(name) => training::save_files(job, active.as_ref(), &name).await,
            TrainingRequest::Score(name) => training::score(job, active.as_ref(), &name).await,
            TrainingRequest::StoreCopy(order) => training::store_copy(job, order).await,
            TrainingRequest::Ablate(order) => training::ablate(job, *order).await,
        };
        // After an error of the device the numbers in memory cannot be trusted; the checkpoint can.
        let lost = outcome.as_ref().is_err_and(|failure| failure.kind == FailureKind::DeviceLost);
        *self.run.borrow_mut() = active.filter(|_| !lost);
        outcome
    }

    async fn use_model(&self, job: &Job, request: ModelRequest) -> Result<(), Failure> {
        match request {
            ModelRequest::OpenRestorer(asked) => {
                drop(self.restorer.take()); // before opening the next one: memory holds one
                let opened = restorer::open(job, &asked).await;
                *self.not_open.borrow_mut() = opened.as_ref().err().cloned();
                *self.restorer.borrow_mut() = Some(opened?);
                Ok(())
            }
            ModelRequest::Restore(question) => {
                let corpus = self.corpus.borrow().clone().filter(|_| question.contexts);
                let corpus = corpus.as_deref();
                self.with_restorer(async |restorer| restorer::restore(job, restorer, corpus, &question).await).await
            }
            ModelRequest::Influence { question, sign, reading, starts_word } => {
                self.with_restorer(async |restorer| {
                    restorer::influence(job, restorer, &question, (sign, &reading, starts_word)).await
                })
                .await
            }
            ModelRequest::OpenTranslator(asked) => {
                drop(self.translator.take());
                let opened = translator::open(job, &asked).await?;
                *self.translator.borrow_mut() = Some(opened);
                Ok(())
            }
            ModelRequest::Translate(question) => {
                self.with_translator(async |translator| translator::run(job, translator, &question).await).await
            }
            ModelRequest::Attention(question) => {
                self.with_translator(async |translator| translator::attention(job, translator, &question).await).await
            }
            ModelRequest::Points => {
                self.with_translator(async |translator| translator::points(job, translator).await).await
            }
            ModelRequest::Settle(part) => {
                live_tree::learn(&part, &job.yielder(), &Throttle::new(now), |event| job.emit(event)).await
            }
        }
    }

    /// Runs `work` with the restorer, which is put back afterwards.
    async fn with_restorer(
        &self,
        work: impl AsyncFnOnce(&mut OpenRestorer) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let restorer = self.restorer.take();
        let mut restorer = restorer.ok_or_else(|| errors::not_open(self.not_open.borrow().as_ref()))?;
        let outcome = work(&mut restorer).await;
        *self.restorer.borrow_mut() = Some(restorer);
        outcome
    }

    /// Runs `work` with the translator, which is put back afterwards.
    async fn with_translator(
        &self,
        work: impl AsyncFnOnce(&mut Translator) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut translator = self.translator.take().ok_or_else(|| errors::not_open(None))?;
        let outcome = work(&mut translator).await;
        *self.translator.borrow_mut() = Some(translator);
        outcome
    }
}

/// Reads archives for the index.
fn read(archives: &[OwnArchive]) -> Vec<ReadArchive> {
    archives.iter().map(ReadArchive::of).collect()
}

async fn use_storage(job: &Job, request: StorageRequest, files: Vec<File>) -> Result<(), Failure> {
    match request {
        StorageRequest::ListModels => job.emit(StorageEvent::Storage(stored_models::list().await)),
        StorageRequest::AskHub(repository) => {
            job.emit(StorageEvent::Offer(hub::ask(&repository, &job.token).await?.offer));
        }
        StorageRequest::FetchModel(repository) => hub::fetch(job, &repository).await?,
        StorageRequest::ImportFiles { name } => import::import(job, &name, &files).await?,
        StorageRequest::DeleteModel(name) => stored_models::delete(job, &name).await?,
        StorageRequest::DeleteShipped(name) => stored_models::delete_shipped(job, &name).await?,
        StorageRequest::ListRuns => training::list(job).await,
    }
    Ok(())
}

/// Returns the `File`s sent with a message. They are outside its plain data, which cannot contain them.
fn files_beside(data: &JsValue) -> Vec<File> {
    let list = js_sys::Reflect::get(data, &"files".into()).ok();
    let list = list.and_then(|list| list.dyn_into::<js_sys::Array>().ok()).unwrap_or_default();
    list.iter().filter_map(|file| file.dyn_into::<File>().ok()).collect()
}

/// Sends the end of a request.
fn end(id: RequestId, outcome: Result<(), Failure>) {
    post_event(id, outcome.map_or_else(Event::Failed, |()| Event::Done));
}

/// Sends the end of a request that computed. If its device was lost, the worker reports itself broken.
fn end_on_device(id: RequestId, outcome: Result<(), Failure>) {
    let lost = outcome.as_ref().err().filter(|failure| failure.kind == FailureKind::DeviceLost);
    let lost = lost.map(|failure| failure.details.clone());
    end(id, outcome);
    if let Some(details) = lost {
        post(&Message::Broken(details));
    }
}

/// Sends an event and returns `true` if that succeeded. An event that cannot be sent ends its request with a failure
/// that says so.
fn post_event(id: RequestId, event: Event) -> bool {
    let posted = try_post(&Message::Event(FromEngine { id, event }));
    if let Err(error) = &posted {
        post(&Message::Event(FromEngine { id, event: Event::Failed(errors::not_posted(thrown(error))) }));
    }
    posted.is_ok()
}

/// Sends a message that must reach the page. If even this fails, an uncaught error is reported, and the page starts a
/// new worker.
fn post(message: &Message<Event>) {
    if let Err(error) = try_post(message) {
        report_error(&error);
    }
}

fn try_post(message: &Message<Event>) -> Result<(), JsValue> {
    scope().post_message(&serde_wasm_bindgen::to_value(message)?)
}
