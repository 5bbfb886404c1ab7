// @ts-check
// Saves crops of a gallery's photos in the gallery, in the way that the user chose last.

import { Problem } from '../server/api.js';
import { saveEdit, saveFile } from '../server/galleries-api.js';
import { confirmed } from '../ui/menu.js';
import { setting } from '../ui/settings.js';
import { words } from '../ui/words.js';

/** @typedef {import('../server/galleries-api.js').Way} Way */
/** @typedef {import('../ui/menu.js').Item} Item */
/** @typedef {import('./cropping.js').Job} Job */

/** @type {Readonly<Record<Way, import('../ui/words.js').WordKey>>} */
const LABELS = Object.freeze({
  edit: 'galleryEdit', stack: 'galleryStack', beside: 'galleryBeside', replace: 'galleryReplace',
});

/** Errors of the photo itself, for which a retry would fail too. */
const CHANGED = new Set(['gallery-changed', 'gallery-missing', 'gallery-trash']);

export class GallerySaving {
  /**
   * @param {import('../model/model.js').Model} model @param {import('./editor.js').Editor} editor
   * @param {import('./cropping.js').Cropping} cropping
   */
  constructor(model, editor, cropping) {
    this.model = model;
    this.editor = editor;
    this.cropping = cropping;
  }

  get #from() {
    return this.model.photo?.gallery;
  }

  /** The last chosen way, if the photo supports it. @returns {Way} */
  get way() {
    const from = this.#from;
    const chosen = /** @type {Way} */ (setting(`gallery.${from?.gallery}`).get());
    return from?.ways.includes(chosen) ? chosen : from?.ways[0] ?? 'stack';
  }

  /** The ways to save, the last chosen one first. @returns {Item[]} */
  get items() {
    const from = this.#from;
    if (!from) return [];
    const { way } = this;
    const others = from.ways.filter((one) => one !== way);
    return [
      ...[way, ...others].map((one) => ({
        label: this.#label(one), isChosen: one === way, act: () => void this.save(one),
      })),
      { label: words('saveDevice'), act: () => void this.cropping.toDevice() },
    ];
  }

  /** @param {Way} way */
  #label(way) {
    return words(LABELS[way], this.#from?.gallery ?? '');
  }

  /** @param {Way} [way] */
  async save(way = this.way) {
    const from = this.#from;
    if (!from) return;
    const isSure = way !== 'replace' || await confirmed(words('replaceTitle', from.name),
      words('galleryReplaceText', from.gallery), words('replace'));
    if (!isSure) return;
    setting(`gallery.${from.gallery}`).set(way);
    this.editor.offerToSave();
    await this.cropping.run(words('cropping'), (job) => this.#save(job, way));
  }

  /** @param {Job} job @param {Way} way */
  async #save(job, way) {
    const { signal, card, recipe, photo } = job;
    const { editor, model } = this;
    const { gallery: from } = photo;
    if (!from) return;
    const saving = words('gallerySaving', from.gallery);
    let saved;
    if (way === 'edit') {
      // The gallery's own edits do not support a canvas.
      if (editor.view.canvasOptions) throw new Problem('gallery-lacks');
      card.say(saving);
      saved = await saveEdit(from, recipe, photo, signal);
    } else {
      const made = await this.cropping.make(job);
      if (!made || signal.aborted) return;
      card.say(saving);
      saved = await saveFile(from, way, made.blob, { signal, onProgress: card.sent });
    }
    if (saved.version) from.version = saved.version;
    if (model.photo !== photo) return;
    model.unsaved.saved();
    // The original has been renamed.
    if (way === 'replace') await this.editor.opener.fromGallery(from.photo);
    editor.toast.show({
      title: words(saved.new ? 'gallerySaved' : 'gallerySavedAlready', from.gallery),
      detail: saved.kept ? words('galleryKept', saved.kept) : saved.name ?? from.name,
    });
  }

  /**
   * The alternatives if the gallery failed, so that the crop is never lost.
   * @param {string} code @returns {Item[]}
   */
  after(code) {
    const from = this.#from;
    if (!from) return [];
    const toDevice = { label: words('saveDevice'), act: () => void this.cropping.toDevice() };
    if (code === 'gallery-lacks') return [{ label: this.#label('stack'), act: () => void this.save('stack') }, toDevice];
    if (CHANGED.has(code)) {
      return [toDevice, { label: words('openAgain'), act: () => void this.editor.opener.fromGallery(from.photo) }];
    }
    return [{ label: words('tryAgain'), act: () => void this.save() }, toDevice];
  }
}
