// @ts-check
// The device's cameras: a live stream, the camera's capabilities, and photos at full resolution.

import { Problem } from '../server/api.js';
import { handheld } from '../ui/dom.js';

/** @typedef {import('../model/model.js').Facing} Facing */
/** @typedef {'auto' | 'on' | 'off'} Flash */

/** The ideal size in pixels; cameras choose the nearest they support. */
const IDEAL = { width: 4096, height: 3072 };

/**
 * The same in the terms of MediaStream Image Capture.
 * @type {Readonly<Record<Flash, FillLight>>}
 */
const FILL = Object.freeze({ auto: 'auto', on: 'flash', off: 'off' });

/** Whether this page can ask for camera access: in a secure context, if the browser supports it. */
export function hasLiveCamera() {
  return isSecureContext && typeof navigator.mediaDevices?.getUserMedia === 'function';
}

/** Whether a photo can be taken, as far as known without asking for camera access. */
async function hasCamera() {
  // If the page can't use the camera, a phone's camera app can take the photo.
  if (!hasLiveCamera()) return handheld.matches;
  const devices = await navigator.mediaDevices.enumerateDevices().catch(() => []);
  if (!devices.some(({ kind }) => kind === 'videoinput')) return false;
  // Not every browser supports this permission's name.
  const { state } = await navigator.permissions?.query(
    { name: /** @type {PermissionName} */ ('camera') }).catch(() => null) ?? { state: 'prompt' };
  return state !== 'denied';
}

/**
 * Reports now, and whenever cameras are added or removed, whether a photo can be taken.
 * @param {(can: boolean) => void} tell
 */
export function watchCameras(tell) {
  const look = async () => tell(await hasCamera());
  navigator.mediaDevices?.addEventListener('devicechange', look);
  void look();
}

export class Camera {
  /** @type {MediaStream | null} */ stream = null;
  /** @type {Flash[]} the supported modes; empty without a flash */ flashes = [];
  /** @type {Flash} */ flash = 'off';
  hasSeveral = false;
  isFront = false;
  /** @type {ImageCapture | null} */ #capture = null;
  #hasTorch = false;
  #turn = 0;

  /**
   * @param {Facing} facing
   * @returns {Promise<MediaStream | null>} null if it was stopped in the meantime
   */
  async start(facing) {
    this.stop();
    const turn = this.#turn;
    let stream;
    try {
      stream = await navigator.mediaDevices.getUserMedia({
        audio: false,
        video: {
          facingMode: facing, width: { ideal: IDEAL.width }, height: { ideal: IDEAL.height },
        },
      });
    } catch (error) {
      throw new Problem(codeOf(error));
    }
    if (turn !== this.#turn) {
      stop(stream);
      return null;
    }
    this.stream = stream;
    const track = this.track;
    this.isFront = (track?.getSettings().facingMode ?? facing) === 'user';
    const devices = await navigator.mediaDevices.enumerateDevices().catch(() => []);
    this.hasSeveral = devices.filter(({ kind }) => kind === 'videoinput').length > 1;
    await this.#learn();
    return turn === this.#turn ? stream : null;
  }

  get track() {
    return this.stream?.getVideoTracks()[0];
  }

  /** Determines the flash modes that the camera supports. */
  async #learn() {
    const { track } = this;
    const { ImageCapture } = window;
    this.#capture = ImageCapture && track ? new ImageCapture(track) : null;
    this.#hasTorch = Boolean(track?.getCapabilities?.().torch);
    const can = await this.#capture?.getPhotoCapabilities().catch(() => null);
    const modes = can?.fillLightMode ?? [];
    this.size = can && { imageWidth: can.imageWidth?.max, imageHeight: can.imageHeight?.max };
    this.hasFlashMode = modes.includes('flash');
    const hasAny = this.hasFlashMode || this.#hasTorch;
    this.flashes = !hasAny ? [] : modes.includes('auto') ? ['auto', 'on', 'off'] : ['off', 'on'];
    this.flash = this.flashes[0] ?? 'off';
  }

  /**
   * Sets focus and exposure for a point, if the camera supports that.
   * @param {number} x 0 to 1 from the left of the camera's image @param {number} y 0 to 1 from the top
   */
  async focus(x, y) {
    const { track } = this;
    const can = track?.getCapabilities?.() ?? {};
    /** @type {MediaTrackConstraintSet} */ const wish = {};
    const known = navigator.mediaDevices.getSupportedConstraints();
    if (can.pointsOfInterest || known.pointsOfInterest) {
      wish.pointsOfInterest = [{ x, y }];
    }
    if (can.focusMode?.includes('single-shot')) wish.focusMode = 'single-shot';
    if (can.exposureMode?.includes('single-shot')) wish.exposureMode = 'single-shot';
    if (Object.keys(wish).length) await track?.applyConstraints({ advanced: [wish] }).catch(() => {});
  }

  /**
   * Takes a photo at the sensor's full resolution.
   * @param {HTMLVideoElement} video shows the stream; as a fallback, its current frame is used
   * @returns {Promise<Blob>}
   */
  async take(video) {
    const needsTorch = this.#hasTorch && !this.hasFlashMode && this.flash === 'on';
    if (needsTorch) await this.#torch(true);
    try {
      const photo = await this.#photo().catch(() => null);
      return photo ?? await frameOf(video);
    } finally {
      if (needsTorch) this.#torch(false);
    }
  }

  async #photo() {
    if (!this.#capture || this.track?.readyState !== 'live') return null;
    const fill = FILL[this.flash];
    const blob = await this.#capture.takePhoto({
      ...(this.hasFlashMode && { fillLightMode: fill }),
      ...(this.size?.imageWidth && this.size),
    });
    return blob.size > 0 ? blob : null;
  }

  /** @param {boolean} isOn */
  async #torch(isOn) {
    await this.track?.applyConstraints({ advanced: [{ torch: isOn }] }).catch(() => {});
  }

  stop() {
    this.#turn += 1;
    if (this.stream) stop(this.stream);
    this.stream = null;
    this.#capture = null;
  }
}

/** @param {MediaStream} stream */
function stop(stream) {
  for (const track of stream.getTracks()) track.stop();
}

/** @param {unknown} error */
function codeOf(error) {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'camera-refused';
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'camera-none';
  return 'camera-busy';
}

/** @param {HTMLVideoElement} video @returns {Promise<Blob>} */
function frameOf(video) {
  const canvas = document.createElement('canvas');
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext('2d')?.drawImage(video, 0, 0);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Problem('camera-busy'))),
      'image/jpeg', 0.95);
  });
}
