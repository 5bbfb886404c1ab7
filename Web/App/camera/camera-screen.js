// @ts-check
// The camera screen: live view, shutter, and a preview of the photo.

import { extensionOf } from '../model/photo.js';
import { photoHash } from '../model/routes.js';
import { Problem } from '../server/api.js';
import { explain, isCancelled, showError } from '../server/explain.js';
import { addPhoto } from '../server/library-api.js';
import { animate, handheld, node, setAttribute } from '../ui/dom.js';
import { icon } from '../ui/icons.js';
import { Notices } from '../ui/notice.js';
import { flash, playShutter } from '../ui/sound.js';
import { words } from '../ui/words.js';
import { Camera, hasLiveCamera } from './camera.js';

/** Milliseconds that the focus ring grows, stays and fades. */
const GROW = 300;
const FADE = 500;

const FLASH_WORDS = Object.freeze(/** @type {const} */ ({
  auto: 'flashAuto', on: 'flashOn', off: 'flashOff',
}));

export class CameraScreen {
  camera = new Camera();
  /** @type {import('./camera.js').Facing} */ facing = 'environment';
  /** @type {Blob | null} */ taken = null;
  #url = '';

  /** @param {import('../model/model.js').Model} model */
  constructor(model) {
    this.model = model;
    this.notices = new Notices();
    this.video = node('video', {
      autoplay: true, playsinline: true, muted: true, 'aria-hidden': 'true',
    });
    this.video.muted = true;
    // The view has the same shape as the video, so that positions correspond.
    this.video.addEventListener('resize', () => {
      const { videoWidth: width, videoHeight: height } = this.video;
      if (width && height) this.view.style.setProperty('--ratio', String(width / height));
    });
    this.picture = node('img.taken', { alt: words('takenPicture'), hidden: true });
    this.ring = node('div.ring', { hidden: true });
    this.flashLight = node('div.flash', { hidden: true });
    this.view = node('div.live-view', {
      role: 'img', 'aria-label': words('viewfinder'),
      onclick: (/** @type {MouseEvent} */ event) => this.#focusAt(event.clientX, event.clientY),
    }, this.video, this.picture, this.ring, this.flashLight);
    this.problem = node('div.camera-problem', { role: 'alert', hidden: true });
    const round = (/** @type {import('../ui/icons.js').IconName} */ glyph,
      /** @type {import('../ui/words.js').WordKey} */ label, /** @type {() => void} */ act) =>
      node('button.round', { type: 'button', 'aria-label': words(label), title: words(label),
        onclick: act }, icon(glyph));
    this.flash = round('flash', 'flashAuto', () => this.#nextFlash());
    this.turn = round('switchCamera', 'switchCamera', () => this.#switch());
    this.shutter = node('button.shutter', { type: 'button', 'aria-label': words('shutter'),
      title: words('shutter'), onclick: () => this.#take() }, node('span'));
    this.again = node('button.secondary', { type: 'button', onclick: () => this.retake() },
      words('retake'));
    this.use = node('button.primary', { type: 'button', onclick: () => this.#use() },
      words('usePhoto'));
    this.controls = node('div.camera-controls', {}, this.flash, this.shutter, this.turn);
    this.after = node('div.camera-controls.after', { hidden: true }, this.again, this.use);
    this.root = node('main.camera-screen', { id: 'camera' },
      node('header.camera-bar', {}, node('h1.unseen', {}, words('camera')),
        round('close', 'closeCamera', () => model.navigator.leave())),
      node('div.camera-stage', {}, this.view, this.problem, this.notices.host),
      this.controls, this.after);
    document.addEventListener('visibilitychange', () => this.#visible());
  }

  /** Called when the screen is shown. */
  async open() {
    this.#show(null);
    this.shutter.disabled = true;
    this.turn.hidden = true;
    this.flash.hidden = true;
    this.problem.hidden = true;
    if (!hasLiveCamera()) return this.#fail(new Problem('camera-insecure'));
    try {
      const stream = await this.camera.start(this.facing);
      if (!stream) return;
      this.video.srcObject = stream;
      await this.video.play().catch(() => {});
    } catch (error) {
      return this.#fail(error);
    }
    this.view.classList.toggle('mirrored', this.camera.isFront);
    this.turn.hidden = !this.camera.hasSeveral;
    this.#showFlash();
    this.shutter.disabled = false;
    this.shutter.focus({ preventScroll: true });
    const box = this.view.getBoundingClientRect();
    this.#focusAt(box.x + box.width / 2, box.y + box.height / 2);
  }

  close() {
    this.camera.stop();
    this.video.srcObject = null;
    this.notices.clear();
    this.#show(null);
  }

  /** Stops the camera while the page is hidden. */
  #visible() {
    if (this.root.hidden || this.taken || !this.problem.hidden) return;
    if (document.hidden) this.camera.stop();
    else this.open();
  }

  /** @param {unknown} error */
  #fail(error) {
    this.camera.stop();
    const { title, detail, code } = explain(error, '');
    const choice = (/** @type {string} */ label, /** @type {() => void} */ act,
      isFirst = false) => node(isFirst ? 'button.primary' : 'button.secondary',
      { type: 'button', onclick: act }, label);
    this.problem.replaceChildren(icon('camera', 40), node('h2', {}, title), node('p', {}, detail),
      node('div.actions', {},
        code !== 'camera-insecure' && choice(words('tryAgain'), () => this.open(), true),
        handheld.matches && choice(words('systemCamera'), () => this.model.navigator.takeWith(this.facing)),
        choice(words('chooseInstead'), () => this.model.navigator.chooseFiles())));
    this.problem.hidden = false;
    this.controls.hidden = true;
    this.view.hidden = true;
  }

  async #switch() {
    this.facing = this.facing === 'environment' ? 'user' : 'environment';
    this.turn.disabled = true;
    await animate(this.view, [{ transform: 'none' }, { transform: 'rotateY(90deg)' }], 150);
    await this.open();
    this.turn.disabled = false;
    this.turn.focus({ preventScroll: true });
    await animate(this.view, [{ transform: 'rotateY(-90deg)' }, { transform: 'none' }], 150);
  }

  #showFlash() {
    const { flashes, flash } = this.camera;
    this.flash.hidden = flashes.length === 0;
    this.flash.replaceChildren(icon(flash === 'off' ? 'flashOff' : 'flash'),
      flash === 'auto' ? node('span', {}, 'A') : '');
    setAttribute(this.flash, 'aria-label', words(FLASH_WORDS[flash]));
    this.flash.title = words(FLASH_WORDS[flash]);
  }

  #nextFlash() {
    const { flashes, flash } = this.camera;
    this.camera.flash = flashes[(flashes.indexOf(flash) + 1) % flashes.length];
    this.#showFlash();
  }

  /** @param {number} x @param {number} y in the window */
  #focusAt(x, y) {
    if (this.taken || !this.camera.stream) return;
    const box = this.view.getBoundingClientRect();
    const [left, top] = [x - box.x, y - box.y];
    this.ring.style.left = `${left}px`;
    this.ring.style.top = `${top}px`;
    this.ring.hidden = false;
    const total = GROW + FADE;
    this.ring.getAnimations().forEach((motion) => motion.cancel());
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.ring.animate([
      { scale: isStill ? 1.25 : 1, opacity: 1, offset: 0 },
      { scale: 1.25, opacity: 1, offset: GROW / total },
      { scale: 1.25, opacity: isStill ? 1 : 0, offset: 1 },
    ], { duration: total }).finished.then(() => {
      this.ring.hidden = true;
    }, () => {});
    const across = left / box.width;
    this.camera.focus(this.camera.isFront ? 1 - across : across, top / box.height);
  }

  async #take() {
    if (this.shutter.disabled) return;
    this.shutter.disabled = true;
    // Gives feedback immediately, however long the camera takes.
    playShutter();
    void flash(this.flashLight);
    try {
      const blob = await this.camera.take(this.video);
      if (!this.root.hidden) this.#show(blob);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** @param {Blob | null} blob the photo; null for the live view */
  #show(blob) {
    this.taken = blob;
    if (this.#url) URL.revokeObjectURL(this.#url);
    this.#url = blob ? URL.createObjectURL(blob) : '';
    if (blob) this.picture.src = this.#url;
    else this.picture.removeAttribute('src');
    this.picture.hidden = !blob;
    this.view.hidden = false;
    this.controls.hidden = blob !== null;
    this.after.hidden = blob === null;
    this.again.disabled = this.use.disabled = false;
    if (blob) {
      this.camera.stop();
      this.use.focus({ preventScroll: true });
    }
  }

  retake() {
    this.notices.clear();
    this.open();
  }

  /** Saves the photo to the library, if there is one, and opens it behind the viewfinder. */
  async #use() {
    const { notices, taken, model: { library, navigator, opener, task } } = this;
    if (!taken) return;
    this.again.disabled = this.use.disabled = true;
    // ISO 8601 without colons, since some systems do not allow them in names.
    const stamp = new Date().toLocaleString('sv').replaceAll(':', '.');
    const name = `${words('pictureName', stamp)}.${extensionOf(taken.type)}`;
    const crop = () => void opener.file(name, async () => taken);
    const canKeep = library.exists && library.isReachable && library.album('camera');
    if (!canKeep) return crop();
    const signal = task.begin();
    const card = notices.work(words('savingPicture'), () => task.cancel());
    try {
      const { id } = await addPhoto(taken, name, { signal, onProgress: card.sent });
      notices.clear();
      navigator.replace(photoHash(id));
    } catch (error) {
      // The photo is still in memory.
      this.again.disabled = this.use.disabled = false;
      if (signal.aborted || isCancelled(error)) return notices.clear();
      showError(notices, error, name, 'problemKeep', [{ label: words('cropWithout'), act: crop }]);
    }
  }
}
