// @ts-check
// The straighten ruler: a slider that looks like one on a drawing board.

import { sectionRoot } from './controls.js';
import { node } from './dom.js';
import { formatNumber, words } from './words.js';

const SVG = 'http://www.w3.org/2000/svg';
const LIMIT = 45;

/** How a tilt comes: at once, or with a ruler that is held and let go. */
const ONCE = 0;
const DRAGGING = 1;
const ENDED = 2;

/** @param {import('./crop-view.js').CropView} view @returns {import('./controls.js').Section} */
export function straightenSection(view) {
  let isHeld = false;
  const input = node('input', {
    type: 'range', min: -LIMIT, max: LIMIT, step: 0.1, value: 0, 'aria-label': words('straighten'),
  });
  input.addEventListener('input', () => {
    view.command('tilt', Number(input.value), isHeld ? DRAGGING : ONCE);
  });
  input.addEventListener('pointerdown', () => {
    isHeld = true;
  });
  for (const type of ['pointerup', 'pointercancel']) {
    input.addEventListener(type, () => {
      if (isHeld) view.command('tilt', Number(input.value), ENDED);
      isHeld = false;
    });
  }
  input.addEventListener('dblclick', () => view.command('tilt', 0, ONCE));
  const degrees = node('output');
  const needle = node('span.needle', { 'aria-hidden': 'true' });
  const ruler = node('div.ruler', {}, ticks(), needle, input);
  return {
    tab: 'frame',
    needs: ['tilt'],
    root: sectionRoot('straighten', 'straighten', degrees, ruler),
    update: ({ tilt }) => {
      if (input.value !== String(tilt)) input.value = String(tilt);
      const text = words('degrees', formatNumber(tilt, 1));
      if (text === degrees.textContent) return;
      input.setAttribute('aria-valuetext', text);
      degrees.textContent = text;
      needle.style.setProperty('--at', String((tilt + LIMIT) / (2 * LIMIT)));
    },
  };
}

function ticks() {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('aria-hidden', 'true');
  for (let index = 0; index <= 40; index += 1) {
    const line = document.createElementNS(SVG, 'line');
    const isMajor = index % 5 === 0;
    line.setAttribute('x1', `${index * 2.5}%`);
    line.setAttribute('x2', `${index * 2.5}%`);
    line.setAttribute('y1', isMajor ? '20%' : '30%');
    line.setAttribute('y2', isMajor ? '80%' : '70%');
    line.setAttribute('class', isMajor ? 'major' : 'minor');
    svg.append(line);
  }
  return svg;
}
