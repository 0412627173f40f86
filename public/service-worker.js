// Keeps the page, the engine and the cards of the models, so that Tuppum opens without a network and all that it names
// can be read. The weights are none of its business: the engine keeps them in the browser's private file system.
//
// A new version is fetched whole, then waits until a page says "take over"; until then every tab keeps the version that
// it began with.

// Both are filled in by the build: [path, hash of its content] of every file, and a hash of that list.
const FILES = [];
const VERSION = "unbuilt";

// Caches belong to a whole server, on which other applications, or another Tuppum, may live in other folders.
const SCOPE = self.registration.scope;
const OURS = `tuppum ${SCOPE} `;
const CACHE = OURS + VERSION;
const INDEX = new URL("index.html", SCOPE).href;
const KEPT = new Set(FILES.map(([path]) => new URL(path, SCOPE).href));

self.addEventListener("install", (event) => event.waitUntil(fetchAll()));

self.addEventListener("activate", (event) => event.waitUntil(forgetOldVersions()));

self.addEventListener("message", (event) => {
  if (event.data === "take over") self.skipWaiting();
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const url = new URL(request.url);
  const address = url.origin + url.pathname;
  if (KEPT.has(address)) {
    event.respondWith(kept(address, request));
  } else if (address === SCOPE || (request.mode === "navigate" && isOfThePage(address))) {
    event.respondWith(kept(INDEX, request));
  }
});

// Whether an address opens the page; a model's card opens as what it is.
function isOfThePage(address) {
  return address.startsWith(SCOPE) && !address.startsWith(`${SCOPE}models/`);
}

// The copy of this version; from the network should the browser have dropped it.
async function kept(address, request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(address)) ?? fetch(request);
}

// A file whose hash an older version already has is not fetched again. One failure fails the installation; the page says
// so, and it is tried again at the next visit. Bytes are taken as a buffer, since Chromium refuses to make a blob of as
// many bytes as the engine has where the disk has a few gigabytes left, though there is room for them.
async function fetchAll() {
  const cache = await caches.open(CACHE);
  await Promise.all(
    FILES.map(async ([path, hash]) => {
      const address = new URL(path, SCOPE).href;
      const response = (await older(address, hash)) ?? (await fetched(address));
      const headers = new Headers(response.headers);
      headers.set("tuppum-hash", hash);
      await cache.put(address, new Response(await response.arrayBuffer(), { headers }));
    }),
  );
}

async function older(address, hash) {
  for (const name of await ownCaches()) {
    const response = await (await caches.open(name)).match(address);
    if (response?.headers.get("tuppum-hash") === hash) return response;
  }
  return undefined;
}

// The browser's own cache is asked whether its copy is fresh, so that an old index never mixes with new files.
async function fetched(address) {
  const response = await fetch(address, { cache: "no-cache" });
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response;
}

async function forgetOldVersions() {
  const old = (await ownCaches()).filter((name) => name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

async function ownCaches() {
  return (await caches.keys()).filter((name) => name.startsWith(OURS));
}
