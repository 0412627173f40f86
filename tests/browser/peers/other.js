// The worker that writes by onnxruntime-web, on the CPU with one thread: greedily, what is known of the bytes before kept. It writes as many
// tokens as it is asked for, whether or not one of them ends the text, and tells when it has written the first.

import "./stamp.js";
import * as ort from "./onnxruntime/ort.wasm.min.mjs";

ort.env.wasm.numThreads = 1;
ort.env.wasm.wasmPaths = new URL("./onnxruntime/", import.meta.url).href;

const START = 0;

async function opened(name) {
  const options = { executionProviders: ["wasm"], graphOptimizationLevel: "all" };
  return ort.InferenceSession.create(new URL(`./model/${name}.onnx`, import.meta.url).href, options);
}

/** A tensor with the number of one token or of more, in a row. */
function tokens(ids) {
  return new ort.Tensor("int64", BigInt64Array.from(ids, BigInt), [1, ids.length]);
}

/** The place of the greatest number, the first of equal ones. */
function greatest(numbers) {
  let best = 0;
  for (let place = 1; place < numbers.length; place++) if (numbers[place] > numbers[best]) best = place;
  return best;
}

/** The keys and values before the first byte: none. */
function nothing({ layers, heads, head }) {
  const before = {};
  for (let layer = 0; layer < layers; layer++)
    for (const part of ["keys", "values"])
      before[`before_${part}_${layer}`] = new ort.Tensor("float32", new Float32Array(0), [1, heads, 0, head]);
  return before;
}

async function write({ encoder, decoder, shape }, ids, count) {
  const memory = await encoder.run({ ids: tokens(ids) });
  let before = nothing(shape);
  let token = START;
  const written = [];
  while (written.length < count) {
    const { logits, ...after } = await decoder.run({ id: tokens([token]), ...memory, ...before });
    token = greatest(logits.data);
    written.push(token);
    if (written.length === 1) postMessage({ first: true });
    before = Object.fromEntries(Object.entries(after).map(([name, one]) => [name.replace("after", "before"), one]));
  }
  return written;
}

async function start() {
  const shape = await (await fetch(new URL("./model/shape.json", import.meta.url))).json();
  const model = { encoder: await opened("encoder"), decoder: await opened("decoder"), shape };
  onmessage = async ({ data: { ids, count } }) => {
    try {
      postMessage({ ids: await write(model, ids, count) });
    } catch (error) {
      postMessage({ failed: String(error) });
    }
  };
  postMessage({ ready: true });
}

start().catch((error) => postMessage({ failed: String(error) }));
