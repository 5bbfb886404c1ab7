// @ts-check
// The shutter. It is fetched and decoded at the first touch of whatever, so that a press of Crop plays
// it without a wait.

import { setting } from './settings.js';

const muted = setting('muted');

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
  if (typeof AudioContext === 'undefined') return;
  try {
    // Made before anything is waited for, while the browser still takes it for the gesture's.
    context = new AudioContext({ latencyHint: 'interactive' });
    const answer = await fetch(new URL('shutter.wav', import.meta.url));
    if (answer.ok) buffer = await context.decodeAudioData(await answer.arrayBuffer());
  } catch {
    // A page without sound still crops.
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

export function playShutter() {
  if (!context || !buffer || isMuted()) return;
  if (context.state !== 'running') context.resume();
  const source = context.createBufferSource();
  source.buffer = buffer;
  source.connect(context.destination);
  source.start();
}
