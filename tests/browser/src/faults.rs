//! Faults injected by name into the engine's worker: at a step (`fetch`, `write`, …), of a kind (`refused`, …). A
//! script before the worker's own wraps the browser's functions; the product contains no code for it.

use crate::browser::Browser;
use crate::site::{Site, engine_script};
use crate::workbench::SOON;
use serde_json::{Value, json};

/// A fault: its step and its kind.
pub type Fault = (&'static str, &'static str);

/// Page script that records the worker's reports of arming and of faults, and fails once to post the request that
/// `refusedRequest` names.
pub const WATCH_FAULTS: &str = r"
if (location.protocol === 'http:') {
  window.struck = 0;
  window.faults = new BroadcastChannel('faults');
  window.faults.onmessage = ({ data }) => {
    if ('struck' in data) window.struck += 1;
    if ('armed' in data) window.armed = JSON.stringify(data.armed);
  };
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...rest) {
    const [request] = Object.values(message.request ?? {});
    const names = [message.request, request].flatMap(of => Object.keys(Object(of)));
    if (!window.refusedRequest || !names.includes(window.refusedRequest)) {
      return post.call(this, message, ...rest);
    }
    window.refusedRequest = null;
    window.struck += 1;
    throw new DOMException('Data cannot be cloned, out of memory.', 'DataCloneError');
  };
}
";

/// Worker script that wraps the browser's functions; `FIRST` is replaced by the first fault.
const WRAPPERS: &str = r"{
const channel = new BroadcastChannel('faults');
let fault = FIRST;
const waiting = [];
channel.onmessage = ({ data }) => {
  if (!('arm' in data)) return;
  fault = data.arm;
  if (fault === null) waiting.splice(0).forEach(ask => ask());
  channel.postMessage({ armed: fault });
};
const strikes = step => {
  if (!fault || fault[0] !== step) return false;
  channel.postMessage({ struck: step });
  return true;
};
const error = () => ({
  refused: new DOMException('It is not allowed here.', 'NotAllowedError'),
  quota: new DOMException('The quota has been exceeded.', 'QuotaExceededError'),
  aborted: new DOMException('The operation was aborted.', 'AbortError'),
})[fault[1]];
// What never answers still ends when it is called off, as in every browser.
const never = signal => new Promise((_, fail) => signal?.addEventListener('abort', () => fail(signal.reason)));
const cut = async answer => {
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const parts = [bytes.slice(0, bytes.length / 2)];
  const pull = to => parts.length ? to.enqueue(parts.pop()) : to.error(new TypeError('network error'));
  const { status, headers } = answer;
  return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }), { status, headers });
};
const trueFetch = self.fetch;
self.fetch = (request, ...rest) => {
  const weights = /safetensors/.test(request.url) && request.method !== 'HEAD' && strikes('fetch');
  if (!weights && !(/_graphics\.wasm$/.test(request.url) && strikes('part'))) return trueFetch(request, ...rest);
  if (fault[1] === 'never') return never(request.signal);
  if (fault[1] === 'cut') return trueFetch(request, ...rest).then(cut);
  return Promise.reject(fault[1] === 'refused' ? new TypeError('Failed to fetch') : error());
};
const wrap = (owner, name, step, fails) => {
  const before = owner.prototype[name];
  owner.prototype[name] = function (...of) {
    return strikes(step) ? fails.call(this, of) : before.apply(this, of);
  };
};
const refuse = () => fault[1] === 'never' ? never() : Promise.reject(error());
// What the engine waits for in seconds passes ten times as quickly where something never answers.
const timeout = self.setTimeout;
self.setTimeout = (act, milliseconds, ...of) =>
  timeout(act, ['never', 'late'].includes(fault?.[1]) ? milliseconds / 10 : milliseconds, ...of);
const raise = () => { throw error(); };
wrap(StorageManager, 'getDirectory', 'folder', refuse);
wrap(FileSystemFileHandle, 'getFile', 'file', refuse);
// Late: it answers once the worker fails no more.
const opening = FileSystemFileHandle.prototype.createSyncAccessHandle;
wrap(FileSystemFileHandle, 'createSyncAccessHandle', 'open', function () {
  return fault[1] === 'late' ? new Promise(done => waiting.push(() => done(opening.call(this)))) : refuse();
});
wrap(FileSystemSyncAccessHandle, 'write', 'write', ([bytes]) => fault[1] === 'short' ? bytes.length >> 1 : raise());
wrap(FileSystemSyncAccessHandle, 'flush', 'flush', raise);
wrap(Blob, 'arrayBuffer', 'read', refuse);
// Held as by another tab, until the worker fails no more.
const held = of => Promise.race([never(of[1].signal), new Promise(done =>
  waiting.push(() => of[1].signal?.aborted || done(navigator.locks.request(...of))))]);
wrap(LockManager, 'request', 'lock', of => fault[1] === 'held' ? held(of) : refuse());
// An event of this name that cannot be posted, once; or nothing at all.
const post = self.postMessage;
self.postMessage = function (message, ...rest) {
  const [name] = Object.keys(Object(message.Event?.event));
  if (!strikes(name) && !strikes('anything')) return post.call(this, message, ...rest);
  if (fault[0] === name) fault = null;
  throw new DOMException('Data cannot be cloned, out of memory.', 'DataCloneError');
};
if (self.GPUQueue) {
  wrap(GPU, 'requestAdapter', 'adapter', refuse);
  const devices = [];
  const request = GPUAdapter.prototype.requestDevice;
  GPUAdapter.prototype.requestDevice = async function (...of) {
    if (strikes('device')) return refuse();
    devices.push(await request.apply(this, of));
    return devices.at(-1);
  };
  const submit = GPUQueue.prototype.submit;
  GPUQueue.prototype.submit = function (...of) {
    if (strikes('compute')) devices.forEach(device => device.destroy());
    return submit.apply(this, of);
  };
  // One buffer that cannot be had, as the specification has it: a useless one, and an error of the device.
  const create = GPUDevice.prototype.createBuffer;
  GPUDevice.prototype.createBuffer = function (...of) {
    const buffer = create.apply(this, of);
    if (strikes('memory')) {
      fault = null;
      buffer.destroy();
      const error = new GPUOutOfMemoryError('The device has no memory left for it.');
      this.dispatchEvent(new GPUUncapturedErrorEvent('uncapturederror', { error }));
    }
    return buffer;
  };
}
}";

/// Makes workers that start from now on begin with this fault, or with none.
pub fn begin_with(site: &Site, fault: Option<Fault>) {
    let code = WRAPPERS.replace("FIRST", &json!(fault).to_string());
    site.alter(&engine_script(), move |bytes| [code.as_bytes(), b"\n", &bytes].concat());
}

/// Makes the present worker fail in this way from now on, or not any more.
#[track_caller]
pub fn arm(page: &Browser, fault: Option<Fault>) {
    let wanted = json!(fault);
    page.run(
        "window.armed = undefined; window.faults.postMessage({ arm: arguments[0] })",
        std::slice::from_ref(&wanted),
    );
    page.wait("the worker to take the fault", SOON, |page| {
        let armed = page.try_run("return window.armed ?? ''", &[]).unwrap_or_default();
        (armed == json!(wanted.to_string())).then_some(())
    });
}

/// Makes the page fail to post the next request of this name.
#[track_caller]
pub fn refuse_request(page: &Browser, name: &str) {
    page.run("window.refusedRequest = arguments[0]", &[json!(name)]);
}

/// Returns the number of times that a fault has struck since the page was opened.
pub fn struck(page: &Browser) -> u64 {
    page.try_run("return window.struck ?? 0", &[]).as_ref().map_or(0, |count: &Value| count.as_u64().unwrap_or(0))
}
