"""Colour, gloss, roughness and bumps of the fruits' skins.

Points are relative to the fruit's centre; `i` tells one fruit from the next, `a` is the place along
its axis in radii and `f` a slow noise.
"""

import math

from numba import njit

from ..noise import fbm2, fbm3, mix, noise3, smooth
from .fruit import APPLE, LEMON, ORANGE, PEAR


@njit(fastmath=True)
def citrus_skin(what, i, px, py, pz, a, f):
    """An orange's or a lemon's pores."""
    q = 26.0
    c0 = noise3(px * q + i, py * q, pz * q, 462)
    gx = noise3(px * q + i + 0.35, py * q, pz * q, 462) - c0
    gy = noise3(px * q + i, py * q + 0.35, pz * q, 462) - c0
    gz = noise3(px * q + i, py * q, pz * q + 0.35, 462) - c0
    gx, gy, gz = gx * 0.42, gy * 0.42, gz * 0.42
    pore = 0.86 + 0.22 * c0
    if what == ORANGE:
        r, g, b = 0.88 * pore, (0.27 + 0.13 * f) * pore, 0.018
        navel = math.exp(-((a - 0.95) / 0.035) ** 2)
        r, g, b = mix(r, 0.12, navel), mix(g, 0.13, navel), mix(b, 0.03, navel)
    else:
        green = smooth(0.9, 1.5, abs(a)) * 0.5
        r, g, b = (0.90 - 0.3 * green) * pore, (0.64 + 0.1 * f - 0.05 * green) * pore, 0.045
    f0, rough = 0.04, 0.17
    return r, g, b, f0, rough, gx, gy, gz


@njit(fastmath=True)
def apple_skin(i, px, py, pz, a, f):
    """An apple's streaks and spots."""
    # Streaks run from stalk to flower, over a yellow ground.
    ux, uy = px + 0.3 * pz, py - 0.2 * pz
    turn = math.atan2(uy, ux)
    streak = fbm2(turn * 9 + i, a * 0.8, 4, 463)
    blush = smooth(0.22, 0.62, 0.55 * streak + 0.5 * f + 0.10 * math.sin(turn + i))
    hollow = smooth(0.55, 0.8, a) * smooth(0.6, 0.2, math.sqrt(max(0.0, 1 - a * a)))
    blush *= 1 - 0.8 * hollow
    spot = smooth(0.83, 0.9, noise3(px * 24, py * 24, pz * 24, 464))
    r, g, b = mix(0.74, 0.44, blush), mix(0.54, 0.022, blush), mix(0.10, 0.022, blush)
    r, g, b = mix(r, 0.8, spot * 0.45), mix(g, 0.6, spot * 0.45), mix(b, 0.32, spot * 0.45)
    f0, rough = 0.045, 0.10
    return r, g, b, f0, rough


@njit(fastmath=True)
def pear_skin(radius, px, py, pz, a, f):
    """A pear's blush, spots and russet."""
    blush = smooth(0.45, 0.75, f + 0.16 * px / radius)
    spot = smooth(0.70, 0.82, noise3(px * 30, py * 30, pz * 30, 465))
    r, g, b = mix(0.50, 0.60, blush), mix(0.50, 0.24, blush), mix(0.085, 0.05, blush)
    k = 1 - 0.42 * spot
    russet = smooth(1.05, 1.5, a + 0.5 * (f - 0.5))
    r, g, b = mix(r * k, 0.33, russet), mix(g * k, 0.22, russet), mix(b * k, 0.08, russet)
    f0, rough = 0.035, 0.2
    return r, g, b, f0, rough


@njit(fastmath=True)
def grape_skin(a, f):
    """A grape's bloom."""
    bloom = smooth(0.35, 0.75, f + 0.18 * (a - 0.3))
    r, g, b = mix(0.050, 0.19, bloom), mix(0.010, 0.155, bloom), mix(0.035, 0.235, bloom)
    f0, rough = 0.045, mix(0.10, 0.4, bloom)
    return r, g, b, f0, rough


@njit(fastmath=True)
def fruit_skin(i, x, y, z, fruit):
    """Colour (3), gloss, roughness and bumps (3) of fruit `i` at a point."""
    gx = gy = gz = 0.0
    what = int(fruit[i, 0])
    px, py, pz = x - fruit[i, 1], y - fruit[i, 2], z - fruit[i, 3]
    a = (px * fruit[i, 5] + py * fruit[i, 6] + pz * fruit[i, 7]) / fruit[i, 4]
    f = fbm3(px * 3 + i * 11, py * 3, pz * 3, 4, 461)
    if what == ORANGE or what == LEMON:
        return citrus_skin(what, i, px, py, pz, a, f)
    if what == APPLE:
        r, g, b, f0, rough = apple_skin(i, px, py, pz, a, f)
    elif what == PEAR:
        r, g, b, f0, rough = pear_skin(fruit[i, 4], px, py, pz, a, f)
    else:
        r, g, b, f0, rough = grape_skin(a, f)
    return r, g, b, f0, rough, gx, gy, gz
