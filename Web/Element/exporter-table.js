// @ts-check
// Made by Scripts/interface.mjs of Web/exporters.json; change that.

/**
 * @typedef {object} Exporter
 * @property {string} version for which it is documented
 * @property {string} join
 * @property {readonly (readonly [string, string])[]} steps conditions, text
 * @property {readonly (readonly [string, string])[]} lacks conditions, what can’t be
 */

/** @typedef {'sharp' | 'imgproxy' | 'thumbor' | 'vips' | 'imagemagick' | 'css' | 'sanity' | 'typo3'} ExporterName */

/** @type {Readonly<Record<ExporterName, Exporter>>} */
export const EXPORTERS = Object.freeze({
  "sharp": {
    "version": "sharp 0.34",
    "join": "",
    "steps": [
      [
        "",
        "sharp(input).autoOrient()"
      ],
      [
        "cut",
        ".extract({ left: {left}, top: {top}, width: {width}, height: {height} })"
      ],
      [
        "resize",
        ".resize({ width: {unturnedWidth}, height: {unturnedHeight}, fit: 'fill' })"
      ],
      [
        "mirror",
        ".flop()"
      ],
      [
        "turn",
        ".rotate({degrees})"
      ]
    ],
    "lacks": [
      [
        "quad",
        "straighten four corners"
      ],
      [
        "tilt",
        "tilt"
      ],
      [
        "ellipse",
        "mask to an ellipse"
      ],
      [
        "rounded",
        "round corners"
      ]
    ]
  },
  "imgproxy": {
    "version": "imgproxy 3.30",
    "join": "/",
    "steps": [
      [
        "",
        "auto_rotate:1"
      ],
      [
        "turn",
        "rotate:{degrees}"
      ],
      [
        "cut",
        "crop:{frameWidth}:{frameHeight}:nowe:{frameLeft}:{frameTop}"
      ],
      [
        "resize",
        "resize:force:{outputWidth}:{outputHeight}:1"
      ]
    ],
    "lacks": [
      [
        "quad",
        "straighten four corners"
      ],
      [
        "tilt",
        "tilt"
      ],
      [
        "ellipse",
        "mask to an ellipse"
      ],
      [
        "rounded",
        "round corners"
      ],
      [
        "mirror",
        "mirror"
      ],
      [
        "storedMirrored transpose",
        "turn a picture whose EXIF orientation mirrors it"
      ]
    ]
  },
  "thumbor": {
    "version": "thumbor 7, with RESPECT_ORIENTATION = True",
    "join": "/",
    "steps": [
      [
        "cut",
        "{left}x{top}:{right}x{bottom}"
      ],
      [
        "resize !mirror",
        "{unturnedWidth}x{unturnedHeight}"
      ],
      [
        "resize mirror",
        "-{unturnedWidth}x{unturnedHeight}"
      ],
      [
        "!resize mirror",
        "-0x0"
      ],
      [
        "resize !turn",
        "filters:stretch()"
      ],
      [
        "resize turn",
        "filters:stretch():rotate({degreesBack})"
      ],
      [
        "!resize turn",
        "filters:rotate({degreesBack})"
      ]
    ],
    "lacks": [
      [
        "quad",
        "straighten four corners"
      ],
      [
        "tilt",
        "tilt"
      ],
      [
        "ellipse",
        "mask to an ellipse"
      ],
      [
        "rounded",
        "round corners exactly"
      ]
    ]
  },
  "vips": {
    "version": "libvips 8.14",
    "join": " && ",
    "steps": [
      [
        "",
        "vips autorot {in} {out}"
      ],
      [
        "cut",
        "vips crop {in} {out} {left} {top} {width} {height}"
      ],
      [
        "mirror",
        "vips flip {in} {out} horizontal"
      ],
      [
        "turn",
        "vips rot {in} {out} d{degrees}"
      ],
      [
        "resize",
        "vips thumbnail_image {in} {out} {outputWidth} --height {outputHeight} --size force"
      ]
    ],
    "lacks": [
      [
        "quad",
        "straighten four corners"
      ],
      [
        "tilt",
        "tilt exactly"
      ],
      [
        "ellipse",
        "mask to an ellipse"
      ],
      [
        "rounded",
        "round corners"
      ]
    ]
  },
  "imagemagick": {
    "version": "ImageMagick 7; 6 has it as convert",
    "join": " ",
    "steps": [
      [
        "",
        "magick INPUT -auto-orient +repage"
      ],
      [
        "cut",
        "-crop {width}x{height}+{left}+{top} +repage"
      ],
      [
        "mirror",
        "-flop"
      ],
      [
        "turn",
        "-rotate {degrees}"
      ],
      [
        "resize",
        "-resize '{outputWidth}x{outputHeight}!'"
      ],
      [
        "",
        "OUTPUT"
      ]
    ],
    "lacks": [
      [
        "quad",
        "straighten four corners"
      ],
      [
        "tilt",
        "tilt exactly"
      ],
      [
        "ellipse",
        "mask to an ellipse"
      ],
      [
        "rounded",
        "round corners"
      ]
    ]
  },
  "css": {
    "version": "CSS Transforms Level 1; image-orientation is from-image unless set",
    "join": " ",
    "steps": [
      [
        "",
        ".crop { position: relative; overflow: hidden; width: {outputWidth}px; height: {outputHeight}px;"
      ],
      [
        "ellipse",
        "border-radius: 50%;"
      ],
      [
        "rounded",
        "border-radius: {cornerWidth}px / {cornerHeight}px;"
      ],
      [
        "",
        "} .crop > img { position: absolute; left: 0; top: 0; max-width: none;"
      ],
      [
        "",
        "width: {pictureWidth}px; height: {pictureHeight}px; transform-origin: 0 0;"
      ],
      [
        "",
        "transform: matrix({a}, {b}, {c}, {d}, {e}, {f}); }"
      ]
    ],
    "lacks": [
      [
        "quad",
        "straighten four corners"
      ]
    ]
  },
  "sanity": {
    "version": "Sanity Studio 3 with @sanity/image-url 1",
    "join": "",
    "steps": [
      [
        "",
        "{\"_type\": \"image\", \"crop\": {\"_type\": \"sanity.imageCrop\", "
      ],
      [
        "",
        "\"top\": {shareTop}, \"bottom\": {shareBottom}, \"left\": {shareLeft}, \"right\": {shareRight}}, "
      ],
      [
        "",
        "\"hotspot\": {\"_type\": \"sanity.imageHotspot\", \"x\": {focusX}, \"y\": {focusY}, "
      ],
      [
        "",
        "\"height\": {focusHeight}, \"width\": {focusWidth}}}"
      ]
    ],
    "lacks": [
      [
        "quad",
        "straighten four corners"
      ],
      [
        "tilt",
        "tilt"
      ],
      [
        "ellipse",
        "mask to an ellipse"
      ],
      [
        "rounded",
        "round corners"
      ],
      [
        "mirror",
        "mirror"
      ],
      [
        "turn",
        "turn"
      ]
    ]
  },
  "typo3": {
    "version": "TYPO3 13, a variant of sys_file_reference.crop",
    "join": "",
    "steps": [
      [
        "",
        "{\"cropArea\": {\"x\": {shareLeft}, \"y\": {shareTop}, "
      ],
      [
        "",
        "\"width\": {shareWidth}, \"height\": {shareHeight}}, \"selectedRatio\": \"{ratio}\", \"focusArea\": "
      ],
      [
        "focus",
        "{\"x\": {keptLeft}, \"y\": {keptTop}, \"width\": {keptWidth}, \"height\": {keptHeight}}}"
      ],
      [
        "!focus",
        "null}"
      ]
    ],
    "lacks": [
      [
        "quad",
        "straighten four corners"
      ],
      [
        "tilt",
        "tilt"
      ],
      [
        "ellipse",
        "mask to an ellipse"
      ],
      [
        "rounded",
        "round corners"
      ],
      [
        "mirror",
        "mirror"
      ],
      [
        "turn",
        "turn"
      ]
    ]
  }
});
