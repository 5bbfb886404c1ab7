// @ts-check
// The element as a field of a form: its value, whether it may be sent, and the file it stands for.

/** @typedef {import('./crop-view.js').CropView} CropView */

export class FormField {
  /**
   * The file of the present recipe, once it was made.
   * @type {File | null}
   */
  #file = null;
  #isMaking = false;

  /** @type {HTMLFormElement | null} */
  form = null;

  /** @param {CropView} view @param {ElementInternals} internals */
  constructor(view, internals) {
    this.view = view;
    this.internals = internals;
  }

  /** The recipe has changed, or what the form wants of it. */
  update() {
    const { view, internals } = this;
    this.#file = null;
    const text = view.value;
    // A file is made when the form is sent; until then there is none.
    internals.setFormValue(view.valueType === 'file' || !text ? null : text, text || null);
    if (view.required && !text) {
      internals.setValidity({ valueMissing: true }, view.phrase('required'), view.keyboard);
    } else {
      internals.setValidity({});
    }
  }

  /** @param {HTMLFormElement | null} form */
  listen(form) {
    this.form?.removeEventListener('submit', this.#submitted, { capture: true });
    this.form = form;
    form?.addEventListener('submit', this.#submitted, { capture: true });
  }

  /** Makes the file that the form is to send, unless it is there. */
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
   * A form is sent only with its file: it is held, the file made, and the form sent again.
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
