// @ts-check
// The states of an element without an image: a slot for each, and custom states for styles.

/** @typedef {'empty' | 'loading' | 'ready' | 'error'} LoadState */

/** States with a slot instead of the image. */
const SLOTS = Object.freeze(/** @type {const} */ (['empty', 'loading', 'error']));

export class Status {
  /** @type {LoadState} */
  state = 'empty';
  /** The default content of the state's slot. */
  text = '';

  /** @param {ElementInternals} internals */
  constructor(internals) {
    this.internals = internals;
    this.root = document.createElement('div');
    this.root.className = 'status';
    this.root.setAttribute('part', 'status');
    this.root.setAttribute('role', 'status');
    // Browsers show messages about a form's field at something that can have the focus.
    this.root.tabIndex = -1;
    this.slots = SLOTS.map((name) => {
      const slot = document.createElement('slot');
      slot.name = name;
      slot.hidden = name !== 'empty';
      return slot;
    });
    this.root.append(...this.slots);
    this.mark('empty', true);
  }

  /** Whether it has the focus, while there is no image to have it. */
  get hasFocus() {
    return /** @type {ShadowRoot} */ (this.root.getRootNode()).activeElement === this.root;
  }

  /** @param {LoadState} state @param {string} [text] the slot's default content */
  show(state, text = '') {
    this.mark(this.state, false);
    [this.state, this.text] = [state, text];
    this.mark(state, true);
    for (const slot of this.slots) {
      slot.hidden = slot.name !== state;
      slot.textContent = slot.hidden ? '' : text;
    }
    this.root.hidden = state === 'ready';
  }

  /**
   * Makes `:state(name)` match, if the browser supports custom states.
   * @param {string} name @param {boolean} isOn
   */
  mark(name, isOn) {
    try {
      if (isOn) this.internals.states?.add(name);
      else this.internals.states?.delete(name);
    } catch {
      // Older browsers only accept names that start with two dashes.
    }
  }
}
