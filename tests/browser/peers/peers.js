// Two workers that write the same translation: Tuppum's engine, and onnxruntime-web in `other.js`. Both are timed alike, from the message
// that asks until the worker sends the one that ends the answer, which `stamp.js` notes. Whoever measures calls `window.peers`.

/** Milliseconds by the clock that all windows and workers of a page share. */
const now = () => performance.timeOrigin + performance.now();

/** Starts a worker and waits for the first thing that it says. */
function started(script, name) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(script, { type: "module", name });
    worker.onerror = (event) => reject(new Error(`${script} does not start: ${event.message}`));
    worker.onmessage = ({ data: { message } }) => (message.failed ? reject(new Error(message.failed)) : resolve(worker));
  });
}

/** Posts a message and gathers answers until one of them is the last; with the milliseconds to the first byte and to the end, and the kernels between. */
function asked(worker, message, isFirst, isLast) {
  return new Promise((resolve, reject) => {
    const answers = [];
    let first, kernelsBefore;
    worker.onerror = (event) => reject(new Error(event.message));
    worker.onmessage = ({ data: { message, at, kernels } }) => {
      answers.push(message);
      if (first === undefined && isFirst(message)) [first, kernelsBefore] = [at - start, kernels];
      if (isLast(message)) resolve({ times: [first, at - start], kernels: kernels - kernelsBefore, answers });
    };
    const start = now();
    worker.postMessage(message);
  });
}

let engine, other, last = 0;

window.peers = {
  /** Starts both, the other one on a device by the name that onnxruntime-web has for it. The engine finds the page's files by its name, as in
   * the page itself. */
  async start(script, device) {
    engine = await started(script, new URL("/", location).href);
    other = await started(`other.js?device=${device}`, "other");
  },

  /** Asks the engine, and gives the events of the request. */
  async ours(request) {
    const id = ++last;
    const isFirst = ({ Event }) => Event?.event.Translated?.translated.partial;
    const isLast = ({ Event, Broken }) =>
      Broken !== undefined || (Event?.id === id && (Event.event === "Done" || Event.event.Failed !== undefined));
    const { times, kernels, answers } = await asked(engine, { id, request }, isFirst, isLast);
    const broken = answers.find((answer) => answer.Broken ?? answer.Event?.event.Failed);
    if (broken) throw new Error(`the engine failed: ${JSON.stringify(broken)}`);
    return { times, kernels, events: answers.map((answer) => answer.Event?.event) };
  },

  /** Has onnxruntime-web write so many tokens. */
  async theirs(ids, count) {
    const isLast = ({ ids, failed }) => (ids ?? failed) !== undefined;
    const { times, kernels, answers } = await asked(other, { ids, count }, ({ first }) => first, isLast);
    const { failed, ids: written } = answers.at(-1);
    if (failed) throw new Error(`onnxruntime-web failed: ${failed}`);
    return { times, kernels, ids: written };
  },
};
