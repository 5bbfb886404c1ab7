// Writes the element's class for the TypeScript of others, from its own description, and removes what it does
// not lead to: package-types.mjs FOLDER
//
// The compiler's own declarations, which are made of comments in JavaScript, list what is internal, and can't
// say of an accessor that it takes more than it gives.

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const [folder] = process.argv.slice(2);
const read = (name) => readFileSync(new URL(`../Web/Package/${name}`, import.meta.url), 'utf8');
const [element] = JSON.parse(read('custom-elements.json')).modules[0].declarations;

/** What the description's words for texts of one form are to the compiler. */
const FORMS = {
  "'W:H'": '`${number}:${number}` | `${number}/${number}` | `${number}`',
  "'rounded:PIXELS'": '`rounded:${number}`',
  "'WIDTHxHEIGHT'": '`${number}x${number}`',
  "'N%'": '`${number}%`',
};
/** Properties that take more than they give. */
const TAKES = { recipe: 'RecipeInput | null | undefined', value: 'string | null | undefined' };

const typed = (text) => Object.entries(FORMS).reduce((all, [form, type]) => all.replaceAll(form, type), text);
const told = (text, indent) => `${indent}/** ${text.replaceAll('*/', '* /')} */\n`;
const attributes = new Map(element.attributes.map((one) => [one.name, one]));

const union = (...types) => [...new Set(types.join(' | ').split(' | '))].join(' | ');

/** What an attribute takes as a property or in markup: numbers may be written out. */
const taken = ({ name, type: { text } }) =>
  union(typed(text), ...(name === 'aspect-ratio' || text.includes('number') ? ['number', '`${number}`'] : []));

function field(one) {
  const { name, type: { text }, description, readonly: isFixed } = one;
  const attribute = attributes.get(one.attribute);
  if (!attribute) {
    const getter = `  get ${name}(): ${text};\n`;
    return told(description, '  ') + getter + (isFixed ? '' : `  set ${name}(value: ${TAKES[name] ?? text});\n`);
  }
  const isPlain = text === 'boolean' || text === 'string';
  // A number is given back as the attribute's text; without a default there may be none.
  const gives = isPlain ? text : text.includes('number') ? 'string' : union(typed(text), ...(attribute.default ? [] : ["''"]));
  const takes = text === 'boolean' ? text : union(gives, taken(attribute), "''", 'null', 'undefined');
  return `${told(attribute.description, '  ')}  get ${name}(): ${gives};\n  set ${name}(value: ${takes});\n`;
}

const method = ({ name, parameters, return: { type }, description }) => `${told(description, '  ')}  ${name}(${
  parameters.map((one) => `${one.name}${one.optional ? '?' : ''}: ${one.type.text}`).join(', ')}): ${type.text};\n`;

const members = element.members.filter(({ privacy }) => privacy !== 'protected');

writeFileSync(`${folder}/crop-view.d.ts`, `// Made by Scripts/package-types.mjs of custom-elements.json; change that.

import type { Recipe } from './core.js';
import type { CutOptions } from './cut.js';
import type { CropErrorEvent } from './errors.js';
import type { CommandName, Constants, State } from './interface.js';
import type { ShownRecipe } from './shown-recipe.js';
import type { WordKey } from './words.js';

/** A recipe as \`view.recipe\` takes it: what is missing or null has its default. */
export type RecipeInput = { readonly [Key in keyof Recipe]?: Recipe[Key] | null };

/** \`detail\` of \`beforecrop\`. */
export interface BeforeCropEvent extends CustomEvent {
  readonly detail: { readonly recipe: Recipe; readonly options: CutOptions };
}

/** What the element tells. */
export interface CropViewEvents {
${element.events.map((one) => `${told(one.description, '  ')}  ${one.name}: ${one.type.text};\n`).join('')}}

export interface CropViewEventMap extends Omit<HTMLElementEventMap, keyof CropViewEvents>, CropViewEvents {}

/** The element's attributes, as markup and JSX have them. */
export interface CropViewAttributes {
${element.attributes.map((one) => `${told(one.description, '  ')}  ${JSON.stringify(one.name)}?: ${
    taken(one)} | undefined;\n`).join('')}}

/** ${element.description} */
export class CropView extends HTMLElement {
${members.map((one) => (one.kind === 'field' ? field(one) : method(one))).join('')}
  addEventListener<Name extends keyof CropViewEventMap>(
    type: Name, listener: (this: CropView, event: CropViewEventMap[Name]) => unknown,
    options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions): void;
  removeEventListener<Name extends keyof CropViewEventMap>(
    type: Name, listener: (this: CropView, event: CropViewEventMap[Name]) => unknown,
    options?: boolean | EventListenerOptions): void;
  removeEventListener(type: string, listener: EventListenerOrEventListenerObject,
    options?: boolean | EventListenerOptions): void;
}
`);

const entries = ['package.d.ts', 'react-props.d.ts', 'react.d.ts', 'react-18.d.ts', 'vue.d.ts'];
for (const name of entries) writeFileSync(`${folder}/${name}`, read(name));
const reached = new Set(entries);
for (const name of reached) {
  const text = readFileSync(`${folder}/${name}`, 'utf8');
  for (const [, other] of text.matchAll(/['"]\.\/([\w-]+)\.js['"]/g)) reached.add(`${other}.d.ts`);
}
for (const name of readdirSync(folder)) if (!reached.has(name)) rmSync(`${folder}/${name}`);
