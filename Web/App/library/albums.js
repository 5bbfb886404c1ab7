// @ts-check
// The albums: a list next to the photos or, on phones, covers on a separate screen.

import { albumHash } from '../model/routes.js';
import { thumbnailURL } from '../server/library-api.js';
import { node, setAttribute } from '../ui/dom.js';
import { icon } from '../ui/icons.js';
import { formatNumber, words } from '../ui/words.js';
import { removedButton } from './removed.js';

/** @typedef {import('../server/library-api.js').Album} Album */
/** @typedef {import('../ui/words.js').WordKey} WordKey */

/** @type {Record<string, WordKey>} */
const NAMES = {
  all: 'albumAll', recent: 'albumRecent', camera: 'albumCamera', cropped: 'albumCropped', root: 'albumRoot',
};

/** @type {Record<string, import('../ui/icons.js').IconName>} */
const ICONS = { all: 'photo', recent: 'clock', camera: 'camera', cropped: 'crop', folder: 'folder' };

/** @param {Album} album */
export function albumName({ kind, name }) {
  return kind in NAMES ? words(NAMES[kind]) : name;
}

export class Albums {
  constructor() {
    this.own = node('ul.album-list');
    this.folders = node('ul.album-list');
    this.title = node('h2', { id: 'albums-title' }, words('albums'));
    this.install = node('button.quiet', { type: 'button', hidden: true }, words('install'));
    this.more = node('ul.album-list.others', {}, node('li', {},
      node('a.album.samples-link', { href: '#/open' },
        node('span.cover', {}, icon('plus', 20)),
        node('span.name', {}, words('otherPhotos')))),
    node('li', {}, removedButton()));
    this.root = node('nav.albums', { 'aria-label': words('albums') },
      this.own, this.title, this.folders, this.more, this.install);
    /** @type {Map<string, HTMLElement>} */ this.links = new Map();
    /** @type {Map<string, HTMLElement>} by the properties that rarely change */ this.items = new Map();
    /** @type {string} the albums that the links show, as JSON */ this.shown = '';
  }

  /** @param {Album[]} albums */
  show(albums) {
    const state = JSON.stringify(albums);
    if (state === this.shown) return;
    this.shown = state;
    this.links.clear();
    // The built-in albums are always listed, except for Camera if it has no photos, and those that have all photos,
    // like All.
    const all = albums.find(({ kind }) => kind === 'all')?.count ?? 0;
    const shown = albums.filter(({ kind, count }) => (kind === 'camera' ? count > 0
      : !['recent', 'root'].includes(kind) || count < all));
    const [folders, own] = [true, false].map((isFolder) => shown
      .filter(({ kind }) => ['folder', 'root'].includes(kind) === isFolder));
    const collator = new Intl.Collator(document.documentElement.lang || undefined, { numeric: true });
    folders.sort((first, second) => Number(first.kind === 'root') - Number(second.kind === 'root')
      || collator.compare(first.name, second.name));
    this.own.replaceChildren(...own.map((album) => this.item(album)));
    this.folders.replaceChildren(...folders.map((album) => this.item(album)));
    this.title.hidden = this.folders.childElementCount === 0;
  }

  /**
   * An album's list item, which is reused while only its count changes.
   * @param {Album} album
   */
  item(album) {
    const key = `${album.id} ${album.name} ${album.cover}`;
    let item = this.items.get(key);
    if (!item) {
      item = node('li', {}, node('a.album', { href: albumHash(album.id) },
        node('span.cover', {}, icon(ICONS[album.kind] ?? 'folder', 20), coverOf(album)),
        node('span.name', {}, node('bdi', {}, albumName(album))), node('span.count')));
      this.items.set(key, item);
    }
    const link = /** @type {HTMLElement} */ (item.firstElementChild);
    /** @type {HTMLElement} */ (link.lastElementChild).textContent = formatNumber(album.count);
    this.links.set(album.id, link);
    return item;
  }

  /** @param {string} id the album whose photos are shown, empty for none */
  choose(id) {
    for (const [own, link] of this.links) {
      if (own === id) setAttribute(link, 'aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
  }
}

/**
 * The cover, over an icon that is shown until it is loaded.
 * @param {Album} album
 */
function coverOf({ cover }) {
  if (!cover) return null;
  const image = node('img', { alt: '', loading: 'lazy', draggable: 'false',
    src: thumbnailURL({ id: cover }, 'large') });
  image.addEventListener('error', () => image.remove());
  return image;
}
