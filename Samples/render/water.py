"""Waves on water."""

import math

import numpy as np
from numba import njit

from .chance import gauss
from .noise import smooth
from .rays import TAU, unit


def wave_set(count, shortest, longest, slope, heading, spread, seed):
    """Sine waves as rows of (kx, ky, slope, phase, length), spread round a heading."""
    rng = np.random.default_rng(seed)
    length = shortest * (longest / shortest) ** rng.random(count)
    angle = heading + spread * rng.standard_normal(count)
    k = TAU / length
    each = slope * math.sqrt(2 / count) * (0.6 + 0.8 * rng.random(count))
    rows = [k * np.cos(angle), k * np.sin(angle), each, TAU * rng.random(count), length]
    return np.stack(rows, 1)


@njit(fastmath=True)
def wave_normal(waves, x, y, strength, foot, state):
    """Normal of the water at a point.

    Waves shorter than the pixel's footprint `foot` can't be drawn; their slopes are
    drawn at random instead, so that many samples add up to the right blur.
    """
    gx = gy = vx = vy = 0.0
    for i in range(waves.shape[0]):
        s = waves[i, 2] * strength
        k = waves[i, 4] / TAU
        ux, uy = waves[i, 0] * k, waves[i, 1] * k
        seen = smooth(0.8, 3.0, waves[i, 4] / foot)
        if seen > 0:
            c = math.cos(waves[i, 0] * x + waves[i, 1] * y + waves[i, 3]) * s * seen
            gx += c * ux
            gy += c * uy
        lost = (1 - seen * seen) * s * s * 0.5
        vx += lost * ux * ux
        vy += lost * uy * uy
    gx += math.sqrt(vx) * gauss(state)
    gy += math.sqrt(vy) * gauss(state)
    return unit(-gx, -gy, 1.0)
