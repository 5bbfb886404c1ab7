// @ts-check
// Photos from this device: opened, dropped or pasted.

import { plainName } from '../model/photo.js';
import { node } from '../ui/dom.js';
import { FORMATS } from '../ui/file-formats.js';
import { words } from '../ui/words.js';

/** The formats in the file dialog, also by extension: not every system knows the types of HEIC and TIFF. */
const ACCEPT = [...FORMATS.flatMap(({ types }) => types),
  ...FORMATS.flatMap(({ extensions }) => extensions.map((one) => `.${one}`))];

/**
 * The file with a matching extension.
 * @param {File} file
 */
function plain(file) {
  const name = plainName(file.name);
  return name === file.name ? file
    : new File([file], name, { type: file.type, lastModified: file.lastModified });
}

export class Sources {
  /** @param {import('../model/model.js').Model} model */
  constructor(model) {
    this.model = model;
    this.picker = this.#input({ accept: ACCEPT.join(), multiple: true });
    /** The system's camera app, for devices on which the page can't use the camera. */
    this.capture = this.#input({ accept: 'image/*', capture: 'environment' });
    this.target = node('div.dropping', { hidden: true }, node('p', {}, words('dropNow')));
    this.root = node('div', { hidden: true }, this.picker, this.capture);
    document.addEventListener('paste', (event) => this.#paste(event));
    this.#listenForDrops();
  }

  /**
   * Opens the system's camera.
   * @param {import('../model/model.js').Facing} facing
   */
  takeWith(facing) {
    this.capture.setAttribute('capture', facing);
    this.capture.click();
  }

  /** @param {import('../ui/dom.js').Attributes} attributes */
  #input(attributes) {
    const input = node('input', { type: 'file', tabindex: -1, ...attributes,
      onchange: () => {
        this.take(input.files ?? []);
        // Cleared, so that choosing the same file again triggers a change.
        input.value = '';
      },
    });
    return input;
  }

  /** @param {Iterable<File>} files */
  take(files) {
    const all = [...files];
    // Of several files, those that are not images are skipped; a single file is always tried.
    const likely = all.filter(({ type, name }) => type.startsWith('image/')
      || (!type && ACCEPT.includes(name.slice(name.lastIndexOf('.')).toLowerCase())));
    const wanted = likely.length ? likely : all.slice(0, 1);
    if (wanted.length) void this.model.navigator.openFiles(wanted.map(plain));
  }

  /** @param {ClipboardEvent} event */
  #paste(event) {
    const files = [...event.clipboardData?.files ?? []]
      .filter(({ type }) => type.startsWith('image/'));
    if (!files.length) return;
    event.preventDefault();
    // The browser makes up a name for a pasted bitmap; a pasted file has its own.
    this.take(files.map((file) => (file.name === 'image.png'
      ? new File([file], `${words('pastedName')}.png`, { type: file.type }) : file)));
  }

  #listenForDrops() {
    const { target } = this;
    let depth = 0;
    const hasFiles = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes('Files');
    addEventListener('dragenter', (event) => {
      if (!hasFiles(event)) return;
      depth += 1;
      target.hidden = false;
    });
    addEventListener('dragleave', (event) => {
      if (!hasFiles(event)) return;
      depth -= 1;
      if (depth <= 0) target.hidden = true;
    });
    addEventListener('dragover', (event) => {
      if (hasFiles(event)) event.preventDefault();
    });
    addEventListener('drop', (event) => {
      depth = 0;
      target.hidden = true;
      if (!hasFiles(event)) return;
      event.preventDefault();
      this.take(event.dataTransfer?.files ?? []);
    });
  }
}
