"""The still life, traced and developed."""

import math

import numpy as np
from numba import njit, prange

from ..chance import SEED, random, row_state
from ..denoise import denoised
from ..develop import developed
from ..jpeg import save
from ..rays import camera_ray, unit
from .cloth import crumpled_cloth
from .fruit import arranged_fruit
from .light import still_path


@njit(parallel=True, fastmath=True)
def trace_still_life(w, h, spp, cloth, fruit):
    """Traces the still life through a thin lens."""
    out = np.zeros((h, w, 3), np.float32)
    features = np.zeros((h, w, 7), np.float32)
    for j in prange(h):
        state = row_state(SEED + 15485863 * j)
        feature = np.zeros(7)
        pitch = -0.20
        up_y, up_z = -math.sin(pitch), math.cos(pitch)
        for i in range(w):
            ar = ag = ab = 0.0
            feature[:] = 0
            for s in range(spp):
                u, v = (i + random(state)) / w, (j + (s + random(state)) / spp) / h
                dx, dy, dz = camera_ray(u, v, w / h, 3.05, pitch, 0.0)
                focus = 13.9 / (dy * math.cos(pitch) + dz * math.sin(pitch))
                a, q = 6.2831853 * random(state), 0.21 * math.sqrt(random(state))
                lx, lu = q * math.cos(a), q * math.sin(a)
                fx, fy, fz = dx * focus - lx, dy * focus - lu * up_y, dz * focus - lu * up_z
                fx, fy, fz = unit(fx, fy, fz)
                c = still_path(0.1 + lx, -14.6 + lu * up_y, 4.55 + lu * up_z, fx, fy, fz, cloth,
                               fruit, state, feature)
                # One stray path mustn't become a firefly.
                ar += min(c[0], 24.0)
                ag += min(c[1], 24.0)
                ab += min(c[2], 24.0)
            out[j, i, 0], out[j, i, 1], out[j, i, 2] = ar / spp, ag / spp, ab / spp
            for k in range(7):
                features[j, i, k] = feature[k] / spp
    return out, features


def render(options):
    """Fruit, a bowl and a bottle on linen, lit by a window on the left."""
    w, h = int(2640 * options.scale), int(1980 * options.scale)
    fruit = arranged_fruit()
    things = [[0.85, 0.75, 0.85], [-1.75, 1.35, 0.6], [1.72, -1.12, 0.75]]
    things += [[f[1], f[2], f[4] * 0.7] for f in fruit[5:9]]
    cloth = crumpled_cloth(1400, 9.0, np.array(things))
    spp = max(2, int(26 * options.samples))
    light, features = trace_still_life(w, h, spp, cloth, fruit)
    light = denoised(light, features, 3, 1.6, 18.0)
    pixels = developed(light, 0.075, 1.15, 1.08, (1.02, 1.0, 0.97), 0.006, 0.22, 0.03, SEED + 1)
    save(pixels, options.out / "still-life.jpg", 90, 0, 1, "2024:03:02 10:16:31")
