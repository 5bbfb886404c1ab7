// @ts-check
// A horizontal drag: relative to its start, with momentum after a release in motion.

/** Movements up to this, in CSS pixels, are a tap rather than a drag. */
const SLOP = Object.freeze({ mouse: 1, finger: 4 });
/** The factor by which a glide slows down per millisecond. */
const DECAY = 0.99;
/** The minimum speed for a glide, in CSS pixels per millisecond; slower releases just stop. */
const LEAST_SPEED = 0.15;
/** The period over which the speed is measured, in milliseconds. */
const MEMORY = 80;
/** The events that end a drag. */
const ENDS = Object.freeze(/** @type {const} */ (['pointerup', 'pointercancel']));
/** A glide ends when the remaining distance is less than this, in CSS pixels. */
const LEAST_REST = 0.5;

/**
 * @typedef {object} Owner
 * @property {() => void} pressed
 * @property {() => void} began the drag started
 * @property {(way: number) => boolean} moved by this number of CSS pixels; returns false at a limit
 * @property {() => void} ended the drag and its glide have ended
 */

export class MomentumDrag {
  #id = -1;
  #x = 0;
  #isDragging = false;
  #frame = 0;
  /** @type {{ x: number, time: number }[]} */ #path = [];

  /** @param {HTMLElement} element @param {Owner} owner */
  constructor(element, owner) {
    this.element = element;
    this.owner = owner;
    element.addEventListener('pointerdown', (event) => this.#press(event));
    element.addEventListener('pointermove', (event) => this.#move(event));
    // By default, pressing the mouse button moves the focus.
    element.addEventListener('mousedown', (event) => event.preventDefault());
  }

  /** @param {PointerEvent} event */
  #press(event) {
    if (event.button > 0 || this.#id >= 0) return;
    if (this.#frame) this.#end();
    this.owner.pressed();
    this.#id = event.pointerId;
    this.#isDragging = false;
    this.#x = event.clientX;
    this.#path = [];
    // Not on the element, which may be removed before the release.
    for (const type of ENDS) addEventListener(type, this.#ended);
    try {
      this.element.setPointerCapture(event.pointerId);
    } catch {
      // The pointer is already gone; its end arrives without capture.
    }
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (event.pointerId !== this.#id) return;
    const way = event.clientX - this.#x;
    if (!this.#isDragging) {
      const slop = event.pointerType === 'mouse' ? SLOP.mouse : SLOP.finger;
      if (Math.abs(way) < slop) return;
      this.#isDragging = true;
      this.#x += Math.sign(way) * slop;
      this.owner.began();
    }
    this.#path.push({ x: event.clientX, time: event.timeStamp });
    this.owner.moved(event.clientX - this.#x);
    this.#x = event.clientX;
  }

  #ended = (/** @type {PointerEvent} */ event) => {
    if (event.pointerId !== this.#id) return;
    for (const type of ENDS) removeEventListener(type, this.#ended);
    this.#release(event, event.type === 'pointerup');
  };

  /** @param {PointerEvent} event @param {boolean} mayGlide */
  #release(event, mayGlide) {
    this.#id = -1;
    if (!this.#isDragging) return;
    const speed = mayGlide ? this.#speed(event.timeStamp) : 0;
    const stands = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (speed === 0 || stands) this.#end();
    else this.#glide(speed);
  }

  /**
   * The speed in CSS pixels per millisecond; 0 if it is below the minimum, or if the pointer rested.
   * @param {number} now
   */
  #speed(now) {
    const recent = this.#path.filter(({ time }) => now - time <= MEMORY);
    const [first, last] = [recent[0], recent[recent.length - 1]];
    if (!first || last.time <= first.time) return 0;
    const speed = (last.x - first.x) / (last.time - first.time);
    return Math.sign(speed) * Math.max(0, Math.abs(speed) - LEAST_SPEED);
  }

  /** @param {number} speed in CSS pixels per millisecond */
  #glide(speed) {
    const reach = speed / -Math.log(DECAY);
    let [gone, start] = [0, 0];
    const step = (/** @type {number} */ now) => {
      start ||= now;
      const left = reach * DECAY ** (now - start);
      const isOver = Math.abs(left) < LEAST_REST;
      const at = isOver ? reach : reach - left;
      const goesOn = this.owner.moved(at - gone);
      gone = at;
      if (isOver || !goesOn) this.#end();
      else this.#frame = requestAnimationFrame(step);
    };
    this.#frame = requestAnimationFrame(step);
  }

  #end() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#isDragging = false;
    this.owner.ended();
  }
}
