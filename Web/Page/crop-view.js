// @ts-check
// <crop-view>: the element as a page sees it. Its attributes, properties, methods and events.

import { attributeCommands, OBSERVED } from './attributes.js';
import { StateIndex } from './core.js';
import { cut } from './cut.js';
import { SessionView } from './session-view.js';

/**
 * Events: `load`, `error` {error}, `recipechange` {recipe, valid}, `statechange` (history, ratio,
 * zoom or style), `gesturestart`, `gestureend`, `croprequest` (Enter was pressed). While a gesture is
 * under way `recipechange` comes once a frame, and with the last recipe just before `gestureend`;
 * `statechange` comes with those frames that bring more than another recipe.
 */
export class CropView extends SessionView {
  static observedAttributes = ['src', ...OBSERVED];

  /** @param {string} name @param {string | null} before @param {string | null} value */
  attributeChangedCallback(name, before, value) {
    if (before === value) return;
    if (name === 'src') {
      // A failure is told by the `error` event.
      if (value) this.load(value).catch(() => {});
      else this.unload();
      return;
    }
    for (const [command, a, b] of attributeCommands(name, value)) this.command(command, a, b);
  }

  /** Commands that do something in this build; empty until a picture was loaded. */
  get commands() {
    return this.core?.commands ?? new Set();
  }

  /** Upright pixels of the original, or null without a picture. */
  get pictureSize() {
    return this.picture && { width: this.picture.width, height: this.picture.height };
  }

  /** The pixels of the result, or null while nothing valid is selected. */
  get resultSize() {
    const drawing = this.valid ? this.core?.drawing() : null;
    return drawing ? { width: drawing.width, height: drawing.height } : null;
  }

  /** Where the selection is on the screen, or null. */
  get selectionBox() {
    return this.accessible.nodes.get(1)?.getBoundingClientRect() ?? null;
  }

  get valid() {
    const { core } = this;
    return core !== null && this.picture !== null
      && core.numbers[core.stateAddress() + StateIndex.valid] !== 0;
  }

  get canUndo() { return this.state?.canUndo ?? false; }
  get canRedo() { return this.state?.canRedo ?? false; }
  get canReset() { return this.state?.canReset ?? false; }
  undo() { return this.command('undo'); }
  redo() { return this.command('redo'); }
  reset() { return this.command('reset'); }
  /** @param {1 | -1} direction clockwise or back */
  turn(direction) { return this.command('turn', direction); }
  /** @param {'horizontal' | 'vertical'} axis */
  mirror(axis) { return this.command('mirror', axis === 'vertical' ? 1 : 0); }
  /** Degrees clockwise, −45 to 45. */
  get tilt() { return this.state?.tilt ?? 0; }
  set tilt(degrees) { this.command('tilt', degrees); }
  /** @param {number} factor */
  zoomBy(factor) { return this.command('zoomBy', factor); }

  /**
   * The result, made in the browser at the full size of what was loaded.
   * @param {import('./cut.js').CutOptions} [options]
   * @returns {Promise<Blob | null>} null while nothing valid is selected
   */
  async croppedBlob(options = {}) {
    return (await this.cropped(options))?.blob ?? null;
  }

  /**
   * The same, and whether it was cut without loss.
   * @param {import('./cut.js').CutOptions} [options]
   * @returns {Promise<{ blob: Blob, isLossless: boolean } | null>}
   */
  async cropped(options = {}) {
    const { core, picture } = this;
    return core && picture && this.valid ? cut(core, picture, options) : null;
  }
}

customElements.define('crop-view', CropView);
