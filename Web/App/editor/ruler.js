// @ts-check
// The straighten ruler: its ticks follow the pointer under a fixed needle.

import { Armed, TiltPhase } from '../../Element/interface.js';
import { node, setAttribute } from '../ui/dom.js';
import { MomentumDrag } from '../ui/drag-with-momentum.js';
import { tool } from '../ui/icons.js';
import { sectionRoot } from '../ui/section.js';
import { valueField } from '../ui/value-field.js';
import { formatNumber, readNumber, words } from '../ui/words.js';

const SVG = 'http://www.w3.org/2000/svg';
/** The distance of two degrees on the scale, in CSS pixels. */
const DEGREE = 9;
/** How far a drag continues beyond the last tick, in degrees: snapping to zero may have delayed it. */
const BEYOND = 1;
/** The steps of the arrow keys, in degrees. */
const STEPS = Object.freeze({ plain: 0.1, shift: 1 });

/** @typedef {import('../../Element/crop-view.js').CropView} CropView */
/** @typedef {import('../../Element/interface.js').State} State */

/** @param {CropView} view @returns {import('../ui/section.js').Section} */
export function straightenSection(view) {
  const limit = view.constants?.largestTilt ?? 0;
  const set = (/** @type {number} */ degrees) => {
    view.command('tilt', Math.min(Math.max(degrees, -limit), limit), TiltPhase.once);
    // The browser's next step starts from this value, possibly before the next frame.
    slider.value = String(view.state?.tilt ?? 0);
  };
  // For keyboards and screen readers; pointers use the ruler.
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
  const level = tool('level', words('levelLine'),
    () => view.command('armLevel', view.state?.armed === Armed.level ? 0 : 1), 'level');
  level.setAttribute('aria-pressed', 'false');
  let [placed, shown] = [NaN, NaN];
  const move = (/** @type {State} */ { tilt }) => {
    if (tilt === placed) return;
    placed = tilt;
    scale.style.transform = `translateX(${-tilt * DEGREE}px)`;
  };
  return {
    tab: 'frame',
    needs: ['tilt'],
    root: sectionRoot('straighten', 'straighten',
      tool('turnLeft', words('turnLeft'), () => view.turn(-1), 'quick'), field.root, level,
      tool('mirror', words('mirrorAcross'), () => view.mirror('horizontal'), 'quick'), ruler),
    update: (state) => {
      move(state);
      field.show(state.tilt);
      setAttribute(level, 'aria-pressed', state.armed === Armed.level);
      if (state.tilt === shown) return;
      shown = state.tilt;
      slider.value = String(shown);
      slider.setAttribute('aria-valuetext', angle(shown));
    },
    move,
  };
}

/** @param {number} tilt */
const angle = (tilt) => words('degrees', formatNumber(tilt, 1));

/**
 * Drags the tilt; one drag is one undo step.
 * @param {CropView} view @param {HTMLElement} ruler @param {number} most maximum in degrees, in both directions
 * @param {() => void} pressed
 */
function slideTilt(view, ruler, most, pressed) {
  let degrees = 0;
  /** The tilt that the core last set; a different one comes from elsewhere. */
  let made = 0;
  const send = (/** @type {number} */ phase) => {
    view.command('tilt', degrees, phase);
    made = view.state?.tilt ?? 0;
  };
  new MomentumDrag(ruler, {
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
      // Undoing during the glide must not be overridden.
      if (view.state?.tilt !== made) degrees = view.state?.tilt ?? 0;
      send(TiltPhase.ended);
    },
  });
}

/**
 * A field that shows the angle and accepts a new one.
 * @param {CropView} view @param {(degrees: number) => void} set
 */
function angleField(view, set) {
  const write = () => {
    const tilt = view.state?.tilt ?? 0;
    const text = angle(tilt);
    if (input.value !== text) input.value = text;
    input.classList.toggle('changed', tilt !== 0);
  };
  const change = (/** @type {number | null} */ degrees) => {
    if (degrees !== null && degrees !== view.state?.tilt) set(degrees);
    write();
  };
  const input = valueField(words('fieldAngle'), { maxlength: 9 }, {
    commit: () => change(readNumber(input.value, false)), restore: write,
    step: (way, isLarge) => change((view.state?.tilt ?? 0) + way * (isLarge ? STEPS.shift : STEPS.plain)),
  });
  return {
    root: node('label.angle', {}, input),
    show: (/** @type {number} */ tilt) => {
      input.classList.toggle('changed', tilt !== 0);
      // Does not overwrite what the user is typing.
      if (!input.matches(':focus')) write();
    },
  };
}

/** @param {number} limit maximum in degrees, in both directions */
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
