"""What the things on the table are made of."""

import math

from numba import njit

from ..noise import fbm2, fbm3, mix, noise2, noise3, smooth
from ..rays import unit
from .distances import BOTTLE, BOWL, CLOTH, CORK, FRUIT, STALK, WALL
from .fruit_skin import fruit_skin


@njit(fastmath=True)
def linen(x, y):
    """Linen's colour and the slopes of its threads."""
    # Linen: threads over and under, some thicker than others.
    u, v = (x * 0.96 + y * 0.28) * 46, (-x * 0.28 + y * 0.96) * 46
    iu, iv = math.floor(u), math.floor(v)
    over = (int(iu) + int(iv)) & 1
    fu, fv = u - iu - 0.5, v - iv - 0.5
    slub = 0.75 + 0.5 * noise2(u * (0.08 if over else 1), v * (1 if over else 0.08), 411)
    gx, gy = (0.55 * fu, 0.18 * fv) if over else (0.18 * fu, 0.55 * fv)
    gx, gy = gx * slub, gy * slub
    tone = slub * (0.88 + 0.12 * over) * (1 - 0.5 * (fu * fu + fv * fv))
    r, g, b = 0.66 * tone, 0.61 * tone, 0.53 * tone
    # A woven stripe near the hem.
    s = -x * 0.28 + y * 0.96 + 2.55
    if abs(abs(s) - 0.16) < 0.05 or abs(s) < 0.018:
        r, g, b = r * 0.34, g * 0.42, b * 0.62
    return r, g, b, gx, gy


@njit(fastmath=True)
def plaster(x, z):
    """The wall's colour and its unevenness."""
    f = fbm2(x * 0.35, z * 0.35, 6, 421)
    s = fbm2(x * 2.3 + 5, z * 2.3, 4, 422)
    k = 0.045 + 0.10 * f + 0.035 * (s - 0.5)
    r, g, b = k * 1.0, k * 0.93, k * 0.80
    gx, gz = 0.2 * (f - 0.5), 0.2 * (s - 0.5)
    return r, g, b, gx, gz


@njit(fastmath=True)
def glaze(x, y, z):
    """The bowl's colour, gloss, roughness and unevenness: a glaze with specks and a blue rim."""
    f = noise3(x * 55, y * 55, z * 55, 431)
    speck = smooth(0.80, 0.86, f)
    f = fbm3(x * 2, y * 2, z * 2, 3, 432)
    r, g, b = 0.60 + 0.1 * f, 0.62 + 0.08 * f, 0.60 + 0.06 * f
    band = smooth(1.02, 1.08, z + 0.05 * f)
    low = smooth(0.30, 0.22, z + 0.06 * (f - 0.5))
    r, g, b = mix(r, 0.055, band), mix(g, 0.12, band), mix(b, 0.25, band)
    r, g, b = mix(r, 0.36, low), mix(g, 0.24, low), mix(b, 0.15, low)
    k = 1 - 0.6 * speck
    r, g, b, f0, rough = r * k, g * k, b * k, 0.045 * (1 - low), 0.07
    gx = 0.03 * (f - 0.5)
    return r, g, b, f0, rough, gx


@njit(fastmath=True)
def still_surface(kind, x, y, z, nx, ny, nz, fruit):
    """Colour, gloss (reflectance at normal incidence), roughness and bumped normal."""
    r, g, b, f0, rough = 0.5, 0.5, 0.5, 0.0, 0.3
    gx = gy = gz = 0.0
    if kind == CLOTH:
        r, g, b, gx, gy = linen(x, y)
    elif kind == WALL:
        r, g, b, gx, gz = plaster(x, z)
    elif kind == BOWL:
        r, g, b, f0, rough, gx = glaze(x, y, z)
    elif kind == BOTTLE:
        # Only the paper label gets here; the glass is traced.
        k = 0.9 + 0.2 * noise2(x * 60, z * 60, 441)
        r, g, b = 0.62 * k, 0.56 * k, 0.43 * k
        if abs(abs(z - 1.35) - 0.42) < 0.022 or abs(z - 1.5) < 0.05 or abs(z - 1.2) < 0.012:
            r, g, b = 0.16, 0.07, 0.05
    elif kind == STALK:
        r, g, b = 0.10, 0.062, 0.03
    elif kind == CORK:
        k = 0.5 + noise3(x * 30, y * 30, z * 30, 451)
        r, g, b = 0.42 * k, 0.28 * k, 0.15 * k
    elif kind >= FRUIT:
        r, g, b, f0, rough, gx, gy, gz = fruit_skin(kind - FRUIT, x, y, z, fruit)
    mx, my, mz = unit(nx - gx, ny - gy, nz - gz)
    return r, g, b, f0, rough, mx, my, mz
