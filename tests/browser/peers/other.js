// The worker that writes by onnxruntime-web, on the CPU with one thread or by WebGPU, as its address says: greedily, what is known of the bytes
// before kept, on the device where it has one. It writes as many tokens as it is asked for, whether or not one of them ends the text, and
// tells when it has written the first.

import "./stamp.js";

const device = new URL(import.meta.url).searchParams.get("device");
const ort = await import(`./onnxruntime/ort.${device}.min.mjs`);
const onDevice = device === "webgpu" ? "gpu-buffer" : "cpu";

ort.env.wasm.numThreads = 1;
ort.env.wasm.wasmPaths = new URL("./onnxruntime/", import.meta.url).href;

const START = 0;

/** Keys and values layer by layer, by name. */
function names(what, { layers }) {
  const numbers = Array.from({ length: layers }, (_, number) => number);
  return numbers.flatMap((number) => ["keys", "values"].map((part) => `${what}_${part}_${number}`));
}

/** A graph; whatever of it is fed in again stays on the device. */
async function opened(name, kept) {
  const preferredOutputLocation = Object.fromEntries(kept.map((output) => [output, onDevice]));
  const options = { executionProviders: [device], graphOptimizationLevel: "all", preferredOutputLocation };
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
function nothing(shape) {
  const { heads, head } = shape;
  const none = () => new ort.Tensor("float32", new Float32Array(0), [1, heads, 0, head]);
  return Object.fromEntries(names("before", shape).map((name) => [name, none()]));
}

async function write({ encoder, decoder, shape }, ids, count) {
  const memory = await encoder.run({ ids: tokens(ids) });
  let before = nothing(shape);
  let token = START;
  const written = [];
  while (written.length < count) {
    const { logits, ...after } = await decoder.run({ id: tokens([token]), ...memory, ...before });
    token = greatest(logits.data);
    Object.values(before).forEach((one) => one.dispose());
    written.push(token);
    if (written.length === 1) postMessage({ first: true });
    before = Object.fromEntries(Object.entries(after).map(([name, one]) => [name.replace("after", "before"), one]));
  }
  for (const one of [memory, before]) Object.values(one).forEach((tensor) => tensor.dispose());
  return written;
}

async function start() {
  const shape = await (await fetch(new URL("./model/shape.json", import.meta.url))).json();
  const encoder = await opened("encoder", names("memory", shape));
  const model = { encoder, decoder: await opened("decoder", names("after", shape)), shape };
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
