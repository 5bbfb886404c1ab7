"""The upright street, traced and developed."""

import math

import numpy as np
from numba import njit, prange

from ..chance import SEED, random, row_state
from ..denoise import denoised
from ..develop import developed
from ..jpeg import save
from ..rays import camera_ray
from .light import street_path


@njit(parallel=True, fastmath=True)
def trace_street(w, h, spp):
    """Traces the street with a shifted lens, so that the houses stand upright."""
    out = np.zeros((h, w, 3), np.float32)
    features = np.zeros((h, w, 7), np.float32)
    for j in prange(h):
        state = row_state(SEED + 49979687 * j)
        feature = np.zeros(7)
        for i in range(w):
            ar = ag = ab = 0.0
            feature[:] = 0
            for s in range(spp):
                u, v = (i + random(state)) / w, (j + (s + random(state)) / spp) / h
                dx, dy, dz = camera_ray(u, v - 0.115, w / h, 2.15, 0.0, 0.0)
                c = street_path(-0.55, 0.0, 1.62, dx, dy, dz, state, feature)
                ar += c[0]
                ag += c[1]
                ab += c[2]
            out[j, i, 0], out[j, i, 1], out[j, i, 2] = ar / spp, ag / spp, ab / spp
            for k in range(7):
                features[j, i, k] = feature[k] / spp
            features[j, i, 6] = 6 * math.log(1 + features[j, i, 6])
    return out, features


def render(options):
    """An old street after rain. The bitmap lies on its side; orientation 6 sets it upright."""
    w, h = int(1920 * options.scale), int(2880 * options.scale)
    spp = max(2, int(16 * options.samples))
    light, features = trace_street(w, h, spp)
    light = denoised(light, features, 3, 0.9, 12.0)
    pixels = developed(light, 0.066, 1.16, 1.08, (0.93, 1.0, 1.14), 0.004, 0.2, 0.06, SEED + 4)
    # Orientation 6: the first row is the picture's right edge.
    stored = np.ascontiguousarray(np.rot90(pixels))
    save(stored, options.out / "upright-street.jpg", 88, 2, 6, "2024:11:08 17:24:45")
