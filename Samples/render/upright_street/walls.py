"""Plaster, doors, windows and the rooms behind them."""

import math

from numba import njit

from ..chance import hash3
from ..noise import fbm3, mix, noise2, smooth


@njit(fastmath=True)
def limewash(x, y, z, number):
    """Colour and two slopes of limewash over rough plaster, worn and stained."""
    s = fbm3(x * 1.1, y * 1.1, z * 1.1, 5, 741)
    p = fbm3(x * 11, y * 11, z * 11, 4, 742)
    h = hash3(number, 10, 743)
    if h < 0.28:
        r, g, b = 0.50, 0.30, 0.15
    elif h < 0.5:
        r, g, b = 0.56, 0.47, 0.32
    elif h < 0.72:
        r, g, b = 0.48, 0.24, 0.17
    else:
        r, g, b = 0.47, 0.43, 0.37
    worn = smooth(0.56, 0.62, s + 0.12 * (p - 0.5) + 0.16 * smooth(2.2, 0.0, z))
    k = (0.6 + 0.75 * s) * (0.85 + 0.3 * p)
    k *= 1 - 0.45 * smooth(0.55, 0.8, noise2(y * 2.1, z * 0.18, 744)) * smooth(2.0, 9.0, z)
    r, g, b = r * k, g * k, b * k
    r, g, b = mix(r, 0.24 * p + 0.1, worn), mix(g, 0.18 * p + 0.085, worn), mix(
        b, 0.13 * p + 0.065, worn)
    gy, gz = 0.35 * (p - 0.47), 0.3 * (s - 0.47)
    return r, g, b, gy, gz


@njit(fastmath=True)
def door_surface(number, u, w, bb):
    """Colour, gloss, roughness and own light of a panelled door with a fanlight over it."""
    r, g, b, f0, rough = 0.4, 0.4, 0.4, 0.0, 0.3
    er = eg = eb = 0.0
    if w > bb - 0.55:
        er, eg, eb = 2.0, 1.15, 0.45
        if abs(u) < 0.02 or abs(w - bb + 0.55) < 0.03:
            er = eg = eb = 0.0
    else:
        p = min(abs(abs(u) - 0.3) - 0.2, 0.1)
        tone = 0.55 if abs(p) < 0.02 or abs(u) < 0.012 else 1.0
        h = hash3(number, 9, 731)
        r, g, b = mix(0.05, 0.18, h) * tone, 0.075 * tone, mix(0.10, 0.03, h) * tone
        f0, rough = 0.04, 0.15
    return r, g, b, f0, rough, er, eg, eb


@njit(fastmath=True)
def lit_room(number, c, level, u, w, bb, key):
    """Light of a room seen through curtains: brighter in the middle and low down."""
    fold = 0.75 + 0.5 * noise2(u * 22 + number, w * 0.6, 734)
    drape = smooth(0.05, 0.30, abs(u) + 0.12 * math.sin(w * 2))
    if key >= 0.2:
        drape = 0.0
    k = (1.7 + 2.2 * hash3(number + c, level, 735)) * (1 - 0.55 * drape * fold)
    k *= 0.55 + 0.6 * smooth(1.0, -0.6, w / bb)
    if level == 0:
        shelf = noise2(u * 6 + number * 3, math.floor(w * 2.6) * 5.0, 736)
        k *= 1.5 * (0.35 + 0.9 * smooth(0.35, 0.6, shelf))
    tint = hash3(number * 3 + c, level, 737)
    er, eg, eb = k, k * mix(0.50, 0.70, tint), k * mix(0.17, 0.40, tint)
    return er, eg, eb


@njit(fastmath=True)
def window_surface(number, c, level, u, w, a, bb, hole, key):
    """Colour, gloss, roughness, two slopes and own light of a window."""
    f0, rough = 0.0, 0.3
    er = eg = eb = gx = gy = 0.0
    bars = min(abs(u), min(abs(w - bb * 0.25), abs(a - abs(u))))
    if level == 0:
        bars = min(min(abs(u - 0.36), abs(u + 0.36)), abs(w - bb * 0.45))
    if bars < 0.032 or hole > -0.06:
        r, g, b = 0.42, 0.39, 0.34
    else:
        r, g, b, f0, rough = 0.012, 0.014, 0.016, 0.06, 0.006
        gx, gy = 0.02 * (hash3(int(u > 0), level, 733 + c) - 0.5), 0.0
        lit = 0.62 if level == 0 else 0.36
        if key < lit:
            er, eg, eb = lit_room(number, c, level, u, w, bb, key)
    return r, g, b, f0, rough, gx, gy, er, eg, eb
