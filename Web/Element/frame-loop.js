// @ts-check
// What follows from an answer of the core: pages are told of it and the screen shows it, both at most once
// a frame.

import { Change, Cursor, StateIndex } from './interface.js';

/** @typedef {import('./session-view.js').SessionView} SessionView */

/** What pages are told of by events of the element. */
export const OBSERVABLE_CHANGES = Change.recipe | Change.history | Change.scene;

/**
 * CSS cursors by the session's.
 * @type {Readonly<Record<number, string>>}
 */
const CURSORS = Object.freeze({
  [Cursor.standard]: 'default', [Cursor.crosshair]: 'crosshair', [Cursor.move]: 'move',
  [Cursor.grab]: 'grab', [Cursor.grabbing]: 'grabbing', [Cursor.resizeVertical]: 'ns-resize',
  [Cursor.resizeHorizontal]: 'ew-resize', [Cursor.resizeFalling]: 'nwse-resize',
  [Cursor.resizeRising]: 'nesw-resize',
});

/** Screens show no more than 240 frames a second, in milliseconds. */
const SHORTEST_FRAME = 4;

/** Collects what is to be drawn and told of one element, and does it with the next frame. */
export class FrameLoop {
  #view;
  #frame = 0;
  /** What is to be shown, as bits of Change. */
  #dirty = 0;
  /** What happened and was not told yet, as bits of Change. */
  #untold = 0;
  /** A gesture is under way: pages are told once a frame, not with every move. */
  #isHeld = false;
  #ticking = false;
  /** When what was drawn last happened, in milliseconds. */
  #drawnAt = 0;
  /** It is drawn before control goes back to the browser; no frame need be asked for. */
  #isDrawing = false;
  #sharpening = 0;
  #cursor = 0;
  /** What happened since pages were told last is more than another recipe. */
  #isStateNew = false;
  /** The recipe was another since it settled last. */
  #isUnsettled = false;

  /** @param {SessionView} view */
  constructor(view) {
    this.#view = view;
  }

  /** Whether the picture or the selection follows a hand right now. */
  get isHeld() {
    return this.#isHeld;
  }

  /**
   * Does what an answer of the core asks for.
   * @param {number} bits of Change
   */
  apply(bits) {
    const { core } = this.#view;
    if (!core) return;
    if (bits & Change.gestureStarted) this.#gesture('gesturestart', true);
    if (bits & Change.announcement) this.#view.accessible.announce(core.read('announcement'));
    if (bits & Change.wantsTicks) this.#ticking = true;
    this.#untold |= bits & OBSERVABLE_CHANGES;
    this.schedule(bits & (Change.scene | Change.elements | Change.wantsTicks | Change.cursor));
    if (bits & Change.gestureEnded) this.#isHeld = false;
    if (!this.#isHeld) this.#tellRecipe();
    if (bits & Change.gestureEnded) this.#gesture('gestureend', false);
    if (bits & Change.cropWanted) this.#view.requestCrop();
  }

  /**
   * The same after a move of the only pointer. Browsers hand over all moves of a frame at once, just
   * before they draw it: these are drawn there and then, which spares asking for a frame each time.
   * @param {number} bits of Change @param {number} time of the move, in milliseconds
   */
  moved(bits, time) {
    this.#isDrawing = this.#isHeld && !this.#frame && !this.#ticking && this.#view.isConnected
      && time - this.#drawnAt > SHORTEST_FRAME;
    this.apply(bits);
    if (!this.#isDrawing) return;
    this.#drawnAt = time;
    this.#show();
  }

  /** Tells pages of another recipe; once it rests, that it is settled. */
  #tellRecipe() {
    if (this.#untold && !this.#isHeld) this.#isStateNew = true;
    const isNew = (this.#untold & Change.recipe) !== 0;
    this.#untold = 0;
    if (isNew) {
      this.#isUnsettled = true;
      this.#view.tell('input');
    }
    if (this.#isUnsettled && !this.#isHeld) {
      this.#isUnsettled = false;
      this.#view.recipeSettled();
      this.#view.tell('change');
    }
    if (isNew || this.#isStateNew) this.schedule(Change.cursor);
  }

  /** Tells pages what has happened since they were told last: of the state at most once a frame. */
  #tell() {
    this.#tellRecipe();
    if (!this.#isStateNew) return;
    this.#isStateNew = false;
    this.#view.tell('statechange');
  }

  /** Notes that the state is another, also where there is nothing to draw. */
  noteState() {
    this.#isStateNew = true;
    this.schedule(Change.cursor);
  }

  /** Tells pages that there is no picture any more, and shows that. */
  clear() {
    this.#ticking = false;
    this.schedule(Change.scene);
    if (this.#view.core) this.#untold |= Change.recipe | Change.history;
    this.#isStateNew = true;
    this.#tell();
  }

  /** Asks for no frame any more; what is to be shown is kept for later. */
  stop() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  /** Draws the scene now and with the next frame again. */
  redraw() {
    this.#dirty |= Change.scene;
    this.#draw();
    this.schedule(Change.scene);
  }

  /** Lets the surface follow the state: its cursor, whom a finger belongs to, how fine it is. */
  #follow() {
    const { core, picture } = this.#view;
    if (!core) return;
    const at = core.stateAddress();
    const cursor = core.numbers[at + StateIndex.cursor];
    if (cursor !== this.#cursor) {
      this.#cursor = cursor;
      this.#view.surface.style.cursor = CURSORS[cursor] ?? 'default';
    }
    const needsTouch = picture !== null && core.numbers[at + StateIndex.needsTouch] !== 0;
    this.#view.surface.classList.toggle('touch', needsTouch);
    this.#sharpen(core.numbers[at + StateIndex.zoom]);
  }

  /**
   * Decodes a finer preview some time after a zoom has made the present one too coarse.
   * @param {number} zoom
   */
  #sharpen(zoom) {
    const picture = this.#view.picture;
    if (!picture?.bitmap || this.#sharpening) return;
    const side = this.#view.stage.previewSide * Math.max(1, zoom);
    if (picture.suffices(side)) return;
    this.#sharpening = window.setTimeout(async () => {
      const isFiner = await picture.prepare(side).catch(() => false);
      this.#sharpening = 0;
      if (isFiner && picture === this.#view.picture) this.#view.restyle();
    }, 200);
  }

  /** @param {string} type @param {boolean} isActive */
  #gesture(type, isActive) {
    this.#isHeld = isActive;
    this.#view.keyboard.classList.toggle('busy', isActive);
    if (!isActive) this.schedule(Change.elements);
    this.#view.tell(type);
  }

  /**
   * Shows what has changed with the next frame.
   * @param {number} bits of Change
   */
  schedule(bits) {
    this.#dirty |= bits;
    if (!this.#dirty || this.#frame || this.#isDrawing || !this.#view.isConnected) return;
    this.#frame = requestAnimationFrame(this.#onFrame);
  }

  /** @param {number} time milliseconds */
  #onFrame = (time) => {
    const { core } = this.#view;
    this.#drawnAt = time;
    if (this.#ticking && core && this.#view.picture) {
      this.#ticking = false;
      this.apply(core.exports.ck_tick(time / 1000));
    }
    this.#show();
  };

  /** Brings everything up to date that may wait for a frame. */
  #show() {
    const { core } = this.#view;
    // Under a hand most frames bring another recipe and nothing else.
    const isStateNew = !this.#isHeld || core === null || core.stateChanged();
    if (this.#isHeld && this.#untold && isStateNew) this.#isStateNew = true;
    this.#tell();
    if (isStateNew && this.#dirty & (Change.scene | Change.cursor)) this.#follow();
    this.#draw();
    // Elements stay where they are during a drag: moving them would lay out the page each time.
    if (this.#dirty & Change.elements && !this.#isHeld) {
      this.#dirty &= ~Change.elements;
      if (core && this.#view.picture) this.#view.accessible.update(core.read('elements'));
    }
    this.#dirty &= Change.elements;
    this.#frame = 0;
    this.#isDrawing = false;
    if (this.#ticking) this.schedule(Change.wantsTicks);
    // Who was told may have changed something.
    if (this.#isStateNew) this.schedule(Change.cursor);
  }

  #draw() {
    if (!(this.#dirty & Change.scene)) return;
    this.#dirty &= ~Change.scene;
    this.#view.stage.draw(this.#view.core, this.#view.picture);
  }
}
