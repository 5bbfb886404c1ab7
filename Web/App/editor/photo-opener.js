// @ts-check
// Opens a photo in the editor: from a file, the library or a gallery.

import { showsHDR } from '../../Element/gain-map.js';
import { acceptedRecipe } from '../../Element/shown-recipe.js';
import { Drafts } from '../model/drafts.js';
import { finest, fromLibrary, readPhoto, withPreview } from '../model/photo.js';
import { keepRatio } from '../model/ratio-lock.js';
import { galleryHash, photoHash } from '../model/routes.js';
import { FINE_SIDE, PREVIEW_SIDE, Problem, PROGRAMS } from '../server/api.js';
import { explain, isCancelled, isDamage } from '../server/explain.js';
import { openFromGallery } from '../server/galleries-api.js';
import { fetchBlob, photoDetails, previewURL } from '../server/library-api.js';
import { formatNumber, words } from '../ui/words.js';

/** @typedef {import('../server/library-api.js').Entry} Entry */
/** @typedef {import('../ui/notice.js').Notices} Notices */
/** @typedef {import('../model/model.js').Framing} Framing */
/** @typedef {import('../model/photo.js').Photo} Photo */

export class PhotoOpener {
  /** @param {import('../model/model.js').Model} model @param {import('./editor.js').Editor} editor */
  constructor(model, editor) {
    this.model = model;
    this.editor = editor;
  }

  /**
   * @param {import('../model/queue.js').Item} item of the queue
   * @param {import('../model/model.js').FileOptions} [options]
   */
  async item({ file, entry }, options) {
    if (entry === undefined) await this.file(file.name, async () => file, options);
    else this.model.navigator.replace(photoHash(entry));
  }

  /** @param {number} index of a photo of the queue */
  select(index) {
    const { queue } = this.model;
    const item = queue.items[index];
    if (!item) return;
    queue.select(index);
    void this.item(item, { isNext: true });
  }

  /**
   * @param {string} name @param {(signal: AbortSignal) => Promise<Blob>} load
   * @param {import('../model/model.js').FileOptions} options
   */
  async file(name, load, options = {}) {
    const { thumbnail, isNext = false, isBack = false, isLenient, again } = options;
    const { editor, model } = this;
    const { navigator, queue, task } = model;
    editor.steps.set({});
    const signal = task.begin();
    // A photo that is being edited stays until the new file is known to be a photo.
    const before = model.photo && !queue.items.length && !isBack ? model.photo : null;
    // The same applies to its result.
    const isResult = before !== null && navigator.screen === 'result';
    const { notices } = isResult ? navigator : editor;
    if (before) {
      notices.work(words('opening'), () => task.cancel());
    } else {
      model.photo = null;
      editor.begin(name);
      if (thumbnail) editor.expect(thumbnail);
    }
    let hasPlace = false;
    if (isBack) navigator.show('editor');
    else if (!isResult) hasPlace = navigator.go('edit', isNext);
    try {
      const file = await load(signal);
      await model.ready;
      const from = options.from?.();
      const photo = await readPhoto(file, from?.name ?? name, {
        hasServer: model.hasServer, isLenient, signal,
        onPreview: () => notices.work(words('loadingPreview'),
          () => (before ? task.cancel() : navigator.leave())),
      });
      photo.id = await Drafts.idOf(file, photo.name);
      const draft = await this.#draftOf(photo);
      signal.throwIfAborted();
      if (before || from) editor.begin(photo.name);
      photo.gallery = from ?? draft?.gallery;
      model.photo = photo;
      if (isResult) {
        notices.clear();
        navigator.go('edit');
      } else if (before && !hasPlace) {
        // Going back leads to the previous photo.
        navigator.go('edit', true);
      }
      queue.named(photo.id);
      model.history.rename(location.hash);
      photo.targets = draft?.targets;
      const known = [queue.current, draft, from].find((one) => one?.recipe);
      await this.#shown(photo, known ?? photo.mark ?? {}, signal);
      if (signal.aborted) return;
      editor.notices.clear();
      navigator.show('editor');
      editor.focusPhoto();
      const isOutdated = Boolean(from && draft?.gallery && draft.gallery.version !== from.version);
      if (draft || queue.current) this.#announceRestored(isOutdated);
      if (photo.mark && !known) this.#announceMark(photo.mark);
      if (from && !draft) this.#announceNote(from);
      if (!photo.finer) return;
      const finer = await finest(photo);
      if (model.photo === photo) await editor.view.refine(finer);
    } catch (error) {
      const readable = () => void this.file(name, load, { ...options, isLenient: true });
      this.#failed(error, name, signal, before, { notices, again, readable: isLenient ? undefined : readable });
    }
  }

  /**
   * Reports that a crop or a queue was restored, and offers to discard it.
   * @param {boolean} [isOutdated] whether the photo's crop in its gallery has changed since
   */
  #announceRestored(isOutdated = false) {
    const { editor: { toast, view }, model: { photo, queue, unsaved, navigator } } = this;
    const announce = (/** @type {string} */ title, /** @type {string} */ detail, /** @type {() => void} */ act) =>
      toast.show({ title, detail, seconds: 10, isPassing: true, actions: [{ label: words('clearNow'), act }] });
    if (queue.current) {
      if (!unsaved.isRestored) return;
      unsaved.isRestored = false;
      announce(words('queueBack'), words('queuePlace', formatNumber(queue.at + 1), formatNumber(queue.items.length)), () => {
        void unsaved.queues.forget(queue.key);
        queue.end();
        navigator.goHome();
      });
      return;
    }
    if (!photo?.id || !view.canReset) return;
    const { id, name, gallery } = photo;
    announce(words('draftBack'), gallery && isOutdated ? words('galleryNewer', gallery.gallery) : name, () => {
      toast.clear();
      void unsaved.drafts.forget(id);
      if (gallery) void this.fromGallery(gallery.photo);
      else view.reset();
    });
  }

  /** @param {import('../server/galleries-api.js').GalleryPhoto} from */
  #announceNote({ note, gallery }) {
    if (!note) return;
    this.editor.toast.show({ title: words('galleryUnframed', gallery), detail: note, isPassing: true });
  }

  /**
   * Shows a file's photo; if the browser can't decode it, the server's preview.
   * @param {Photo} photo @param {Framing} framing @param {AbortSignal} signal
   */
  async #shown(photo, framing, signal) {
    const { model } = this;
    await this.#framed(photo, framing).catch(async (error) => {
      // The browser knew the size but failed to decode the pixels; the server may succeed. The shown blob is the
      // file, or its bytes with another type, unless it is already a preview.
      if (!model.hasServer || photo.shown.size !== photo.original?.size) throw error;
      model.photo = await withPreview(photo, signal);
      await this.#framed(model.photo, framing);
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
   * @param {{ isChanged?: boolean, isBrief?: boolean } & Framing} options `isChanged`: the list's
   * information is outdated; `isBrief`: it is only shown briefly; `recipe`, `canvas`, `ratio`: the initial crop, its canvas
   * and the ratio it keeps
   */
  async entry(place, { isChanged = false, isBrief = false, recipe, canvas, ratio } = {}) {
    const { editor, model } = this;
    const { library } = model;
    const signal = model.task.begin();
    const known = isChanged ? undefined : library.list?.find(place);
    model.photo = null;
    editor.begin(known?.name ?? '');
    if (known && !known.problem) editor.expect(library.thumbnailOf(known));
    model.navigator.show('editor');
    try {
      const asked = photoDetails(place, signal);
      // A rejection is handled where it is awaited.
      asked.catch(() => {});
      if (known?.width && !known.cropOf) await this.#early(known, signal);
      const details = await asked;
      const entry = details.recipe && details.source ? details.source : details;
      if (entry.problem) throw new Problem(entry.problem.code, entry.problem.message);
      const blob = await fetchBlob(previewURL(entry, PREVIEW_SIDE, showsHDR()), { signal });
      if (signal.aborted) return;
      await this.#show(entry, blob, place, details, signal, { recipe, canvas, ratio });
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
    const { editor, model } = this;
    try {
      const blob = await fetchBlob(model.library.thumbnailOf(known), { signal });
      if (signal.aborted) return;
      const photo = fromLibrary(known, blob, known.id);
      const draft = await this.#draftOf(photo);
      if (signal.aborted) return;
      model.photo = photo;
      await this.#framed(photo, draft ?? {});
      if (signal.aborted) return;
      editor.focusPhoto();
      if (draft) this.#announceRestored();
    } catch {
      // The preview is loaded in any case.
      if (!signal.aborted) model.photo = null;
    }
  }

  /**
   * @param {Entry} entry @param {Blob} blob @param {string} place
   * @param {import('../server/library-api.js').Details} details @param {AbortSignal} signal
   * @param {Framing} framing the initial crop, if known
   */
  async #show(entry, blob, place, details, signal, framing) {
    const { recipe } = framing;
    const { editor, model } = this;
    const { view } = editor;
    const { photo } = model;
    const isSame = photo?.entry?.id === entry.id && photo.entry.version === entry.version;
    // The photo may have changed since it was cropped.
    let fits = true;
    const { mark } = details;
    let isMarked = false;
    /** @type {import('../model/drafts.js').Draft | null} */ let draft = null;
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
      model.photo = opened;
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
    const { crops, canRestore } = entry.id === place ? details
      : await photoDetails(entry.id, signal).catch(() => details);
    if (signal.aborted) return;
    if (model.photo && model.photo.canRestore !== canRestore) {
      model.photo.canRestore = canRestore;
      editor.build();
    }
    editor.crops.show(crops.filter(({ id }) => id !== place));
    if (!isSame) editor.focusPhoto();
    if (draft && fits) {
      this.#announceRestored();
    } else if (entry.id !== place) {
      editor.toast.show({
        title: words(fits ? 'leftOff' : 'leftOffNot', entry.name), seconds: 8,
        actions: [{ label: words('showCrop'), act: () => {}, href: `${photoHash(place)}/view` }],
      });
    } else if (mark && isMarked && fits) {
      this.#announceMark(mark);
    }
    model.navigator.show('editor');
  }

  /** @param {import('../server/api.js').Mark} mark */
  #announceMark({ program }) {
    const title = words('croppedIn', PROGRAMS[program]);
    this.editor.toast.show({ title, seconds: 8, isPassing: true });
  }

  /**
   * Loads a finer preview when the user zooms in.
   * @param {Entry} entry @param {AbortSignal} signal
   */
  async #loadHighResolution(entry, signal) {
    if (Math.max(entry.width, entry.height) <= PREVIEW_SIDE) return;
    const { view } = this.editor;
    const isClose = () => (view.state?.zoom ?? 1) > 1.5;
    await new Promise((resolve) => {
      const check = () => isClose() && resolve(null);
      view.addEventListener('statechange', check, { signal });
      signal.addEventListener('abort', () => resolve(null), { once: true });
      check();
    });
    if (signal.aborted) return;
    const blob = await fetchBlob(previewURL(entry, FINE_SIDE, showsHDR()), { signal }).catch(() => null);
    if (blob && !signal.aborted) await view.refine(blob);
  }

  /** @param {Photo} photo whose unsaved crop is requested */
  #draftOf({ id = '' }) {
    return this.model.unsaved.drafts.find(id);
  }

  /**
   * Opens a photo with its crop.
   * @param {Photo} photo @param {Framing} framing
   */
  async #framed(photo, { recipe, canvas, ratio }) {
    const { editor } = this;
    // Only one style shows corners.
    editor.view.setAttribute('crop-style', recipe?.quad ? 'quad' : 'studio');
    if (recipe) editor.view.recipe = acceptedRecipe(recipe);
    if (recipe && canvas) editor.view.canvasOptions = canvas;
    await editor.open(photo);
    if (recipe && ratio) keepRatio(editor.view, ratio);
    if (!recipe) editor.queueList.makeAlike();
  }

  /**
   * @param {unknown} error @param {string} name @param {AbortSignal} signal
   * @param {Photo | null} before
   * @param {{ notices?: Notices, again?: () => void, readable?: () => void }} options `notices`: where to show the
   * card; `again`: retries; `readable`: opens the readable part of a damaged image
   */
  #failed(error, name, signal, before, { notices = this.editor.notices, again, readable } = {}) {
    const { editor, model } = this;
    const { navigator, queue } = model;
    if (signal.aborted || isCancelled(error)) {
      // Does not remove the card of a newer photo.
      if (model.task.isLatest(signal)) notices.clear();
      return;
    }
    const { title, detail, code } = explain(error, name);
    const actions = readable && model.hasServer && isDamage(code)
      ? [{ label: words('openReadable'), act: readable }] : [];
    if (again) actions.push({ label: words('tryAgain'), act: again });
    if (before && model.photo === before) return notices.problem(title, detail, actions);
    model.photo = null;
    if (queue.hasNext) {
      // One bad file must not affect the others.
      editor.facts.textContent = '';
      return editor.notices.problem(title, detail,
        [...actions, { label: words('queueSkip'), act: () => this.select(queue.at + 1) }]);
    }
    navigator.goHome();
    navigator.notices.problem(title, detail, actions);
  }
}
