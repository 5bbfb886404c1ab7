// @ts-check
// The page: its screens, and navigation between them.

import { fetchBlob, originalURL, photoDetails, previewURL } from '../server/library-api.js';
import { CameraScreen } from '../camera/camera-screen.js';
import { hasLiveCamera, watchCameras } from '../camera/camera.js';
import { compile } from '../../Element/modules.js';
import { showsHDR } from '../../Element/gain-map.js';
import { Cropping, fileOf } from '../saving/cropping.js';
import { Editor, appear } from '../editor/editor.js';
import { explain, isCancelled, isDamage } from '../server/explain.js';
import { registerServiceWorker, offerInstall } from './install.js';
import { SessionStorage } from '../saving/session-storage.js';
import { openLaunchFiles, takeShared } from './launch-files.js';
import { Library } from '../library/library.js';
import { LibraryScreen } from '../library/library-screen.js';
import { listSamples, Problem } from '../server/api.js';
import { confirmed } from '../ui/menu.js';
import { PhotoOpener } from '../editor/photo-opener.js';
import { ScreenHistory } from './history.js';
import { Queue } from '../editor/queue.js';
import { ResultScreen } from '../saving/result.js';
import { photoHash } from './routes.js';
import { Sources } from './sources.js';
import { StartScreen } from './start.js';
import { listenForPhotoNavigation } from '../editor/photo-navigation.js';
import { takeIn } from '../camera/captured-photo.js';
import { Targets } from '../targets/targets.js';
import { counted, words } from '../ui/words.js';
import { CurrentTask } from './current-task.js';

/** @typedef {'start' | 'library' | 'editor' | 'targets' | 'result' | 'camera'} ScreenName */

export class App {
  work = new CurrentTask();
  /** @type {PhotoOpener} */ opener;
  /** @type {Cropping} */ cropping;
  /** @type {Queue} */ queue;
  /** @type {SessionStorage} */ keeping;
  /** @type {CameraScreen} */ camera;
  /** @type {Targets} */ targets;
  library = new Library();
  /** @type {ScreenName | ''} */
  screen = '';
  /** The id of the last shown album. */
  list = '';
  /** The id of a photo in the library that was just taken. */
  fresh = '';
  /** Whether it is known what the server has; until then, an address could lead to the wrong screen. */
  #isReady = false;
  /** @type {number | null} the steps back of a navigation before that; null without one */
  #early = null;

  /** What several screens offer. */
  #offers = { openFiles: () => this.sources.picker.click(), takePicture: () => this.takePicture() };

  constructor() {
    this.sources = new Sources((files) => this.openFiles(files));
    this.start = this.#startScreen();
    this.albums = new LibraryScreen(this.library, {
      ...this.#offers, broken: (entry) => this.#broken(entry), listed: () => this.#neighbours(),
    });
    this.editor = new Editor(this.work, {
      close: () => this.leave(), crop: () => void this.cropping.crop(),
      step: (way) => this.step(way),
      items: () => this.cropping.items,
      targets: () => this.targets.enter(),
    });
    this.queue = this.#makeQueue();
    this.keeping = new SessionStorage(this, {
      draft: async ({ id, name }) => {
        if (!await this.#openDraft(id, name)) await this.keeping.show();
      },
      queue: (key) => void this.#openQueue(key), home: () => this.goHome(),
      gallery: (photo) => void this.opener.fromGallery(photo),
    });
    this.editor.above.append(this.queue.root);
    this.result = this.#resultScreen();
    this.camera = this.#cameraScreen();
    this.targets = new Targets(this, {
      back: () => this.keepEditing(), show: () => this.show('targets'), edit: () => this.#return('edit'),
      entry: (id) => this.opener.entry(id, { isBrief: true }),
    });
    this.live = {
      start: this.start.root, library: this.albums.root, editor: this.editor.root,
      result: this.result.root, camera: this.camera.root, targets: this.targets.screen.root,
    };
    this.#mount();
    this.places = this.#screenHistory();
    listenForPhotoNavigation((way) => this.step(way));
    this.ready = Promise.all([listSamples(), this.library.load()]).then(([samples]) => {
      this.work.hasServer = samples !== null;
      this.start.show(samples);
      this.start.back.hidden = !this.library.exists;
      this.start.offline.hidden = this.library.isReachable;
    });
    this.opener = this.#photoOpener();
    this.cropping = this.#makeCropping();
    this.#listen();
  }

  #startScreen() {
    return new StartScreen({
      ...this.#offers,
      openSample: (sample) => void this.opener.file(sample.name,
        (signal) => fetchBlob(sample.url, { signal }),
        { thumbnail: sample.thumbnail }),
    });
  }

  #makeQueue() {
    return new Queue({
      open: ({ file, entry }, isNext) => {
        if (entry === undefined) void this.opener.file(file.name, async () => file, { isNext });
        else this.#replace(photoHash(entry));
      },
      saveAll: (asZip) => void this.cropping.saveAll(({ file }) =>
        this.opener.file(file.name, async () => file, { isBack: true }), asZip),
      stop: () => this.work.cancel(),
      changed: () => {
        if (this.queue.key) this.keeping.queues.keep(this.queue);
        else this.places.rename(location.hash);
      },
      view: this.editor.view,
    });
  }

  #resultScreen() {
    return new ResultScreen({
      step: (way) => this.step(way),
      back: () => this.keepEditing(), next: () => this.queue.next(),
      another: async () => await this.#mayLeave() && this.goHome(),
      saved: () => {
        const { current } = this.queue;
        if (this.work.photo) this.keeping.saved();
        else if (current) this.keeping.savedOf([current]);
      },
    });
  }

  #cameraScreen() {
    return new CameraScreen({
      close: () => this.leave(), choose: this.#offers.openFiles,
      use: (blob) => void takeIn(this, blob, {
        crop: (name) => void this.opener.file(name, async () => blob, { isFresh: true }),
        kept: (id) => {
          this.fresh = id;
          this.#replace(photoHash(id));
        },
      }),
      system: () => this.sources.takeWith(this.camera.facing),
    });
  }

  /** Adds the screens to the page, hidden. */
  #mount() {
    for (const root of Object.values(this.live)) {
      root.hidden = true;
      root.tabIndex = -1;
    }
    // The targets' screen is loaded on demand: few photos have targets.
    const { targets: _, ...early } = this.live;
    document.body.append(...Object.values(early), this.sources.root, this.sources.target);
  }

  #screenHistory() {
    return new ScreenHistory(() => {
      const { work: { photo }, queue: { key, entries } } = this;
      return { queue: key, entries, file: photo?.id ?? '' };
    }, (steps) => this.#arrived(steps));
  }

  /** @param {number} steps back to the current history entry, after a navigation */
  #arrived(steps) {
    if (!this.#isReady) {
      this.#early = (this.#early ?? 0) + steps;
      return;
    }
    const isFile = ['edit', 'result', 'targets', 'gallery'].includes(this.places.route.place);
    if (isFile || !this.queue.key) this.route();
    else void this.#mayLeave().then((may) => (may ? this.route() : history.go(steps)));
  }

  /** What the opener and the cropping do with the other screens. */
  get #ways() {
    return {
      go: (/** @type {'edit' | 'result'} */ place, isNext = false) => this.go(place, isNext),
      named: (/** @type {string} */ id) => {
        this.queue.named(id);
        this.places.rename(location.hash);
      },
      goHome: () => this.goHome(),
    };
  }

  #photoOpener() {
    const { work, editor, result, queue, keeping } = this;
    return new PhotoOpener({
      work, editor, queue, keeping, library: this.albums, result: result.notices,
    }, {
      ...this.#ways, ready: this.ready, leave: () => this.leave(), isAtResult: () => this.screen === 'result',
      showEditor: () => this.show('editor'), homeNotices: () => this.home.notices,
    });
  }

  #makeCropping() {
    const { work, editor, result, queue, keeping } = this;
    return new Cropping({ work, editor, queue, result, keeping }, {
      ...this.#ways, isBeside: () => !this.library.album('cropped'),
      reopenFromGallery: (photo) => this.opener.fromGallery(photo),
      reopen: (id, framing, isBrief) => this.opener.entry(id, { isChanged: true, isBrief, ...framing }),
    });
  }

  #listen() {
    // Opening a photo starts with a touch, a key or a drag, so the module is preloaded then. A failure shows when
    // a photo is opened.
    for (const type of ['pointerdown', 'keydown', 'dragenter']) {
      addEventListener(type, () => void compile().catch(() => {}), { once: true, capture: true });
    }
    openLaunchFiles((files) => this.sources.take(files));
    this.ready.then(() => {
      this.#isReady = true;
      // A link may have been followed in the meantime, or a file opened.
      if (this.#early !== null) this.#arrived(this.#early);
      else if (!this.screen) this.route();
    });
    this.library.addEventListener('reach', () => this.editor.update());
    watchCameras((can) => this.albums.offerCamera(can));
    offerInstall([this.start.install, this.albums.albums.install]);
    registerServiceWorker();
  }

  /**
   * The home screen: the library's, if there is one.
   * @returns {StartScreen | LibraryScreen}
   */
  get home() {
    return this.screen === 'start' || !this.library.exists ? this.start : this.albums;
  }

  /** @param {ScreenName} name */
  show(name) {
    const before = this.screen;
    const changed = before !== name;
    if (before === 'library' && changed) this.albums.keepPlace();
    // Messages are cleared when leaving a screen.
    if (before && changed) this.#screens[before].notices.clear();
    if (before === 'camera' && changed) this.camera.close();
    if (before === 'targets' && changed) this.targets.screen.close();
    this.screen = name;
    for (const [key, root] of Object.entries(this.live)) root.hidden = key !== name;
    const title = name === 'camera' ? words('camera')
      : ['editor', 'result', 'targets'].includes(name) ? this.work.photo?.name : '';
    document.title = title ? `${title} · CropKit` : 'CropKit';
    if (changed && before) {
      appear(this.live[name]);
      // The focused element is hidden: move the focus to the screen, and from there to the right element.
      const { activeElement } = document;
      if (!this.live[name].contains(activeElement) && !activeElement?.closest('dialog')) {
        this.live[name].focus({ preventScroll: true });
      }
    }
    return changed;
  }

  /** Shows the screen for the address, or the home screen if that is not possible. */
  route() {
    const { place, id } = this.places.route;
    const { library, work: { photo } } = this;
    this.work.cancel();
    if (place === 'photo' && library.exists) {
      this.#restoreEntries(id);
      const index = this.queue.indexOfEntry(id);
      if (index >= 0) this.queue.select(index);
      else if (this.queue.isOfLibrary) this.queue.end();
      this.#neighbours();
      if (photo?.place === id && photo.entry) this.#showEditor();
      else this.#openEntry(id);
    } else if (place === 'several' && library.exists) {
      void this.#openEntries(id.split('.'));
    } else if (place === 'shared') {
      void takeShared().then((files) => {
        this.goHome();
        this.sources.take(files);
      });
    } else if (place === 'gallery') {
      if (photo?.gallery?.photo === id) this.#showEditor();
      else void this.opener.fromGallery(id);
    } else if (place === 'view' && library.exists) void this.#view(id);
    else if (place === 'edit' || place === 'result') void this.#return(place);
    else if (place === 'targets') void this.targets.route(id);
    else if (place === 'camera') {
      this.show('camera');
      void this.camera.open();
    } else this.#showHome(place, id);
  }

  /**
   * Restores a file and its crop from a history entry.
   * @param {'edit' | 'result'} place
   */
  async #return(place) {
    const { work: { photo }, queue, result } = this;
    const { file: id = '', queue: key = '' } = history.state ?? {};
    const isOpen = photo && !photo.entry && (!id || photo.id === id);
    const isBack = key !== '' && await this.keeping.restore(key);
    const index = queue.indexOf(id);
    if (index >= 0) queue.select(index);
    const made = queue.current?.result;
    if (place === 'result' && made && !isOpen) {
      this.work.photo = null;
      made.isSaved ||= queue.current?.isSaved;
      result.show(made, queue.nextLabel);
      this.show('result');
    } else if (place === 'result' && isOpen && result.url) {
      this.show('result');
    } else if (isOpen) {
      if (place === 'result') this.places.rename('#/edit');
      this.#showEditor();
    } else if (isBack && !id) {
      // The page was left before its photo had an id.
      this.places.rename('#/edit');
      this.#openItem(true);
    } else if (!id || !await this.#openDraft(id)) {
      this.#showHome('home', '');
    }
  }

  /**
   * @param {string} id of a draft, or of a photo in a queue
   * @param {string} [name] if it has no history entry yet
   */
  async #openDraft(id, name) {
    const item = this.queue.items[this.queue.indexOf(id)];
    const draft = item ? null : await this.keeping.drafts.find(id);
    const file = item?.file ?? draft?.file;
    if (!file) return false;
    if (name === undefined) this.places.rename('#/edit');
    void this.opener.file(item?.file.name ?? draft?.name ?? '', async () => file,
      { isBack: name === undefined });
    return true;
  }

  /** @param {string} key of a stored queue */
  async #openQueue(key) {
    if (await this.keeping.restore(key)) this.#openItem(false);
    else void this.keeping.show();
  }

  /** @param {boolean} isBack whether the current history entry is the photo's */
  #openItem(isBack) {
    const { current } = this.queue;
    if (current) void this.opener.file(current.file.name, async () => current.file, { isBack });
  }

  /** Whether a queue can be ended without losing work, or the user accepts the loss. */
  async #mayLeave() {
    const { length } = this.queue.unsaved;
    return !length || await this.keeping.isQueueSafe()
      || confirmed(counted('leaveTitle', length), words('leaveText'), words('leave'));
  }

  /** @param {import('./routes.js').Place} place @param {string} id */
  #showHome(place, id) {
    this.places.settle();
    const last = this.work.photo?.place ?? '';
    this.work.photo = null;
    this.keeping.endQueue();
    this.editor.view.unload();
    this.editor.toast.clear();
    this.result.clear();
    const isKnown = ['home', 'open', 'album'].includes(place);
    if (!isKnown) this.places.rename('');
    if (place !== 'open') this.list = isKnown ? location.hash : '';
    void this.keeping.show();
    const isStart = !this.library.exists || place === 'open';
    if (isStart) this.start.samples.before(this.keeping.card);
    else this.albums.welcome(this.keeping.card);
    if (isStart) {
      this.show('start');
      return;
    }
    const changed = this.show('library');
    if (place === 'album') this.albums.showAlbum(id);
    else this.albums.showAlbums();
    if (changed) this.albums.returned(last);
  }

  #showEditor() {
    this.show('editor');
    this.editor.focusPhoto();
  }

  /** @param {string} id */
  #openEntry(id) {
    const isFresh = this.fresh === id;
    this.fresh = '';
    // A photo of a queue keeps its crop.
    const { recipe, canvas } = this.queue.items[this.queue.indexOfEntry(id)] ?? {};
    void this.opener.entry(id, { isFresh, isChanged: Boolean(recipe), recipe: recipe ?? undefined, canvas });
  }

  /** @param {string} id of a photo that was in a queue when its history entry was left */
  #restoreEntries(id) {
    /** @type {import('../editor/queue.js').Entries | null} */
    const entries = history.state?.entries ?? null;
    if (this.queue.items.length || !entries?.items.some(({ entry }) => entry === id)) return;
    this.queue.restoreEntries(entries);
  }

  /** @param {string[]} ids of photos in the library, to be cropped one after another */
  async #openEntries(ids) {
    const found = await Promise.all(ids.map((id) => photoDetails(id).catch(() => null)));
    const entries = found.flatMap((entry) => entry ?? []);
    if (entries.length) this.queue.beginWith(entries);
    else this.goHome();
  }

  /**
   * Shows a photo of the library without editing it, with the ways to save it.
   * @param {string} id
   */
  async #view(id) {
    const signal = this.work.begin();
    try {
      const entry = await photoDetails(id, signal);
      const blob = await fileOf(entry, signal);
      const shown = await fetchBlob(previewURL(entry, 2048, showsHDR()), { signal }).catch(() => blob);
      if (signal.aborted) return;
      this.result.show({ blob, shown, width: entry.width, height: entry.height, name: entry.name });
      this.#neighbours();
      this.show('result');
      document.title = `${entry.name} · CropKit`;
    } catch (error) {
      if (signal.aborted || isCancelled(error)) return;
      const { title, detail } = explain(error, words('photo'));
      this.goHome();
      this.home.notices.problem(title, detail);
    }
  }

  /** Offers the previous and next photo, as far as they are loaded. */
  #neighbours() {
    const { place, id } = this.places.route;
    if (place !== 'photo' && place !== 'view') return;
    this.albums.begin();
    const steps = place === 'view' ? this.result.steps : this.editor.steps;
    // In a queue, another button leads to the next photo.
    const isQueued = place === 'photo' && this.queue.isOfLibrary;
    steps.set(isQueued ? {} : this.albums.around(id));
  }

  /**
   * Goes to the previous or next photo in the order of the library; the crop is kept.
   * @param {1 | -1} way
   */
  step(way) {
    const { place, id } = this.places.route;
    if (place !== 'photo' && place !== 'view') return;
    if (place === 'photo' && this.queue.isOfLibrary) {
      const to = this.queue.at + way;
      if (this.queue.items[to]) this.queue.moveTo(to);
      return;
    }
    const { before, after } = this.albums.around(id);
    const to = way < 0 ? before : after;
    if (to) this.#replace(`${photoHash(to.id)}${place === 'view' ? '/view' : ''}`);
  }

  /** Returns from a result or the targets to their photo. */
  keepEditing() {
    const { id } = this.places.route;
    if (!id || (this.places.depth > 0 && this.work.photo?.entry)) return history.back();
    this.#replace(photoHash(id));
  }

  /**
   * @param {'edit' | 'result' | 'camera'} place
   * @param {boolean} [isNext] as a new history entry after the current one
   * @returns {boolean} whether the history entry changed
   */
  go(place, isNext = false) {
    const isOther = this.places.go(place, isNext);
    if (place !== 'camera') this.show(place === 'edit' ? 'editor' : 'result');
    return isOther;
  }

  async leave() {
    if (!await this.#mayLeave()) return;
    this.work.cancel();
    this.keeping.endQueue();
    const { stepsBack } = this.places;
    if (stepsBack) history.go(-stepsBack);
    else this.goHome();
  }

  goHome() {
    this.#replace(this.list);
  }

  /** @param {string} hash */
  #replace(hash) {
    this.places.rename(hash);
    this.route();
  }

  /** @param {File[]} files */
  async openFiles(files) {
    if (!await this.#mayLeave()) return;
    this.keeping.endQueue();
    if (files.length > 1) return this.queue.begin(files);
    const [file] = files;
    void this.opener.file(file.name, async () => file);
  }

  takePicture() {
    // In the library, start with the back camera; for a single photo to crop, with the front camera.
    this.camera.begin(this.screen === 'library' ? 'environment' : 'user');
    // If the page can't use the camera, the system's camera app takes the photo.
    if (!hasLiveCamera() && matchMedia('(pointer: coarse)').matches) {
      this.sources.takeWith(this.camera.facing);
      return;
    }
    this.go('camera');
    this.route();
  }

  get #screens() {
    const { start, albums: library, editor, result, camera, targets: { screen: targets } } = this;
    return { start, library, editor, result, camera, targets };
  }

  /** @param {import('../server/library-api.js').Entry} entry */
  #broken({ id, name, problem }) {
    const { title, detail, code } = explain(new Problem(problem?.code ?? '', problem?.message), name);
    // The readable part is cropped as a separate file, so the photo is unchanged.
    const open = () => void this.opener.file(name,
      (signal) => fetchBlob(originalURL(id), { signal }), { isLenient: true });
    this.albums.notices.problem(title, detail,
      isDamage(code) ? [{ label: words('openReadable'), act: open }] : []);
  }
}

new App();
