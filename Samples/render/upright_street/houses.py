"""The houses' fronts and what is fixed to them.

q is the distance in front of the wall; u and w are offsets from the middle of an opening with the
half sizes a and b; hole is the distance to that opening.
"""

import math

from numba import njit

from ..chance import hash3
from ..noise import fbm3, smooth
from ..shapes import box_distance, rectangle_distance
from .kinds import IRON, LEAVES, POT, SHUTTER, TRIM, WALL
from .layout import window_place


@njit(fastmath=True)
def nearer_window(x, y, z, q, number, c, level, u, w, a, b, hole, fits, d, kind):
    """The nearer of what was found so far and a window's surround, sill, shutters and box."""
    if fits and hash3(number, 5, 701) < 0.75:
        e = max(max(hole - 0.13, -hole), abs(q) - 0.045)
        if e < d:
            d, kind = e, TRIM
    if level > 0 and fits:
        e = box_distance(u, q - 0.05, w + b + 0.06, a + 0.2, 0.14, 0.05, 0.015)
        if e < d:
            d, kind = e, TRIM
        if hash3(number, 6, 701) < 0.62:
            sa = abs(u) - a - 0.30
            open_ = hash3(number * 31 + c, level, 702)
            # Most are folded back; a few hang ajar.
            ajar = 0.0 if open_ < 0.8 else 0.25 * smooth(-0.28, 0.28, sa)
            e = box_distance(sa, q - 0.06 - ajar, w, 0.27, 0.028, b + 0.04, 0.01) * 0.8
            if e < d:
                d, kind = e, SHUTTER
        if hash3(number * 17 + c, level, 703) < 0.30:
            # A window box and what grows in it.
            e = box_distance(u, q - 0.20, w + b - 0.06, a * 0.92, 0.11, 0.10, 0.02)
            if e < d:
                d, kind = e, POT
            e = box_distance(u, q - 0.22, w + b - 0.20, a * 0.9, 0.12, 0.12, 0.11)
            if e < 0.25:
                e -= 0.26 * (fbm3(x * 9, y * 9, z * 9, 3, 704) - 0.40)
                e *= 0.6
            if e < d:
                d, kind = e, LEAVES
    return d, kind


@njit(fastmath=True)
def nearer_course(q, z, high, door, hole, d, kind):
    """The nearer of what was found so far and the string course, cornice and plinth."""
    e = box_distance(0.0, q - 0.02, z - 3.45, 9.0, 0.10, 0.09, 0.02)
    e = min(e, box_distance(0.0, q - 0.10, z - high + 0.16, 9.0, 0.34, 0.15, 0.04))
    e = min(e, box_distance(0.0, q - 0.02, z - high + 0.45, 9.0, 0.16, 0.10, 0.03))
    if e < d:
        d, kind = e, TRIM
    if not door or hole > 0.15:
        e = box_distance(0.0, q, z - 0.25, 9.0, 0.07, 0.3, 0.02)
        if e < d:
            d, kind = e, TRIM
    return d, kind


@njit(fastmath=True)
def nearer_pipe_or_pot(x, y, z, q, number, f, width, high, d, kind):
    """The nearer of what was found so far and the rain pipe, and the pot beside the door."""
    # A rain pipe where two houses meet.
    p = f * width - 0.25
    e = max(math.sqrt(p * p + (q - 0.11) ** 2) - 0.055, z - high)
    if e < d:
        d, kind = e, IRON
    if 0.0 < z < 1.6 and hash3(number, 8, 701) < 0.6:
        # A pot beside the door.
        p = f * width - 0.95
        rho = math.sqrt(p * p + (q - 0.36) ** 2)
        e = max(rho - 0.17 - 0.12 * z, max(z - 0.42, -z)) * 0.9
        if e < d:
            d, kind = e, POT
        e = math.sqrt(rho * rho + (z - 0.82) ** 2) - 0.33
        if e < 0.3:
            e = (e - 0.5 * (fbm3(x * 7, y * 7, z * 7, 3, 705) - 0.42)) * 0.55
        if e < d:
            d, kind = e, LEAVES
    return d, kind


@njit(fastmath=True)
def nearer_front(x, y, z, q, number, f, width, high, d, kind):
    """The nearer of what was found so far and the front of a house."""
    c, level, u, w, a, b, door = window_place(number, f, width, z)
    wall = max(q, z - high)
    hole = rectangle_distance(u, w, a, b)
    if level == 0:
        # A segmental arch over the ground floor's openings.
        hole = max(hole, math.sqrt(u * u + (w - b + 1.3) ** 2) - 1.32)
    inside = max(hole, -0.22 - q)
    fits = z < high - 1.0 or level == 0
    if fits and q < 0.8:
        wall = max(wall, -inside)
    if wall < d:
        d, kind = wall, WALL
    if q < 0.6:
        d, kind = nearer_window(x, y, z, q, number, c, level, u, w, a, b, hole, fits, d, kind)
        d, kind = nearer_course(q, z, high, door, hole, d, kind)
        d, kind = nearer_pipe_or_pot(x, y, z, q, number, f, width, high, d, kind)
    return d, kind
