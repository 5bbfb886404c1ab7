// @ts-check
// Keeps a copy of the page, so that photos of this device can be cropped without a connection.
// The network comes first: whoever is connected has the newest page, and another program that is
// served at this address later is never hidden by a copy of this one.

/// <reference lib="webworker" />
/* global importScripts */

const worker = /** @type {any} */ (self);

// The list of the page's files, made when it is packed. It changes with each of them, which is how
// browsers notice that there is a new version.
importScripts('files.js');

/** @type {{version: string, files: string[]}} */
const page = worker.cropkitPage;
const PREFIX = 'cropkit-page-';
const NAME = PREFIX + page.version;

/** Milliseconds to wait for a network that does not answer. */
const PATIENCE = 4000;

worker.addEventListener('install', (/** @type {any} */ event) => {
  // What only the server knows goes there straight, where the browser can: no thumbnail waits for
  // this worker to start.
  const api = new URL('api/*', worker.registration.scope).pathname;
  void event.addRoutes?.({ condition: { urlPattern: { pathname: api } }, source: 'network' });
  event.waitUntil(keepAll().then(() => worker.skipWaiting()));
});

worker.addEventListener('activate', (/** @type {any} */ event) => {
  event.waitUntil(forgetOthers().then(() => worker.clients.claim()));
});

worker.addEventListener('fetch', (/** @type {any} */ event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  const scope = new URL(worker.registration.scope);
  if (request.method !== 'GET' || origin !== scope.origin) return;
  if (!pathname.startsWith(scope.pathname)) return;
  const name = pathname.slice(scope.pathname.length);
  if (name === '' || page.files.includes(name)) event.respondWith(answer(request, name));
});

/** All files of one version, or none. */
async function keepAll() {
  const cache = await caches.open(NAME);
  await cache.addAll(['./', ...page.files].map((url) => new Request(url, { cache: 'no-cache' })));
}

async function forgetOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== NAME)
    .map((name) => caches.delete(name)));
}

/** @param {Request} request @param {string} name of the file; empty for the page itself */
async function answer(request, name) {
  const kept = () => caches.open(NAME).then((cache) => cache.match(name || './'));
  try {
    return await within(PATIENCE, fetch(request));
  } catch (error) {
    const copy = await kept();
    if (copy) return copy;
    throw error;
  }
}

/** @param {number} time milliseconds @param {Promise<Response>} promise */
function within(time, promise) {
  return new Promise((resolve, reject) => {
    setTimeout(reject, time, new Error('the network does not answer'));
    promise.then(resolve, reject);
  });
}
