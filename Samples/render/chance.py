"""Random numbers: the same seed gives the same picture."""

import math

import numpy as np
from numba import njit

SEED = 20240917


@njit(fastmath=True)
def hash3(x, y, z):
    """Returns a number in [0, 1) that depends only on three integers."""
    h = (x * 374761393 + y * 668265263 + z * 1440662683) & 0xFFFFFFFF
    h = ((h ^ (h >> 13)) * 1274126177) & 0xFFFFFFFF
    h = ((h ^ (h >> 15)) * 2246822519) & 0xFFFFFFFF
    return ((h ^ (h >> 16)) & 0xFFFFFFFF) / 4294967296.0


@njit
def random(state):
    """Steps the generator in `state[0]` and returns a number in [0, 1)."""
    s = (state[0] * 6364136223846793005 + 1442695040888963407) & 0x7FFFFFFFFFFFFFFF
    state[0] = s
    v = ((s >> 18) ^ (s >> 29)) & 0xFFFFFFFF
    return v / 4294967296.0


@njit(fastmath=True)
def gauss(state):
    """Returns a normally distributed number."""
    return math.sqrt(-2 * math.log(random(state) + 1e-9)) * math.cos(6.2831853 * random(state))


@njit
def row_state(seed):
    """A generator for one row of a picture, stepped past its first numbers.

    Each row has its own, so that the picture doesn't depend on the number of threads.
    """
    state = np.array([seed], np.int64)
    for _ in range(16):
        random(state)
    return state
