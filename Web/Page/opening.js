// @ts-check
// A photo's way into the editor: from a file, or from the library.

import { Problem } from './api.js';
import { explain, isCancelled } from './explain.js';
import { fetchAnswer, photoDetails, previewURL } from './library-api.js';
import { fromLibrary, readPhoto, withPreview } from './photo.js';
import { photoHash } from './routes.js';
import { words } from './words.js';

/** @typedef {import('./library-api.js').Entry} Entry */

/** Pixels of a preview: of the screen's order at first, then as fine as the element zooms. */
const PREVIEW_SIDE = 2048;
const FINE_SIDE = 4096;

/** How a fresh photo is framed: behind a square opening near the top, as wide as the screen. */
const FRESH = Object.freeze(
  { 'crop-style': 'viewfinder', cover: 'fit', margin: '1', 'opening-top': '15%' });

export class Opening {
  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.app = app;
  }

  /**
   * @param {string} name @param {(signal: AbortSignal) => Promise<Blob>} load
   * @param {{ thumbnail?: string, isFresh?: boolean }} options `thumbnail` is shown until the
   *   photo is there
   */
  async file(name, load, { thumbnail, isFresh = false } = {}) {
    const { app } = this;
    const { editor } = app;
    const { signal } = app.renew();
    // A photo that is being edited stays until the new one turns out to be a photo.
    const before = app.photo && !app.queue.files.length ? app.photo : null;
    // So does its result.
    const isResult = before !== null && app.screen === 'result';
    const { notices } = isResult ? app.result : editor;
    if (before) {
      notices.work(words('opening'), () => app.task.abort());
    } else {
      app.home.notices.clear();
      editor.begin(name);
      if (thumbnail) editor.expect(thumbnail);
    }
    if (!isResult) app.go('edit');
    try {
      const file = await load(signal);
      await app.ready;
      const photo = await readPhoto(file, name, {
        hasServer: app.hasServer, signal,
        onPreview: () => notices.work(words('loadingPreview'),
          () => (before ? app.task.abort() : app.leave())),
      });
      signal.throwIfAborted();
      if (before) editor.begin(name);
      app.photo = photo;
      if (isResult) {
        notices.clear();
        app.go('edit');
      }
      this.#frame(isFresh);
      await editor.open(photo).catch(async (error) => {
        // The browser knew the size and failed at the pixels; the server may fare better.
        if (!app.hasServer || photo.shown !== photo.original) throw error;
        app.photo = await withPreview(photo, signal);
        await editor.open(app.photo);
      });
      if (signal.aborted) return;
      editor.notices.clear();
      app.show('editor');
      editor.focusPhoto();
    } catch (error) {
      this.#failed(error, name, signal, before, notices);
    }
  }

  /**
   * A photo of the library: first its thumbnail, then the preview.
   * @param {string} place the id in the address
   * @param {{ isFresh?: boolean, isChanged?: boolean }} options `isChanged`: what the list knows
   *   of it is out of date
   */
  async entry(place, { isFresh = false, isChanged = false } = {}) {
    const { app } = this;
    const { editor } = app;
    const { signal } = app.renew();
    const known = isChanged ? undefined : app.albums.find(place);
    app.photo = null;
    editor.begin(known?.name ?? '');
    if (known && !known.problem) editor.expect(app.albums.thumbnailOf(known));
    app.show('editor');
    this.#frame(isFresh);
    try {
      const asked = photoDetails(place, signal);
      // A rejection is seen where it is awaited.
      asked.catch(() => {});
      if (known?.width && !known.cropOf) await this.#early(known, signal);
      const details = await asked;
      const entry = details.recipe && details.source ? details.source : details;
      if (entry.problem) throw new Problem(entry.problem.code, entry.problem.message);
      const blob = await picture(previewURL(entry, PREVIEW_SIDE), signal);
      if (signal.aborted) return;
      await this.#show(entry, blob, place, details, signal);
      if (signal.aborted) return;
      editor.notices.clear();
      await this.#finer(entry, signal);
    } catch (error) {
      this.#failed(error, known?.name ?? words('photo'), signal, null);
    }
  }

  /**
   * The thumbnail is there already: a frame can be drawn on it at once.
   * @param {Entry} known @param {AbortSignal} signal
   */
  async #early(known, signal) {
    const { app } = this;
    try {
      const blob = await picture(app.albums.thumbnailOf(known), signal);
      if (signal.aborted) return;
      app.photo = fromLibrary(known, blob, known.id);
      await app.editor.open(app.photo);
      if (!signal.aborted) app.editor.focusPhoto();
    } catch {
      // The preview follows in any case.
      if (!signal.aborted) app.photo = null;
    }
  }

  /**
   * @param {Entry} entry @param {Blob} blob @param {string} place
   * @param {import('./library-api.js').Details} details @param {AbortSignal} signal
   */
  async #show(entry, blob, place, details, signal) {
    const { app } = this;
    const { view } = app.editor;
    const { photo } = app;
    const isSame = photo?.entry?.id === entry.id && photo.entry.version === entry.version;
    // The photo may be another one than when it was cropped.
    let fits = true;
    if (isSame) {
      photo.shown = blob;
      await view.refine(blob);
    } else {
      app.photo = fromLibrary(entry, blob, place);
      app.editor.begin(entry.name);
      if (details.recipe && details.source) view.recipe = details.recipe;
      const unfit = () => {
        fits = false;
      };
      view.addEventListener('error', unfit, { once: true });
      await app.editor.open(app.photo);
      view.removeEventListener('error', unfit);
    }
    // Someone may have gone back meanwhile.
    if (signal.aborted) return;
    // Opened by way of a crop, the photo's other crops are its own to tell.
    const { crops } = entry.id === place ? details
      : await photoDetails(entry.id, signal).catch(() => details);
    if (signal.aborted) return;
    app.editor.crops.show(crops.filter(({ id }) => id !== place));
    if (!isSame) app.editor.focusPhoto();
    if (entry.id !== place) {
      app.editor.toast.show({
        title: words(fits ? 'leftOff' : 'leftOffNot', entry.name), seconds: 8,
        actions: [{ label: words('showCrop'), act: () => {}, href: `${photoHash(place)}/view` }],
      });
    }
    app.show('editor');
  }

  /**
   * Fetches a finer preview when someone looks closely.
   * @param {Entry} entry @param {AbortSignal} signal
   */
  async #finer(entry, signal) {
    if (Math.max(entry.width, entry.height) <= PREVIEW_SIDE) return;
    const { view } = this.app.editor;
    const isClose = () => (view.state?.zoom ?? 1) > 1.5;
    await new Promise((resolve) => {
      const check = () => isClose() && resolve(null);
      view.addEventListener('statechange', check, { signal });
      signal.addEventListener('abort', () => resolve(null), { once: true });
      check();
    });
    if (signal.aborted) return;
    const blob = await picture(previewURL(entry, FINE_SIDE), signal).catch(() => null);
    if (blob && !signal.aborted) await view.refine(blob);
  }

  /** @param {boolean} isFresh */
  #frame(isFresh) {
    const { view } = this.app.editor;
    for (const [name, value] of Object.entries(FRESH)) {
      if (isFresh) view.setAttribute(name, value);
      else view.removeAttribute(name);
    }
  }

  /**
   * @param {unknown} error @param {string} name @param {AbortSignal} signal
   * @param {import('./photo.js').Photo | null} before
   * @param {import('./notice.js').Notices} [notices] where its card is
   */
  #failed(error, name, signal, before, notices = this.app.editor.notices) {
    const { app } = this;
    if (signal.aborted || isCancelled(error)) {
      // A newer photo's card is not this one's to remove.
      if (app.task.signal === signal) notices.clear();
      return;
    }
    const { title, detail } = explain(error, name);
    if (before && app.photo === before) return notices.problem(title, detail);
    app.photo = null;
    if (app.queue.hasNext) {
      // One bad file is no reason to lose the others.
      app.editor.facts.textContent = '';
      return app.editor.notices.problem(title, detail,
        [{ label: words('queueSkip'), act: () => app.queue.next() }]);
    }
    app.goHome();
    app.home.notices.problem(title, detail);
  }
}

/** @param {string} url @param {AbortSignal} signal */
async function picture(url, signal) {
  return (await fetchAnswer(url, { signal })).blob();
}
