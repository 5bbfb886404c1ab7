// @ts-check
// The current work: the open photo, and the running task.

export class CurrentTask {
  /**
   * The open photo.
   * @type {import('../editor/photo.js').Photo | null}
   */
  photo = null;
  /** Whether a server makes previews and crops for the page. */
  hasServer = false;
  #task = new AbortController();

  /**
   * Starts a task, such as opening or cropping, and cancels the previous one.
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
   * Whether no newer task has started.
   * @param {AbortSignal} signal of a task
   */
  isLatest(signal) {
    return this.#task.signal === signal;
  }
}
