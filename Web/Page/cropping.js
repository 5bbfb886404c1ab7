// @ts-check
// What Crop does: a result to take away, or a new photo in the library.

import { crop, preview, Problem } from './api.js';
import { CutError } from './cut.js';
import { canShare, saveToDevice, shared } from './device.js';
import { explain, isCancelled } from './explain.js';
import {
  fetchAnswer, moveToTrash, originalURL, replaceOriginal, restore, saveCrop,
} from './library-api.js';
import { confirmed } from './menu.js';
import { croppedName, originalOf } from './photo.js';
import { measure } from './picture.js';
import { photoHash } from './routes.js';
import { playShutter } from './sound.js';
import { formatSize, words } from './words.js';

/** @typedef {import('./library-api.js').Entry} Entry */

export class Cropping {
  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.app = app;
  }

  /** The primary action. */
  crop() {
    return this.app.photo?.entry ? this.#save() : this.result();
  }

  /**
   * What else can be done with the selection.
   * @returns {import('./menu.js').Item[]}
   */
  get items() {
    if (!this.app.photo?.entry) return [];
    return [
      { label: words('saveDevice'), act: () => void this.toDevice() },
      { label: `${words('replaceOriginal')}…`, act: () => void this.replace() },
    ];
  }

  /**
   * Work on the present photo: the press answers at once, whatever the work takes.
   * @param {string} title what is under way
   * @param {(step: { signal: AbortSignal, work: ReturnType<import('./notice.js').Notices['work']>,
   *   recipe: import('./core.js').Recipe, photo: import('./photo.js').Photo }) => Promise<void>} act
   * @param {boolean} [isLocal] the browser does it
   */
  async #run(title, act, isLocal = false) {
    const { app } = this;
    const { editor, photo } = app;
    const { recipe } = editor.view;
    if (!photo || !recipe || editor.isBusy) return;
    playShutter();
    editor.shine();
    editor.toast.clear();
    const { signal } = app.renew();
    editor.setBusy(true);
    const work = editor.notices.work(title, () => app.task.abort());
    try {
      await act({ signal, work, recipe, photo });
      if (app.task.signal === signal) editor.notices.clear();
    } catch (error) {
      if (signal.aborted || isCancelled(error)) {
        if (app.task.signal === signal) editor.notices.clear();
      } else this.#explain(error, photo, isLocal);
    } finally {
      editor.setBusy(false);
    }
  }

  /**
   * @param {boolean} [isLocal] made by the browser even though there is a server
   * @param {'never'} [lossless] in the browser: as it is shown, whatever else was chosen
   */
  result(isLocal = !this.app.hasServer, lossless) {
    return this.#run(words('cropping'), async ({ signal, work, recipe, photo }) => {
      const { app } = this;
      const size = app.editor.view.resultSize;
      const made = isLocal
        ? await this.#locally(signal, lossless)
        : await crop(await originalOf(photo, { signal }), photo.name, recipe, app.editor.encoding,
          { signal, onProgress: work.sent });
      if (!made || !size) return;
      const { blob, isLossless } = made;
      const frames = 'frames' in made ? made.frames : 1;
      const shown = await shownOf(blob, signal);
      if (signal.aborted) return;
      const { width, height } = shown === blob ? await measure(blob) : size;
      app.result.show({
        blob, shown, width, height, frames, name: croppedName(photo.name, blob),
        made: isLossless ? 'noteLossless' : isLocal ? 'noteHere' : 'noteEncoded',
        next: app.queue.hasNext ? app.queue.nextLabel : undefined,
      });
      const from = app.editor.view.selectionBox;
      app.go('result');
      app.result.arrive(from);
      (app.queue.hasNext ? app.result.next : app.result.save).focus({ preventScroll: true });
    }, isLocal);
  }

  /** @param {AbortSignal} signal @param {'never'} [lossless] */
  async #locally(signal, lossless) {
    const { format, quality, strip } = this.app.editor.encoding;
    try {
      return await this.app.editor.view.cropped({
        type: format && `image/${format}`, quality: quality && quality / 100, strip, signal, lossless,
      });
    } catch (error) {
      throw error instanceof CutError ? new Problem(error.code) : error;
    }
  }

  /** A new photo in the album Cropped. */
  #save() {
    return this.#run(words('cropping'), async ({ signal, recipe, photo }) => {
      const entry = /** @type {Entry} */ (photo.entry);
      const { app, app: { editor } } = this;
      const saved = await saveCrop(entry, recipe, editor.encoding, signal);
      // From here on it is in the library, whatever is cancelled or fails: that is told, with the way back.
      const from = editor.view.selectionBox;
      const file = await fileOf(saved, signal).catch(() => null);
      if (app.photo === photo) editor.crops.add(saved);
      const note = words(saved.lossless ? 'noteLossless' : 'noteEncoded');
      const again = () => editor.toast.clear();
      editor.toast.show({
        title: words('savedCrop'),
        detail: words('savedDetail', formatSize(saved.width, saved.height), saved.name),
        picture: file ?? undefined, from, actions: [
          { label: words('undo'), act: () => void this.#undoCrop(saved) },
          ...(file && canShare(file) ? [{ label: words('share'), act: () => void this.#share(file) }] : []),
          { label: words('download'), act: again, href: originalURL(saved.id), file: saved.name },
          { label: words('openCrop'), act: again, href: `${photoHash(saved.id)}/view` },
        ],
      });
      editor.say(note);
    });
  }

  /** @param {File} file */
  async #share(file) {
    if (!await shared(file)) this.app.editor.notices.problem(words('problemShare'), '');
  }

  /** @param {Entry} saved */
  async #undoCrop(saved) {
    const { editor } = this.app;
    try {
      await moveToTrash(saved.id);
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
    const { editor } = this.app;
    try {
      await restore(saved.id);
      editor.crops.add(saved);
      editor.toast.show({ title: words('savedCrop'), detail: saved.name, seconds: 10 });
    } catch (error) {
      this.#tell(error, saved.name);
    }
  }

  /** A file for this device, without a trace in the library. */
  toDevice() {
    return this.#run(words('loadingOriginal'), async ({ signal, work, recipe, photo }) => {
      const original = await originalOf(photo, { signal });
      work.say(words('cropping'));
      const { blob } = await crop(original, photo.name, recipe, this.app.editor.encoding,
        { signal, onProgress: work.sent });
      if (signal.aborted) return;
      const name = croppedName(photo.name, blob);
      await saveToDevice(new File([blob], name, { type: blob.type }));
    });
  }

  async replace() {
    const { photo, editor } = this.app;
    if (!photo?.entry || !editor.view.valid) return;
    const isSure = await confirmed(words('replaceTitle', photo.name), words('replaceText'),
      words('replace'));
    if (!isSure) return;
    await this.#run(words('cropping'), async ({ signal, recipe, photo: { entry, name } }) => {
      if (!entry) return;
      const replaced = await replaceOriginal(entry, recipe, editor.encoding, signal);
      await this.#reopen(replaced.id);
      editor.toast.show({ title: words('replaced', name), actions: [
        { label: words('undo'), act: () => void this.#undoReplace(replaced) },
      ] });
    });
  }

  /** @param {Entry} replaced */
  async #undoReplace(replaced) {
    const { editor } = this.app;
    try {
      const { id, name } = await restore(replaced.id);
      await this.#reopen(id);
      editor.toast.show({ title: words('restored', name), seconds: 10 });
    } catch (error) {
      this.#tell(error, replaced.name);
    }
  }

  /**
   * Shows what the file is now.
   * @param {string} id
   */
  async #reopen(id) {
    const { app } = this;
    history.replaceState(history.state, '', photoHash(id));
    // The wait for a closer look goes on; the photo is there before.
    await new Promise((resolve) => {
      app.editor.view.addEventListener('load', resolve, { once: true });
      app.opening.entry(id, { isChanged: true }).then(resolve);
    });
  }

  /** @param {unknown} error @param {string} name */
  #tell(error, name) {
    const { title, detail } = explain(error, name, 'problemCrop');
    this.app.editor.notices.problem(title, detail);
  }

  /**
   * @param {unknown} error @param {import('./photo.js').Photo} photo
   * @param {boolean} isLocal it went wrong in the browser
   */
  #explain(error, photo, isLocal) {
    const { app } = this;
    const { title, detail, code } = explain(error, photo.name, 'problemCrop');
    /** @type {import('./menu.js').Item[]} */
    const actions = [];
    if (isLocal && (code === 'truncated' || code === 'corrupt')) {
      actions.push({ label: words('cropSeen'), act: () => void this.result(true, 'never') });
    } else if (code === 'offline' || code === 'busy') {
      actions.push({ label: words('tryAgain'), act: () => void this.crop() });
      // A preview is no original: only whole files are cropped here.
      if (photo.original) actions.push({ label: words('cropHere'), act: () => void this.result(true) });
    } else if (code === 'changed' && photo.place) {
      const { place } = photo;
      actions.push({ label: words('openAgain'), act: () => void this.#reopen(place) });
    } else if (photo.entry && ['not-found', 'gone', 'input-missing'].includes(code)) {
      actions.push({ label: words('toPhotos'), act: () => app.goHome() });
    }
    app.editor.notices.problem(title, detail, actions);
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
