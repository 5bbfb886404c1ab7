"""The lanterns along the street and the tower at its end."""

import math

from numba import njit

from ..shapes import box_distance, rectangle_distance, rod_distance
from .kinds import IRON, LANTERN, NOTHING, TOWER
from .layout import street_bend, street_lamp


@njit(fastmath=True)
def nearer_lantern(x, y, z, d, kind):
    """The nearer of what was found so far and the nearest lantern with its arm."""
    k = int(math.floor((y - 7.4) / 7.0 + 0.5))
    k = max(0, min(7, k))
    lx, ly, lz = street_lamp(k)
    sgn = 1.0 if k % 2 == 0 else -1.0
    qx, qy, qz = (x - lx) * sgn, y - ly, z - lz
    rough = math.sqrt(qx * qx + qy * qy + qz * qz) - 1.6
    if rough < d:
        if rough > 0.3:
            d, kind = rough, NOTHING
        else:
            taper = 0.15 + 0.10 * qz
            e = box_distance(qx, qy, qz, taper, taper, 0.27, 0.02) * 0.95
            if e < d:
                d, kind = e, LANTERN
            taper = max(0.02, 0.24 - 0.9 * (qz - 0.27))
            e = max(rectangle_distance(qx, qy, taper, taper) * 0.7, abs(qz - 0.38) - 0.11)
            e = min(e, math.sqrt(qx * qx + qy * qy + (qz - 0.54) ** 2) - 0.05)
            e = min(e, box_distance(qx, qy, qz + 0.30, 0.10, 0.10, 0.035, 0.01))
            # The arm, and the scroll under it.
            e = min(e, math.sqrt(max(0.0, -qx) ** 2 + max(0.0, qx - 1.3) ** 2 + qy * qy
                                 + (qz - 0.66) ** 2) - 0.026)
            ring = math.sqrt((qx - 0.95) ** 2 + (qz - 0.40) ** 2) - 0.24
            e = min(e, math.sqrt(ring * ring + qy * qy) - 0.018)
            e = min(e, rod_distance(qx, qy, qz, 0.5, 0.66, 0.018))
            if e < d:
                d, kind = e, IRON
    return d, kind


@njit(fastmath=True)
def nearer_tower(x, y, z, d, kind):
    """The nearer of what was found so far and the tower that closes the view."""
    tx = x - street_bend(60) + 1.0
    ty = y - 66.0
    rough = max(abs(tx) - 5, 60 - y)
    if rough < d:
        e = box_distance(tx, ty, z - 9, 2.6, 2.6, 10.5, 0.05)
        e = max(e, -box_distance(abs(tx) - 0.85, ty + 2.6, z - 16.2, 0.5, 0.6, 1.5, 0.0))
        e = min(e, box_distance(tx, ty, z - 13.2, 2.8, 2.8, 0.16, 0.05))
        e = min(e, box_distance(tx, ty, z - 19.4, 2.95, 2.95, 0.22, 0.05))
        taper = 2.8 - (z - 19.6) * 0.46
        e = min(e, max(rectangle_distance(tx, ty, max(0.0, taper), max(0.0, taper)) * 0.85,
                       max(19.6 - z, z - 25.6)))
        e = min(e, max(65.5 - y, z - 7.5))
        if e < d:
            d, kind = e, TOWER
    return d, kind
