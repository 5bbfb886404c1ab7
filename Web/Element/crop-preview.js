// @ts-check
// <crop-preview for="view">: shows the crop of a <crop-view> while it changes. A reduced copy of the image moves under
// a mask by a CSS transform; a drag draws and encodes nothing, and causes no layout.

import { Shape } from './interface.js';
import { flattening } from './placing.js';
import { BaseElement } from './platform.js';

/** @typedef {import('./crop-view.js').CropView} CropView */
/** @typedef {import('./core.js').Drawing} Drawing */
/** @typedef {import('./interface.js').Box} Box */

/** Events of the view after which the preview may look different. */
const EVENTS = Object.freeze(['load', 'input', 'change', 'statechange']);

/** How much finer than needed the copy of the image is, so that it stays sharp in the next gesture. */
const RESERVE = 1.5;
/** The copy's shortest longest side in pixels. Smaller ones would save nothing. */
const LEAST_SIDE = 256;
/** Milliseconds without an event after which the fill of a canvas is made of the new crop. */
const PAUSE = 200;

const RULES = `
  :host {
    display: block;
    position: relative;
    inline-size: 160px;
    aspect-ratio: 1;
    overflow: clip;
    contain: layout paint style;
  }
  :host([hidden]), [hidden] { display: none !important; }
  .result, .crop { position: absolute; }
  .crop { inset: 0; }
  canvas { position: absolute; left: 0; top: 0; transform-origin: 0 0; }
  .fill { inline-size: 100%; block-size: 100%; }
  .photo { will-change: transform; }
`;

/** @type {CSSStyleSheet | undefined} */
let sheet;

function sharedSheet() {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(RULES);
  }
  return sheet;
}

export class CropPreview extends BaseElement {
  static get observedAttributes() { return ['for']; }
  #result = document.createElement('div');
  #fill = document.createElement('canvas');
  #crop = document.createElement('div');
  #photo = document.createElement('canvas');
  /** @type {ImageBitmap | null} the preview that was copied */
  #copied = null;
  /** @type {HTMLCanvasElement | null} the fill that was copied */
  #filled = null;
  /** The area inside the element's padding, in CSS pixels. */
  #box = { x: 0, y: 0, width: 0, height: 0 };
  /** @type {Node | null} where the view is looked up */
  #root = null;
  #timer = 0;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sharedSheet()];
    for (const [node, name] of /** @type {[HTMLElement, string][]} */ ([
      [this.#result, 'result'], [this.#fill, 'fill'], [this.#crop, 'crop'], [this.#photo, 'photo']])) {
      node.className = name;
      node.setAttribute('part', name);
    }
    this.#result.setAttribute('role', 'img');
    this.#result.hidden = true;
    this.#crop.append(this.#photo);
    this.#result.append(this.#fill, this.#crop);
    root.append(this.#result);
  }

  connectedCallback() {
    this.#root = this.getRootNode();
    // The view may be added later, or replaced, so its events are received where they bubble to.
    for (const type of EVENTS) this.#root.addEventListener(type, this.#changed);
    this.#sizes.observe(this);
    this.#update();
  }

  disconnectedCallback() {
    for (const type of EVENTS) this.#root?.removeEventListener(type, this.#changed);
    this.#sizes.disconnect();
    clearTimeout(this.#timer);
    this.#root = null;
  }

  attributeChangedCallback() {
    this.#update();
  }

  /** The `id` of the view. */
  get htmlFor() { return this.getAttribute('for') ?? ''; }
  set htmlFor(id) { this.setAttribute('for', id ?? ''); }

  /** @returns {CropView | null} */
  get #view() {
    const root = this.#root;
    const found = root instanceof Document || root instanceof ShadowRoot ? root.getElementById(this.htmlFor) : null;
    return found && 'core' in found ? /** @type {CropView} */ (found) : null;
  }

  #changed = (/** @type {Event} */ event) => {
    if (event.target !== this.#view) return;
    this.#update();
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#update(), PAUSE);
  };

  #sizes = new ResizeObserver(([{ contentRect }]) => {
    this.#box = contentRect;
    this.#update();
  });

  /** Shows the current crop of the view. */
  #update() {
    const hasSize = this.#box.width > 0 && this.#box.height > 0;
    const view = hasSize ? this.#view : null;
    const drawing = view?.picture?.bitmap && view.core?.drawing();
    const canvas = drawing && view.core?.canvas();
    const isShown = Boolean(drawing && !(canvas && !canvas.layout));
    if (this.#result.hidden === isShown) this.#result.hidden = !isShown;
    if (view && drawing && isShown) this.#show(view, drawing, canvas?.layout ?? null);
  }

  /**
   * @param {CropView} view @param {Drawing} drawing
   * @param {import('./interface.js').CanvasLayout | null} layout of the crop on its canvas
   */
  #show(view, drawing, layout) {
    const { width, height } = layout ?? drawing;
    const inside = layout?.crop ?? { x: 0, y: 0, width, height };
    const box = this.#box;
    const scale = Math.min(box.width / width, box.height / height);
    const [left, top] = [(box.width - width * scale) / 2, (box.height - height * scale) / 2];
    const crop = { x: left + inside.x * scale, y: top + inside.y * scale, width: inside.width * scale,
      height: inside.height * scale };
    place(this.#result, {
      left: `${box.x}px`, top: `${box.y}px`, width: `${box.width}px`, height: `${box.height}px`,
      clipPath: clipTo({ x: left, y: top, width: width * scale, height: height * scale }, box),
    });
    place(this.#crop, { clipPath: clipTo(crop, box, radius(drawing, crop)) });
    place(this.#fill, {
      transform: `matrix(${width * scale / box.width}, 0, 0, ${height * scale / box.height}, ${left}, ${top})`,
    });
    this.#showFill(view);
    this.#showPhoto(view, drawing, crop);
    const name = view.phrase('preview');
    if (this.#result.getAttribute('aria-label') !== name) this.#result.setAttribute('aria-label', name);
  }

  /** @param {CropView} view with a canvas around its crop, or none */
  #showFill({ core, picture, stage }) {
    const look = core && picture ? stage.fillings.of(core, picture) : null;
    place(this.#result, { backgroundColor: look?.color ?? '' });
    place(this.#crop, { backgroundColor: look?.under ?? '' });
    const filled = look?.picture ?? null;
    if (filled === this.#filled) return;
    this.#filled = filled;
    this.#fill.hidden = !filled;
    if (filled) copy(this.#fill, filled, filled.width, filled.height);
  }

  /**
   * @param {CropView} view @param {Drawing} drawing
   * @param {Box} crop where the drawing is, in CSS pixels
   */
  #showPhoto(view, drawing, crop) {
    const { picture } = view;
    if (!picture?.bitmap) return;
    const { bitmap } = picture;
    const scale = crop.width / drawing.width;
    const map = new DOMMatrix([scale, 0, 0, scale, crop.x, crop.y])
      .multiply(flattened(drawing)).multiply(new DOMMatrix(drawing.map));
    const [a, b] = drawing.map;
    const zoom = Math.hypot(a, b) * (drawing.part ? drawing.width / drawing.part.width : 1) * scale * devicePixelRatio;
    const needed = Math.floor(zoom * Math.max(picture.width, picture.height));
    const finest = Math.max(bitmap.width, bitmap.height);
    const side = Math.max(this.#photo.width, this.#photo.height);
    // A gesture is not interrupted for a finer copy.
    if (bitmap !== this.#copied || (!view.isHeld && side < Math.min(needed, finest))) {
      const share = Math.min(1, Math.max(LEAST_SIDE, needed * RESERVE) / finest);
      copy(this.#photo, bitmap, Math.ceil(bitmap.width * share), Math.ceil(bitmap.height * share));
      this.#copied = bitmap;
    }
    map.scaleSelf(picture.width / this.#photo.width, picture.height / this.#photo.height);
    place(this.#photo, { transform: String(map) });
  }
}

/**
 * The map from the part of a drawing with four corners to its result.
 * @param {Drawing} drawing
 */
function flattened({ part, width, height }) {
  const rows = part && flattening(part.corners, width, height);
  if (!part || !rows) return new DOMMatrix();
  // The divisor has to be positive at the corners, or they would be behind the viewer.
  const { x, y } = part.corners[0];
  const divisor = rows[6] * x + rows[7] * y + rows[8];
  const [a, b, c, d, e, f, g, h, i] = rows.map((number) => number / divisor);
  return new DOMMatrix([a, d, 0, g, b, e, 0, h, 0, 0, 1, 0, c, f, 0, i]);
}

/**
 * A clip instead of a size, since another size would cause a layout.
 * @param {Box} area @param {{ width: number, height: number }} box of the clipped node @param {string} [rounding]
 */
function clipTo({ x, y, width, height }, box, rounding = '0px') {
  return `inset(${y}px ${box.width - x - width}px ${box.height - y - height}px ${x}px round ${rounding})`;
}

/**
 * The corners of a shape.
 * @param {Drawing} drawing @param {Box} crop where it is
 */
function radius({ shape, corner, width: pixels }, { width, height }) {
  if (shape === Shape.ellipse) return `${width / 2}px / ${height / 2}px`;
  const scale = width / pixels;
  return shape === Shape.rounded ? `${corner.x * scale}px / ${corner.y * scale}px` : '0px';
}

/**
 * @param {HTMLCanvasElement} canvas @param {HTMLCanvasElement | ImageBitmap} image
 * @param {number} width @param {number} height
 */
function copy(canvas, image, width, height) {
  [canvas.width, canvas.height] = [width, height];
  const ctx = canvas.getContext('2d');
  if (!ctx) return;
  ctx.imageSmoothingQuality = 'high';
  ctx.drawImage(image, 0, 0, width, height);
}

/** @type {WeakMap<HTMLElement, Record<string, string>>} */
const placed = new WeakMap();

/**
 * Sets those styles that have changed, since setting one again costs a restyle.
 * @param {HTMLElement} node @param {Record<string, string>} styles
 */
function place(node, styles) {
  const last = placed.get(node) ?? {};
  const changed = Object.entries(styles).filter(([name, value]) => last[name] !== value);
  if (changed.length > 0) Object.assign(node.style, Object.fromEntries(changed));
  placed.set(node, { ...last, ...styles });
}
