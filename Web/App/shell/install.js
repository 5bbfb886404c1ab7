// @ts-check
// The page as an app: cached for offline use and installable.

import { language } from '../ui/words.js';

/** Starts caching the page, if the browser supports that. */
export function registerServiceWorker() {
  if (!isSecureContext || !('serviceWorker' in navigator)) return;
  // Runs after the page has loaded its own files. An unpacked page has no list of files and is not cached.
  // The worker's list of files is always fetched again, however long a host lets browsers cache it.
  const start = () => navigator.serviceWorker
    .register(`sw.js?language=${language}`, { updateViaCache: 'none' }).catch(() => {});
  if (document.readyState === 'complete') start();
  else addEventListener('load', start, { once: true });
}

/**
 * Shows the buttons while the browser offers to install the page.
 * @param {HTMLButtonElement[]} buttons
 */
export function offerInstall(buttons) {
  /** @type {InstallOffer | null} */ let offer = null;
  const show = (/** @type {boolean} */ isOffered) => {
    for (const button of buttons) button.hidden = !isOffered;
  };
  show(false);
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    offer = event;
    show(true);
  });
  addEventListener('appinstalled', () => show(false));
  for (const button of buttons) {
    button.addEventListener('click', () => {
      offer?.prompt();
      show(false);
    });
  }
}
