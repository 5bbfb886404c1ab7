// @ts-check
// The first screen: what to do, and photos to try it on.

import { node } from './dom.js';
import { icon } from './icons.js';
import { Notices } from './notice.js';
import { words } from './words.js';

/** @typedef {import('./api.js').Sample} Sample */

/** Formats the file dialog offers. HEIC and TIFF are listed by name: not every system maps them. */
const ACCEPT = 'image/jpeg,image/png,image/webp,image/gif,image/tiff,image/heic,image/heif,'
  + 'image/avif,.jpg,.jpeg,.png,.webp,.gif,.tif,.tiff,.heic,.heif,.avif';

const FORMATS = Object.freeze(['JPEG', 'PNG', 'WebP', 'GIF', 'TIFF', 'HEIC', 'AVIF']);
const SERVED = new Set(['TIFF', 'HEIC']);

export class StartScreen {
  /**
   * @param {{ openFile(file: File): void, openSample(sample: Sample): void }} actions
   */
  constructor(actions) {
    this.actions = actions;
    this.notices = new Notices();
    this.picker = this.input({ accept: ACCEPT });
    const camera = this.input({ accept: 'image/*', capture: 'environment' });
    this.samples = node('section.samples', { 'aria-labelledby': 'samples-title', hidden: true },
      node('h2', { id: 'samples-title' }, words('startSamples')));
    this.row = node('div.tiles');
    this.formats = node('p.formats', {}, FORMATS.join(', '));
    this.samples.append(this.row);
    this.root = node('main.start', { id: 'start' },
      node('header.brand', {}, icon('crop', 22), node('span', {}, 'CropKit')),
      node('section.drop', {},
        icon('photo', 40),
        node('h1', {}, words('startTitle')),
        node('p.hint', {}, words('startDrop')),
        node('div.choose', {},
          node('button.primary', { type: 'button', onclick: () => this.picker.click() },
            words('openPhoto')),
          node('button.secondary.camera', { type: 'button', onclick: () => camera.click() },
            icon('camera', 20), words('takePicture'))),
        this.formats,
        this.picker, camera),
      this.notices.host,
      this.samples);
  }

  /** @param {Record<string, string>} attributes */
  input(attributes) {
    const input = node('input', { type: 'file', hidden: true, tabindex: -1, ...attributes,
      onchange: () => {
        const [file] = input.files ?? [];
        // Emptied, so that choosing the same file again is a change again.
        if (file) this.actions.openFile(file);
        input.value = '';
      },
    });
    return input;
  }

  /** @param {Sample[] | null} samples null where there is no server */
  show(samples) {
    this.samples.hidden = !samples?.length;
    this.row.replaceChildren(...(samples ?? []).map((sample) => this.tile(sample)));
    // Without the server only what the browser decodes by itself can be opened.
    if (!samples) this.formats.textContent = FORMATS.filter((name) => !SERVED.has(name)).join(', ');
  }

  /** @param {Sample} sample */
  tile(sample) {
    const image = node('img', { src: sample.thumbnail, alt: '', draggable: 'false' });
    const tile = node('button.tile', {
      type: 'button', onclick: () => this.actions.openSample(sample),
    }, image, node('span', {}, sample.title));
    // Tiles share a row in proportion to their pictures, so that all have one height.
    tile.style.setProperty('--ratio', String(sample.width / sample.height));
    image.addEventListener('error', () => {
      // Without a thumbnail the photo itself will do.
      if (image.getAttribute('src') === sample.url) tile.remove();
      else image.src = sample.url;
    });
    return tile;
  }
}
