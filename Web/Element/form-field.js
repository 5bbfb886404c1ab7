// @ts-check
// The element as a form field: its value, its validity, and its file.

import { CropError } from './errors.js';
import { parseSize, Rule } from './interface.js';

/** @typedef {import('./crop-view.js').CropView} CropView */

export class FormField {
  /**
   * The file for the current recipe, if it was made.
   * @type {File | null}
   */
  #file = null;
  #isMaking = false;
  /** @type {unknown} the last image that was reported as too small */
  #tooSmall = null;

  /** @type {HTMLFormElement | null} */
  form = null;

  /** @param {CropView} view @param {ElementInternals} internals */
  constructor(view, internals) {
    this.view = view;
    this.internals = internals;
  }

  /** Updates the form value after the recipe or the element's attributes have changed. */
  update() {
    const { view, internals } = this;
    this.#file = null;
    const text = view.value;
    // The file is only made when the form is submitted; until then there is no value.
    internals.setFormValue(view.valueType === 'file' || !text ? null : text, text || null);
    const shortage = text ? this.#shortage() : '';
    if (view.required && !text) {
      internals.setValidity({ valueMissing: true }, view.phrase('required'), view.keyboard);
    } else if (shortage) {
      internals.setValidity({ rangeUnderflow: true }, shortage, view.keyboard);
    } else {
      internals.setValidity({});
    }
    this.#report(shortage);
  }

  /** What the selection can't meet because the image is too small, in words; empty for nothing. */
  #shortage() {
    const { view } = this;
    const rule = view.state?.violatedRule;
    if (rule === Rule.ratio) return view.phrase('saidViolatedRuleRatio');
    if (rule !== Rule.minimum || !view.core) return '';
    const { words } = view.accessible;
    const size = parseSize(view.core, { text: view.minSize });
    return words.phrase('tooSmall', ...(size ? [words.number(size.width), words.number(size.height)] : []));
  }

  /**
   * Reports an image that is too small by an `error` event, once.
   * @param {string} shortage
   */
  #report(shortage) {
    const { view } = this;
    if (!shortage) this.#tooSmall = null;
    if (!shortage || this.#tooSmall === view.picture) return;
    this.#tooSmall = view.picture;
    view.fail(new CropError('too-small', shortage));
  }

  /** @param {HTMLFormElement | null} form */
  listen(form) {
    this.form?.removeEventListener('submit', this.#submitted, { capture: true });
    this.form = form;
    form?.addEventListener('submit', this.#submitted, { capture: true });
  }

  /** Makes the file to submit, unless it exists. */
  async prepare() {
    const { view } = this;
    if (view.valueType !== 'file' || this.#file || !view.valid) return;
    const text = view.value;
    const blob = await view.croppedBlob();
    if (!blob || text !== view.value) return;
    this.#file = new File([blob], view.fileName(blob.type), { type: blob.type });
    this.internals.setFormValue(this.#file, text);
  }

  /**
   * Stops the submission of a form until its file is made, and then submits it.
   * @param {SubmitEvent} event
   */
  #submitted = (event) => {
    const { view, form } = this;
    if (view.valueType !== 'file' || this.#file || !view.valid || !view.name || view.isDisabled) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (this.#isMaking || !form) return;
    this.#isMaking = true;
    const { submitter } = event;
    this.prepare().then(() => {
      this.#isMaking = false;
      if (this.#file) form.requestSubmit(submitter?.isConnected ? submitter : null);
    }, (error) => {
      this.#isMaking = false;
      view.fail(error);
    });
  };
}
