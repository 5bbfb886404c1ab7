"""From scene light to 8-bit sRGB: glow, exposure, film curve and grain."""

import numpy as np
from PIL import Image


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
