// The worker's script: the engine, and its part for graphics cards where one is opened.
import init from "./engine-HASH-glue.js";

const beside = (ending) => new URL(`./engine-HASH${ending}`, import.meta.url);
const first = init({ module_or_path: beside("_bg.wasm") });
// A failure of the start is thrown again outside the promise, so that the page hears of it.
first.catch((error) => setTimeout(() => { throw error; }));

// Fetches the part, until it is called off; where it did not come, another call fetches it again.
self.graphicsPart = async (signal) => {
  const answer = await fetch(new Request(beside("_graphics.wasm"), { signal }));
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  const imports = { first: await first };
  // Compiled while it comes, where the server says what it is.
  if (answer.headers.get("Content-Type") === "application/wasm") {
    await WebAssembly.instantiateStreaming(answer, imports);
  } else {
    await WebAssembly.instantiate(await answer.arrayBuffer(), imports);
  }
};
