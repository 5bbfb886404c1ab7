"""Boats behind the pier and under sail, and mooring buoys."""

import math

from numba import njit

from ..chance import hash3
from ..noise import smooth
from ..shapes import box_distance, rod_distance
from .kinds import BUOY, HULL, NOTHING, SAIL, WOOD


@njit(fastmath=True)
def nearer_mast(x, y, z, d, kind):
    """The nearer of what was found so far and the masts of the boats that lie behind the pier."""
    for n in range(7):
        mx, my = 22.0 + 3.4 * n + 1.6 * hash3(n, 1, 531), 69.5 + 6 * hash3(n, 2, 531) - 1.9 * n
        qx, qy = x - mx, y - my
        high = 8.5 + 5.0 * hash3(n, 3, 531)
        e = math.sqrt(qx * qx + qy * qy)
        if e - 2.5 < d:
            e = rod_distance(qx, qy, z, 1.0, high, 0.075)
            e = min(e, box_distance(qx, qy, z - high * 0.68, 0.85, 0.03, 0.03, 0.01))
            e = min(e, rod_distance(qx + 0.05, qy, z, high, high + 0.7, 0.02))
            # Shrouds down to the deck.
            q = min(1.0, max(0.0, (high - z) / (high - 1.5)))
            if z < high:
                e = min(e, math.sqrt((abs(qx) - 1.9 * q) ** 2 + qy * qy) * 0.95 - 0.014)
            # The boom with its sail rolled on it.
            q = min(2.0, max(0.0, qx))
            e = min(e, math.sqrt((qx - q) ** 2 + qy * qy + (z - 3.2) ** 2) - 0.17)
            if e < d:
                d, kind = e, WOOD
        elif e - 2.0 < d:
            d = e - 2.0
    return d, kind


@njit(fastmath=True)
def nearer_boat(x, y, z, d, kind):
    """The nearer of what was found so far and the boat under sail."""
    qx, qy, qz = x + 19.0, y - 92.0, z
    away = math.sqrt(qx * qx + qy * qy + (qz - 5) ** 2) - 8.5
    if away < d:
        if away > 1:
            d, kind = away, NOTHING
        else:
            tilt = 0.13
            bx = qx
            bz = qz * math.cos(tilt) - qy * math.sin(tilt)
            by = qy * math.cos(tilt) + qz * math.sin(tilt)
            c, s = math.cos(0.5), math.sin(0.5)
            bx, by = bx * c + by * s, -bx * s + by * c
            # Hull: two arcs meet at bow and stern, sheer rises forward.
            q = bx / 4.2
            beam = 1.25 * (1 - q * q * (0.75 + 0.25 * q)) * (0.62 + 0.38 * smooth(-0.3, 0.9, bz))
            sheer = 0.95 + 0.35 * q * q + 0.1 * q
            e = max(max(abs(by) - beam, abs(bx) - 4.15), max(bz - sheer, -0.4 - bz)) * 0.7
            if e < d:
                d, kind = e, HULL
            e = box_distance(bx + 0.3, by, bz - 1.25, 1.5, 0.62, 0.28, 0.15)
            e = min(e, rod_distance(bx - 0.7, by, bz, 1.0, 12.4, 0.07))
            q = min(0.7, max(-3.4, bx))
            off = by - 0.1 * (0.7 - bx)
            e = min(e, math.sqrt((bx - q) ** 2 + off ** 2 + (bz - 2.1) ** 2) - 0.07)
            if e < d:
                d, kind = e, WOOD
            belly = 0.5 * math.sin(min(1.0, max(0.0, (bz - 2) / 10)) * 3.1) * smooth(0.7, -1.6, bx)
            f = min(1.0, (bz - 2.2) / 10.0)
            e = max(max(bx - 0.66, -3.35 * (1 - f) ** 0.8 - bx + 0.6 * f), max(2.2 - bz, bz - 12.2))
            e = max(e, abs(by - 0.1 * (0.7 - bx) - belly) - 0.02) * 0.6
            f = (bz - 1.6) / 8.6
            lead = 4.1 - 3.3 * f
            belly = 0.45 * math.sin(min(1.0, max(0.0, f)) * 3.1)
            k = max(max(bx - lead, 0.2 + 0.5 * f - bx), max(1.6 - bz, bz - 10.2))
            e = min(e, max(k, abs(by - belly * smooth(4.0, 1.5, bx)) - 0.02) * 0.6)
            if e < d:
                d, kind = e, SAIL
    return d, kind


@njit(fastmath=True)
def nearer_buoy(x, y, z, d, kind):
    """The nearer of what was found so far and the mooring buoys."""
    for n in range(3):
        cx = -3.2 + 4.7 * n - 5.0 * (n == 1)
        cy = 19.0 + 9.5 * n
        qx, qy, qz = x - cx, y - cy, z - 0.16
        e = math.sqrt(qx * qx + qy * qy + qz * qz) - 0.36
        e = min(e, rod_distance(qx, qy, z, 0.4, 0.68, 0.03))
        if e < d:
            d, kind = e, BUOY
    return d, kind
