// @ts-check
// The albums: a list beside the photos, or, on a phone, covers on a screen of their own.

import { devicesButton } from './devices.js';
import { node, setAttribute } from './dom.js';
import { icon } from './icons.js';
import { thumbnailURL } from './library-api.js';
import { albumHash } from './routes.js';
import { formatNumber, words } from './words.js';

/** @typedef {import('./library-api.js').Album} Album */
/** @typedef {import('./words.js').WordKey} WordKey */

/** @type {Record<string, WordKey>} */
const NAMES = {
  all: 'albumAll', recent: 'albumRecent', camera: 'albumCamera', cropped: 'albumCropped',
};

/** @type {Record<string, import('./icons.js').IconName>} */
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
        node('span.name', {}, words('otherPhotos')))));
    this.root = node('nav.albums', { 'aria-label': words('albums') },
      this.own, this.title, this.folders, this.more, this.install,
      devicesButton());
    /** @type {Map<string, HTMLElement>} */
    this.links = new Map();
    /** @type {Map<string, HTMLElement>} by what does not change often */
    this.items = new Map();
    /** @type {string} what the links show */
    this.shown = '';
  }

  /** @param {Album[]} albums */
  show(albums) {
    const state = JSON.stringify(albums);
    if (state === this.shown) return;
    this.shown = state;
    this.links.clear();
    // Albums that come with the library are there from the start; Camera only when it has photos, and
    // the recent ones where they are not all.
    const all = albums.find(({ kind }) => kind === 'all')?.count ?? 0;
    const shown = albums.filter(({ kind, count }) => (kind === 'camera' ? count > 0
      : kind !== 'recent' || count < all));
    const items = (/** @type {boolean} */ isFolder) => shown
      .filter(({ kind }) => (kind === 'folder') === isFolder).map((album) => this.item(album));
    this.own.replaceChildren(...items(false));
    this.folders.replaceChildren(...items(true));
    this.title.hidden = this.folders.childElementCount === 0;
  }

  /**
   * An album's place in the list; the same one as long as only its count changes.
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
 * Lies over the icon, which shows until it is there.
 * @param {Album} album
 */
function coverOf({ cover }) {
  if (!cover) return null;
  const image = node('img', { alt: '', loading: 'lazy', draggable: 'false',
    src: thumbnailURL({ id: cover }, 'large') });
  image.addEventListener('error', () => image.remove());
  return image;
}
