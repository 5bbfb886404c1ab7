"""Signed distances of simple shapes, in metres, negative inside."""

import math

from numba import njit


@njit(fastmath=True)
def blend_min(a, b, k):
    """The smaller of two distances, the corner between them rounded over `k`."""
    h = max(0.0, k - abs(a - b)) / k
    return min(a, b) - h * h * k * 0.25


@njit(fastmath=True)
def box_distance(x, y, z, a, b, c, r):
    """Distance to a box with half sizes a, b, c and edges rounded by r."""
    qx, qy, qz = abs(x) - a + r, abs(y) - b + r, abs(z) - c + r
    mx, my, mz = max(qx, 0.0), max(qy, 0.0), max(qz, 0.0)
    return math.sqrt(mx * mx + my * my + mz * mz) + min(max(qx, max(qy, qz)), 0.0) - r


@njit(fastmath=True)
def rod_distance(x, y, z, low, high, r):
    """Distance to an upright rod at the origin."""
    q = z - min(high, max(low, z))
    return math.sqrt(x * x + y * y + q * q) - r


@njit(fastmath=True)
def rectangle_distance(x, y, a, b):
    """Distance to a rectangle in the plane."""
    qx, qy = abs(x) - a, abs(y) - b
    mx, my = max(qx, 0.0), max(qy, 0.0)
    return math.sqrt(mx * mx + my * my) + min(max(qx, qy), 0.0)
