// @ts-check
// Crops the open photo: makes a result to download, or saves the crop where the photo is from.

import { measure } from '../../Element/picture.js';
import { croppedName, isShownEverywhere, lightOf, named, originalOf } from '../model/photo.js';
import { resultFormat } from '../model/result-format.js';
import { crop, PREVIEW_SIDE } from '../server/api.js';
import { explain, isCancelled, isDamage, rethrow, warningTexts } from '../server/explain.js';
import { saveToDevice } from '../ui/device.js';
import { elementOptions } from '../ui/output.js';
import { playShutter } from '../ui/sound.js';
import { words } from '../ui/words.js';
import { GallerySaving } from './gallery-saving.js';
import { LibrarySaving } from './library-saving.js';

/** @typedef {import('../model/photo.js').Photo} Photo */
/** @typedef {import('../model/photo.js').Result} Result */
/** @typedef {import('../ui/menu.js').Item} Item */

/**
 * @typedef {object} Job
 * @property {AbortSignal} signal @property {ReturnType<import('../ui/notice.js').Notices['work']>} card
 * @property {import('../../Element/core.js').Recipe} recipe @property {Photo} photo
 */

export class Cropping {
  /** @type {Result | null} the last one */ #made = null;

  /** @param {import('../model/model.js').Model} model @param {import('./editor.js').Editor} editor */
  constructor(model, editor) {
    this.model = model;
    this.editor = editor;
    this.galleries = new GallerySaving(model, editor, this);
    this.library = new LibrarySaving(model, editor, this);
  }

  /** The primary action. */
  crop() {
    const { photo } = this.model;
    return photo?.gallery ? this.galleries.save() : photo?.entry ? this.library.save() : this.result();
  }

  /**
   * The other actions for the selection.
   * @returns {Item[]}
   */
  get items() {
    const { photo } = this.model;
    return photo?.gallery ? this.galleries.items : photo?.entry ? this.library.items : [];
  }

  /**
   * Runs work on the current photo, with immediate feedback.
   * @param {string} title of the progress
   * @param {(job: Job) => Promise<void>} act
   * @param {boolean} [isLocal] it runs in the browser
   */
  async run(title, act, isLocal = false) {
    const { editor, model: { photo, task } } = this;
    const { recipe } = editor.view;
    if (!photo || !recipe || editor.isBusy) return;
    playShutter();
    editor.shine();
    editor.toast.leave();
    const signal = task.begin();
    editor.setBusy(true);
    const card = editor.notices.work(title, () => task.cancel());
    try {
      await act({ signal, card, recipe, photo });
      if (task.isLatest(signal)) editor.notices.clear();
    } catch (error) {
      if (signal.aborted || isCancelled(error)) {
        if (task.isLatest(signal)) editor.notices.clear();
      } else this.#failed(error, photo, isLocal);
    } finally {
      editor.setBusy(false);
    }
  }

  /**
   * @param {boolean} [isLocal] whether the browser makes it even though there is a server
   * @param {'never'} [lossless] in the browser: re-encodes the visible image, whatever else was chosen
   */
  result(isLocal = !this.model.hasServer, lossless) {
    return this.run(words('cropping'), async (job) => {
      const drawn = isLocal ? null : this.#drawn(job);
      const made = await this.make(job, isLocal, lossless);
      if (made && !made.shown) {
        made.shown = await drawn;
        made.isDrawn = true;
      }
      if (made && !job.signal.aborted) this.model.navigator.showResult(made, this.editor.view.selectionBox);
    }, isLocal);
  }

  /**
   * What a result in a format that few browsers show looks like: drawn while the server makes it, since decoding the
   * result would take as long again. Null for other formats, and if the browser can't draw it.
   * @param {Job} job @returns {Promise<Blob | null>}
   */
  async #drawn({ photo, signal }) {
    const { written, view } = this.editor;
    const format = resultFormat(written.format, photo.format, { isTransparent: false, hasServer: true });
    if (isShownEverywhere(format)) return null;
    const type = view.picture?.translucent ? 'image/png' : 'image/jpeg';
    return view.cropped({
      ...elementOptions(written), type, quality: undefined, maxSide: PREVIEW_SIDE, lossless: 'never', signal,
    }).then((made) => made?.blob ?? null, () => null);
  }

  /**
   * The result of the crop; the existing one if nothing has changed since.
   * @param {Job} job @param {boolean} [isLocal] @param {'never'} [lossless]
   * @returns {Promise<Result | null>} null if cancelled
   */
  async make({ signal, card, recipe, photo }, isLocal = !this.model.hasServer, lossless) {
    const { editor, model: { queue } } = this;
    const key = JSON.stringify([photo.id, recipe, editor.written, isLocal, lossless]);
    const known = [this.#made, queue.current?.result].find((result) => result?.key === key);
    if (known) return known;
    const size = editor.view.resultSize;
    const made = isLocal
      ? await editor.view.cropped({ ...elementOptions(editor.written), lossless, signal }).catch(rethrow)
      : await crop(await originalOf(photo, { signal }), photo.name, recipe, editor.written,
        { signal, onProgress: card.sent });
    if (!made || !size) return null;
    const { blob, isLossless, requantized } = made;
    const { frames = 1, warnings = [], dropped = [] } =
      /** @type {{ frames?: number, warnings?: string[], dropped?: string[] }} */ (made);
    const seen = await measure(blob).catch(() => null);
    if (signal.aborted) return null;
    const { width, height } = seen ?? size;
    // Neither has a gain map, with a server or without.
    const hidesPixels = editor.view.canvasOptions || (recipe.shape ?? 'rectangle') !== 'rectangle';
    /** @type {Result} */
    const fresh = {
      blob, shown: seen && blob, width, height, frames, name: croppedName(photo.name, blob), key, requantized,
      made: isLossless ? (requantized ? 'badgeBorder' : 'noteLossless') : !isLocal ? 'noteEncoded'
        : editor.view.animated ? 'noteStill' : 'noteHere',
      light: await lightOf(photo, blob, isLocal && !hidesPixels), warnings: warningTexts(warnings, dropped),
    };
    if (signal.aborted) return null;
    this.#made = fresh;
    queue.cropped(fresh);
    return fresh;
  }

  /** Makes a file for this device, without saving it where the photo is from. */
  toDevice() {
    return this.run(words('loadingOriginal'), async ({ signal, card, recipe, photo }) => {
      const original = await originalOf(photo, { signal });
      card.say(words('cropping'));
      const { blob } = await crop(original, photo.name, recipe, this.editor.written,
        { signal, onProgress: card.sent });
      if (signal.aborted) return;
      if (await saveToDevice(named(blob, croppedName(photo.name, blob)))) this.model.unsaved.saved();
    });
  }

  /**
   * @param {unknown} error @param {Photo} photo
   * @param {boolean} isLocal whether it failed in the browser
   */
  #failed(error, photo, isLocal) {
    const { title, detail, code } = explain(error, photo.name, photo.gallery ? 'problemGallery' : 'problemCrop');
    /** @type {Item[]} */ const actions = [];
    if (photo.gallery && !isDamage(code)) actions.push(...this.galleries.after(code));
    else if (isLocal && isDamage(code)) {
      actions.push({ label: words('cropSeen'), act: () => void this.result(true, 'never') });
    } else if (isDamage(code) && !photo.isLenient) {
      actions.push({ label: words('cropReadable'), act: () => {
        photo.isLenient = true;
        void this.crop();
      } });
    } else if (code === 'offline' || code === 'busy') {
      actions.push({ label: words('tryAgain'), act: () => void this.crop() });
      // A preview is not an original: the browser only crops complete files.
      if (photo.original && !photo.finer) actions.push({ label: words('cropHere'), act: () => void this.result(true) });
    } else if (code === 'changed' && photo.place) {
      const { place } = photo;
      actions.push({ label: words('openAgain'), act: () => void this.library.reopen(place) });
    } else if (photo.entry && ['not-found', 'gone', 'input-missing'].includes(code)) {
      actions.push({ label: words('toPhotos'), act: () => this.model.navigator.goHome() });
    }
    this.editor.notices.problem(title, detail, actions);
  }
}
