"""Smooth blends and the noise that makes surfaces, clouds and wind irregular."""

import math

from numba import njit

from .chance import hash3


@njit(fastmath=True)
def smooth(a, b, x):
    """Rises from 0 at `a` to 1 at `b` without corners."""
    t = min(1.0, max(0.0, (x - a) / (b - a)))
    return t * t * (3 - 2 * t)


@njit(fastmath=True)
def mix(a, b, t):
    """Blends `a` into `b`."""
    return a + (b - a) * t


@njit(fastmath=True)
def noise2(x, y, seed):
    """Value noise in the plane, in [0, 1)."""
    fx, fy = math.floor(x), math.floor(y)
    ix, iy = int(fx), int(fy)
    u, v = x - fx, y - fy
    u = u * u * u * (u * (u * 6 - 15) + 10)
    v = v * v * v * (v * (v * 6 - 15) + 10)
    a = mix(hash3(ix, iy, seed), hash3(ix + 1, iy, seed), u)
    b = mix(hash3(ix, iy + 1, seed), hash3(ix + 1, iy + 1, seed), u)
    return mix(a, b, v)


@njit(fastmath=True)
def noise3(x, y, z, seed):
    """Value noise in space, in [0, 1)."""
    fz = math.floor(z)
    iz = int(fz)
    w = z - fz
    w = w * w * w * (w * (w * 6 - 15) + 10)
    return mix(noise2(x, y, seed + iz * 7919), noise2(x, y, seed + (iz + 1) * 7919), w)


@njit(fastmath=True)
def fbm2(x, y, octaves, seed):
    """Fractal sum of `noise2`, in [0, 1), its mean near one half."""
    total, amp = 0.0, 0.5
    for i in range(octaves):
        total += amp * noise2(x, y, seed + i)
        x, y = 1.6 * x - 1.2 * y + 3.1, 1.2 * x + 1.6 * y + 7.7
        amp *= 0.5
    return total


@njit(fastmath=True)
def fbm3(x, y, z, octaves, seed):
    """Fractal sum of `noise3`, in [0, 1), its mean near one half."""
    total, amp = 0.0, 0.5
    for i in range(octaves):
        total += amp * noise3(x, y, z, seed + i)
        x, y, z = 1.6 * x - 1.2 * y + 3.1, 1.2 * x + 1.6 * y + 7.7, 2.03 * z + 1.3
        amp *= 0.5
    return total
