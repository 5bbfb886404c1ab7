// @ts-check
// A small preview of the straightened area in a corner of the stage, while its corners are moved.

import { Style } from '../../Element/interface.js';
import { shownCorners } from '../../Element/scene.js';
import { node } from '../ui/dom.js';

/** The distance of the pointer at which the preview moves to the other side, in CSS pixels. */
const NEAR = 48;
/** The radius of a handle around its corner, in CSS pixels. */
const HANDLE = 12;
/** The distance from the edges of the stage, as in its style, in CSS pixels. */
const GAP = 12;
/** Where it can be, the best place first; the names of classes. */
const PLACES = Object.freeze(['bottom-right', 'bottom-left', 'top-right', 'top-left', 'middle']);

export class FlatPreview {
  #frame = 0;
  /** @type {DOMRect | null} where it is; null if that may have changed */ #box = null;

  /** @param {import('../../Element/crop-view.js').CropView} view with an `id` */
  constructor(view) {
    this.view = view;
    this.preview = document.createElement('crop-preview');
    this.preview.setAttribute('for', view.id);
    // It is only invisible as long as there is nothing to show, since the copy of the photo would take too long
    // during a drag.
    this.root = node('div.flat.idle', { hidden: true }, this.preview);
    for (const type of ['input', 'change', 'statechange', 'load']) {
      view.addEventListener(type, () => this.update());
    }
    view.addEventListener('pointermove', (event) => this.#avoid(event));
  }

  /** Shows it if there are four corners that change the photo's shape; during a drag, only its content changes. */
  update() {
    const { root, view: { state, isHeld } } = this;
    const hasCorners = state?.style === Style.quad;
    if (root.hidden === hasCorners) root.hidden = !hasCorners;
    if (!hasCorners) return;
    root.classList.toggle('idle', !state.valid || !this.#changesShape);
    if (isHeld || this.#frame) return;
    this.#box = null;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#fit();
      this.#leaveCorners();
    });
  }

  /** Whether the result looks different from the photo: the corners of a rectangle only cut something off. */
  get #changesShape() {
    const { recipe } = this.view;
    return Boolean(recipe && (recipe.quad || recipe.output));
  }

  /** Takes the result's ratio. */
  #fit() {
    const { width, height } = this.view.resultSize ?? { width: 1, height: 1 };
    const { preview } = this;
    preview.style.aspectRatio = `${width} / ${height}`;
    preview.classList.toggle('upright', height > width);
  }

  /** Moves to the first place where it covers no handle. */
  #leaveCorners() {
    const { view, root } = this;
    const stage = view.getBoundingClientRect();
    const corners = shownCorners(view.core?.scene() ?? []);
    const handles = corners.flatMap(({ x, y }, at) => {
      const next = corners[(at + 1) % corners.length];
      return [{ x, y }, { x: (x + next.x) / 2, y: (y + next.y) / 2 }];
    });
    const { offsetWidth: width, offsetHeight: height } = root;
    const isFree = (/** @type {string} */ place) => {
      const left = place.endsWith('left') ? GAP : place.endsWith('right') ? stage.width - GAP - width
        : (stage.width - width) / 2;
      const top = place.startsWith('top') ? GAP : place.startsWith('bottom') ? stage.height - GAP - height
        : (stage.height - height) / 2;
      return !handles.some(({ x, y }) => x > left - HANDLE && x < left + width + HANDLE
        && y > top - HANDLE && y < top + height + HANDLE);
    };
    const now = PLACES.find((place) => root.classList.contains(place));
    // Stays where it is as long as possible.
    this.#place([...now ? [now] : [], ...PLACES].find(isFree) ?? now ?? PLACES[0]);
  }

  /** @param {string} place */
  #place(place) {
    this.#box = null;
    for (const other of PLACES) this.root.classList.toggle(other, other === place);
  }

  /** @param {PointerEvent} event moves to the other side if it is near the pointer */
  #avoid({ clientX, clientY }) {
    const { root } = this;
    if (root.hidden || root.classList.contains('idle')) return;
    const { left, right, top, bottom } = this.#box ??= root.getBoundingClientRect();
    const isNear = clientX > left - NEAR && clientX < right + NEAR && clientY > top - NEAR && clientY < bottom + NEAR;
    if (isNear) this.#place(root.classList.contains('bottom-right') ? 'bottom-left' : 'bottom-right');
  }
}
