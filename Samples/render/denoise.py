"""Removes the noise of few rays per pixel, guided by what the rays met.

The features of a pixel are seven numbers: colour (3), normal (3) and depth of the first surface.
"""

import math

import numpy as np
from numba import njit, prange


@njit(fastmath=True)
def note_surface(feature, r, g, b, nx, ny, nz, depth):
    """Adds a ray's first surface to its pixel's features."""
    for k, value in enumerate((r, g, b, nx, ny, nz, depth)):
        feature[k] += value


@njit(parallel=True, fastmath=True)
def smoothed(light, features, step, strength, sharpness):
    """One pass of an edge-avoiding wavelet filter; `step` is the spacing of its taps."""
    h, w = light.shape[:2]
    out = np.zeros_like(light)
    kernel = np.array([0.0625, 0.25, 0.375, 0.25, 0.0625])
    for j in prange(h):
        for i in range(w):
            sr = sg = sb = total = 0.0
            l0 = math.log(0.02 + light[j, i, 0] + light[j, i, 1] + light[j, i, 2])
            for b in range(5):
                y = j + (b - 2) * step
                if y < 0 or y >= h:
                    continue
                for a in range(5):
                    x = i + (a - 2) * step
                    if x < 0 or x >= w:
                        continue
                    n = 0.0
                    for k in range(3, 6):
                        d = features[j, i, k] - features[y, x, k]
                        n += d * d
                    d = (features[j, i, 6] - features[y, x, 6]) * 1.5
                    c = 0.0
                    for k in range(3):
                        e = features[j, i, k] - features[y, x, k]
                        c += e * e
                    l1 = math.log(0.02 + light[y, x, 0] + light[y, x, 1] + light[y, x, 2])
                    e = (l1 - l0) * strength
                    q = kernel[a] * kernel[b] * math.exp(
                        -n * sharpness - d * d * 4 - c * 2 - e * e)
                    sr += q * light[y, x, 0]
                    sg += q * light[y, x, 1]
                    sb += q * light[y, x, 2]
                    total += q
            out[j, i, 0], out[j, i, 1], out[j, i, 2] = sr / total, sg / total, sb / total
    return out


def denoised(light, features, passes, strength, sharpness):
    """Smooths the light that falls on surfaces, not the surfaces' own colours."""
    colour = features[..., :3] + 0.02
    falling = light / colour
    for i in range(passes):
        falling = smoothed(falling, features, 1 << i, strength * (1 + i), sharpness)
    return falling * colour
