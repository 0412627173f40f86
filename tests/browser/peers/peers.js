// Two workers that write the same translation: Tuppum's engine, and onnxruntime-web in `other.js`. Both are timed here, by one clock, from
// the message that asks to the message that ends the answer. Whoever measures calls `window.peers`.

/** Starts a worker and waits for the first thing that it says. */
function started(script, name) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(script, { type: "module", name });
    worker.onerror = (event) => reject(new Error(`${script} does not start: ${event.message}`));
    worker.onmessage = ({ data }) => (data.failed ? reject(new Error(data.failed)) : resolve(worker));
  });
}

/** Posts a message and gathers answers until one of them is the last; with the milliseconds that took. */
function asked(worker, message, isLast) {
  return new Promise((resolve, reject) => {
    const answers = [];
    worker.onerror = (event) => reject(new Error(event.message));
    worker.onmessage = ({ data }) => {
      answers.push(data);
      if (isLast(data)) resolve({ ms: performance.now() - start, answers });
    };
    const start = performance.now();
    worker.postMessage(message);
  });
}

let engine, other, last = 0;

window.peers = {
  /** Starts both. The engine finds the page's files by its name, as in the page itself. */
  async start(script) {
    engine = await started(script, new URL("/", location).href);
    other = await started("other.js", "other");
  },

  /** Asks the engine, and gives the events of the request. */
  async ours(request) {
    const id = ++last;
    const isLast = ({ Event, Broken }) =>
      Broken !== undefined || (Event?.id === id && (Event.event === "Done" || Event.event.Failed !== undefined));
    const { ms, answers } = await asked(engine, { id, request }, isLast);
    const broken = answers.find((answer) => answer.Broken ?? answer.Event?.event.Failed);
    if (broken) throw new Error(`the engine failed: ${JSON.stringify(broken)}`);
    return { ms, events: answers.map((answer) => answer.Event?.event) };
  },

  /** Has onnxruntime-web write so many tokens. */
  async theirs(ids, count) {
    const { ms, answers } = await asked(other, { ids, count }, () => true);
    if (answers[0].failed) throw new Error(`onnxruntime-web failed: ${answers[0].failed}`);
    return { ms, ids: answers[0].ids };
  },
};
