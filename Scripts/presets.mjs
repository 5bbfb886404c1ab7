#!/usr/bin/env node
// Makes the ratios and targets that come with the programs of Schema/presets.json, for Swift and for the page.
// `--check` only compares.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writeOrCheck } from './generated.mjs';

const { ratios, standing, sets } = JSON.parse(readFileSync(new URL('../Schema/presets.json', import.meta.url), 'utf8'));
const head = 'Made by Scripts/presets.mjs of Schema/presets.json; change that.';

/** A target with its ratio in lowest terms or its size, and its fewest pixels. */
function target({ name, ratio, size, centimetres }) {
  const sides = ([width, height]) => ({ width, height });
  if (size) return { name, size: sides(size) };
  if (!centimetres) return { name, ratio };
  const divisor = (a, b) => (b ? divisor(b, a % b) : a);
  const by = divisor(...centimetres);
  return {
    name, ratio: centimetres.map((side) => side / by).join(':'),
    minimum: sides(centimetres.map((side) => Math.ceil(side / 2.54 * 300))),
  };
}

const swiftSize = ({ width, height }) => `FrameSize(width: ${width}, height: ${height})`;

function swiftTarget(one) {
  const { name, ratio, size, minimum } = target(one);
  return size ? `        PhotoTarget(name: "${name}", frame: .size(${swiftSize(size)})),`
    : `        AspectRatio(${ratio.split(':').join(', ')}).map { PhotoTarget(name: "${name}", frame: .ratio($0)`
      + `${minimum ? `, minimum: ${swiftSize(minimum)}` : ''}) },`;
}

const swift = [
  `// ${head}`, '// swift-format-ignore-file', '', '#if !hasFeature(Embedded)',
  '  extension AspectRatio {',
  '    /// The ratios that faces offer, as people say them; the square and those that lie.',
  `    public static let presets = [${ratios.map((ratio) => `"${ratio}"`).join(', ')}]`,
  '    /// Those of them that stand upright and are offered too.',
  `    public static let standingPresets = [${standing.map((ratio) => `"${ratio}"`).join(', ')}]`,
  '  }', '',
  '  extension TargetSet {', '    /// All of them.', '    public static let all: [TargetSet] = [',
  ...Object.entries(sets).flatMap(([name, targets]) => [
    `      TargetSet("${name}", [`, ...targets.map(swiftTarget), '      ]),']),
  '    ]', '  }', '#endif', ''].join('\n');

const javascript = [
  '// @ts-check', `// ${head}`, '',
  '/** The ratios that are offered: width and height, as people say them. */',
  'export const RATIOS = Object.freeze([',
  ...ratios.map((ratio) => `  [${ratio.split(':').join(', ')}],`), ']);', '',
  '/** The targets that are offered, and the words for them. */',
  'export const TARGETS = Object.freeze(/** @type {const} */ ([',
  ...Object.values(sets).flat().filter(({ label }) => label)
    .map((one) => `  { label: '${one.label}', target: ${JSON.stringify(target(one))} },`), ']));', ''].join('\n');

export const made = { 'Sources/CropCore/Targets/Presets.swift': swift, 'Web/App/presets.js': javascript };

if (process.argv[1] === fileURLToPath(import.meta.url)) writeOrCheck(made, 'presets', 'Schema/presets.json');
