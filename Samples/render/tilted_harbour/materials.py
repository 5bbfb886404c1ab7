"""What the harbour is made of."""

import math

from numba import njit

from ..chance import hash3
from ..noise import fbm3, mix, noise2, smooth
from ..rays import unit
from .kinds import BUOY, HULL, IRON, LANTERN, RED_PAINT, ROCK, SAIL, STONE, TOWER, WOOD
from .pier import pier_axes


@njit(fastmath=True)
def masonry(u, w, z, nz, f, s):
    """Colour of the pier's coursed stone."""
    along = u if u > 3 else math.atan2(w, u) * 5.2
    if nz > 0.6:
        a, c = u / 1.5, w / 0.9
    else:
        a, c = along / 1.35, z / 0.52
    row = math.floor(c)
    a += 0.5 * (int(row) & 1) + 0.2 * hash3(int(row), 9, 543)
    fa, fc = a - math.floor(a), c - row
    seam = min(min(fa, 1 - fa) * 1.35, min(fc, 1 - fc) * 0.52)
    tone = 0.75 + 0.5 * hash3(int(math.floor(a)), int(row), 544)
    k = 0.34 * tone * (0.55 + 0.9 * f) * (0.75 + 0.5 * s)
    k *= mix(0.45, 1.0, smooth(0.008, 0.03, seam))
    r, g, b = k * 1.08, k * 0.98, k * 0.83
    streak = smooth(0.52, 0.75, noise2(along * 1.6, z * 0.12, 545)) * (1 - abs(nz))
    r, g, b = r * (1 - 0.5 * streak), g * (1 - 0.5 * streak), b * (1 - 0.46 * streak)
    return r, g, b


@njit(fastmath=True)
def tower_paint(u, w, z, f):
    """Colour and gloss of the lighthouse: limewash, rust, a red band, windows and a door."""
    gloss = 0.0
    k = 0.78 * (0.86 + 0.25 * f)
    turn = math.atan2(w, u)
    rust = smooth(0.55, 0.8, noise2(turn * 9, z * 0.25, 546)) * smooth(5.0, 12.0, z) * 0.4
    r, g, b = k, k * 0.98, k * 0.93
    if 5.9 < z < 8.9:
        r, g, b = 0.50 * (0.8 + 0.4 * f), 0.045, 0.035
    r, g, b = mix(r, 0.30, rust), mix(g, 0.18, rust), mix(b, 0.10, rust)
    # Windows and a door, on the side that faces the quay.
    a = turn + 1.25
    a = a - 6.2831853 * math.floor(a / 6.2831853 + 0.5)
    for n in range(2):
        if abs(a) * 1.8 < 0.27 and abs(z - 5.2 - 4.6 * n) < 0.5:
            r, g, b, gloss = 0.02, 0.025, 0.03, 0.06
        elif abs(a) * 1.8 < 0.38 and abs(z - 5.2 - 4.6 * n) < 0.62:
            r, g, b = 0.45, 0.43, 0.38
    gloss = max(gloss, 0.012)
    return r, g, b, gloss


@njit(fastmath=True)
def harbour_surface(kind, x, y, z, nx, ny, nz):
    """Colour, gloss and bumped normal of a surface."""
    u, w = pier_axes(x, y)
    r, g, b, gloss = 0.5, 0.5, 0.5, 0.0
    f = fbm3(x * 0.7, y * 0.7, z * 0.7, 5, 541)
    s = fbm3(x * 5, y * 5, z * 5, 4, 542)
    if kind == STONE:
        r, g, b = masonry(u, w, z, nz, f, s)
    elif kind == TOWER:
        r, g, b, gloss = tower_paint(u, w, z, f)
    elif kind == IRON:
        r, g, b, gloss = 0.028, 0.03, 0.032, 0.03
    elif kind == LANTERN:
        k = smooth(0.3, 0.0, abs(z - 13.6) - 0.2)
        r, g, b, gloss = 0.05 + 0.35 * k, 0.06 + 0.30 * k, 0.06 + 0.18 * k, 0.08
    elif kind == RED_PAINT:
        k = 0.75 + 0.4 * f
        r, g, b, gloss = 0.46 * k, 0.045 * k, 0.035 * k, 0.03
    elif kind == ROCK:
        k = 0.30 * (0.4 + 1.0 * f) * (0.6 + 0.8 * s)
        r, g, b = k, k * 0.94, k * 0.86
    elif kind == SAIL:
        k = 0.80 * (0.95 + 0.1 * f)
        if abs(z - math.floor(z / 1.7) * 1.7) < 0.05:
            k *= 0.86
        r, g, b = k, k * 0.97, k * 0.90
    elif kind == HULL:
        r, g, b, gloss = 0.03, 0.07, 0.17, 0.05
        if z > 0.98:
            r, g, b = 0.75, 0.74, 0.70
        if z < 0.22:
            r, g, b = 0.40, 0.05, 0.04
    elif kind == WOOD:
        r, g, b, gloss = 0.62, 0.56, 0.47, 0.02
    elif kind == BUOY:
        r, g, b, gloss = 0.80, 0.17, 0.03, 0.03
        if z < 0.13 + 0.05 * s:
            r, g, b = 0.08, 0.09, 0.03
    # Wet and weedy near the water.
    if kind == STONE or kind == ROCK:
        wet = smooth(0.95, 0.35, z + 0.9 * (f - 0.5))
        weed = smooth(0.70, 0.15, z + 1.2 * (f - 0.5))
        r, g, b = mix(r, r * 0.34, wet), mix(g, g * 0.36, wet), mix(b, b * 0.36, wet)
        r, g, b = mix(r, 0.028, weed * 0.75), mix(g, 0.036, weed * 0.75), mix(b, 0.012, weed * 0.75)
        gloss = 0.03 * wet
        nx, ny, nz = unit(nx + 0.5 * (s - 0.5), ny + 0.5 * (s - 0.5), nz + 0.3 * (f - 0.5))
    return r, g, b, gloss, nx, ny, nz
