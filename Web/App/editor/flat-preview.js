// @ts-check
// A small preview of the straightened area in a corner of the stage, while its corners are moved.

import { lookOf, paintBehind } from '../../Element/canvas-look.js';
import { Extra } from '../../Element/extra.js';
import { canvasLayout, Style } from '../../Element/interface.js';
import { compile } from '../../Element/modules.js';
import { shownCorners } from '../../Element/scene.js';
import { straightening } from '../../Element/straighten.js';
import { node } from '../ui/dom.js';
import { words } from '../ui/words.js';

/** The longer side in pixels, as in its style. */
const SIDE = 144;
/** The longest side that the area is reduced to. More would not be visible, and would take longer than a frame. */
const LONGEST_PART = 512;
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
  /** @type {Extra | null} */ #module = null;
  #isLoading = false;

  /** @param {import('../../Element/crop-view.js').CropView} view */
  constructor(view) {
    this.view = view;
    this.canvas = node('canvas', { role: 'img', 'aria-label': words('flatResult') });
    this.root = node('div.flat', { hidden: true }, this.canvas);
    for (const type of ['input', 'change', 'statechange', 'load']) {
      view.addEventListener(type, () => this.update());
    }
    view.addEventListener('pointermove', (event) => this.#avoid(event));
  }

  /** Draws with the next frame, if there are four corners. */
  update() {
    const { state } = this.view;
    const isShown = state !== null && state.style === Style.quad && state.valid && this.#changesShape;
    if (!isShown) this.root.hidden = true;
    else if (!this.#frame) this.#frame = requestAnimationFrame(() => this.#draw());
  }

  /** Whether the result looks different from the photo: the corners of a rectangle only cut something off. */
  get #changesShape() {
    const { recipe } = this.view;
    return Boolean(recipe && (recipe.quad || recipe.output));
  }

  #draw() {
    this.#frame = 0;
    if (!this.#module) return this.#load();
    const { view: { core, picture, state }, canvas } = this;
    const side = Math.round(SIDE * devicePixelRatio);
    const drawing = state?.style === Style.quad ? core?.drawing({ maxSide: side }) : null;
    if (!drawing?.part || !picture?.bitmap) {
      this.root.hidden = true;
      return;
    }
    const small = reduced(drawing, drawing.part);
    try {
      const work = straightening(picture.bitmap, picture, small);
      const pixels = this.#module.straighten(work);
      const flat = this.#sheet;
      Object.assign(flat, { width: small.width, height: small.height });
      flat.getContext('2d')?.putImageData(new ImageData(pixels, small.width, small.height), 0, 0);
      const { width, height } = this.#show(flat, core);
      canvas.style.aspectRatio = `${width} / ${height}`;
      canvas.classList.toggle('upright', height > width);
      this.root.hidden = false;
      this.#leaveCorners();
    } catch {
      // Hides the preview if straightening fails at this size; the result shows the error.
      this.root.hidden = true;
    }
  }

  /** The straightened image, before it is put on its canvas. */
  #sheet = document.createElement('canvas');

  /**
   * Shows a result, on its canvas if it has one.
   * @param {HTMLCanvasElement} flat @param {import('../../Element/core.js').Core | null} core
   * @returns {{ width: number, height: number }} the shown size
   */
  #show(flat, core) {
    const { canvas } = this;
    const around = core?.canvas()?.canvas;
    const drawing = around && core.drawing();
    const layout = drawing ? canvasLayout(core, { canvas: around, crop: drawing }) : null;
    const scale = layout ? flat.width / layout.crop.width : 1;
    const size = { width: Math.round((layout?.width ?? flat.width) * scale), height: Math.round((layout?.height ?? flat.height) * scale) };
    if (canvas.width !== size.width || canvas.height !== size.height) Object.assign(canvas, size);
    const ctx = canvas.getContext('2d');
    ctx?.clearRect(0, 0, size.width, size.height);
    if (ctx && core && around && layout) paintBehind(ctx, lookOf(core, around.fill, layout, () => flat), size.width, size.height);
    ctx?.drawImage(flat, (layout?.crop.x ?? 0) * scale, (layout?.crop.y ?? 0) * scale);
    return size;
  }

  async #load() {
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      this.#module = await Extra.of(await compile('extra'));
      this.update();
    } catch {
      // Without the module there is no preview; the next change of the corners retries.
    } finally {
      this.#isLoading = false;
    }
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
    for (const other of PLACES) this.root.classList.toggle(other, other === place);
  }

  /** @param {PointerEvent} event moves to the other side if it is near the pointer */
  #avoid({ clientX, clientY }) {
    if (this.root.hidden) return;
    const { left, right, top, bottom } = this.root.getBoundingClientRect();
    const isNear = clientX > left - NEAR && clientX < right + NEAR && clientY > top - NEAR && clientY < bottom + NEAR;
    if (isNear) this.#place(this.root.classList.contains('bottom-right') ? 'bottom-left' : 'bottom-right');
  }
}

/**
 * The same drawing with fewer pixels.
 * @param {import('../../Element/core.js').Drawing} drawing
 * @param {NonNullable<import('../../Element/core.js').Drawing['part']>} part
 */
function reduced(drawing, { width, height, corners }) {
  const scale = Math.min(1, LONGEST_PART / Math.max(width, height));
  const size = [width, height].map((side) => Math.max(1, Math.round(side * scale)));
  const [across, down] = [size[0] / width, size[1] / height];
  const [a, b, c, d, e, f] = drawing.map;
  return {
    ...drawing,
    map: /** @type {typeof drawing.map} */ ([a * across, b * down, c * across, d * down, e * across, f * down]),
    copiesPixels: scale === 1,
    part: {
      width: size[0], height: size[1],
      corners: /** @type {typeof corners} */ (corners.map(({ x, y }) => ({
        x: Math.min(x * across, size[0]), y: Math.min(y * down, size[1]) }))),
    },
  };
}
