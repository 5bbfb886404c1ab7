// @ts-check
// Opens a photo in the editor: from a file, the library or a gallery.

import { Problem, PROGRAMS } from '../server/api.js';
import { Drafts } from '../saving/drafts.js';
import { explain, isCancelled, isDamage } from '../server/explain.js';
import { openFromGallery } from '../server/galleries-api.js';
import { fetchBlob, photoDetails, previewURL } from '../server/library-api.js';
import { fromLibrary, readPhoto, withPreview } from './photo.js';
import { galleryHash, photoHash } from '../shell/routes.js';
import { words } from '../ui/words.js';
import { showsHDR } from '../../Element/gain-map.js';
import { acceptedRecipe } from '../../Element/shown-recipe.js';

/** @typedef {import('../server/library-api.js').Entry} Entry */
/** @typedef {import('../ui/notice.js').Notices} Notices */
/** @typedef {import('../../Element/core.js').Recipe} Recipe */
/** @typedef {import('../../Element/canvas.js').CanvasOptions} CanvasOptions */
/** @typedef {{ recipe?: Recipe | null, canvas?: CanvasOptions | null }} Framing a photo's crop, and the canvas of the result */

/** Longer side of a preview in pixels: about the screen's size at first, then as fine as the element zooms. */
const PREVIEW_SIDE = 2048;
const FINE_SIDE = 4096;

/** The initial crop of a photo just taken: a square viewfinder near the top, as wide as the screen. */
const FRESH = Object.freeze(
  { 'crop-style': 'viewfinder', cover: 'fit', margin: '1', 'viewfinder-top': '15%' });

/**
 * @typedef {object} Dependencies
 * @property {import('../shell/current-task.js').CurrentTask} work
 * @property {import('./editor.js').Editor} editor
 * @property {import('./queue.js').Queue} queue
 * @property {import('../saving/session-storage.js').SessionStorage} keeping
 * @property {Pick<import('../library/library-screen.js').LibraryScreen, 'find' | 'thumbnailOf'>} library
 * @property {Notices} result the result screen's cards
 */

/**
 * @typedef {object} FileOptions
 * @property {string} [thumbnail] shown until the photo is loaded
 * @property {boolean} [isFresh] whether it was just taken
 * @property {boolean} [isNext] whether it is one of several, after another
 * @property {boolean} [isBack] whether the current history entry is the photo's
 * @property {boolean} [isLenient] accepts the readable part of a damaged image
 * @property {() => import('../server/galleries-api.js').GalleryPhoto | undefined} [from] its gallery entry, once
 * it is loaded
 * @property {() => void} [again] reopens it
 */

/**
 * Navigation to other screens.
 * @typedef {object} Navigation
 * @property {Promise<unknown>} ready resolves when the server's features are known
 * @property {(place: 'edit', isNext?: boolean) => boolean} go returns whether the history entry changed; `isNext`:
 * always adds an entry
 * @property {(id: string) => void} named sets the id of the photo in the current history entry
 * @property {() => void} showEditor
 * @property {() => void} leave
 * @property {() => void} goHome
 * @property {() => boolean} isAtResult
 * @property {() => Notices} homeNotices the home screen's cards
 */

export class PhotoOpener {
  /** @param {Dependencies} parts @param {Navigation} ways */
  constructor(parts, ways) {
    this.parts = parts;
    this.ways = ways;
  }

  /**
   * @param {string} name @param {(signal: AbortSignal) => Promise<Blob>} load
   * @param {FileOptions} options
   */
  async file(name, load, options = {}) {
    const { thumbnail, isFresh = false, isNext = false, isBack = false, isLenient, again } = options;
    const { ways, parts: { work, editor, queue, result, keeping } } = this;
    editor.steps.set({});
    const signal = work.begin();
    // A photo that is being edited stays until the new file is known to be a photo.
    const before = work.photo && !queue.items.length && !isBack ? work.photo : null;
    // The same applies to its result.
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
      const from = options.from?.();
      const photo = await readPhoto(file, from?.name ?? name, {
        hasServer: work.hasServer, isLenient, signal,
        onPreview: () => notices.work(words('loadingPreview'),
          () => (before ? work.cancel() : ways.leave())),
      });
      photo.id = await Drafts.idOf(file, photo.name);
      const draft = await keeping.drafts.find(photo.id);
      signal.throwIfAborted();
      if (before || from) editor.begin(photo.name);
      photo.gallery = from ?? draft?.gallery;
      work.photo = photo;
      if (isResult) {
        notices.clear();
        ways.go('edit');
      } else if (before && !hasPlace) {
        // Going back leads to the previous photo.
        ways.go('edit', true);
      }
      ways.named(photo.id);
      this.#frame(isFresh);
      photo.targets = draft?.targets;
      const known = [queue.current, draft, from].find((one) => one?.recipe);
      await this.#shown(photo, known ?? photo.mark ?? {}, signal);
      if (signal.aborted) return;
      editor.notices.clear();
      const isOutdated = Boolean(from && draft?.gallery && draft.gallery.version !== from.version);
      if (draft || queue.current) keeping.announceRestored(isOutdated);
      if (photo.mark && !known) this.#announceMark(photo.mark);
      if (from && !draft) this.#announceNote(from);
      ways.showEditor();
      editor.focusPhoto();
    } catch (error) {
      const readable = () => void this.file(name, load, { ...options, isLenient: true });
      this.#failed(error, name, signal, before, { notices, again, readable: isLenient ? undefined : readable });
    }
  }

  /** @param {import('../server/galleries-api.js').GalleryPhoto} from */
  #announceNote({ note, gallery }) {
    if (!note) return;
    this.parts.editor.toast.show({ title: words('galleryUnframed', gallery), detail: note, isPassing: true });
  }

  /**
   * Shows a file's photo; if the browser can't decode it, the server's preview.
   * @param {import('./photo.js').Photo} photo @param {Framing} framing @param {AbortSignal} signal
   */
  async #shown(photo, framing, signal) {
    const { work } = this.parts;
    await this.#framed(photo, framing).catch(async (error) => {
      // The browser knew the size but failed to decode the pixels; the server may succeed. The shown blob is the
      // file, or its bytes with another type, unless it is already a preview.
      if (!work.hasServer || photo.shown.size !== photo.original?.size) throw error;
      work.photo = await withPreview(photo, signal);
      await this.#framed(work.photo, framing);
    });
  }

  /**
   * Opens a photo of a gallery in the current history entry.
   * @param {string} photo such as immich:ID or dav:PATH
   */
  fromGallery(photo) {
    /** @type {import('../server/galleries-api.js').GalleryPhoto | undefined} */ let from;
    return this.file(photo.slice(photo.lastIndexOf('/') + 1), async (signal) => {
      const opened = await openFromGallery(photo, signal);
      from = opened.from;
      return opened.file;
    }, { isBack: true, from: () => from, again: () => {
      location.hash = galleryHash(photo);
    } });
  }

  /**
   * A photo of the library: first its thumbnail, then the preview.
   * @param {string} place the id in the address
   * @param {{ isFresh?: boolean, isChanged?: boolean, isBrief?: boolean } & Framing} options `isChanged`: the list's
   * information is outdated; `isBrief`: it is only shown briefly; `recipe`, `canvas`: the initial crop and its canvas
   */
  async entry(place, { isFresh = false, isChanged = false, isBrief = false, recipe, canvas } = {}) {
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
      // A rejection is handled where it is awaited.
      asked.catch(() => {});
      if (known?.width && !known.cropOf) await this.#early(known, signal);
      const details = await asked;
      const entry = details.recipe && details.source ? details.source : details;
      if (entry.problem) throw new Problem(entry.problem.code, entry.problem.message);
      const blob = await picture(previewURL(entry, PREVIEW_SIDE, showsHDR()), signal);
      if (signal.aborted) return;
      await this.#show(entry, blob, place, details, signal, { recipe, canvas });
      if (signal.aborted) return;
      editor.notices.clear();
      if (!isBrief) await this.#loadHighResolution(entry, signal);
    } catch (error) {
      this.#failed(error, known?.name ?? words('photo'), signal, null);
    }
  }

  /**
   * The thumbnail is loaded, so a frame can be drawn on it immediately.
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
      await this.#framed(photo, draft ?? {});
      if (signal.aborted) return;
      editor.focusPhoto();
      if (draft) this.parts.keeping.announceRestored();
    } catch {
      // The preview is loaded in any case.
      if (!signal.aborted) work.photo = null;
    }
  }

  /**
   * @param {Entry} entry @param {Blob} blob @param {string} place
   * @param {import('../server/library-api.js').Details} details @param {AbortSignal} signal
   * @param {Framing} framing the initial crop, if known
   */
  async #show(entry, blob, place, details, signal, framing) {
    const { recipe } = framing;
    const { ways, parts: { work, editor } } = this;
    const { view } = editor;
    const { photo } = work;
    const isSame = photo?.entry?.id === entry.id && photo.entry.version === entry.version;
    // The photo may have changed since it was cropped.
    let fits = true;
    const { mark } = details;
    let isMarked = false;
    /** @type {import('../saving/drafts.js').Draft | null} */ let draft = null;
    if (isSame) {
      photo.shown = blob;
      await view.refine(blob);
      // Keeps a crop that the user has already started.
      isMarked = mark !== null && !recipe && !view.canReset;
      if (mark && isMarked) view.recipe = acceptedRecipe(mark.recipe);
    } else {
      const opened = fromLibrary(entry, blob, place);
      draft = recipe ? null : await this.#draftOf(opened);
      if (signal.aborted) return;
      work.photo = opened;
      editor.begin(entry.name);
      const left = details.recipe && details.source ? details : mark ?? {};
      isMarked = mark !== null && !recipe && !draft && left === mark;
      const unfit = (/** @type {Event} */ event) => {
        if (/** @type {import('../../Element/errors.js').CropErrorEvent} */ (event).code === 'no-fit') fits = false;
      };
      view.addEventListener('error', unfit);
      try {
        await this.#framed(opened, recipe ? framing : draft?.recipe ? draft : left);
      } finally {
        view.removeEventListener('error', unfit);
      }
    }
    // The user may have gone back in the meantime.
    if (signal.aborted) return;
    // If the photo was opened through a crop, its other crops are found by its own id.
    const { crops } = entry.id === place ? details
      : await photoDetails(entry.id, signal).catch(() => details);
    if (signal.aborted) return;
    editor.crops.show(crops.filter(({ id }) => id !== place));
    if (!isSame) editor.focusPhoto();
    if (draft && fits) {
      this.parts.keeping.announceRestored();
    } else if (entry.id !== place) {
      editor.toast.show({
        title: words(fits ? 'leftOff' : 'leftOffNot', entry.name), seconds: 8,
        actions: [{ label: words('showCrop'), act: () => {}, href: `${photoHash(place)}/view` }],
      });
    } else if (mark && isMarked && fits) {
      this.#announceMark(mark);
    }
    ways.showEditor();
  }

  /** @param {import('../server/api.js').Mark} mark */
  #announceMark({ program }) {
    const title = words('croppedIn', PROGRAMS[program]);
    this.parts.editor.toast.show({ title, seconds: 8, isPassing: true });
  }

  /**
   * Loads a finer preview when the user zooms in.
   * @param {Entry} entry @param {AbortSignal} signal
   */
  async #loadHighResolution(entry, signal) {
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
    const blob = await picture(previewURL(entry, FINE_SIDE, showsHDR()), signal).catch(() => null);
    if (blob && !signal.aborted) await view.refine(blob);
  }

  /** @param {import('./photo.js').Photo} photo whose unsaved crop is requested */
  #draftOf({ id = '' }) {
    return this.parts.keeping.drafts.find(id);
  }

  /**
   * Opens a photo with its crop.
   * @param {import('./photo.js').Photo} photo @param {Framing} framing
   */
  async #framed(photo, { recipe, canvas }) {
    const { editor, queue } = this.parts;
    // Only one style shows corners.
    if (recipe?.quad) editor.view.setAttribute('crop-style', 'quad');
    if (recipe) editor.view.recipe = acceptedRecipe(recipe);
    if (recipe && canvas) editor.view.canvasOptions = canvas;
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
   * @param {{ notices?: Notices, again?: () => void, readable?: () => void }} options `notices`: where to show the
   * card; `again`: retries; `readable`: opens the readable part of a damaged image
   */
  #failed(error, name, signal, before, { notices = this.parts.editor.notices, again, readable } = {}) {
    const { ways, parts: { work, editor, queue } } = this;
    if (signal.aborted || isCancelled(error)) {
      // Does not remove the card of a newer photo.
      if (work.isLatest(signal)) notices.clear();
      return;
    }
    const { title, detail, code } = explain(error, name);
    const actions = readable && work.hasServer && isDamage(code)
      ? [{ label: words('openReadable'), act: readable }] : [];
    if (again) actions.push({ label: words('tryAgain'), act: again });
    if (before && work.photo === before) return notices.problem(title, detail, actions);
    work.photo = null;
    if (queue.hasNext) {
      // One bad file must not affect the others.
      editor.facts.textContent = '';
      return editor.notices.problem(title, detail,
        [...actions, { label: words('queueSkip'), act: () => queue.next() }]);
    }
    ways.goHome();
    ways.homeNotices().problem(title, detail, actions);
  }
}

/** @param {string} url @param {AbortSignal} signal */
function picture(url, signal) {
  return fetchBlob(url, { signal });
}
