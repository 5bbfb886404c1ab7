// @ts-check
// A small preview of the straightened area in a corner of the stage, while its corners are moved.

import { CropPreview } from '../../Element/crop-preview.js';
import { Style } from '../../Element/interface.js';
import { shownCorners } from '../../Element/scene.js';
import { node } from '../ui/dom.js';

if (!customElements.get('crop-preview')) customElements.define('crop-preview', CropPreview);

/** The distance of the pointer at which the preview moves elsewhere, in CSS pixels. */
const NEAR = 48;
/** The radius of a handle around its corner, in CSS pixels. */
const HANDLE = 12;
/** The distance from the edges of the photo's view, in CSS pixels. */
const GAP = 12;
/** Where it can be, the best place first: shares of the free space from the left and from the top. */
const PLACES = Object.freeze(/** @type {const} */ ([[1, 1], [0, 1], [1, 0], [0, 0], [0.5, 0.5], [1, 0.5], [0, 0.5]]));

/** @typedef {{ x: number, y: number }} Point of the view, in CSS pixels */

export class FlatPreview {
  #frame = 0;
  /** The index of its place. */ #place = 0;
  /** Where the view is on the screen and in the stage, and the preview's size, measured while nothing moves. */
  #box = { x: 0, y: 0, left: 0, top: 0, across: 0, down: 0, width: 0, height: 0 };

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
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#fit();
      this.#move(null);
    });
  }

  /** Whether the result looks different from the photo: the corners of a rectangle only cut something off. */
  get #changesShape() {
    const { recipe } = this.view;
    return Boolean(recipe && (recipe.quad || recipe.output));
  }

  /** Takes the result's ratio, and measures where it can be. */
  #fit() {
    const { width, height } = this.view.resultSize ?? { width: 1, height: 1 };
    const { preview, root, view } = this;
    preview.style.aspectRatio = `${width} / ${height}`;
    preview.classList.toggle('upright', height > width);
    const { x, y } = view.getBoundingClientRect();
    this.#box = {
      x, y, left: view.offsetLeft + GAP, top: view.offsetTop + GAP,
      across: view.offsetWidth - 2 * GAP - root.offsetWidth, down: view.offsetHeight - 2 * GAP - root.offsetHeight,
      width: root.offsetWidth, height: root.offsetHeight,
    };
  }

  /** @param {PointerEvent} event makes way for the pointer */
  #avoid({ clientX, clientY }) {
    const { root } = this;
    if (root.hidden || root.classList.contains('idle')) return;
    const pointer = { x: clientX - this.#box.x, y: clientY - this.#box.y };
    if (this.#covers(PLACES[this.#place], pointer, NEAR)) this.#move(pointer);
  }

  /**
   * Moves to the first place where it covers no handle and not the pointer; it stays where it is as long as possible.
   * @param {Point | null} pointer
   */
  #move(pointer) {
    const corners = shownCorners(this.view.core?.scene() ?? []);
    const handles = corners.flatMap(({ x, y }, at) => {
      const next = corners[(at + 1) % corners.length];
      return [{ x, y }, { x: (x + next.x) / 2, y: (y + next.y) / 2 }];
    });
    const isFree = (/** @type {number} */ place) => !handles.some((handle) => this.#covers(PLACES[place], handle, HANDLE))
      && !(pointer && this.#covers(PLACES[place], pointer, NEAR));
    const free = [this.#place, ...PLACES.keys()].find(isFree);
    // A stage that is too small for it has none.
    this.root.classList.toggle('crowded', free === undefined);
    this.#place = free ?? 0;
    const [x, y] = PLACES[this.#place];
    const { left, top, across, down } = this.#box;
    // A transform moves it without a layout.
    this.root.style.transform = `translate(${left + x * across}px, ${top + y * down}px)`;
  }

  /**
   * Whether the preview in a place would be within `reach` of a point.
   * @param {readonly [number, number]} place @param {Point} point @param {number} reach in CSS pixels
   */
  #covers([x, y], point, reach) {
    const { across, down, width, height } = this.#box;
    const [left, top] = [GAP + x * across, GAP + y * down];
    return point.x > left - reach && point.x < left + width + reach
      && point.y > top - reach && point.y < top + height + reach;
  }
}
