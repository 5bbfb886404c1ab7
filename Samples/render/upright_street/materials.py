"""What the street is made of."""

import math

from numba import njit

from ..chance import hash3
from ..noise import fbm2, fbm3, noise3
from ..rays import unit
from ..shapes import rectangle_distance
from .kinds import IRON, KERB, LANTERN, LEAVES, PAVING, POT, SHUTTER, TOWER, TRIM, WALL
from .layout import street_bend, street_house, street_lamp, window_place
from .paving import paving
from .walls import door_surface, limewash, window_surface


@njit(fastmath=True)
def shutter_paint(number, y, z):
    """Colour of a slatted shutter and the slope of its slats."""
    h = hash3(number, 11, 745)
    slat = z / 0.055
    v = slat - math.floor(slat)
    gz = 0.7 * (v - 0.5)
    k = (0.5 + 0.5 * v) * (0.7 + 0.6 * fbm2(y * 4, z * 4, 3, 746))
    if h < 0.4:
        r, g, b = 0.045 * k, 0.13 * k, 0.085 * k
    elif h < 0.7:
        r, g, b = 0.07 * k, 0.11 * k, 0.15 * k
    else:
        r, g, b = 0.19 * k, 0.10 * k, 0.055 * k
    return r, g, b, gz


@njit(fastmath=True)
def lantern_glass(x, y, z):
    """Colour and own light of a lantern: its frame, and the mantle behind the pane."""
    r = g = b = 0.4
    er = eg = eb = 0.0
    k = int(math.floor((y - 7.4) / 7.0 + 0.5))
    lx, ly, lz = street_lamp(max(0, min(7, k)))
    qx, qy, qz = x - lx, y - ly, z - lz
    taper = 0.15 + 0.10 * qz
    if min(abs(qx), abs(qy)) > taper - 0.03 or abs(qz) > 0.25:
        r, g, b = 0.02, 0.02, 0.02
    else:
        # The mantle shows through the pane.
        m = math.exp(-(qz * qz) / 0.012)
        er, eg, eb = 9 + 26 * m, 5.0 + 17 * m, 1.7 + 7 * m
    return r, g, b, er, eg, eb


@njit(fastmath=True)
def tower_stone(x, y, z):
    """Colour and own light of the tower: stone, roof, belfry and clock."""
    er = eg = eb = 0.0
    s = fbm3(x * 0.6, y * 0.6, z * 0.6, 5, 751)
    row = z / 0.45
    n = math.floor(row)
    a = (x + y) / 0.9 + 0.5 * (int(n) & 1)
    k = 0.34 * (0.6 + 0.8 * s) * (0.85 + 0.3 * hash3(int(math.floor(a)), int(n), 752))
    r, g, b = k, k * 0.88, k * 0.70
    tx = x - street_bend(60) + 1.0
    if z > 19.7:
        r, g, b = 0.12 * s, 0.08 * s, 0.06 * s
    elif abs(abs(tx) - 0.85) < 0.55 and abs(z - 16.2) < 1.6 and y > 63.45 + 0.2:
        er, eg, eb = 1.5, 0.82, 0.3
    rho = math.sqrt(tx * tx + (z - 10.8) ** 2)
    if rho < 1.15 and y < 63.6:
        er, eg, eb = 1.5, 1.2, 0.75
        ang = math.atan2(tx, z - 10.8) / 6.2831853 * 12
        tick = abs(ang - math.floor(ang + 0.5))
        hand = abs(tx * 0.5 - (z - 10.8) * 0.866) < 0.05 and tx > 0 and rho < 0.65
        hand = hand or abs(tx * 0.97 + (z - 10.8) * 0.24) < 0.04 and z > 10.8 and rho < 0.95
        if rho > 1.05 or (rho > 0.85 and tick < 0.09) or hand:
            er = eg = eb = 0.0
            r, g, b = 0.03, 0.03, 0.03
    return r, g, b, er, eg, eb


@njit(fastmath=True)
def leaves(x, y, z):
    """Colour of leaves and flowers, and two slopes."""
    s = noise3(x * 22, y * 22, z * 22, 753)
    r, g, b = 0.045 + 0.05 * s, 0.10 + 0.07 * s, 0.03
    if noise3(x * 16 + 7, y * 16, z * 16, 754) > 0.78 and z > 3:
        r, g, b = 0.55, 0.06, 0.08
    gx, gy = 0.9 * (s - 0.5), 0.9 * (noise3(x * 25, y * 25, z * 25, 755) - 0.5)
    return r, g, b, gx, gy


@njit(fastmath=True)
def street_surface(kind, x, y, z, t, nx, ny, nz):
    """Colour, gloss, roughness, normal and own light of a surface."""
    r, g, b, f0, rough = 0.4, 0.4, 0.4, 0.0, 0.3
    er = eg = eb = 0.0
    gx = gy = gz = 0.0
    mid = street_bend(y)
    side = 1.0 if x > mid else -1.0
    number, f, width, high, back = street_house(side, y)
    q = 3.75 + back - abs(x - mid)
    if kind == PAVING or kind == KERB:
        r, g, b, f0, rough, gx, gy = paving(kind, x, y, t, mid)
    elif kind == WALL:
        c, level, u, w, a, bb, door = window_place(number, f, width, z)
        hole = rectangle_distance(u, w, a, bb)
        if hole < 0.0 and q < -0.12 and z < high - 0.9:
            key = hash3(number * 13 + c, level, 731)
            if door:
                r, g, b, f0, rough, er, eg, eb = door_surface(number, u, w, bb)
            else:
                r, g, b, f0, rough, gx, gy, er, eg, eb = window_surface(
                    number, c, level, u, w, a, bb, hole, key)
        else:
            r, g, b, gy, gz = limewash(x, y, z, number)
    elif kind == SHUTTER:
        r, g, b, gz = shutter_paint(number, y, z)
        f0, rough = 0.03, 0.35
    elif kind == TRIM:
        k = 0.40 * (0.55 + 0.8 * fbm3(x * 3, y * 3, z * 3, 4, 747))
        r, g, b = k, k * 0.93, k * 0.82
    elif kind == IRON:
        r, g, b, f0, rough = 0.02, 0.021, 0.022, 0.05, 0.3
    elif kind == LANTERN:
        r, g, b, er, eg, eb = lantern_glass(x, y, z)
    elif kind == TOWER:
        r, g, b, er, eg, eb = tower_stone(x, y, z)
    elif kind == POT:
        r, g, b = 0.24, 0.10, 0.055
    elif kind == LEAVES:
        r, g, b, gx, gy = leaves(x, y, z)
    mx, my, mz = unit(nx - gx, ny - gy, nz - gz)
    return r, g, b, f0, rough, mx, my, mz, er, eg, eb
