//! JavaScript that puts the page or its worker into a situation that a user may meet: refused storage, a graphics card
//! that computes wrongly, a worker that dies.

/// Page script that records in `window.spy` every worker and every message that it posts, with the time and the
/// worker's index.
pub const SPY_ON_WORKERS: &str = r"
window.spy = { workers: [], heard: [], asked: [] };
const TrueWorker = window.Worker;
window.Worker = class extends TrueWorker {
  constructor(...of) {
    super(...of);
    const worker = window.spy.workers.push(this) - 1;
    this.addEventListener('message', event =>
      window.spy.heard.push({ at: performance.now(), worker, message: event.data }));
  }
  postMessage(message, ...rest) {
    window.spy.asked.push({ at: performance.now(), message });
    super.postMessage(message, ...rest);
  }
};
";

/// Page script, after [`SPY_ON_WORKERS`], that kills the newest worker like a crash: with an error event, then silence.
pub const KILL_THE_WORKER: &str = r"
const worker = window.spy.workers.at(-1);
worker.terminate();
worker.dispatchEvent(new ErrorEvent('error', { message: 'RuntimeError: unreachable' }));
";

/// Page script that removes service workers, which would answer from their cache and prefetch all parts.
pub const NO_SERVICE_WORKER: &str =
    "Object.defineProperty(Navigator.prototype, 'serviceWorker', { value: undefined });";

/// Page script that makes the browser refuse local storage.
pub const NO_LOCAL_STORAGE: &str = r"
const refuse = () => { throw new DOMException('The quota has been exceeded.', 'QuotaExceededError'); };
Storage.prototype.setItem = refuse;
Storage.prototype.getItem = refuse;
";

/// Worker script that makes the browser refuse its private file system, as some private windows do.
pub const NO_FILE_SYSTEM: &str = r"
StorageManager.prototype.getDirectory = () =>
  Promise.reject(new DOMException('Storage is not allowed here.', 'SecurityError'));
";

/// Worker script that presents the software adapter as hardware and makes everything read back from it a tenth too
/// large.
pub const WRONG_GRAPHICS_CARD: &str = r"
Object.defineProperty(GPUAdapterInfo.prototype, 'isFallbackAdapter', { get: () => false });
for (const field of ['vendor', 'architecture', 'device', 'description'])
  Object.defineProperty(GPUAdapterInfo.prototype, field, { get: () => 'testcard' });
const range = GPUBuffer.prototype.getMappedRange;
GPUBuffer.prototype.getMappedRange = function (...of) {
  const bytes = range.apply(this, of);
  if (this.usage & GPUBufferUsage.MAP_READ && bytes.byteLength % 4 === 0) {
    const numbers = new Float32Array(bytes);
    for (let place = 0; place < numbers.length; place++) numbers[place] *= 1.1;
  }
  return bytes;
};
";

/// Page script that sets `window.usableAt` to the time at which the text field can first be used, in milliseconds since
/// navigation.
pub const NOTE_WHEN_USABLE: &str = r"
const look = () => {
  const field = document.querySelector('textarea');
  if (field && !field.disabled && field.checkVisibility()) window.usableAt = performance.now();
  else requestAnimationFrame(look);
};
requestAnimationFrame(look);
";

/// Page script that counts this tab's page loads in `sessionStorage.loads`.
pub const COUNT_LOADS: &str =
    "if (location.protocol === 'http:') sessionStorage.loads = Number(sessionStorage.loads ?? 0) + 1;";

/// Script that computes the contrast of text against its background by WCAG 2, from colours that the browser resolves
/// to plain rgb().
pub const CONTRAST: &str = r"
const plain = colour => { const c = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  c.fillStyle = colour; c.fillRect(0, 0, 1, 1); return [...c.getImageData(0, 0, 1, 1).data]; };
const light = ([r, g, b]) => { const f = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
const behind = e => {
  for (; e; e = e.parentElement) { const c = plain(getComputedStyle(e).backgroundColor); if (c[3] > 250) return c; }
  return plain(getComputedStyle(document.documentElement).colorScheme.includes('dark') ? 'black' : 'white'); };
const poor = [];
for (const e of document.querySelectorAll('body *')) {
  if (!e.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
  if (e.closest('[aria-hidden=true], :disabled, [aria-disabled=true]')) continue;
  if (![...e.childNodes].some(n => n.nodeType === Node.TEXT_NODE && n.data.trim())) continue;
  const style = getComputedStyle(e);
  const [a, b] = [light(plain(style.color)), light(behind(e))];
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && style.fontWeight >= 700);
  if (ratio < (large ? 3 : 4.5))
    poor.push(`${ratio.toFixed(2)} ${e.tagName}.${e.className} ${e.textContent.trim().slice(0, 40)}`);
}
return [...new Set(poor)];
";

/// Script that lists controls whose accessible name from `aria-label` lacks words of their visible text (WCAG 2.5.3),
/// as `SEEN: NAME`. Only letters and digits count; elements within `arguments[0]` are skipped.
pub const MISNAMED: &str = r"
const plain = text => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
const misnamed = [];
for (const e of document.querySelectorAll('button, input, select, textarea, a[href], summary')) {
  const name = e.getAttribute('aria-label');
  if (name === null || !e.checkVisibility({ visibilityProperty: true }) || e.closest(arguments[0])) continue;
  const seen = e.labels?.length ? [...e.labels].map(label => label.innerText).join(' ') : e.innerText;
  if (!plain(name).includes(plain(seen ?? ''))) misnamed.push(`${seen}: ${name}`);
}
return misnamed;
";

/// Page script that records violations of the content security policy, and the requests of page and engine, in
/// `window.forbidden` and `window.outside`.
pub const WATCH_THE_POLICY: &str = r"
window.forbidden = [];
document.addEventListener('securitypolicyviolation', event =>
  window.forbidden.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`));
window.asked = [];
new BroadcastChannel('asked').onmessage = event => window.asked.push(event.data);
";

/// Worker script that reports every address that it requests to the page, after [`WATCH_THE_POLICY`].
pub const TELL_WHAT_IS_ASKED: &str = r"
const asked = new BroadcastChannel('asked'), trueFetch = self.fetch;
self.fetch = (request, ...rest) => {
  asked.postMessage(request.url ?? String(request));
  return trueFetch(request, ...rest);
};
";

/// Script that returns the bytes of a file of a stored model, in base64.
pub const STORED_FILE: &str = "return (async () => {
    let folder = await navigator.storage.getDirectory();
    for (const part of ['tuppum', 'kept', arguments[0]]) folder = await folder.getDirectoryHandle(part);
    const bytes = new Uint8Array(await (await (await folder.getFileHandle(arguments[1])).getFile()).arrayBuffer());
    let text = '';
    for (const byte of bytes) text += String.fromCharCode(byte);
    return btoa(text);
})()";
