// @ts-check
// On phones: offers to straighten a document, if the photo seems to show one.

import { Style } from '../../Element/interface.js';
import { sheetIn } from '../../Element/sheet.js';
import { node } from '../ui/dom.js';
import { icon } from '../ui/icons.js';
import { narrow } from '../ui/panel.js';
import { words } from '../ui/words.js';

/** Milliseconds after which the photo is searched even if the browser is busy. */
const PATIENCE = 2000;

export class DocumentOffer {
  /** @type {import('../../Element/picture.js').Picture | null} the photo with a document */ #found = null;

  /** @param {import('../../Element/crop-view.js').CropView} view @param {() => void} straighten */
  constructor(view, straighten) {
    this.view = view;
    this.root = node('button.remedy.offer', { type: 'button', hidden: true, onclick: straighten },
      icon('document', 16), words('straightenDocument'));
  }

  /** Searches the photo that was just opened. */
  async search() {
    const { view: { picture } } = this;
    this.#found = null;
    this.update();
    if (!picture || !narrow.matches || !this.#isUntouched) return;
    await new Promise((resolve) => {
      if ('requestIdleCallback' in window) requestIdleCallback(resolve, { timeout: PATIENCE });
      else setTimeout(resolve, PATIENCE);
    });
    if (picture !== this.view.picture || !this.#isUntouched) return;
    const corners = await sheetIn(picture, { isQuick: true }).catch(() => null);
    if (corners) this.#found = picture;
    this.update();
  }

  /** The offer disappears as soon as the user does anything else. */
  update() {
    this.root.hidden = !this.#found || this.#found !== this.view.picture || !narrow.matches || !this.#isUntouched;
  }

  get #isUntouched() {
    const { state } = this.view;
    return state !== null && !state.canReset && !state.gestureActive && state.style !== Style.quad;
  }
}
