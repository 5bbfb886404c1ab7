// @ts-check
// Calls of a WebAssembly module: numbers in, numbers out. interface.js, which is generated, names them.

/** Reads the numbers of an answer, one after another. They are valid until the next call. */
export class Reader {
  /** @param {Float64Array} numbers @param {number} at of the first number @param {number} end after the last one */
  constructor(numbers, at, end) {
    this.numbers = numbers;
    this.at = at;
    this.end = end;
  }

  get isAtEnd() {
    return this.at >= this.end;
  }

  /** @returns {number} undefined at the end */
  next() {
    return this.isAtEnd ? /** @type {never} */ (/** @type {unknown} */ (undefined)) : this.numbers[this.at++];
  }

  /** Whether the next number is 1; false at the end, so that a refused call did nothing. */
  flag() {
    return this.next() === 1;
  }

  /** @param {number} count @returns {number} the index of the next number; the following call continues behind `count` numbers */
  take(count) {
    const { at } = this;
    this.at += count;
    return at;
  }

  /** @template T @param {(reader: Reader) => T} read @returns {T[]} as many as there are */
  all(read) {
    /** @type {T[]} */
    const found = [];
    while (!this.isAtEnd) found.push(read(this));
    return found;
  }
}

/** The maximum length of a list for the module. */
const MOST = 128;
/** The bits of Change if a call is refused. */
const REFUSED = 256;

export class Bridge {
  /** @param {WebAssembly.Exports} exports */
  constructor(exports) {
    this.exports = /** @type {Record<string, (...numbers: number[]) => number>} */ (
      /** @type {unknown} */ (exports));
    this.memory = /** @type {WebAssembly.Memory} */ (exports.memory);
    this.numbers = new Float64Array(this.memory.buffer);
    /** The index of the list that the module reads, which never changes. */
    this.list = this.exports.ck_list() >>> 3;
  }

  /** @param {number} code of Call @param {readonly number[]} numbers @returns {Reader} empty if the call is refused */
  call(code, numbers) {
    if (numbers.length > MOST) return new Reader(this.numbers, 0, 0);
    this.#index(0);
    this.numbers[this.list] = numbers.length;
    this.numbers.set(numbers, this.list + 1);
    const answer = this.#index(this.exports.ck_call(code));
    return new Reader(this.numbers, answer + 1, answer + 1 + this.numbers[answer]);
  }

  /** @param {number} code of Call @param {readonly number[]} numbers @returns {number} bits of Change */
  send(code, numbers) {
    return this.call(code, numbers).next() ?? REFUSED;
  }

  /**
   * @template T
   * @param {number} code of Call @param {readonly number[]} numbers @param {(reader: Reader) => T} read
   * @returns {T | null} null for an empty answer
   */
  maybe(code, numbers, read) {
    const reader = this.call(code, numbers);
    return reader.isAtEnd ? null : read(reader);
  }

  /** @param {number} address in bytes @returns {number} an index of `numbers`, which the memory may have outgrown */
  #index(address) {
    if (this.numbers.buffer !== this.memory.buffer) this.numbers = new Float64Array(this.memory.buffer);
    return address >>> 3;
  }
}

/**
 * @template T
 * @param {T | null | undefined} value @param {(value: T) => readonly number[]} [write] @returns {readonly number[]} whether there is a
 * value, and its numbers
 */
export const optional = (value, write = (one) => [Number(one)]) => (value == null ? [0] : [1, ...write(value)]);

/** @param {string} text */
export const textNumbers = (text) => new TextEncoder().encode(text);
