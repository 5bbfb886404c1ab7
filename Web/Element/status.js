// @ts-check
// What an element without a picture shows: a slot for each state, and the state itself for styles.

/** @typedef {'empty' | 'loading' | 'ready' | 'error'} LoadState */

/** States that have a slot over the picture's place. */
const SLOTS = Object.freeze(/** @type {const} */ (['empty', 'loading', 'error']));

export class Status {
  /** @type {LoadState} */
  state = 'empty';

  /** @param {ElementInternals} internals */
  constructor(internals) {
    this.internals = internals;
    this.root = document.createElement('div');
    this.root.className = 'status';
    this.root.setAttribute('part', 'status');
    this.root.setAttribute('role', 'status');
    this.slots = SLOTS.map((name) => {
      const slot = document.createElement('slot');
      slot.name = name;
      slot.hidden = name !== 'empty';
      return slot;
    });
    this.root.append(...this.slots);
    this.mark('empty', true);
  }

  /** @param {LoadState} state @param {string} [text] what the slot says unless it is filled */
  show(state, text = '') {
    this.mark(this.state, false);
    this.state = state;
    this.mark(state, true);
    for (const slot of this.slots) {
      slot.hidden = slot.name !== state;
      slot.textContent = slot.hidden ? '' : text;
    }
    this.root.hidden = state === 'ready';
  }

  /**
   * Makes `:state(name)` match, where the browser has such states.
   * @param {string} name @param {boolean} isOn
   */
  mark(name, isOn) {
    try {
      if (isOn) this.internals.states?.add(name);
      else this.internals.states?.delete(name);
    } catch {
      // An older browser takes only names that begin with two dashes.
    }
  }
}
