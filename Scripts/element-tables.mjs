// The tables of the element's documentation for the package's README and the site, generated from its
// description. A table has a header and rows; backquotes in a cell mark code.

import { readFileSync } from 'node:fs';
import { views } from './catalog.mjs';
import { elementKeys } from './words.mjs';

const read = (path) => JSON.parse(readFileSync(new URL(`../Web/${path}`, import.meta.url), 'utf8'));
const { declarations } = read('Package/custom-elements.json').modules[0];
const [element, ...others] = declarations;
const { exporters } = read('exporters.json');
const { guides: { about: _, ...guides } } = read('../Schema/presets.json');

/** What a guide shows, in figures. */
function figures({ size, unit, head, above, eyes, covered }) {
  if (!size) return 'lines';
  const range = ([least, most]) => `${least} to ${most} ${unit}`;
  const parts = head ? [`head ${range(head)}`, above && `space above ${range(above)}`, eyes && `eyes ${range(eyes)} above the bottom`]
    : Object.entries(covered).map(([side, value]) => `${side} ${typeof value === 'string' ? value : `${value} ${unit}`}`);
  return `${size.join(' × ')} ${unit}: ${parts.filter(Boolean).join(', ')}`;
}

const shown = element.members.filter(({ privacy, attribute }) => privacy !== 'protected' && !attribute);
const code = (text) => `\`${text}\``;
const called = ({ name, parameters }) => code(`${name}(${parameters.map((one) =>
  (one.optional ? `${one.name}?` : one.name)).join(', ')})`);
const named = (list) => list.map((one) => [code(one.name), one.description]);

/** The headers and rows by the table's name. */
export const tables = {
  exporters: [['Name', 'Documented for'], Object.entries(exporters).map(([name, { version }]) =>
    [code(name), version])],
  attributes: [['Attribute', 'Values', 'Description'], element.attributes.map((one) =>
    [code(one.name), code(one.type.text), one.default ? `${one.description} Default: ${code(one.default)}.`
      : one.description])],
  properties: [['Property', 'Type', 'Description'], shown.filter(({ kind }) => kind === 'field')
    .map((one) => [code(one.name), code(one.type.text), one.description])],
  methods: [['Method', 'Returns', 'Description'], shown.filter(({ kind }) => kind === 'method')
    .map((one) => [called(one), code(one.return.type.text), one.description])],
  events: [['Event', 'When'], named(element.events)],
  slots: [['Slot', 'Description'], named(element.slots)],
  parts: [['Part', 'Description'], named(element.cssParts)],
  properties_css: [['Custom property', 'Default', 'For'],
    element.cssProperties.map((one) => [code(one.name), code(one.default), one.description])],
  states: [['State', 'Description'], element.cssStates.map((one) => [code(`:state(${one.name})`), one.description])],
  guides: [['Guide', 'Shows'], Object.entries(guides).map(([name, guide]) => [code(name), figures(guide)])],
  exports: [['Name', 'Description'], [['`CropView`', 'The element’s class.'], ...named(others)]],
  words: [['Key', 'In English'], elementKeys.map((key) => [code(key), views.forms(key, 'en')['']])],
};
