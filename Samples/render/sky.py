"""Sunlight and clear sky: light scattered by air, haze and ozone."""

import math

import numpy as np
from numba import njit, prange


@njit(fastmath=True)
def henyey_greenstein(mu, g):
    """Henyey-Greenstein phase function."""
    return (1 - g * g) / (12.566 * (1 + g * g - 2 * g * mu) ** 1.5)


@njit(fastmath=True)
def ozone(h):
    """Relative ozone density at height `h` in metres."""
    return max(0.0, 1 - abs(h - 25000) / 15000)


@njit(fastmath=True)
def sphere_exit(px, py, pz, dx, dy, dz, radius):
    """Distance along the ray to the far side of a sphere around the planet's centre."""
    b = px * dx + py * dy + pz * dz
    c = px * px + py * py + pz * pz - radius * radius
    d = b * b - c
    return -b + math.sqrt(d) if d > 0 else -1.0


@njit(fastmath=True)
def sunlight(h, sx, sy, sz, haze):
    """Sunlight left after the air above height `h`, as RGB in [0, 1]."""
    pz = 6360e3 + h
    far = sphere_exit(0.0, 0.0, pz, sx, sy, sz, 6420e3)
    steps = 24
    r = m = o = 0.0
    for j in range(steps):
        # Quadratic steps: the air is densest near the start.
        t = far * ((j + 0.5) / steps) ** 2
        dt = far * (2 * j + 1) / (steps * steps)
        qx, qy, qz = sx * t, sy * t, pz + sz * t
        k = math.sqrt(qx * qx + qy * qy + qz * qz) - 6360e3
        if k < -300:
            return 0.0, 0.0, 0.0
        k = max(k, 0.0)
        r += math.exp(-k / 8000) * dt
        m += math.exp(-k / 1200) * dt
        o += ozone(k) * dt
    a = haze * m * 1.1
    return (math.exp(-5.8e-6 * r - a - 0.65e-6 * o),
            math.exp(-13.5e-6 * r - a - 1.88e-6 * o),
            math.exp(-33.1e-6 * r - a - 0.085e-6 * o))


@njit(parallel=True, fastmath=True)
def air_table(rows, cols, top, side, sx, sy, sz, haze, lift):
    """Clear sky seen from the ground: Rayleigh, Mie and ozone, one bounce.

    Row 0 is the horizon and the last row the elevation `top`; columns run from
    azimuth `-side` to `side`, both in radians. `lift` stands in for later bounces.
    """
    out = np.zeros((rows, cols, 3), np.float32)
    for i in prange(rows):
        e = top * (i / (rows - 1.0)) ** 1.5
        for c in range(cols):
            a = side * (2.0 * c / (cols - 1) - 1)
            dx, dy, dz = math.sin(a) * math.cos(e), math.cos(a) * math.cos(e), math.sin(e) + 0.002
            far = sphere_exit(0.0, 0.0, 6360e3 + 5, dx, dy, dz, 6420e3)
            mu = dx * sx + dy * sy + dz * sz
            pr = 0.0597 * (1 + mu * mu)
            pm = 0.75 * henyey_greenstein(mu, 0.76) + 0.25 * henyey_greenstein(mu, 0.3)
            r = m = o = 0.0
            steps = 48
            for j in range(steps):
                t = far * ((j + 0.5) / steps) ** 2
                dt = far * (2 * j + 1) / (steps * steps)
                qx, qy, qz = dx * t, dy * t, 6360e3 + 5 + dz * t
                radius = math.sqrt(qx * qx + qy * qy + qz * qz)
                h = max(0.0, radius - 6360e3)
                dr, dm = math.exp(-h / 8000) * dt, math.exp(-h / 1200) * dt
                r += dr
                m += dm
                o += ozone(h) * dt
                # The sun's height over the local horizon falls as the ray curves away.
                up = (qx * sx + qy * sy + qz * sz) / radius
                flat = math.sqrt(max(0.0, 1 - up * up))
                s = sunlight(h, 0.0, flat, up, haze)
                w = haze * m * 1.1
                t0 = math.exp(-5.8e-6 * r - w - 0.65e-6 * o)
                t1 = math.exp(-13.5e-6 * r - w - 1.88e-6 * o)
                t2 = math.exp(-33.1e-6 * r - w - 0.085e-6 * o)
                out[i, c, 0] += t0 * ((5.8e-6 * pr * dr + haze * pm * dm) * s[0]
                                      + lift * 5.8e-6 * dr * 0.05)
                out[i, c, 1] += t1 * ((13.5e-6 * pr * dr + haze * pm * dm) * s[1]
                                      + lift * 13.5e-6 * dr * 0.05)
                out[i, c, 2] += t2 * ((33.1e-6 * pr * dr + haze * pm * dm) * s[2]
                                      + lift * 33.1e-6 * dr * 0.05)
    return out


@njit(fastmath=True)
def sky_at(table, top, side, power, dx, dy, dz):
    """Reads a sky table in a direction, bilinear, clamped at its edges."""
    rows, cols = table.shape[0], table.shape[1]
    e = math.atan2(dz, math.sqrt(dx * dx + dy * dy))
    a = math.atan2(dx, dy)
    v = (max(0.0, e) / top)
    v = min(1.0, v) ** power * (rows - 1)
    u = min(1.0, max(0.0, (a / side + 1) * 0.5)) * (cols - 1)
    i, c = min(int(v), rows - 2), min(int(u), cols - 2)
    fv, fu = v - i, u - c
    w00, w01, w10, w11 = (1 - fv) * (1 - fu), (1 - fv) * fu, fv * (1 - fu), fv * fu
    return (
        table[i, c, 0] * w00 + table[i, c + 1, 0] * w01
        + table[i + 1, c, 0] * w10 + table[i + 1, c + 1, 0] * w11,
        table[i, c, 1] * w00 + table[i, c + 1, 1] * w01
        + table[i + 1, c, 1] * w10 + table[i + 1, c + 1, 1] * w11,
        table[i, c, 2] * w00 + table[i, c + 1, 2] * w01
        + table[i + 1, c, 2] * w10 + table[i + 1, c + 1, 2] * w11)
