"""Light on the table: paths between the window, the things and the eye."""

import math

from numba import njit

from ..chance import gauss, random
from ..denoise import note_surface
from ..rays import cosine_ray, fresnel, unit
from .bottle import on_label, through_bottle
from .distances import BOTTLE, FRUIT, still_march, still_normal
from .materials import still_surface


@njit(fastmath=True)
def window_light(y, z):
    """Brightness of the window's plane at x = -9: six panes of sky between glazing bars."""
    u, v = (y + 4.6) / 5.6, (z - 2.2) / 7.0
    if u < 0 or u > 1 or v < 0 or v > 1:
        return 0.0
    a, b = u * 2 - math.floor(u * 2), v * 3 - math.floor(v * 3)
    if min(a, 1 - a) < 0.05 or min(b, 1 - b) < 0.04:
        return 0.02
    return 1.0 + 0.5 * v


@njit(fastmath=True)
def light_from_window(kind, px, py, pz, nx, ny, nz, mx, my, mz, level, cloth, fruit, state):
    """Light that comes straight from a random point of the window.

    The surface has the normal n, bumped to m.
    """
    wy, wz = -4.6 + 5.6 * random(state), 2.2 + 7.0 * random(state)
    lx, ly, lz = -9.0 - px, wy - py, wz - pz
    d2 = lx * lx + ly * ly + lz * lz
    d = math.sqrt(d2)
    lx, ly, lz = lx / d, ly / d, lz / d
    c = lx * mx + ly * my + lz * mz
    # A fruit's flesh lets light round the edge.
    wrap = 0.14 if kind >= FRUIT else 0.0
    c = (c + wrap) / (1 + wrap)
    e = window_light(wy, wz)
    if c > 0 and e > 0 and lx < 0:
        hit = -1.0
        if lx * nx + ly * ny + lz * nz > 0:
            hit, _ = still_march(px, py, pz, lx, ly, lz, d, cloth, fruit)
        elif wrap == 0:
            hit = 1.0
        if hit < 0:
            return e * (level * c * (-lx) * 39.2 / (d2 * 3.14159))
    return 0.0


@njit(fastmath=True)
def still_path(ox, oy, oz, dx, dy, dz, cloth, fruit, state, feature):
    """Light along one ray; `feature` receives colour, normal and depth of the first surface."""
    r = g = b = 0.0
    tr = tg = tb = 1.0
    sharp = True
    clean = True
    level = 19.0
    glass = 0
    bounce = 0
    first = True
    while bounce < 4 and glass < 7:
        t, kind = still_march(ox, oy, oz, dx, dy, dz, 60.0, cloth, fruit)
        # The window is met only by rays that go left.
        if dx < 0 and sharp:
            tw = (-9.0 - ox) / dx
            if tw > 0 and (t < 0 or tw < t):
                e = window_light(oy + dy * tw, oz + dz * tw) * level
                # Light thrown by polished things on others is too rare to be drawn well.
                if bounce > 0 and not clean:
                    e = min(e, 1.2)
                return r + tr * e, g + tg * e, b + tb * e * 1.04
        if t < 0:
            # The rest of the room: dim and warm, lighter above.
            e = 0.20 + 0.16 * dz
            return r + tr * e * 1.0, g + tg * e * 0.86, b + tb * e * 0.72
        x, y, z = ox + dx * t, oy + dy * t, oz + dz * t
        nx, ny, nz = still_normal(x, y, z, cloth, fruit)
        if kind == BOTTLE:
            if not on_label(x, y, z):
                if first:
                    note_surface(feature, 1.0, 1.0, 1.0, nx, ny, nz, t)
                    first = False
                c = -(dx * nx + dy * ny + dz * nz)
                f = fresnel(c, 0.042)
                glass += 1
                p = 0.3 + 0.7 * f if glass == 1 and bounce == 0 else f
                if random(state) < p:
                    tr, tg, tb = tr * f / p, tg * f / p, tb * f / p
                    dx, dy, dz = dx + 2 * c * nx, dy + 2 * c * ny, dz + 2 * c * nz
                    ox, oy, oz = x + nx * 0.004, y + ny * 0.004, z + nz * 0.004
                    sharp = True
                    continue
                w = (1 - f) / (1 - p)
                tr, tg, tb = tr * w, tg * w, tb * w
                # In, and on through until the far wall lets the ray out.
                eta = 1 / 1.5
                k = math.sqrt(max(0.0, 1 - eta * eta * (1 - c * c)))
                dx, dy, dz = unit(dx * eta + nx * (eta * c - k), dy * eta + ny * (eta * c - k),
                                  dz * eta + nz * (eta * c - k))
                ox, oy, oz = x - nx * 0.006, y - ny * 0.006, z - nz * 0.006
                out, path, ox, oy, oz, dx, dy, dz = through_bottle(ox, oy, oz, dx, dy, dz)
                if not out:
                    return r, g, b
                tr *= math.exp(-1.9 * path)
                tg *= math.exp(-1.15 * path)
                tb *= math.exp(-2.6 * path)
                sharp = True
                continue
        ar, ag, ab, f0, rough, mx, my, mz = still_surface(kind, x, y, z, nx, ny, nz, fruit)
        if first:
            note_surface(feature, ar, ag, ab, mx, my, mz, t)
            first = False
        bounce += 1
        px, py, pz = x + nx * 0.003, y + ny * 0.003, z + nz * 0.003
        if f0 > 0:
            hx, hy, hz = unit(mx + rough * gauss(state) * 0.6, my + rough * gauss(state) * 0.6,
                              mz + rough * gauss(state) * 0.6)
            c = -(dx * hx + dy * hy + dz * hz)
            f = fresnel(c, f0)
            # Choose the sheen more often than its share: it carries the window's image.
            p = 0.25 + 0.5 * f if bounce == 1 else f
            if random(state) < p:
                dx, dy, dz = dx + 2 * c * hx, dy + 2 * c * hy, dz + 2 * c * hz
                if dx * nx + dy * ny + dz * nz <= 0:
                    return r, g, b
                w = f / p
                tr, tg, tb = tr * w, tg * w, tb * w
                ox, oy, oz = px, py, pz
                sharp = True
                continue
            w = (1 - f) / (1 - p)
            tr, tg, tb = tr * w, tg * w, tb * w
        tr, tg, tb = tr * ar, tg * ag, tb * ab
        e = light_from_window(kind, px, py, pz, nx, ny, nz, mx, my, mz, level, cloth, fruit, state)
        r += tr * e
        g += tg * e
        b += tb * e * 1.04
        if bounce >= 3:
            break
        dx, dy, dz = cosine_ray(mx, my, mz, state)
        if dx * nx + dy * ny + dz * nz <= 0:
            break
        ox, oy, oz = px, py, pz
        sharp = False
        clean = False
    return r, g, b
