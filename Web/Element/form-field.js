// @ts-check
// The element as a form field: its value, its validity, and its file.

import { coded, CropError } from './errors.js';
import { parseSize, Rule } from './interface.js';

/** @typedef {import('./crop-view.js').CropView} CropView */

/** Events with which a user starts another attempt to send a form. */
const ATTEMPTS = Object.freeze(/** @type {const} */ (['pointerdown', 'keydown']));
/** How often the file is made for one attempt, if `submit` listeners of the page change the crop. */
const MOST_FILES = 3;

export class FormField {
  /**
   * The file for the current recipe, if it was made.
   * @type {File | null}
   */
  #file = null;
  #isMaking = false;
  /** How many files were made for the present attempt to send the form. */
  #made = 0;
  /** Whether the form is submitted by this field. */
  #isSubmitting = false;
  /** @type {Node | null} where `submit` events of the form arrive after the page's listeners */
  #root = null;
  /** @type {unknown} the last image that was reported as too small */
  #tooSmall = null;
  /** The error that the page has set, in its words. */
  #custom = '';
  /** Why the file could not be made, in words. */
  #failure = '';

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
    this.#failure = '';
    const text = view.value;
    // The file is only made when the form is submitted; until then there is no value.
    internals.setFormValue(view.valueType === 'file' || !text ? null : text, text || null);
    this.validate();
  }

  /** Updates the validity, and the message that browsers show at the element's anchor. */
  validate() {
    const { view, internals } = this;
    const shortage = view.valid ? this.#shortage() : '';
    const missing = view.required && !(view.valid && view.complete) ? this.#missing() : '';
    const error = this.#custom || this.#failure;
    const message = error || missing || shortage;
    if (message) {
      const flags = { customError: error !== '', valueMissing: missing !== '', rangeUnderflow: shortage !== '' };
      internals.setValidity(flags, message, view.anchor);
    } else {
      internals.setValidity({});
    }
    this.#report(shortage);
  }

  /** @param {string} message empty for none */
  setCustomValidity(message) {
    this.#custom = message;
    this.validate();
  }

  /** What a user has to do first, in words. */
  #missing() {
    const { view } = this;
    switch (view.status.state) {
      case 'empty': return view.phrase('photoMissing');
      case 'loading': return view.phrase('photoLoading');
      case 'error': return view.status.text;
      case 'ready': return view.phrase('required');
    }
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
    this.#root?.removeEventListener('submit', this.#submitted);
    this.form = form;
    this.#root = form && form.getRootNode();
    form?.addEventListener('submit', this.#submitted, { capture: true });
    this.#root?.addEventListener('submit', this.#submitted);
  }

  /** Makes the file to submit, unless it exists. */
  async prepare() {
    const { view } = this;
    if (view.valueType !== 'file' || this.#file || !view.valid) return;
    const text = view.value;
    const blob = await this.#blob();
    if (!blob || text !== view.value) return;
    this.#file = new File([blob], view.fileName(blob.type), { type: blob.type });
    this.internals.setFormValue(this.#file, text);
  }

  /** The result; of another type if the browser can't encode the attribute's, since a user can't change that. */
  async #blob() {
    const { view } = this;
    try {
      return await view.croppedBlob();
    } catch (error) {
      if (coded(error).code !== 'unsupported-format' || !view.type) throw error;
      const isOpaque = view.recipe?.shape === 'rectangle' && !view.picture?.translucent;
      return view.croppedBlob({ type: isOpaque ? 'image/jpeg' : 'image/png' });
    }
  }

  /**
   * Stops the submission of a form until its file is made, and then submits it: before the page's listeners hear of it,
   * and after them if they have changed the crop.
   * @param {Event} event
   */
  #submitted = (event) => {
    const { view, form } = this;
    const isAfter = event.currentTarget !== form;
    if (!form || event.target !== form || (isAfter && event.defaultPrevented)) return;
    if (!isAfter && !this.#isSubmitting) this.#made = 0;
    if (view.valueType !== 'file' || this.#file || !view.valid || !view.name || view.isDisabled) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (this.#isMaking) return;
    if (this.#made === MOST_FILES) {
      this.#fail(new CropError('failed', 'submit listeners keep changing the crop'));
      return;
    }
    this.#isMaking = true;
    this.#made += 1;
    const { submitter } = /** @type {SubmitEvent} */ (event);
    this.prepare().then(() => {
      this.#isMaking = false;
      if (!this.#file) return;
      this.#isSubmitting = true;
      form.requestSubmit(submitter?.isConnected ? submitter : null);
      this.#isSubmitting = false;
    }, (error) => {
      this.#isMaking = false;
      this.#fail(coded(error));
    });
  };

  /**
   * Shows the user why the form is not sent. The next attempt makes the file again.
   * @param {CropError} error
   */
  #fail(error) {
    const { view } = this;
    view.fail(error);
    this.#failure = view.phrase(error.code === 'too-many-bytes' ? 'tooManyBytes'
      : error.code === 'no-module' ? 'notLoaded' : 'notCropped');
    this.validate();
    for (const type of ATTEMPTS) addEventListener(type, this.#attempted, { capture: true });
    this.internals.reportValidity();
  }

  #attempted = () => {
    for (const type of ATTEMPTS) removeEventListener(type, this.#attempted, { capture: true });
    this.#failure = '';
    this.validate();
  };
}
