"""The lake at dusk, traced and developed."""

import math

import numpy as np
from numba import njit, prange

from ..chance import SEED, random, row_state
from ..clouds import cloudy_sky
from ..develop import blurred, developed
from ..jpeg import save
from ..noise import fbm2, smooth
from ..rays import camera_ray, direction, fresnel
from ..sky import air_table, sunlight
from ..water import wave_normal, wave_set
from .jetty import jetty_hit, jetty_light
from .land import lake_land, lake_march


# Inlined: called, the compiler would round a few sums otherwise.
@njit(fastmath=True, inline="always")
def lake_water(x, y, water, dx, dy, dz, w, sky, air, top, side, amb, warm, waves, state):
    """Light of the water met `water` metres along a ray: what it mirrors, and a little green."""
    wind = fbm2(x / (18 + water * 0.05), y / (50 + water * 0.4), 4, 91)
    strength = 0.35 + 1.5 * smooth(0.44, 0.62, wind)
    strength *= 1 - 0.45 * smooth(60, 500, water)
    foot = water * 0.0006 * 600 / w * 2 + 0.004 * water * 0.25
    mx, my, mz = wave_normal(waves, x, y, strength, foot, state)
    k = -(dx * mx + dy * my + dz * mz)
    if k < 0.005:
        k = 0.005
    rx, ry, rz = dx + 2 * k * mx, dy + 2 * k * my, dz + 2 * k * mz
    rz = abs(rz) + 1e-4
    f = fresnel(k, 0.02)
    jt, jk, jx, jy, jz, ju, jv = jetty_hit(x, y, 0.0, rx, ry, rz)
    if jk > 0:
        c = jetty_light(x + rx * jt, y + ry * jt, rz * jt, rx, ry, rz, jk, jx,
                        jy, jz, ju, jv, sky, top, side, amb, warm, state)
        if jz < -0.5:
            c = (c[0] * 0.2, c[1] * 0.2, c[2] * 0.2)
    else:
        c = lake_land(x, y, 0.0, rx, ry, rz, 25.0, sky, air, top, side,
                      amb, warm)
    # What comes back out of the water: little, and green.
    q = 1 - f
    c = (c[0] * f + q * amb[0] * 0.010, c[1] * f + q * amb[1] * 0.019,
         c[2] * f + q * amb[2] * 0.020)
    return c


@njit(parallel=True, fastmath=True)
def trace_lake(w, h, spp, sky, air, top, side, amb, warm, waves):
    """Traces the lake."""
    out = np.zeros((h, w, 3), np.float32)
    eye = 2.05
    for j in prange(h):
        state = row_state(SEED + 104729 * j)
        for i in range(w):
            ar = ag = ab = 0.0
            for s in range(spp):
                u, v = (i + random(state)) / w, (j + (s + random(state)) / spp) / h
                dx, dy, dz = camera_ray(u, v, w / h, 1.78, 0.032, 0.0)
                t, kind, nx, ny, nz, pu, pv = jetty_hit(0.0, 0.0, eye, dx, dy, dz)
                water = -eye / dz if dz < -1e-5 else 1e9
                if kind > 0 and t < water:
                    c = jetty_light(dx * t, dy * t, eye + dz * t, dx, dy, dz, kind, nx, ny, nz,
                                    pu, pv, sky, top, side, amb, warm, state)
                elif water > 15000:
                    c = lake_land(0.0, 0.0, eye, dx, dy, dz, 60.0, sky, air, top, side, amb, warm)
                else:
                    x, y = dx * water, dy * water
                    land = -1.0
                    if water > 90:
                        land, _ = lake_march(0.0, 0.0, eye, dx, dy, dz, 90.0, water)
                    if land > 0:
                        c = lake_land(0.0, 0.0, eye, dx, dy, dz, 60.0, sky, air, top, side, amb,
                                      warm)
                    else:
                        c = lake_water(x, y, water, dx, dy, dz, w, sky, air, top, side, amb, warm,
                                       waves, state)
                ar += c[0]
                ag += c[1]
                ab += c[2]
            out[j, i, 0], out[j, i, 1], out[j, i, 2] = ar / spp, ag / spp, ab / spp
    return out


def render(options):
    """Hills and a lake just after the sun has gone behind them."""
    w, h = int(3000 * options.scale), int(2000 * options.scale)
    azimuth, elevation, haze = -0.15, math.radians(0.7), 4e-6
    sun = direction(azimuth, elevation)
    top, side = math.radians(75), math.radians(75)
    air = air_table(96, 160, top, side, *sun, haze, 0.22)
    lit = np.array(sunlight(3500.0, *sun, haze))
    amb = air[30:].mean((0, 1)).astype(np.float64)
    lit *= (1.0, 0.80, 0.86)
    # From below: at the clouds' height the sun has not set, and shines up at them.
    under = (sun[0], sun[1], -0.035)
    params = np.array([3300.0, 4300.0, 800.0, 0.40, 0.60, 8.0, 301, 6])
    size = (int(1500 * min(1, options.scale * 2)), int(3000 * min(1, options.scale * 2)))
    sky = cloudy_sky(*size, top, side, air, *under, params, 0.0011, lit * 0.62, amb * 1.6, 42000.0)
    sky = blurred(sky, 1)
    warm = np.array([*(air[4:14, 60:100].mean((0, 1)) * 1.1), sun[0], sun[1]])
    waves = wave_set(56, 0.11, 2.6, 0.055, math.radians(80), 0.75, SEED)
    spp = max(1, int(7 * options.samples))
    light = trace_lake(w, h, spp, sky, air, top, side, amb * 3.1, warm * 3.1, waves)
    pixels = developed(light, 0.125, 1.2, 1.1, (1.0, 0.985, 1.16), 0.003, 0.16, 0.04, SEED)
    save(pixels, options.out / "lake-at-dusk.jpg", 90, 2, 1, "2024:09:17 19:42:08")
