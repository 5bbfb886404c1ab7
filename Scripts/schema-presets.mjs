// Generates the built-in ratios and targets, for Swift and for the page, from Schema/presets.json.

import { readFileSync } from 'node:fs';
import { head } from './schema-formats.mjs';

const { ratios, standing, sets } = JSON.parse(readFileSync(new URL('../Schema/presets.json', import.meta.url), 'utf8'));

/** A target with its ratio in lowest terms or its size, and its minimum size. */
function target({ name, ratio, size, centimeters }) {
  const sides = ([width, height]) => ({ width, height });
  if (size) return { name, size: sides(size) };
  if (!centimeters) return { name, ratio };
  const divisor = (a, b) => (b ? divisor(b, a % b) : a);
  const by = divisor(...centimeters);
  return {
    name, ratio: centimeters.map((side) => side / by).join(':'),
    minimum: sides(centimeters.map((side) => Math.ceil(side / 2.54 * 300))),
  };
}

const swiftSize = ({ width, height }) => `FrameSize(width: ${width}, height: ${height})`;

function swiftTarget(one) {
  const { name, ratio, size, minimum } = target(one);
  return size ? `        PhotoTarget(name: "${name}", requirement: .size(${swiftSize(size)})),`
    : `        AspectRatio(${ratio.split(':').join(', ')}).map { PhotoTarget(name: "${name}", requirement: .ratio($0)`
      + `${minimum ? `, minimum: ${swiftSize(minimum)}` : ''}) },`;
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
