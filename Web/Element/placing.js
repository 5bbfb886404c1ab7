// @ts-check
// Where a place on the screen is on a surface, whatever its ancestors are: moved, scaled, turned, skewed or
// seen in perspective. Four marks without a size lie in the surface's corners; where the browser says that
// they are gives the map from the surface to the screen, which is turned round.
// Paul Heckbert, "Fundamentals of Texture Mapping and Image Warping" (1989), 2.2.3.

/** A corner of the unit square each, in this order. */
const CORNERS = Object.freeze([[0, 0], [1, 0], [1, 1], [0, 1]]);

export class Placing {
  /** Rows of the map from the screen to the surface; the third divides. */
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

  /** Looks where the surface is now. */
  measure() {
    const { clientWidth: width, clientHeight: height } = this.surface;
    const corners = this.marks.map((mark) => mark.getBoundingClientRect());
    const [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] = corners.map(({ x, y }) => [x, y]);
    const [right, down, slope] = [[x1 - x2, y1 - y2], [x3 - x2, y3 - y2], [x0 - x1 + x2 - x3, y0 - y1 + y2 - y3]];
    const area = right[0] * down[1] - down[0] * right[1];
    // Seen from its edge there is no place on it.
    if (!area) return;
    const g = (slope[0] * down[1] - down[0] * slope[1]) / area;
    const h = (right[0] * slope[1] - slope[0] * right[1]) / area;
    const [a, b, d, e] = [x1 - x0 + g * x1, x3 - x0 + h * x3, y1 - y0 + g * y1, y3 - y0 + h * y3];
    this.#map = [
      (e - y0 * h) * width, (x0 * h - b) * width, (b * y0 - x0 * e) * width,
      (y0 * g - d) * height, (a - x0 * g) * height, (x0 * d - a * y0) * height,
      d * h - e * g, b * g - a * h, a * e - b * d,
    ];
  }

  /** @param {number} x @param {number} y on the screen @returns {{ x: number, y: number }} points of the surface */
  point(x, y) {
    const m = this.#map;
    const scale = m[6] * x + m[7] * y + m[8];
    return { x: (m[0] * x + m[1] * y + m[2]) / scale, y: (m[3] * x + m[4] * y + m[5]) / scale };
  }
}
