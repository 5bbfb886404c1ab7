"""The fruit: where each lies, and its shape."""

import math

import numpy as np
from numba import njit

from ..chance import SEED
from ..rays import TAU
from ..shapes import blend_min

# The kinds of fruit.
ORANGE = 4
APPLE = 5
LEMON = 6
PEAR = 7
GRAPE = 8


@njit(fastmath=True)
def fruit_distance(kind, px, py, pz, ax, ay, az, r):
    """Distance to one fruit round the axis (ax, ay, az); negative inside."""
    a = px * ax + py * ay + pz * az
    rho = math.sqrt(max(0.0, px * px + py * py + pz * pz - a * a))
    if kind == ORANGE:
        dent = 0.07 * r * math.exp(-(rho / (0.2 * r)) ** 2) if a > 0 else 0.0
        return math.sqrt(rho * rho + 1.1 * a * a) - r + dent
    if kind == APPLE:
        rho *= 1 - 0.10 * a / r
        q = rho - 0.24 * r
        return (math.sqrt(q * q + 0.92 * a * a) - 0.77 * r) * 0.9
    if kind == LEMON:
        d = (math.sqrt(rho * rho + 0.55 * a * a) - r) * 0.8
        e = abs(a) - 1.30 * r
        return blend_min(d, math.sqrt(rho * rho + e * e) - 0.14 * r, 0.22 * r)
    if kind == PEAR:
        e = a - 1.22 * r
        low = math.sqrt(rho * rho + a * a) - r
        return blend_min(low, math.sqrt(rho * rho + e * e) - 0.44 * r, 0.75 * r) * 0.92
    return math.sqrt(rho * rho + a * a) - r


@njit(fastmath=True)
def stem_distance(kind, px, py, pz, ax, ay, az, r):
    """Distance to a fruit's stalk, bent a little to one side."""
    a = px * ax + py * ay + pz * az
    lo, hi = (0.35 * r, 1.08 * r) if kind == APPLE else (1.5 * r, 2.1 * r)
    t = min(1.0, max(0.0, (a - lo) / (hi - lo)))
    bend = 0.16 * r * t * t
    along = lo + t * (hi - lo)
    cx, cy, cz = ax * along + bend, ay * along, az * along
    d = math.sqrt((px - cx) ** 2 + (py - cy) ** 2 + (pz - cz) ** 2)
    return d - 0.032 - 0.018 * t * t


def arranged_fruit():
    """Rows of kind, centre, radius, axis and reach: bowl, table, then a bunch of grapes."""
    rng = np.random.default_rng(SEED + 5)
    rows = []

    def add(kind, x, y, z, r, axis, reach):
        axis = np.array(axis, float)
        rows.append([kind, x, y, z, r, *(axis / np.linalg.norm(axis)), reach])

    bx, by = 0.85, 0.75
    for k, (kind, axis) in enumerate([
            (ORANGE, (0.5, -0.6, 0.6)), (APPLE, (0.5, -0.35, 0.8)), (ORANGE, (0.2, 0.5, 0.6)),
            (ORANGE, (-0.5, -0.5, 0.5))]):
        a = -2.15 + k * TAU / 4
        add(kind, bx + 0.82 * math.cos(a), by + 0.82 * math.sin(a), 1.06, 0.575, axis, 1.25)
    add(APPLE, bx - 0.02, by - 0.02, 1.83, 0.58, (-0.32, -0.38, 0.9), 1.3)
    add(PEAR, -1.02, -0.75, 0.60, 0.62, (0.10, -0.06, 1.0), 2.25)
    add(LEMON, -0.02, -1.62, 0.405, 0.41, (0.9, -0.42, 0.05), 1.6)
    add(LEMON, -2.3, -0.55, 0.40, 0.40, (0.5, 0.8, 0.05), 1.6)
    add(ORANGE, 2.75, 0.55, 0.53, 0.55, (-0.3, -0.6, 0.7), 1.1)
    grapes = []
    for k in range(34):
        best = None
        for _ in range(30):
            a, q = TAU * rng.random(), math.sqrt(rng.random())
            x, y = 1.72 + 1.0 * q * math.cos(a), -1.12 + 0.5 * q * math.sin(a) - 0.1 * math.cos(a)
            r = 0.165 + 0.045 * rng.random()
            z = r - 0.01
            for gx, gy, gz, gr in grapes:
                d2 = (r + gr) ** 2 * 0.92 - (x - gx) ** 2 - (y - gy) ** 2
                if d2 > 0:
                    z = max(z, gz + math.sqrt(d2))
            if best is None or z < best[2]:
                best = (x, y, z, r)
        grapes.append(best)
        add(GRAPE, *best, rng.standard_normal(3), 1.05)
    return np.array(rows)
