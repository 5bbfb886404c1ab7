// @ts-check
// "Recently deleted": the photos in the trash, each of which can be restored.

import { explain } from '../server/explain.js';
import { listRemoved, removedURL, restore } from '../server/library-api.js';
import { chip } from '../ui/chips.js';
import { node } from '../ui/dom.js';
import { icon } from '../ui/icons.js';
import { showDialog } from '../ui/menu.js';
import { formatDay, words } from '../ui/words.js';

/** @typedef {import('../server/library-api.js').Removed} Removed */

/** A link in the list of albums that shows them. */
export function removedButton() {
  return node('button.album.removed-link', { type: 'button', onclick: () => void showRemoved() },
    node('span.cover', {}, icon('trash', 20)), node('span.name', {}, words('recentlyDeleted')));
}

async function showRemoved() {
  const list = node('ul.removed');
  const notice = node('p.explain.problem', { role: 'alert' });
  const empty = node('p', { hidden: true }, words('recentlyDeletedNone'));
  const say = (/** @type {unknown} */ error, name = words('photos')) => {
    const { title, detail } = explain(error, name);
    notice.textContent = `${title} ${detail}`;
  };
  const count = () => {
    empty.hidden = list.childElementCount > 0;
  };
  const row = (/** @type {Removed} */ photo) => {
    const image = node('img', { alt: '', loading: 'lazy', src: removedURL(photo.id) });
    // A file in the trash may be damaged.
    image.addEventListener('error', () => image.replaceWith(icon('warning', 22)));
    const button = chip(words('restore'), async () => {
      notice.textContent = '';
      button.disabled = true;
      try {
        await restore(photo.id);
        item.remove();
        count();
      } catch (error) {
        button.disabled = false;
        say(error, photo.name);
      }
    }, { 'aria-label': words('restoreNamed', photo.name) });
    const item = node('li', {}, node('span.look', {}, image),
      node('div', {}, node('strong', {}, node('bdi', {}, photo.name)), node('span', {}, formatDay(photo.removed))),
      button);
    return item;
  };
  try {
    const { photos } = await listRemoved();
    list.replaceChildren(...photos.map(row));
    count();
  } catch (error) {
    say(error);
  }
  const dialog = showDialog('removed', words('recentlyDeleted'), node('p', {}, words('recentlyDeletedWhat')),
    empty, list, notice, node('div.actions', {},
      node('button.secondary', { type: 'button', onclick: () => dialog.close() }, words('close'))));
}
