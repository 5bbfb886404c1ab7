// Generates the built-in ratios and targets, for Swift and for the page, from Schema/presets.json.

import { readFileSync } from 'node:fs';
import { head } from './schema-formats.mjs';

const { ratios, standing, sets } = JSON.parse(readFileSync(new URL('../Schema/presets.json', import.meta.url), 'utf8'));

/** A target for the page: with its ratio, or its size in pixels or on paper. */
function target({ name, ratio, size, print }) {
  if (size) return { name, size: { width: size[0], height: size[1] } };
  return print ? { name, size: print } : { name, ratio };
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
  '/** The sizes of prints, as users write them. */',
  'export const PRINTS = Object.freeze([',
  ...Object.values(sets).flatMap(({ targets }) => targets).filter(({ print }) => print)
    .map(({ name, print }) => `  { name: '${name}', print: '${print}' },`), ']);', '',
  '/** The offered targets, and their words; those of passport photos are named after their guides. */',
  'export const TARGETS = Object.freeze(/** @type {const} */ ([',
  ...Object.values(sets).flatMap(({ targets }) => targets).filter(({ label, name }) => label || name.startsWith('passport'))
    .map((one) => `  { label: ${one.label ? `'${one.label}'` : 'null'}, target: ${JSON.stringify(target(one))} },`), ']));', ''].join('\n');

export const presetTables = () => ({
  'Sources/CropCore/Targets/Presets.swift': swift, 'Web/App/ui/presets.js': javascript,
});
