// @ts-check
// The first screen where there is a library: albums, and the photos of one of them.

import { albumName, Albums } from './albums.js';
import { Problem } from './api.js';
import { node } from './dom.js';
import { explain } from './explain.js';
import { thumbnailSize } from './grid-row.js';
import { icon } from './icons.js';
import { thumbnailURL } from './library-api.js';
import { Notices } from './notice.js';
import { PhotoGrid } from './photo-grid.js';
import { PhotoList } from './photo-list.js';
import { formatNumber, words } from './words.js';

/** @typedef {import('./library-api.js').Entry} Entry */
/** @typedef {import('./library.js').Library} Library */

/** As page.css has it: from here on the albums are beside the photos. */
const wide = matchMedia('(min-width: 760px)');

export class LibraryScreen {
  /** @type {PhotoList | null} */ list = null;
  /**
   * How far each album was scrolled.
   * @type {Map<string, number>}
   */
  #places = new Map();
  #album = '';

  /**
   * @param {Library} library
   * @param {{ openFiles(): void, takePicture(): void, broken(entry: Entry): void }} actions
   */
  constructor(library, actions) {
    this.library = library;
    this.albums = new Albums();
    this.grid = new PhotoGrid({ broken: actions.broken });
    this.notices = new Notices();
    this.title = node('h1', { tabindex: -1 }, words('photos'));
    this.back = node('a.quiet.square.flips', { href: '#/', 'aria-label': words('albums') },
      icon('back'));
    this.progress = node('progress', { max: 1 });
    this.indexing = node('div.indexing', { role: 'status', hidden: true },
      node('span', {}), this.progress);
    this.offline = node('div.banner', { role: 'status', hidden: true }, icon('offline', 20),
      node('span', {}, words('offlineLibrary')),
      node('button.chip', { type: 'button', onclick: () => library.load() }, words('tryAgain')));
    this.empty = node('div.empty', { hidden: true });
    this.root = node('main.library', { id: 'library' },
      node('header.library-bar', {},
        this.back, this.title,
        node('div.sources', {},
          node('button.secondary', { type: 'button', onclick: actions.openFiles },
            words('openFile')),
          node('button.primary', { type: 'button', onclick: actions.takePicture },
            words('takePicture')))),
      this.albums.root,
      node('section.photos', { 'aria-label': words('photos') },
        this.offline, this.indexing, this.empty, this.grid.root),
      this.notices.host);
    library.addEventListener('albums', () => this.#albumsChanged());
    library.addEventListener('indexing', () => this.#showIndexing());
    library.addEventListener('reach', () => this.#reachChanged());
    library.addEventListener('photos', (event) => {
      const { albums, photos } = /** @type {CustomEvent} */ (event).detail;
      if (this.list && albums.includes(this.#album)) this.list.take(photos);
    });
  }

  /** Shows the albums; where there is room beside them, all photos too. */
  showAlbums() {
    this.root.classList.add('at-albums');
    this.#show('all', true);
  }

  /** @param {string} id */
  showAlbum(id) {
    this.root.classList.remove('at-albums');
    this.#show(id, false);
  }

  /** @param {string} id @param {boolean} isHome */
  #show(id, isHome) {
    const album = this.library.album(id);
    const name = album ? albumName(album) : words('photos');
    const title = isHome || wide.matches ? words('photos') : name;
    this.title.textContent = title;
    this.albums.choose(id);
    if (this.#album === id) return;
    this.keepPlace();
    this.list?.close();
    this.#album = id;
    this.list = new PhotoList(id, () => this.#listChanged());
    this.grid.show(this.list, name);
    this.#listChanged();
  }

  /** The screen is about to be hidden, which loses how far it was scrolled. */
  keepPlace() {
    if (this.grid.root.clientHeight) this.#places.set(this.#album, this.grid.root.scrollTop);
  }

  /**
   * The screen is shown again.
   * @param {string} [id] the photo that was open
   */
  returned(id) {
    this.grid.update(this.#total());
    this.grid.root.scrollTop = this.#places.get(this.#album) ?? 0;
    const at = id ? this.list?.photos.findIndex((entry) => entry.id === id) ?? -1 : -1;
    if (at >= 0 && this.grid.root.clientHeight) this.grid.goTo(at);
  }

  /**
   * What is known of a photo.
   * @param {string} id
   */
  find(id) {
    return this.list?.find(id);
  }

  /**
   * A small picture of it that is likely to be here already.
   * @param {Entry} entry
   */
  thumbnailOf(entry) {
    return thumbnailURL(entry, thumbnailSize(this.grid.layout.step));
  }

  #total() {
    if (!this.list) return 0;
    const known = this.list.photos.length;
    return this.list.isComplete ? known
      : Math.max(known, this.library.album(this.#album)?.count ?? 0);
  }

  #listChanged() {
    const total = this.#total();
    this.grid.update(total);
    if (!this.list?.photos.length) this.list?.want(1);
    this.#tellError(this.list?.error);
    const isEmpty = this.list?.isComplete === true && total === 0;
    this.grid.root.hidden = isEmpty;
    this.empty.hidden = !isEmpty;
    if (isEmpty) this.#showEmpty();
  }

  /**
   * Why an album can't be shown; that the server is away is said elsewhere.
   * @param {unknown} error
   */
  #tellError(error) {
    if (!error || !this.library.isReachable || (error instanceof Problem && error.code === 'offline')) {
      return;
    }
    if (error instanceof Problem && error.code === 'not-found') {
      this.notices.problem(words('albumGone'), words('albumGoneDo'));
      return;
    }
    const { title, detail } = explain(error, this.title.textContent ?? '');
    this.notices.problem(title, detail, [{
      label: words('tryAgain'), act: () => void this.list?.reload(),
    }]);
  }

  #showEmpty() {
    const kind = this.library.album(this.#album)?.kind;
    const [title, todo] = kind === 'cropped'
      ? [words('emptyCropped'), words('emptyCroppedDo')]
      : kind === 'camera' ? [words('emptyCamera'), words('emptyCameraDo')]
        : kind === 'folder' ? [words('emptyAlbum'), '']
          : [words('emptyLibrary', this.library.folder), words('emptyLibraryDo')];
    this.empty.replaceChildren(icon(kind === 'cropped' ? 'crop' : 'photo', 40),
      node('h2', {}, title), node('p', {}, todo),
      kind === 'all' || kind === 'recent'
        ? node('a.secondary', { href: '#/open' }, words('trySamples')) : '');
  }

  #albumsChanged() {
    this.albums.show(this.library.albums);
    this.albums.choose(this.#album);
    if (this.list) this.#listChanged();
  }

  #showIndexing() {
    const { indexing } = this.library;
    this.indexing.hidden = !indexing;
    if (!indexing) {
      // The order may have changed with what was found.
      this.list?.reload();
      return;
    }
    const { done, total } = indexing;
    this.progress.value = total ? done / total : 0;
    const text = words('indexing', formatNumber(done), formatNumber(total));
    this.progress.setAttribute('aria-label', text);
    /** @type {HTMLElement} */ (this.indexing.firstChild).textContent = text;
  }

  #reachChanged() {
    this.offline.hidden = this.library.isReachable;
    if (!this.library.isReachable) return;
    this.notices.settle(words('offline.what'));
    this.list?.reload();
  }
}
