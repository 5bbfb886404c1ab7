// @ts-check
// Errors, each with a stable code.

/**
 * @typedef {'no-module' | 'no-picture' | 'unreachable' | 'unsupported-format' | 'no-decoding'
 *   | 'truncated' | 'corrupt' | 'too-large' | 'too-many-bytes' | 'bad-attribute' | 'bad-source' | 'no-fit'
 *   | 'too-small' | 'failed'} ErrorCode
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
 * An error with a code: itself if it has one, otherwise `failed` with the original error as its cause.
 * @param {unknown} error
 */
export function coded(error) {
  if (error instanceof CropError) return error;
  return new CropError('failed', error instanceof Error ? error.message : String(error), { cause: error });
}

/**
 * An `error` event like the platform's, with the error's code.
 * @typedef {ErrorEvent & { readonly error: CropError, readonly code: ErrorCode }} CropErrorEvent
 */

/** @param {CropError} error @returns {CropErrorEvent} */
export function errorEvent(error) {
  const { message, code } = error;
  return Object.assign(new ErrorEvent('error', { error, message, bubbles: true, composed: true }), { code });
}
