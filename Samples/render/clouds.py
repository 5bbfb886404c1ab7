"""Clouds in front of the clear sky."""

import math

import numpy as np
from numba import njit, prange

from .chance import SEED, random
from .noise import fbm2, fbm3, smooth
from .sky import henyey_greenstein, sky_at


@njit(fastmath=True)
def cloud_density(x, y, z, p):
    """Cloud water at a point.

    `p` is base, top, size, stretch, cover, sharpness, seed and octaves.
    """
    f = (z - p[0]) / (p[1] - p[0])
    if f <= 0 or f >= 1:
        return 0.0
    seed = int(p[6])
    u, v = x / p[2], y / (p[2] * p[3])
    patch = fbm2(u * 0.22 + 5.3, v * 0.22 + 1.7, 3, seed + 50)
    shape = fbm3(u, v, (z - p[0]) / p[2] * 1.3, int(p[7]), seed)
    # Flat underneath, heaped on top.
    body = smooth(0.0, 0.12, f) * (1 - f) ** 0.5
    return max(0.0, (shape + (patch - 0.45) * 0.6 - p[4]) * p[5] * body - (1 - body) * 0.06 * p[5])


@njit(parallel=True, fastmath=True)
def cloudy_sky(rows, cols, top, side, air, sx, sy, sz, p, density, sun, amb, reach):
    """A panorama of `air` with ray-marched clouds in front of it."""
    out = np.zeros((rows, cols, 3), np.float32)
    for i in prange(rows):
        e = top * i / (rows - 1.0)
        state = np.array([SEED * 31 + i * 7877], np.int64)
        for c in range(cols):
            a = side * (2.0 * c / (cols - 1) - 1)
            dx, dy, dz = math.sin(a) * math.cos(e), math.cos(a) * math.cos(e), math.sin(e)
            r, g, b = sky_at(air, top, side, 0.6667, dx, dy, dz)
            # A curved earth: even level rays meet the layer, far away.
            up = dz + 0.012
            t0, t1 = p[0] / up, p[1] / up
            t1 = min(t1, t0 + 9 * p[2])
            steps = 44
            dt = (t1 - t0) / steps
            t = t0 + dt * random(state)
            mu = dx * sx + dy * sy + dz * sz
            phase = 0.6 * henyey_greenstein(mu, 0.72) + 0.4 * henyey_greenstein(mu, -0.05)
            clear = 1.0
            lr = lg = lb = depth = weight = 0.0
            for j in range(steps):
                x, y, z = dx * t, dy * t, up * t
                d = cloud_density(x, y, z, p) * density
                if d > 1e-6:
                    shade, q = 0.0, 0.06 * p[2]
                    pos = 0.0
                    for k in range(5):
                        pos += q
                        shade += cloud_density(x + sx * pos, y + sy * pos, z + sz * pos, p) * q
                        q *= 1.6
                    shade *= density
                    lit = math.exp(-shade) + 0.25 * math.exp(-shade * 0.2)
                    f = (z - p[0]) / (p[1] - p[0])
                    step = math.exp(-d * dt)
                    k = clear * (1 - step)
                    s = lit * phase * 3.2
                    w = 0.5 + 0.5 * f
                    lr += k * (sun[0] * s + amb[0] * w)
                    lg += k * (sun[1] * s + amb[1] * w)
                    lb += k * (sun[2] * s + amb[2] * w)
                    depth += k * t
                    weight += k
                    clear *= step
                    if clear < 0.01:
                        break
                t += dt
            # Air in front of far clouds.
            if weight > 0:
                veil = math.exp(-(depth / weight) / reach)
                cover = (1 - clear) * veil
                s = veil * (1 - clear) / weight
                r = r * (1 - cover) + lr * s
                g = g * (1 - cover) + lg * s
                b = b * (1 - cover) + lb * s
            out[i, c, 0], out[i, c, 1], out[i, c, 2] = r, g, b
    return out
