// @ts-check
// What is being worked on: the open photo, and the task under way.

export class Work {
  /**
   * The photo that is open.
   * @type {import('./photo.js').Photo | null}
   */
  photo = null;
  /** Somebody makes previews and crops for the page. */
  hasServer = false;
  #task = new AbortController();

  /**
   * Begins a task, opening or cropping; the one before is cancelled.
   * @returns {AbortSignal}
   */
  begin() {
    this.cancel();
    this.#task = new AbortController();
    return this.#task.signal;
  }

  cancel() {
    this.#task.abort();
  }

  /**
   * Whether no newer task has begun.
   * @param {AbortSignal} signal of a task
   */
  isLatest(signal) {
    return this.#task.signal === signal;
  }
}
