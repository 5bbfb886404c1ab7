// @ts-check
// The start screen with a library: albums, and the photos of one of them.

import { PhotoList } from '../model/photo-list.js';
import { Problem } from '../server/api.js';
import { explain, isDamage, showError } from '../server/explain.js';
import { fetchBlob, originalURL, thumbnailURL } from '../server/library-api.js';
import { handheld, node } from '../ui/dom.js';
import { icon } from '../ui/icons.js';
import { Notices, offlineBanner } from '../ui/notice.js';
import { formatNumber, words } from '../ui/words.js';
import { albumName, Albums } from './albums.js';
import { thumbnailSize } from './grid-row.js';
import { PhotoGrid } from './photo-grid.js';
import { FoundPhotos } from './search.js';
import { Selection } from './selection.js';

/** @typedef {import('../server/library-api.js').Entry} Entry */

/** How long to wait after the last key before searching, in milliseconds. */
const PAUSE = 200;

/** As in page.css: from this width, the albums are next to the photos. */
const wide = matchMedia('(min-width: 760px)');

export class LibraryScreen {
  /** @type {Map<string, number>} the scroll position of each album */ #scrolled = new Map();
  #album = '';
  #searching = 0;

  /** @param {import('../model/model.js').Model} model */
  constructor(model) {
    this.model = model;
    const { library } = model;
    this.library = library;
    library.thumbnailOf = (entry) => thumbnailURL(entry, thumbnailSize(this.grid.layout.step));
    this.albums = new Albums();
    this.notices = new Notices();
    this.selection = new Selection({
      photos: () => library.shown?.photos ?? [], notices: this.notices, encoding: () => model.encoding,
      changed: () => {
        this.root.classList.toggle('selecting', this.selection.isOn);
        this.grid.mark();
      },
    });
    this.grid = new PhotoGrid({ broken: (entry) => this.#broken(entry) }, this.selection);
    this.search = node('input', { type: 'search', placeholder: words('search'),
      'aria-label': words('search'), autocomplete: 'off', oninput: () => this.#searchLater() });
    this.found = node('span.unseen', { role: 'status' });
    this.title = node('h1', { tabindex: -1 }, words('photos'));
    this.back = node('a.quiet.square.flips', { href: '#/', 'aria-label': words('albums') },
      icon('back'));
    this.progress = node('progress', { max: 1 });
    this.indexing = node('div.indexing', { role: 'status', hidden: true },
      node('span', {}), this.progress);
    this.offline = offlineBanner(() => void library.load());
    this.empty = node('div.empty', { hidden: true });
    /** Below the albums on a phone, where an empty album is not visible at first. */
    this.hint = node('div.albums-hint', { hidden: true });
    this.albums.own.after(this.hint);
    this.open = node('button', { type: 'button', onclick: () => model.navigator.chooseFiles() }, words('openFile'));
    this.take = node('button', { type: 'button', onclick: () => model.navigator.takePicture() },
      words('takePicture'));
    this.offerCamera(false);
    this.root = node('main.library', { id: 'library' },
      node('header.library-bar', {},
        this.back, this.title,
        node('label.search', {}, icon('search', 20), this.search), this.found,
        this.selection.begin, this.selection.root,
        node('div.sources', {}, this.open, this.take)),
      this.albums.root,
      node('section.photos', { 'aria-label': words('photos') },
        this.offline, this.indexing, this.empty, this.grid.root),
      this.notices.host);
    library.addEventListener('albums', () => this.#albumsChanged());
    library.addEventListener('indexing', () => this.#showIndexing());
    library.addEventListener('reach', () => this.#reachChanged());
    library.addEventListener('photos', (event) => {
      const { albums, photos } = /** @type {CustomEvent} */ (event).detail;
      if (albums.includes(this.#album)) void library.list?.take(photos);
    });
  }

  /**
   * Makes the camera the primary action on handheld devices that have one; otherwise it is opening a file. Laptops
   * have webcams, but their users mostly open files.
   * @param {boolean} can
   */
  offerCamera(can) {
    const isFirst = can && handheld.matches;
    this.open.className = isFirst ? 'secondary' : 'primary';
    this.take.className = isFirst ? 'primary' : 'secondary';
  }

  /**
   * Shows a card above all photos; on a phone, above the albums, which are its home screen.
   * @param {HTMLElement} card
   */
  welcome(card) {
    const place = () => (wide.matches ? this.offline.before(card) : this.albums.root.prepend(card));
    place();
    wide.onchange = () => { if (this.root.contains(card)) place(); };
  }

  /** Lists the photos, unless an album is already listed. */
  begin() {
    if (!this.library.list) this.showAlbums();
  }

  /** Shows the albums and, if there is space next to them, all photos. */
  showAlbums() {
    this.root.classList.add('at-albums');
    this.#show('all', true);
  }

  /** @param {string} id */
  showAlbum(id) {
    this.root.classList.remove('at-albums');
    this.#show(id, false);
  }

  #searchLater() {
    clearTimeout(this.#searching);
    this.#searching = window.setTimeout(() => this.#search(), PAUSE);
  }

  /** Shows the search results. */
  #search() {
    const { library, library: { list } } = this;
    const text = this.search.value.trim();
    const albumOf = (/** @type {Entry} */ { album }) => {
      const found = library.album(album);
      return found ? albumName(found) : '';
    };
    library.found = list && text ? new FoundPhotos(list, text, albumOf) : null;
    // On a phone, the search results replace the albums.
    this.root.classList.toggle('searching', library.found !== null);
    if (!list) return;
    this.grid.show(library.found ?? list, this.title.textContent ?? '');
    this.#listChanged();
  }

  /** Ends the search and the selection. */
  #rest() {
    clearTimeout(this.#searching);
    this.search.value = '';
    this.library.found = null;
    this.found.textContent = '';
    this.root.classList.remove('searching');
    if (this.selection.isOn) this.selection.toggle();
  }

  /** @param {string} id @param {boolean} isHome */
  #show(id, isHome) {
    const album = this.library.album(id);
    const name = album ? albumName(album) : words('photos');
    const title = isHome || wide.matches ? words('photos') : name;
    this.title.textContent = title;
    this.albums.choose(id);
    if (this.#album === id) return;
    this.#rest();
    this.keepPlace();
    this.library.list?.close();
    this.#album = id;
    this.library.list = new PhotoList(id, () => this.#listChanged());
    this.grid.show(this.library.list, name);
    this.#listChanged();
  }

  /** Call this before hiding the screen, which loses its scroll position. */
  keepPlace() {
    if (this.grid.root.clientHeight) this.#scrolled.set(this.#album, this.grid.root.scrollTop);
  }

  /**
   * Restores the screen when it is shown again.
   * @param {string} [id] the photo that was open
   */
  returned(id) {
    this.grid.update(this.#total());
    this.grid.root.scrollTop = this.#scrolled.get(this.#album) ?? 0;
    const at = id ? this.library.list?.photos.findIndex((entry) => entry.id === id) ?? -1 : -1;
    if (at >= 0 && this.grid.root.clientHeight) this.grid.goTo(at);
  }

  #total() {
    const { list, found } = this.library;
    if (!list || found) return found?.photos.length ?? 0;
    const known = list.photos.length;
    return list.isComplete ? known : Math.max(known, this.library.album(this.#album)?.count ?? 0);
  }

  #listChanged() {
    const total = this.#total();
    const { list, found } = this.library;
    this.grid.update(total);
    if (!list?.photos.length) void list?.want(1);
    void found?.want(Infinity);
    if (found && list?.isComplete) this.found.textContent = words('found', formatNumber(total));
    this.#showError(list?.error);
    const isEmpty = list?.isComplete === true && total === 0;
    this.grid.root.hidden = isEmpty;
    this.empty.hidden = !isEmpty;
    if (isEmpty) this.#showEmpty();
    this.library.dispatchEvent(new Event('listed'));
  }

  /**
   * Shows why an album can't be shown; an unreachable server is reported elsewhere.
   * @param {unknown} error
   */
  #showError(error) {
    if (!error || !this.library.isReachable || (error instanceof Problem && error.code === 'offline')) {
      return;
    }
    if (error instanceof Problem && error.code === 'not-found') {
      this.notices.problem(words('albumGone'), words('albumGoneDo'));
      return;
    }
    showError(this.notices, error, this.title.textContent ?? '', undefined, [{
      label: words('tryAgain'), act: () => void this.library.list?.reload(),
    }]);
  }

  /** @param {Entry} entry */
  #broken({ id, name, problem }) {
    const { title, detail, code } = explain(new Problem(problem?.code ?? '', problem?.message), name);
    // The readable part is cropped as a separate file, so the photo is unchanged.
    const open = () => void this.model.opener.file(name,
      (signal) => fetchBlob(originalURL(id), { signal }), { isLenient: true });
    this.notices.problem(title, detail, isDamage(code) ? [{ label: words('openReadable'), act: open }] : []);
  }

  #showEmpty() {
    const kind = this.library.album(this.#album)?.kind;
    const [title, todo] = this.library.found ? [words('nothingFound'), words('nothingFoundDo')]
      : kind === 'cropped'
      ? [words('emptyCropped'), words('emptyCroppedDo')]
      : kind === 'camera' ? [words('emptyCamera'), words('emptyCameraDo')]
        : kind === 'folder' ? [words('emptyAlbum'), '']
          : [words('emptyLibrary', this.library.folder), words('emptyLibraryDo')];
    this.empty.replaceChildren(icon(kind === 'cropped' ? 'crop' : 'photo', 40),
      node('h2', {}, title), node('p', {}, todo),
      !this.library.found && (kind === 'all' || kind === 'recent')
        ? node('a.secondary', { href: '#/open' }, words('trySamples')) : '');
  }

  #albumsChanged() {
    this.albums.show(this.library.albums);
    this.albums.choose(this.#album);
    this.#showHint();
    if (this.library.list) this.#listChanged();
  }

  #showHint() {
    const { albums, indexing, folder } = this.library;
    this.hint.hidden = indexing !== null || albums.find(({ kind }) => kind === 'all')?.count !== 0;
    if (this.hint.hidden) return;
    this.hint.replaceChildren(node('h2', {}, words('emptyLibrary', folder)), node('p', {}, words('emptyLibraryDo')));
  }

  #showIndexing() {
    const { indexing } = this.library;
    this.indexing.hidden = !indexing;
    this.#showHint();
    if (!indexing) {
      // Changes that were found may affect the order.
      void this.library.list?.reload();
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
    void this.library.list?.reload();
  }
}
