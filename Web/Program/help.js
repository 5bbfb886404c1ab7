// @ts-check
// The help of the command, from the descriptions of the options.

import { WORDS } from './words.js';

const WIDTH = 80;

/**
 * Lines of at most WIDTH characters, after `indent`.
 * @param {string} text @param {string} indent
 */
function wrapped(text, indent) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines[lines.length - 1];
    if (line && indent.length + line.length + word.length >= WIDTH) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines.map((line) => indent + line).join('\n');
}

/** @param {readonly import('./faults.js').OptionWords[]} list */
const described = (list) => list.filter((one) => one.help).map(({ option, value, help: text }) =>
  `  --${option}${value ? ` <${value}>` : ''}\n${wrapped(text, '      ')}`).join('\n');

export const help = () => `Crop JPEGs without decoding them, on any machine with Node.

USAGE: cropkit crop IN… (-o OUT | -d FOLDER) [options]

  cropkit crop photo.jpg --rect 96,48,800,600 -o part.jpg
  cropkit crop photo.jpg --rect 100,50,800,600 --lossless snap -o part.jpg
  cropkit crop *.jpg --aspect 1:1 -d squares/

The options are those of ${WORDS.programs} which also crop other formats, and make
crops that need new pixels. Here, such a crop is an error (69).

OPTIONS:
  -o, --output <out>
      The output file; - is standard output.
  -d, --directory <folder>
      The folder for results; created if it does not exist.
  --force
      Overwrite existing outputs.
  -q, --quiet
      Print warnings and errors only.
  --json
      Print one line of JSON per result to standard output.
  --lenient
      Also crop truncated images, with a warning.
  --version, -h, --help

WHAT TO CROP:
${described(WORDS.what)}

THE RESULT:
${described(WORDS.how)}
`;
