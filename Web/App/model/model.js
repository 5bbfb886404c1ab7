// @ts-check
// What the screens share. They don't know each other: a screen asks for another one through the navigator, and for
// photos through the opener.

import { isStatic, listSamples } from '../server/api.js';
import { ScreenHistory } from './history.js';
import { Library } from './library.js';
import { Queue } from './queue.js';
import { CurrentTask } from './task.js';
import { UnsavedWork } from './unsaved-work.js';

/** @typedef {import('../../Element/core.js').Recipe} Recipe */
/** @typedef {import('../../Element/canvas.js').CanvasOptions} CanvasOptions */
/** @typedef {import('./photo.js').Result} Result */
/** @typedef {import('./queue.js').Item} Item */
/**
 * A photo's crop, the canvas of the result, and the ratio that it keeps.
 * @typedef {{ recipe?: Recipe | null, canvas?: CanvasOptions | null,
 *   ratio?: import('./ratio-lock.js').RatioLock | null }} Framing
 */

/**
 * What the editor shows.
 * @typedef {Pick<import('../../Element/crop-view.js').CropView, 'recipe' | 'canvasOptions' | 'canReset' | 'picture'
 *   | 'refine' | 'state'>} View
 */

/**
 * @typedef {object} FileOptions
 * @property {string} [thumbnail] shown until the photo is loaded
 * @property {boolean} [isNext] whether it is one of several, after another
 * @property {boolean} [isBack] whether the current history entry is the photo's
 * @property {boolean} [isLenient] accepts the readable part of a damaged image
 * @property {() => import('../server/galleries-api.js').GalleryPhoto | undefined} [from] its gallery entry, once
 * it is loaded
 * @property {() => void} [again] reopens it
 */

/**
 * Opens photos in the editor.
 * @typedef {object} Opener
 * @property {(name: string, load: (signal: AbortSignal) => Promise<Blob>, options?: FileOptions) => Promise<void>} file
 * @property {(item: Item, options?: FileOptions) => Promise<void>} item a photo of the queue
 * @property {(index: number) => void} select another photo of the queue, if there is one, in a new history entry
 * @property {() => void} saveAll the crops of the queue
 * @property {(photo: string) => Promise<void>} fromGallery in the current history entry; such as immich:ID or
 * dav:PATH
 */

/** @typedef {'environment' | 'user'} Facing the side of a device that a camera is on */
/** @typedef {'start' | 'library' | 'editor' | 'targets' | 'result' | 'camera'} ScreenName */

/**
 * Leads from one screen to another.
 * @typedef {object} Navigator
 * @property {ScreenName | ''} screen the shown one
 * @property {import('../ui/notice.js').Notices} notices the cards of the shown screen
 * @property {(name: ScreenName) => void} show
 * @property {(place: 'edit' | 'result' | 'camera', isNext?: boolean) => boolean} go returns whether the history entry
 * changed; `isNext`: always adds an entry
 * @property {(hash: string) => void} replace the address of the current history entry, and shows its screen
 * @property {(way: 1 | -1) => void} step to the previous or next photo
 * @property {() => void} back from a result or the targets to the photo, from a viewed photo to where it was chosen
 * @property {() => void} edit the viewed photo
 * @property {() => void} leave the photo
 * @property {() => void} another photo: leaves the result
 * @property {() => void} goHome
 * @property {(result: Result, from: DOMRect | null) => void} showResult `from`: where its animation starts
 * @property {() => void} chooseFiles
 * @property {(files: File[]) => Promise<void>} openFiles
 * @property {() => void} takePicture
 * @property {(facing: Facing) => void} takeWith the system's camera
 */

export class Model {
  /** @type {import('./photo.js').Photo | null} the open one */ photo = null;
  /** Whether a server makes previews and crops for the page. */
  hasServer = false;
  /** @type {import('../server/api.js').Sample[]} */ samples = [];
  /**
   * How results are written; it stays the same from photo to photo.
   * @type {import('../server/api.js').Encoding}
   */
  encoding = {};
  task = new CurrentTask();
  library = new Library();
  queue = new Queue();
  history = new ScreenHistory(this);
  unsaved = new UnsavedWork(this);
  /** Resolves when the server's features are known. */
  ready = this.#load();

  // The editor and the shell set these.
  view = /** @type {View} */ ({});
  opener = /** @type {Opener} */ ({});
  navigator = /** @type {Navigator} */ ({});

  async #load() {
    const [samples] = await Promise.all([listSamples(), !isStatic && this.library.load()]);
    this.hasServer = !isStatic && samples !== null;
    this.samples = samples ?? [];
  }
}
