"""How far the nearest thing on the table is, and rays that seek it."""

import math

from numba import njit

from ..rays import unit
from ..shapes import blend_min
from .bottle import bottle_distance
from .cloth import cloth_height
from .fruit import APPLE, PEAR, fruit_distance, stem_distance

# What a ray meets; fruit i is FRUIT + i.
NOTHING = 0
CLOTH = 1
WALL = 2
BOWL = 3
BOTTLE = 9
STALK = 10
CORK = 11
FRUIT = 20


@njit(fastmath=True)
def nearer_bottle(x, y, z, d, kind):
    """The nearer of what was found so far and the bottle with its cork."""
    x0, y0, z0 = x + 1.75, y - 1.35, z
    rough = math.sqrt(x0 * x0 + y0 * y0) - 0.75
    if rough < d:
        e = bottle_distance(x0, y0, z0) if rough < 0.4 else rough
        if e < d:
            d, kind = e, BOTTLE
        if rough < 0.4:
            q, w = math.sqrt(x0 * x0 + y0 * y0) - 0.15, abs(z0 - 4.0) - 0.09
            e = max(q, w)
            if e < d:
                d, kind = e, CORK
    return d, kind


@njit(fastmath=True)
def nearer_bowl(x, y, z, d, kind):
    """The nearer of what was found so far and the bowl."""
    x0, y0, z0 = x - 0.85, y - 0.75, z - 1.85
    rad = math.sqrt(x0 * x0 + y0 * y0 + z0 * z0)
    if rad - 1.9 < d:
        shell_ = abs(rad - 1.79) - 0.045
        cut = z - 1.16 - 0.012 * math.sin(6 * math.atan2(y0, x0) + 1)
        e = -blend_min(-shell_, -cut, 0.07)
        q, w = abs(math.sqrt(x0 * x0 + y0 * y0) - 0.72) - 0.06, abs(z - 0.09) - 0.09
        e = blend_min(e, math.sqrt(max(q, 0.0) ** 2 + max(w, 0.0) ** 2) - 0.02, 0.1)
        if e < d:
            d, kind = e, BOWL
    return d, kind


@njit(fastmath=True)
def nearer_fruit(x, y, z, fruit, d, kind):
    """The nearer of what was found so far and the fruit."""
    for i in range(fruit.shape[0]):
        r = fruit[i, 4]
        px, py, pz = x - fruit[i, 1], y - fruit[i, 2], z - fruit[i, 3]
        reach = r * fruit[i, 8]
        rough = math.sqrt(px * px + py * py + pz * pz) - reach
        if rough >= d:
            continue
        if rough > 0.25:
            d, kind = rough, FRUIT + i
            continue
        k = int(fruit[i, 0])
        e = fruit_distance(k, px, py, pz, fruit[i, 5], fruit[i, 6], fruit[i, 7], r)
        if e < d:
            d, kind = e, FRUIT + i
        if k == APPLE or k == PEAR:
            e = stem_distance(k, px, py, pz, fruit[i, 5], fruit[i, 6], fruit[i, 7], r)
            if e < d:
                d, kind = e, STALK
    return d, kind


@njit(fastmath=True)
def still_distance(x, y, z, cloth, fruit):
    """Distance to the nearest thing and what it is."""
    d, kind = (z - cloth_height(cloth, x, y, 9.0)) * 0.72, CLOTH
    if 8.0 - y < d:
        d, kind = 8.0 - y, WALL
    # All things stand inside one box; outside it the box will do.
    bx, by, bz = max(0.0, abs(x - 0.2) - 3.3), max(0.0, abs(y - 0.1) - 2.6), max(0.0, z - 4.3)
    box = math.sqrt(bx * bx + by * by + bz * bz)
    if box > 0.4:
        return (d, kind) if d < box else (box, NOTHING)
    d, kind = nearer_bottle(x, y, z, d, kind)
    d, kind = nearer_bowl(x, y, z, d, kind)
    d, kind = nearer_fruit(x, y, z, fruit, d, kind)
    return d, kind


@njit(fastmath=True)
def still_normal(x, y, z, cloth, fruit):
    """Outward normal of the nearest surface."""
    e = 0.0012
    a, _ = still_distance(x + e, y - e, z - e, cloth, fruit)
    b, _ = still_distance(x - e, y - e, z + e, cloth, fruit)
    c, _ = still_distance(x - e, y + e, z - e, cloth, fruit)
    d, _ = still_distance(x + e, y + e, z + e, cloth, fruit)
    return unit(a - b - c + d, -a - b + c + d, -a + b - c + d)


@njit(fastmath=True)
def still_march(ox, oy, oz, dx, dy, dz, limit, cloth, fruit):
    """Follows a ray to a surface: distance (negative: none) and what was met."""
    t = 0.004
    for _ in range(140):
        x, y, z = ox + dx * t, oy + dy * t, oz + dz * t
        d, kind = still_distance(x, y, z, cloth, fruit)
        if d < 0.0006 + 0.00008 * t:
            return t, kind
        t += d
        if t > limit or z > 14:
            return -1.0, NOTHING
    return -1.0, NOTHING
