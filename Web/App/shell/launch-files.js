// @ts-check
// Files that the system passes to the installed page: opened with it, or shared with it.

/** The cache in which the service worker stores shared files, under `shared/0` and so on (see sw.js). */
const SHARED = 'cropkit-shared';

/**
 * Opens the files that the system opens with the page, now and later.
 * @param {(files: File[]) => void} open
 */
export function openLaunchFiles(open) {
  window.launchQueue?.setConsumer(async ({ files }) => {
    const all = await Promise.all(files.map((handle) => handle.getFile()));
    // Without files, the page was only started.
    if (all.length) open(all);
  });
}

/**
 * Takes the files that were shared with the page, once.
 * @returns {Promise<File[]>}
 */
export async function takeShared() {
  if (!('caches' in window)) return [];
  const cache = await caches.open(SHARED);
  const answers = await cache.matchAll();
  await caches.delete(SHARED);
  return Promise.all(answers.map(async (answer) => {
    const blob = await answer.blob();
    return new File([blob], decodeURIComponent(answer.headers.get('x-name') ?? ''), { type: blob.type });
  }));
}
