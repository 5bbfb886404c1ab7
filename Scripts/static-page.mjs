#!/usr/bin/env node
// Changes the bundled page for hosts without CropKit's server: static-page.mjs FOLDER. Its HTML says that there is
// none, which Web/App/server/api.js reads, and has the rules that the server sends in headers. The list of sample
// photos, which the server makes, is a file.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** The server's policy (ResponseHeaders.policy), without the part that browsers only accept in a header. */
const POLICY = [
  "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'",
  "img-src 'self' blob: data:", "media-src 'self' blob:", "font-src 'self'",
  "connect-src 'self' blob: data:", "worker-src 'self' blob:", "manifest-src 'self'",
  "base-uri 'none'", "form-action 'none'",
].join('; ');

const [folder] = process.argv.slice(2);
const read = (name) => readFileSync(`${folder}/${name}`, 'utf8');

const { description } = JSON.parse(read('manifest.webmanifest'));
const changes = [
  ['data-lang="auto"', 'data-lang="auto" data-server="none"'],
  ['<meta charset="utf-8">', `<meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy" content="${POLICY}">
  <meta name="referrer" content="no-referrer">
  <meta name="description" content="${description}">`],
];
let html = read('index.html');
for (const [from, to] of changes) {
  if (!html.includes(from)) throw new Error(`static-page: index.html has no ${from}`);
  html = html.replace(from, to);
}
writeFileSync(`${folder}/index.html`, html);

/** The size of a WebP file with metadata (RFC 9649, section 2.7). */
function sizeOf(path) {
  const bytes = readFileSync(path);
  if (bytes.toString('latin1', 12, 16) !== 'VP8X') throw new Error(`static-page: ${path} is another kind of WebP`);
  return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
}

const samples = readdirSync(`${folder}/samples`).filter((name) => name.endsWith('.jpg')).sort().map((name) => {
  const stem = name.replace('.jpg', '');
  const thumbnail = `samples/thumbnails/${stem}.webp`;
  const title = stem.replaceAll('-', ' ');
  return { name, title: title[0].toUpperCase() + title.slice(1), url: `samples/${name}`, thumbnail,
    ...sizeOf(`${folder}/${thumbnail}`) };
});
writeFileSync(`${folder}/samples.json`, `${JSON.stringify({ samples }, null, 1)}\n`);
