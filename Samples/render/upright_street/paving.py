"""The wet setts of the street and the stones of its pavement."""

import math

from numba import njit

from ..chance import hash3
from ..noise import fbm2, mix, smooth
from .kinds import PAVING


@njit(fastmath=True)
def paving(kind, x, y, t, mid):
    """Colour (3), gloss, roughness and two slopes of the ground, `t` metres from the eye."""
    if kind == PAVING:
        # Setts in rows that arch over the crown of the street.
        a = x - mid
        row = (y + 0.055 * a * a) / 0.135
        n = math.floor(row)
        col = a / 0.155 + 0.5 * (int(n) & 1) + 0.22 * hash3(int(n), 1, 721)
    else:
        row, col = (x - mid) / 0.62 + 20.5, y / 1.1
        n = math.floor(row)
    m = math.floor(col)
    u, v = col - m - 0.5, row - n - 0.5
    if kind == PAVING:
        # Round the stones off; the joints lie deep.
        sx, sy = 2.2 * u ** 3 * 4, 2.2 * v ** 3 * 4
        joint = smooth(0.40, 0.5, max(abs(u), abs(v)))
    else:
        sx = sy = 0.0
        joint = smooth(0.485, 0.5, max(abs(u), abs(v)))
    tone = 0.55 + 0.9 * hash3(int(m), int(n), 722)
    s = fbm2(x * 14, y * 14, 4, 723)
    k = 0.085 * tone * (0.6 + 0.8 * s) * (1 - 0.7 * joint)
    warm = hash3(int(m), int(n), 724)
    r, g, b = k * (1.0 + 0.15 * warm), k, k * (1.03 - 0.12 * warm)
    pool = smooth(0.50, 0.60, fbm2(x * 0.55 + 2.3, y * 0.22, 4, 725)
                  - 0.05 * abs(x - mid) + (0.06 if kind == PAVING else -0.2))
    tilt = 0.16 * (1 - pool) ** 1.5
    far = smooth(30, 6, t)
    gx = tilt * (sx * 0.9 + 0.7 * (hash3(int(m), int(n), 726) - 0.5) + 0.8 * (s - 0.5)) * (
        0.35 + 0.65 * far)
    gy = tilt * (sy * 0.9 + 0.7 * (hash3(int(m), int(n), 727) - 0.5)) * (0.35 + 0.65 * far)
    f0 = 0.03 * (1 - 0.6 * joint * (1 - pool))
    rough = mix(0.075 + 0.06 * s, 0.012, pool)
    k = 1 - 0.35 * pool
    r, g, b = r * k, g * k, b * k
    return r, g, b, f0, rough, gx, gy
