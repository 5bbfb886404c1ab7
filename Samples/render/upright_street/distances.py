"""How far the nearest thing in the street is, and rays that seek it."""

from numba import njit

from ..rays import unit
from ..shapes import box_distance
from .houses import nearer_front
from .kinds import KERB, NOTHING, PAVING
from .landmarks import nearer_lantern, nearer_tower
from .layout import street_bend, street_house


@njit(fastmath=True)
def street_distance(x, y, z):
    """Distance to the nearest thing and what it is."""
    d, kind = z, PAVING
    mid = street_bend(y)
    side = 1.0 if x > mid else -1.0
    across = abs(x - mid)
    number, f, width, high, back = street_house(side, y)
    q = (3.75 + back - across) * 0.97
    if q > 1.15:
        d = min(d, q - 0.85)
        if d < z:
            kind = NOTHING
    else:
        if z < high + 1:
            d, kind = nearer_front(x, y, z, q, number, f, width, high, d, kind)
        else:
            e = max(q - 0.5, z - high - 0.3)
            if e < d:
                d, kind = max(e, 0.1), NOTHING
        # The next house may be taller or stand further out.
        gap = min(f, 1 - f) * width + 0.02
        if gap < d and q > -0.6 and q < 0.5:
            d = max(gap, 0.012) if q > -0.36 else d
    # The raised edge of the pavement is a line of long stones.
    e = box_distance(across - 3.3, 0.0, z - 0.03, 0.62, 5.0, 0.06, 0.02)
    if e < d:
        d, kind = e, KERB
    d, kind = nearer_lantern(x, y, z, d, kind)
    d, kind = nearer_tower(x, y, z, d, kind)
    return d, kind


@njit(fastmath=True)
def street_march(ox, oy, oz, dx, dy, dz, limit):
    """Follows a ray to a surface: distance (negative: none) and what was met."""
    t, kind = 0.012, NOTHING
    for _ in range(170):
        x, y, z = ox + dx * t, oy + dy * t, oz + dz * t
        if t > limit or z > 27 or y < -9 or y > 75:
            return -1.0, NOTHING
        d, kind = street_distance(x, y, z)
        if d < 0.0015 + 0.00015 * t:
            return t, kind
        t += d * 0.92
    # Out of steps: a ray that grazes a long front or the paving, never the open sky.
    return t, max(kind, PAVING)


@njit(fastmath=True)
def street_normal(x, y, z, t):
    """Outward normal of the nearest surface, `t` metres from the ray's start."""
    e = 0.0012 + 0.00012 * t
    a, _ = street_distance(x + e, y - e, z - e)
    c, _ = street_distance(x - e, y - e, z + e)
    d, _ = street_distance(x - e, y + e, z - e)
    q, _ = street_distance(x + e, y + e, z + e)
    return unit(a - c - d + q, -a - c + d + q, -a + c - d + q)
