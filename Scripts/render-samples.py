#!/usr/bin/env python3
"""Renders the sample photos in Samples/.

Nothing is read but this file: every picture is a scene described below, traced ray by ray.
The same seed gives the same scene. Needs Python 3.11 with numpy, Pillow and numba.
"""

import argparse
import io
import math
import os
import pathlib
import time

import numpy as np
from numba import njit, prange, set_num_threads
from PIL import Image, ImageCms

TAU = 2 * math.pi
SEED = 20240917
FAR = 1e9


# ---------------------------------------------------------------- random numbers and noise


@njit(fastmath=True)
def hash3(x, y, z):
    """Returns a number in [0, 1) that depends only on three integers."""
    h = (x * 374761393 + y * 668265263 + z * 1440662683) & 0xFFFFFFFF
    h = ((h ^ (h >> 13)) * 1274126177) & 0xFFFFFFFF
    h = ((h ^ (h >> 15)) * 2246822519) & 0xFFFFFFFF
    return ((h ^ (h >> 16)) & 0xFFFFFFFF) / 4294967296.0


@njit
def rnd(state):
    """Steps the generator in `state[0]` and returns a number in [0, 1)."""
    s = (state[0] * 6364136223846793005 + 1442695040888963407) & 0x7FFFFFFFFFFFFFFF
    state[0] = s
    v = ((s >> 18) ^ (s >> 29)) & 0xFFFFFFFF
    return v / 4294967296.0


@njit(fastmath=True)
def smooth(a, b, x):
    """Rises from 0 at `a` to 1 at `b` without corners."""
    t = min(1.0, max(0.0, (x - a) / (b - a)))
    return t * t * (3 - 2 * t)


@njit(fastmath=True)
def mix(a, b, t):
    """Blends `a` into `b`."""
    return a + (b - a) * t


@njit(fastmath=True)
def noise2(x, y, seed):
    """Value noise in the plane, in [0, 1)."""
    fx, fy = math.floor(x), math.floor(y)
    ix, iy = int(fx), int(fy)
    u, v = x - fx, y - fy
    u = u * u * u * (u * (u * 6 - 15) + 10)
    v = v * v * v * (v * (v * 6 - 15) + 10)
    a = mix(hash3(ix, iy, seed), hash3(ix + 1, iy, seed), u)
    b = mix(hash3(ix, iy + 1, seed), hash3(ix + 1, iy + 1, seed), u)
    return mix(a, b, v)


@njit(fastmath=True)
def noise3(x, y, z, seed):
    """Value noise in space, in [0, 1)."""
    fz = math.floor(z)
    iz = int(fz)
    w = z - fz
    w = w * w * w * (w * (w * 6 - 15) + 10)
    return mix(noise2(x, y, seed + iz * 7919), noise2(x, y, seed + (iz + 1) * 7919), w)


@njit(fastmath=True)
def fbm2(x, y, octaves, seed):
    """Fractal sum of `noise2`, in [0, 1), its mean near one half."""
    total, amp = 0.0, 0.5
    for i in range(octaves):
        total += amp * noise2(x, y, seed + i)
        x, y = 1.6 * x - 1.2 * y + 3.1, 1.2 * x + 1.6 * y + 7.7
        amp *= 0.5
    return total


@njit(fastmath=True)
def fbm3(x, y, z, octaves, seed):
    """Fractal sum of `noise3`, in [0, 1), its mean near one half."""
    total, amp = 0.0, 0.5
    for i in range(octaves):
        total += amp * noise3(x, y, z, seed + i)
        x, y, z = 1.6 * x - 1.2 * y + 3.1, 1.2 * x + 1.6 * y + 7.7, 2.03 * z + 1.3
        amp *= 0.5
    return total


@njit(fastmath=True)
def unit(x, y, z):
    """Returns the vector scaled to length 1."""
    k = 1 / math.sqrt(x * x + y * y + z * z + 1e-30)
    return x * k, y * k, z * k


@njit(fastmath=True)
def gauss(state):
    """Returns a normally distributed number."""
    return math.sqrt(-2 * math.log(rnd(state) + 1e-9)) * math.cos(6.2831853 * rnd(state))


# ---------------------------------------------------------------- sky


@njit(fastmath=True)
def hg(mu, g):
    """Henyey-Greenstein phase function."""
    return (1 - g * g) / (12.566 * (1 + g * g - 2 * g * mu) ** 1.5)


@njit(fastmath=True)
def ozone(h):
    """Relative ozone density at height `h` in metres."""
    return max(0.0, 1 - abs(h - 25000) / 15000)


@njit(fastmath=True)
def shell(px, py, pz, dx, dy, dz, radius):
    """Distance along the ray to the far side of a sphere around the planet's centre."""
    b = px * dx + py * dy + pz * dz
    c = px * px + py * py + pz * pz - radius * radius
    d = b * b - c
    return -b + math.sqrt(d) if d > 0 else -1.0


@njit(fastmath=True)
def sunlight(h, sx, sy, sz, haze):
    """Sunlight left after the air above height `h`, as RGB in [0, 1]."""
    pz = 6360e3 + h
    far = shell(0.0, 0.0, pz, sx, sy, sz, 6420e3)
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
            far = shell(0.0, 0.0, 6360e3 + 5, dx, dy, dz, 6420e3)
            mu = dx * sx + dy * sy + dz * sz
            pr = 0.0597 * (1 + mu * mu)
            pm = 0.75 * hg(mu, 0.76) + 0.25 * hg(mu, 0.3)
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
def table_at(table, top, side, power, dx, dy, dz):
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


@njit(fastmath=True)
def cloud_density(x, y, z, p):
    """Cloud water at a point.

    `p` is base, top, size, stretch, cover, sharpness, seed and octaves.
    """
    f = (z - p[0]) / (p[1] - p[0])
    if f <= 0 or f >= 1:
        return 0.0
    seed = int(p[6])
    u, v = x / p[2], y / (p[2] * p[3])
    patch = fbm2(u * 0.22 + 5.3, v * 0.22 + 1.7, 3, seed + 50)
    shape = fbm3(u, v, (z - p[0]) / p[2] * 1.3, int(p[7]), seed)
    # Flat underneath, heaped on top.
    body = smooth(0.0, 0.12, f) * (1 - f) ** 0.5
    return max(0.0, (shape + (patch - 0.45) * 0.6 - p[4]) * p[5] * body - (1 - body) * 0.06 * p[5])


@njit(parallel=True, fastmath=True)
def cloudy_sky(rows, cols, top, side, air, sx, sy, sz, p, density, sun, amb, reach):
    """A panorama of `air` with ray-marched clouds in front of it."""
    out = np.zeros((rows, cols, 3), np.float32)
    for i in prange(rows):
        e = top * i / (rows - 1.0)
        state = np.array([SEED * 31 + i * 7877], np.int64)
        for c in range(cols):
            a = side * (2.0 * c / (cols - 1) - 1)
            dx, dy, dz = math.sin(a) * math.cos(e), math.cos(a) * math.cos(e), math.sin(e)
            r, g, b = table_at(air, top, side, 0.6667, dx, dy, dz)
            # A curved earth: even level rays meet the layer, far away.
            up = dz + 0.012
            t0, t1 = p[0] / up, p[1] / up
            t1 = min(t1, t0 + 9 * p[2])
            steps = 44
            dt = (t1 - t0) / steps
            t = t0 + dt * rnd(state)
            mu = dx * sx + dy * sy + dz * sz
            phase = 0.6 * hg(mu, 0.72) + 0.4 * hg(mu, -0.05)
            clear = 1.0
            lr = lg = lb = depth = weight = 0.0
            for j in range(steps):
                x, y, z = dx * t, dy * t, up * t
                d = cloud_density(x, y, z, p) * density
                if d > 1e-6:
                    shade, q = 0.0, 0.06 * p[2]
                    pos = 0.0
                    for k in range(5):
                        pos += q
                        shade += cloud_density(x + sx * pos, y + sy * pos, z + sz * pos, p) * q
                        q *= 1.6
                    shade *= density
                    lit = math.exp(-shade) + 0.25 * math.exp(-shade * 0.2)
                    f = (z - p[0]) / (p[1] - p[0])
                    step = math.exp(-d * dt)
                    k = clear * (1 - step)
                    s = lit * phase * 3.2
                    w = 0.5 + 0.5 * f
                    lr += k * (sun[0] * s + amb[0] * w)
                    lg += k * (sun[1] * s + amb[1] * w)
                    lb += k * (sun[2] * s + amb[2] * w)
                    depth += k * t
                    weight += k
                    clear *= step
                    if clear < 0.01:
                        break
                t += dt
            # Air in front of far clouds.
            if weight > 0:
                veil = math.exp(-(depth / weight) / reach)
                cover = (1 - clear) * veil
                s = veil * (1 - clear) / weight
                r = r * (1 - cover) + lr * s
                g = g * (1 - cover) + lg * s
                b = b * (1 - cover) + lb * s
            out[i, c, 0], out[i, c, 1], out[i, c, 2] = r, g, b
    return out


# ---------------------------------------------------------------- water


def wave_set(count, shortest, longest, slope, heading, spread, seed):
    """Sine waves as rows of (kx, ky, slope, phase, length), spread round a heading."""
    rng = np.random.default_rng(seed)
    length = shortest * (longest / shortest) ** rng.random(count)
    angle = heading + spread * rng.standard_normal(count)
    k = TAU / length
    each = slope * math.sqrt(2 / count) * (0.6 + 0.8 * rng.random(count))
    rows = [k * np.cos(angle), k * np.sin(angle), each, TAU * rng.random(count), length]
    return np.stack(rows, 1)


@njit(fastmath=True)
def wave_normal(waves, x, y, strength, foot, state):
    """Normal of the water at a point.

    Waves shorter than the pixel's footprint `foot` can't be drawn; their slopes are
    drawn at random instead, so that many samples add up to the right blur.
    """
    gx = gy = vx = vy = 0.0
    for i in range(waves.shape[0]):
        s = waves[i, 2] * strength
        k = waves[i, 4] / TAU
        ux, uy = waves[i, 0] * k, waves[i, 1] * k
        seen = smooth(0.8, 3.0, waves[i, 4] / foot)
        if seen > 0:
            c = math.cos(waves[i, 0] * x + waves[i, 1] * y + waves[i, 3]) * s * seen
            gx += c * ux
            gy += c * uy
        lost = (1 - seen * seen) * s * s * 0.5
        vx += lost * ux * ux
        vy += lost * uy * uy
    gx += math.sqrt(vx) * gauss(state)
    gy += math.sqrt(vy) * gauss(state)
    return unit(-gx, -gy, 1.0)


@njit(fastmath=True)
def fresnel(c, f0):
    """Schlick's share of reflected light at cosine `c`."""
    k = 1 - min(1.0, max(0.0, c))
    return f0 + (1 - f0) * k * k * k * k * k


# ---------------------------------------------------------------- camera and development


@njit(fastmath=True)
def camera_ray(u, v, aspect, zoom, pitch, roll):
    """Direction through the picture point (u, v) in [0, 1], looking along +y, z up."""
    x, z = (u * 2 - 1) / zoom, (1 - v * 2) / (zoom * aspect)
    cr, sr = math.cos(roll), math.sin(roll)
    x, z = x * cr - z * sr, x * sr + z * cr
    cp, sp = math.cos(pitch), math.sin(pitch)
    return unit(x, cp - z * sp, sp + z * cp)


def blurred(image, sigma):
    """Gaussian-like blur: three box blurs along each axis."""
    width = max(1, int(round(sigma)))
    for axis in (0, 1):
        for _ in range(3):
            pad = [(0, 0)] * image.ndim
            pad[axis] = (width + 1, width)
            total = np.cumsum(np.pad(image, pad, mode="edge"), axis=axis, dtype=np.float64)
            n = image.shape[axis]
            high = np.take(total, np.arange(2 * width + 1, 2 * width + 1 + n), axis=axis)
            low = np.take(total, np.arange(0, n), axis=axis)
            image = ((high - low) / (2 * width + 1)).astype(np.float32)
    return image


def glow(light, share):
    """Light scattered in the lens: a wide, faint blur of the picture added to it."""
    h, w = light.shape[:2]
    step = max(1, w // 500)
    hh, ww = h // step * step, w // step * step
    small = light[:hh, :ww].reshape(hh // step, step, ww // step, step, 3).mean((1, 3))
    wide = 0.6 * blurred(small, 4) + 0.4 * blurred(small, 22)
    up = np.stack([
        np.asarray(Image.fromarray(wide[..., c]).resize((w, h), Image.BICUBIC)) for c in range(3)
    ], -1)
    return light * (1 - share) + up * share


def developed(light, key, contrast, saturation, tint, grain, vignette, bloom, seed):
    """Turns scene light into 8-bit sRGB the way a camera would.

    `key` is the grey the average light lands on before the film curve.
    """
    h, w = light.shape[:2]
    light = np.minimum(light, np.percentile(light, 99.97) * 4 + 1e-9)
    light = glow(light, bloom)
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    r2 = ((x / w - 0.5) ** 2 + (y / h - 0.5) ** 2 * (h / w) ** 2) * 4
    light *= (1 / (1 + vignette * r2) ** 2)[..., None]
    luma = light @ np.array([0.2126, 0.7152, 0.0722], np.float32)
    light = light * (key / np.exp(np.mean(np.log(luma + 1e-5 * luma.max()))))
    light = light * np.array(tint, np.float32)
    luma = light @ np.array([0.2126, 0.7152, 0.0722], np.float32)
    light = np.maximum(0, luma[..., None] + (light - luma[..., None]) * saturation)
    # A film curve: a power law that bends into its shoulder.
    p = light ** contrast
    p = p / (p + 0.18 ** contrast * 3.0) * 1.03
    p = np.clip(p, 0, 1)
    srgb = np.where(p <= 0.0031308, 12.92 * p, 1.055 * p ** (1 / 2.4) - 0.055)
    rng = np.random.default_rng(seed)
    mono = blurred_grain(rng, h, w)
    tone = srgb.mean(-1)
    amount = grain * (0.35 + 1.3 * np.sqrt(np.clip(tone * (1 - tone), 0, 1)))
    srgb = srgb + (amount * mono)[..., None]
    return (np.clip(srgb, 0, 1) * 255 + rng.random((h, w, 1), np.float32)).clip(0, 255).astype(
        np.uint8)


def blurred_grain(rng, h, w):
    """Normal noise, softened to about a pixel and a half as a lens and demosaicing do."""
    n = rng.standard_normal((h + 2, w + 2), np.float32)
    n = (n[:-2] + 2 * n[1:-1] + n[2:]) / 2.45
    return (n[:, :-2] + 2 * n[:, 1:-1] + n[:, 2:]) / 2.45


def srgb_profile():
    """An sRGB profile whose date doesn't depend on the day it was made."""
    data = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    data[24:36] = bytes([0x07, 0xE8, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0])
    return bytes(data)


def save(pixels, path, quality, subsampling, orientation, taken):
    """Writes a baseline JPEG under 1 MB, stepping the quality down only if it must."""
    exif = Image.Exif()
    exif[0x010F], exif[0x0110] = "CropKit", "Rendered scene"
    exif[0x0112], exif[0x0131] = orientation, "render-samples.py"
    exif[0x0132] = taken
    exif.get_ifd(0x8769)[0x9003] = taken
    while True:
        buffer = io.BytesIO()
        Image.fromarray(pixels).save(
            buffer, "JPEG", quality=quality, subsampling=subsampling, optimize=True,
            progressive=False, exif=exif, icc_profile=srgb_profile())
        if buffer.tell() < 1_000_000 or quality <= 70:
            break
        quality -= 1
    path.write_bytes(buffer.getvalue())
    print(f"{path.name}: {pixels.shape[1]} x {pixels.shape[0]}, q{quality}, "
          f"{buffer.tell() // 1000} kB", flush=True)


# ---------------------------------------------------------------- lake at dusk


@njit(fastmath=True)
def lake_ground(x, y):
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
def lake_trees(x, y, ground):
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
        ground = lake_ground(x, y)
        gap = z - ground
        step = 0.004 * t
        if gap < 26 and t < 6500 and ground > -0.5:
            tree, share = lake_trees(x, y, ground)
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
                ground = lake_ground(x, y)
                tree, s = lake_trees(x, y, ground) if mid < 6500 else (0.0, 0.0)
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
    sr, sg, sb = table_at(sky, top, side, 1.0, dx, dy, dz)
    if dz > 0.24 or dz < -0.001 and start < 0:
        return sr, sg, sb
    t, share = lake_march(ox, oy, oz, dx, dy, dz, start, 16000.0)
    if t < 0:
        return sr, sg, sb
    x, y, z = ox + dx * t, oy + dy * t, oz + dz * t
    e = max(0.6, t * 0.001)
    g = lake_ground(x, y)
    nx = g - lake_ground(x + e, y)
    ny = g - lake_ground(x, y + e)
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
    hr, hg_, hb = table_at(air, top, side, 0.6667, dx, dy, 0.045)
    far = math.exp(-t * k)
    f0, f1, f2 = far, math.exp(-t * k * 1.12), math.exp(-t * k * 1.35)
    # The hills' shadow lies on the air before them: only the upper sky lights it.
    hr, hg_, hb = hr * 0.20 + amb[0] * 0.11, hg_ * 0.22 + amb[1] * 0.11, hb * 0.30 + amb[2] * 0.12
    r, gg, b = (r * f0 + hr * (1 - f0), gg * f1 + hg_ * (1 - f1), b * f2 + hb * (1 - f2))
    m = math.exp(-mist)
    return mix(hr * 1.3, r, m), mix(hg_ * 1.3, gg, m), mix(hb * 1.3, b, m)


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
def jetty_light(x, y, z, dx, dy, dz, kind, nx, ny, nz, pu, pv, sky, top, side, amb, warm, state):
    """Light of weathered, damp wood."""
    if kind == 1:
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
            s = table_at(sky, top, side, 1.0, rx, ry, rz)
            r, g, b = r + f * s[0], g + f * s[1], b + f * s[2]
    return r, g, b


@njit(parallel=True, fastmath=True)
def lake_rows(w, h, spp, sky, air, top, side, amb, warm, waves):
    """Traces the lake."""
    out = np.zeros((h, w, 3), np.float32)
    eye = 2.05
    for j in prange(h):
        state = np.array([SEED + 104729 * j], np.int64)
        for n in range(16):
            rnd(state)
        for i in range(w):
            ar = ag = ab = 0.0
            for s in range(spp):
                u, v = (i + rnd(state)) / w, (j + (s + rnd(state)) / spp) / h
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
                ar += c[0]
                ag += c[1]
                ab += c[2]
            out[j, i, 0], out[j, i, 1], out[j, i, 2] = ar / spp, ag / spp, ab / spp
    return out


def lake(options):
    """Hills and a lake just after the sun has gone behind them."""
    w, h = int(3000 * options.scale), int(2000 * options.scale)
    azimuth, elevation, haze = -0.15, math.radians(0.7), 4e-6
    sun = (math.sin(azimuth) * math.cos(elevation), math.cos(azimuth) * math.cos(elevation),
           math.sin(elevation))
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
    light = lake_rows(w, h, spp, sky, air, top, side, amb * 3.1, warm * 3.1, waves)
    pixels = developed(light, 0.125, 1.2, 1.1, (1.0, 0.985, 1.16), 0.003, 0.16, 0.04, SEED)
    save(pixels, options.out / "lake-at-dusk.jpg", 90, 2, 1, "2024:09:17 19:42:08")


# ---------------------------------------------------------------- still life


@njit(fastmath=True)
def blend_min(a, b, k):
    """The smaller of two distances, the corner between them rounded over `k`."""
    h = max(0.0, k - abs(a - b)) / k
    return min(a, b) - h * h * k * 0.25


@njit(fastmath=True)
def grid_at(grid, x, y, half):
    """Reads a square grid that covers [-half, half] both ways."""
    n = grid.shape[0]
    u = min(n - 1.001, max(0.0, (x / half + 1) * 0.5 * (n - 1)))
    v = min(n - 1.001, max(0.0, (y / half + 1) * 0.5 * (n - 1)))
    i, j = int(u), int(v)
    a = mix(grid[j, i], grid[j, i + 1], u - i)
    return mix(a, mix(grid[j + 1, i], grid[j + 1, i + 1], u - i), v - j)


@njit(parallel=True, fastmath=True)
def cloth_grid(n, half, things):
    """Heights of a crumpled cloth, pressed flat where things stand on it."""
    grid = np.zeros((n, n), np.float64)
    for j in prange(n):
        for i in range(n):
            x, y = (2.0 * i / (n - 1) - 1) * half, (2.0 * j / (n - 1) - 1) * half
            # Long soft folds: rounded crests, wide hollows, and a few crossing creases.
            wx = x + 1.1 * (noise2(x * 0.3, y * 0.3, 401) - 0.5)
            wy = y + 1.1 * (noise2(x * 0.3 + 9, y * 0.3, 402) - 0.5)
            a = noise2(wx * 0.26 + wy * 0.18, wy * 0.62 - wx * 0.30, 403)
            b = noise2(wx * 0.62 - wy * 0.35, wy * 0.24 + wx * 0.14, 404)
            c = 1 - abs(2 * noise2(wx * 0.45 + 3, wy * 1.0 + wx * 0.5, 405) - 1)
            h = 0.46 * smooth(0.38, 0.85, a) + 0.26 * smooth(0.45, 0.85, b)
            h += 0.05 * math.exp(-((1 - c) / 0.34) ** 2) + 0.05 * noise2(x * 1.3, y * 1.3, 406)
            # Things press the folds down; a little slack gathers round their feet.
            press = 1.0
            for k in range(things.shape[0]):
                d = math.sqrt((x - things[k, 0]) ** 2 + (y - things[k, 1]) ** 2)
                press *= smooth(things[k, 2] * 0.85, things[k, 2] * 1.25 + 0.75, d)
            grid[j, i] = h * press
    return grid


@njit(fastmath=True)
def fruit_distance(kind, px, py, pz, ax, ay, az, r):
    """Distance to one fruit round the axis (ax, ay, az); negative inside."""
    a = px * ax + py * ay + pz * az
    rho = math.sqrt(max(0.0, px * px + py * py + pz * pz - a * a))
    if kind == 4:
        dent = 0.07 * r * math.exp(-(rho / (0.2 * r)) ** 2) if a > 0 else 0.0
        return math.sqrt(rho * rho + 1.1 * a * a) - r + dent
    if kind == 5:
        rho *= 1 - 0.10 * a / r
        q = rho - 0.24 * r
        return (math.sqrt(q * q + 0.92 * a * a) - 0.77 * r) * 0.9
    if kind == 6:
        d = (math.sqrt(rho * rho + 0.55 * a * a) - r) * 0.8
        e = abs(a) - 1.30 * r
        return blend_min(d, math.sqrt(rho * rho + e * e) - 0.14 * r, 0.22 * r)
    if kind == 7:
        e = a - 1.22 * r
        low = math.sqrt(rho * rho + a * a) - r
        return blend_min(low, math.sqrt(rho * rho + e * e) - 0.44 * r, 0.75 * r) * 0.92
    return math.sqrt(rho * rho + a * a) - r


@njit(fastmath=True)
def stem_distance(kind, px, py, pz, ax, ay, az, r):
    """Distance to a fruit's stalk, bent a little to one side."""
    a = px * ax + py * ay + pz * az
    lo, hi = (0.35 * r, 1.08 * r) if kind == 5 else (1.5 * r, 2.1 * r)
    t = min(1.0, max(0.0, (a - lo) / (hi - lo)))
    bend = 0.16 * r * t * t
    along = lo + t * (hi - lo)
    cx, cy, cz = ax * along + bend, ay * along, az * along
    d = math.sqrt((px - cx) ** 2 + (py - cy) ** 2 + (pz - cz) ** 2)
    return d - 0.032 - 0.018 * t * t


@njit(fastmath=True)
def bottle_distance(x, y, z):
    """Distance to a wine bottle that stands at the origin."""
    rho = math.sqrt(x * x + y * y)
    q, w = rho - 0.50, abs(z - 1.25) - 1.17
    body = math.sqrt(max(q, 0.0) ** 2 + max(w, 0.0) ** 2) + min(max(q, w), 0.0) - 0.08
    q, w = rho - 0.165, abs(z - 3.0) - 1.0
    neck = math.sqrt(max(q, 0.0) ** 2 + max(w, 0.0) ** 2) + min(max(q, w), 0.0) - 0.02
    d = blend_min(body, neck, 0.85)
    lip = math.sqrt((rho - 0.18) ** 2 + (z - 3.86) ** 2) - 0.055
    return blend_min(d, lip, 0.05)


@njit(fastmath=True)
def table_map(x, y, z, cloth, fruit):
    """Distance to the nearest thing and what it is."""
    d, kind = (z - grid_at(cloth, x, y, 9.0)) * 0.72, 1
    if 8.0 - y < d:
        d, kind = 8.0 - y, 2
    # All things stand inside one box; outside it the box will do.
    bx, by, bz = max(0.0, abs(x - 0.2) - 3.3), max(0.0, abs(y - 0.1) - 2.6), max(0.0, z - 4.3)
    box = math.sqrt(bx * bx + by * by + bz * bz)
    if box > 0.4:
        return (d, kind) if d < box else (box, 0)
    x0, y0, z0 = x + 1.75, y - 1.35, z
    rough = math.sqrt(x0 * x0 + y0 * y0) - 0.75
    if rough < d:
        e = bottle_distance(x0, y0, z0) if rough < 0.4 else rough
        if e < d:
            d, kind = e, 9
        if rough < 0.4:
            q, w = math.sqrt(x0 * x0 + y0 * y0) - 0.15, abs(z0 - 4.0) - 0.09
            e = max(q, w)
            if e < d:
                d, kind = e, 11
    x0, y0, z0 = x - 0.85, y - 0.75, z - 1.85
    rad = math.sqrt(x0 * x0 + y0 * y0 + z0 * z0)
    if rad - 1.9 < d:
        shell_ = abs(rad - 1.79) - 0.045
        cut = z - 1.16 - 0.012 * math.sin(6 * math.atan2(y0, x0) + 1)
        e = -blend_min(-shell_, -cut, 0.07)
        q, w = abs(math.sqrt(x0 * x0 + y0 * y0) - 0.72) - 0.06, abs(z - 0.09) - 0.09
        e = blend_min(e, math.sqrt(max(q, 0.0) ** 2 + max(w, 0.0) ** 2) - 0.02, 0.1)
        if e < d:
            d, kind = e, 3
    for i in range(fruit.shape[0]):
        r = fruit[i, 4]
        px, py, pz = x - fruit[i, 1], y - fruit[i, 2], z - fruit[i, 3]
        reach = r * fruit[i, 8]
        rough = math.sqrt(px * px + py * py + pz * pz) - reach
        if rough >= d:
            continue
        if rough > 0.25:
            d, kind = rough, 20 + i
            continue
        k = int(fruit[i, 0])
        e = fruit_distance(k, px, py, pz, fruit[i, 5], fruit[i, 6], fruit[i, 7], r)
        if e < d:
            d, kind = e, 20 + i
        if k == 5 or k == 7:
            e = stem_distance(k, px, py, pz, fruit[i, 5], fruit[i, 6], fruit[i, 7], r)
            if e < d:
                d, kind = e, 10
    return d, kind


@njit(fastmath=True)
def table_normal(x, y, z, cloth, fruit):
    """Outward normal of the nearest surface."""
    e = 0.0012
    a, _ = table_map(x + e, y - e, z - e, cloth, fruit)
    b, _ = table_map(x - e, y - e, z + e, cloth, fruit)
    c, _ = table_map(x - e, y + e, z - e, cloth, fruit)
    d, _ = table_map(x + e, y + e, z + e, cloth, fruit)
    return unit(a - b - c + d, -a - b + c + d, -a + b - c + d)


@njit(fastmath=True)
def table_march(ox, oy, oz, dx, dy, dz, limit, cloth, fruit):
    """Follows a ray to a surface: distance (negative: none) and what was met."""
    t = 0.004
    for _ in range(140):
        x, y, z = ox + dx * t, oy + dy * t, oz + dz * t
        d, kind = table_map(x, y, z, cloth, fruit)
        if d < 0.0006 + 0.00008 * t:
            return t, kind
        t += d
        if t > limit or z > 14:
            return -1.0, 0
    return -1.0, 0


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
def table_surface(kind, x, y, z, nx, ny, nz, fruit):
    """Colour, gloss (reflectance at normal incidence), roughness and bumped normal."""
    r, g, b, f0, rough = 0.5, 0.5, 0.5, 0.0, 0.3
    gx = gy = gz = 0.0
    if kind == 1:
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
    elif kind == 2:
        f = fbm2(x * 0.35, z * 0.35, 6, 421)
        s = fbm2(x * 2.3 + 5, z * 2.3, 4, 422)
        k = 0.045 + 0.10 * f + 0.035 * (s - 0.5)
        r, g, b = k * 1.0, k * 0.93, k * 0.80
        gx, gz = 0.2 * (f - 0.5), 0.2 * (s - 0.5)
    elif kind == 3:
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
    elif kind == 9:
        # Only the paper label gets here; the glass is traced.
        k = 0.9 + 0.2 * noise2(x * 60, z * 60, 441)
        r, g, b = 0.62 * k, 0.56 * k, 0.43 * k
        if abs(abs(z - 1.35) - 0.42) < 0.022 or abs(z - 1.5) < 0.05 or abs(z - 1.2) < 0.012:
            r, g, b = 0.16, 0.07, 0.05
    elif kind == 10:
        r, g, b = 0.10, 0.062, 0.03
    elif kind == 11:
        k = 0.5 + noise3(x * 30, y * 30, z * 30, 451)
        r, g, b = 0.42 * k, 0.28 * k, 0.15 * k
    elif kind >= 20:
        i = kind - 20
        what = int(fruit[i, 0])
        px, py, pz = x - fruit[i, 1], y - fruit[i, 2], z - fruit[i, 3]
        a = (px * fruit[i, 5] + py * fruit[i, 6] + pz * fruit[i, 7]) / fruit[i, 4]
        f = fbm3(px * 3 + i * 11, py * 3, pz * 3, 4, 461)
        if what == 4 or what == 6:
            q = 26.0
            c0 = noise3(px * q + i, py * q, pz * q, 462)
            gx = noise3(px * q + i + 0.35, py * q, pz * q, 462) - c0
            gy = noise3(px * q + i, py * q + 0.35, pz * q, 462) - c0
            gz = noise3(px * q + i, py * q, pz * q + 0.35, 462) - c0
            gx, gy, gz = gx * 0.42, gy * 0.42, gz * 0.42
            pore = 0.86 + 0.22 * c0
            if what == 4:
                r, g, b = 0.88 * pore, (0.27 + 0.13 * f) * pore, 0.018
                navel = math.exp(-((a - 0.95) / 0.035) ** 2)
                r, g, b = mix(r, 0.12, navel), mix(g, 0.13, navel), mix(b, 0.03, navel)
            else:
                green = smooth(0.9, 1.5, abs(a)) * 0.5
                r, g, b = (0.90 - 0.3 * green) * pore, (0.64 + 0.1 * f - 0.05 * green) * pore, 0.045
            f0, rough = 0.04, 0.17
        elif what == 5:
            # Streaks run from stalk to flower, over a yellow ground.
            ux, uy = px + 0.3 * pz, py - 0.2 * pz
            turn = math.atan2(uy, ux)
            streak = fbm2(turn * 9 + i, a * 0.8, 4, 463)
            blush = smooth(0.22, 0.62, 0.55 * streak + 0.5 * f + 0.10 * math.sin(turn + i))
            hollow = smooth(0.55, 0.8, a) * smooth(0.6, 0.2, math.sqrt(max(0.0, 1 - a * a)))
            blush *= 1 - 0.8 * hollow
            spot = smooth(0.83, 0.9, noise3(px * 24, py * 24, pz * 24, 464))
            r, g, b = mix(0.74, 0.44, blush), mix(0.54, 0.022, blush), mix(0.10, 0.022, blush)
            r, g, b = mix(r, 0.8, spot * 0.45), mix(g, 0.6, spot * 0.45), mix(b, 0.32, spot * 0.45)
            f0, rough = 0.045, 0.10
        elif what == 7:
            blush = smooth(0.45, 0.75, f + 0.16 * px / fruit[i, 4])
            spot = smooth(0.70, 0.82, noise3(px * 30, py * 30, pz * 30, 465))
            r, g, b = mix(0.50, 0.60, blush), mix(0.50, 0.24, blush), mix(0.085, 0.05, blush)
            k = 1 - 0.42 * spot
            russet = smooth(1.05, 1.5, a + 0.5 * (f - 0.5))
            r, g, b = mix(r * k, 0.33, russet), mix(g * k, 0.22, russet), mix(b * k, 0.08, russet)
            f0, rough = 0.035, 0.2
        else:
            bloom = smooth(0.35, 0.75, f + 0.18 * (a - 0.3))
            r, g, b = mix(0.050, 0.19, bloom), mix(0.010, 0.155, bloom), mix(0.035, 0.235, bloom)
            f0, rough = 0.045, mix(0.10, 0.4, bloom)
    mx, my, mz = unit(nx - gx, ny - gy, nz - gz)
    return r, g, b, f0, rough, mx, my, mz


@njit(fastmath=True)
def cosine_ray(nx, ny, nz, state):
    """A direction over the surface, likelier near its normal."""
    z = 2 * rnd(state) - 1
    a = 6.2831853 * rnd(state)
    s = math.sqrt(max(0.0, 1 - z * z))
    return unit(nx + s * math.cos(a), ny + s * math.sin(a), nz + z * 1.0001)


@njit(fastmath=True)
def table_path(ox, oy, oz, dx, dy, dz, cloth, fruit, state, feature):
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
        t, kind = table_march(ox, oy, oz, dx, dy, dz, 60.0, cloth, fruit)
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
        nx, ny, nz = table_normal(x, y, z, cloth, fruit)
        if kind == 9:
            turn = math.atan2(y - 1.35, x + 1.75)
            label = abs(z - 1.35) < 0.52 and abs(turn + 1.75) < 1.15
            if not label:
                if first:
                    feature[0] += 1
                    feature[1] += 1
                    feature[2] += 1
                    feature[3] += nx
                    feature[4] += ny
                    feature[5] += nz
                    feature[6] += t
                    first = False
                c = -(dx * nx + dy * ny + dz * nz)
                f = fresnel(c, 0.042)
                glass += 1
                p = 0.3 + 0.7 * f if glass == 1 and bounce == 0 else f
                if rnd(state) < p:
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
                path = 0.0
                out = False
                for _ in range(5):
                    s = 0.0
                    for _ in range(90):
                        d = -bottle_distance(ox + dx * s + 1.75, oy + dy * s - 1.35, oz + dz * s)
                        if d < 0.0008:
                            break
                        s += d
                    path += s
                    x, y, z = ox + dx * s, oy + dy * s, oz + dz * s
                    e = 0.002
                    q = bottle_distance(x + 1.75, y - 1.35, z)
                    nx = bottle_distance(x + e + 1.75, y - 1.35, z) - q
                    ny = bottle_distance(x + 1.75, y + e - 1.35, z) - q
                    nz = bottle_distance(x + 1.75, y - 1.35, z + e) - q
                    nx, ny, nz = unit(nx, ny, nz)
                    c = dx * nx + dy * ny + dz * nz
                    k = 1 - 2.25 * (1 - c * c)
                    if k > 0:
                        k = math.sqrt(k)
                        k -= 1.5 * c
                        dx, dy, dz = unit(dx * 1.5 + nx * k, dy * 1.5 + ny * k, dz * 1.5 + nz * k)
                        ox, oy, oz = x + nx * 0.008, y + ny * 0.008, z + nz * 0.008
                        out = True
                        break
                    dx, dy, dz = dx - 2 * c * nx, dy - 2 * c * ny, dz - 2 * c * nz
                    ox, oy, oz = x - nx * 0.006, y - ny * 0.006, z - nz * 0.006
                if not out:
                    return r, g, b
                tr *= math.exp(-1.9 * path)
                tg *= math.exp(-1.15 * path)
                tb *= math.exp(-2.6 * path)
                sharp = True
                continue
        ar, ag, ab, f0, rough, mx, my, mz = table_surface(kind, x, y, z, nx, ny, nz, fruit)
        if first:
            feature[0] += ar
            feature[1] += ag
            feature[2] += ab
            feature[3] += mx
            feature[4] += my
            feature[5] += mz
            feature[6] += t
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
            if rnd(state) < p:
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
        # Straight to a random point of the window.
        wy, wz = -4.6 + 5.6 * rnd(state), 2.2 + 7.0 * rnd(state)
        lx, ly, lz = -9.0 - px, wy - py, wz - pz
        d2 = lx * lx + ly * ly + lz * lz
        d = math.sqrt(d2)
        lx, ly, lz = lx / d, ly / d, lz / d
        c = lx * mx + ly * my + lz * mz
        # A fruit's flesh lets light round the edge.
        wrap = 0.14 if kind >= 20 else 0.0
        c = (c + wrap) / (1 + wrap)
        e = window_light(wy, wz)
        if c > 0 and e > 0 and lx < 0:
            hit = -1.0
            if lx * nx + ly * ny + lz * nz > 0:
                hit, _ = table_march(px, py, pz, lx, ly, lz, d, cloth, fruit)
            elif wrap == 0:
                hit = 1.0
            if hit < 0:
                e *= level * c * (-lx) * 39.2 / (d2 * 3.14159)
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


@njit(parallel=True, fastmath=True)
def table_rows(w, h, spp, cloth, fruit):
    """Traces the still life through a thin lens."""
    out = np.zeros((h, w, 3), np.float32)
    features = np.zeros((h, w, 7), np.float32)
    for j in prange(h):
        state = np.array([SEED + 15485863 * j], np.int64)
        for n in range(16):
            rnd(state)
        feature = np.zeros(7)
        pitch = -0.20
        up_y, up_z = -math.sin(pitch), math.cos(pitch)
        for i in range(w):
            ar = ag = ab = 0.0
            feature[:] = 0
            for s in range(spp):
                u, v = (i + rnd(state)) / w, (j + (s + rnd(state)) / spp) / h
                dx, dy, dz = camera_ray(u, v, w / h, 3.05, pitch, 0.0)
                focus = 13.9 / (dy * math.cos(pitch) + dz * math.sin(pitch))
                a, q = 6.2831853 * rnd(state), 0.21 * math.sqrt(rnd(state))
                lx, lu = q * math.cos(a), q * math.sin(a)
                fx, fy, fz = dx * focus - lx, dy * focus - lu * up_y, dz * focus - lu * up_z
                fx, fy, fz = unit(fx, fy, fz)
                c = table_path(0.1 + lx, -14.6 + lu * up_y, 4.55 + lu * up_z, fx, fy, fz, cloth,
                               fruit, state, feature)
                # One stray path mustn't become a firefly.
                ar += min(c[0], 24.0)
                ag += min(c[1], 24.0)
                ab += min(c[2], 24.0)
            out[j, i, 0], out[j, i, 1], out[j, i, 2] = ar / spp, ag / spp, ab / spp
            for k in range(7):
                features[j, i, k] = feature[k] / spp
    return out, features


@njit(parallel=True, fastmath=True)
def smoothed(light, features, step, strength, sharpness):
    """One pass of an edge-avoiding wavelet filter; `step` is the spacing of its taps."""
    h, w = light.shape[:2]
    out = np.zeros_like(light)
    kernel = np.array([0.0625, 0.25, 0.375, 0.25, 0.0625])
    for j in prange(h):
        for i in range(w):
            sr = sg = sb = total = 0.0
            l0 = math.log(0.02 + light[j, i, 0] + light[j, i, 1] + light[j, i, 2])
            for b in range(5):
                y = j + (b - 2) * step
                if y < 0 or y >= h:
                    continue
                for a in range(5):
                    x = i + (a - 2) * step
                    if x < 0 or x >= w:
                        continue
                    n = 0.0
                    for k in range(3, 6):
                        d = features[j, i, k] - features[y, x, k]
                        n += d * d
                    d = (features[j, i, 6] - features[y, x, 6]) * 1.5
                    c = 0.0
                    for k in range(3):
                        e = features[j, i, k] - features[y, x, k]
                        c += e * e
                    l1 = math.log(0.02 + light[y, x, 0] + light[y, x, 1] + light[y, x, 2])
                    e = (l1 - l0) * strength
                    q = kernel[a] * kernel[b] * math.exp(
                        -n * sharpness - d * d * 4 - c * 2 - e * e)
                    sr += q * light[y, x, 0]
                    sg += q * light[y, x, 1]
                    sb += q * light[y, x, 2]
                    total += q
            out[j, i, 0], out[j, i, 1], out[j, i, 2] = sr / total, sg / total, sb / total
    return out


def denoised(light, features, passes, strength, sharpness):
    """Smooths the light that falls on surfaces, not the surfaces' own colours."""
    colour = features[..., :3] + 0.02
    falling = light / colour
    for i in range(passes):
        falling = smoothed(falling, features, 1 << i, strength * (1 + i), sharpness)
    return falling * colour


def still_life_fruit():
    """Rows of kind, centre, radius, axis and reach: bowl, table, then a bunch of grapes."""
    rng = np.random.default_rng(SEED + 5)
    rows = []

    def add(kind, x, y, z, r, axis, reach):
        axis = np.array(axis, float)
        rows.append([kind, x, y, z, r, *(axis / np.linalg.norm(axis)), reach])

    bx, by = 0.85, 0.75
    for k, (kind, axis) in enumerate([
            (4, (0.5, -0.6, 0.6)), (5, (0.5, -0.35, 0.8)), (4, (0.2, 0.5, 0.6)),
            (4, (-0.5, -0.5, 0.5))]):
        a = -2.15 + k * TAU / 4
        add(kind, bx + 0.82 * math.cos(a), by + 0.82 * math.sin(a), 1.06, 0.575, axis, 1.25)
    add(5, bx - 0.02, by - 0.02, 1.83, 0.58, (-0.32, -0.38, 0.9), 1.3)
    add(7, -1.02, -0.75, 0.60, 0.62, (0.10, -0.06, 1.0), 2.25)
    add(6, -0.02, -1.62, 0.405, 0.41, (0.9, -0.42, 0.05), 1.6)
    add(6, -2.3, -0.55, 0.40, 0.40, (0.5, 0.8, 0.05), 1.6)
    add(4, 2.75, 0.55, 0.53, 0.55, (-0.3, -0.6, 0.7), 1.1)
    grapes = []
    for k in range(34):
        best = None
        for _ in range(30):
            a, q = TAU * rng.random(), math.sqrt(rng.random())
            x, y = 1.72 + 1.0 * q * math.cos(a), -1.12 + 0.5 * q * math.sin(a) - 0.1 * math.cos(a)
            r = 0.165 + 0.045 * rng.random()
            z = r - 0.01
            for gx, gy, gz, gr in grapes:
                d2 = (r + gr) ** 2 * 0.92 - (x - gx) ** 2 - (y - gy) ** 2
                if d2 > 0:
                    z = max(z, gz + math.sqrt(d2))
            if best is None or z < best[2]:
                best = (x, y, z, r)
        grapes.append(best)
        add(8, *best, rng.standard_normal(3), 1.05)
    return np.array(rows)


def still_life(options):
    """Fruit, a bowl and a bottle on linen, lit by a window on the left."""
    w, h = int(2640 * options.scale), int(1980 * options.scale)
    fruit = still_life_fruit()
    things = [[0.85, 0.75, 0.85], [-1.75, 1.35, 0.6], [1.72, -1.12, 0.75]]
    things += [[f[1], f[2], f[4] * 0.7] for f in fruit[5:9]]
    cloth = cloth_grid(1400, 9.0, np.array(things))
    spp = max(2, int(26 * options.samples))
    light, features = table_rows(w, h, spp, cloth, fruit)
    light = denoised(light, features, 3, 1.6, 18.0)
    pixels = developed(light, 0.075, 1.15, 1.08, (1.02, 1.0, 0.97), 0.006, 0.22, 0.03, SEED + 1)
    save(pixels, options.out / "still-life.jpg", 90, 0, 1, "2024:03:02 10:16:31")


# ---------------------------------------------------------------- tilted harbour


@njit(fastmath=True)
def box_distance(x, y, z, a, b, c, r):
    """Distance to a box with half sizes a, b, c and edges rounded by r."""
    qx, qy, qz = abs(x) - a + r, abs(y) - b + r, abs(z) - c + r
    mx, my, mz = max(qx, 0.0), max(qy, 0.0), max(qz, 0.0)
    return math.sqrt(mx * mx + my * my + mz * mz) + min(max(qx, max(qy, qz)), 0.0) - r


@njit(fastmath=True)
def rod_distance(x, y, z, low, high, r):
    """Distance to an upright rod at the origin."""
    q = z - min(high, max(low, z))
    return math.sqrt(x * x + y * y + q * q) - r


@njit(fastmath=True)
def rock_distance(x, y, z, n, seed):
    """Distance to an armour stone, turned at random."""
    a = 6.28 * hash3(n, 1, seed)
    c, s = math.cos(a), math.sin(a)
    x, y = x * c - y * s, x * s + y * c
    a = 1.4 * (hash3(n, 2, seed) - 0.5)
    c, s = math.cos(a), math.sin(a)
    x, z = x * c - z * s, x * s + z * c
    h = 0.62 + 0.5 * hash3(n, 3, seed)
    d = box_distance(x, y, z, h, h * (0.7 + 0.3 * hash3(n, 4, seed)), h * 0.68, 0.2)
    if d < 0.3:
        d += 0.16 * (fbm3(x * 1.7, y * 1.7, z * 1.7 + n, 3, 505) - 0.5)
    return d * 0.9


@njit(fastmath=True)
def harbour_map(x, y, z):
    """Distance to the nearest thing above or in the water, and what it is.

    1 stone, 2 white tower, 3 iron, 4 lantern glass, 5 red paint, 6 rock, 7 sail, 8 hull,
    9 wood, 10 buoy.
    """
    d, kind = 400.0, 0
    # Along and across the pier; u = 0 at the lighthouse.
    px, py = x - 12.5, y - 66.0
    u, w = px * 0.70 - py * 0.714, px * 0.714 + py * 0.70
    away = math.sqrt(max(0.0, -u - 7) ** 2 + max(0.0, abs(w) - 7) ** 2 + max(0.0, z - 19) ** 2)
    if away < 1.0:
        rho = math.sqrt(u * u + w * w)
        # The pier's wall leans in a little as it rises.
        lean = 0.06 * z
        run = box_distance(u - 40, w, z - 0.4, 40.0, 3.3 - lean, 2.0, 0.08)
        q, v = rho - 5.2 + lean, abs(z - 0.4) - 2.0
        head = math.sqrt(max(q, 0.0) ** 2 + max(v, 0.0) ** 2) + min(max(q, v), 0.0)
        d, kind = min(run, head), 1
        e = box_distance(u - 42, w - 2.75, z - 2.9, 38.0, 0.4, 0.65, 0.06)
        if e < d:
            d = e
        if rho < 9 or z > 2:
            q, v = abs(rho - 4.55) - 0.32, abs(z - 2.7) - 0.45
            e = max(max(q, v), u - 2.5)
            if e < d:
                d = e
        # Lighthouse.
        if rho < d + 3.2:
            lo = rho - (2.05 - 0.062 * (z - 2.4))
            e = max(lo * 0.99, max(z - 12.6, 2.0 - z))
            base = max(rho - 2.45, max(z - 3.3, 2.0 - z))
            e = min(e, base)
            if e < d:
                d, kind = e, 2
            q, v = rho - 2.05, abs(z - 12.6) - 0.14
            e = math.sqrt(max(q, 0.0) ** 2 + max(v, 0.0) ** 2) + min(max(q, v), 0.0) - 0.05
            q, v = rho - 1.62, abs(z - 12.25) - 0.2
            e = min(e, math.sqrt(max(q, 0.0) ** 2 + max(v, 0.0) ** 2) + min(max(q, v), 0.0))
            if e < d:
                d, kind = e, 2
            turn = math.atan2(w, u)
            cell = 6.2831853 / 18
            f = turn - cell * math.floor(turn / cell + 0.5)
            ax, ay = rho * math.cos(f) - 1.98, rho * math.sin(f)
            e = rod_distance(ax, ay, z, 12.7, 13.65, 0.028)
            e = min(e, math.sqrt((rho - 1.98) ** 2 + (z - 13.65) ** 2) - 0.04)
            e = min(e, math.sqrt((rho - 1.98) ** 2 + (z - 13.2) ** 2) - 0.024)
            cell = 6.2831853 / 8
            f = turn - cell * math.floor(turn / cell + 0.5)
            ax, ay = rho * math.cos(f) - 1.06, rho * math.sin(f)
            e = min(e, rod_distance(ax, ay, z, 12.7, 14.7, 0.045))
            if e < d:
                d, kind = e, 3
            e = max(rho - 1.02, max(z - 14.7, 12.6 - z))
            if e < d:
                d, kind = e, 4
            dome = max(math.sqrt(rho * rho + ((z - 14.7) * 1.25) ** 2) - 1.28, 14.68 - z) * 0.85
            dome = min(dome, rod_distance(u, w, z, 15.5, 16.7, 0.045))
            dome = min(dome, math.sqrt(rho * rho + (z - 15.85) ** 2) - 0.19)
            if dome < d:
                d, kind = dome, 5
        # Lamps and bollards on the deck.
        if u > 6:
            k = math.floor((u - 6) / 9)
            lu = u - 6 - 9 * k - 4.5
            e = rod_distance(lu, w - 1.9, z, 2.4, 6.1, 0.06)
            e = min(e, rod_distance(lu, w - 1.9, z, 2.4, 3.0, 0.11))
            e = min(e, box_distance(lu, w - 1.9, z - 6.35, 0.19, 0.19, 0.25, 0.05))
            e = min(e, math.sqrt(lu * lu + (w - 1.9) ** 2 + (z - 6.75) ** 2) - 0.14)
            k = math.floor((u - 4) / 4.5)
            lu = u - 4 - 4.5 * k - 2.25
            e = min(e, rod_distance(lu, w + 2.6, z, 2.4, 2.82, 0.15))
            e = min(e, rod_distance(lu, w + 2.6, z, 2.84, 2.86, 0.23))
            if e < d:
                d, kind = e, 3
        # Stones at its foot.
        if z < d + 1.6:
            if u > 2.5:
                k = int(math.floor(u / 1.25))
                for n in range(k - 1, k + 2):
                    for row in range(2):
                        cu = (n + 0.5 + 0.5 * (hash3(n, row, 511) - 0.5)) * 1.25
                        cw = -3.5 - row * 1.0 - 0.5 * hash3(n, row, 512)
                        cz = 0.15 - row * 0.4 + 0.5 * (hash3(n, row, 513) - 0.5)
                        e = rock_distance(u - cu, w - cw, z - cz, n * 2 + row, 514)
                        if e < d:
                            d, kind = e, 6
            if rho < d + 8:
                turn = math.atan2(w, u) / 6.2831853 * 26
                k = int(math.floor(turn))
                for n in range(k - 1, k + 2):
                    for row in range(2):
                        a = (n + 0.5 + 0.5 * (hash3(n, row, 521) - 0.5)) / 26 * 6.2831853
                        q = 5.5 + row * 1.0 + 0.5 * hash3(n, row, 522)
                        cz = 0.2 - row * 0.4 + 0.5 * (hash3(n, row, 523) - 0.5)
                        e = rock_distance(u - q * math.cos(a), w - q * math.sin(a), z - cz,
                                          n * 2 + row, 524)
                        if e < d:
                            d, kind = e, 6
    else:
        d = away
    # Masts of the boats that lie behind the pier.
    for n in range(7):
        mx, my = 22.0 + 3.4 * n + 1.6 * hash3(n, 1, 531), 69.5 + 6 * hash3(n, 2, 531) - 1.9 * n
        qx, qy = x - mx, y - my
        high = 8.5 + 5.0 * hash3(n, 3, 531)
        e = math.sqrt(qx * qx + qy * qy)
        if e - 2.5 < d:
            e = rod_distance(qx, qy, z, 1.0, high, 0.075)
            e = min(e, box_distance(qx, qy, z - high * 0.68, 0.85, 0.03, 0.03, 0.01))
            e = min(e, rod_distance(qx + 0.05, qy, z, high, high + 0.7, 0.02))
            # Shrouds down to the deck.
            q = min(1.0, max(0.0, (high - z) / (high - 1.5)))
            if z < high:
                e = min(e, math.sqrt((abs(qx) - 1.9 * q) ** 2 + qy * qy) * 0.95 - 0.014)
            # The boom with its sail rolled on it.
            q = min(2.0, max(0.0, qx))
            e = min(e, math.sqrt((qx - q) ** 2 + qy * qy + (z - 3.2) ** 2) - 0.17)
            if e < d:
                d, kind = e, 9
        elif e - 2.0 < d:
            d = e - 2.0
    # A boat under sail.
    qx, qy, qz = x + 19.0, y - 92.0, z
    away = math.sqrt(qx * qx + qy * qy + (qz - 5) ** 2) - 8.5
    if away < d:
        if away > 1:
            d, kind = away, 0
        else:
            tilt = 0.13
            bx = qx
            bz = qz * math.cos(tilt) - qy * math.sin(tilt)
            by = qy * math.cos(tilt) + qz * math.sin(tilt)
            c, s = math.cos(0.5), math.sin(0.5)
            bx, by = bx * c + by * s, -bx * s + by * c
            # Hull: two arcs meet at bow and stern, sheer rises forward.
            q = bx / 4.2
            beam = 1.25 * (1 - q * q * (0.75 + 0.25 * q)) * (0.62 + 0.38 * smooth(-0.3, 0.9, bz))
            sheer = 0.95 + 0.35 * q * q + 0.1 * q
            e = max(max(abs(by) - beam, abs(bx) - 4.15), max(bz - sheer, -0.4 - bz)) * 0.7
            if e < d:
                d, kind = e, 8
            e = box_distance(bx + 0.3, by, bz - 1.25, 1.5, 0.62, 0.28, 0.15)
            e = min(e, rod_distance(bx - 0.7, by, bz, 1.0, 12.4, 0.07))
            q = min(0.7, max(-3.4, bx))
            off = by - 0.1 * (0.7 - bx)
            e = min(e, math.sqrt((bx - q) ** 2 + off ** 2 + (bz - 2.1) ** 2) - 0.07)
            if e < d:
                d, kind = e, 9
            belly = 0.5 * math.sin(min(1.0, max(0.0, (bz - 2) / 10)) * 3.1) * smooth(0.7, -1.6, bx)
            f = min(1.0, (bz - 2.2) / 10.0)
            e = max(max(bx - 0.66, -3.35 * (1 - f) ** 0.8 - bx + 0.6 * f), max(2.2 - bz, bz - 12.2))
            e = max(e, abs(by - 0.1 * (0.7 - bx) - belly) - 0.02) * 0.6
            f = (bz - 1.6) / 8.6
            lead = 4.1 - 3.3 * f
            belly = 0.45 * math.sin(min(1.0, max(0.0, f)) * 3.1)
            k = max(max(bx - lead, 0.2 + 0.5 * f - bx), max(1.6 - bz, bz - 10.2))
            e = min(e, max(k, abs(by - belly * smooth(4.0, 1.5, bx)) - 0.02) * 0.6)
            if e < d:
                d, kind = e, 7
    # Mooring buoys.
    for n in range(3):
        cx = -3.2 + 4.7 * n - 5.0 * (n == 1)
        cy = 19.0 + 9.5 * n
        qx, qy, qz = x - cx, y - cy, z - 0.16
        e = math.sqrt(qx * qx + qy * qy + qz * qz) - 0.36
        e = min(e, rod_distance(qx, qy, z, 0.4, 0.68, 0.03))
        if e < d:
            d, kind = e, 10
    return d, kind


@njit(fastmath=True)
def harbour_march(ox, oy, oz, dx, dy, dz, limit):
    """Follows a ray to a surface: distance (negative: none) and what was met."""
    t = 0.02
    for _ in range(200):
        z = oz + dz * t
        if t > limit or (z > 19 and dz > 0):
            return -1.0, 0
        d, kind = harbour_map(ox + dx * t, oy + dy * t, z)
        if d < 0.0012 + 0.00012 * t:
            return t, kind
        t += d * 0.95
    return -1.0, 0


@njit(fastmath=True)
def harbour_light(x, y, z, dx, dy, dz, t, kind, sun, amb, sky, top, side):
    """Light of a surface: sun with shadow, sky with occlusion, the sea's glimmer from below."""
    e = 0.004
    d0, _ = harbour_map(x, y, z)
    nx = harbour_map(x + e, y, z)[0] - d0
    ny = harbour_map(x, y + e, z)[0] - d0
    nz = harbour_map(x, y, z + e)[0] - d0
    nx, ny, nz = unit(nx, ny, nz)
    px, py = x - 12.5, y - 66.0
    u, w = px * 0.70 - py * 0.714, px * 0.714 + py * 0.70
    r, g, b, gloss = 0.5, 0.5, 0.5, 0.0
    f = fbm3(x * 0.7, y * 0.7, z * 0.7, 5, 541)
    s = fbm3(x * 5, y * 5, z * 5, 4, 542)
    if kind == 1:
        along = u if u > 3 else math.atan2(w, u) * 5.2
        if nz > 0.6:
            a, c = u / 1.5, w / 0.9
        else:
            a, c = along / 1.35, z / 0.52
        row = math.floor(c)
        a += 0.5 * (int(row) & 1) + 0.2 * hash3(int(row), 9, 543)
        fa, fc = a - math.floor(a), c - row
        seam = min(min(fa, 1 - fa) * 1.35, min(fc, 1 - fc) * 0.52)
        tone = 0.75 + 0.5 * hash3(int(math.floor(a)), int(row), 544)
        k = 0.34 * tone * (0.55 + 0.9 * f) * (0.75 + 0.5 * s)
        k *= mix(0.45, 1.0, smooth(0.008, 0.03, seam))
        r, g, b = k * 1.08, k * 0.98, k * 0.83
        streak = smooth(0.52, 0.75, noise2(along * 1.6, z * 0.12, 545)) * (1 - abs(nz))
        r, g, b = r * (1 - 0.5 * streak), g * (1 - 0.5 * streak), b * (1 - 0.46 * streak)
    elif kind == 2:
        k = 0.78 * (0.86 + 0.25 * f)
        turn = math.atan2(w, u)
        rust = smooth(0.55, 0.8, noise2(turn * 9, z * 0.25, 546)) * smooth(5.0, 12.0, z) * 0.4
        r, g, b = k, k * 0.98, k * 0.93
        if 5.9 < z < 8.9:
            r, g, b = 0.50 * (0.8 + 0.4 * f), 0.045, 0.035
        r, g, b = mix(r, 0.30, rust), mix(g, 0.18, rust), mix(b, 0.10, rust)
        # Windows and a door, on the side that faces the quay.
        a = turn + 1.25
        a = a - 6.2831853 * math.floor(a / 6.2831853 + 0.5)
        for n in range(2):
            if abs(a) * 1.8 < 0.27 and abs(z - 5.2 - 4.6 * n) < 0.5:
                r, g, b, gloss = 0.02, 0.025, 0.03, 0.06
            elif abs(a) * 1.8 < 0.38 and abs(z - 5.2 - 4.6 * n) < 0.62:
                r, g, b = 0.45, 0.43, 0.38
        gloss = max(gloss, 0.012)
    elif kind == 3:
        r, g, b, gloss = 0.028, 0.03, 0.032, 0.03
    elif kind == 4:
        k = smooth(0.3, 0.0, abs(z - 13.6) - 0.2)
        r, g, b, gloss = 0.05 + 0.35 * k, 0.06 + 0.30 * k, 0.06 + 0.18 * k, 0.08
    elif kind == 5:
        k = 0.75 + 0.4 * f
        r, g, b, gloss = 0.46 * k, 0.045 * k, 0.035 * k, 0.03
    elif kind == 6:
        k = 0.30 * (0.4 + 1.0 * f) * (0.6 + 0.8 * s)
        r, g, b = k, k * 0.94, k * 0.86
    elif kind == 7:
        k = 0.80 * (0.95 + 0.1 * f)
        if abs(z - math.floor(z / 1.7) * 1.7) < 0.05:
            k *= 0.86
        r, g, b = k, k * 0.97, k * 0.90
    elif kind == 8:
        r, g, b, gloss = 0.03, 0.07, 0.17, 0.05
        if z > 0.98:
            r, g, b = 0.75, 0.74, 0.70
        if z < 0.22:
            r, g, b = 0.40, 0.05, 0.04
    elif kind == 9:
        r, g, b, gloss = 0.62, 0.56, 0.47, 0.02
    elif kind == 10:
        r, g, b, gloss = 0.80, 0.17, 0.03, 0.03
        if z < 0.13 + 0.05 * s:
            r, g, b = 0.08, 0.09, 0.03
    # Wet and weedy near the water.
    if kind == 1 or kind == 6:
        wet = smooth(0.95, 0.35, z + 0.9 * (f - 0.5))
        weed = smooth(0.70, 0.15, z + 1.2 * (f - 0.5))
        r, g, b = mix(r, r * 0.34, wet), mix(g, g * 0.36, wet), mix(b, b * 0.36, wet)
        r, g, b = mix(r, 0.028, weed * 0.75), mix(g, 0.036, weed * 0.75), mix(b, 0.012, weed * 0.75)
        gloss = 0.03 * wet
        nx, ny, nz = unit(nx + 0.5 * (s - 0.5), ny + 0.5 * (s - 0.5), nz + 0.3 * (f - 0.5))
    occ, k = 1.0, 0.12
    for n in range(4):
        d, _ = harbour_map(x + nx * k, y + ny * k, z + nz * k)
        occ -= max(0.0, k - d) * 0.5 / k * 0.55 ** n
        k *= 2.4
    occ = max(0.12, occ)
    c = nx * sun[0] + ny * sun[1] + nz * sun[2]
    if kind == 7:
        # Sailcloth glows with the light behind it.
        c = 0.25 + max(c, 0.0) + 0.55 * max(-c, 0.0)
    lit = 0.0
    if c > 0:
        off = 0.03 if kind != 7 else 0.15
        hit, what = harbour_march(x + nx * off, y + ny * off, z + nz * off, sun[0], sun[1], sun[2],
                                  70.0)
        lit = c if hit < 0 or (kind == 7 and what == 7) else 0.0
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
        q = table_at(sky, top, side, 1.0, rx, ry, max(0.02, rz))
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
            h = table_at(air, top, side, 0.6667, dx, dy, 0.02)
            m = 0.42 if close else 0.20
            return mix(h[0] * 0.92, r, m), mix(h[1] * 0.88, g, m * 0.92), mix(h[2], b, m * 0.8)
    return table_at(sky, top, side, 1.0, dx, dy, max(0.0, dz))


@njit(parallel=True, fastmath=True)
def harbour_rows(w, h, spp, roll, sky, air, top, side, amb, sun, waves):
    """Traces the harbour."""
    out = np.zeros((h, w, 3), np.float32)
    eye = 3.6
    for j in prange(h):
        state = np.array([SEED + 32452843 * j], np.int64)
        for n in range(16):
            rnd(state)
        for i in range(w):
            ar = ag = ab = 0.0
            for s in range(spp):
                u, v = (i + rnd(state)) / w, (j + (s + rnd(state)) / spp) / h
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
                        d, what = harbour_map(x, y, 0.02)
                        lace = fbm2(x * 2.6, y * 2.6, 4, 562)
                        m = smooth(0.75, 0.0, d + 1.5 * (lace - 0.42)) * 0.75
                        if what == 10 or what == 0:
                            m = 0.0
                        k = 0.75 * (0.5 + lace)
                        c = (mix(c[0], k * (0.25 * sun[3] + amb[0]), m),
                             mix(c[1], k * (0.25 * sun[4] + amb[1]), m),
                             mix(c[2], k * (0.25 * sun[5] + amb[2]), m))
                    veil = math.exp(-water / 9000)
                    hz = table_at(air, top, side, 0.6667, dx, dy, 0.012)
                    c = (mix(hz[0], c[0], veil), mix(hz[1], c[1], veil), mix(hz[2], c[2], veil))
                ar += c[0]
                ag += c[1]
                ab += c[2]
            out[j, i, 0], out[j, i, 1], out[j, i, 2] = ar / spp, ag / spp, ab / spp
    return out


def harbour(options):
    """A pier and its light in late sun, taken by an unsteady hand: the horizon falls 4 degrees."""
    w, h = int(3000 * options.scale), int(2000 * options.scale)
    azimuth, elevation, haze = math.radians(-100), math.radians(15), 8e-6
    sun = (math.sin(azimuth) * math.cos(elevation), math.cos(azimuth) * math.cos(elevation),
           math.sin(elevation))
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
    light = harbour_rows(w, h, spp, math.radians(4), sky, air, top, side, amb * 1.15, beam, waves)
    pixels = developed(light, 0.19, 1.22, 1.12, (1.03, 0.985, 1.05), 0.004, 0.14, 0.03, SEED + 3)
    save(pixels, options.out / "tilted-harbour.jpg", 90, 2, 1, "2024:06:21 20:05:57")


# ---------------------------------------------------------------- upright street


@njit(fastmath=True)
def street_bend(y):
    """How far the street's middle has moved to the left at distance y."""
    return -0.00135 * y * y


@njit(fastmath=True)
def street_lamp(k):
    """Place of lamp k; the lamps hang alternately left and right."""
    y = 7.4 + 7.0 * k
    side = 1.0 if k % 2 == 0 else -1.0
    return street_bend(y) + side * 2.75, y, 4.05


@njit(fastmath=True)
def street_house(side, y):
    """Number, place along the front in [0, 1), width, height and setback of the house at y."""
    v = (y + (3.1 if side > 0 else 0.0)) / 7.6
    n = math.floor(v)
    number = int(n) * 2 + (1 if side > 0 else 0)
    return (number, v - n, 7.6, 9.2 + 4.6 * hash3(number, 1, 701), 0.35 * hash3(number, 2, 701))


@njit(fastmath=True)
def flat_box(x, y, a, b):
    """Distance to a rectangle in the plane."""
    qx, qy = abs(x) - a, abs(y) - b
    mx, my = max(qx, 0.0), max(qy, 0.0)
    return math.sqrt(mx * mx + my * my) + min(max(qx, qy), 0.0)


@njit(fastmath=True)
def window_place(number, f, width, z):
    """Cell of the facade a point falls in: column, floor, offsets from its middle, half sizes.

    Floor 0 holds doors and shop windows, the floors above windows.
    """
    cols = 3 if hash3(number, 3, 701) < 0.6 else 2
    c = min(cols - 1, int(f * cols))
    bay = width / cols
    u = (f * cols - c - 0.5) * bay
    if z < 3.5:
        door = c == int(hash3(number, 4, 701) * cols)
        half, low, high = (0.62, 0.0, 2.55) if door else (0.72, 0.75, 2.65)
        return c, 0, u, z - 0.5 * (low + high), half, 0.5 * (high - low), door
    floor_ = int((z - 3.5) / 2.95)
    w = z - 3.5 - 2.95 * floor_ - 1.42
    return c, floor_ + 1, u, w, 0.50, 0.86 - 0.1 * min(2, floor_), False


@njit(fastmath=True)
def street_map(x, y, z):
    """Distance to the nearest thing and what it is.

    1 paving, 2 wall, 3 shutter, 4 trim, 5 iron, 6 lantern, 7 tower, 8 pot, 9 leaves, 10 kerb.
    """
    d, kind = z, 1
    mid = street_bend(y)
    side = 1.0 if x > mid else -1.0
    across = abs(x - mid)
    number, f, width, high, back = street_house(side, y)
    q = (3.75 + back - across) * 0.97
    if q > 1.15:
        d = min(d, q - 0.85)
        if d < z:
            kind = 0
    else:
        if z < high + 1:
            c, level, u, w, a, b, door = window_place(number, f, width, z)
            wall = max(q, z - high)
            hole = flat_box(u, w, a, b)
            if level == 0:
                # A segmental arch over the ground floor's openings.
                hole = max(hole, math.sqrt(u * u + (w - b + 1.3) ** 2) - 1.32)
            inside = max(hole, -0.22 - q)
            fits = z < high - 1.0 or level == 0
            if fits and q < 0.8:
                wall = max(wall, -inside)
            if wall < d:
                d, kind = wall, 2
            if q < 0.6:
                # Surround and sill.
                if fits and hash3(number, 5, 701) < 0.75:
                    e = max(max(hole - 0.13, -hole), abs(q) - 0.045)
                    if e < d:
                        d, kind = e, 4
                if level > 0 and fits:
                    e = box_distance(u, q - 0.05, w + b + 0.06, a + 0.2, 0.14, 0.05, 0.015)
                    if e < d:
                        d, kind = e, 4
                    if hash3(number, 6, 701) < 0.62:
                        sa = abs(u) - a - 0.30
                        open_ = hash3(number * 31 + c, level, 702)
                        # Most are folded back; a few hang ajar.
                        ajar = 0.0 if open_ < 0.8 else 0.25 * smooth(-0.28, 0.28, sa)
                        e = box_distance(sa, q - 0.06 - ajar, w, 0.27, 0.028, b + 0.04, 0.01) * 0.8
                        if e < d:
                            d, kind = e, 3
                    if hash3(number * 17 + c, level, 703) < 0.30:
                        # A window box and what grows in it.
                        e = box_distance(u, q - 0.20, w + b - 0.06, a * 0.92, 0.11, 0.10, 0.02)
                        if e < d:
                            d, kind = e, 8
                        e = box_distance(u, q - 0.22, w + b - 0.20, a * 0.9, 0.12, 0.12, 0.11)
                        if e < 0.25:
                            e -= 0.26 * (fbm3(x * 9, y * 9, z * 9, 3, 704) - 0.40)
                            e *= 0.6
                        if e < d:
                            d, kind = e, 9
                # String course, cornice, plinth.
                e = box_distance(0.0, q - 0.02, z - 3.45, 9.0, 0.10, 0.09, 0.02)
                e = min(e, box_distance(0.0, q - 0.10, z - high + 0.16, 9.0, 0.34, 0.15, 0.04))
                e = min(e, box_distance(0.0, q - 0.02, z - high + 0.45, 9.0, 0.16, 0.10, 0.03))
                if e < d:
                    d, kind = e, 4
                if not door or hole > 0.15:
                    e = box_distance(0.0, q, z - 0.25, 9.0, 0.07, 0.3, 0.02)
                    if e < d:
                        d, kind = e, 4
                # A rain pipe where two houses meet.
                p = f * width - 0.25
                e = max(math.sqrt(p * p + (q - 0.11) ** 2) - 0.055, z - high)
                if e < d:
                    d, kind = e, 5
                if 0.0 < z < 1.6 and hash3(number, 8, 701) < 0.6:
                    # A pot beside the door.
                    p = f * width - 0.95
                    rho = math.sqrt(p * p + (q - 0.36) ** 2)
                    e = max(rho - 0.17 - 0.12 * z, max(z - 0.42, -z)) * 0.9
                    if e < d:
                        d, kind = e, 8
                    e = math.sqrt(rho * rho + (z - 0.82) ** 2) - 0.33
                    if e < 0.3:
                        e = (e - 0.5 * (fbm3(x * 7, y * 7, z * 7, 3, 705) - 0.42)) * 0.55
                    if e < d:
                        d, kind = e, 9
        else:
            e = max(q - 0.5, z - high - 0.3)
            if e < d:
                d, kind = max(e, 0.1), 0
        # The next house may be taller or stand further out.
        gap = min(f, 1 - f) * width + 0.02
        if gap < d and q > -0.6 and q < 0.5:
            d = max(gap, 0.012) if q > -0.36 else d
    # The raised edge of the pavement is a line of long stones.
    e = box_distance(across - 3.3, 0.0, z - 0.03, 0.62, 5.0, 0.06, 0.02)
    if e < d:
        d, kind = e, 10
    # Lanterns.
    k = int(math.floor((y - 7.4) / 7.0 + 0.5))
    k = max(0, min(7, k))
    lx, ly, lz = street_lamp(k)
    sgn = 1.0 if k % 2 == 0 else -1.0
    qx, qy, qz = (x - lx) * sgn, y - ly, z - lz
    rough = math.sqrt(qx * qx + qy * qy + qz * qz) - 1.6
    if rough < d:
        if rough > 0.3:
            d, kind = rough, 0
        else:
            taper = 0.15 + 0.10 * qz
            e = box_distance(qx, qy, qz, taper, taper, 0.27, 0.02) * 0.95
            if e < d:
                d, kind = e, 6
            taper = max(0.02, 0.24 - 0.9 * (qz - 0.27))
            e = max(flat_box(qx, qy, taper, taper) * 0.7, abs(qz - 0.38) - 0.11)
            e = min(e, math.sqrt(qx * qx + qy * qy + (qz - 0.54) ** 2) - 0.05)
            e = min(e, box_distance(qx, qy, qz + 0.30, 0.10, 0.10, 0.035, 0.01))
            # The arm, and the scroll under it.
            e = min(e, math.sqrt(max(0.0, -qx) ** 2 + max(0.0, qx - 1.3) ** 2 + qy * qy
                                 + (qz - 0.66) ** 2) - 0.026)
            ring = math.sqrt((qx - 0.95) ** 2 + (qz - 0.40) ** 2) - 0.24
            e = min(e, math.sqrt(ring * ring + qy * qy) - 0.018)
            e = min(e, rod_distance(qx, qy, qz, 0.5, 0.66, 0.018))
            if e < d:
                d, kind = e, 5
    # The tower that closes the view.
    tx = x - street_bend(60) + 1.0
    ty = y - 66.0
    rough = max(abs(tx) - 5, 60 - y)
    if rough < d:
        e = box_distance(tx, ty, z - 9, 2.6, 2.6, 10.5, 0.05)
        e = max(e, -box_distance(abs(tx) - 0.85, ty + 2.6, z - 16.2, 0.5, 0.6, 1.5, 0.0))
        e = min(e, box_distance(tx, ty, z - 13.2, 2.8, 2.8, 0.16, 0.05))
        e = min(e, box_distance(tx, ty, z - 19.4, 2.95, 2.95, 0.22, 0.05))
        taper = 2.8 - (z - 19.6) * 0.46
        e = min(e, max(flat_box(tx, ty, max(0.0, taper), max(0.0, taper)) * 0.85,
                       max(19.6 - z, z - 25.6)))
        e = min(e, max(65.5 - y, z - 7.5))
        if e < d:
            d, kind = e, 7
    return d, kind


@njit(fastmath=True)
def street_march(ox, oy, oz, dx, dy, dz, limit):
    """Follows a ray to a surface: distance (negative: none) and what was met."""
    t, kind = 0.012, 0
    for _ in range(170):
        x, y, z = ox + dx * t, oy + dy * t, oz + dz * t
        if t > limit or z > 27 or y < -9 or y > 75:
            return -1.0, 0
        d, kind = street_map(x, y, z)
        if d < 0.0015 + 0.00015 * t:
            return t, kind
        t += d * 0.92
    # Out of steps: a ray that grazes a long front or the paving, never the open sky.
    return t, max(kind, 1)


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
def street_surface(kind, x, y, z, t, nx, ny, nz):
    """Colour, gloss, roughness, normal and own light of a surface."""
    r, g, b, f0, rough = 0.4, 0.4, 0.4, 0.0, 0.3
    er = eg = eb = 0.0
    gx = gy = gz = 0.0
    mid = street_bend(y)
    side = 1.0 if x > mid else -1.0
    number, f, width, high, back = street_house(side, y)
    q = 3.75 + back - abs(x - mid)
    if kind == 1 or kind == 10:
        if kind == 1:
            # Setts in rows that arch over the crown of the street.
            a = x - mid
            row = (y + 0.055 * a * a) / 0.135
            n = math.floor(row)
            col = a / 0.155 + 0.5 * (int(n) & 1) + 0.22 * hash3(int(n), 1, 721)
        else:
            row, col = (x - mid) / 0.62 + 20.5, y / 1.1
            n = math.floor(row)
        m = math.floor(col)
        u, v = col - m - 0.5, row - n - 0.5
        if kind == 1:
            # Round the stones off; the joints lie deep.
            sx, sy = 2.2 * u ** 3 * 4, 2.2 * v ** 3 * 4
            joint = smooth(0.40, 0.5, max(abs(u), abs(v)))
        else:
            sx = sy = 0.0
            joint = smooth(0.485, 0.5, max(abs(u), abs(v)))
        tone = 0.55 + 0.9 * hash3(int(m), int(n), 722)
        s = fbm2(x * 14, y * 14, 4, 723)
        k = 0.085 * tone * (0.6 + 0.8 * s) * (1 - 0.7 * joint)
        warm = hash3(int(m), int(n), 724)
        r, g, b = k * (1.0 + 0.15 * warm), k, k * (1.03 - 0.12 * warm)
        pool = smooth(0.50, 0.60, fbm2(x * 0.55 + 2.3, y * 0.22, 4, 725)
                      - 0.05 * abs(x - mid) + (0.06 if kind == 1 else -0.2))
        tilt = 0.16 * (1 - pool) ** 1.5
        far = smooth(30, 6, t)
        gx = tilt * (sx * 0.9 + 0.7 * (hash3(int(m), int(n), 726) - 0.5) + 0.8 * (s - 0.5)) * (
            0.35 + 0.65 * far)
        gy = tilt * (sy * 0.9 + 0.7 * (hash3(int(m), int(n), 727) - 0.5)) * (0.35 + 0.65 * far)
        f0 = 0.03 * (1 - 0.6 * joint * (1 - pool))
        rough = mix(0.075 + 0.06 * s, 0.012, pool)
        k = 1 - 0.35 * pool
        r, g, b = r * k, g * k, b * k
    elif kind == 2:
        c, level, u, w, a, bb, door = window_place(number, f, width, z)
        hole = flat_box(u, w, a, bb)
        if hole < 0.0 and q < -0.12 and z < high - 0.9:
            key = hash3(number * 13 + c, level, 731)
            if door:
                # Panelled door, a fanlight over it.
                if w > bb - 0.55:
                    er, eg, eb = 2.0, 1.15, 0.45
                    if abs(u) < 0.02 or abs(w - bb + 0.55) < 0.03:
                        er = eg = eb = 0.0
                else:
                    p = min(abs(abs(u) - 0.3) - 0.2, 0.1)
                    tone = 0.55 if abs(p) < 0.02 or abs(u) < 0.012 else 1.0
                    h = hash3(number, 9, 731)
                    r, g, b = mix(0.05, 0.18, h) * tone, 0.075 * tone, mix(0.10, 0.03, h) * tone
                    f0, rough = 0.04, 0.15
            else:
                bars = min(abs(u), min(abs(w - bb * 0.25), abs(a - abs(u))))
                if level == 0:
                    bars = min(min(abs(u - 0.36), abs(u + 0.36)), abs(w - bb * 0.45))
                if bars < 0.032 or hole > -0.06:
                    r, g, b = 0.42, 0.39, 0.34
                else:
                    r, g, b, f0, rough = 0.012, 0.014, 0.016, 0.06, 0.006
                    gx, gy = 0.02 * (hash3(int(u > 0), level, 733 + c) - 0.5), 0.0
                    lit = 0.62 if level == 0 else 0.36
                    if key < lit:
                        # A room seen through curtains: brighter in the middle and low down.
                        fold = 0.75 + 0.5 * noise2(u * 22 + number, w * 0.6, 734)
                        drape = smooth(0.05, 0.30, abs(u) + 0.12 * math.sin(w * 2))
                        if key >= 0.2:
                            drape = 0.0
                        k = (1.7 + 2.2 * hash3(number + c, level, 735)) * (1 - 0.55 * drape * fold)
                        k *= 0.55 + 0.6 * smooth(1.0, -0.6, w / bb)
                        if level == 0:
                            shelf = noise2(u * 6 + number * 3, math.floor(w * 2.6) * 5.0, 736)
                            k *= 1.5 * (0.35 + 0.9 * smooth(0.35, 0.6, shelf))
                        tint = hash3(number * 3 + c, level, 737)
                        er, eg, eb = k, k * mix(0.50, 0.70, tint), k * mix(0.17, 0.40, tint)
        else:
            # Limewash over rough plaster, worn and stained.
            s = fbm3(x * 1.1, y * 1.1, z * 1.1, 5, 741)
            p = fbm3(x * 11, y * 11, z * 11, 4, 742)
            h = hash3(number, 10, 743)
            if h < 0.28:
                r, g, b = 0.50, 0.30, 0.15
            elif h < 0.5:
                r, g, b = 0.56, 0.47, 0.32
            elif h < 0.72:
                r, g, b = 0.48, 0.24, 0.17
            else:
                r, g, b = 0.47, 0.43, 0.37
            worn = smooth(0.56, 0.62, s + 0.12 * (p - 0.5) + 0.16 * smooth(2.2, 0.0, z))
            k = (0.6 + 0.75 * s) * (0.85 + 0.3 * p)
            k *= 1 - 0.45 * smooth(0.55, 0.8, noise2(y * 2.1, z * 0.18, 744)) * smooth(2.0, 9.0, z)
            r, g, b = r * k, g * k, b * k
            r, g, b = mix(r, 0.24 * p + 0.1, worn), mix(g, 0.18 * p + 0.085, worn), mix(
                b, 0.13 * p + 0.065, worn)
            gy, gz = 0.35 * (p - 0.47), 0.3 * (s - 0.47)
    elif kind == 3:
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
        f0, rough = 0.03, 0.35
    elif kind == 4:
        k = 0.40 * (0.55 + 0.8 * fbm3(x * 3, y * 3, z * 3, 4, 747))
        r, g, b = k, k * 0.93, k * 0.82
    elif kind == 5:
        r, g, b, f0, rough = 0.02, 0.021, 0.022, 0.05, 0.3
    elif kind == 6:
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
    elif kind == 7:
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
    elif kind == 8:
        r, g, b = 0.24, 0.10, 0.055
    elif kind == 9:
        s = noise3(x * 22, y * 22, z * 22, 753)
        r, g, b = 0.045 + 0.05 * s, 0.10 + 0.07 * s, 0.03
        if noise3(x * 16 + 7, y * 16, z * 16, 754) > 0.78 and z > 3:
            r, g, b = 0.55, 0.06, 0.08
        gx, gy, gz = 0.9 * (s - 0.5), 0.9 * (noise3(x * 25, y * 25, z * 25, 755) - 0.5), 0.0
    mx, my, mz = unit(nx - gx, ny - gy, nz - gz)
    return r, g, b, f0, rough, mx, my, mz, er, eg, eb


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
                feature[0] += 1
                feature[1] += 1
                feature[2] += 1
                feature[6] += 90
            return r + tr * s[0], g + tg * s[1], b + tb * s[2]
        x, y, z = ox + dx * t, oy + dy * t, oz + dz * t
        e = 0.0012 + 0.00012 * t
        a, _ = street_map(x + e, y - e, z - e)
        c, _ = street_map(x - e, y - e, z + e)
        d, _ = street_map(x - e, y + e, z - e)
        q, _ = street_map(x + e, y + e, z + e)
        nx, ny, nz = unit(a - c - d + q, -a - c + d + q, -a + c - d + q)
        ar, ag, ab, f0, rough, mx, my, mz, er, eg, eb = street_surface(kind, x, y, z, t, nx, ny, nz)
        if first:
            shown = 1.0 if er > 0 else 0.0
            feature[0] += ar + shown * er
            feature[1] += ag + shown * eg
            feature[2] += ab + shown * eb
            feature[3] += mx
            feature[4] += my
            feature[5] += mz
            feature[6] += t
            first = False
        if er > 0 and (sharp or kind != 6):
            r += tr * min(er, cap)
            g += tg * min(eg, cap * 0.6)
            b += tb * min(eb, cap * 0.3)
            if kind == 6:
                return r, g, b
        px, py, pz = x + nx * 0.006, y + ny * 0.006, z + nz * 0.006
        if f0 > 0:
            hx, hy, hz = unit(mx + rough * gauss(state), my + rough * gauss(state),
                              mz + rough * gauss(state))
            c = max(0.02, -(dx * hx + dy * hy + dz * hz))
            f = fresnel(c, f0)
            p = min(0.95, 0.3 + 0.6 * f) if bounce == 0 else f
            if rnd(state) < p:
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
        # One lamp, the nearer ones likelier.
        total = 0.0
        for k in range(8):
            lx, ly, lz = street_lamp(k)
            total += 1 / ((lx - x) ** 2 + (ly - y) ** 2 + (lz - z) ** 2 + 1)
        pick = rnd(state) * total
        share = 1.0
        for k in range(8):
            lx, ly, lz = street_lamp(k)
            share = 1 / ((lx - x) ** 2 + (ly - y) ** 2 + (lz - z) ** 2 + 1)
            pick -= share
            if pick <= 0:
                break
        share /= total
        lx, ly = lx + 0.2 * (rnd(state) - 0.5), ly + 0.2 * (rnd(state) - 0.5)
        lz += 0.3 * (rnd(state) - 0.5)
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
                e = min(4.0, power * c * roof / (d2 * share))
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


@njit(parallel=True, fastmath=True)
def street_rows(w, h, spp):
    """Traces the street with a shifted lens, so that the houses stand upright."""
    out = np.zeros((h, w, 3), np.float32)
    features = np.zeros((h, w, 7), np.float32)
    for j in prange(h):
        state = np.array([SEED + 49979687 * j], np.int64)
        for n in range(16):
            rnd(state)
        feature = np.zeros(7)
        for i in range(w):
            ar = ag = ab = 0.0
            feature[:] = 0
            for s in range(spp):
                u, v = (i + rnd(state)) / w, (j + (s + rnd(state)) / spp) / h
                dx, dy, dz = camera_ray(u, v - 0.115, w / h, 2.15, 0.0, 0.0)
                c = street_path(-0.55, 0.0, 1.62, dx, dy, dz, state, feature)
                ar += c[0]
                ag += c[1]
                ab += c[2]
            out[j, i, 0], out[j, i, 1], out[j, i, 2] = ar / spp, ag / spp, ab / spp
            for k in range(7):
                features[j, i, k] = feature[k] / spp
            features[j, i, 6] = 6 * math.log(1 + features[j, i, 6])
    return out, features


def street(options):
    """An old street after rain. The bitmap lies on its side; orientation 6 sets it upright."""
    w, h = int(1920 * options.scale), int(2880 * options.scale)
    spp = max(2, int(16 * options.samples))
    light, features = street_rows(w, h, spp)
    light = denoised(light, features, 3, 0.9, 12.0)
    pixels = developed(light, 0.066, 1.16, 1.08, (0.93, 1.0, 1.14), 0.004, 0.2, 0.06, SEED + 4)
    # Orientation 6: the first row is the picture's right edge.
    stored = np.ascontiguousarray(np.rot90(pixels))
    save(stored, options.out / "upright-street.jpg", 88, 2, 6, "2024:11:08 17:24:45")


SCENES = {
    "lake-at-dusk": lake,
    "still-life": still_life,
    "tilted-harbour": harbour,
    "upright-street": street,
}


def main():
    """Renders the samples named on the command line, or all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(SCENES))
    parser.add_argument("--out", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parent.parent / "Samples")
    parser.add_argument("--scale", type=float, default=1.0, help="size of a quick look, e.g. 0.25")
    parser.add_argument("--samples", type=float, default=1.0, help="factor on rays per pixel")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    options = parser.parse_args()
    set_num_threads(options.threads)
    options.out.mkdir(parents=True, exist_ok=True)
    for name in options.names or SCENES:
        if name not in SCENES:
            parser.error(f"no scene called {name}; there are {', '.join(SCENES)}")
        start = time.monotonic()
        SCENES[name](options)
        print(f"{name}: {time.monotonic() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
