// @ts-check
// The layout of a grid's rows: months with headings, and space for photos that are not loaded yet.

/**
 * @typedef {object} Block photos of one month, in rows
 * @property {string} month such as 2026-11; empty for photos that are not loaded yet
 * @property {string} from the earliest month in it: months with few photos share a row
 * @property {number} start index of the first photo
 * @property {number} count
 * @property {number} top in pixels, of the heading above its rows
 * @property {number} rows
 * @property {number} line number of lines (headings and rows) before it
 */

/**
 * @typedef {object} Line a heading or a row of photos
 * @property {Block} block
 * @property {number} top pixels
 * @property {number} start index of its first photo @property {number} count 0 for a heading
 * @property {number} number from 0, including headings
 * @property {boolean} isFirst @property {boolean} isLast of its block's rows
 */

/** In pixels. */
export const HEADING = 30;
const SPACE = 18;

/**
 * The index after the last photo of a month.
 * @param {string[]} months of each photo @param {number} start index of the month's first photo
 */
function endOf(months, start) {
  let end = start + 1;
  while (end < months.length && months[end] === months[start]) end += 1;
  return end;
}

export class GridLayout {
  /** @type {Block[]} */ blocks = [];
  height = 0;
  /** The number of headings and rows. */
  lines = 0;
  columns = 1;
  /** The height of a row and the gap below it. */
  step = 1;

  /**
   * @param {string[]} months of each known photo, in order @param {number} total photos, known or not
   * @param {{columns: number, step: number}} size
   */
  constructor(months, total, { columns, step }) {
    this.columns = columns;
    this.step = step;
    let start = 0;
    while (start < months.length) {
      let end = endOf(months, start);
      // Months that fit into one row share it.
      while (end < months.length && endOf(months, end) - start <= columns) end = endOf(months, end);
      this.#add(months[start], months[end - 1], start, end - start);
      start = end;
    }
    if (total > start) this.#add('', '', start, total - start);
  }

  /** @param {string} month @param {string} from @param {number} start @param {number} count */
  #add(month, from, start, count) {
    const rows = Math.ceil(count / this.columns);
    const heading = month ? HEADING : 0;
    const top = this.height;
    this.blocks.push({ month, from, start, count, top, rows, line: this.lines });
    this.lines += rows + (month ? 1 : 0);
    this.height = top + heading + rows * this.step + SPACE;
  }

  /**
   * The lines that touch a part of the grid.
   * @param {number} from pixels @param {number} to pixels @returns {Line[]}
   */
  between(from, to) {
    const found = [];
    for (let at = this.#last(({ top }) => top <= from); at < this.blocks.length; at += 1) {
      const block = this.blocks[at];
      if (block.top > to) break;
      const heading = block.month ? HEADING : 0;
      if (heading && block.top + heading >= from) {
        found.push({ block, top: block.top, start: block.start, count: 0, number: block.line,
          isFirst: false, isLast: false });
      }
      const inside = from - block.top - heading;
      const first = Math.max(0, Math.floor(inside / this.step));
      const last = Math.min(block.rows - 1, Math.floor((to - block.top - heading) / this.step));
      for (let row = first; row <= last; row += 1) found.push(this.#row(block, row));
    }
    return found;
  }

  /**
   * The row of a photo.
   * @param {number} index
   */
  lineOf(index) {
    const block = this.blocks[this.#last(({ start }) => start <= index)];
    return this.#row(block, Math.floor((index - block.start) / this.columns));
  }

  /**
   * The photo that is a number of rows away, in the same column if possible.
   * @param {number} index @param {number} rows negative for up
   */
  stepped(index, rows) {
    let at = index;
    for (let left = Math.abs(rows); left > 0; left -= 1) {
      const { start, count } = this.lineOf(at);
      const next = rows < 0 ? start - 1 : start + count;
      if (next < 0 || next >= this.#total) return at;
      const line = this.lineOf(next);
      at = line.start + Math.min(at - start, line.count - 1);
    }
    return at;
  }

  get #total() {
    const last = this.blocks.at(-1);
    return last ? last.start + last.count : 0;
  }

  /** @param {Block} block @param {number} row @returns {Line} */
  #row(block, row) {
    const offset = row * this.columns;
    return {
      block,
      top: block.top + (block.month ? HEADING : 0) + row * this.step,
      start: block.start + offset,
      count: Math.min(this.columns, block.count - offset),
      number: block.line + row + (block.month ? 1 : 0),
      isFirst: row === 0,
      isLast: row === block.rows - 1,
    };
  }

  /**
   * The last block that satisfies a condition, which all blocks before it must satisfy too.
   * @param {(block: Block) => boolean} holds
   */
  #last(holds) {
    let [low, high] = [0, this.blocks.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (holds(this.blocks[middle])) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
