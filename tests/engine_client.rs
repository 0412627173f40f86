//! The page's side of the worker, against small stand-ins for the engine.
#![cfg(target_family = "wasm")]

use js_sys::{Function, Promise};
use std::cell::RefCell;
use std::rc::Rc;
use tuppum::engine::client::{EngineClient, Received};
use tuppum_protocol::*;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// Code that every stand-in shares: it says which device it was asked for, answers a question with `answer`, and is
/// ready after a while, so that requests have to wait for it.
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
    events: Rc<RefCell<Vec<Reply<RestorationEvent>>>>,
    waiting: Rc<RefCell<Option<Function>>>,
}

impl EventLog {
    fn handler(&self) -> impl FnMut(Reply<RestorationEvent>) + 'static {
        let log = self.clone();
        move |event| {
            let over = event.is_last();
            log.events.borrow_mut().push(event);
            if over && let Some(waiting) = log.waiting.borrow_mut().take() {
                waiting.call0(&JsValue::NULL).unwrap();
            }
        }
    }

    /// Waits until `count` endings have come, then yields all events so far.
    async fn endings(&self, count: usize) -> Vec<Reply<RestorationEvent>> {
        while self.events.borrow().iter().filter(|event| event.is_last()).count() < count {
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

fn asked_for(event: &Reply<RestorationEvent>) -> &str {
    match event {
        Reply::Device(report) => &report.adapter,
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
    assert_eq!(second.endings(1).await, [Reply::Done]);
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
        [Reply::Failed(failure)] => assert_eq!(failure.kind, FailureKind::Cancelled),
        other => panic!("{other:?}"),
    }
}

#[wasm_bindgen_test]
async fn a_broken_worker_is_replaced_and_the_model_opened_again_on_the_cpu() {
    // a panic is announced; the other way to die is an exception that nobody catches; and what answers something else
    // than it was asked is no better
    let ways = [
        ("postMessage({ Broken: 'boom' })", "boom"),
        ("setTimeout(() => { throw new Error('boom'); })", "boom"),
        ("post(id, { Parallels: {} })", "does not know"),
    ];
    for (dying, told) in ways {
        let script = stand_in(&format!("const answer = id => {{ {dying}; }}"));
        let client = EngineClient::start_script(&script).expect("the browser starts a stand-in");
        let (open, asked) = (EventLog::default(), EventLog::default());
        client.send(opening(), open.handler());
        open.endings(1).await;
        client.send(ModelRequest::Restore(Question::about("x")), asked.handler());
        match &asked.endings(1).await[..] {
            [Reply::Failed(failure)] => {
                assert_eq!(failure.kind, FailureKind::Internal);
                assert!(failure.details.contains(told), "{}", failure.details);
            }
            other => panic!("{other:?}"),
        }
        let events = open.endings(2).await;
        assert_eq!(asked_for(&events[2]), "Cpu");
        let Reply::Device(report) = &events[2] else { panic!("{:?}", events[2]) };
        assert!(report.reason.contains("the GPU may have been the cause"), "{}", report.reason);
    }
}

#[wasm_bindgen_test]
async fn a_worker_that_cannot_be_loaded_fails_what_waits_for_it() {
    let client = EngineClient::start_script("/there-is-no-such-script.js").unwrap();
    let log = EventLog::default();
    client.send(opening(), log.handler());
    match &log.endings(1).await[..] {
        [Reply::Failed(failure)] => assert!(failure.message.contains("could not be started"), "{}", failure.message),
        other => panic!("{other:?}"),
    }
}

/// A message as the page reads it.
fn read(message: JsValue) -> Result<Message<Reply<RestorationEvent>>, serde_wasm_bindgen::Error> {
    Ok(match serde_wasm_bindgen::from_value::<Message<Received>>(message)? {
        Message::Event(FromEngine { id, event }) => {
            Message::Event(FromEngine { id, event: event.read()?.read(serde_wasm_bindgen::from_value)? })
        }
        Message::Ready => Message::Ready,
        Message::Broken(details) => Message::Broken(details),
    })
}

/// A message of the worker once the page has read it.
fn crossed(message: Message<Event>) -> Message<Reply<RestorationEvent>> {
    read(serde_wasm_bindgen::to_value(&message).unwrap()).unwrap()
}

fn answer() -> Answer {
    let variant = Variant { reading: "šu".into(), starts_word: true, probability: 0.1 };
    let proposal = Proposal {
        reading: "šu".into(),
        written: "šu".into(),
        glyph: "𒋗".into(),
        sign_name: "ŠU".into(),
        starts_word: true,
        probability: 0.25,
        variants: vec![variant],
    };
    let reading = JointReading {
        sign: 1,
        reading: "šu".into(),
        written: "šu".into(),
        glyph: String::new(),
        starts_word: true,
        probability: f32::MIN_POSITIVE,
    };
    let length = LengthAnswer { length: 1, probability: 1.0, readings: vec![reading.clone()] };
    Answer {
        gaps: vec![GapAnswer { sign: 1, proposals: vec![proposal], lengths: vec![length], word_start: 0.5 }],
        joint: vec![Joint { readings: vec![reading], probability: 1.0, log_probability: f32::NEG_INFINITY }],
    }
}

#[wasm_bindgen_test]
fn every_event_survives_the_crossing() {
    let report = |note: Option<String>| DeviceReport {
        device: DeviceKind::Cpu,
        adapter: String::new(),
        reason: "you chose it".into(),
        self_test: 1.5e-6,
        golden: true,
        stored: note.is_none(),
        storage_note: note,
        parameters: 28_758_383,
    };
    let failure =
        Failure { kind: FailureKind::Network, message: "no".into(), hints: vec!["try".into()], details: String::new() };
    // more than fits 32 bits, as bytes of a large model do
    let progress = Progress { phase: Phase::Download, done: 5_000_000_000, total: 6_000_000_000 };
    let commons: [(Event, Reply<RestorationEvent>); 4] = [
        (progress.clone().into(), Reply::Progress(progress)),
        (report(None).into(), Reply::Device(report(None))),
        (Event::Done, Reply::Done),
        (Event::Failed(failure.clone()), Reply::Failed(failure)),
    ];
    let note = "private window".to_owned();
    let answers = [
        RestorationEvent::Answer(answer()),
        RestorationEvent::Answer(Answer::default()),
        RestorationEvent::Influence(vec![(0, 1.0), (4_000_000, 0.0)]),
    ];
    let answers = answers.map(|answer| (answer.clone().into(), Reply::Answer(answer)));
    let noted = (report(Some(note.clone())).into(), Reply::Device(report(Some(note))));
    for (id, (event, told)) in (1..).zip(commons.into_iter().chain(answers).chain([noted])) {
        assert_eq!(crossed(Message::Event(FromEngine { id, event })), Message::Event(FromEngine { id, event: told }));
    }
    assert_eq!(crossed(Message::Ready), Message::Ready);
    assert_eq!(crossed(Message::Broken("unreachable".into())), Message::Broken("unreachable".into()));
}

#[wasm_bindgen_test]
fn what_is_no_event_is_refused() {
    for event in
        ["{ Done: 1 }", "{ Failed: 'so' }", "'Progress'", "{ Answer: [] }", "{}", "'Nothing'", "3", "undefined"]
    {
        let message = js_sys::eval(&format!("({{ Event: {{ id: 1, event: {event} }} }})")).unwrap();
        assert!(read(message).is_err(), "{event}");
    }
}
