// @ts-check
// Forwards pointer, wheel and key events to the core, which decides what they do.

import { Button, Change, Key, Modifier, Phase, Pointer } from './interface.js';
import { PhotoPlacement } from './placing.js';

/** @typedef {import('./core.js').Core} Core */

/** Keys by `event.key`. */
const KEYS = Object.freeze({
  ArrowLeft: Key.left, ArrowRight: Key.right, ArrowUp: Key.up, ArrowDown: Key.down,
  Enter: Key.enter, Escape: Key.escape, Delete: Key.delete, Backspace: Key.delete,
  '+': Key.plus, '=': Key.plus, '-': Key.minus, 0: Key.zero, r: Key.r, h: Key.h, v: Key.v, z: Key.z,
  ' ': Key.spaceDown, y: Key.y,
});
/**
 * Keys that the browser handles while control or command is held: reload, zoom, history.
 * @type {ReadonlySet<number>}
 */
const BROWSER_KEYS = new Set([Key.plus, Key.minus, Key.zero, Key.r, Key.h, Key.v]);

/**
 * One step of a mouse wheel: in the legacy unit that browsers still report, in lines, and in the core's points.
 */
const DETENT = Object.freeze({ legacy: 120, lines: 3, points: 100 });

export class Input {
  /**
   * @param {HTMLElement} surface receives pointers and wheels
   * @param {HTMLElement} keyboard receives keys, holds the focusable elements
   * @param {{ core: () => Core | null, apply(bits: number): void,
   *   moved(bits: number, time: number): void, pressed(): void, takesWheel(): boolean }} owner
   * @param {Pick<PhotoPlacement, 'measure' | 'point'>} placing of the surface
   */
  constructor(surface, keyboard, owner, placing = new PhotoPlacement(surface)) {
    this.surface = surface;
    this.owner = owner;
    this.placing = placing;
    /** Whether the position was measured since the surface may have moved. */
    this.isPlaced = false;
    /** Whether the last touch is for the session. */
    this.isTaken = false;
    /** @type {Set<number>} */
    this.down = new Set();
    this.space = false;
    this.magnified = 1;
    this.listen(keyboard);
  }

  /** Discards the measured position; call this after scrolling or resizing. */
  moved() {
    this.isPlaced = false;
  }

  /** Cancels all gestures, for example when the element is removed from the page. */
  cancelAll() {
    const core = this.owner.core();
    for (const id of this.down) {
      const bits = core?.pointer({
        phase: Phase.cancel, id, at: { x: 0, y: 0 }, time: performance.now() / 1000, kind: Pointer.mouse,
        button: Button.primary, modifiers: 0,
      });
      this.owner.apply(bits ?? 0);
    }
    this.down.clear();
    this.space = false;
  }

  /** @param {HTMLElement} keyboard */
  listen(keyboard) {
    const { surface } = this;
    surface.addEventListener('pointerdown', (event) => this.press(event));
    surface.addEventListener('pointermove', (event) => this.send(Phase.move, event));
    surface.addEventListener('pointerup', (event) => this.release(Phase.up, event));
    surface.addEventListener('pointercancel', (event) => this.release(Phase.cancel, event));
    surface.addEventListener('lostpointercapture', (event) => this.release(Phase.cancel, event));
    surface.addEventListener('pointerleave', (event) => {
      if (!this.down.has(event.pointerId)) this.send(Phase.leave, event);
    });
    surface.addEventListener('touchstart', (event) => this.touch(event), { passive: false });
    // By default, pressing the mouse button moves the focus away.
    surface.addEventListener('mousedown', (event) => event.preventDefault());
    surface.addEventListener('contextmenu', (event) => {
      if (this.down.size) event.preventDefault();
    });
    surface.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    for (const type of ['gesturestart', 'gesturechange', 'gestureend']) {
      surface.addEventListener(type, (event) => this.pinch(event), { passive: false });
    }
    keyboard.addEventListener('keydown', (event) => this.key(event, true));
    keyboard.addEventListener('keyup', (event) => this.key(event, false));
    keyboard.addEventListener('focusout', () => {
      if (this.space) this.sendKey(Key.spaceUp, 0, performance.now());
      this.space = false;
    });
  }

  /** @param {PointerEvent} event */
  press(event) {
    const core = this.owner.core();
    if (event.button > 1 || !core) return;
    this.isPlaced = false;
    const at = this.point(event);
    // Asks before the session gets the touch, since its touch event follows.
    this.isTaken = this.down.size > 0 || core.needsTouchAt({ at });
    this.owner.pressed();
    this.down.add(event.pointerId);
    try {
      this.surface.setPointerCapture(event.pointerId);
    } catch {
      // The pointer is already gone; its up or cancel arrives without capture.
    }
    this.send(Phase.down, event);
  }

  /** @param {number} phase @param {PointerEvent} event */
  release(phase, event) {
    if (!this.down.delete(event.pointerId)) return;
    this.send(phase, event);
  }

  /** @param {number} phase @param {PointerEvent} event */
  send(phase, event) {
    const core = this.owner.core();
    if (!core) return;
    const at = this.point(event);
    const kind = Pointer[/** @type {keyof typeof Pointer} */ (event.pointerType)] ?? Pointer.mouse;
    const time = event.timeStamp;
    const button = event.button === 1 ? Button.middle : Button.primary;
    const modifiers = this.modifiers(event);
    const bits = core.pointer({ phase, id: event.pointerId, at, time: time / 1000, kind, button, modifiers });
    if (bits & Change.handled && event.cancelable) event.preventDefault();
    if (!bits) return;
    if (phase === Phase.move && this.down.size === 1) this.owner.moved(bits, time);
    else this.owner.apply(bits);
  }

  /**
   * A touch that belongs to the session must not scroll the page or navigate back, which some browsers do at the
   * screen's edges.
   * @param {TouchEvent} event
   */
  touch(event) {
    if (this.isTaken && event.cancelable) event.preventDefault();
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    const core = this.owner.core();
    // A wheel scrolls the page unless the element takes it; a pinch arrives with the control key.
    if (!core || !(event.ctrlKey || event.metaKey || this.owner.takesWheel())) return;
    // Also at a limit: otherwise, zooming in one direction would then scroll the page in the other.
    event.preventDefault();
    const isSmooth = isPrecise(event);
    this.owner.apply(core.wheel({
      at: this.point(event), dx: event.deltaX, dy: isSmooth ? event.deltaY : turned(event), isPrecise: isSmooth,
      modifiers: this.modifiers(event), time: event.timeStamp / 1000,
    }));
  }

  /**
   * Handles trackpad pinches in browsers that report them as gestures.
   * @param {Event} event
   */
  pinch(event) {
    // The element dispatches events with the same names; these must not be mistaken for them.
    event.stopPropagation();
    event.preventDefault();
    const { scale, clientX, clientY } = /** @type {WebKitGestureEvent} */ (event);
    const core = this.owner.core();
    if (event.type === 'gesturechange' && core) {
      const at = this.point({ clientX, clientY });
      this.owner.apply(core.magnify({ at, factor: scale / this.magnified, time: event.timeStamp / 1000 }));
    }
    this.magnified = event.type === 'gesturechange' ? scale : 1;
  }

  /** @param {KeyboardEvent} event @param {boolean} isDown */
  key(event, isDown) {
    const command = event.ctrlKey || event.metaKey;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (isDown && command && name === 'a' && !event.shiftKey && !event.altKey) {
      const core = this.owner.core();
      if (core) {
        event.preventDefault();
        this.owner.apply(core.command('selectAll'));
      }
      return;
    }
    /** @type {number} */
    let key = KEYS[/** @type {keyof typeof KEYS} */ (name)];
    if (key === undefined || event.isComposing) return;
    if (key === Key.spaceDown) {
      if (event.repeat) {
        event.preventDefault();
        return;
      }
      this.space = isDown;
      if (!isDown) key = Key.spaceUp;
    } else if (!isDown || (command && BROWSER_KEYS.has(key))) {
      return;
    }
    if (this.sendKey(key, this.modifiers(event), event.timeStamp)) event.preventDefault();
  }

  /** @param {number} key @param {number} modifiers @param {number} time milliseconds */
  sendKey(key, modifiers, time) {
    const bits = this.owner.core()?.key({ key, modifiers, time: time / 1000 }) ?? 0;
    this.owner.apply(bits);
    return (bits & Change.handled) !== 0;
  }

  /**
   * The position of an event, in points of the surface.
   * @param {{clientX: number, clientY: number}} at
   */
  point({ clientX, clientY }) {
    if (!this.isPlaced) this.placing.measure();
    this.isPlaced = true;
    return this.placing.point(clientX, clientY);
  }

  /** @param {MouseEvent | KeyboardEvent} event */
  modifiers(event) {
    return (event.shiftKey ? Modifier.shift : 0) | (event.altKey ? Modifier.alt : 0)
      | (event.ctrlKey || event.metaKey ? Modifier.command : 0) | (this.space ? Modifier.space : 0);
  }
}

/**
 * Whether a wheel event comes from a trackpad or another smooth device.
 * @param {WheelEvent} event
 */
function isPrecise(event) {
  if (event.deltaMode !== 0) return false;
  if (event.deltaX !== 0) return true;
  return Math.abs(event.deltaY) < 50 || (legacyDelta(event) ?? 0) % DETENT.legacy !== 0;
}

/**
 * The distance of a stepped wheel's event in the core's points: how far a step scrolls depends on the system.
 * @param {WheelEvent} event
 */
function turned(event) {
  const legacy = legacyDelta(event);
  if (legacy && legacy % DETENT.legacy === 0) return -legacy / DETENT.legacy * DETENT.points;
  return event.deltaMode === 0 ? event.deltaY
    : event.deltaY * DETENT.points / (event.deltaMode === 1 ? DETENT.lines : 1);
}

/** @param {WheelEvent} event @returns {number | undefined} positive upwards, unlike other deltas */
function legacyDelta(event) {
  return /** @type {{wheelDeltaY?: number}} */ (/** @type {unknown} */ (event)).wheelDeltaY;
}
