"""Light of the harbour's surfaces, of the headland and of the sky."""

import math

from numba import njit

from ..noise import fbm2, mix, smooth
from ..rays import fresnel
from ..sky import sky_at
from .distances import harbour_march, harbour_normal, open_share
from .kinds import SAIL
from .materials import harbour_surface


@njit(fastmath=True)
def harbour_light(x, y, z, dx, dy, dz, t, kind, sun, amb, sky, top, side):
    """Light of a surface: sun with shadow, sky with occlusion, the sea's glimmer from below."""
    nx, ny, nz = harbour_normal(x, y, z)
    r, g, b, gloss, nx, ny, nz = harbour_surface(kind, x, y, z, nx, ny, nz)
    occ = open_share(x, y, z, nx, ny, nz)
    c = nx * sun[0] + ny * sun[1] + nz * sun[2]
    if kind == SAIL:
        # Sailcloth glows with the light behind it.
        c = 0.25 + max(c, 0.0) + 0.55 * max(-c, 0.0)
    lit = 0.0
    if c > 0:
        off = 0.03 if kind != SAIL else 0.15
        hit, what = harbour_march(x + nx * off, y + ny * off, z + nz * off, sun[0], sun[1], sun[2],
                                  70.0)
        lit = c if hit < 0 or (kind == SAIL and what == SAIL) else 0.0
    up, down = 0.5 + 0.5 * nz, 0.5 - 0.5 * nz
    # The clear half of the sky lies towards the sun.
    facing = 0.75 + 0.25 * (nx * sun[0] + ny * sun[1])
    lr = sun[3] * lit + occ * (amb[0] * up * facing + down * (0.05 * sun[3] + 0.10 * amb[0]))
    lg = sun[4] * lit + occ * (amb[1] * up * facing + down * (0.06 * sun[4] + 0.16 * amb[1]))
    lb = sun[5] * lit + occ * (amb[2] * up * facing + down * (0.06 * sun[5] + 0.18 * amb[2]))
    r, g, b = r * lr, g * lg, b * lb
    if gloss > 0:
        c = -(dx * nx + dy * ny + dz * nz)
        rx, ry, rz = dx + 2 * c * nx, dy + 2 * c * ny, dz + 2 * c * nz
        q = sky_at(sky, top, side, 1.0, rx, ry, max(0.02, rz))
        k = fresnel(c, gloss) * occ
        r, g, b = r + k * q[0], g + k * q[1], b + k * q[2]
        h = rx * sun[0] + ry * sun[1] + rz * sun[2]
        if h > 0 and lit > 0:
            k = fresnel(c, gloss) * h ** 60 * 9
            r, g, b = r + k * sun[3], g + k * sun[4], b + k * sun[5]
    return r, g, b


@njit(fastmath=True)
def coast(dx, dy, dz, sky, air, top, side, amb, sun):
    """The sky, or the hazy headland in front of it."""
    a = math.atan2(dx, dy)
    e = dz / math.sqrt(dx * dx + dy * dy)
    if e < 0.08:
        far = 0.050 * smooth(-0.02, -0.42, a) * (0.5 + 0.9 * fbm2(a * 9, 1.5, 6, 551))
        near = 0.036 * smooth(-0.24, -0.6, a) * (0.4 + 1.1 * fbm2(a * 15, 7.5, 7, 552))
        if e < max(far, near):
            close = e < near
            k = fbm2(a * 180, e * 700, 4, 553)
            slope = fbm2(a * 40 + e * 60, e * 220, 4, 554)
            lit = 0.25 + 0.9 * smooth(0.35, 0.65, slope)
            k = (0.5 + k) * (0.085 if close else 0.1)
            r = k * 1.0 * (sun[3] * lit * 0.55 + amb[0] * 0.7)
            g = k * 0.95 * (sun[4] * lit * 0.55 + amb[1] * 0.7)
            b = k * 0.60 * (sun[5] * lit * 0.55 + amb[2] * 0.7)
            h = sky_at(air, top, side, 0.6667, dx, dy, 0.02)
            m = 0.42 if close else 0.20
            return mix(h[0] * 0.92, r, m), mix(h[1] * 0.88, g, m * 0.92), mix(h[2], b, m * 0.8)
    return sky_at(sky, top, side, 1.0, dx, dy, max(0.0, dz))
