// @ts-check
// Errors, each with a stable code.

/**
 * @typedef {'no-module' | 'no-picture' | 'unreachable' | 'unsupported-format' | 'no-decoding'
 *   | 'truncated' | 'corrupt' | 'too-large' | 'too-many-bytes' | 'bad-attribute' | 'no-fit'
 *   | 'too-small'} ErrorCode
 */

/** The error of a failed operation. */
export class CropError extends Error {
  /**
   * @param {ErrorCode} code
   * @param {string} message for developers, in English
   * @param {{ cause?: unknown, bytes?: number }} [more] the original error; with `too-many-bytes` the smallest
   * size that was reached
   */
  constructor(code, message, more = {}) {
    super(message, 'cause' in more ? { cause: more.cause } : undefined);
    this.name = 'CropError';
    this.code = code;
    this.bytes = more.bytes;
  }
}

/**
 * An `error` event like the platform's, with the error's code.
 * @typedef {ErrorEvent & { readonly error: Error, readonly code: ErrorCode | '' }} CropErrorEvent
 */

/** @param {unknown} error @returns {CropErrorEvent} */
export function errorEvent(error) {
  const { message, code = '' } = /** @type {Error & { code?: ErrorCode }} */ (error);
  const event = new ErrorEvent('error', { error, message, bubbles: true, composed: true });
  return Object.assign(event, /** @type {{ code: ErrorCode | '' }} */ ({ code }));
}
