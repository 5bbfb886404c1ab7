#!/usr/bin/env python3
"""Renders the shutter sound, Web/App/shutter.wav.

A leaf shutter is heard as two ticks, open and closed, each a burst of noise that rings in
the camera's small parts, with the faint rattle of the springs between them.
Needs Python 3.11 with numpy.
"""

import argparse
import pathlib
import wave

import numpy as np

RATE = 44_100
LENGTH = 0.19


def noise_burst(rng, attack, decay, low, high):
    """Noise between two frequencies in hertz, with a rise and decay in seconds."""
    n = int(RATE * LENGTH)
    t = np.arange(n) / RATE
    spectrum = np.fft.rfft(rng.standard_normal(n))
    f = np.fft.rfftfreq(n, 1 / RATE)
    # Gentle slopes: a sharp band edge would ring.
    spectrum *= 1 / (1 + (low / np.maximum(f, 1)) ** 4) / (1 + (f / high) ** 4)
    burst = np.fft.irfft(spectrum, n)
    burst /= np.abs(burst).max()
    return burst * (1 - np.exp(-t / attack)) * np.exp(-t / decay)


def ring(frequencies, decays, levels):
    """Damped tones with frequencies in hertz and decays in seconds."""
    t = np.arange(int(RATE * LENGTH)) / RATE
    total = np.zeros_like(t)
    for f, d, level in zip(frequencies, decays, levels):
        total += level * np.sin(2 * np.pi * f * t) * np.exp(-t / d)
    return total * (1 - np.exp(-t / 0.0003))


def click(rng, pitch, level):
    """One mechanical tick: a bright snap, a ringing part and a soft thump of the body."""
    snap = noise_burst(rng, 0.0002, 0.0035, 1800, 9000)
    body = noise_burst(rng, 0.0006, 0.011, 500, 3200)
    tones = np.array([1180, 1930, 2870, 4310, 6120]) * pitch * rng.uniform(0.98, 1.02, 5)
    parts = ring(tones, [0.009, 0.007, 0.0055, 0.004, 0.003], [0.20, 0.24, 0.22, 0.14, 0.08])
    thump = ring([165 * pitch, 260 * pitch], [0.016, 0.012], [0.16, 0.10])
    return level * (0.75 * snap + 0.5 * body + parts + thump)


def placed(sound, start):
    """The sound shifted to start at `start` seconds."""
    shift = int(RATE * start)
    return np.concatenate([np.zeros(shift), sound[: len(sound) - shift]])


def shutter(seed):
    """The complete sound as numbers in [-1, 1]."""
    rng = np.random.default_rng(seed)
    sound = placed(click(rng, 1.0, 0.85), 0.004)
    # The blades bounce once when they hit their stop.
    sound += placed(click(rng, 1.24, 0.22), 0.0135)
    sound += placed(noise_burst(rng, 0.012, 0.020, 1500, 6000) * 0.07, 0.016)
    sound += placed(click(rng, 0.86, 1.0), 0.066)
    sound += placed(click(rng, 1.10, 0.26), 0.0745)
    sound += placed(noise_burst(rng, 0.004, 0.030, 900, 4000) * 0.09, 0.072)
    # Reverberation: a few early echoes, quieter and duller.
    dull = np.convolve(sound, np.hanning(19) / np.hanning(19).sum(), mode="same")
    for delay, level in ((0.0043, 0.16), (0.0091, 0.11), (0.0157, 0.07), (0.0239, 0.04)):
        sound = sound + placed(dull * level, delay)
    spectrum = np.fft.rfft(sound)
    f = np.fft.rfftfreq(len(sound), 1 / RATE)
    sound = np.fft.irfft(spectrum / (1 + (70 / np.maximum(f, 0.1)) ** 4), len(sound))
    # Soft clipping of loud parts, as in a small microphone.
    sound = np.tanh(1.5 * sound / np.abs(sound).max())
    fade = np.ones(len(sound))
    head, tail = int(0.002 * RATE), int(0.05 * RATE)
    fade[:head] = np.sin(np.linspace(0, np.pi / 2, head)) ** 2
    fade[-tail:] = np.cos(np.linspace(0, np.pi / 2, tail)) ** 2
    sound = sound * fade
    # Subtract the remaining mean under the fade, so that both ends stay at zero.
    sound -= fade * (sound.sum() / fade.sum())
    return sound * (10 ** (-2 / 20) / np.abs(sound).max())


def main():
    """Writes the sound as 16-bit mono."""
    root = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=pathlib.Path, default=root / "Web/App/shutter.wav")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    samples = np.round(shutter(options.seed) * 32767).astype("<i2")
    options.out.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(options.out), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples.tobytes())
    print(f"{options.out.name}: {len(samples) / RATE * 1000:.0f} ms, "
          f"{options.out.stat().st_size} bytes")


if __name__ == "__main__":
    main()
