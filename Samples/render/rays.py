"""Directions: of the camera's rays, the sun, reflections and scattered light."""

import math

from numba import njit

from .chance import random

TAU = 2 * math.pi


@njit(fastmath=True)
def unit(x, y, z):
    """Returns the vector scaled to length 1."""
    k = 1 / math.sqrt(x * x + y * y + z * z + 1e-30)
    return x * k, y * k, z * k


@njit(fastmath=True)
def camera_ray(u, v, aspect, zoom, pitch, roll):
    """Direction through the picture point (u, v) in [0, 1], looking along +y, z up."""
    x, z = (u * 2 - 1) / zoom, (1 - v * 2) / (zoom * aspect)
    cr, sr = math.cos(roll), math.sin(roll)
    x, z = x * cr - z * sr, x * sr + z * cr
    cp, sp = math.cos(pitch), math.sin(pitch)
    return unit(x, cp - z * sp, sp + z * cp)


@njit(fastmath=True)
def cosine_ray(nx, ny, nz, state):
    """A direction over the surface, likelier near its normal."""
    z = 2 * random(state) - 1
    a = 6.2831853 * random(state)
    s = math.sqrt(max(0.0, 1 - z * z))
    return unit(nx + s * math.cos(a), ny + s * math.sin(a), nz + z * 1.0001)


@njit(fastmath=True)
def fresnel(c, f0):
    """Schlick's share of reflected light at cosine `c`."""
    k = 1 - min(1.0, max(0.0, c))
    return f0 + (1 - f0) * k * k * k * k * k


def direction(azimuth, elevation):
    """The vector of length 1 towards an azimuth, from +y to +x, and an elevation, in radians."""
    return (math.sin(azimuth) * math.cos(elevation), math.cos(azimuth) * math.cos(elevation),
            math.sin(elevation))
