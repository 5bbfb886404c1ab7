"""The bottle: its shape, and the way of light through its glass."""

import math

from numba import njit

from ..rays import unit
from ..shapes import blend_min


@njit(fastmath=True)
def bottle_distance(x, y, z):
    """Distance to a wine bottle that stands at the origin."""
    rho = math.sqrt(x * x + y * y)
    q, w = rho - 0.50, abs(z - 1.25) - 1.17
    body = math.sqrt(max(q, 0.0) ** 2 + max(w, 0.0) ** 2) + min(max(q, w), 0.0) - 0.08
    q, w = rho - 0.165, abs(z - 3.0) - 1.0
    neck = math.sqrt(max(q, 0.0) ** 2 + max(w, 0.0) ** 2) + min(max(q, w), 0.0) - 0.02
    d = blend_min(body, neck, 0.85)
    lip = math.sqrt((rho - 0.18) ** 2 + (z - 3.86) ** 2) - 0.055
    return blend_min(d, lip, 0.05)


@njit(fastmath=True)
def on_label(x, y, z):
    """Whether a point of the bottle lies under its paper label."""
    turn = math.atan2(y - 1.35, x + 1.75)
    return abs(z - 1.35) < 0.52 and abs(turn + 1.75) < 1.15


@njit(fastmath=True)
def through_bottle(ox, oy, oz, dx, dy, dz):
    """Follows a ray inside the bottle to where it leaves.

    Returns whether it does, the way in glass, and the ray outside.
    """
    path = 0.0
    out = False
    for _ in range(5):
        s = 0.0
        for _ in range(90):
            d = -bottle_distance(ox + dx * s + 1.75, oy + dy * s - 1.35, oz + dz * s)
            if d < 0.0008:
                break
            s += d
        path += s
        x, y, z = ox + dx * s, oy + dy * s, oz + dz * s
        e = 0.002
        q = bottle_distance(x + 1.75, y - 1.35, z)
        nx = bottle_distance(x + e + 1.75, y - 1.35, z) - q
        ny = bottle_distance(x + 1.75, y + e - 1.35, z) - q
        nz = bottle_distance(x + 1.75, y - 1.35, z + e) - q
        nx, ny, nz = unit(nx, ny, nz)
        c = dx * nx + dy * ny + dz * nz
        k = 1 - 2.25 * (1 - c * c)
        if k > 0:
            k = math.sqrt(k)
            k -= 1.5 * c
            dx, dy, dz = unit(dx * 1.5 + nx * k, dy * 1.5 + ny * k, dz * 1.5 + nz * k)
            ox, oy, oz = x + nx * 0.008, y + ny * 0.008, z + nz * 0.008
            out = True
            break
        dx, dy, dz = dx - 2 * c * nx, dy - 2 * c * ny, dz - 2 * c * nz
        ox, oy, oz = x - nx * 0.006, y - ny * 0.006, z - nz * 0.006
    return out, path, ox, oy, oz, dx, dy, dz
