//! The page's side of the worker, against small stand-ins for the engine.
#![cfg(target_family = "wasm")]

use js_sys::{Function, Promise};
use std::cell::RefCell;
use std::rc::Rc;
use tuppum::engine::client::EngineClient;
use tuppum_protocol::*;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// What every stand-in shares: it says which device it was asked for, answers a question with `answer`, and is ready
/// after a while, so that requests have to wait for it.
const OPENING: &str = "
const post = (id, event) => postMessage({ Event: { id, event } });
const report = device => ({ device: 'WebGpu', adapter: device, reason: 'asked', self_test: 0, stored: true,
    storage_note: undefined, parameters: 1 });
onmessage = ({ data: { id, request } }) => {
    const { OpenRestorer: open, Restore: question } = request.Model ?? {};
    if (open) { post(id, { Device: report(open.device) }); post(id, 'Done'); }
    else if (question) answer(id, question);
    else if (request.Cancel) { cancelled(request.Cancel); post(id, 'Done'); }
};
setTimeout(() => postMessage('Ready'), 20);
";

/// Address of a worker that answers questions like this.
fn stand_in(answer: &str) -> String {
    format!("data:text/javascript,{}", js_sys::encode_uri_component(&format!("{OPENING}{answer}")))
}

/// Events of one request as they come, and who waits for the next ending.
#[derive(Clone, Default)]
struct EventLog {
    events: Rc<RefCell<Vec<Event>>>,
    waiting: Rc<RefCell<Option<Function>>>,
}

impl EventLog {
    fn handler(&self) -> impl FnMut(Event) + 'static {
        let log = self.clone();
        move |event| {
            let over = matches!(event, Event::Done | Event::Failed(_));
            log.events.borrow_mut().push(event);
            if over && let Some(waiting) = log.waiting.borrow_mut().take() {
                waiting.call0(&JsValue::NULL).unwrap();
            }
        }
    }

    /// Waits until `count` endings have come, then yields all events so far.
    async fn endings(&self, count: usize) -> Vec<Event> {
        let over = |event: &&Event| matches!(event, Event::Done | Event::Failed(_));
        while self.events.borrow().iter().filter(over).count() < count {
            let next = Promise::new(&mut |resolve, _| *self.waiting.borrow_mut() = Some(resolve));
            JsFuture::from(next).await.unwrap();
        }
        self.events.borrow().clone()
    }
}

fn opening() -> ModelRequest {
    let model = ModelRef::shipped("models/restorer/");
    ModelRequest::OpenRestorer(OpenModel { model, device: DevicePreference::Best, store: true })
}

fn asked_for(event: &Event) -> &str {
    match event {
        Event::Device(report) => &report.adapter,
        other => panic!("{other:?}"),
    }
}

#[wasm_bindgen_test]
async fn requests_wait_for_the_worker_and_end_once() {
    let script = stand_in("const answer = id => { for (const end of ['Done', 'Done']) post(id, end); }");
    let client = EngineClient::start_script(&script).unwrap();
    let (open, first, second) = (EventLog::default(), EventLog::default(), EventLog::default());
    client.send(opening(), open.handler());
    client.send(ModelRequest::Restore(Question::about("x")), first.handler());
    client.send(ModelRequest::Restore(Question::about("x")), second.handler());
    assert_eq!(second.endings(1).await, [Event::Done]);
    assert_eq!(first.events.borrow().len(), 1, "an ending twice");
    assert_eq!(asked_for(&open.events.borrow()[0]), "Best");
}

#[wasm_bindgen_test]
async fn a_cancel_reaches_the_worker() {
    let failure = "{ Failed: { kind: 'Cancelled', message: 'stopped', hints: [], details: '' } }";
    let script = stand_in(&format!("const answer = () => {{}}; const cancelled = id => post(id, {failure});"));
    let client = EngineClient::start_script(&script).unwrap();
    let log = EventLog::default();
    let id = client.send(ModelRequest::Restore(Question::about("x")), log.handler());
    client.cancel(id);
    match &log.endings(1).await[..] {
        [Event::Failed(failure)] => assert_eq!(failure.kind, FailureKind::Cancelled),
        other => panic!("{other:?}"),
    }
}

#[wasm_bindgen_test]
async fn a_broken_worker_is_replaced_and_the_model_opened_again_on_the_cpu() {
    // a panic is announced; the other way to die is an exception that nobody catches
    for dying in ["postMessage({ Broken: 'boom' })", "setTimeout(() => { throw new Error('boom'); })"] {
        let client = EngineClient::start_script(&stand_in(&format!("const answer = () => {{ {dying}; }}"))).unwrap();
        let (open, asked) = (EventLog::default(), EventLog::default());
        client.send(opening(), open.handler());
        open.endings(1).await;
        client.send(ModelRequest::Restore(Question::about("x")), asked.handler());
        match &asked.endings(1).await[..] {
            [Event::Failed(failure)] => {
                assert_eq!(failure.kind, FailureKind::Internal);
                assert!(failure.details.contains("boom"), "{}", failure.details);
            }
            other => panic!("{other:?}"),
        }
        let events = open.endings(2).await;
        assert_eq!(asked_for(&events[2]), "Cpu");
        let Event::Device(report) = &events[2] else { panic!("{:?}", events[2]) };
        assert!(report.reason.contains("the GPU may have been the cause"), "{}", report.reason);
    }
}

#[wasm_bindgen_test]
async fn a_worker_that_cannot_be_loaded_fails_what_waits_for_it() {
    let client = EngineClient::start_script("/there-is-no-such-script.js").unwrap();
    let log = EventLog::default();
    client.send(opening(), log.handler());
    match &log.endings(1).await[..] {
        [Event::Failed(failure)] => assert!(failure.message.contains("could not be started"), "{}", failure.message),
        other => panic!("{other:?}"),
    }
}
