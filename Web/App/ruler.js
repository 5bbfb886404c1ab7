// @ts-check
// The straighten ruler: its ticks slide under a needle that rests, as far as the hand moves.

import { TiltPhase } from '../Element/interface.js';
import { node } from './dom.js';
import { icon } from './icons.js';
import { sectionRoot } from './section.js';
import { Slide } from './slide.js';
import { formatNumber, readNumber, words } from './words.js';

const SVG = 'http://www.w3.org/2000/svg';
/** How far the ticks slide for a degree, in CSS pixels. */
const DEGREE = 9;
/** How far beyond the last tick a drag counts, in degrees: the magnet at zero may have held it up. */
const BEYOND = 1;
/** What arrow keys change, in degrees. */
const STEPS = Object.freeze({ plain: 0.1, shift: 1 });

/** @typedef {import('../Element/crop-view.js').CropView} CropView */

/** @param {CropView} view @returns {import('./section.js').Section} */
export function straightenSection(view) {
  const limit = view.constants?.largestTilt ?? 0;
  const set = (/** @type {number} */ degrees) => {
    view.command('tilt', Math.min(Math.max(degrees, -limit), limit), TiltPhase.once);
    // The browser counts its next step from here, which may come before the next frame.
    slider.value = String(view.state?.tilt ?? 0);
  };
  // For the keyboard and for screen readers; the hand is the ruler's.
  const slider = node('input', {
    type: 'range', min: -limit, max: limit, step: STEPS.plain, value: 0,
    'aria-label': words('straighten'),
  });
  slider.addEventListener('input', () => set(Number(slider.value)));
  slider.addEventListener('keydown', (event) => {
    const way = { ArrowLeft: -1, ArrowDown: -1, ArrowUp: 1, ArrowRight: 1 }[event.key];
    if (!event.shiftKey || !way) return;
    event.preventDefault();
    set((view.state?.tilt ?? 0) + way * STEPS.shift);
  });
  const scale = ticks(limit);
  const ruler = node('div.ruler', {}, scale,
    node('span.needle', { 'aria-hidden': 'true' }), slider);
  slideTilt(view, ruler, limit + BEYOND, () => slider.focus({ preventScroll: true }));
  ruler.addEventListener('dblclick', () => set(0));
  const field = angleField(view, set);
  let shown = NaN;
  const follow = (/** @type {import('../Element/interface.js').State} */ { tilt }) => {
    field.show(tilt);
    if (tilt === shown) return;
    shown = tilt;
    slider.value = String(tilt);
    slider.setAttribute('aria-valuetext', angle(tilt));
    scale.style.transform = `translateX(${-tilt * DEGREE}px)`;
  };
  return {
    tab: 'frame',
    needs: ['tilt'],
    root: sectionRoot('straighten', 'straighten',
      quick('turnLeft', 'turnLeft', () => view.turn(-1)), field.root,
      quick('mirror', 'mirrorAcross', () => view.mirror('horizontal')), ruler),
    update: follow,
    follow,
  };
}

/**
 * What a phone does in one tap; elsewhere it is in the panel.
 * @param {import('./icons.js').IconName} glyph @param {import('./words.js').WordKey} label
 * @param {() => void} act
 */
function quick(glyph, label, act) {
  return node('button.quiet.square.quick', {
    type: 'button', 'aria-label': words(label), title: words(label), onclick: act,
  }, icon(glyph));
}

/** @param {number} tilt */
const angle = (tilt) => words('degrees', formatNumber(tilt, 1));

/**
 * Lets a hand slide the tilt; all of one slide is one step of the history.
 * @param {CropView} view @param {HTMLElement} ruler @param {number} most degrees either way
 * @param {() => void} pressed
 */
function slideTilt(view, ruler, most, pressed) {
  let degrees = 0;
  /** The tilt that the core made of it last: another one is somebody else's. */
  let made = 0;
  const send = (/** @type {number} */ phase) => {
    view.command('tilt', degrees, phase);
    made = view.state?.tilt ?? 0;
  };
  new Slide(ruler, {
    pressed,
    began: () => {
      degrees = made = view.state?.tilt ?? 0;
    },
    moved: (way) => {
      if (!ruler.isConnected || view.state?.tilt !== made) {
        degrees = made = view.state?.tilt ?? 0;
        return false;
      }
      const wanted = degrees - way / DEGREE;
      degrees = Math.min(Math.max(wanted, -most), most);
      send(TiltPhase.dragging);
      return degrees === wanted;
    },
    ended: () => {
      // An undo during the glide stays undone.
      if (view.state?.tilt !== made) degrees = view.state?.tilt ?? 0;
      send(TiltPhase.ended);
    },
  });
}

/**
 * The angle in numbers, to read and to type.
 * @param {CropView} view @param {(degrees: number) => void} set
 */
function angleField(view, set) {
  const input = node('input', {
    type: 'text', inputmode: 'decimal', autocomplete: 'off', maxlength: 9,
    'aria-label': words('fieldAngle'),
  });
  const write = () => {
    const tilt = view.state?.tilt ?? 0;
    const text = angle(tilt);
    if (input.value !== text) input.value = text;
    input.classList.toggle('changed', tilt !== 0);
  };
  const commit = () => {
    const degrees = readNumber(input.value, false);
    if (degrees !== null && degrees !== view.state?.tilt) set(degrees);
    write();
  };
  input.addEventListener('focus', () => input.select());
  input.addEventListener('change', commit);
  input.addEventListener('keydown', (event) => {
    const way = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (event.key === 'Escape') write();
    else if (event.key === 'Enter') commit();
    else if (way) {
      event.preventDefault();
      set((view.state?.tilt ?? 0) + way * (event.shiftKey ? STEPS.shift : STEPS.plain));
      write();
    } else return;
    input.select();
  });
  return {
    root: node('label.angle', {}, input),
    show: (/** @type {number} */ tilt) => {
      input.classList.toggle('changed', tilt !== 0);
      // What a person is typing stays theirs.
      if (!input.matches(':focus')) write();
    },
  };
}

/** @param {number} limit degrees either way */
function ticks(limit) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('aria-hidden', 'true');
  for (let degree = -limit; degree <= limit; degree += 1) {
    const line = document.createElementNS(SVG, 'line');
    const kind = degree === 0 ? 'zero' : degree % 5 === 0 ? 'major' : 'minor';
    const inset = { zero: 14, major: 20, minor: 30 }[kind];
    line.setAttribute('x1', String(degree * DEGREE));
    line.setAttribute('x2', String(degree * DEGREE));
    line.setAttribute('y1', `${inset}%`);
    line.setAttribute('y2', `${100 - inset}%`);
    line.setAttribute('class', kind);
    svg.append(line);
  }
  return svg;
}
