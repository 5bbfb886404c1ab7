// @ts-check
// The page as an app: it is kept for when there is no connection, and can be installed.

import { language } from './words.js';

/** Starts keeping the page, where the browser may. */
export function keepPage() {
  if (!isSecureContext || !('serviceWorker' in navigator)) return;
  // After the page itself, whose files come first. A page that was not packed has no list of files
  // and is not kept.
  const start = () => navigator.serviceWorker
    .register(`sw.js?language=${language}`).catch(() => {});
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
