// @ts-check
// The page: its screens, and the way between them.

import { addPhoto, fetchAnswer, photoDetails, previewURL } from './library-api.js';
import { CameraScreen } from './camera-screen.js';
import { hasLiveCamera } from './camera.js';
import { compile } from './core.js';
import { Cropping, fileOf } from './cropping.js';
import { Editor, appear } from './editor.js';
import { explain, isCancelled } from './explain.js';
import { keepPage, offerInstall } from './install.js';
import { Library } from './library.js';
import { LibraryScreen } from './library-screen.js';
import { listSamples, Problem } from './api.js';
import { Opening } from './opening.js';
import { Queue } from './queue.js';
import { extensionOf } from './photo.js';
import { ResultScreen } from './result.js';
import { photoHash, readRoute } from './routes.js';
import { Sources } from './sources.js';
import { StartScreen } from './start.js';
import { words } from './words.js';

/** @typedef {'start' | 'library' | 'editor' | 'result' | 'camera'} ScreenName */

export class App {
  /** @type {import('./photo.js').Photo | null} */
  photo = null;
  hasServer = false;
  /** What is under way: opening or cropping. A newer task cancels it. */
  task = new AbortController();
  library = new Library();
  opening = new Opening(this);
  cropping = new Cropping(this);
  /** @type {ScreenName | ''} */
  screen = '';
  /** How many places of this page are before the present one in the history. */
  depth = 0;
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
      openSample: (sample) => void this.opening.file(sample.name,
        async (signal) => (await fetchAnswer(sample.url, { signal })).blob(),
        { thumbnail: sample.thumbnail }),
    });
    this.albums = new LibraryScreen(this.library, {
      openFiles, takePicture, broken: ({ name, problem }) => this.#broken(name, problem),
    });
    this.editor = new Editor({
      close: () => this.leave(), crop: () => void this.cropping.crop(),
      items: () => this.cropping.items,
    });
    this.queue = new Queue((file) => void this.opening.file(file.name, async () => file));
    this.editor.above.append(this.queue.root);
    this.result = new ResultScreen({
      back: () => this.keepEditing(), another: () => this.goHome(), next: () => this.queue.next(),
    });
    this.camera = new CameraScreen({
      close: () => this.leave(), use: (blob) => void this.use(blob), choose: openFiles,
      system: () => this.sources.capture.click(),
    });
    this.live = {
      start: this.start.root, library: this.albums.root, editor: this.editor.root,
      result: this.result.root, camera: this.camera.root,
    };
    for (const root of Object.values(this.live)) root.hidden = true;
    document.body.append(...Object.values(this.live), this.sources.root, this.sources.target);
    // After a reload the place knows where it is.
    this.depth = history.state?.depth ?? 0;
    this.#rename(location.hash);
    addEventListener('popstate', () => {
      // A link has made a place that does not know its own yet.
      if (history.state === null) history.replaceState({ depth: this.depth + 1 }, '');
      this.depth = history.state.depth;
      this.route();
    });
    // A failure shows when a photo is opened.
    compile().catch(() => {});
    this.ready = Promise.all([listSamples(), this.library.load()]).then(([samples]) => {
      this.hasServer = samples !== null;
      this.editor.hasServer = this.hasServer;
      this.start.show(samples);
      this.start.back.hidden = !this.library.exists;
      this.start.offline.hidden = this.library.isReachable;
    });
    this.ready.then(() => {
      // A file may have been opened meanwhile.
      if (!this.screen) this.route();
    });
    this.library.addEventListener('reach', () => this.editor.update());
    offerInstall([this.start.install, this.albums.albums.install]);
    keepPage();
  }

  /** The first screen: the library's, where there is one. */
  get home() {
    return this.screen === 'start' || !this.library.exists ? this.start : this.albums;
  }

  /** @param {ScreenName} name */
  show(name) {
    const before = this.screen;
    const changed = before !== name;
    if (before === 'library' && changed) this.albums.keepPlace();
    if (before === 'camera' && changed) this.camera.close();
    this.screen = name;
    for (const [key, root] of Object.entries(this.live)) root.hidden = key !== name;
    const title = name === 'camera' ? words('camera')
      : name === 'editor' || name === 'result' ? this.photo?.name : '';
    document.title = title ? `${title} · CropKit` : 'CropKit';
    if (changed && before) appear(this.live[name]);
    return changed;
  }

  /** Shows what the address names; what it can't show is the first screen. */
  route() {
    const { place, id } = readRoute(location.hash);
    const { library, photo } = this;
    this.task.abort();
    if (place === 'photo' && library.exists) {
      if (photo?.place === id && photo.entry) this.#showEditor();
      else this.#openEntry(id);
    } else if (place === 'view' && library.exists) void this.#view(id);
    else if (place === 'edit' && photo && !photo.entry) this.#showEditor();
    else if (place === 'result' && photo && this.result.url) this.show('result');
    else if (place === 'camera') {
      this.show('camera');
      void this.camera.open();
    } else this.#showHome(place, id);
  }

  /** @param {import('./routes.js').Place} place @param {string} id */
  #showHome(place, id) {
    const last = this.photo?.place ?? '';
    this.photo = null;
    this.queue.end();
    this.editor.view.unload();
    this.editor.toast.clear();
    this.result.clear();
    const isKnown = ['home', 'open', 'album'].includes(place);
    if (!isKnown) this.#rename('');
    if (place !== 'open') this.list = isKnown ? location.hash : '';
    if (!this.library.exists || place === 'open') {
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
    void this.opening.entry(id, { isFresh });
  }

  /**
   * A photo of the library as it is, to look at and to take away.
   * @param {string} id
   */
  async #view(id) {
    const { signal } = this.renew();
    try {
      const entry = await photoDetails(id, signal);
      const blob = await fileOf(entry, signal);
      const answer = await fetch(previewURL(entry, 2048), { signal });
      if (signal.aborted) return;
      const shown = answer.ok ? await answer.blob() : blob;
      this.result.show({ blob, shown, width: entry.width, height: entry.height, name: entry.name });
      this.show('result');
      document.title = `${entry.name} · CropKit`;
    } catch (error) {
      if (signal.aborted || isCancelled(error)) return;
      const { title, detail } = explain(error, words('photo'));
      this.goHome();
      this.home.notices.problem(title, detail);
    }
  }

  /** From a result to the photo it was cut from. */
  keepEditing() {
    const { place, id } = readRoute(location.hash);
    if (place !== 'view' || (this.depth > 0 && this.photo?.entry)) return history.back();
    this.#replace(photoHash(id));
  }

  /** @param {'edit' | 'result' | 'camera'} place */
  go(place) {
    const hash = `#/${place}`;
    // A new photo takes the old result's or the camera's place in the history.
    const isNext = place === 'edit'
      && ['result', 'camera'].includes(readRoute(location.hash).place);
    if (isNext) this.#rename(hash);
    else if (location.hash !== hash) {
      this.depth += 1;
      history.pushState({ depth: this.depth }, '', hash);
    }
    if (place !== 'camera') this.show(place === 'edit' ? 'editor' : 'result');
  }

  leave() {
    this.task.abort();
    this.queue.end();
    if (this.depth > 0) history.back();
    else this.goHome();
  }

  goHome() {
    this.#replace(this.list);
  }

  /** @param {string} hash */
  #replace(hash) {
    this.#rename(hash);
    this.route();
  }

  /**
   * Gives the present place another address.
   * @param {string} hash
   */
  #rename(hash) {
    history.replaceState({ depth: this.depth }, '', location.pathname + location.search + hash);
  }

  renew() {
    this.task.abort();
    this.task = new AbortController();
    return this.task;
  }

  /** @param {File[]} files */
  openFiles(files) {
    if (files.length > 1) return this.queue.begin(files);
    this.queue.end();
    const [file] = files;
    void this.opening.file(file.name, async () => file);
  }

  takePicture() {
    // Where the page may not have the camera, the system's own takes the picture.
    if (!hasLiveCamera() && matchMedia('(pointer: coarse)').matches) {
      this.sources.capture.click();
      return;
    }
    this.go('camera');
    this.route();
  }

  /**
   * What was taken goes to the library, where there is one, and then behind the opening.
   * @param {Blob} blob
   */
  async use(blob) {
    const now = new Date();
    // As ISO 8601 has it, without colons: some systems don't take them in names.
    const stamp = now.toLocaleString('sv').replaceAll(':', '.');
    const name = `${words('pictureName', stamp)}.${extensionOf(blob.type)}`;
    if (!this.library.exists || !this.library.isReachable) {
      void this.opening.file(name, async () => blob, { isFresh: true });
      return;
    }
    const { signal } = this.renew();
    const { notices } = this.camera;
    const work = notices.work(words('savingPicture'), () => this.task.abort());
    try {
      const entry = await addPhoto(blob, name, { signal, onProgress: work.sent });
      notices.clear();
      this.fresh = entry.id;
      this.#replace(photoHash(entry.id));
    } catch (error) {
      this.camera.offerAgain();
      if (signal.aborted || isCancelled(error)) return notices.clear();
      const { title, detail } = explain(error, name, 'problemKeep');
      notices.problem(title, detail, [{ label: words('cropWithout'),
        act: () => void this.opening.file(name, async () => blob, { isFresh: true }) }]);
    }
  }

  /** @param {string} name @param {{code: string, message: string} | null} problem */
  #broken(name, problem) {
    const { title, detail } = explain(new Problem(problem?.code ?? '', problem?.message), name);
    this.albums.notices.problem(title, detail);
  }
}

new App();
