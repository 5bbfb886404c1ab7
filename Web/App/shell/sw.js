// @ts-check
// Caches the page, so that photos of this device can be cropped offline. It tries the network first: online users
// get the newest page, and a cached copy never hides another program that is later served at this address.

const worker = /** @type {PageKeeper} */ (/** @type {unknown} */ (self));

// The list of the page's files, generated when it is packed. It changes with each of them, so that browsers detect
// a new version.
importScripts('files.js');

const page = worker.cropkitPage;
// The language is in this script's address; only its words are cached.
const language = new URL(worker.location.href).searchParams.get('language') ?? 'en';
const files = [...page.files, ...page.languages[language] ?? []];
const PREFIX = 'cropkit-page-';
const NAME = `${PREFIX}${page.version}-${language}`;

/** The cache for files that were shared with the page, until it takes them (see launch-files.js). */
const SHARED = 'cropkit-shared';

/** Milliseconds to wait for the network. */
const PATIENCE = 4000;

worker.addEventListener('install', (event) => {
  // Requests that only the server can handle bypass this worker, if the browser supports that, so that thumbnails
  // do not wait for it to start.
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
 * Stores the photos that another app shares with the page, and redirects to it.
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

/** Caches all files of a version, or none. */
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
