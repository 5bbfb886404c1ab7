// @ts-check
// An open JPEG and its crops.

import { Cutter } from './engine.js';
import { dropped, failure, faultError, mapDropped, misuse, needed, stopped, warning } from './faults.js';
import { Lossless, MapOutcome, Metadata, Need } from './interface.js';
import { findBorder } from './pixels.js';
import { placing, request, set } from './request.js';
import { checkJPEG } from './source.js';

/** @typedef {import('./faults.js').CropWarning} CropWarning */
/** @typedef {import('./faults.js').Reader} Reader */
/** @typedef {import('./interface.js').FilePlan} FilePlan */
/** @typedef {import('../Element/recipe.js').Recipe} Recipe */
/** @typedef {import('./request.js').Options} Options */
/** @typedef {import('./request.js').Request} Request */

/** @typedef {{ x: number, y: number, width: number, height: number }} Rect in pixels of the upright, turned image */

/**
 * The columns and rows at each edge of a lossless result that may differ from the source, because their blocks were
 * requantized, and the number of these blocks per component.
 * @typedef {{ left: number, top: number, right: number, bottom: number, blocks: readonly number[] }} Requantized
 */

/**
 * What a crop would be.
 * @typedef {object} Plan
 * @property {boolean} lossless whether it can be made
 * @property {string | null} reason why it can't be made here
 * @property {Rect} rect the rectangle that is cut; with `snap` it may be moved, with `outward` larger
 * @property {number} width of the result in pixels @property {number} height
 */

/**
 * A crop.
 * @typedef {object} Result
 * @property {Uint8Array} bytes the new JPEG @property {true} lossless
 * @property {Rect} rect the rectangle that was cut
 * @property {number} width of the result in pixels, as it is shown @property {number} height
 * @property {Requantized | null} requantized null if all blocks were copied
 * @property {'cut' | 're-coded' | null} gainMap how the gain map of an HDR photo was cropped; null if there is none
 * @property {readonly CropWarning[]} warnings
 */

const NEEDS = Object.keys(Need);
const STRIP = { none: Metadata.keep, location: Metadata.stripLocation, all: Metadata.stripAll };
/**
 * How a gain map was made, by MapOutcome.
 * @type {readonly ('cut' | 're-coded' | null)[]}
 */
const GAIN_MAPS = [null, 'cut', 're-coded'];

/** An open JPEG. Its crops are made one at a time. */
export class Photo {
  /** @type {Cutter | null} null after a failure of the module */ #cutter = null;
  /** @type {Promise<unknown>} the last call, since the module makes one crop at a time */ #last = Promise.resolve();
  /** @readonly */ #bytes;
  #name;
  #reader;

  /**
   * @param {Uint8Array} bytes @param {string} name for messages @param {Reader} reader of messages
   * @param {import('./interface.js').FileHeader} header @param {Cutter} cutter
   */
  constructor(bytes, name, reader, header, cutter) {
    this.#bytes = bytes;
    this.#name = name;
    this.#reader = reader;
    this.#cutter = cutter;
    /**
     * In pixels, as the image is shown.
     * @readonly
     */
    this.width = header.width;
    /** @readonly */
    this.height = header.height;
    /**
     * EXIF's, 1 to 8.
     * @readonly
     */
    this.orientation = header.orientation;
    /**
     * The size of the block grid, in stored pixels.
     * @readonly
     */
    this.grid = Object.freeze({ width: header.cellWidth, height: header.cellHeight });
  }

  /** @param {Uint8Array} bytes @param {string} name @param {Reader} reader */
  static async open(bytes, name, reader) {
    checkJPEG(bytes, name, reader);
    const cutter = await opened(bytes, name, reader);
    const header = cutter.header();
    if (!header) throw failure('corrupt', { file: name, detail: 'it has no header' });
    return new Photo(bytes, name, reader, header, cutter);
  }

  /**
   * Whether a crop is lossless, and its rectangle, without making it.
   * @param {Options | Partial<Recipe>} [what] options, or a recipe @param {Options} [more] options beside a recipe
   * @returns {Promise<Plan>} @throws {import('./faults.js').CropError} if it does not fit the image
   */
  lossless(what, more) {
    return this.#run(async (cutter) => {
      const asked = request(what, more, this.#reader);
      const plan = this.#plan(cutter, asked, await this.#border(asked));
      const reason = plan.need === Need.nothing ? null : this.#needed(plan).message;
      return { lossless: reason === null, reason, ...shown(plan) };
    });
  }

  /**
   * Crops the image without decoding it.
   * @param {Options | Partial<Recipe>} [what] options, or a recipe @param {Options} [more] options beside a recipe
   * @returns {Promise<Result>} @throws {import('./faults.js').CropError}
   */
  crop(what, more) {
    return this.#run(async (cutter) => {
      const asked = request(what, more, this.#reader);
      const border = await this.#border(asked);
      const plan = this.#plan(cutter, asked, border);
      if (plan.need !== Need.nothing) throw this.#needed(plan);
      const isWhole = border?.width === this.width && border.height === this.height;
      return this.#made(cutter, asked, plan, isWhole ? [warning('nothingToTrim')] : []);
    });
  }

  /**
   * Runs a call after the last one. If the module stops, for example because memory runs out, the next call starts
   * another instance.
   * @template Value
   * @param {(cutter: Cutter) => Promise<Value>} call @returns {Promise<Value>}
   */
  #run(call) {
    const next = this.#last.then(async () => {
      this.#cutter ??= await opened(this.#bytes, this.#name, this.#reader);
      try {
        return await call(this.#cutter);
      } catch (error) {
        if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) this.#cutter = null;
        throw stopped(error, this.#name);
      }
    });
    this.#last = next.catch(() => {});
    return next;
  }

  /**
   * What is inside the border of the passed pixels; undefined without them, null for a single color.
   * @param {Request} asked
   */
  async #border({ pixels, texts }) {
    if (!pixels) return undefined;
    if (pixels.width !== this.width || pixels.height !== this.height) {
      const sizes = `${pixels.width} × ${pixels.height}, and the photo is shown as ${this.width} × ${this.height}`;
      throw misuse(`the pixels are ${sizes}; pass those of the whole photo, upright`);
    }
    const trim = texts.get('trim');
    return findBorder(pixels, trim === 'auto' ? {} : { tolerance: Number(trim) });
  }

  /**
   * @param {Cutter} cutter @param {Request} asked @param {import('./pixels.js').Area | null} [border]
   * @returns {FilePlan}
   */
  #plan(cutter, asked, border) {
    const plan = planned(cutter, asked, border);
    if (!plan) throw faultError(cutter.fault(), this.#name, this.#reader, placing(asked));
    return plan;
  }

  /** @param {FilePlan} plan */
  #needed({ need }) {
    const reason = NEEDS[need];
    if (reason !== 'offGrid') return needed(reason, this.#name, this.#reader);
    const { width, height } = this.grid;
    return needed(reason, this.#name, this.#reader, width, height);
  }

  /**
   * @param {Cutter} cutter @param {Request} asked @param {FilePlan} plan @param {readonly CropWarning[]} noticed
   * @returns {Result}
   */
  #made(cutter, asked, plan, noticed) {
    cutter.pieces.length = 0;
    const { keepsMap, quality, isLenient, maxBytes } = asked;
    const report = cutter.crop({ metadata: STRIP[asked.strip], mayCopy: asked.isPlain, keepsMap });
    if (!report) throw faultError(cutter.fault(), this.#name, this.#reader, '');
    if (report.isTruncated && !isLenient) {
      throw failure('truncated', { file: this.#name, detail: 'the end marker is missing' }, this.#reader);
    }
    const crop = report.isCopied ? this.#bytes.slice() : cutter.take();
    const blocks = [...cutter.blocks()];
    const lost = [...cutter.dropped()];
    const mapped = keepsMap ? withMap(cutter, crop) : { bytes: crop, outcome: MapOutcome.none };
    const isWhole = report.isCopied || report.isRestated;
    // What the map leaves no room for is reported last.
    const all = isWhole ? [] : [...cutter.dropped()];
    const isLater = all.length > lost.length;
    const bytes = isWhole ? crop : mapped.bytes;
    if (bytes.length > maxBytes) throw needed('maxBytes', this.#name, this.#reader, bytes.length, maxBytes);
    const { left, top, right, bottom } = plan;
    return {
      bytes, lossless: true, ...shown(plan),
      requantized: left || top || right || bottom ? { left, top, right, bottom, blocks } : null,
      gainMap: GAIN_MAPS[isWhole && mapped.outcome === MapOutcome.recoded ? MapOutcome.cut : mapped.outcome] ?? null,
      warnings: [
        ...(report.hasExtraBytes ? [warning('extraBytes')] : []),
        ...(report.isTruncated ? [warning('truncated')] : []),
        ...(isLater ? [] : dropped(all)),
        ...(report.isDamagedAtEnd ? [warning('damagedEnd')] : []),
        ...(plan.needed && plan.has ? [warning('lowDensity', plan.dpi, plan.needed.width, plan.needed.height,
          plan.has.width, plan.has.height)] : []),
        ...(isWhole ? [] : mapDropped(mapped.outcome)),
        ...(isLater ? dropped(all) : []),
        ...noticed,
        ...(plan.clamped && plan.kept ? [warning('clamped', words(plan.clamped), words(plan.kept))] : []),
        ...(quality === null ? [] : [warning('qualityUnused', quality)]),
      ],
    };
  }
}

/**
 * Plans a crop of the open file.
 * @param {Cutter} cutter @param {Request} asked
 * @param {import('./pixels.js').Area | null} [border] what is inside it; null for a single color
 * @returns {FilePlan | null} null with a fault, or without a file
 */
function planned(cutter, asked, border) {
  set(cutter, asked);
  if (border !== undefined) cutter.setInside({ inside: border });
  return cutter.plan({ mode: Lossless[asked.mode], isBaked: asked.isBaked, dpi: asked.dpi });
}

/**
 * Checks options before an image is read.
 * @param {Options} options @param {Reader} reader
 * @throws {import('./faults.js').CropError} if one is invalid, or they can't be combined
 */
export async function check(options, reader) {
  const cutter = await Cutter.of(new Uint8Array());
  const asked = request(options, {}, reader);
  planned(cutter, asked);
  const fault = cutter.fault();
  if (fault.length) throw faultError(fault, '', reader, placing(asked));
}

/**
 * An instance of the module with an open file.
 * @param {Uint8Array} bytes @param {string} name @param {Reader} reader
 */
async function opened(bytes, name, reader) {
  const cutter = await Cutter.of(bytes);
  try {
    if (cutter.open({ byteCount: bytes.length })) return cutter;
  } catch (error) {
    throw stopped(error, name);
  }
  throw faultError(cutter.fault(), name, reader, '');
}

/** @param {Cutter} cutter @param {Uint8Array} crop */
function withMap(cutter, crop) {
  cutter.sources[1] = crop;
  const outcome = cutter.addMap({ byteCount: crop.length });
  cutter.sources.length = 1;
  const isAdded = outcome === MapOutcome.cut || outcome === MapOutcome.recoded;
  const bytes = cutter.take();
  return { bytes: isAdded ? bytes : crop, outcome };
}

/** @param {FilePlan} plan */
const shown = ({ x, y, width, height, outputWidth, outputHeight }) =>
  ({ rect: { x, y, width, height }, width: outputWidth, height: outputHeight });

/** @param {Rect} rect */
const words = ({ x, y, width, height }) => [x, y, width, height].join(',');
