// Starts the page. A file of its own, since the content security policy lets nothing inline run.
import init from "./page.js";

init({ module_or_path: new URL("page_bg.wasm", document.baseURI) });
