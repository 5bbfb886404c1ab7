// @ts-check
// The actions of the editor: make a result to download, or save a new photo in the library.

import { crop, preview, Problem, PROGRAMS } from '../server/api.js';
import { CropError } from '../../Element/errors.js';
import { Shape } from '../../Element/interface.js';
import {
  canChooseFolder, canShare, chooseFolder, download, saveIn, saveToDevice, shared,
} from './device.js';
import { explain, isCancelled, isDamage } from '../server/explain.js';
import {
  fetchBlob, markCrop, moveToTrash, originalURL, replaceOriginal, restore, saveCrop,
} from '../server/library-api.js';
import { chosen, confirmed } from '../ui/menu.js';
import { GallerySaving } from './gallery-saving.js';
import { writtenAs } from './output.js';
import { croppedName, lightOf, originalOf } from '../editor/photo.js';
import { measure } from '../../Element/picture.js';
import { photoHash } from '../shell/routes.js';
import { playShutter } from '../ui/sound.js';
import { formatNumber, formatSize, isWordKey, words } from '../ui/words.js';
import { zipped } from './zip.js';

/** @type {readonly import('../server/library-api.js').MarkFormat[]} the programs that a crop can be stored for */
const MARK_FORMATS = ['rawtherapee', 'darktable', 'lightroom'];

/** @typedef {import('../server/library-api.js').Entry} Entry */
/** @typedef {import('../../Element/core.js').Recipe} Recipe */
/** @typedef {import('../editor/photo-opener.js').Framing} Framing */
/** @typedef {import('./result.js').Result} Result */
/** @typedef {import('../editor/queue.js').Item} Item */

/**
 * @typedef {object} Dependencies
 * @property {import('../shell/current-task.js').CurrentTask} work
 * @property {import('../editor/editor.js').Editor} editor
 * @property {import('../editor/queue.js').Queue} queue
 * @property {import('./session-storage.js').SessionStorage} keeping
 * @property {import('./result.js').ResultScreen} result
 */

/**
 * @typedef {object} Job
 * @property {AbortSignal} signal @property {ReturnType<import('../ui/notice.js').Notices['work']>} card
 * @property {Recipe} recipe @property {import('../editor/photo.js').Photo} photo
 */

/**
 * Navigation to other screens.
 * @typedef {object} Navigation
 * @property {(place: 'result') => void} go
 * @property {() => void} goHome
 * @property {(id: string, framing?: Framing, isBrief?: boolean) => Promise<void>} reopen shows a photo of the
 * library that has changed, with this crop and canvas; `isBrief`: it is only shown for a moment
 * @property {(photo: string) => Promise<void>} reopenFromGallery
 * @property {() => boolean} isBeside whether crops are saved next to their photos, not in an album
 */

export class Cropping {
  /**
   * The last result.
   * @type {Result | null}
   */
  #made = null;
  /**
   * The last crop that was saved in the library, with the key of its source and options.
   * @type {{ key: string, entry: Entry & {lossless?: boolean, requantized?: number} } | null}
   */
  #saved = null;

  /** @param {Dependencies} parts @param {Navigation} ways */
  constructor(parts, ways) {
    this.parts = parts;
    this.ways = ways;
    this.galleries = new GallerySaving(parts, {
      run: (title, act) => this.#run(title, act),
      make: (job) => this.#make(job, !parts.work.hasServer),
      toDevice: () => void this.toDevice(),
      reopen: (photo) => ways.reopenFromGallery(photo),
    });
  }

  /** The primary action. */
  crop() {
    const { photo } = this.parts.work;
    return photo?.gallery ? this.galleries.save() : photo?.entry ? this.#save() : this.result();
  }

  /**
   * The other actions for the selection.
   * @returns {import('../ui/menu.js').Item[]}
   */
  get items() {
    if (this.parts.work.photo?.gallery) return this.galleries.items;
    if (!this.parts.work.photo?.entry) return [];
    return [
      { label: words('saveDevice'), act: () => void this.toDevice() },
      { label: `${words('markCrop')}…`, act: () => void this.mark() },
      { label: `${words('replaceOriginal')}…`, act: () => void this.replace() },
    ];
  }

  /**
   * Runs work on the current photo, with immediate feedback.
   * @param {string} title of the progress
   * @param {(job: Job) => Promise<void>} act
   * @param {boolean} [isLocal] it runs in the browser
   */
  async #run(title, act, isLocal = false) {
    const { work, editor } = this.parts;
    const { photo } = work;
    const { recipe } = editor.view;
    if (!photo || !recipe || editor.isBusy) return;
    playShutter();
    editor.shine();
    editor.toast.leave();
    const signal = work.begin();
    editor.setBusy(true);
    const card = editor.notices.work(title, () => work.cancel());
    try {
      await act({ signal, card, recipe, photo });
      if (work.isLatest(signal)) editor.notices.clear();
    } catch (error) {
      if (signal.aborted || isCancelled(error)) {
        if (work.isLatest(signal)) editor.notices.clear();
      } else this.#explain(error, photo, isLocal);
    } finally {
      editor.setBusy(false);
    }
  }

  /**
   * @param {boolean} [isLocal] whether the browser makes it even though there is a server
   * @param {'never'} [lossless] in the browser: re-encodes the visible image, whatever else was chosen
   */
  result(isLocal = !this.parts.work.hasServer, lossless) {
    return this.#run(words('cropping'), async (job) => {
      const { editor, queue, result } = this.parts;
      const made = await this.#make(job, isLocal, lossless);
      if (!made || job.signal.aborted) return;
      result.show(made, queue.nextLabel);
      const from = editor.view.selectionBox;
      this.ways.go('result');
      result.arrive(from);
      (queue.hasNext ? result.next : result.save).focus({ preventScroll: true });
    }, isLocal);
  }

  /**
   * The result of the crop; the existing one if nothing has changed since.
   * @param {Job} job @param {boolean} isLocal @param {'never'} [lossless]
   * @returns {Promise<Result | null>} null if cancelled
   */
  async #make({ signal, card, recipe, photo }, isLocal, lossless) {
    const { editor, queue } = this.parts;
    const key = JSON.stringify([photo.id, recipe, editor.written, isLocal, lossless]);
    const known = [this.#made, queue.current?.result].find((result) => result?.key === key);
    if (known) return known;
    const size = editor.view.resultSize;
    const made = isLocal
      ? await this.#locally(signal, lossless)
      : await crop(await originalOf(photo, { signal }), photo.name, recipe, editor.written,
        { signal, onProgress: card.sent });
    if (!made || !size) return null;
    const { blob, isLossless, requantized } = made;
    const { frames = 1 } = /** @type {{frames?: number}} */ (made);
    const shown = await shownOf(blob, signal);
    if (signal.aborted) return null;
    const { width, height } = shown === blob ? await measure(blob) : size;
    // Neither has a gain map, with a server or without.
    const hidesPixels = editor.view.canvasOptions || (recipe.shape ?? 'rectangle') !== 'rectangle';
    /** @type {Result} */
    const fresh = {
      blob, shown, width, height, frames, name: croppedName(photo.name, blob), key, requantized,
      made: isLossless ? (requantized ? 'badgeBorder' : 'noteLossless') : isLocal ? 'noteHere' : 'noteEncoded',
      light: await lightOf(photo, blob, isLocal && !hidesPixels),
    };
    if (signal.aborted) return null;
    this.#made = fresh;
    queue.cropped(fresh);
    return fresh;
  }

  /**
   * Makes the unsaved crops of several photos, one after another, and saves them: in a folder that the user
   * chooses, if the browser supports that, otherwise as one file to download.
   * @param {(item: Item) => Promise<void>} open @param {boolean} asZip
   */
  async saveAll(open, asZip) {
    const { queue, keeping } = this.parts;
    if (queue.isOfLibrary) return this.#saveEntries();
    const items = queue.savable;
    /** @type {FolderHandle | null} */ let folder = null;
    try {
      if (!asZip && canChooseFolder()) {
        folder = await chooseFolder();
        if (!folder) return;
      }
      queue.begins();
      /** @type {Item[]} */ const made = [];
      for (const item of items) {
        queue.step(made.length, items.length);
        if (!await this.#madeOf(item, open)) continue;
        // The user has cancelled, or moved on to something else.
        if (queue.isStopped || !queue.items.includes(item)) break;
        if (folder) {
          await saveIn(folder, fileOfItem(item));
          keeping.savedOf([item]);
        }
        made.push(item);
      }
      if (!folder && made.length && !queue.isStopped) {
        for (const [index, archive] of (await zipped(made.map(fileOfItem))).entries()) {
          const number = index ? ` ${formatNumber(index + 1)}` : '';
          download(new File([archive], `${words('zipName')}${number}.zip`, { type: archive.type }));
        }
        keeping.savedOf(made);
      }
      const saved = items.filter(({ isSaved }) => isSaved).length;
      queue.ends(words('queueSaved', formatNumber(saved), formatNumber(items.length)));
    } catch (error) {
      const { title, detail } = explain(error, words('photos'), 'problemSave', 'problemSaveDo');
      queue.ends(`${title} ${detail}`);
    }
  }

  /** The same for photos of the library, whose crops are saved there. */
  async #saveEntries() {
    const { queue } = this.parts;
    const items = queue.savable;
    queue.begins();
    for (const [index, item] of items.entries()) {
      queue.step(index, items.length);
      queue.select(queue.items.indexOf(item));
      const id = item.entry ?? '';
      history.replaceState(history.state, '', photoHash(id));
      await this.ways.reopen(id, { recipe: item.recipe, canvas: item.canvas }, true);
      if (!queue.isStopped && !queue.isUnfit) await this.#save();
      // The user has cancelled, or moved on to something else.
      if (queue.isStopped || !queue.items.includes(item)) break;
    }
    const saved = items.filter(({ isSaved }) => isSaved).length;
    queue.ends(words('queueSaved', formatNumber(saved), formatNumber(items.length)));
  }

  /**
   * @param {Item} item @param {(item: Item) => Promise<void>} open
   * @returns {Promise<boolean>} false if it can't be opened or cropped; the error is shown over the photo
   */
  async #madeOf(item, open) {
    const { queue, work } = this.parts;
    if (item.result) return true;
    queue.select(queue.items.indexOf(item));
    await open(item);
    if (queue.isStopped || work.photo?.original !== item.file || queue.isUnfit) return false;
    await this.#run(words('cropping'), async (job) => {
      await this.#make(job, !work.hasServer);
    }, !work.hasServer);
    return item.result !== null;
  }

  /** @param {AbortSignal} signal @param {'never'} [lossless] */
  async #locally(signal, lossless) {
    const { format, quality, strip, background } = this.parts.editor.written;
    try {
      return await this.parts.editor.view.cropped({
        type: format && `image/${format}`, quality: quality && quality / 100, strip, background, signal,
        lossless,
      });
    } catch (error) {
      throw error instanceof CropError ? new Problem(error.code) : error;
    }
  }

  /** Saves a new photo in the album Cropped, unless the same crop was saved last. */
  #save() {
    return this.#run(words('cropping'), async ({ signal, recipe, photo }) => {
      const entry = /** @type {Entry} */ (photo.entry);
      const { work, editor, keeping } = this.parts;
      const key = JSON.stringify([entry.id, entry.version, recipe, editor.written]);
      const known = this.#saved?.key === key ? this.#saved.entry : null;
      const saved = known ?? await saveCrop(entry, recipe, editor.written, signal);
      // The server does not save identical crops twice.
      const wasThere = known !== null || editor.crops.entries.some(({ id }) => id === saved.id);
      this.#saved = { key, entry: saved };
      // From here on the crop is in the library. If a later step is cancelled or fails, the crop is still reported
      // with an undo action.
      if (work.photo === photo) keeping.saved();
      const from = editor.view.selectionBox;
      const file = await fileOf(saved, signal).catch(() => null);
      if (work.photo === photo && !wasThere) editor.crops.add(saved);
      const note = saved.requantized ? words('badgeBorder', formatNumber(saved.requantized))
        : words(saved.lossless ? 'noteLossless' : 'noteEncoded');
      const again = () => editor.toast.leave();
      editor.toast.show({
        title: wasThere ? words(this.ways.isBeside() ? 'savedBesideAlready' : 'savedAlready') : this.#savedTitle,
        detail: words('savedDetail', formatSize(saved.width, saved.height), saved.name),
        picture: file ?? undefined, from, actions: [
          ...(file && canShare(file) ? [{ label: words('share'), act: () => void this.#share(file) }] : []),
          { label: words('download'), act: again, href: originalURL(saved.id), file: saved.name },
          { label: words('openCrop'), act: again, href: `${photoHash(saved.id)}/view` },
          { label: words('trashCrop'), act: () => void this.#undoCrop(saved) },
        ],
      });
      editor.say(note);
    });
  }

  get #savedTitle() {
    return words(this.ways.isBeside() ? 'savedBeside' : 'savedCrop');
  }

  /** @param {File} file */
  async #share(file) {
    if (!await shared(file)) this.parts.editor.notices.problem(words('problemShare'), '');
  }

  /** @param {Entry} saved */
  async #undoCrop(saved) {
    const { editor, work: { photo }, keeping } = this.parts;
    const framing = photo?.saved;
    try {
      await moveToTrash(saved.id);
      this.#saved = null;
      if (this.parts.work.photo === photo) keeping.savedAs();
      editor.crops.remove(saved);
      editor.toast.show({ title: words('cropRemoved'), detail: saved.name, seconds: 10, actions: [
        { label: words('putBack'), act: () => void this.#putBack(saved, framing) },
      ] });
    } catch (error) {
      this.#showError(error, saved.name);
    }
  }

  /** @param {Entry} saved @param {string} [framing] its crop */
  async #putBack(saved, framing) {
    const { editor, work: { photo }, keeping } = this.parts;
    try {
      await restore(saved.id);
      if (this.parts.work.photo === photo) keeping.savedAs(framing);
      editor.crops.add(saved);
      editor.toast.show({ title: this.#savedTitle, detail: saved.name, seconds: 10 });
    } catch (error) {
      this.#showError(error, saved.name);
    }
  }

  /** Makes a file for this device, without saving it in the library. */
  toDevice() {
    return this.#run(words('loadingOriginal'), async ({ signal, card, recipe, photo }) => {
      const original = await originalOf(photo, { signal });
      card.say(words('cropping'));
      const { blob } = await crop(original, photo.name, recipe,
        this.parts.editor.written, { signal, onProgress: card.sent });
      if (signal.aborted) return;
      const name = croppedName(photo.name, blob);
      const isKept = await saveToDevice(new File([blob], name, { type: blob.type }));
      if (isKept) this.parts.keeping.saved();
    });
  }

  async mark() {
    const program = await chosen(words('markTitle'), words('markText'),
      MARK_FORMATS.map((format) => /** @type {const} */ ([format, PROGRAMS[format]])));
    if (!program) return;
    await this.#run(words('cropping'), async ({ signal, recipe, photo: { entry } }) => {
      if (!entry) return;
      // A sidecar can't store a shape, a size or a canvas.
      const frame = { ...recipe, shape: /** @type {const} */ ('rectangle'), output: null };
      const { sidecar } = await markCrop(entry, frame, program, signal);
      this.parts.editor.toast.show({ title: words('marked', PROGRAMS[program], sidecar), seconds: 12, isPassing: true });
    });
  }

  async replace() {
    const { editor, work: { photo } } = this.parts;
    if (!photo?.entry || !editor.view.valid) return;
    // A photo keeps its name, and therefore its format.
    const isJPEG = photo.entry.format === 'jpeg';
    const canvas = editor.view.canvasOptions;
    const loses = isJPEG && (canvas ? canvas.fill === 'transparent' : editor.view.state?.shape !== Shape.rectangle);
    const isSure = await confirmed(words('replaceTitle', photo.name),
      loses ? `${words('replaceText')} ${words('replaceShape')}` : words('replaceText'),
      words('replace'));
    if (!isSure) return;
    await this.#run(words('cropping'), async ({ signal, recipe, photo: { entry, name } }) => {
      if (!entry) return;
      const encoding = loses
        ? writtenAs({ ...editor.encoding, format: 'jpeg' }, editor.view.state, canvas) : editor.written;
      const replaced = await replacedAsConfirmed(entry, name, recipe, encoding, signal);
      if (!replaced) return;
      this.parts.keeping.saved();
      await this.#reopen(replaced.id);
      editor.toast.show({ title: words('replaced', name), actions: [
        { label: words('restoreOriginal'), act: () => void this.#undoReplace(replaced, { recipe, canvas }) },
      ] });
    });
  }

  /** @param {Entry} replaced @param {Framing} framing the crop that replaced it */
  async #undoReplace(replaced, framing) {
    const { editor } = this.parts;
    try {
      const { id, name } = await restore(replaced.id);
      await this.#reopen(id, framing);
      editor.toast.show({ title: words('restored', name), seconds: 10 });
    } catch (error) {
      this.#showError(error, replaced.name);
    }
  }

  /**
   * Shows the changed photo.
   * @param {string} id @param {Framing} [framing] its crop
   */
  async #reopen(id, framing) {
    history.replaceState(history.state, '', photoHash(id));
    // Shows the photo before the higher resolution is loaded.
    await new Promise((resolve) => {
      this.parts.editor.view.addEventListener('load', resolve, { once: true });
      this.ways.reopen(id, framing).then(resolve);
    });
  }

  /** @param {unknown} error @param {string} name */
  #showError(error, name) {
    const { title, detail } = explain(error, name, 'problemCrop');
    this.parts.editor.notices.problem(title, detail);
  }

  /**
   * @param {unknown} error @param {import('../editor/photo.js').Photo} photo
   * @param {boolean} isLocal whether it failed in the browser
   */
  #explain(error, photo, isLocal) {
    const { title, detail, code } = explain(error, photo.name, photo.gallery ? 'problemGallery' : 'problemCrop');
    /** @type {import('../ui/menu.js').Item[]} */
    const actions = [];
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
      if (photo.original) actions.push({ label: words('cropHere'), act: () => void this.result(true) });
    } else if (code === 'changed' && photo.place) {
      const { place } = photo;
      actions.push({ label: words('openAgain'), act: () => void this.#reopen(place) });
    } else if (photo.entry && ['not-found', 'gone', 'input-missing'].includes(code)) {
      actions.push({ label: words('toPhotos'), act: () => this.ways.goHome() });
    }
    this.parts.editor.notices.problem(title, detail, actions);
  }
}

/**
 * Replaces a photo. If that would lose other data in its file, the user decides.
 * @param {Entry} entry @param {string} name @param {Recipe} recipe
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

/**
 * The result, or a preview of it if the browser can't show its format.
 * @param {Blob} blob @param {AbortSignal} signal
 */
async function shownOf(blob, signal) {
  const canShow = await measure(blob).then(() => true, () => false);
  return canShow ? blob : preview(blob, 'result', 2048, { signal });
}

/** @param {Entry} entry @param {AbortSignal} signal */
export async function fileOf({ id, name }, signal) {
  const blob = await fetchBlob(originalURL(id), { signal });
  return new File([blob], name, { type: blob.type });
}

/** @param {Item} item with a result */
function fileOfItem({ file, result }) {
  const { blob, name } = result ?? { blob: file, name: file.name };
  return new File([blob], name, { type: blob.type });
}
