// The tables of docs/reference/formats.md, from Schema/formats.json.

import { formats, has } from './schema-formats.mjs';

const yes = (is) => (is ? 'yes' : '–');

/** How a crop can be lossless. */
function lossless(format) {
  if (format.name === 'jpeg') return 'blocks copied';
  if (!has('quality')(format)) return 'always';
  return has('exact')(format) ? '`--quality lossless`' : '–';
}

/** Whether a file has frames or pages. */
function several(format) {
  if (has('animation')(format)) return 'animation';
  return has('pages')(format) ? 'pages' : '–';
}

/** Whether browsers open the format without a server. */
function browser(format) {
  if (has('server')(format)) return 'in some browsers';
  return has('browsers')(format) ? 'yes' : 'in new browsers';
}

/** What can be read, written and kept. */
export function supportTable() {
  const heads = ['Format', 'File extensions', 'Lossless', 'Transparency', 'Several images', 'Over 8 bits',
    'Opens in a browser without a server', 'Maximum side'];
  return [heads, formats.map((one) => [one.title, one.extensions.map((name) => `\`${name}\``).join(', '), lossless(one),
    yes(has('alpha')(one)), several(one), yes(has('deep')(one)), browser(one),
    one.largestSide.toLocaleString('en-US')])];
}

/** The metadata that a result can have. */
export function metadataTable() {
  return [['Format', 'EXIF', 'XMP', 'IPTC', 'Texts'], formats.map((one) => [one.title,
    ...['exif', 'xmp', 'iptc', 'texts'].map((kind) => yes(one.metadata.includes(kind)))])];
}
