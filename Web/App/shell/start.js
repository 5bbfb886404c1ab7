// @ts-check
// The start screen: what to do, and sample photos.

import { isStatic } from '../server/api.js';
import { fetchBlob } from '../server/library-api.js';
import { node } from '../ui/dom.js';
import { FORMATS } from '../ui/file-formats.js';
import { icon } from '../ui/icons.js';
import { Notices, offlineBanner } from '../ui/notice.js';
import { words } from '../ui/words.js';
import { devicesButton } from './devices.js';

/** @typedef {import('../server/api.js').Sample} Sample */

/** @param {readonly import('../ui/file-formats.js').Format[]} formats */
const titles = (formats) => formats.map(({ title }) => title).join(', ');

export class StartScreen {
  /** @param {import('../model/model.js').Model} model */
  constructor(model) {
    this.model = model;
    this.notices = new Notices();
    this.samples = node('section.samples', { 'aria-labelledby': 'samples-title', hidden: true },
      node('h2', { id: 'samples-title' }, words('startSamples')));
    this.row = node('div.tiles');
    /** The link back to the library, if there is one. */
    this.back = node('a.quiet.square.flips', { href: '#/', 'aria-label': words('toPhotos'), hidden: true },
      icon('back'));
    this.formats = node('p.formats', {}, titles(FORMATS));
    this.privacy = node('p.formats', {}, words('startPrivate'));
    this.developers = node('a.quiet.developers', { href: 'docs/index.html' }, words('forDevelopers'));
    this.privacy.hidden = this.developers.hidden = !isStatic;
    this.samples.append(this.row);
    this.install = node('button.quiet.install', { type: 'button', hidden: true }, words('install'));
    this.devices = devicesButton();
    this.devices.hidden = true;
    this.offline = offlineBanner(() => location.reload());
    this.root = node('main.start', { id: 'start' },
      node('header.brand', {}, this.back, icon('crop', 22), node('span', {}, 'CropKit'), this.install,
        this.devices, this.developers),
      this.offline,
      node('section.drop', {},
        icon('photo', 40),
        node('h1', {}, words('startTitle')),
        node('p.hint', {}, words('startDrop')),
        node('div.choose', {},
          node('button.primary', { type: 'button', onclick: () => model.navigator.chooseFiles() },
            words('openPhoto')),
          node('button.secondary', { type: 'button', onclick: () => model.navigator.takePicture() },
            icon('camera', 20), words('takePicture'))),
        this.formats, this.privacy),
      this.notices.host,
      this.samples);
    void model.ready.then(() => {
      this.#show();
      model.library.addEventListener('reach', () => this.#show());
    });
  }

  /** Shows what the server has. */
  #show() {
    const { samples, hasServer, library } = this.model;
    this.back.hidden = !library.exists;
    this.offline.hidden = library.isReachable;
    this.samples.hidden = !samples.length;
    this.devices.hidden = !hasServer;
    this.row.replaceChildren(...samples.map((sample) => this.tile(sample)));
    // Without a server, only formats that the browser decodes can be opened.
    if (!hasServer) this.formats.textContent = titles(FORMATS.filter(({ needsServer }) => !needsServer));
  }

  /** @param {Sample} sample */
  tile(sample) {
    const image = node('img', { src: sample.thumbnail, alt: '', draggable: 'false' });
    const tile = node('button.tile', {
      type: 'button', onclick: () => void this.model.opener.file(sample.name,
        (signal) => fetchBlob(sample.url, { signal }), { thumbnail: sample.thumbnail }),
    }, image, node('span', {}, sample.title));
    // Tiles in a row are as wide as their images are in proportion, so that all have the same height.
    tile.style.setProperty('--ratio', String(sample.width / sample.height));
    image.addEventListener('error', () => {
      // Without a thumbnail, use the photo itself.
      if (image.getAttribute('src') === sample.url) tile.remove();
      else image.src = sample.url;
      this.samples.hidden = !this.row.children.length;
    });
    return tile;
  }
}
