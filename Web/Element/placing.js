// @ts-check
// Maps points on the screen to a surface whose ancestors may be moved, scaled, rotated, skewed or in perspective.
// Four marks without a size are in the surface's corners; their positions on the screen give the map from the
// surface to the screen, which is inverted. Paul Heckbert, "Fundamentals of Texture Mapping and Image Warping"
// (1989), 2.2.3.

/** The corners of the unit square, in the order of the marks. */
const CORNERS = Object.freeze([[0, 0], [1, 0], [1, 1], [0, 1]]);

/** @typedef {readonly { readonly x: number, readonly y: number }[]} Places of the corners, clockwise from the top left */

/**
 * The map that leads four corners to those of a rectangle: rows of three numbers; the third one is the divisor.
 * @param {Places} corners @param {number} width @param {number} height of the rectangle, whose origin is its corner
 * @returns {number[] | null} null for corners without an area
 */
export function flattening(corners, width, height) {
  const [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] = corners.map(({ x, y }) => [x, y]);
  const [right, down, slope] = [[x1 - x2, y1 - y2], [x3 - x2, y3 - y2], [x0 - x1 + x2 - x3, y0 - y1 + y2 - y3]];
  const area = right[0] * down[1] - down[0] * right[1];
  if (!area) return null;
  const g = (slope[0] * down[1] - down[0] * slope[1]) / area;
  const h = (right[0] * slope[1] - slope[0] * right[1]) / area;
  const [a, b, d, e] = [x1 - x0 + g * x1, x3 - x0 + h * x3, y1 - y0 + g * y1, y3 - y0 + h * y3];
  return [
    (e - y0 * h) * width, (x0 * h - b) * width, (b * y0 - x0 * e) * width,
    (y0 * g - d) * height, (a - x0 * g) * height, (x0 * d - a * y0) * height,
    d * h - e * g, b * g - a * h, a * e - b * d,
  ];
}

export class PhotoPlacement {
  /** The map from the screen to the surface. */
  #map = [1, 0, 0, 0, 1, 0, 0, 0, 1];

  /** @param {HTMLElement} surface */
  constructor(surface) {
    this.surface = surface;
    this.marks = CORNERS.map(([x, y]) => {
      const mark = document.createElement('div');
      mark.className = 'mark';
      mark.style.left = `${x * 100}%`;
      mark.style.top = `${y * 100}%`;
      return mark;
    });
    surface.append(...this.marks);
  }

  /** Measures the current position of the surface. */
  measure() {
    const { clientWidth, clientHeight } = this.surface;
    const corners = this.marks.map((mark) => mark.getBoundingClientRect());
    // Seen edge-on, the surface has no area.
    this.#map = flattening(corners, clientWidth, clientHeight) ?? this.#map;
  }

  /**
   * @param {number} x @param {number} y on the screen @returns {{ x: number, y: number }} in points of the surface
   */
  point(x, y) {
    const m = this.#map;
    const scale = m[6] * x + m[7] * y + m[8];
    return { x: (m[0] * x + m[1] * y + m[2]) / scale, y: (m[3] * x + m[4] * y + m[5]) / scale };
  }
}
