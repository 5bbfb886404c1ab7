// @ts-check
// The page: three screens and the way between them.

import { crop, listSamples, preview, Problem } from './api.js';
import { compile } from './core.js';
import { outputSize } from './cut.js';
import { node } from './dom.js';
import { appear, Editor } from './editor.js';
import { croppedName, readPhoto, withPreview } from './photo.js';
import { measure } from './picture.js';
import { ResultScreen } from './result.js';
import { playShutter } from './sound.js';
import { StartScreen } from './start.js';
import { isWordKey, words } from './words.js';

/** @typedef {'start' | 'editor' | 'result'} ScreenName */

class App {
  /** @type {import('./photo.js').Photo | null} */
  photo = null;
  hasServer = false;
  /** What is under way: opening or cropping. A newer task cancels it. */
  task = new AbortController();

  constructor() {
    this.start = new StartScreen({
      openFile: (file) => this.open(file.name, async () => file),
      openSample: (sample) => this.open(sample.name, (signal) => fetchBlob(sample.url, signal),
        sample.thumbnail),
    });
    this.editor = new Editor({ close: () => this.leave(), crop: () => this.crop() });
    this.result = new ResultScreen({
      back: () => history.back(),
      another: () => {
        history.replaceState(null, '', location.pathname + location.search);
        this.route();
      },
    });
    this.drop = node('div.dropping', { hidden: true }, node('p', {}, words('dropNow')));
    this.live = { start: this.start.root, editor: this.editor.root, result: this.result.root };
    document.body.append(...Object.values(this.live), this.drop);
    history.replaceState(null, '', location.pathname + location.search);
    this.show('start');
    this.listen();
    // A failure shows when a photo is opened.
    compile().catch(() => {});
    this.samples = listSamples().then((samples) => {
      this.hasServer = samples !== null;
      this.editor.hasServer = this.hasServer;
      this.start.show(samples);
    });
  }

  listen() {
    addEventListener('popstate', () => this.route());
    document.addEventListener('paste', (event) => {
      const file = [...event.clipboardData?.files ?? []].find(({ type }) => type.startsWith('image/'));
      if (!file) return;
      event.preventDefault();
      // A pasted bitmap has a made-up name; a pasted file has its own.
      this.open(file.name === 'image.png' ? `${words('pastedName')}.png` : file.name, async () => file);
    });
    let depth = 0;
    const hasFiles = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes('Files');
    addEventListener('dragenter', (event) => {
      if (!hasFiles(event)) return;
      depth += 1;
      this.drop.hidden = false;
    });
    addEventListener('dragleave', (event) => {
      if (!hasFiles(event)) return;
      depth -= 1;
      this.drop.hidden = depth > 0 ? this.drop.hidden : true;
    });
    addEventListener('dragover', (event) => {
      if (hasFiles(event)) event.preventDefault();
    });
    addEventListener('drop', (event) => {
      depth = 0;
      this.drop.hidden = true;
      if (!hasFiles(event)) return;
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file) this.open(file.name, async () => file);
    });
  }

  /** @type {ScreenName} */
  screen = 'start';

  /** @param {ScreenName} name */
  show(name) {
    const changed = this.screen !== name;
    this.screen = name;
    for (const [key, root] of Object.entries(this.live)) root.hidden = key !== name;
    document.title = this.photo && name !== 'start' ? `${this.photo.name} · CropKit` : 'CropKit';
    if (changed) appear(this.live[name]);
  }

  /** Shows the screen the address names; an address without its photo is the start. */
  route() {
    const wanted = location.hash === '#/edit' ? 'editor'
      : location.hash === '#/result' ? 'result' : 'start';
    this.task.abort();
    const possible = wanted === 'start' || (this.photo && (wanted === 'editor' || this.result.url));
    this.show(possible ? wanted : 'start');
    if (!possible) history.replaceState(null, '', location.pathname + location.search);
    if (this.screen === 'start') {
      this.photo = null;
      this.editor.view.unload();
      this.result.clear();
    }
    if (this.screen === 'editor') this.editor.view.focus({ preventScroll: true });
  }

  /** @param {ScreenName} name */
  go(name) {
    const hash = name === 'editor' ? '#/edit' : '#/result';
    if (location.hash !== hash) history.pushState(null, '', hash);
    this.show(name);
  }

  leave() {
    this.task.abort();
    history.back();
  }

  /**
   * @param {string} name @param {(signal: AbortSignal) => Promise<Blob>} load
   * @param {string} [thumbnail] shown until the photo is there
   */
  async open(name, load, thumbnail) {
    const { signal } = this.renew();
    // A photo that is being edited stays until the new one turns out to be a photo.
    const before = this.photo;
    // The new photo takes the old result's place in the history.
    if (this.screen === 'result') history.replaceState(null, '', '#/edit');
    if (before) {
      this.editor.notices.work(words('opening'), () => this.task.abort());
    } else {
      this.start.notices.clear();
      this.editor.begin(name);
      if (thumbnail) this.editor.expect(thumbnail);
    }
    this.go('editor');
    try {
      const file = await load(signal);
      await this.samples;
      const photo = await readPhoto(file, name, {
        hasServer: this.hasServer, signal,
        onPreview: () => this.editor.notices.work(words('loadingPreview'), () => this.leave()),
      });
      if (signal.aborted) return;
      if (before) this.editor.begin(name);
      this.photo = photo;
      await this.editor.open(photo).catch(async (error) => {
        // The browser knew the size and failed at the pixels; the server may fare better.
        if (!this.hasServer || photo.shown !== photo.original) throw error;
        this.photo = await withPreview(photo, signal);
        await this.editor.open(this.photo);
      });
      if (signal.aborted) return;
      this.editor.notices.clear();
      this.show('editor');
      this.editor.view.focus({ preventScroll: true });
    } catch (error) {
      if (signal.aborted || isCancelled(error)) {
        // A newer photo's card is not this one's to remove.
        if (this.task.signal === signal) this.editor.notices.clear();
        return;
      }
      const { title, detail } = explain(error, name, 'problemUnreadable', 'problemUnreadableDo');
      if (before && this.photo === before) return this.editor.notices.problem(title, detail);
      this.photo = null;
      this.show('start');
      history.replaceState(null, '', location.pathname + location.search);
      this.start.notices.problem(title, detail);
    }
  }

  renew() {
    this.task.abort();
    this.task = new AbortController();
    return this.task;
  }

  /** @param {boolean} [isLocal] made by the browser even though there is a server */
  async crop(isLocal = !this.hasServer) {
    const { editor, photo } = this;
    const { recipe } = editor.view;
    if (!photo || !recipe || editor.isBusy) return;
    // The press answers at once, whatever the work takes.
    playShutter();
    editor.shine();
    const { signal } = this.renew();
    const cancel = () => this.task.abort();
    editor.setBusy(true);
    const work = editor.notices.work(words('cropping'), cancel);
    try {
      const { blob, isLossless } = isLocal
        ? { blob: await this.cropLocally(), isLossless: false }
        : await crop(photo.original, photo.name, recipe, editor.encoding,
          { signal, onProgress: work.sent });
      if (!blob) return;
      const shown = await this.shownOf(blob, signal);
      if (signal.aborted) return;
      const { width, height } = shown === blob ? await measure(blob) : outputSize(recipe);
      this.result.show({
        blob, shown, width, height, name: croppedName(photo.name, blob),
        made: isLossless ? 'noteLossless' : isLocal ? 'noteHere' : 'noteEncoded',
      });
      const from = editor.view.selectionBox;
      this.go('result');
      this.result.arrive(from);
      this.result.save.focus({ preventScroll: true });
      editor.notices.clear();
    } catch (error) {
      if (signal.aborted || isCancelled(error)) editor.notices.clear();
      else this.explainCrop(error, photo.name);
    } finally {
      editor.setBusy(false);
    }
  }

  cropLocally() {
    const { format, quality } = this.editor.encoding;
    return this.editor.view.croppedBlob({
      type: format && `image/${format}`, quality: quality && quality / 100,
    });
  }

  /**
   * The result, or a preview of it where the browser can't show its format.
   * @param {Blob} blob @param {AbortSignal} signal
   */
  async shownOf(blob, signal) {
    const canShow = await measure(blob).then(() => true, () => false);
    return canShow ? blob : preview(blob, 'result', 2048, { signal });
  }

  /** @param {unknown} error @param {string} name */
  explainCrop(error, name) {
    const { title, detail, code } = explain(error, name, 'problemCrop', 'problemUnreadableDo');
    const isOffline = code === 'offline' || code === 'busy';
    const actions = [{ label: words('tryAgain'), act: () => void this.crop() }];
    if (isOffline) actions.push({ label: words('cropHere'), act: () => void this.crop(true) });
    this.editor.notices.problem(title, detail, isOffline ? actions : []);
  }
}

/**
 * @param {unknown} error @param {string} name
 * @param {import('./words.js').WordKey} title @param {import('./words.js').WordKey} detail
 */
function explain(error, name, title, detail) {
  const isProblem = error instanceof Problem;
  const code = isProblem ? error.code
    : error instanceof RangeError ? 'too-large'
      : error instanceof TypeError ? 'offline'
        : String(error).includes('cropcore.wasm') ? 'no-core' : '';
  const what = `${code}.what`;
  const todo = `${code}.todo`;
  // The server's own line is better than none.
  const line = isProblem ? error.detail : '';
  return isWordKey(what)
    ? { title: words(what, name), detail: isWordKey(todo) ? words(todo) : line, code }
    : { title: words(title, name), detail: line || words(detail), code };
}

/** @param {unknown} error */
function isCancelled(error) {
  return (error instanceof Problem && error.code === 'cancelled')
    || (error instanceof DOMException && error.name === 'AbortError');
}

/** @param {string} url @param {AbortSignal} signal */
async function fetchBlob(url, signal) {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Problem(`http-${response.status}`);
  return response.blob();
}

new App();
