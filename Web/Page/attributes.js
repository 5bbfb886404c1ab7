// @ts-check
// The element's attributes as commands of the core.

import { LOSSLESS, SHAPES, STYLES } from './core.js';

/** @typedef {[name: import('./core.js').CommandName, a: number, b: number]} Step */

/** Attributes that turn into commands, in the order they are applied to a new picture. */
export const OBSERVED = Object.freeze(
  ['crop-style', 'cover', 'min-size', 'max-size', 'aspect-ratio', 'shape', 'margin', 'opening-top',
    'lossless']);

/** View points round the frame, unless said. */
const MARGIN = 14;

/**
 * @param {string} name @param {string | null} value null when the attribute was removed
 * @returns {Step[]} nothing for a value that can't be understood
 */
export function attributeCommands(name, value) {
  const text = (value ?? '').trim();
  switch (name) {
    case 'crop-style': {
      const style = STYLES.indexOf(text || 'studio');
      return style < 0 ? [] : [['style', style, 0]];
    }
    case 'cover':
      return [['cover', text === 'fit' ? 1 : 0, 0]];
    case 'aspect-ratio':
      return ratio(text);
    case 'shape': {
      const [kind, radius] = text.split(':');
      const shape = SHAPES.indexOf(kind || 'rectangle');
      return shape < 0 ? [] : [['shape', shape, Number(radius) || 0]];
    }
    case 'margin': {
      const margin = text ? Number(text) : MARGIN;
      return margin >= 0 ? [['margin', margin, 0]] : [];
    }
    case 'opening-top': {
      const share = Number(text.replace(/%$/, '')) / (text.endsWith('%') ? 100 : 1);
      return share >= 0 && share <= 1 ? [['openingTop', share, text ? 1 : 0]] : [];
    }
    case 'lossless': {
      const mode = LOSSLESS.indexOf(/** @type {typeof LOSSLESS[number]} */ (text || 'exact'));
      return mode < 0 ? [] : [['lossless', mode, 0]];
    }
    case 'min-size':
      return size('minimumSize', text);
    case 'max-size':
      return size('maximumSize', text);
    default:
      return [];
  }
}

/** @param {string} text @returns {Step[]} */
function ratio(text) {
  if (text === '' || text === 'free') return [['ratioFree', 0, 0]];
  if (text === 'original') return [['ratioOriginal', 0, 0]];
  if (text === 'square') return [['ratio', 1, 1]];
  const terms = /^(\d+(?:\.\d+)?)\s*[:/]\s*(\d+(?:\.\d+)?)$/.exec(text);
  return terms ? [['ratio', ...wholeTerms(Number(terms[1]), Number(terms[2]))]] : [];
}

/**
 * The same ratio in whole numbers, to the third decimal.
 * @param {number} width @param {number} height @returns {[number, number]}
 */
export function wholeTerms(width, height) {
  return Number.isInteger(width) && Number.isInteger(height) ? [width, height]
    : [Math.round(width * 1000), Math.round(height * 1000)];
}

/** @param {'minimumSize' | 'maximumSize'} name @param {string} text @returns {Step[]} */
function size(name, text) {
  if (text === '') return [[name, 0, 0]];
  const sides = /^(\d+)\s*[x×]\s*(\d+)$/i.exec(text);
  return sides ? [[name, Number(sides[1]), Number(sides[2])]] : [];
}
