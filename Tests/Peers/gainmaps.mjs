// Crops JPEGs with gain maps as the page does without a server. Standard input has a line of JSON for each crop: the
// photo `input`, its upright `width` and `height`, the `recipe`, the file to write, `output`, and `drawn`, a crop
// without a map that stands for the one that a canvas draws; without it, blocks are copied. Prints how many bytes the
// results have more than the crops without a map.
import { readFileSync, writeFileSync } from 'node:fs';
import { Core } from '../../Web/Element/core.js';
import { addGainMap, JPEG, makeJPEG } from '../../Web/Element/extra.js';
import { Change, Lossless, Metadata, Style } from '../../Web/Element/interface.js';

const element = new URL('../../Web/Element/', import.meta.url);
const [core, jpeg, extra] = ['cropcore', 'cropjpeg', 'cropextra'].map(
  (name) => new WebAssembly.Module(readFileSync(new URL(`${name}.wasm`, element))));
const session = await Core.of(core);

async function cropped({ input, width, height, recipe, output, drawn }) {
  const bytes = readFileSync(input);
  const file = new Blob([bytes]);
  session.open({ width, height });
  const header = await JPEG.of(jpeg, new Uint8Array(bytes));
  header.open();
  session.setJPEG({ jpeg: header.header() });
  session.command('style', recipe.quad ? Style.quad : Style.studio);
  if (session.setRecipe(recipe) & Change.refused) throw new Error(`${input}: the recipe is refused`);
  let crop;
  /** @type {object} */ let made;
  if (drawn) {
    crop = new Blob([readFileSync(drawn)]);
    const { width: across, height: down } = session.drawing();
    made = { drawn: { width: across, height: down, recipe: session.recipe() } };
  } else {
    const part = session.jpegPart({ mode: Lossless.exact });
    crop = (await makeJPEG(jpeg, { file, part, metadata: Metadata.keep })).blob;
    made = { part };
  }
  const { blob } = await addGainMap(extra, { file, crop, ...made });
  writeFileSync(output, new Uint8Array(await blob.arrayBuffer()));
  return blob.size - crop.size;
}

const added = [];
for (const line of readFileSync(0, 'utf8').trim().split('\n')) added.push(await cropped(JSON.parse(line)));
process.stdout.write(JSON.stringify(added));
