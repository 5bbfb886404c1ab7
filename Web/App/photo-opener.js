// @ts-check
// A photo's way into the editor: from a file, or from the library.

import { Problem } from './api.js';
import { Drafts } from './drafts.js';
import { explain, isCancelled, isDamage } from './explain.js';
import { fetchAnswer, photoDetails, previewURL } from './library-api.js';
import { fromLibrary, readPhoto, withPreview } from './photo.js';
import { photoHash } from './routes.js';
import { words } from './words.js';
import { takeable } from '../Element/shown-recipe.js';

/** @typedef {import('./library-api.js').Entry} Entry */
/** @typedef {import('./notice.js').Notices} Notices */
/** @typedef {import('../Element/core.js').Recipe} Recipe */

/** Pixels of a preview: of the screen's order at first, then as fine as the element zooms. */
const PREVIEW_SIDE = 2048;
const FINE_SIDE = 4096;

/** How a fresh photo is framed: behind a square viewfinder near the top, as wide as the screen. */
const FRESH = Object.freeze(
  { 'crop-style': 'viewfinder', cover: 'fit', margin: '1', 'viewfinder-top': '15%' });

/**
 * @typedef {object} Parts
 * @property {import('./work.js').Work} work
 * @property {import('./editor.js').Editor} editor
 * @property {import('./queue.js').Queue} queue
 * @property {import('./keeping.js').Keeping} keeping
 * @property {Pick<import('./library-screen.js').LibraryScreen, 'find' | 'thumbnailOf'>} library
 * @property {Notices} result the result screen's cards
 */

/**
 * @typedef {object} FileOptions
 * @property {string} [thumbnail] shown until the photo is there
 * @property {boolean} [isFresh] it was taken just now
 * @property {boolean} [isNext] one of several, after another
 * @property {boolean} [isBack] its place in the history is the present one
 * @property {boolean} [isLenient] what is readable of a damaged picture will do
 */

/**
 * The ways to other screens.
 * @typedef {object} Ways
 * @property {Promise<unknown>} ready it is known what the server has
 * @property {(place: 'edit', isNext?: boolean) => boolean} go says whether that is another place in
 *   the history; `isNext`: wanted in any case
 * @property {(id: string) => void} named what the present place shows is known by
 * @property {() => void} showEditor
 * @property {() => void} leave
 * @property {() => void} goHome
 * @property {() => boolean} isAtResult
 * @property {() => Notices} homeNotices the first screen's cards
 */

export class PhotoOpener {
  /** @param {Parts} parts @param {Ways} ways */
  constructor(parts, ways) {
    this.parts = parts;
    this.ways = ways;
  }

  /**
   * @param {string} name @param {(signal: AbortSignal) => Promise<Blob>} load
   * @param {FileOptions} options
   */
  async file(name, load, options = {}) {
    const { thumbnail, isFresh = false, isNext = false, isBack = false, isLenient } = options;
    const { ways, parts: { work, editor, queue, result, keeping } } = this;
    editor.steps.set({});
    const signal = work.begin();
    // A photo that is being edited stays until the new one turns out to be a photo.
    const before = work.photo && !queue.items.length && !isBack ? work.photo : null;
    // So does its result.
    const isResult = before !== null && ways.isAtResult();
    const notices = isResult ? result : editor.notices;
    if (before) {
      notices.work(words('opening'), () => work.cancel());
    } else {
      ways.homeNotices().clear();
      work.photo = null;
      editor.begin(name);
      if (thumbnail) editor.expect(thumbnail);
    }
    let hasPlace = false;
    if (isBack) ways.showEditor();
    else if (!isResult) hasPlace = ways.go('edit', isNext);
    try {
      const file = await load(signal);
      await ways.ready;
      const photo = await readPhoto(file, name, {
        hasServer: work.hasServer, isLenient, signal,
        onPreview: () => notices.work(words('loadingPreview'),
          () => (before ? work.cancel() : ways.leave())),
      });
      photo.id = await Drafts.idOf(file, name);
      const draft = await keeping.drafts.find(photo.id);
      signal.throwIfAborted();
      if (before) editor.begin(name);
      work.photo = photo;
      if (isResult) {
        notices.clear();
        ways.go('edit');
      } else if (before && !hasPlace) {
        // The way back leads to the photo before.
        ways.go('edit', true);
      }
      ways.named(photo.id);
      this.#frame(isFresh);
      photo.targets = draft?.targets;
      const recipe = queue.current?.recipe ?? draft?.recipe;
      await this.#framed(photo, recipe).catch(async (error) => {
        // The browser knew the size and failed at the pixels; the server may fare better.
        // What is shown is the file, or its bytes under another type, unless it is a preview already.
        if (!work.hasServer || photo.shown.size !== photo.original?.size) throw error;
        work.photo = await withPreview(photo, signal);
        await this.#framed(work.photo, recipe);
      });
      if (signal.aborted) return;
      editor.notices.clear();
      if (draft || queue.current) keeping.told();
      ways.showEditor();
      editor.focusPhoto();
    } catch (error) {
      const again = () => void this.file(name, load, { ...options, isLenient: true });
      this.#failed(error, name, signal, before, { notices, readable: isLenient ? undefined : again });
    }
  }

  /**
   * A photo of the library: first its thumbnail, then the preview.
   * @param {string} place the id in the address
   * @param {{ isFresh?: boolean, isChanged?: boolean, isBrief?: boolean, recipe?: Recipe }} options
   *   `isChanged`: what the list knows of it is out of date; `isBrief`: nobody will look closely;
   *   `recipe`: how it is framed
   */
  async entry(place, { isFresh = false, isChanged = false, isBrief = false, recipe } = {}) {
    const { ways, parts: { work, editor, library } } = this;
    const signal = work.begin();
    const known = isChanged ? undefined : library.find(place);
    work.photo = null;
    editor.begin(known?.name ?? '');
    if (known && !known.problem) editor.expect(library.thumbnailOf(known));
    ways.showEditor();
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
      await this.#show(entry, blob, place, details, signal, recipe);
      if (signal.aborted) return;
      editor.notices.clear();
      if (!isBrief) await this.#finer(entry, signal);
    } catch (error) {
      this.#failed(error, known?.name ?? words('photo'), signal, null);
    }
  }

  /**
   * The thumbnail is there already: a frame can be drawn on it at once.
   * @param {Entry} known @param {AbortSignal} signal
   */
  async #early(known, signal) {
    const { work, editor, library } = this.parts;
    try {
      const blob = await picture(library.thumbnailOf(known), signal);
      if (signal.aborted) return;
      const photo = fromLibrary(known, blob, known.id);
      const draft = await this.#draftOf(photo);
      if (signal.aborted) return;
      work.photo = photo;
      await this.#framed(photo, draft?.recipe);
      if (signal.aborted) return;
      editor.focusPhoto();
      if (draft) this.parts.keeping.told();
    } catch {
      // The preview follows in any case.
      if (!signal.aborted) work.photo = null;
    }
  }

  /**
   * @param {Entry} entry @param {Blob} blob @param {string} place
   * @param {import('./library-api.js').Details} details @param {AbortSignal} signal
   * @param {Recipe} [recipe] how it is framed
   */
  async #show(entry, blob, place, details, signal, recipe) {
    const { ways, parts: { work, editor } } = this;
    const { view } = editor;
    const { photo } = work;
    const isSame = photo?.entry?.id === entry.id && photo.entry.version === entry.version;
    // The photo may be another one than when it was cropped.
    let fits = true;
    /** @type {import('./drafts.js').Draft | null} */ let draft = null;
    if (isSame) {
      photo.shown = blob;
      await view.refine(blob);
    } else {
      const opened = fromLibrary(entry, blob, place);
      draft = recipe ? null : await this.#draftOf(opened);
      if (signal.aborted) return;
      work.photo = opened;
      editor.begin(entry.name);
      const left = details.recipe && details.source ? details.recipe : null;
      const unfit = (/** @type {Event} */ event) => {
        if (/** @type {import('../Element/errors.js').CropErrorEvent} */ (event).code === 'no-fit') fits = false;
      };
      view.addEventListener('error', unfit);
      await this.#framed(opened, recipe ?? draft?.recipe ?? left);
      view.removeEventListener('error', unfit);
    }
    // Someone may have gone back meanwhile.
    if (signal.aborted) return;
    // Opened by way of a crop, the photo's other crops are its own to tell.
    const { crops } = entry.id === place ? details
      : await photoDetails(entry.id, signal).catch(() => details);
    if (signal.aborted) return;
    editor.crops.show(crops.filter(({ id }) => id !== place));
    if (!isSame) editor.focusPhoto();
    if (draft && fits) {
      this.parts.keeping.told();
    } else if (entry.id !== place) {
      editor.toast.show({
        title: words(fits ? 'leftOff' : 'leftOffNot', entry.name), seconds: 8,
        actions: [{ label: words('showCrop'), act: () => {}, href: `${photoHash(place)}/view` }],
      });
    }
    ways.showEditor();
  }

  /**
   * Fetches a finer preview when someone looks closely.
   * @param {Entry} entry @param {AbortSignal} signal
   */
  async #finer(entry, signal) {
    if (Math.max(entry.width, entry.height) <= PREVIEW_SIDE) return;
    const { view } = this.parts.editor;
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

  /** @param {import('./photo.js').Photo} photo what was framed of it and not saved */
  #draftOf({ id = '' }) {
    return this.parts.keeping.drafts.find(id);
  }

  /**
   * Opens a photo framed as it was.
   * @param {import('./photo.js').Photo} photo @param {Recipe | null} [recipe]
   */
  async #framed(photo, recipe) {
    const { editor, queue } = this.parts;
    if (recipe) editor.view.recipe = takeable(recipe);
    await editor.open(photo);
    if (!recipe && queue.alike) queue.makeAlike(editor.view);
  }

  /** @param {boolean} isFresh */
  #frame(isFresh) {
    const { view } = this.parts.editor;
    for (const [name, value] of Object.entries(FRESH)) {
      if (isFresh) view.setAttribute(name, value);
      else view.removeAttribute(name);
    }
  }

  /**
   * @param {unknown} error @param {string} name @param {AbortSignal} signal
   * @param {import('./photo.js').Photo | null} before
   * @param {{ notices?: Notices, readable?: () => void }} options where its card is; opens what is
   *   readable of a damaged picture
   */
  #failed(error, name, signal, before, { notices = this.parts.editor.notices, readable } = {}) {
    const { ways, parts: { work, editor, queue } } = this;
    if (signal.aborted || isCancelled(error)) {
      // A newer photo's card is not this one's to remove.
      if (work.isLatest(signal)) notices.clear();
      return;
    }
    const { title, detail, code } = explain(error, name);
    const actions = readable && work.hasServer && isDamage(code)
      ? [{ label: words('openReadable'), act: readable }] : [];
    if (before && work.photo === before) return notices.problem(title, detail, actions);
    work.photo = null;
    if (queue.hasNext) {
      // One bad file is no reason to lose the others.
      editor.facts.textContent = '';
      return editor.notices.problem(title, detail,
        [...actions, { label: words('queueSkip'), act: () => queue.next() }]);
    }
    ways.goHome();
    ways.homeNotices().problem(title, detail, actions);
  }
}

/** @param {string} url @param {AbortSignal} signal */
async function picture(url, signal) {
  return (await fetchAnswer(url, { signal })).blob();
}
