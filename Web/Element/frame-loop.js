// @ts-check
// Applies the core's changes: events for the page and drawing, both at most once per frame.

import { Change, Cursor } from './interface.js';

/** @typedef {import('./session-view.js').SessionView} SessionView */

/** The changes that the element reports to pages with events. */
export const OBSERVABLE_CHANGES = Change.recipe | Change.history | Change.scene;

/**
 * CSS cursors by the session's codes.
 * @type {Readonly<Record<number, string>>}
 */
const CURSORS = Object.freeze({
  [Cursor.standard]: 'default', [Cursor.crosshair]: 'crosshair', [Cursor.move]: 'move',
  [Cursor.grab]: 'grab', [Cursor.grabbing]: 'grabbing', [Cursor.resizeVertical]: 'ns-resize',
  [Cursor.resizeHorizontal]: 'ew-resize', [Cursor.resizeFalling]: 'nwse-resize',
  [Cursor.resizeRising]: 'nesw-resize',
});

/** The shortest frame of current screens (240 Hz), in milliseconds. */
const SHORTEST_FRAME = 4;

/** Collects what to draw and report for one element, and does so in the next frame. */
export class FrameLoop {
  #view;
  #frame = 0;
  /** What to redraw, as bits of Change. */
  #dirty = 0;
  /** Changes that were not reported yet, as bits of Change. */
  #unreported = 0;
  /** Whether a gesture is active: then changes are reported once per frame, not with every move. */
  #isHeld = false;
  #ticking = false;
  /** The time of the last drawn event, in milliseconds. */
  #drawnAt = 0;
  /** Whether it is already drawing, so that no frame must be requested. */
  #isDrawing = false;
  #sharpening = 0;
  #cursor = 0;
  /** Whether something was moving when it was drawn last: then it was drawn with fewer pixels. */
  #wasMoving = false;
  /** Whether more than the recipe has changed since the last report. */
  #isStateNew = false;
  /** Whether the recipe has changed since it was last settled. */
  #isUnsettled = false;

  /** @param {SessionView} view */
  constructor(view) {
    this.#view = view;
  }

  /** Whether the user is moving the image or the selection right now. */
  get isHeld() {
    return this.#isHeld;
  }

  /** Whether a gesture or an animation is under way. */
  get #isMoving() {
    return this.#isHeld || this.#ticking;
  }

  /**
   * Applies the changes that the core returned.
   * @param {number} bits of Change
   */
  apply(bits) {
    const { core } = this.#view;
    if (!core) return;
    if (bits & Change.gestureStarted) this.#gesture('gesturestart', true);
    if (bits & Change.announcement) this.#view.accessible.announce(core.announcement());
    if (bits & Change.wantsTicks) this.#ticking = true;
    this.#unreported |= bits & OBSERVABLE_CHANGES;
    this.schedule(bits & (Change.scene | Change.elements | Change.wantsTicks | Change.cursor));
    if (bits & Change.gestureEnded) this.#isHeld = false;
    if (!this.#isHeld) this.#reportRecipe();
    if (bits & Change.gestureEnded) this.#gesture('gestureend', false);
    if (bits & Change.cropWanted) this.#view.requestCrop();
  }

  /**
   * The same after a move of the only pointer. Browsers deliver all moves of a frame together, directly before
   * they draw it, so drawing immediately saves a frame request each time.
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

  /** Reports a changed recipe to the page and, after a pause, that it is settled. */
  #reportRecipe() {
    if (this.#unreported && !this.#isHeld) this.#isStateNew = true;
    const isNew = (this.#unreported & Change.recipe) !== 0;
    this.#unreported = 0;
    if (isNew) {
      this.#isUnsettled = true;
      this.#view.dispatch('input');
    }
    if (this.#isUnsettled && !this.#isHeld) {
      this.#isUnsettled = false;
      this.#view.recipeSettled();
      this.#view.dispatch('change');
    }
    if (isNew || this.#isStateNew) this.schedule(Change.cursor);
  }

  /** Reports the changes since the last report: the state at most once per frame. */
  #report() {
    this.#reportRecipe();
    if (!this.#isStateNew) return;
    this.#isStateNew = false;
    this.#view.dispatch('statechange');
  }

  /** Records that the state has changed, even if there is nothing to draw. */
  noteState() {
    this.#isStateNew = true;
    this.schedule(Change.cursor);
  }

  /** Reports that the image was removed, and shows that. */
  clear() {
    this.#ticking = false;
    this.schedule(Change.scene);
    if (this.#view.core) this.#unreported |= Change.recipe | Change.history;
    this.#isStateNew = true;
    this.#report();
  }

  /** Cancels the frame request; pending changes are kept for later. */
  stop() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  /** Draws the scene immediately, and again in the next frame. */
  redraw() {
    this.#dirty |= Change.scene;
    this.#draw();
    this.schedule(Change.scene);
  }

  /** Updates the surface from the state: its cursor, touch handling, and resolution. */
  #follow() {
    const { core, picture } = this.#view;
    if (!core) return;
    const { cursor, needsTouch, zoom } = core.state();
    if (cursor !== this.#cursor) {
      this.#cursor = cursor;
      this.#view.surface.style.cursor = CURSORS[cursor] ?? 'default';
    }
    this.#view.surface.classList.toggle('touch', picture !== null && needsTouch);
    this.#sharpen(zoom);
  }

  /**
   * Decodes a finer preview some time after zooming in beyond the resolution of the current one, not during a gesture.
   * @param {number} zoom
   */
  #sharpen(zoom) {
    const picture = this.#view.picture;
    if (!picture?.bitmap || this.#sharpening || this.#isHeld) return;
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
    this.#view.dispatch(type);
  }

  /**
   * Shows changes in the next frame.
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
      this.apply(core.tick({ time: time / 1000 }));
    }
    this.#show();
  };

  /** Updates everything that could wait for a frame. */
  #show() {
    const { core } = this.#view;
    // During a drag, most frames only change the recipe.
    const isStateNew = !this.#isHeld || core === null || core.stateChanged();
    if (this.#isHeld && this.#unreported && isStateNew) this.#isStateNew = true;
    this.#report();
    if (isStateNew && this.#dirty & (Change.scene | Change.cursor)) this.#follow();
    if (this.#wasMoving && !this.#isMoving) this.#dirty |= Change.scene;
    this.#draw();
    // Nodes are not moved during a drag, since each move would cause a layout.
    if (this.#dirty & Change.elements && !this.#isHeld) {
      this.#dirty &= ~Change.elements;
      if (core && this.#view.picture) {
        const { anchor } = this.#view;
        this.#view.accessible.update(core.elements());
        if (anchor !== this.#view.anchor) this.#view.validate();
      }
    }
    this.#dirty &= Change.elements;
    this.#frame = 0;
    this.#isDrawing = false;
    if (this.#ticking) this.schedule(Change.wantsTicks);
    // An event handler may have changed something.
    if (this.#isStateNew) this.schedule(Change.cursor);
  }

  #draw() {
    if (!(this.#dirty & Change.scene)) return;
    this.#dirty &= ~Change.scene;
    this.#wasMoving = this.#isMoving;
    this.#view.stage.draw(this.#view.core, this.#view.picture, this.#isMoving);
  }
}
