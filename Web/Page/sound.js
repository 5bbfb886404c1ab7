// @ts-check
// The shutter. It is fetched at once and decoded at the first touch, so that a press plays it
// without a wait.

const MUTED = 'cropkit.muted';

/** @type {Promise<ArrayBuffer | null>} */
const bytes = fetch(new URL('shutter.wav', import.meta.url))
  .then((response) => (response.ok ? response.arrayBuffer() : null))
  .catch(() => null);

/** @type {AudioContext | undefined} */
let context;
/** @type {AudioBuffer | undefined} */
let buffer;

/**
 * Browsers start audio only from a gesture; the first one prepares it, whatever it is for. It takes
 * a few frames, so a drag on the photo does so only at its end.
 * @param {Event} event
 */
async function prepare({ type, target }) {
  if (type === 'pointerdown' && target instanceof Element && target.matches('crop-view')) return;
  removeEventListener('pointerup', prepare, true);
  removeEventListener('pointerdown', prepare, true);
  removeEventListener('keydown', prepare, true);
  const data = await bytes;
  if (!data || typeof AudioContext === 'undefined') return;
  try {
    context = new AudioContext({ latencyHint: 'interactive' });
    buffer = await context.decodeAudioData(data);
  } catch {
    // A page without sound still crops.
    context = undefined;
  }
}

addEventListener('pointerdown', prepare, true);
addEventListener('pointerup', prepare, true);
addEventListener('keydown', prepare, true);

export function isMuted() {
  try {
    return localStorage.getItem(MUTED) === 'true';
  } catch {
    return false;
  }
}

/** @param {boolean} muted */
export function setMuted(muted) {
  try {
    localStorage.setItem(MUTED, String(muted));
  } catch {
    // Storage may be refused; the choice then lasts no longer than the page.
  }
}

export function playShutter() {
  if (!context || !buffer || isMuted()) return;
  if (context.state !== 'running') context.resume();
  const source = context.createBufferSource();
  source.buffer = buffer;
  source.connect(context.destination);
  source.start();
}
