// @ts-check
// Keeps a copy of the page, so that photos of this device can be cropped without a connection.
// The network comes first: whoever is connected has the newest page, and another program that is
// served at this address later is never hidden by a copy of this one.

const worker = /** @type {PageKeeper} */ (/** @type {unknown} */ (self));

// The list of the page's files, made when it is packed. It changes with each of them, which is how
// browsers notice that there is a new version.
importScripts('files.js');

const page = worker.cropkitPage;
// The words of the page's language, which is in this script's address, and of no other.
const language = new URL(worker.location.href).searchParams.get('language') ?? 'en';
const files = [...page.files, ...page.languages[language] ?? []];
const PREFIX = 'cropkit-page-';
const NAME = `${PREFIX}${page.version}-${language}`;

/** What was shared with the page, until it takes it (see launched.js). */
const SHARED = 'cropkit-shared';

/** Milliseconds to wait for a network that does not answer. */
const PATIENCE = 4000;

worker.addEventListener('install', (event) => {
  // What only the server knows goes there straight, where the browser can: no thumbnail waits for
  // this worker to start.
  const api = new URL('api/*', worker.registration.scope).pathname;
  void event.addRoutes?.({ condition: { urlPattern: { pathname: api } }, source: 'network' });
  event.waitUntil(keepAll().then(() => worker.skipWaiting()));
});

worker.addEventListener('activate', (event) => {
  event.waitUntil(forgetOthers().then(() => worker.clients.claim()));
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  const scope = new URL(worker.registration.scope);
  if (origin !== scope.origin) return;
  if (request.method === 'POST' && pathname === `${scope.pathname}share`) {
    event.respondWith(keepShared(request));
    return;
  }
  if (request.method !== 'GET') return;
  if (!pathname.startsWith(scope.pathname)) return;
  const name = pathname.slice(scope.pathname.length);
  if (name === '' || files.includes(name)) event.respondWith(answer(request, name));
});

/**
 * Keeps the photos that another app shares with the page, and leads on to it.
 * @param {Request} request
 */
async function keepShared(request) {
  const form = await request.formData();
  await caches.delete(SHARED);
  const cache = await caches.open(SHARED);
  const files = form.getAll('photos').flatMap((part) => (part instanceof File ? part : []));
  await Promise.all(files.map((file, index) => cache.put(`shared/${index}`,
    new Response(file, { headers: { 'x-name': encodeURIComponent(file.name) } }))));
  return Response.redirect('./#/shared', 303);
}

/** All files of one version, or none. */
async function keepAll() {
  const cache = await caches.open(NAME);
  await cache.addAll(['./', ...files].map((url) => new Request(url, { cache: 'no-cache' })));
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
