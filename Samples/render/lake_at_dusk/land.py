"""The hills round the lake and the trees on them."""

import math

from numba import njit

from ..chance import hash3
from ..noise import fbm2, mix, noise2, smooth
from ..rays import unit
from ..sky import sky_at


@njit(fastmath=True)
def ground_height(x, y):
    """Height of the bare ground round the lake, below zero under water."""
    a = x / (abs(y) + 1)
    shore = 1150 + 500 * (noise2(x / 420, 1.3, 11) - 0.5) + 160 * (noise2(x / 90, 4.3, 12) - 0.5)
    valley = 1 - 0.72 * math.exp(-((a + 0.15) / 0.11) ** 2)
    rise = smooth(shore - 60, shore + 1800, y)
    h = -4 + 14 * smooth(shore - 60, shore + 90, y)
    if rise > 0:
        f = fbm2(x / 1150 + 3.7, y / 1150, 6, 21)
        h += rise * (30 + 560 * f * f * 1.6) * valley
    if y > 4200:
        f = fbm2(x / 3600 + 9.2, y / 3600 + 0.4, 7, 31)
        ridge = 1 - abs(2 * f - 0.95)
        h += smooth(4600, 9800, y) * 1250 * ridge * ridge * (0.55 + 0.45 * valley)
    # A wooded spit on the right.
    q = math.sqrt(((x - 235) / 165) ** 2 + ((y - 330) / 75) ** 2)
    q += 0.35 * (fbm2(x / 40, y / 40, 4, 41) - 0.5)
    h = max(h, mix(-4.0, 9.0, smooth(1.05, 0.45, q)))
    q = math.sqrt(((x + 330) / 210) ** 2 + ((y - 720) / 60) ** 2)
    q += 0.35 * (fbm2(x / 50, y / 50, 4, 43) - 0.5)
    return max(h, mix(-4.0, 10.0, smooth(1.05, 0.5, q)))


@njit(fastmath=True)
def tree_height(x, y, ground):
    """Height of the tree tops over the ground, and the share of the way up the tree."""
    cell = 6.5
    if y > 1000:
        cell = 9.0
    bx, by = math.floor(x / cell - 0.5), math.floor(y / cell - 0.5)
    best, share = 0.0, 0.0
    for j in range(2):
        for i in range(2):
            cx, cy = int(bx) + i, int(by) + j
            wx = (cx + 0.5 + 0.62 * (hash3(cx, cy, 51) - 0.5)) * cell
            wy = (cy + 0.5 + 0.62 * (hash3(cx, cy, 52) - 0.5)) * cell
            grove = noise2(wx / 60, wy / 60, 53)
            if hash3(cx, cy, 54) > 0.45 + 0.9 * grove:
                continue
            size = (0.45 + 0.75 * hash3(cx, cy, 55)) * (0.6 + 0.7 * grove) * 19
            dx, dy = x - wx, y - wy
            d = math.sqrt(dx * dx + dy * dy)
            ragged = 0.75 + 0.5 * noise2(math.atan2(dy, dx) * 3 + cx * 7, d * 2.2, 56 + cy)
            if hash3(cx, cy, 57) < 0.62:
                r = size * 0.2 * ragged
                top = size * (1 - d / r)
            else:
                r = min(cell * 0.55, size * 0.33) * ragged
                k = 1 - (d / r) ** 2
                top = size * 0.72 * (0.25 + 0.75 * math.sqrt(k)) if k > 0 else 0.0
            if top > best:
                best, share = top, top / size
    return best * smooth(0.2, 2.0, ground), share


@njit(fastmath=True)
def lake_march(ox, oy, oz, dx, dy, dz, start, limit):
    """First meeting of a ray with land or trees: distance (negative: none) and tree share."""
    t = start
    last = start
    for _ in range(700):
        z = oz + dz * t
        if t > limit or z > 1500 or z < -3:
            return -1.0, 0.0
        x, y = ox + dx * t, oy + dy * t
        ground = ground_height(x, y)
        gap = z - ground
        step = 0.004 * t
        if gap < 26 and t < 6500 and ground > -0.5:
            tree, share = tree_height(x, y, ground)
            gap -= tree
            step = max(0.3, 0.0006 * t)
            if t > 6000:
                gap += tree
        if gap < 0:
            # Halve the last step a few times to land on the surface.
            lo, hi = last, t
            for _ in range(7):
                mid = 0.5 * (lo + hi)
                x, y, z = ox + dx * mid, oy + dy * mid, oz + dz * mid
                ground = ground_height(x, y)
                tree, s = tree_height(x, y, ground) if mid < 6500 else (0.0, 0.0)
                if z < ground + tree:
                    hi = mid
                    share = s
                else:
                    lo = mid
            return hi, share if hi < 6500 else 0.5
        last = t
        t += max(step, min(0.35 * gap, 0.1 * t))
    return -1.0, 0.0


@njit(fastmath=True)
def lake_land(ox, oy, oz, dx, dy, dz, start, sky, air, top, side, amb, warm):
    """Light of the land and sky along a ray that started over the water."""
    sr, sg, sb = sky_at(sky, top, side, 1.0, dx, dy, dz)
    if dz > 0.24 or dz < -0.001 and start < 0:
        return sr, sg, sb
    t, share = lake_march(ox, oy, oz, dx, dy, dz, start, 16000.0)
    if t < 0:
        return sr, sg, sb
    x, y, z = ox + dx * t, oy + dy * t, oz + dz * t
    e = max(0.6, t * 0.001)
    g = ground_height(x, y)
    nx = g - ground_height(x + e, y)
    ny = g - ground_height(x, y + e)
    nx, ny, nz = unit(nx, ny, e)
    mottle = 0.55 + 0.9 * fbm2(x / 7, y / 7 + z, 3, 61)
    kind = noise2(x / 9, y / 9, 62)
    if share > 0:
        ar, ag, ab = mix(0.028, 0.075, kind), mix(0.045, 0.055, kind), mix(0.022, 0.018, kind)
        shade = (0.25 + 0.75 * share) * mottle
    else:
        ar, ag, ab = 0.060, 0.060, 0.034
        shade = 0.8 * mottle
    if z < 0.6:
        ar, ag, ab, shade = 0.06, 0.052, 0.045, mottle
    shade *= 0.5
    lit = 0.35 + 0.65 * nz
    glow_ = max(0.0, 0.14 + 0.5 * (nx * warm[3] + ny * warm[4]))
    r = ar * shade * (amb[0] * lit + warm[0] * glow_)
    gg = ag * shade * (amb[1] * lit + warm[1] * glow_)
    b = ab * shade * (amb[2] * lit + warm[2] * glow_)
    # Air, and a low mist over the water.
    k = 1 / 15000.0
    mist = 0.00024 * math.exp(-max(0.0, z) / 16) * t * (0.3 + 1.4 * noise2(x / 160, z / 14, 63))
    hr, hg_, hb = sky_at(air, top, side, 0.6667, dx, dy, 0.045)
    far = math.exp(-t * k)
    f0, f1, f2 = far, math.exp(-t * k * 1.12), math.exp(-t * k * 1.35)
    # The hills' shadow lies on the air before them: only the upper sky lights it.
    hr, hg_, hb = hr * 0.20 + amb[0] * 0.11, hg_ * 0.22 + amb[1] * 0.11, hb * 0.30 + amb[2] * 0.12
    r, gg, b = (r * f0 + hr * (1 - f0), gg * f1 + hg_ * (1 - f1), b * f2 + hb * (1 - f2))
    m = math.exp(-mist)
    return mix(hr * 1.3, r, m), mix(hg_ * 1.3, gg, m), mix(hb * 1.3, b, m)
