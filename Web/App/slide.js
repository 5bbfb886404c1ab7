// @ts-check
// A hand that slides something sideways: relative to where it was pressed, and gliding on when it is
// let go in motion.

/** A drag begins beyond this, in CSS pixels, so that a tap is none. */
const SLOP = Object.freeze({ mouse: 1, finger: 4 });
/** What is left of a glide's speed after a millisecond. */
const DECAY = 0.99;
/** Slower than this, in CSS pixels a millisecond, a hand that lets go means to stop. */
const LEAST_SPEED = 0.15;
/** The speed is that of the last so many milliseconds. */
const MEMORY = 80;
/** A glide is over when less than this is left of its way, in CSS pixels. */
const LEAST_REST = 0.5;

/**
 * @typedef {object} Owner
 * @property {() => void} pressed
 * @property {() => void} began the drag
 * @property {(way: number) => boolean} moved by so many CSS pixels; false where it can't go on
 * @property {() => void} ended the drag and its glide
 */

export class Slide {
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
    element.addEventListener('pointerup', (event) => this.#release(event, true));
    element.addEventListener('pointercancel', (event) => this.#release(event, false));
    // The default of a press is to move the focus.
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

  /** @param {PointerEvent} event @param {boolean} mayGlide */
  #release(event, mayGlide) {
    if (event.pointerId !== this.#id) return;
    this.#id = -1;
    if (!this.#isDragging) return;
    const speed = mayGlide ? this.#speed(event.timeStamp) : 0;
    const stands = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (speed === 0 || stands) this.#end();
    else this.#glide(speed);
  }

  /**
   * CSS pixels a millisecond beyond the least speed; 0 for a hand that rested.
   * @param {number} now
   */
  #speed(now) {
    const recent = this.#path.filter(({ time }) => now - time <= MEMORY);
    const [first, last] = [recent[0], recent[recent.length - 1]];
    if (!first || last.time <= first.time) return 0;
    const speed = (last.x - first.x) / (last.time - first.time);
    return Math.sign(speed) * Math.max(0, Math.abs(speed) - LEAST_SPEED);
  }

  /** @param {number} speed CSS pixels a millisecond */
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
