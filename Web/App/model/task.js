// @ts-check
// The running task, such as opening or cropping a photo: there is one at a time.

export class CurrentTask {
  #task = new AbortController();

  /**
   * Starts a task and cancels the previous one.
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
