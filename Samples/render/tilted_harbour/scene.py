"""The tilted harbour, traced and developed."""

import math

import numpy as np
from numba import njit, prange

from ..chance import SEED, random, row_state
from ..clouds import cloudy_sky
from ..develop import blurred, developed
from ..jpeg import save
from ..noise import fbm2, mix, smooth
from ..rays import camera_ray, direction, fresnel, unit
from ..sky import air_table, sky_at, sunlight
from ..water import wave_normal, wave_set
from .distances import harbour_distance, harbour_march
from .kinds import BUOY, NOTHING
from .light import coast, harbour_light


@njit(fastmath=True)
def sea_light(x, y, water, dx, dy, dz, w, sky, air, top, side, amb, sun, waves, state):
    """Light of the sea met `water` metres along a ray: mirrored, from below, and foam."""
    wind = fbm2(x / (14 + water * 0.1), y / (40 + water * 0.6), 4, 561)
    strength = 0.62 + 0.9 * smooth(0.38, 0.62, wind)
    foot = water * 0.55 / w + 0.0012 * water
    mx, my, mz = wave_normal(waves, x, y, strength, foot, state)
    # Waves that turn away are hidden by those in front.
    k = -(dx * mx + dy * my + dz * mz)
    if k < 0.03:
        k = 0.03
    rx, ry, rz = dx + 2 * k * mx, dy + 2 * k * my, dz + 2 * k * mz
    rz = abs(rz) + 1e-3
    rx, ry, rz = unit(rx, ry, rz)
    f = fresnel(k, 0.02)
    jt, jk = -1.0, 0
    if water < 170:
        jt, jk = harbour_march(x, y, 0.0, rx, ry, rz, 120.0)
    if jt > 0:
        c = harbour_light(x + rx * jt, y + ry * jt, rz * jt, rx, ry, rz, jt, jk,
                          sun, amb, sky, top, side)
    else:
        c = coast(rx, ry, rz, sky, air, top, side, amb, sun)
    q = 1 - f
    # Light that comes back out of the water, more through the backs of waves.
    swell = 1 + 3.0 * max(0.0, mx * sun[0] + my * sun[1])
    br = 0.004 * (sun[3] + amb[0]) * swell
    bg = 0.020 * (sun[4] + amb[1]) * swell
    bb = 0.024 * (sun[5] + amb[2]) * swell
    c = (c[0] * f + q * br, c[1] * f + q * bg, c[2] * f + q * bb)
    # Foam where it laps the stones.
    if water < 130:
        d, what = harbour_distance(x, y, 0.02)
        lace = fbm2(x * 2.6, y * 2.6, 4, 562)
        m = smooth(0.75, 0.0, d + 1.5 * (lace - 0.42)) * 0.75
        if what == BUOY or what == NOTHING:
            m = 0.0
        k = 0.75 * (0.5 + lace)
        c = (mix(c[0], k * (0.25 * sun[3] + amb[0]), m),
             mix(c[1], k * (0.25 * sun[4] + amb[1]), m),
             mix(c[2], k * (0.25 * sun[5] + amb[2]), m))
    veil = math.exp(-water / 9000)
    hz = sky_at(air, top, side, 0.6667, dx, dy, 0.012)
    c = (mix(hz[0], c[0], veil), mix(hz[1], c[1], veil), mix(hz[2], c[2], veil))
    return c


@njit(parallel=True, fastmath=True)
def trace_harbour(w, h, spp, roll, sky, air, top, side, amb, sun, waves):
    """Traces the harbour."""
    out = np.zeros((h, w, 3), np.float32)
    eye = 3.6
    for j in prange(h):
        state = row_state(SEED + 32452843 * j)
        for i in range(w):
            ar = ag = ab = 0.0
            for s in range(spp):
                u, v = (i + random(state)) / w, (j + (s + random(state)) / spp) / h
                dx, dy, dz = camera_ray(u, v, w / h, 2.1, 0.045, roll)
                water = -eye / dz if dz < -1e-5 else 1e9
                t, kind = harbour_march(0.0, 0.0, eye, dx, dy, dz, min(water, 170.0))
                if t > 0:
                    c = harbour_light(dx * t, dy * t, eye + dz * t, dx, dy, dz, t, kind, sun, amb,
                                      sky, top, side)
                elif water > 60000:
                    c = coast(dx, dy, dz, sky, air, top, side, amb, sun)
                else:
                    x, y = dx * water, dy * water
                    c = sea_light(x, y, water, dx, dy, dz, w, sky, air, top, side, amb, sun, waves,
                                  state)
                ar += c[0]
                ag += c[1]
                ab += c[2]
            out[j, i, 0], out[j, i, 1], out[j, i, 2] = ar / spp, ag / spp, ab / spp
    return out


def render(options):
    """A pier and its light in late sun, taken by an unsteady hand: the horizon falls 4 degrees."""
    w, h = int(3000 * options.scale), int(2000 * options.scale)
    azimuth, elevation, haze = math.radians(-100), math.radians(15), 8e-6
    sun = direction(azimuth, elevation)
    top, side = math.radians(52), math.radians(50)
    air = air_table(96, 160, top, side, *sun, haze, 0.5)
    lit = np.array(sunlight(900.0, *sun, haze))
    amb = air[30:].mean((0, 1)).astype(np.float64)
    params = np.array([1100.0, 2500.0, 1250.0, 1.0, 0.576, 9.5, 605, 7])
    size = (int(1500 * min(1, options.scale * 2)), int(2880 * min(1, options.scale * 2)))
    sky = cloudy_sky(*size, top, side, air, *sun, params, 0.006, lit * 1.15, amb * 1.5, 30000.0)
    sky = blurred(sky, 1)
    # Sunlight and the sky's light as they reach a surface, over pi.
    beam = np.array([*sun, *(np.array(sunlight(5.0, *sun, haze)) * 0.32)])
    waves = wave_set(64, 0.18, 7.0, 0.17, math.radians(60), 0.8, SEED + 2)
    spp = max(1, int(8 * options.samples))
    light = trace_harbour(w, h, spp, math.radians(4), sky, air, top, side, amb * 1.15, beam, waves)
    pixels = developed(light, 0.19, 1.22, 1.12, (1.03, 0.985, 1.05), 0.004, 0.14, 0.03, SEED + 3)
    save(pixels, options.out / "tilted-harbour.jpg", 90, 2, 1, "2024:06:21 20:05:57")
