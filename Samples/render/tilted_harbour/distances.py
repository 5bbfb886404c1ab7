"""How far the nearest thing in the harbour is, and rays that seek it."""

import math

from numba import njit

from ..rays import unit
from .boats import nearer_boat, nearer_buoy, nearer_mast
from .kinds import NOTHING, STONE
from .lighthouse import nearer_lighthouse
from .pier import nearer_lamp, nearer_stone, pier_axes, pier_wall


@njit(fastmath=True)
def harbour_distance(x, y, z):
    """Distance to the nearest thing above or in the water, and what it is."""
    d, kind = 400.0, NOTHING
    u, w = pier_axes(x, y)
    away = math.sqrt(max(0.0, -u - 7) ** 2 + max(0.0, abs(w) - 7) ** 2 + max(0.0, z - 19) ** 2)
    if away < 1.0:
        rho = math.sqrt(u * u + w * w)
        d, kind = pier_wall(u, w, z, rho), STONE
        d, kind = nearer_lighthouse(u, w, z, rho, d, kind)
        d, kind = nearer_lamp(u, w, z, d, kind)
        d, kind = nearer_stone(u, w, z, rho, d, kind)
    else:
        d = away
    d, kind = nearer_mast(x, y, z, d, kind)
    d, kind = nearer_boat(x, y, z, d, kind)
    d, kind = nearer_buoy(x, y, z, d, kind)
    return d, kind


@njit(fastmath=True)
def harbour_march(ox, oy, oz, dx, dy, dz, limit):
    """Follows a ray to a surface: distance (negative: none) and what was met."""
    t = 0.02
    for _ in range(200):
        z = oz + dz * t
        if t > limit or (z > 19 and dz > 0):
            return -1.0, NOTHING
        d, kind = harbour_distance(ox + dx * t, oy + dy * t, z)
        if d < 0.0012 + 0.00012 * t:
            return t, kind
        t += d * 0.95
    return -1.0, NOTHING


@njit(fastmath=True)
def harbour_normal(x, y, z):
    """Outward normal of the nearest surface."""
    e = 0.004
    d0, _ = harbour_distance(x, y, z)
    nx = harbour_distance(x + e, y, z)[0] - d0
    ny = harbour_distance(x, y + e, z)[0] - d0
    nz = harbour_distance(x, y, z + e)[0] - d0
    return unit(nx, ny, nz)


@njit(fastmath=True)
def open_share(x, y, z, nx, ny, nz):
    """The share of the sky that a surface's neighbourhood leaves open."""
    occ, k = 1.0, 0.12
    for n in range(4):
        d, _ = harbour_distance(x + nx * k, y + ny * k, z + nz * k)
        occ -= max(0.0, k - d) * 0.5 / k * 0.55 ** n
        k *= 2.4
    return max(0.12, occ)
