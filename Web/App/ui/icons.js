// @ts-check
// The icon set: 24 px box, 1.75 px stroke, round caps.

import { node } from './dom.js';

const SVG = 'http://www.w3.org/2000/svg';

const PATHS = Object.freeze({
  close: 'M6 6l12 12M18 6L6 18',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  back: 'M15 5l-7 7 7 7',
  undo: 'M9 6L4 11l5 5M4.5 11H14a6 6 0 0 1 6 6v1',
  redo: 'M15 6l5 5-5 5M19.5 11H10a6 6 0 0 0-6 6v1',
  reset: 'M4 12a8 8 0 1 0 2.6-5.9M4 4v5h5',
  share: 'M12 15V4M8 7.5L12 3.5l4 4M7 11H6a1.5 1.5 0 0 0-1.5 1.5v6A1.5 1.5 0 0 0 6 20h12a1.5 1.5 0 0 0 1.5-1.5v-6A1.5 1.5 0 0 0 18 11h-1',
  save: 'M12 4v11M8 11.5l4 4 4-4M5 19.5h14',
  crop: 'M7 3v12a2 2 0 0 0 2 2h12M3 7h12a2 2 0 0 1 2 2v12',
  turnLeft: 'M6 11h7.5A1.5 1.5 0 0 1 15 12.5V19a1.5 1.5 0 0 1-1.5 1.5H6A1.5 1.5 0 0 1 4.5 19v-6.5A1.5 1.5 0 0 1 6 11zM19.5 14.5V12A5.5 5.5 0 0 0 14 6.5H9.5M12.5 3.5l-3 3 3 3',
  turnRight: 'M18 11h-7.5A1.5 1.5 0 0 0 9 12.5V19a1.5 1.5 0 0 0 1.5 1.5H18a1.5 1.5 0 0 0 1.5-1.5v-6.5A1.5 1.5 0 0 0 18 11zM4.5 14.5V12A5.5 5.5 0 0 1 10 6.5h4.5M11.5 3.5l3 3-3 3',
  mirror: 'M12 4v16M9 7v11H4zM15 7v11h5z',
  mirrorDown: 'M4 12h16M7 9h11V4zM7 15h11v5z',
  shape: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16z',
  grid: 'M6 4h12a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2zM4 9.3h16M4 14.7h16M9.3 4v16M14.7 4v16',
  portrait: 'M8 4h8a1.5 1.5 0 0 1 1.5 1.5v13A1.5 1.5 0 0 1 16 20H8a1.5 1.5 0 0 1-1.5-1.5v-13A1.5 1.5 0 0 1 8 4z',
  landscape: 'M5.5 6.5h13A1.5 1.5 0 0 1 20 8v8a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 16V8a1.5 1.5 0 0 1 1.5-1.5z',
  trim: 'M5 5h14v14H5zM9 9h6v6H9z',
  level: 'M3.5 16.5l17-9M12 6.5V4.5M12 19.5v-2M6 19.5h12',
  lossless: 'M4 9.3h16M4 14.7h16M9.3 4v16M14.7 4v16M9.3 9.3h5.4v5.4H9.3z',
  help: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM9.7 9.7a2.4 2.4 0 1 1 3.4 2.2c-.7.4-1.1.9-1.1 1.6M12 16.3h.01',
  document: 'M7 3.5h7l4 4V19a1.5 1.5 0 0 1-1.5 1.5h-9.5A1.5 1.5 0 0 1 5.5 19V5A1.5 1.5 0 0 1 7 3.5zM14 3.5V8h4M8.5 12h6.5M8.5 15.5h6.5',
  handles: 'M5 9V5h4M15 5h4v4M19 15v4h-4M9 19H5v-4',
  draw: 'M4.5 19.5l1-4L16 5l3 3L8.5 18.5zM13.5 7.5l3 3',
  copy: 'M9 8h9.5A1.5 1.5 0 0 1 20 9.5v9a1.5 1.5 0 0 1-1.5 1.5H9a1.5 1.5 0 0 1-1.5-1.5v-9A1.5 1.5 0 0 1 9 8zM4.5 15.5A1.5 1.5 0 0 1 4 14.5V5.5A1.5 1.5 0 0 1 5.5 4h8.5a1.5 1.5 0 0 1 1.3.7',
  trash: 'M5 7h14M9.5 7V5h5v2M7 7l.8 11.5A1.5 1.5 0 0 0 9.3 20h5.4a1.5 1.5 0 0 0 1.5-1.5L17 7M10.5 10.5v6M13.5 10.5v6',
  more: 'M4 7h9M17 7h3M15 4.8v4.4M4 17h3M11 17h9M9 14.8v4.4',
  photo: 'M5.5 4h13A1.5 1.5 0 0 1 20 5.5v13a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 18.5v-13A1.5 1.5 0 0 1 5.5 4zM4 16l4.5-4.5 4 4 2.5-2.5 5 5M15.5 8.5h.01',
  camera: 'M4 8.5A1.5 1.5 0 0 1 5.5 7H8l1.5-2.5h5L16 7h2.5A1.5 1.5 0 0 1 20 8.5v9a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 17.5zM12 9.7a3.3 3.3 0 1 0 0 6.6 3.3 3.3 0 0 0 0-6.6z',
  warning: 'M12 8.5v4.5M12 16.5h.01M12 4l8.7 15H3.3z',
  soundOn: 'M4.5 9.5v5H8l4.5 3.5V6L8 9.5zM16 9a4.2 4.2 0 0 1 0 6M18.5 6.5a7.8 7.8 0 0 1 0 11',
  soundOff: 'M4.5 9.5v5H8l4.5 3.5V6L8 9.5zM16.5 9.8l4.4 4.4M20.9 9.8l-4.4 4.4',
  clock: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 7.5V12l3 2',
  folder: 'M4 7.5A1.5 1.5 0 0 1 5.5 6H10l2 2.5h6.5A1.5 1.5 0 0 1 20 10v7.5a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 17.5z',
  offline: 'M4 4l16 16M7.8 8A5 5 0 0 0 7 18h10.5M11 6.2A5 5 0 0 1 16.6 10 4 4 0 0 1 20 16',
  device: 'M7.5 3h9A1.5 1.5 0 0 1 18 4.5v15a1.5 1.5 0 0 1-1.5 1.5h-9A1.5 1.5 0 0 1 6 19.5v-15A1.5 1.5 0 0 1 7.5 3zM11 17.8h2',
  dots: 'M12 4.8a.7.7 0 1 0 0 1.4.7.7 0 0 0 0-1.4zM12 11.3a.7.7 0 1 0 0 1.4.7.7 0 0 0 0-1.4zM12 17.8a.7.7 0 1 0 0 1.4.7.7 0 0 0 0-1.4z',
  switchCamera: 'M4 11a8 8 0 0 1 13.7-4.7L20 8.5M20 4v4.5h-4.5M20 13a8 8 0 0 1-13.7 4.7L4 15.5M4 20v-4.5h4.5',
  flash: 'M13 3.5L6 13.5h5L10.5 20.5 18 10.5h-5.5z',
  flashOff: 'M13 3.5l-2.6 3.7M8.3 10.2L6 13.5h5L10.5 20.5l4-5.4M16 13.2l2-2.7h-4.6M4 4l16 16',
  plus: 'M12 5v14M5 12h14',
  search: 'M10.5 4.5a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM15 15l4.5 4.5',
  forward: 'M9 5l7 7-7 7',
  fold: 'M6 9.5l6 6 6-6',
  minus: 'M5 12h14',
  targets: 'M5 3.5h6A1.5 1.5 0 0 1 12.5 5v9.5A1.5 1.5 0 0 1 11 16H5a1.5 1.5 0 0 1-1.5-1.5V5A1.5 1.5 0 0 1 5 3.5zM16 9.5h3A1.5 1.5 0 0 1 20.5 11v8a1.5 1.5 0 0 1-1.5 1.5H9.5A1.5 1.5 0 0 1 8 19.5',
  hand: 'M8 12.5V6a1.5 1.5 0 0 1 3 0v5V4.5a1.5 1.5 0 0 1 3 0V11V6.5a1.5 1.5 0 0 1 3 0V14a6.5 6.5 0 0 1-6.5 6.5c-2.5 0-4-1-5.200-3L3.800 14.5a1.400 1.400 0 0 1 2.300-1.600z',
  pixels: 'M5 5h4v4H5zM15 5h4v4h-4zM10 10h4v4h-4zM5 15h4v4H5zM15 15h4v4h-4z',
  fit: 'M4 9V5.5A1.5 1.5 0 0 1 5.5 4H9M15 4h3.5A1.5 1.5 0 0 1 20 5.5V9M20 15v3.5a1.5 1.5 0 0 1-1.5 1.5H15M9 20H5.5A1.5 1.5 0 0 1 4 18.5V15',
});

/** @typedef {keyof typeof PATHS} IconName */

/** @param {IconName} name @param {number} [size] */
export function icon(name, size = 24) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('width', String(size));
  svg.setAttribute('height', String(size));
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('class', 'icon');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', PATHS[name]);
  svg.append(path);
  return svg;
}

/**
 * A square toolbar button.
 * @param {IconName} name @param {string} label @param {() => void} act
 * @param {string} [classes] more classes, separated by dots
 */
export function tool(name, label, act, classes = '') {
  return node(`button.quiet.square${classes && `.${classes}`}`, {
    type: 'button', 'aria-label': label, title: label, onclick: act,
  }, icon(name));
}
