"""Light in the street: dusk, lamps and the damp air between."""

import math

from numba import njit

from ..chance import gauss, random
from ..denoise import note_surface
from ..noise import fbm2, mix, smooth
from ..rays import cosine_ray, fresnel, unit
from .distances import street_march, street_normal
from .kinds import LANTERN
from .layout import street_lamp
from .materials import street_surface


@njit(fastmath=True)
def blue_hour(dx, dy, dz):
    """The sky after sunset: deep blue, a last warmth low down the street, thin cloud."""
    e = max(0.0, dz)
    low = math.exp(-e * 4.5)
    r, g, b = mix(0.055, 0.42, low), mix(0.115, 0.34, low), mix(0.29, 0.40, low)
    k = 1 / (e + 0.25)
    c = smooth(0.42, 0.75, fbm2(dx * k * 1.6 + 4, dy * k * 0.9, 6, 711)) * 0.75
    return (mix(r, 0.30 * (0.5 + low), c), mix(g, 0.22 * (0.5 + low), c),
            mix(b, 0.33 * (0.6 + low), c))


@njit(fastmath=True)
def lamp_haze(ox, oy, oz, dx, dy, dz, t):
    """Lamplight scattered towards the eye by damp air along a ray."""
    total = 0.0
    for k in range(7):
        lx, ly, lz = street_lamp(k)
        lx, ly, lz = lx - ox, ly - oy, lz - oz
        m = lx * dx + ly * dy + lz * dz
        h = math.sqrt(max(0.012, lx * lx + ly * ly + lz * lz - m * m))
        total += (math.atan((t - m) / h) + math.atan(m / h)) / h
    return total * 0.0050


@njit(fastmath=True)
def lamplight(x, y, z, px, py, pz, nx, ny, nz, mx, my, mz, power, state):
    """Light that comes straight from one lamp, the nearer ones likelier to be asked.

    The surface has the normal n, bumped to m.
    """
    total = 0.0
    for k in range(8):
        lx, ly, lz = street_lamp(k)
        total += 1 / ((lx - x) ** 2 + (ly - y) ** 2 + (lz - z) ** 2 + 1)
    pick = random(state) * total
    share = 1.0
    for k in range(8):
        lx, ly, lz = street_lamp(k)
        share = 1 / ((lx - x) ** 2 + (ly - y) ** 2 + (lz - z) ** 2 + 1)
        pick -= share
        if pick <= 0:
            break
    share /= total
    lx, ly = lx + 0.2 * (random(state) - 0.5), ly + 0.2 * (random(state) - 0.5)
    lz += 0.3 * (random(state) - 0.5)
    lx, ly, lz = lx - px, ly - py, lz - pz
    d2 = lx * lx + ly * ly + lz * lz
    d = math.sqrt(d2)
    lx, ly, lz = lx / d, ly / d, lz / d
    c = lx * mx + ly * my + lz * mz
    if c > 0 and lx * nx + ly * ny + lz * nz > 0 and d > 0.5:
        hit, _ = street_march(px, py, pz, lx, ly, lz, d - 0.46)
        if hit < 0:
            # The lantern's roof keeps the light off what lies above it.
            roof = smooth(-0.75, -0.1, lz)
            return min(4.0, power * c * roof / (d2 * share))
    return 0.0


@njit(fastmath=True)
def street_path(ox, oy, oz, dx, dy, dz, state, feature):
    """Light along one ray; `feature` receives colour, normal and depth of the first surface."""
    r = g = b = 0.0
    tr = tg = tb = 1.0
    sharp = True
    first = True
    cap = 60.0
    power = 4.6
    for bounce in range(3):
        t, kind = street_march(ox, oy, oz, dx, dy, dz, 90.0)
        if sharp:
            e = lamp_haze(ox, oy, oz, dx, dy, dz, t if t > 0 else 90.0)
            r, g, b = r + tr * e, g + tg * e * 0.60, b + tb * e * 0.26
        if t < 0:
            s = blue_hour(dx, dy, dz)
            if first:
                note_surface(feature, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 90.0)
            return r + tr * s[0], g + tg * s[1], b + tb * s[2]
        x, y, z = ox + dx * t, oy + dy * t, oz + dz * t
        nx, ny, nz = street_normal(x, y, z, t)
        ar, ag, ab, f0, rough, mx, my, mz, er, eg, eb = street_surface(kind, x, y, z, t, nx, ny, nz)
        if first:
            shown = 1.0 if er > 0 else 0.0
            note_surface(feature, ar + shown * er, ag + shown * eg, ab + shown * eb, mx, my, mz, t)
            first = False
        if er > 0 and (sharp or kind != LANTERN):
            r += tr * min(er, cap)
            g += tg * min(eg, cap * 0.6)
            b += tb * min(eb, cap * 0.3)
            if kind == LANTERN:
                return r, g, b
        px, py, pz = x + nx * 0.006, y + ny * 0.006, z + nz * 0.006
        if f0 > 0:
            hx, hy, hz = unit(mx + rough * gauss(state), my + rough * gauss(state),
                              mz + rough * gauss(state))
            c = max(0.02, -(dx * hx + dy * hy + dz * hz))
            f = fresnel(c, f0)
            p = min(0.95, 0.3 + 0.6 * f) if bounce == 0 else f
            if random(state) < p:
                dx, dy, dz = dx + 2 * c * hx, dy + 2 * c * hy, dz + 2 * c * hz
                if nz > 0.7:
                    dz = abs(dz) + 1e-3
                elif dx * nx + dy * ny + dz * nz <= 0:
                    return r, g, b
                dx, dy, dz = unit(dx, dy, dz)
                w = f / p
                tr, tg, tb = tr * w, tg * w, tb * w
                ox, oy, oz = px, py, pz
                cap = min(cap, 9.0)
                continue
            w = (1 - f) / (1 - p)
            tr, tg, tb = tr * w, tg * w, tb * w
        tr, tg, tb = tr * ar, tg * ag, tb * ab
        e = lamplight(x, y, z, px, py, pz, nx, ny, nz, mx, my, mz, power, state)
        r += tr * e
        g += tg * e * 0.60
        b += tb * e * 0.26
        if bounce >= 1:
            # Whatever comes next: the dusk between the houses.
            r += tr * 0.045
            g += tg * 0.055
            b += tb * 0.085
            break
        dx, dy, dz = cosine_ray(mx, my, mz, state)
        if dx * nx + dy * ny + dz * nz <= 0:
            break
        ox, oy, oz = px, py, pz
        sharp = False
        cap = 2.2
    return r, g, b
