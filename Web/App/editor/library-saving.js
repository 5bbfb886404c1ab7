// @ts-check
// Saves crops of the library's photos: as new photos, in their place, or for another program.

import { Shape } from '../../Element/interface.js';
import { ratioLock } from '../model/ratio-lock.js';
import { photoHash } from '../model/routes.js';
import { Problem, PROGRAMS } from '../server/api.js';
import { showError, warningTexts } from '../server/explain.js';
import {
  fetchBlob, fetchFile, markCrop, moveToTrash, originalURL, replaceOriginal, restore, saveCrop, thumbnailURL,
} from '../server/library-api.js';
import { canChooseWhere, canCopy, canShare, copy, saveToDevice, share } from '../ui/device.js';
import { chosen, confirmed } from '../ui/menu.js';
import { formatBytes, formatNumber, formatSize, isWordKey, words } from '../ui/words.js';
import { writtenAs } from './written-as.js';

/** @typedef {import('../server/library-api.js').Entry} Entry */
/** @typedef {import('../model/model.js').Framing} Framing */

/** @type {readonly import('../server/library-api.js').MarkFormat[]} the programs that a crop can be stored for */
const MARK_FORMATS = ['rawtherapee', 'darktable', 'lightroom'];

export class LibrarySaving {
  /**
   * The last crop that was saved, with the key of its source and options.
   * @type {{ key: string, entry: import('../server/library-api.js').SavedEntry } | null}
   */
  #saved = null;

  /**
   * @param {import('../model/model.js').Model} model @param {import('./editor.js').Editor} editor
   * @param {import('./cropping.js').Cropping} cropping
   */
  constructor(model, editor, cropping) {
    this.model = model;
    this.editor = editor;
    this.cropping = cropping;
  }

  get items() {
    const { photo } = this.model;
    return [
      { label: words('saveDevice'), act: () => void this.cropping.toDevice() },
      { label: `${words('markCrop')}…`, act: () => void this.#mark() },
      { label: `${words('replaceOriginal')}…`, act: () => void this.#replace() },
      ...(photo?.canRestore && photo.entry
        ? [{ label: words('restoreOriginal'), act: () => void this.#undoReplace(/** @type {Entry} */ (photo.entry)) }]
        : []),
    ];
  }

  /** Whether crops are saved next to their photos, not in an album. */
  get #isBeside() {
    return !this.model.library.album('cropped');
  }

  /** Saves a new photo in the album Cropped, unless the same crop was saved last. */
  save() {
    return this.cropping.run(words('cropping'), async ({ signal, recipe, photo }) => {
      const entry = /** @type {Entry} */ (photo.entry);
      const { model, editor } = this;
      const key = JSON.stringify([entry.id, entry.version, recipe, editor.written]);
      const known = this.#saved?.key === key ? this.#saved.entry : null;
      const saved = known ?? await saveCrop(entry, recipe, editor.written, signal);
      // The server does not save identical crops twice.
      const wasThere = known !== null || editor.crops.entries.some(({ id }) => id === saved.id);
      this.#saved = { key, entry: saved };
      // From here on the crop is in the library. If a later step is cancelled or fails, the crop is still reported
      // with an undo action.
      if (model.photo === photo) model.unsaved.saved();
      const from = editor.view.selectionBox;
      const [file, picture] = await Promise.all([
        fetchFile(saved, signal).catch(() => undefined),
        // The browser may not show the file's own format.
        fetchBlob(thumbnailURL(saved, 'x-large'), { signal }).catch(() => undefined),
      ]);
      if (model.photo === photo && !wasThere) editor.crops.add(saved);
      const note = saved.requantized ? words('badgeBorder', formatNumber(saved.requantized))
        : words(saved.lossless ? 'noteLossless' : 'noteEncoded');
      const notes = saved.notes ?? [];
      editor.toast.show({
        title: wasThere ? words(this.#isBeside ? 'savedBesideAlready' : 'savedAlready') : this.#savedTitle,
        detail: saved.name,
        facts: words('savedDetail', formatSize(saved.width, saved.height), formatBytes(saved.bytes)),
        notes: warningTexts(notes.map(({ code }) => code), notes.flatMap(({ dropped }) => dropped ?? [])),
        picture, from, actions: this.#actions(saved, file, picture),
      });
      editor.say(note);
    });
  }

  /**
   * What can be done with a saved crop.
   * @param {Entry} saved @param {File} [file] @param {Blob} [picture] a version that the browser can show
   * @returns {import('../ui/toast.js').Action[]}
   */
  #actions(saved, file, picture) {
    const { notices, toast } = this.editor;
    const leave = () => toast.leave();
    return [
      ...(file && picture && canCopy() ? [{ label: words('copy'), act: () => void copy(file, picture, notices) }] : []),
      ...(file && canShare(file) ? [{ label: words('share'), act: () => void share(file, notices) }] : []),
      ...(file && canChooseWhere() ? [{ label: words('saveAs'), act: () => void this.#saveAs(file) }]
        : [{ label: words('download'), act: leave, href: originalURL(saved.id), file: saved.name }]),
      { label: words('openCrop'), act: leave, href: `${photoHash(saved.id)}/view` },
      { label: words('undoCrop'), act: () => void this.#undo(saved) },
    ];
  }

  /** @param {File} file */
  async #saveAs(file) {
    try {
      await saveToDevice(file);
    } catch (error) {
      showError(this.editor.notices, error, file.name, 'problemSave');
    }
  }

  get #savedTitle() {
    return words(this.#isBeside ? 'savedBeside' : 'savedCrop');
  }

  /** @param {Entry} saved */
  async #undo(saved) {
    const { editor, model: { photo, unsaved } } = this;
    const framing = photo?.saved;
    try {
      await moveToTrash(saved.id);
      this.#saved = null;
      if (this.model.photo === photo) unsaved.savedAs();
      editor.crops.remove(saved);
      editor.toast.show({ title: words('cropRemoved'), detail: saved.name, seconds: 10, actions: [
        { label: words('restore'), act: () => void this.#putBack(saved, framing) },
      ] });
    } catch (error) {
      showError(editor.notices, error, saved.name, 'problemCrop');
    }
  }

  /** @param {Entry} saved @param {string} [framing] its crop */
  async #putBack(saved, framing) {
    const { editor, model: { photo, unsaved } } = this;
    try {
      await restore(saved.id);
      if (this.model.photo === photo) unsaved.savedAs(framing);
      editor.crops.add(saved);
      editor.toast.show({ title: this.#savedTitle, detail: saved.name, seconds: 10 });
    } catch (error) {
      showError(editor.notices, error, saved.name, 'problemCrop');
    }
  }

  async #mark() {
    const program = await chosen(words('markTitle'), words('markText'),
      MARK_FORMATS.map((format) => /** @type {const} */ ([format, PROGRAMS[format]])));
    if (!program) return;
    await this.cropping.run(words('cropping'), async ({ signal, recipe, photo: { entry } }) => {
      if (!entry) return;
      // A sidecar can't store a shape, a size or a canvas.
      const frame = { ...recipe, shape: /** @type {const} */ ('rectangle'), output: null };
      const { sidecar } = await markCrop(entry, frame, program, signal);
      this.editor.toast.show({ title: words('marked', PROGRAMS[program], sidecar), seconds: 12, isPassing: true });
    });
  }

  async #replace() {
    const { editor, model: { photo, encoding } } = this;
    if (!photo?.entry || !editor.view.valid) return;
    // A photo keeps its name, and therefore its format.
    const isJPEG = photo.entry.format === 'jpeg';
    const canvas = editor.view.canvasOptions;
    const ratio = ratioLock(editor.view);
    const loses = isJPEG && (canvas ? canvas.fill === 'transparent' : editor.view.state?.shape !== Shape.rectangle);
    const isSure = await confirmed(words('replaceTitle', photo.name),
      loses ? `${words('replaceText')} ${words('replaceShape')}` : words('replaceText'),
      words('replace'));
    if (!isSure) return;
    await this.cropping.run(words('cropping'), async ({ signal, recipe, photo: { entry, name } }) => {
      if (!entry) return;
      const written = loses ? writtenAs({ ...encoding, format: 'jpeg' }, editor.view.state, canvas) : editor.written;
      const replaced = await replacedAsConfirmed(entry, name, recipe, written, signal);
      if (!replaced) return;
      this.model.unsaved.saved();
      await this.reopen(replaced.id);
      editor.toast.show({ title: words('replaced', name), actions: [
        { label: words('restoreOriginal'), act: () => void this.#undoReplace(replaced, { recipe, canvas, ratio }) },
      ] });
    });
  }

  /** @param {Entry} replaced @param {Framing} [framing] the crop that replaced it, if it was made just now */
  async #undoReplace(replaced, framing) {
    const { editor } = this;
    try {
      const { id, name } = await restore(replaced.id);
      await this.reopen(id, framing);
      editor.toast.show({ title: words('restored', name), seconds: 10 });
    } catch (error) {
      showError(editor.notices, error, replaced.name, 'problemCrop');
    }
  }

  /**
   * Shows the changed photo.
   * @param {string} id @param {Framing} [framing] its crop
   */
  async reopen(id, framing) {
    history.replaceState(history.state, '', photoHash(id));
    // Shows the photo before the higher resolution is loaded.
    await new Promise((resolve) => {
      this.editor.view.addEventListener('load', resolve, { once: true });
      this.editor.opener.entry(id, { isChanged: true, ...framing }).then(resolve);
    });
  }
}

/**
 * Replaces a photo. If that would lose other data in its file, the user decides.
 * @param {Entry} entry @param {string} name @param {import('../../Element/core.js').Recipe} recipe
 * @param {import('../server/api.js').Encoding} encoding @param {AbortSignal} signal
 * @returns {Promise<Entry | null>} null if the user cancelled
 */
async function replacedAsConfirmed(entry, name, recipe, encoding, signal) {
  try {
    return await replaceOriginal(entry, recipe, encoding, signal);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'would-lose-data') throw error;
    const names = error.losses.map(({ code }) => {
      const key = `loss.${code}`;
      return words(isWordKey(key) ? key : 'loss.other');
    });
    const isSure = await confirmed(words('replaceTitle', name),
      words('replaceLoses', [...new Set(names)].join(', ')), words('replace'));
    return isSure ? replaceOriginal(entry, recipe, encoding, signal, true) : null;
  }
}
