"""The crumpled cloth everything stands on."""

import math

import numpy as np
from numba import njit, prange

from ..noise import mix, noise2, smooth


@njit(fastmath=True)
def cloth_height(grid, x, y, half):
    """Reads a square grid that covers [-half, half] both ways."""
    n = grid.shape[0]
    u = min(n - 1.001, max(0.0, (x / half + 1) * 0.5 * (n - 1)))
    v = min(n - 1.001, max(0.0, (y / half + 1) * 0.5 * (n - 1)))
    i, j = int(u), int(v)
    a = mix(grid[j, i], grid[j, i + 1], u - i)
    return mix(a, mix(grid[j + 1, i], grid[j + 1, i + 1], u - i), v - j)


@njit(parallel=True, fastmath=True)
def crumpled_cloth(n, half, things):
    """Heights of a crumpled cloth, pressed flat where things stand on it."""
    grid = np.zeros((n, n), np.float64)
    for j in prange(n):
        for i in range(n):
            x, y = (2.0 * i / (n - 1) - 1) * half, (2.0 * j / (n - 1) - 1) * half
            # Long soft folds: rounded crests, wide hollows, and a few crossing creases.
            wx = x + 1.1 * (noise2(x * 0.3, y * 0.3, 401) - 0.5)
            wy = y + 1.1 * (noise2(x * 0.3 + 9, y * 0.3, 402) - 0.5)
            a = noise2(wx * 0.26 + wy * 0.18, wy * 0.62 - wx * 0.30, 403)
            b = noise2(wx * 0.62 - wy * 0.35, wy * 0.24 + wx * 0.14, 404)
            c = 1 - abs(2 * noise2(wx * 0.45 + 3, wy * 1.0 + wx * 0.5, 405) - 1)
            h = 0.46 * smooth(0.38, 0.85, a) + 0.26 * smooth(0.45, 0.85, b)
            h += 0.05 * math.exp(-((1 - c) / 0.34) ** 2) + 0.05 * noise2(x * 1.3, y * 1.3, 406)
            # Things press the folds down; a little slack gathers round their feet.
            press = 1.0
            for k in range(things.shape[0]):
                d = math.sqrt((x - things[k, 0]) ** 2 + (y - things[k, 1]) ** 2)
                press *= smooth(things[k, 2] * 0.85, things[k, 2] * 1.25 + 0.75, d)
            grid[j, i] = h * press
    return grid
