// Generates the guides over a crop, for Swift and for the element, from Schema/presets.json.

import { readFileSync } from 'node:fs';
import { enumerations } from './interface.mjs';
import { head } from './schema-formats.mjs';

const { guides: { about: _, ...guides } } = JSON.parse(
  readFileSync(new URL('../Schema/presets.json', import.meta.url), 'utf8'));

/** The width of the oval that stands for a head, as a share of its height. It only helps to see what the areas mean. */
const OVAL = 0.72;

/** A number with six decimals at most. */
const rounded = (number) => Number(number.toFixed(6));

const mark = (shape, [x, y, width, height], label = 'plain') => ({ shape, rect: [x, y, width, height].map(rounded), label });

/** An area across the whole width. */
const band = (top, bottom, label) => mark('area', [0, top, 1, bottom - top], label);

/**
 * The marks of a head: areas for its top, its chin and the eyes, in which every head has an allowed height.
 *
 *     crown ┬ a head from here …        crown.to + least = chin.from
 *           ┴                           crown.from + most = chin.to
 *     chin  ┬
 *           ┴ … to here
 */
function headMarks({ size: [width, height], head: [least, most], above, eyes }) {
  const mean = (least + most) / 2;
  const middle = eyes ? height - (eyes[0] + eyes[1]) / 2 : height / 2;
  const top = above ? (above[0] + above[1]) / 2 : middle - mean / 2;
  const half = Math.min((most - least) / 2, above ? above[1] - above[0] : Infinity) / 2;
  const [crown, chin] = [[top - half, top + half], [top + half + least, top - half + most]];
  const share = ([from, to]) => [from / height, to / height];
  const [from, to] = [top, (chin[0] + chin[1]) / 2].map((y) => y / height);
  const wide = OVAL * (to - from) * height / width;
  return [
    band(...share(crown), 'crown'), ...(eyes ? [band(...share([height - eyes[1], height - eyes[0]]), 'eyes')] : []),
    band(...share(chin), 'chin'), mark('oval', [(1 - wide) / 2, from, wide, to - from]), mark('line', [0.5, 0, 0, 1]),
  ];
}

/** The areas at the edges that controls cover; those on the sides are between those at the top and the bottom. */
function coveredMarks({ size: [width, height], covered }) {
  const share = (value, side) => (typeof value === 'string' ? parseFloat(value) / 100 : (value ?? 0) / side);
  const [top, bottom] = [share(covered.top, height), share(covered.bottom, height)];
  const [left, right] = [share(covered.left, width), share(covered.right, width)];
  return [
    mark('area', [0, 0, 1, top], 'covered'), mark('area', [0, 1 - bottom, 1, bottom], 'covered'),
    ...(left ? [mark('area', [0, top, left, 1 - top - bottom])] : []),
    ...(right ? [mark('area', [1 - right, top, right, 1 - top - bottom])] : []),
  ];
}

const lineMarks = ({ lines }) => lines.map(([x, y, toX, toY]) => mark('line', [x, y, toX - x, toY - y]));

/** The marks of each guide, by its name. */
export const marksOfGuides = Object.fromEntries(Object.entries(guides).map(([name, guide]) =>
  [name, guide.lines ? lineMarks(guide) : guide.head ? headMarks(guide) : coveredMarks(guide)]));

const swiftMark = ({ shape, rect: [x, y, width, height], label }) =>
  `          GuideMark(.${shape}, x: ${x}, y: ${y}, width: ${width}, height: ${height}${label === 'plain' ? '' : `, label: .${label}`}),`;

const swift = [
  `// ${head('presets.json')}`, '// swift-format-ignore-file', '', '#if !hasFeature(Embedded)',
  '  extension CropGuide {', '    /// The names of the built-in guides.',
  `    public static let names = [${Object.keys(guides).map((name) => `"${name}"`).join(', ')}]`, '',
  '    /// The built-in guide of a name; nil for an unknown one.', '    public init?(named name: String) {',
  '      switch name {',
  ...Object.entries(marksOfGuides).flatMap(([name, marks]) => [
    `      case "${name}":`, '        self.init(marks: [', ...marks.map(swiftMark), '        ])']),
  '      default: return nil', '      }', '    }', '  }', '#endif', ''].join('\n');

const { GuideShape: shapeCodes, GuideLabel: labelCodes } = enumerations;

const javascript = [
  '// @ts-check', `// ${head('presets.json')}`, '',
  // Codes instead of names, so that this file, which is loaded on demand, needs no other.
  '/** The codes of a cut line and its labels. */',
  ...[['INSET', shapeCodes.inset], ['TRIM', labelCodes.trim], ['SAFE', labelCodes.safe]]
    .map(([name, code]) => `export const ${name} = ${code};`), '',
  '/** The marks of each guide: the code of its shape, x, y, width, height, and the code of its label. */',
  '/** @type {Readonly<Record<string, readonly (readonly number[])[]>>} */', 'export const GUIDES = Object.freeze({',
  ...Object.entries(marksOfGuides).map(([name, marks]) => `  '${name}': [${marks.map(({ shape, rect, label }) =>
    `[${[shapeCodes[shape], ...rect, labelCodes[label]].join(', ')}]`).join(', ')}],`),
  '});', ''].join('\n');

const sized = Object.entries(guides).filter(([, { size }]) => size);

const pageList = [
  '// @ts-check', `// ${head('presets.json')}`, '',
  '/** The guides for a size: their names, the ratio of the size, and whether they are for a head. */',
  'export const GUIDES = Object.freeze([',
  ...sized.map(([name, { size: [width, height], head: range }]) =>
    `  { name: '${name}', width: ${width}, height: ${height}, isHead: ${range !== undefined} },`), ']);', ''].join('\n');

const pageSources = [
  '// @ts-check', `// ${head('presets.json')}`, '',
  '/** Where the figures of guides are from, and the day on which they were read. */',
  '/** @type {Readonly<Record<string, { source: string, date: string }>>} */',
  'export const GUIDE_SOURCES = Object.freeze({',
  ...sized.map(([name, { sources: [source], date }]) => `  '${name}': { source: '${source}', date: '${date}' },`), '});', ''].join('\n');

export const guideTables = () => ({
  'Sources/CropCore/Scene/Guides.swift': swift, 'Web/Element/guide-table.js': javascript,
  'Web/App/ui/guide-list.js': pageList, 'Web/App/ui/guide-sources.js': pageSources,
});
