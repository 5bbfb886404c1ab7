"""The pier: its wall, what stands on its deck and the stones at its foot.

u runs along the pier from the lighthouse, w across it; rho is the distance from its axis.
"""

import math

from numba import njit

from ..chance import hash3
from ..noise import fbm3
from ..shapes import box_distance, rod_distance
from .kinds import IRON, ROCK


@njit(fastmath=True)
def pier_axes(x, y):
    """Places along and across the pier."""
    px, py = x - 12.5, y - 66.0
    return px * 0.70 - py * 0.714, px * 0.714 + py * 0.70


@njit(fastmath=True)
def pier_wall(u, w, z, rho):
    """Distance to the pier's wall, head and parapet."""
    # The pier's wall leans in a little as it rises.
    lean = 0.06 * z
    run = box_distance(u - 40, w, z - 0.4, 40.0, 3.3 - lean, 2.0, 0.08)
    q, v = rho - 5.2 + lean, abs(z - 0.4) - 2.0
    head = math.sqrt(max(q, 0.0) ** 2 + max(v, 0.0) ** 2) + min(max(q, v), 0.0)
    d = min(run, head)
    e = box_distance(u - 42, w - 2.75, z - 2.9, 38.0, 0.4, 0.65, 0.06)
    if e < d:
        d = e
    if rho < 9 or z > 2:
        q, v = abs(rho - 4.55) - 0.32, abs(z - 2.7) - 0.45
        e = max(max(q, v), u - 2.5)
        if e < d:
            d = e
    return d


@njit(fastmath=True)
def nearer_lamp(u, w, z, d, kind):
    """The nearer of what was found so far and the lamps and bollards on the deck."""
    if u > 6:
        k = math.floor((u - 6) / 9)
        lu = u - 6 - 9 * k - 4.5
        e = rod_distance(lu, w - 1.9, z, 2.4, 6.1, 0.06)
        e = min(e, rod_distance(lu, w - 1.9, z, 2.4, 3.0, 0.11))
        e = min(e, box_distance(lu, w - 1.9, z - 6.35, 0.19, 0.19, 0.25, 0.05))
        e = min(e, math.sqrt(lu * lu + (w - 1.9) ** 2 + (z - 6.75) ** 2) - 0.14)
        k = math.floor((u - 4) / 4.5)
        lu = u - 4 - 4.5 * k - 2.25
        e = min(e, rod_distance(lu, w + 2.6, z, 2.4, 2.82, 0.15))
        e = min(e, rod_distance(lu, w + 2.6, z, 2.84, 2.86, 0.23))
        if e < d:
            d, kind = e, IRON
    return d, kind


@njit(fastmath=True)
def rock_distance(x, y, z, n, seed):
    """Distance to an armour stone, turned at random."""
    a = 6.28 * hash3(n, 1, seed)
    c, s = math.cos(a), math.sin(a)
    x, y = x * c - y * s, x * s + y * c
    a = 1.4 * (hash3(n, 2, seed) - 0.5)
    c, s = math.cos(a), math.sin(a)
    x, z = x * c - z * s, x * s + z * c
    h = 0.62 + 0.5 * hash3(n, 3, seed)
    d = box_distance(x, y, z, h, h * (0.7 + 0.3 * hash3(n, 4, seed)), h * 0.68, 0.2)
    if d < 0.3:
        d += 0.16 * (fbm3(x * 1.7, y * 1.7, z * 1.7 + n, 3, 505) - 0.5)
    return d * 0.9


@njit(fastmath=True)
def nearer_stone(u, w, z, rho, d, kind):
    """The nearer of what was found so far and the stones at the pier's foot."""
    if z < d + 1.6:
        if u > 2.5:
            k = int(math.floor(u / 1.25))
            for n in range(k - 1, k + 2):
                for row in range(2):
                    cu = (n + 0.5 + 0.5 * (hash3(n, row, 511) - 0.5)) * 1.25
                    cw = -3.5 - row * 1.0 - 0.5 * hash3(n, row, 512)
                    cz = 0.15 - row * 0.4 + 0.5 * (hash3(n, row, 513) - 0.5)
                    e = rock_distance(u - cu, w - cw, z - cz, n * 2 + row, 514)
                    if e < d:
                        d, kind = e, ROCK
        if rho < d + 8:
            turn = math.atan2(w, u) / 6.2831853 * 26
            k = int(math.floor(turn))
            for n in range(k - 1, k + 2):
                for row in range(2):
                    a = (n + 0.5 + 0.5 * (hash3(n, row, 521) - 0.5)) / 26 * 6.2831853
                    q = 5.5 + row * 1.0 + 0.5 * hash3(n, row, 522)
                    cz = 0.2 - row * 0.4 + 0.5 * (hash3(n, row, 523) - 0.5)
                    e = rock_distance(u - q * math.cos(a), w - q * math.sin(a), z - cz,
                                      n * 2 + row, 524)
                    if e < d:
                        d, kind = e, ROCK
    return d, kind
