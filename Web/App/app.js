// @ts-check
// The page: its screens, and the way between them.

import { fetchAnswer, originalURL, photoDetails, previewURL } from './library-api.js';
import { CameraScreen } from './camera-screen.js';
import { hasLiveCamera, watchCameras } from './camera.js';
import { compile } from '../Element/modules.js';
import { Cropping, fileOf } from './cropping.js';
import { Editor, appear } from './editor.js';
import { explain, isCancelled, isDamage } from './explain.js';
import { keepPage, offerInstall } from './install.js';
import { Keeping } from './keeping.js';
import { takeLaunched, takeShared } from './launched.js';
import { Library } from './library.js';
import { LibraryScreen } from './library-screen.js';
import { listSamples, Problem } from './api.js';
import { confirmed } from './menu.js';
import { PhotoOpener } from './photo-opener.js';
import { Places } from './places.js';
import { Queue } from './queue.js';
import { ResultScreen } from './result.js';
import { photoHash } from './routes.js';
import { Sources } from './sources.js';
import { StartScreen } from './start.js';
import { listenForSteps } from './steps.js';
import { takeIn } from './taking.js';
import { Targets } from './targets.js';
import { counted, words } from './words.js';
import { Work } from './work.js';

/** @typedef {'start' | 'library' | 'editor' | 'targets' | 'result' | 'camera'} ScreenName */

export class App {
  work = new Work();
  /** @type {PhotoOpener} */ opener;
  /** @type {Cropping} */ cropping;
  /** @type {Queue} */ queue;
  /** @type {Keeping} */ keeping;
  /** @type {CameraScreen} */ camera;
  /** @type {Targets} */ targets;
  library = new Library();
  /** @type {ScreenName | ''} */
  screen = '';
  /** The album that was looked at last. */
  list = '';
  /** A photo of the library that was taken just now. */
  fresh = '';

  constructor() {
    this.sources = new Sources((files) => this.openFiles(files));
    const openFiles = () => this.sources.picker.click();
    const takePicture = () => this.takePicture();
    this.start = new StartScreen({
      openFiles, takePicture,
      openSample: (sample) => void this.opener.file(sample.name,
        async (signal) => (await fetchAnswer(sample.url, { signal })).blob(),
        { thumbnail: sample.thumbnail }),
    });
    this.albums = new LibraryScreen(this.library, {
      openFiles, takePicture, broken: (entry) => this.#broken(entry), listed: () => this.#neighbours(),
    });
    this.editor = new Editor(this.work, {
      close: () => this.leave(), crop: () => void this.cropping.crop(),
      step: (way) => this.step(way),
      items: () => this.cropping.items,
      targets: () => this.targets.enter(),
    });
    this.queue = new Queue({
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
    this.keeping = new Keeping(this, {
      draft: ({ id, name }) => void this.#openDraft(id, name),
      queue: (key) => void this.#openQueue(key), home: () => this.goHome(),
    });
    this.editor.above.append(this.queue.root);
    this.result = new ResultScreen({
      step: (way) => this.step(way),
      back: () => this.keepEditing(), next: () => this.queue.next(),
      another: async () => await this.#mayLeave() && this.goHome(),
      saved: () => {
        const { current } = this.queue;
        if (this.work.photo) this.keeping.saved();
        else if (current) this.keeping.savedOf([current]);
      },
    });
    this.camera = new CameraScreen({
      close: () => this.leave(), choose: openFiles,
      use: (blob) => void takeIn(this, blob, {
        crop: (name) => void this.opener.file(name, async () => blob, { isFresh: true }),
        kept: (id) => {
          this.fresh = id;
          this.#replace(photoHash(id));
        },
      }),
      system: () => this.sources.takeWith(this.camera.facing),
    });
    this.targets = new Targets(this, {
      back: () => this.keepEditing(), show: () => this.show('targets'), edit: () => this.#return('edit'),
      entry: (id) => this.opener.entry(id, { isBrief: true }),
    });
    this.live = {
      start: this.start.root, library: this.albums.root, editor: this.editor.root,
      result: this.result.root, camera: this.camera.root, targets: this.targets.screen.root,
    };
    for (const root of Object.values(this.live)) {
      root.hidden = true;
      root.tabIndex = -1;
    }
    // The targets' screen comes when it is wanted: few photos are for several places.
    const { targets: _, ...early } = this.live;
    document.body.append(...Object.values(early), this.sources.root, this.sources.target);
    this.places = new Places(() => {
      const { work: { photo }, queue: { key, entries } } = this;
      return { queue: key, entries, file: photo?.id ?? '' };
    }, (steps) => {
      const isFile = ['edit', 'result', 'targets'].includes(this.places.route.place);
      if (isFile || !this.queue.key) this.route();
      else void this.#mayLeave().then((may) => (may ? this.route() : history.go(steps)));
    });
    listenForSteps((way) => this.step(way));
    // The way to a photo begins with a touch, a key or a drag: the module comes while it is looked for.
    // A failure shows when a photo is opened.
    for (const type of ['pointerdown', 'keydown', 'dragenter']) {
      addEventListener(type, () => void compile().catch(() => {}), { once: true, capture: true });
    }
    this.ready = Promise.all([listSamples(), this.library.load()]).then(([samples]) => {
      this.work.hasServer = samples !== null;
      this.start.show(samples);
      this.start.back.hidden = !this.library.exists;
      this.start.offline.hidden = this.library.isReachable;
    });
    const { work, editor, result, queue, keeping } = this;
    const ways = {
      go: (/** @type {'edit' | 'result'} */ place, isNext = false) => this.go(place, isNext),
      named: (/** @type {string} */ id) => {
        queue.named(id);
        this.places.rename(location.hash);
      },
      goHome: () => this.goHome(),
    };
    this.opener = new PhotoOpener({
      work, editor, queue, keeping, library: this.albums, result: result.notices,
    }, {
      ...ways, ready: this.ready, leave: () => this.leave(), isAtResult: () => this.screen === 'result',
      showEditor: () => this.show('editor'), homeNotices: () => this.home.notices,
    });
    this.cropping = new Cropping({ work, editor, queue, result, keeping }, {
      ...ways, isBeside: () => !this.library.album('cropped'),
      reopen: (id, recipe, isBrief) => this.opener.entry(id, { isChanged: true, isBrief, recipe }),
    });
    takeLaunched((files) => this.sources.take(files));
    this.ready.then(() => {
      // A file may have been opened meanwhile.
      if (!this.screen) this.route();
    });
    this.library.addEventListener('reach', () => this.editor.update());
    watchCameras((can) => this.albums.offerCamera(can));
    offerInstall([this.start.install, this.albums.albums.install]);
    keepPage();
  }

  /**
   * The first screen: the library's, where there is one.
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
    // What was said there was said; nothing of it waits for the next visit.
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
      // What had the keyboard is out of sight: it goes to the screen, and from there to what takes it.
      const { activeElement } = document;
      if (!this.live[name].contains(activeElement) && !activeElement?.closest('dialog')) {
        this.live[name].focus({ preventScroll: true });
      }
    }
    return changed;
  }

  /** Shows what the address names; what it can't show is the first screen. */
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
    } else if (place === 'view' && library.exists) void this.#view(id);
    else if (place === 'edit' || place === 'result') void this.#return(place);
    else if (place === 'targets') void this.targets.route(id);
    else if (place === 'camera') {
      this.show('camera');
      void this.camera.open();
    } else this.#showHome(place, id);
  }

  /**
   * A file's place in the history: what was framed of it is there again.
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
      // The page was left before its photo was known.
      this.places.rename('#/edit');
      this.#openItem(true);
    } else if (!id || !await this.#openDraft(id)) {
      this.#showHome('home', '');
    }
  }

  /**
   * @param {string} id of a draft, or of one of several files
   * @param {string} [name] where it has no place in the history yet
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

  /** @param {string} key of several photos that were kept */
  async #openQueue(key) {
    if (await this.keeping.restore(key)) this.#openItem(false);
    else void this.keeping.show();
  }

  /** @param {boolean} isBack the present place in the history is the photo's */
  #openItem(isBack) {
    const { current } = this.queue;
    if (current) void this.opener.file(current.file.name, async () => current.file, { isBack });
  }

  /** Whether nothing is lost by ending a queue, or the person takes it. */
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
    // One of several is framed as it was left.
    const recipe = this.queue.items[this.queue.indexOfEntry(id)]?.recipe ?? undefined;
    void this.opener.entry(id, { isFresh, isChanged: recipe !== undefined, recipe });
  }

  /** @param {string} id of a photo that was one of several when its place was left */
  #restoreEntries(id) {
    /** @type {import('./queue.js').Entries | null} */
    const entries = history.state?.entries ?? null;
    if (this.queue.items.length || !entries?.items.some(({ entry }) => entry === id)) return;
    this.queue.restoreEntries(entries);
  }

  /** @param {string[]} ids of the library's photos, to be cropped one after another */
  async #openEntries(ids) {
    const found = await Promise.all(ids.map((id) => photoDetails(id).catch(() => null)));
    const entries = found.flatMap((entry) => entry ?? []);
    if (entries.length) this.queue.beginWith(entries);
    else this.goHome();
  }

  /**
   * A photo of the library as it is, to look at and to take away.
   * @param {string} id
   */
  async #view(id) {
    const signal = this.work.begin();
    try {
      const entry = await photoDetails(id, signal);
      const blob = await fileOf(entry, signal);
      const answer = await fetch(previewURL(entry, 2048), { signal });
      if (signal.aborted) return;
      const shown = answer.ok ? await answer.blob() : blob;
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

  /** Offers the photos beside the one that the address names, as far as they are known. */
  #neighbours() {
    const { place, id } = this.places.route;
    if (place !== 'photo' && place !== 'view') return;
    this.albums.begin();
    const steps = place === 'view' ? this.result.steps : this.editor.steps;
    // Of several that are cropped one after another the next one is another button's.
    const isQueued = place === 'photo' && this.queue.isOfLibrary;
    steps.set(isQueued ? {} : this.albums.around(id));
  }

  /**
   * To the photo before or after the present one, as the library lists them; what was framed is kept.
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

  /** From a result, or the targets, to the photo they are of. */
  keepEditing() {
    const { id } = this.places.route;
    if (!id || (this.places.depth > 0 && this.work.photo?.entry)) return history.back();
    this.#replace(photoHash(id));
  }

  /**
   * @param {'edit' | 'result' | 'camera'} place
   * @param {boolean} [isNext] a place of its own, after the present one
   * @returns {boolean} whether that is another place in the history
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
    // Beside the library the camera looks where the person looks; for one picture to crop, at the person.
    this.camera.begin(this.screen === 'library' ? 'environment' : 'user');
    // Where the page may not have the camera, the system's own takes the picture.
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

  /** @param {import('./library-api.js').Entry} entry */
  #broken({ id, name, problem }) {
    const { title, detail, code } = explain(new Problem(problem?.code ?? '', problem?.message), name);
    // What is readable is cropped as a file of its own: the photo stays as it is.
    const open = () => void this.opener.file(name,
      async (signal) => (await fetchAnswer(originalURL(id), { signal })).blob(), { isLenient: true });
    this.albums.notices.problem(title, detail,
      isDamage(code) ? [{ label: words('openReadable'), act: open }] : []);
  }
}

new App();
