"""The lighthouse at the pier's head."""

import math

from numba import njit

from ..shapes import rod_distance
from .kinds import IRON, LANTERN, RED_PAINT, TOWER


@njit(fastmath=True)
def nearer_lighthouse(u, w, z, rho, d, kind):
    """The nearer of what was found so far and the lighthouse."""
    if rho < d + 3.2:
        lo = rho - (2.05 - 0.062 * (z - 2.4))
        e = max(lo * 0.99, max(z - 12.6, 2.0 - z))
        base = max(rho - 2.45, max(z - 3.3, 2.0 - z))
        e = min(e, base)
        if e < d:
            d, kind = e, TOWER
        q, v = rho - 2.05, abs(z - 12.6) - 0.14
        e = math.sqrt(max(q, 0.0) ** 2 + max(v, 0.0) ** 2) + min(max(q, v), 0.0) - 0.05
        q, v = rho - 1.62, abs(z - 12.25) - 0.2
        e = min(e, math.sqrt(max(q, 0.0) ** 2 + max(v, 0.0) ** 2) + min(max(q, v), 0.0))
        if e < d:
            d, kind = e, TOWER
        turn = math.atan2(w, u)
        cell = 6.2831853 / 18
        f = turn - cell * math.floor(turn / cell + 0.5)
        ax, ay = rho * math.cos(f) - 1.98, rho * math.sin(f)
        e = rod_distance(ax, ay, z, 12.7, 13.65, 0.028)
        e = min(e, math.sqrt((rho - 1.98) ** 2 + (z - 13.65) ** 2) - 0.04)
        e = min(e, math.sqrt((rho - 1.98) ** 2 + (z - 13.2) ** 2) - 0.024)
        cell = 6.2831853 / 8
        f = turn - cell * math.floor(turn / cell + 0.5)
        ax, ay = rho * math.cos(f) - 1.06, rho * math.sin(f)
        e = min(e, rod_distance(ax, ay, z, 12.7, 14.7, 0.045))
        if e < d:
            d, kind = e, IRON
        e = max(rho - 1.02, max(z - 14.7, 12.6 - z))
        if e < d:
            d, kind = e, LANTERN
        dome = max(math.sqrt(rho * rho + ((z - 14.7) * 1.25) ** 2) - 1.28, 14.68 - z) * 0.85
        dome = min(dome, rod_distance(u, w, z, 15.5, 16.7, 0.045))
        dome = min(dome, math.sqrt(rho * rho + (z - 15.85) ** 2) - 0.19)
        if dome < d:
            d, kind = dome, RED_PAINT
    return d, kind
