// @ts-check
// The signed-in browsers: a list with buttons to sign them out.

import { explain } from '../server/explain.js';
import { call, fetchAnswer } from '../server/library-api.js';
import { chip } from '../ui/chips.js';
import { node } from '../ui/dom.js';
import { icon } from '../ui/icons.js';
import { showDialog } from '../ui/menu.js';
import { formatTime, words } from '../ui/words.js';

/**
 * @typedef {object} Device
 * @property {string} id
 * @property {string} name may be empty
 * @property {string} joined ISO 8601 @property {string} seen ISO 8601, to the hour
 * @property {string} [address] the address it was last seen at
 * @property {boolean} isThis whether it is this browser
 */

/** A button that shows the list. */
export function devicesButton() {
  return node('button.quiet.devices', { type: 'button', onclick: () => void showDevices() },
    icon('device', 20), words('devices'));
}

async function showDevices() {
  const list = node('ul.device-list');
  const notice = node('p.device-problem', { role: 'alert', hidden: true });
  const fail = (/** @type {unknown} */ error) => {
    const { title, detail } = explain(error, '', 'problemDevices', 'tryAgain');
    notice.textContent = `${title} ${detail}`;
    notice.hidden = false;
  };
  const load = async () => {
    /** @type {{devices: Device[]}} */ const { devices } = await call('api/devices', {});
    // This one first, then the last used.
    const sorted = [...devices].sort((one, other) => Number(other.isThis) - Number(one.isThis)
      || other.seen.localeCompare(one.seen));
    list.replaceChildren(...sorted.map((device) => row(device, end)));
    rest = sorted.filter(({ isThis }) => !isThis);
    others.hidden = rest.length < 2;
  };
  /** @type {Device[]} the other devices */ let rest = [];
  const others = chip(words('endOthers'), async () => {
    others.disabled = true;
    for (const device of rest) await end(device);
    others.disabled = false;
  });
  others.hidden = true;
  const end = async (/** @type {Device} */ device) => {
    try {
      await fetchAnswer(`api/devices/${encodeURIComponent(device.id)}/end`, { method: 'POST' });
      if (device.isThis) location.reload();
      else await load();
    } catch (error) {
      fail(error);
    }
  };
  await load().catch(fail);
  const dialog = showDialog('devices', words('devices'), node('p', {}, words('devicesWhat')), list, others, notice,
    node('div.actions', {},
      node('button.secondary', { type: 'button', onclick: () => dialog.close() }, words('close'))));
}

/** @param {Device} device @param {(device: Device) => void} end */
function row(device, end) {
  const name = device.name || words('deviceUnnamed');
  const when = device.isThis ? words('thisDevice') : words('deviceSeen', formatTime(device.seen));
  return node('li', {},
    node('div', {}, node('strong', {}, node('bdi', {}, name)), node('span', {}, when),
      ...device.address ? [node('span', {}, node('bdi', {}, device.address))] : []),
    chip(words(device.isThis ? 'signOut' : 'endDevice'), () => end(device),
      { 'aria-label': device.isThis ? null : words('endDeviceNamed', name) }));
}
