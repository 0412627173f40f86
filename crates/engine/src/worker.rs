//! The worker's entry: hears requests, works them off one after the other, and never dies in silence. Training has a queue of its own,
//! and what only moves files runs beside both, so that neither a run nor a download keeps anybody from translating.

use super::jobs::{self, Job, Opened};
use super::pace::{StopWish, scope};
use super::queue::Queue;
use super::training::{self, Held};
use super::translating::{self, Translator};
use super::{attending, device, errors, kept, settling};
use std::cell::RefCell;
use std::rc::Rc;
use tuppum_protocol::{Event, Failure, FailureKind, FromEngine, Message, Request, RequestId, ToEngine};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{File, MessageEvent};

/// Starts the engine in this worker.
pub fn start() {
    device::run_constructors();
    std::panic::set_hook(Box::new(|panic| {
        console_error_panic_hook::hook(panic);
        post(&Message::Broken(panic.to_string()));
    }));
    let engine = Rc::new(Engine::default());
    let hear = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| engine.hear(event.data()));
    scope().set_onmessage(Some(hear.as_ref().unchecked_ref()));
    hear.forget(); // lives as long as the worker
    post(&Message::Ready);
}

/// Requests, and what they work on.
#[derive(Default)]
struct Engine {
    questions: Queue,
    trainings: Queue,
    /// Requests that run beside the queues.
    beside: RefCell<Vec<(RequestId, StopWish)>>,
    model: RefCell<Option<Opened>>,
    translator: RefCell<Option<Translator>>,
    /// The run of training that was worked on last.
    held: RefCell<Option<Held>>,
    not_open: RefCell<Option<Failure>>,
}

impl Engine {
    fn hear(self: &Rc<Self>, data: JsValue) {
        let number = js_sys::Reflect::get(&data, &"id".into()).ok().and_then(|id| id.as_f64());
        let files = files_beside(&data);
        match serde_wasm_bindgen::from_value::<ToEngine>(data) {
            Ok(ToEngine { id, request: Request::Cancel(target) }) => {
                self.cancel(target);
                post_event(id, Event::Done);
            }
            Ok(ToEngine { id, request }) if is_beside(&request) => {
                let stop = StopWish::new();
                self.beside.borrow_mut().push((id, stop.clone()));
                let (engine, job) = (self.clone(), Job { id, stop, post: post_event });
                spawn_local(async move {
                    let outcome = run_beside(&job, request, files).await;
                    engine.beside.borrow_mut().retain(|(other, _)| *other != id);
                    post_event(id, outcome.map_or_else(Event::Failed, |()| Event::Done));
                });
            }
            Ok(request) => {
                let queue = if is_training(&request.request) { Self::trainings } else { Self::questions };
                if queue(self).push(request) {
                    spawn_local(self.clone().work(queue));
                }
            }
            Err(error) => {
                let details = format!("a message that the engine does not know: {error}");
                post_event(number.unwrap_or_default() as RequestId, Event::Failed(errors::internal(details)));
            }
        }
    }

    fn trainings(&self) -> &Queue {
        &self.trainings
    }

    fn questions(&self) -> &Queue {
        &self.questions
    }

    /// Stops a request; one that is over or unknown is left alone.
    fn cancel(&self, target: RequestId) {
        self.beside.borrow().iter().filter(|(id, _)| *id == target).for_each(|(_, stop)| stop.ask());
        if [&self.questions, &self.trainings].iter().any(|queue| queue.cancel(target)) {
            post_event(target, Event::Failed(errors::cancelled()));
        }
    }

    async fn work(self: Rc<Self>, queue: fn(&Self) -> &Queue) {
        while let Some((ToEngine { id, request }, stop)) = queue(&self).next() {
            let opening = matches!(request, Request::Open { .. } | Request::OpenTranslator { .. });
            let job = Job { id, stop, post: post_event };
            let outcome =
                if is_training(&request) { self.train(&job, request).await } else { self.answer(&job, request).await };
            match outcome {
                Ok(()) => post_event(id, Event::Done),
                Err(failure) => {
                    let lost = !opening && failure.kind == FailureKind::DeviceLost;
                    let details = failure.details.clone();
                    post_event(id, Event::Failed(failure));
                    if lost {
                        post(&Message::Broken(details));
                    }
                }
            }
        }
    }

    /// Works on a run of training, which stays in memory afterwards.
    async fn train(&self, job: &Job, request: Request) -> Result<(), Failure> {
        let mut held = self.held.take();
        let outcome = match request {
            Request::Train(order) => training::begin(job, &mut held, *order).await,
            Request::TrainRestorer(order) => training::begin_restorer(job, &mut held, *order).await,
            Request::GoOnTraining(asked) => training::go_on(job, &mut held, asked).await,
            Request::KeepTraining { name, model } => training::keep(job, held.as_ref(), &name, &model).await,
            Request::ForgetTraining(name) => {
                // its lock is let go with it
                held = held.filter(|run| !run.is_called(&name));
                training::forget(&name).await
            }
            Request::PutTrainingAway { name, unkept } => training::put_away(job, &mut held, &name, unkept).await,
            Request::SaveTraining(name) => training::save(job, held.as_ref(), &name).await,
            Request::ScoreTraining(name) => training::score(job, held.as_ref(), &name).await,
            Request::Ablate(order) => training::ablate(job, *order).await,
            _ => Ok(()),
        };
        // after an error of the device its numbers cannot be trusted; the checkpoint can
        let lost = outcome.as_ref().is_err_and(|failure| failure.kind == FailureKind::DeviceLost);
        *self.held.borrow_mut() = held.filter(|_| !lost);
        outcome
    }

    async fn answer(&self, job: &Job, request: Request) -> Result<(), Failure> {
        match request {
            Request::Open { model, device, store } => {
                drop(self.model.take()); // before the next one comes, so that memory holds only one
                let opened = jobs::open(job, &model, device, store).await;
                *self.not_open.borrow_mut() = opened.as_ref().err().cloned();
                *self.model.borrow_mut() = Some(opened?);
            }
            Request::Restore(question) => {
                let mut opened = self.opened()?;
                let outcome = jobs::restore(job, &mut opened, &question).await;
                *self.model.borrow_mut() = Some(opened);
                outcome?;
            }
            Request::Influence { question, sign, reading, starts_word } => {
                let mut opened = self.opened()?;
                let outcome = jobs::influence(job, &mut opened, &question, sign, &reading, starts_word).await;
                *self.model.borrow_mut() = Some(opened);
                outcome?;
            }
            Request::OpenTranslator { model, device, store } => {
                drop(self.translator.take());
                let opened = translating::open(job, &model, device, store).await?;
                *self.translator.borrow_mut() = Some(opened);
            }
            Request::Translate(question) => {
                let mut translator = self.opened_translator()?;
                let outcome = translating::run(job, &mut translator, &question).await;
                *self.translator.borrow_mut() = Some(translator);
                outcome?;
            }
            Request::Attention(question) => {
                let translator = self.opened_translator()?;
                let outcome = attending::look(job, &translator, &question).await;
                *self.translator.borrow_mut() = Some(translator);
                outcome?;
            }
            Request::Points => {
                let translator = self.opened_translator()?;
                let outcome = attending::points(job, &translator).await;
                *self.translator.borrow_mut() = Some(translator);
                outcome?;
            }
            Request::Settle(part) => settling::run(job, &part).await?,
            // these are heard at once, and never queued
            Request::Cancel(_)
            | Request::ListModels
            | Request::AskHub(_)
            | Request::FetchModel(_)
            | Request::KeepFiles { .. }
            | Request::ForgetModel(_)
            | Request::ListTrainings
            // these have a queue of their own
            | Request::Train(_)
            | Request::TrainRestorer(_)
            | Request::GoOnTraining(_)
            | Request::KeepTraining { .. }
            | Request::ForgetTraining(_)
            | Request::PutTrainingAway { .. }
            | Request::SaveTraining(_)
            | Request::ScoreTraining(_)
            | Request::Ablate(_) => {}
        }
        Ok(())
    }

    /// The restorer, to be put back after use.
    fn opened(&self) -> Result<Opened, Failure> {
        self.model.take().ok_or_else(|| errors::not_open(self.not_open.borrow().as_ref()))
    }

    /// The translator, to be put back after use.
    fn opened_translator(&self) -> Result<Translator, Failure> {
        self.translator.take().ok_or_else(|| errors::not_open(None))
    }
}

/// Whether a request needs neither model nor device.
fn is_beside(request: &Request) -> bool {
    matches!(
        request,
        Request::ListModels
            | Request::AskHub(_)
            | Request::FetchModel(_)
            | Request::KeepFiles { .. }
            | Request::ForgetModel(_)
            | Request::ListTrainings
    )
}

/// Whether a request is about a run of training.
fn is_training(request: &Request) -> bool {
    matches!(
        request,
        Request::Train(_)
            | Request::TrainRestorer(_)
            | Request::GoOnTraining(_)
            | Request::KeepTraining { .. }
            | Request::ForgetTraining(_)
            | Request::PutTrainingAway { .. }
            | Request::SaveTraining(_)
            | Request::ScoreTraining(_)
            | Request::Ablate(_)
    )
}

async fn run_beside(job: &Job, request: Request, files: Vec<File>) -> Result<(), Failure> {
    match request {
        Request::ListModels => job.tell(Event::Shelves(kept::list().await)),
        Request::AskHub(repository) => job.tell(Event::Offer(kept::ask(&repository, &job.stop).await?.offer)),
        Request::FetchModel(repository) => kept::fetch(job, &repository).await?,
        Request::KeepFiles { name } => kept::copy(job, &name, &files).await?,
        Request::ForgetModel(name) => kept::forget(job, &name).await?,
        Request::ListTrainings => training::list(job).await,
        _ => {}
    }
    Ok(())
}

/// The `File`s that came beside a message: a message that is plain data cannot hold them.
fn files_beside(data: &JsValue) -> Vec<File> {
    let list = js_sys::Reflect::get(data, &"files".into()).ok();
    let list = list.and_then(|list| list.dyn_into::<js_sys::Array>().ok()).unwrap_or_default();
    list.iter().filter_map(|file| file.dyn_into::<File>().ok()).collect()
}

fn post_event(id: RequestId, event: Event) {
    post(&Message::Event(FromEngine { id, event }));
}

fn post(message: &Message) {
    let posted =
        serde_wasm_bindgen::to_value(message).map_err(JsValue::from).and_then(|message| scope().post_message(&message));
    if let Err(error) = posted {
        web_sys::console::error_2(&"the engine could not post a message:".into(), &error);
    }
}
