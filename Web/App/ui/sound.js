// @ts-check
// The shutter: its sound, and the flash that goes with it. The sound is fetched and decoded at the first touch, so
// that Crop plays it without delay.

import { animate } from './dom.js';
import { setting } from './settings.js';

const muted = setting('muted');

/** @type {AudioContext | undefined} */ let context;
/** @type {AudioBuffer | undefined} */ let buffer;

/**
 * Browsers only start audio after a user gesture, so the first one of any kind prepares it. Since that takes a few
 * frames, a drag on the photo prepares it only at its end.
 * @param {Event} event
 */
async function prepare({ type, target }) {
  if (type === 'pointerdown' && target instanceof Element && target.matches('crop-view')) return;
  removeEventListener('pointerup', prepare, true);
  removeEventListener('pointerdown', prepare, true);
  removeEventListener('keydown', prepare, true);
  if (typeof AudioContext === 'undefined') return;
  try {
    // Created before anything is awaited, while the browser still attributes it to the gesture.
    context = new AudioContext({ latencyHint: 'interactive' });
    const answer = await fetch(new URL('shutter.wav', import.meta.url));
    if (answer.ok) buffer = await context.decodeAudioData(await answer.arrayBuffer());
  } catch {
    // Without sound, the page still works.
    context = undefined;
  }
}

addEventListener('pointerdown', prepare, true);
addEventListener('pointerup', prepare, true);
addEventListener('keydown', prepare, true);

export function isMuted() {
  return muted.get() === 'true';
}

/** @param {boolean} isMuted */
export function setMuted(isMuted) {
  muted.set(String(isMuted));
}

/** Plays the sound of the shutter. */
export function playShutter() {
  if (!context || !buffer || isMuted()) return;
  if (context.state !== 'running') context.resume();
  const source = context.createBufferSource();
  source.buffer = buffer;
  source.connect(context.destination);
  source.start();
}

/**
 * Shows a flash for a moment.
 * @param {HTMLElement} element which is white, and hidden otherwise
 * @param {DOMRect | null} [box] where it is shown in the window; default: as its style says
 */
export async function flash(element, box) {
  if (isMuted()) return;
  const parent = element.parentElement?.getBoundingClientRect();
  if (box && parent) {
    Object.assign(element.style, {
      inset: 'auto', left: `${box.left - parent.left}px`, top: `${box.top - parent.top}px`,
      width: `${box.width}px`, height: `${box.height}px`,
    });
  }
  element.hidden = false;
  // A bright flash would blind in the dark.
  const opacity = matchMedia('(prefers-color-scheme: dark)').matches ? 0.5 : 1;
  await animate(element, [{ opacity }, { opacity: 0 }], 200);
  element.hidden = true;
}
