"""The jetty: where rays meet it, and the light of its wood."""

import math

from numba import njit

from ..chance import gauss, hash3
from ..noise import fbm2, mix, noise2, smooth
from ..rays import fresnel, unit
from ..sky import sky_at


@njit(fastmath=True)
def jetty_hit(ox, oy, oz, dx, dy, dz):
    """Meets the jetty: distance, kind (1 deck, 2 side, 3 post), normal, and place on the deck."""
    # The jetty's own axes: v runs out over the lake, u across the planks.
    c, s = math.cos(0.115), math.sin(0.115)
    px, py = ox - 2.15, oy - 1.0
    u, v = px * c + py * s, -px * s + py * c
    du, dv = dx * c + dy * s, -dx * s + dy * c
    best, kind, nu, nv, nz, pu, pv = 1e9, 0, 0.0, 0.0, 1.0, 0.0, 0.0
    half, end, deck = 0.78, 15.6, 0.62
    if dz != 0:
        t = (deck - oz) / dz
        if t > 1e-3:
            hu, hv = u + du * t, v + dv * t
            plank = math.floor(hv / 0.152)
            ends = half + 0.05 * (hash3(int(plank), 3, 71) - 0.5)
            if abs(hu) < ends and 0 < hv < end and hv / 0.152 - plank < 0.925:
                best, kind, pu, pv = t, 1, hu, hv
                nz = 1.0 if dz < 0 else -1.0
    for sgn in (-1, 1):
        if du != 0:
            t = (sgn * (half - 0.03) - u) / du
            if 1e-3 < t < best:
                hz, hv = oz + dz * t, v + dv * t
                if deck - 0.19 < hz < deck - 0.004 and 0 < hv < end:
                    best, kind, nu, nv, nz, pu, pv = t, 2, float(sgn), 0.0, 0.0, hz, hv
    if dv != 0:
        t = (end - v) / dv
        if 1e-3 < t < best:
            hz, hu = oz + dz * t, u + du * t
            if deck - 0.19 < hz < deck and abs(hu) < half:
                best, kind, nu, nv, nz, pu, pv = t, 2, 0.0, 1.0, 0.0, hz, hu
    for k in range(6):
        for sgn in (-1, 1):
            cu, cv = sgn * (half + 0.07), 2.4 + 2.6 * k
            cu += 0.03 * (hash3(k, sgn, 72) - 0.5)
            r = 0.085 + 0.02 * hash3(k, sgn, 73)
            high = deck + 0.3 + 0.22 * hash3(k, sgn, 74)
            a = du * du + dv * dv
            b = (u - cu) * du + (v - cv) * dv
            q = b * b - a * ((u - cu) ** 2 + (v - cv) ** 2 - r * r)
            if q > 0:
                t = (-b - math.sqrt(q)) / a
                if 1e-3 < t < best:
                    hz = oz + dz * t
                    if hz < high:
                        best, kind = t, 3
                        nu, nv, nz = (u + du * t - cu) / r, (v + dv * t - cv) / r, 0.0
                        pu, pv = hz, math.atan2(nv, nu) + k
                if dz < 0:
                    t = (high - oz) / dz
                    if 1e-3 < t < best and (u + du * t - cu) ** 2 + (v + dv * t - cv) ** 2 < r * r:
                        best, kind, nu, nv, nz = t, 3, 0.0, 0.0, 1.0
                        pu, pv = u + du * t - cu, v + dv * t - cv
    return best, kind, nu * c - nv * s, nu * s + nv * c, nz, pu, pv


@njit(fastmath=True)
def deck_wood(pu, pv):
    """Tone, two slopes and dampness of the deck's planks at a place on the deck."""
    plank = int(math.floor(pv / 0.152))
    edge = abs((pv / 0.152 - plank) - 0.4625) / 0.4625
    grain = fbm2(pu * 2.2 + plank * 17.3, pv * 70, 4, 81)
    knots = smooth(0.80, 0.9, noise2(pu * 9 + plank * 3.1, pv * 24, 82))
    tone = (0.11 + 0.13 * hash3(plank, 1, 83)) * (0.55 + 0.95 * grain) * (1 - 0.45 * knots)
    tone *= 1 - 0.6 * smooth(0.86, 1.0, edge)
    for n in range(2):
        nail = (pv / 0.152 - plank - 0.25 - 0.4 * n) * 0.152
        d = math.sqrt((abs(pu) - 0.6) ** 2 + nail ** 2)
        tone *= 1 - 0.7 * smooth(0.009, 0.005, d)
    gx, gy = 0.25 * (hash3(plank, 2, 84) - 0.5), 0.16 * (grain - 0.47)
    damp = smooth(0.42, 0.62, fbm2(pu * 1.3, pv * 0.8, 4, 85))
    return tone, gx, gy, damp


@njit(fastmath=True)
def jetty_light(x, y, z, dx, dy, dz, kind, nx, ny, nz, pu, pv, sky, top, side, amb, warm, state):
    """Light of weathered, damp wood."""
    if kind == 1:
        tone, gx, gy, damp = deck_wood(pu, pv)
    elif kind == 2:
        tone = 0.09 * (0.5 + fbm2(pv * 2, pu * 40, 3, 86))
        gx = gy = 0.0
        damp = 0.2
    else:
        tone = 0.13 * (0.4 + 1.1 * fbm2(pu * 3, pv * 8, 4, 87))
        tone *= mix(0.35, 1.0, smooth(0.1, 0.4, z))
        gx = gy = 0.0
        damp = 0.25
    mx, my, mz = unit(nx + gx * 0.2, ny + gy, nz)
    lit = 0.5 + 0.5 * mz
    glow_ = max(0.0, 0.25 + 0.75 * (mx * warm[3] + my * warm[4]))
    k = tone * (1 - 0.35 * damp)
    r = k * 1.04 * (amb[0] * lit + warm[0] * glow_ * 1.4)
    g = k * (amb[1] * lit + warm[1] * glow_ * 1.4)
    b = k * 0.92 * (amb[2] * lit + warm[2] * glow_ * 1.4)
    # A rough sheen: the sky in the wood's facets.
    rough = mix(0.30, 0.12, damp)
    hx, hy, hz = unit(mx + rough * gauss(state), my + rough * gauss(state),
                      mz + rough * gauss(state))
    c = -(dx * hx + dy * hy + dz * hz)
    if c > 0:
        rx, ry, rz = dx + 2 * c * hx, dy + 2 * c * hy, dz + 2 * c * hz
        if rz > 0.08:
            f = fresnel(c, 0.03) * mix(0.16, 0.62, damp)
            s = sky_at(sky, top, side, 1.0, rx, ry, rz)
            r, g, b = r + f * s[0], g + f * s[1], b + f * s[2]
    return r, g, b
