// Generates the built-in ratios and targets, for Swift and for the page, from Schema/presets.json.

import { readFileSync } from 'node:fs';
import { head } from './schema-formats.mjs';

const { ratios, standing, sets } = JSON.parse(readFileSync(new URL('../Schema/presets.json', import.meta.url), 'utf8'));

/** The millimeters of a unit. */
const UNITS = { mm: 1, cm: 10, in: 25.4 };

/** A target for the page: with its ratio in lowest terms or its size, and its minimum size. */
function target({ name, ratio, size, print }) {
  const sides = ([width, height]) => ({ width, height });
  if (size) return { name, size: sides(size) };
  if (!print) return { name, ratio };
  const [, width, height, unit] = /^([\d.]+)x([\d.]+)(\w+)$/.exec(print);
  // In ten-thousandths of a millimeter, as in CropCore.
  const lengths = [width, height].map((length) => Math.round(length * UNITS[unit] * 10000));
  const divisor = (a, b) => (b ? divisor(b, a % b) : a);
  const by = divisor(...lengths);
  return {
    name, ratio: lengths.map((side) => side / by).join(':'),
    minimum: sides(lengths.map((side) => Math.round(side * 300 / 254000))),
  };
}

function swiftTarget({ name, ratio, size, print }) {
  if (size) {
    const [width, height] = size;
    return `        PhotoTarget(name: "${name}", requirement: .size(FrameSize(width: ${width}, height: ${height}))),`;
  }
  if (print) return `        PrintSize(text: "${print}").map { PhotoTarget(name: "${name}", requirement: .print(CropPrint($0))) },`;
  return `        AspectRatio(${ratio.split(':').join(', ')}).map { PhotoTarget(name: "${name}", requirement: .ratio($0)) },`;
}

const swift = [
  `// ${head('presets.json')}`, '// swift-format-ignore-file', '', '#if !hasFeature(Embedded)',
  '  extension AspectRatio {',
  '    /// The offered ratios, as users write them: the square and landscape ones.',
  `    public static let presets = [${ratios.map((ratio) => `"${ratio}"`).join(', ')}]`,
  '    /// Those that are also offered in portrait orientation.',
  `    public static let standingPresets = [${standing.map((ratio) => `"${ratio}"`).join(', ')}]`,
  '  }', '',
  '  extension TargetSet {', '    /// All of them.', '    public static let all: [TargetSet] = [',
  ...Object.entries(sets).flatMap(([name, { source, date, targets }]) => [
    `      TargetSet("${name}", source: "${source}", date: "${date}", [`, ...targets.map(swiftTarget), '      ]),']),
  '    ]', '  }', '#endif', ''].join('\n');

const javascript = [
  '// @ts-check', `// ${head('presets.json')}`, '',
  '/** The offered ratios: width and height, as users write them. */',
  'export const RATIOS = Object.freeze([',
  ...ratios.map((ratio) => `  [${ratio.split(':').join(', ')}],`), ']);', '',
  '/** The offered targets, and their words. */',
  'export const TARGETS = Object.freeze(/** @type {const} */ ([',
  ...Object.values(sets).flatMap(({ targets }) => targets).filter(({ label }) => label)
    .map((one) => `  { label: '${one.label}', target: ${JSON.stringify(target(one))} },`), ']));', ''].join('\n');

export const presetTables = () => ({
  'Sources/CropCore/Targets/Presets.swift': swift, 'Web/App/ui/presets.js': javascript,
});
