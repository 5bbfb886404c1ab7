// The page converts recipes for other programs like the command line: the texts of
// Tests/CropCoreTests/CropExporterTests.swift, from the module's numbers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Core } from '../Element/core.js';
import { shownRecipe } from '../Element/shown-recipe.js';
import { EXPORTERS } from '../Element/exporter-table.js';
import { modules } from './core.mjs';

/** A recipe as the element returns it, for an image of 600 × 400 pixels. */
async function shown(recipe, orientation = 1) {
  const core = await Core.of(modules.cropcore);
  core.open({ width: 600, height: 400 });
  core.resize({ width: 600, height: 400 });
  assert.equal(core.setRecipe(recipe) & 256, 0, 'the recipe fits');
  return shownRecipe(core.recipe(), { width: 600, height: 400, orientation }, core);
}

test('a part of a picture', async () => {
  const recipe = await shown({ rect: { x: 10, y: 20, width: 300, height: 200 } });
  const wanted = {
    sharp: 'sharp(input).autoOrient().extract({ left: 10, top: 20, width: 300, height: 200 })',
    imgproxy: 'auto_rotate:1/crop:300:200:nowe:10:20',
    thumbor: '10x20:310x220',
    vips: 'vips autorot INPUT 1.v && vips crop 1.v OUTPUT 10 20 300 200',
    imagemagick: 'magick INPUT -auto-orient +repage -crop 300x200+10+20 +repage OUTPUT',
    css: '.crop { position: relative; overflow: hidden; width: 300px; height: 200px; '
      + '} .crop > img { position: absolute; left: 0; top: 0; max-width: none; '
      + 'width: 600px; height: 400px; transform-origin: 0 0; '
      + 'transform: matrix(1, 0, 0, 1, -10, -20); }',
    sanity: '{"_type": "image", "crop": {"_type": "sanity.imageCrop", "top": 0.05, "bottom": 0.45, '
      + '"left": 0.016667, "right": 0.483333}, "hotspot": {"_type": "sanity.imageHotspot", '
      + '"x": 0.266667, "y": 0.3, "height": 0.5, "width": 0.5}}',
    typo3: '{"cropArea": {"x": 0.016667, "y": 0.05, "width": 0.5, "height": 0.5}, '
      + '"selectedRatio": "3:2", "focusArea": null}',
    immich: '{"edits": [{"action": "crop", "parameters": {"x": 10, "y": 20, "width": 300, "height": 200}}]}',
  };
  assert.deepEqual(Object.keys(wanted), Object.keys(EXPORTERS));
  for (const [name, text] of Object.entries(wanted)) assert.equal(recipe.to(name), text);
});

test('a part that is mirrored, turned and made smaller', async () => {
  const recipe = await shown({
    rect: { x: 30, y: 40, width: 200, height: 300 }, quarterTurns: 1, mirrored: true,
    output: { width: 100, height: 150 },
  });
  assert.equal(recipe.to('sharp'), 'sharp(input).autoOrient()'
    + '.extract({ left: 260, top: 170, width: 300, height: 200 })'
    + ".resize({ width: 150, height: 100, fit: 'fill' }).flop().rotate(90)");
  assert.equal(recipe.to('thumbor'), '260x170:560x370/-150x100/filters:stretch():rotate(270)');
  assert.equal(recipe.to('vips'), 'vips autorot INPUT 1.v && vips crop 1.v 2.v 260 170 300 200 && '
    + 'vips flip 2.v 3.v horizontal && vips rot 3.v 4.v d90 && '
    + 'vips thumbnail_image 4.v OUTPUT 100 --height 150 --size force');
  assert.throws(() => recipe.to('imgproxy'), { name: 'RangeError', message: "imgproxy can't mirror" });
  assert.throws(() => recipe.to('immich'), { message: "immich can't set the size of the result" });
});

test('css tilts and masks; the others refuse', async () => {
  const recipe = await shown({
    rect: { x: 200, y: 100, width: 200, height: 200 }, tilt: 30, shape: { roundedRectangle: 20 },
    output: { maxSide: 100 },
  });
  assert.match(recipe.to('css'), /border-radius: 10px \/ 10px;/);
  assert.ok(recipe.to('css').includes('matrix(0.433013, 0.25, -0.25, 0.433013, -29.903811, -111.60254)'));
  for (const name of Object.keys(EXPORTERS).filter((one) => one !== 'css')) {
    assert.throws(() => recipe.to(name), RangeError);
  }
});

test('imgproxy refuses to turn a photo that is stored mirrored', async () => {
  const turned = { rect: { x: 0, y: 0, width: 400, height: 600 }, quarterTurns: 1 };
  assert.equal((await shown(turned, 6)).to('imgproxy'), 'auto_rotate:1/rotate:90');
  const recipe = await shown(turned, 5);
  assert.throws(() => recipe.to('imgproxy'), RangeError);
});

test('a recipe is plain but for what it can do', async () => {
  const recipe = await shown({ rect: { x: 10, y: 20, width: 300, height: 200 } });
  assert.deepEqual(Object.keys(recipe),
    ['version', 'rect', 'quarterTurns', 'mirrored', 'tilt', 'shape', 'output']);
  assert.deepEqual(structuredClone(recipe), JSON.parse(JSON.stringify(recipe)));
  // As Vue and others wrap watched objects.
  assert.equal(new Proxy(recipe, {}).to('thumbor'), '10x20:310x220');
  for (const name of ['', 'photoshop', 'toString', '__proto__']) {
    assert.throws(() => recipe.to(name), RangeError);
  }
});
