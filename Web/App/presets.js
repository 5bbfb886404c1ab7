// @ts-check
// Made by Scripts/presets.mjs of Schema/presets.json; change that.

/** The ratios that are offered: width and height, as people say them. */
export const RATIOS = Object.freeze([
  [1, 1],
  [3, 2],
  [4, 3],
  [5, 4],
  [16, 9],
  [7, 5],
  [5, 3],
  [16, 10],
  [21, 9],
]);

/** The targets that are offered, and the words for them. */
export const TARGETS = Object.freeze(/** @type {const} */ ([
  { label: 'ratioSquare', target: {"name":"square","ratio":"1:1"} },
  { label: 'targetPortrait', target: {"name":"portrait","ratio":"4:5"} },
  { label: 'targetStory', target: {"name":"story","ratio":"9:16"} },
  { label: 'targetWide', target: {"name":"wide","ratio":"16:9"} },
  { label: 'targetLink', target: {"name":"link","size":{"width":1200,"height":630}} },
  { label: 'targetBanner', target: {"name":"banner","ratio":"3:1"} },
  { label: 'targetPrint', target: {"name":"10x15","ratio":"2:3","minimum":{"width":1182,"height":1772}} },
]));
