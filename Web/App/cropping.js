// @ts-check
// What Crop does: a result to take away, or a new photo in the library.

import { crop, preview, Problem } from './api.js';
import { CropError } from '../Element/errors.js';
import { Shape } from '../Element/interface.js';
import {
  canChooseFolder, canShare, chooseFolder, download, saveIn, saveToDevice, shared,
} from './device.js';
import { explain, isCancelled, isDamage } from './explain.js';
import {
  fetchAnswer, moveToTrash, originalURL, replaceOriginal, restore, saveCrop,
} from './library-api.js';
import { confirmed } from './menu.js';
import { writtenAs } from './output.js';
import { croppedName, originalOf } from './photo.js';
import { measure } from '../Element/picture.js';
import { photoHash } from './routes.js';
import { playShutter } from './sound.js';
import { formatNumber, formatSize, isWordKey, words } from './words.js';
import { zipped } from './zip.js';

/** @typedef {import('./library-api.js').Entry} Entry */
/** @typedef {import('../Element/core.js').Recipe} Recipe */
/** @typedef {import('./result.js').Result} Result */
/** @typedef {import('./queue.js').Item} Item */

/**
 * @typedef {object} Parts
 * @property {import('./work.js').Work} work
 * @property {import('./editor.js').Editor} editor
 * @property {import('./queue.js').Queue} queue
 * @property {import('./keeping.js').Keeping} keeping
 * @property {import('./result.js').ResultScreen} result
 */

/**
 * @typedef {object} Job
 * @property {AbortSignal} signal @property {ReturnType<import('./notice.js').Notices['work']>} card
 * @property {Recipe} recipe @property {import('./photo.js').Photo} photo
 */

/**
 * The ways to other screens.
 * @typedef {object} Ways
 * @property {(place: 'result') => void} go
 * @property {() => void} goHome
 * @property {(id: string, recipe?: Recipe, isBrief?: boolean) => Promise<void>} reopen a photo of the
 *   library that has changed, framed as the recipe says; `isBrief`: nobody will look closely
 * @property {() => boolean} isBeside crops are saved beside their photos, not in an album
 */

export class Cropping {
  /**
   * What was made last.
   * @type {Result | null}
   */
  #made = null;
  /**
   * What was saved last in the library, and what of.
   * @type {{ key: string, entry: Entry & {lossless?: boolean} } | null}
   */
  #saved = null;

  /** @param {Parts} parts @param {Ways} ways */
  constructor(parts, ways) {
    this.parts = parts;
    this.ways = ways;
  }

  /** The primary action. */
  crop() {
    return this.parts.work.photo?.entry ? this.#save() : this.result();
  }

  /**
   * What else can be done with the selection.
   * @returns {import('./menu.js').Item[]}
   */
  get items() {
    if (!this.parts.work.photo?.entry) return [];
    return [
      { label: words('saveDevice'), act: () => void this.toDevice() },
      { label: `${words('replaceOriginal')}…`, act: () => void this.replace() },
    ];
  }

  /**
   * Work on the present photo: the press answers at once, whatever the work takes.
   * @param {string} title what is under way
   * @param {(job: Job) => Promise<void>} act
   * @param {boolean} [isLocal] the browser does it
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
   * @param {boolean} [isLocal] made by the browser even though there is a server
   * @param {'never'} [lossless] in the browser: as it is shown, whatever else was chosen
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
   * A result of what is framed; the one that is there already, where nothing has changed since.
   * @param {Job} job @param {boolean} isLocal @param {'never'} [lossless]
   * @returns {Promise<Result | null>} null where it was called off
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
    const { blob, isLossless } = made;
    const { frames = 1 } = /** @type {{frames?: number}} */ (made);
    const shown = await shownOf(blob, signal);
    if (signal.aborted) return null;
    const { width, height } = shown === blob ? await measure(blob) : size;
    /** @type {Result} */
    const fresh = {
      blob, shown, width, height, frames, name: croppedName(photo.name, blob), key,
      made: isLossless ? 'noteLossless' : isLocal ? 'noteHere' : 'noteEncoded',
    };
    this.#made = fresh;
    queue.cropped(fresh);
    return fresh;
  }

  /**
   * Makes all that several photos have unsaved, one after another, and saves it: in a folder that the
   * person chooses, where the browser lets them, else as one file to download.
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
        // The person has called it off, or gone on to something else.
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

  /** The same of the library's photos, whose crops are saved there. */
  async #saveEntries() {
    const { queue } = this.parts;
    const items = queue.savable;
    queue.begins();
    for (const [index, item] of items.entries()) {
      queue.step(index, items.length);
      queue.select(queue.items.indexOf(item));
      const id = item.entry ?? '';
      history.replaceState(history.state, '', photoHash(id));
      await this.ways.reopen(id, item.recipe ?? undefined, true);
      if (!queue.isStopped) await this.#save();
      // The person has called it off, or gone on to something else.
      if (queue.isStopped || !queue.items.includes(item)) break;
    }
    const saved = items.filter(({ isSaved }) => isSaved).length;
    queue.ends(words('queueSaved', formatNumber(saved), formatNumber(items.length)));
  }

  /**
   * @param {Item} item @param {(item: Item) => Promise<void>} open
   * @returns {Promise<boolean>} false where it can't be opened or cropped, which is said over the photo
   */
  async #madeOf(item, open) {
    const { queue, work } = this.parts;
    if (item.result) return true;
    queue.select(queue.items.indexOf(item));
    await open(item);
    if (queue.isStopped || work.photo?.original !== item.file) return false;
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

  /** A new photo in the album Cropped; none where the same was saved last. */
  #save() {
    return this.#run(words('cropping'), async ({ signal, recipe, photo }) => {
      const entry = /** @type {Entry} */ (photo.entry);
      const { work, editor, keeping } = this.parts;
      const key = JSON.stringify([entry.id, entry.version, recipe, editor.written]);
      const known = this.#saved?.key === key ? this.#saved.entry : null;
      const saved = known ?? await saveCrop(entry, recipe, editor.written, signal);
      // The server makes no second file of equal crops either.
      const wasThere = known !== null || editor.crops.entries.some(({ id }) => id === saved.id);
      this.#saved = { key, entry: saved };
      // From here on it is in the library, whatever is cancelled or fails: that is told, with the way back.
      if (work.photo === photo) keeping.saved();
      const from = editor.view.selectionBox;
      const file = await fileOf(saved, signal).catch(() => null);
      if (work.photo === photo && !wasThere) editor.crops.add(saved);
      const note = words(saved.lossless ? 'noteLossless' : 'noteEncoded');
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
    const { editor } = this.parts;
    try {
      await moveToTrash(saved.id);
      this.#saved = null;
      editor.crops.remove(saved);
      editor.toast.show({ title: words('cropRemoved'), detail: saved.name, seconds: 10, actions: [
        { label: words('putBack'), act: () => void this.#putBack(saved) },
      ] });
    } catch (error) {
      this.#tell(error, saved.name);
    }
  }

  /** @param {Entry} saved */
  async #putBack(saved) {
    const { editor } = this.parts;
    try {
      await restore(saved.id);
      editor.crops.add(saved);
      editor.toast.show({ title: this.#savedTitle, detail: saved.name, seconds: 10 });
    } catch (error) {
      this.#tell(error, saved.name);
    }
  }

  /** A file for this device, without a trace in the library. */
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

  async replace() {
    const { editor, work: { photo } } = this.parts;
    if (!photo?.entry || !editor.view.valid) return;
    // A photo keeps its name, and so its format.
    const isJPEG = photo.entry.format === 'jpeg';
    const loses = isJPEG && editor.view.state?.shape !== Shape.rectangle;
    const isSure = await confirmed(words('replaceTitle', photo.name),
      loses ? `${words('replaceText')} ${words('replaceShape')}` : words('replaceText'),
      words('replace'));
    if (!isSure) return;
    await this.#run(words('cropping'), async ({ signal, recipe, photo: { entry, name } }) => {
      if (!entry) return;
      const encoding = loses
        ? writtenAs({ ...editor.encoding, format: 'jpeg' }, editor.view.state) : editor.written;
      const replaced = await replacedAsConfirmed(entry, name, recipe, encoding, signal);
      if (!replaced) return;
      this.parts.keeping.saved();
      await this.#reopen(replaced.id);
      editor.toast.show({ title: words('replaced', name), actions: [
        { label: words('restoreOriginal'), act: () => void this.#undoReplace(replaced, recipe) },
      ] });
    });
  }

  /** @param {Entry} replaced @param {Recipe} recipe what it was replaced by */
  async #undoReplace(replaced, recipe) {
    const { editor } = this.parts;
    try {
      const { id, name } = await restore(replaced.id);
      await this.#reopen(id, recipe);
      editor.toast.show({ title: words('restored', name), seconds: 10 });
    } catch (error) {
      this.#tell(error, replaced.name);
    }
  }

  /**
   * Shows what the file is now.
   * @param {string} id @param {Recipe} [recipe] how it is framed
   */
  async #reopen(id, recipe) {
    history.replaceState(history.state, '', photoHash(id));
    // The wait for a closer look goes on; the photo is there before.
    await new Promise((resolve) => {
      this.parts.editor.view.addEventListener('load', resolve, { once: true });
      this.ways.reopen(id, recipe).then(resolve);
    });
  }

  /** @param {unknown} error @param {string} name */
  #tell(error, name) {
    const { title, detail } = explain(error, name, 'problemCrop');
    this.parts.editor.notices.problem(title, detail);
  }

  /**
   * @param {unknown} error @param {import('./photo.js').Photo} photo
   * @param {boolean} isLocal it went wrong in the browser
   */
  #explain(error, photo, isLocal) {
    const { title, detail, code } = explain(error, photo.name, 'problemCrop');
    /** @type {import('./menu.js').Item[]} */
    const actions = [];
    if (isLocal && isDamage(code)) {
      actions.push({ label: words('cropSeen'), act: () => void this.result(true, 'never') });
    } else if (isDamage(code) && !photo.isLenient) {
      actions.push({ label: words('cropReadable'), act: () => {
        photo.isLenient = true;
        void this.crop();
      } });
    } else if (code === 'offline' || code === 'busy') {
      actions.push({ label: words('tryAgain'), act: () => void this.crop() });
      // A preview is no original: only whole files are cropped here.
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
 * Replaces a photo; where that would lose what else its file holds, the person decides.
 * @param {Entry} entry @param {string} name @param {Recipe} recipe
 * @param {import('./api.js').Encoding} encoding @param {AbortSignal} signal
 * @returns {Promise<Entry | null>} null where nothing is to be lost
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
 * The result, or a preview of it where the browser can't show its format.
 * @param {Blob} blob @param {AbortSignal} signal
 */
export async function shownOf(blob, signal) {
  const canShow = await measure(blob).then(() => true, () => false);
  return canShow ? blob : preview(blob, 'result', 2048, { signal });
}

/** @param {Entry} entry @param {AbortSignal} signal */
export async function fileOf({ id, name }, signal) {
  const blob = await (await fetchAnswer(originalURL(id), { signal })).blob();
  return new File([blob], name, { type: blob.type });
}

/** @param {Item} item that was made */
function fileOfItem({ file, result }) {
  const { blob, name } = result ?? { blob: file, name: file.name };
  return new File([blob], name, { type: blob.type });
}
