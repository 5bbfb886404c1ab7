// @ts-check
// Leads from one screen to another: by the address, and by what the screens ask for.

import { showsHDR } from '../../Element/gain-map.js';
import { hasLiveCamera } from '../camera/camera.js';
import { photoHash } from '../model/routes.js';
import { isStatic, PREVIEW_SIDE, Problem } from '../server/api.js';
import { isCancelled, showError } from '../server/explain.js';
import { fetchBlob, fetchFile, photoDetails, previewURL } from '../server/library-api.js';
import { animate, handheld } from '../ui/dom.js';
import { confirmed } from '../ui/menu.js';
import { counted, words } from '../ui/words.js';
import { takeShared } from './launch-files.js';
import { UnsavedCard } from './unsaved-card.js';

/** @typedef {import('../model/model.js').ScreenName} ScreenName */

/**
 * @typedef {object} Screens
 * @property {import('./start.js').StartScreen} start
 * @property {import('../library/library-screen.js').LibraryScreen} library
 * @property {import('../editor/editor.js').Editor} editor
 * @property {import('../targets/targets.js').Targets} targets
 * @property {import('../result/result-screen.js').ResultScreen} result
 * @property {import('../camera/camera-screen.js').CameraScreen} camera
 */

export class Router {
  /** @type {ScreenName | ''} the shown screen */ screen = '';
  /** The address of the last shown album. */
  #album = '';
  /** The id of the last viewed photo, until a home screen is shown. */
  #viewed = '';
  /** Whether it is known what the server has; until then, an address could lead to the wrong screen. */
  #isReady = false;
  /** @type {number | null} the steps back of a navigation before that; null without one */ #early = null;

  /**
   * @param {import('../model/model.js').Model} model @param {Screens} screens
   * @param {import('./sources.js').Sources} sources
   */
  constructor(model, screens, sources) {
    this.model = model;
    this.screens = screens;
    this.sources = sources;
    this.card = new UnsavedCard(model, {
      draft: async ({ id, name }) => {
        if (!await this.#openDraft(id, name)) await this.card.show();
      },
      queue: async (key) => {
        if (await model.unsaved.restore(key)) this.#openItem(false);
        else await this.card.show();
      },
    });
    model.history.onArrival = (steps) => this.#arrived(steps);
    model.library.addEventListener('listed', () => this.#showNeighbors());
    model.library.addEventListener('reach', () => {
      if (this.screen === 'start' && model.library.exists) this.route();
    });
    void model.ready.then(() => {
      this.#isReady = true;
      // A link may have been followed in the meantime, or a file opened.
      if (this.#early !== null) this.#arrived(this.#early);
      else if (!this.screen) this.route();
    });
    model.navigator = this;
  }

  get notices() {
    return this.screens[this.screen || 'start'].notices;
  }

  /** Whether the address is of a photo in the library that could not be reached when the page was loaded. */
  get #awaitsLibrary() {
    const { library, history: { route: { place, id } } } = this.model;
    const isOfLibrary = ['photo', 'view', 'several', 'album'].includes(place) || (place === 'targets' && id !== '');
    return isOfLibrary && !library.exists && !library.isReachable;
  }

  /** @param {number} steps back to the current history entry, after a navigation */
  #arrived(steps) {
    if (!this.#isReady) {
      this.#early = (this.#early ?? 0) + steps;
      return;
    }
    const { history: { route: { place } }, queue } = this.model;
    if (['edit', 'result', 'targets', 'gallery'].includes(place) || !queue.key) this.route();
    else void this.mayLeave().then((may) => (may ? this.route() : history.go(steps)));
  }

  /** @param {ScreenName} name */
  show(name) {
    const { camera, library, targets } = this.screens;
    const before = this.screen;
    const changed = before !== name;
    if (before && changed) {
      if (before === 'library') library.keepPlace();
      // Messages are cleared when leaving a screen.
      this.screens[before].notices.clear();
      if (before === 'camera') camera.close();
      if (before === 'targets') targets.close();
    }
    this.screen = name;
    const { root } = this.screens[name];
    if (!root.isConnected) document.body.append(root);
    for (const other of Object.values(this.screens)) other.root.hidden = other.root !== root;
    const title = name === 'camera' ? words('camera')
      : ['editor', 'result', 'targets'].includes(name) ? this.model.photo?.name : '';
    document.title = title ? `${title} · CropKit` : 'CropKit';
    if (changed && before) {
      void animate(root, [{ opacity: 0 }, { opacity: 1 }], 160);
      // The focused element is hidden: move the focus to the screen, and from there to the right element.
      const { activeElement } = document;
      if (!root.contains(activeElement) && !activeElement?.closest('dialog')) root.focus({ preventScroll: true });
    }
    return changed;
  }

  /** Shows the screen for the address, or the home screen if that is not possible. */
  route() {
    const { model, screens: { camera } } = this;
    const { library, opener, photo, task, history: { route: { place, id } } } = model;
    // A newer route ends this one, whatever it waits for.
    task.cancel();
    // Only a server has albums, and photos with ids.
    if (isStatic && id) this.replace('');
    else if (place === 'photo' && library.exists) this.#openEntry(id);
    else if (place === 'several' && library.exists) void this.#openEntries(id.split('.'), task.begin());
    else if (place === 'shared') {
      const signal = task.begin();
      void takeShared().then((files) => {
        // A link that was followed in the meantime stays open below the files.
        if (!signal.aborted) this.goHome();
        this.sources.take(files);
      });
    } else if (place === 'gallery') {
      if (photo?.gallery?.photo === id) this.#showEditor();
      else void opener.fromGallery(id);
    } else if (place === 'view' && library.exists) void this.#view(id, task.begin());
    else if (place === 'edit' || place === 'result') void this.#return(place, task.begin());
    else if (place === 'targets') void this.#openTargets(id, task.begin());
    else if (place === 'camera') {
      this.show('camera');
      void camera.open();
    } else this.#showHome(place, id);
  }

  /**
   * Restores a file and its crop from a history entry.
   * @param {'edit' | 'result'} place @param {AbortSignal} signal of the route
   */
  async #return(place, signal) {
    const { model, screens: { result } } = this;
    const { photo, queue } = model;
    const { file: id = '', queue: key = '' } = history.state ?? {};
    const isOpen = photo && !photo.entry && (!id || photo.id === id);
    const isBack = key !== '' && await model.unsaved.restore(key, signal);
    if (signal.aborted) return;
    const index = queue.indexOf(id);
    if (index >= 0) queue.select(index);
    const made = queue.current?.result;
    if (place === 'result' && made && !isOpen) {
      model.photo = null;
      made.isSaved ||= queue.current?.isSaved;
      result.show(made);
      this.show('result');
    } else if (place === 'result' && isOpen && result.url) {
      this.show('result');
    } else if (isOpen) {
      if (place === 'result') model.history.rename('#/edit');
      this.#showEditor();
    } else if (isBack && !id) {
      // The page was left before its photo had an id.
      model.history.rename('#/edit');
      this.#openItem(true);
    } else if (!id || !await this.#openDraft(id, undefined, signal)) {
      if (!signal.aborted) this.#showHome('home', '');
    }
  }

  /**
   * @param {string} id of a draft, or of a photo in a queue
   * @param {string} [name] if it has no history entry yet @param {AbortSignal} [signal] of the route
   * @returns {Promise<boolean>} false if there is none, or the route is not wanted any more
   */
  async #openDraft(id, name, signal) {
    const { history, opener, queue, unsaved } = this.model;
    const item = queue.items[queue.indexOf(id)];
    const draft = item ? null : await unsaved.drafts.find(id);
    const file = item?.file ?? draft?.file;
    if (!file || signal?.aborted) return false;
    if (name === undefined) history.rename('#/edit');
    void opener.file(item?.file.name ?? draft?.name ?? '', async () => file, { isBack: name === undefined });
    return true;
  }

  /** @param {boolean} isBack whether the current history entry is the photo's */
  #openItem(isBack) {
    const { opener, queue: { current } } = this.model;
    if (current) void opener.item(current, { isBack });
  }

  /** Whether a queue can be ended without losing work, or the user accepts the loss. */
  async mayLeave() {
    const { queue: { unsaved: { length } }, unsaved } = this.model;
    return !length || await unsaved.isQueueSafe()
      || confirmed(counted('leaveTitle', length), words('leaveText'), words('leave'));
  }

  /** @param {import('../model/routes.js').Place} place @param {string} id */
  #showHome(place, id) {
    const { card, model, screens: { start, library, editor, result } } = this;
    model.history.settle();
    const last = model.photo?.place ?? this.#viewed;
    this.#viewed = '';
    model.photo = null;
    model.unsaved.endQueue();
    editor.view.unload();
    editor.toast.clear();
    result.clear();
    const isKnown = ['home', 'open', 'album'].includes(place);
    // A link to the library can be followed when it is reachable again.
    if (!isKnown && !this.#awaitsLibrary) model.history.rename('');
    if (place !== 'open') this.#album = isKnown ? location.hash : '';
    void card.show();
    if (!model.library.exists || place === 'open') {
      start.samples.before(card.root);
      this.show('start');
      return;
    }
    library.welcome(card.root);
    const changed = this.show('library');
    if (place === 'album') library.showAlbum(id);
    else library.showAlbums();
    if (changed) library.returned(last);
  }

  #showEditor() {
    this.show('editor');
    this.screens.editor.focusPhoto();
  }

  /** @param {string} id of a photo in the library */
  #openEntry(id) {
    const { photo, queue } = this.model;
    /** @type {import('../model/queue.js').Entries | null} */ const entries = history.state?.entries ?? null;
    // It may have been in a queue when its history entry was left.
    if (!queue.items.length && entries?.items.some(({ entry }) => entry === id)) queue.restoreEntries(entries);
    const index = queue.indexOfEntry(id);
    if (index >= 0) queue.select(index);
    else if (queue.isOfLibrary) queue.end();
    this.#showNeighbors();
    if (photo?.place === id && photo.entry) return this.#showEditor();
    // A photo of a queue keeps its crop.
    const { recipe, canvas, ratio } = queue.items[index] ?? {};
    void this.screens.editor.opener.entry(id, { isChanged: Boolean(recipe), recipe, canvas, ratio });
    return undefined;
  }

  /**
   * @param {string[]} ids of photos in the library, to be cropped one after another @param {AbortSignal} signal
   */
  async #openEntries(ids, signal) {
    const found = await Promise.all(ids.map((id) => photoDetails(id, signal).catch(() => null)));
    if (signal.aborted) return undefined;
    const entries = found.flatMap((entry) => entry ?? []);
    if (!entries.length) return this.goHome();
    this.model.queue.beginWith(entries);
    return this.#openItem(false);
  }

  /**
   * Shows a photo of the library without editing it, with the ways to save it.
   * @param {string} id @param {AbortSignal} signal
   */
  async #view(id, signal) {
    try {
      const entry = await photoDetails(id, signal);
      const blob = await fetchFile(entry, signal);
      const shown = await fetchBlob(previewURL(entry, PREVIEW_SIDE, showsHDR()), { signal }).catch(() => blob);
      if (signal.aborted) return;
      this.screens.result.show({
        blob, shown, width: entry.width, height: entry.height, name: entry.name, edit: entry.cropOf ? 'adjust' : 'crop',
      });
      this.#viewed = id;
      this.#showNeighbors();
      this.show('result');
      document.title = `${entry.name} · CropKit`;
    } catch (error) {
      if (signal.aborted || isCancelled(error)) return;
      const { hash } = location;
      this.goHome();
      // The link is not lost if the connection was.
      const isOffline = error instanceof Problem && error.code === 'offline';
      const again = isOffline ? [{ label: words('tryAgain'), act: () => this.replace(hash) }] : [];
      showError(this.notices, error, words('photo'), undefined, again);
    }
  }

  /**
   * Shows the targets of a photo.
   * @param {string} id of a photo in the library, or of a crop of it; empty for the open file
   * @param {AbortSignal} signal of the route
   */
  async #openTargets(id, signal) {
    const { model, screens: { editor, targets } } = this;
    const isOpen = id ? model.photo?.place === id && model.photo.entry : model.photo && !model.photo.entry;
    if (!isOpen && !id) return this.#return('edit', signal);
    if (!isOpen) await editor.opener.entry(id, { isBrief: true });
    const { photo, history } = model;
    const failure = await targets.prepare().catch((error) => error);
    if (!photo || photo !== model.photo || history.route.place !== 'targets' || history.route.id !== id) return undefined;
    if (failure) {
      await this.#return('edit', model.task.begin());
      return showError(this.notices, failure, photo.name);
    }
    if (editor.refusesTargets()) return this.#return('edit', model.task.begin());
    history.rename(location.hash);
    this.show('targets');
    return targets.open(photo);
  }

  /** Offers the previous and next photo, as far as they are loaded. */
  #showNeighbors() {
    const { library, queue, history: { route: { place, id } } } = this.model;
    if (place !== 'photo' && place !== 'view') return;
    this.screens.library.begin();
    // In a queue, another button leads to the next photo.
    const isQueued = place === 'photo' && queue.isOfLibrary;
    this.screens[place === 'view' ? 'result' : 'editor'].steps.set(isQueued ? {} : library.around(id));
  }

  /**
   * Goes to the previous or next photo in the order of the library; the crop is kept.
   * @param {1 | -1} way
   */
  step(way) {
    const { library, opener, queue, history: { route: { place, id } } } = this.model;
    if (place !== 'photo' && place !== 'view') return;
    if (place === 'photo' && queue.isOfLibrary) return opener.select(queue.at + way);
    const { before, after } = library.around(id);
    const to = way < 0 ? before : after;
    if (to) this.replace(`${photoHash(to.id)}${place === 'view' ? '/view' : ''}`);
  }

  back() {
    const { photo, history: { route: { id, place }, depth } } = this.model;
    if (!id || (depth > 0 && (photo?.entry || place === 'view'))) history.back();
    else if (place === 'view') this.goHome();
    else this.replace(photoHash(id));
  }

  edit() {
    location.hash = photoHash(this.model.history.route.id);
  }

  /** @param {'edit' | 'result' | 'camera'} place @param {boolean} [isNext] */
  go(place, isNext = false) {
    const isOther = this.model.history.go(place, isNext);
    if (place !== 'camera') this.show(place === 'edit' ? 'editor' : 'result');
    return isOther;
  }

  async leave() {
    if (!await this.mayLeave()) return;
    this.model.task.cancel();
    this.model.unsaved.endQueue();
    const { stepsBack } = this.model.history;
    if (stepsBack) history.go(-stepsBack);
    else this.goHome();
  }

  async another() {
    if (await this.mayLeave()) this.goHome();
  }

  goHome() {
    this.replace(this.#album);
  }

  /** @param {string} hash */
  replace(hash) {
    this.model.history.rename(hash);
    this.route();
  }

  /** @param {import('../model/photo.js').Result} result @param {DOMRect | null} from */
  showResult(result, from) {
    const screen = this.screens.result;
    screen.show(result);
    this.go('result');
    void screen.arrive(from);
  }

  /** @param {File[]} files */
  async openFiles(files) {
    const { opener, queue, unsaved } = this.model;
    if (!await this.mayLeave()) return;
    unsaved.endQueue();
    if (files.length > 1) {
      queue.begin(files);
      this.#openItem(false);
      return;
    }
    const [file] = files;
    void opener.file(file.name, async () => file);
  }

  chooseFiles() {
    this.sources.picker.click();
  }

  takePicture() {
    const { camera } = this.screens;
    // If the page can't use the camera, the system's camera app takes the photo.
    if (!hasLiveCamera() && handheld.matches) {
      this.takeWith(camera.facing);
      return;
    }
    this.go('camera');
    this.route();
  }

  /** @param {import('../model/model.js').Facing} facing */
  takeWith(facing) {
    this.sources.takeWith(facing);
  }
}
