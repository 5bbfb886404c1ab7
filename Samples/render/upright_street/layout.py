"""Where the street bends, its lamps hang, its houses stand and their windows are."""

import math

from numba import njit

from ..chance import hash3


@njit(fastmath=True)
def street_bend(y):
    """How far the street's middle has moved to the left at distance y."""
    return -0.00135 * y * y


@njit(fastmath=True)
def street_lamp(k):
    """Place of lamp k; the lamps hang alternately left and right."""
    y = 7.4 + 7.0 * k
    side = 1.0 if k % 2 == 0 else -1.0
    return street_bend(y) + side * 2.75, y, 4.05


@njit(fastmath=True)
def street_house(side, y):
    """Number, place along the front in [0, 1), width, height and setback of the house at y."""
    v = (y + (3.1 if side > 0 else 0.0)) / 7.6
    n = math.floor(v)
    number = int(n) * 2 + (1 if side > 0 else 0)
    return (number, v - n, 7.6, 9.2 + 4.6 * hash3(number, 1, 701), 0.35 * hash3(number, 2, 701))


@njit(fastmath=True)
def window_place(number, f, width, z):
    """Cell of the facade a point falls in: column, floor, offsets from its middle, half sizes.

    Floor 0 holds doors and shop windows, the floors above windows.
    """
    cols = 3 if hash3(number, 3, 701) < 0.6 else 2
    c = min(cols - 1, int(f * cols))
    bay = width / cols
    u = (f * cols - c - 0.5) * bay
    if z < 3.5:
        door = c == int(hash3(number, 4, 701) * cols)
        half, low, high = (0.62, 0.0, 2.55) if door else (0.72, 0.75, 2.65)
        return c, 0, u, z - 0.5 * (low + high), half, 0.5 * (high - low), door
    floor_ = int((z - 3.5) / 2.95)
    w = z - 3.5 - 2.95 * floor_ - 1.42
    return c, floor_ + 1, u, w, 0.50, 0.86 - 0.1 * min(2, floor_), False
