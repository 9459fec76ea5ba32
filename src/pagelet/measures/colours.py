"""How different two colours are, from 0 to 1, in three colour spaces."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Colours = NDArray[np.uint8]

WHITE = np.array([0.95047, 1.0, 1.08883])  #: daylight, 6500 kelvin
XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375],
     [0.2126729, 0.7151522, 0.0721750],
     [0.0193339, 0.1191920, 0.9503041]]
)  # fmt: skip
LAB_REACH = 258.6827  #: pure blue to pure green, the most that two screen colours differ
LCH_REACH = 149.6980  #: the most by `lch_distance`, pure blue to white


def rgb_distance(one: Colours, other: Colours) -> Floats:
    """Euclidean distance of red, green and blue (equation 15 of the BCS paper)."""
    return np.asarray(_length((one.astype(np.float64) - other) / 255) / np.sqrt(3))


def lab_distance(one: Colours, other: Colours) -> Floats:
    """Euclidean distance in the Lab space, CIE 1976."""
    return np.minimum(_length(lab(one) - lab(other)) / LAB_REACH, 1)


def lch_distance(one: Colours, other: Colours) -> Floats:
    """Distance of lightness, chroma and hue, CIE 1994, with the chroma of both colours."""
    first, second = lab(one), lab(other)
    chroma, other_chroma = _length(first[..., 1:]), _length(second[..., 1:])
    shift = (first - second) ** 2
    by_chroma = (chroma - other_chroma) ** 2
    by_hue = np.maximum(shift[..., 1] + shift[..., 2] - by_chroma, 0)
    mean = np.sqrt(chroma * other_chroma)
    by_chroma /= (1 + 0.045 * mean) ** 2
    by_hue /= (1 + 0.015 * mean) ** 2
    return np.minimum(np.sqrt(shift[..., 0] + by_chroma + by_hue) / LCH_REACH, 1)


def lab(colours: Colours) -> Floats:
    """Lightness, green to red, blue to yellow of screen colours."""
    share = colours / 255
    linear = np.where(share > 0.04045, ((share + 0.055) / 1.055) ** 2.4, share / 12.92)
    xyz = linear @ XYZ.T / WHITE
    root = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    x, y, z = root[..., 0], root[..., 1], root[..., 2]
    return np.stack((116 * y - 16, 500 * (x - y), 200 * (y - z)), axis=-1)


def _length(vectors: Floats) -> Floats:
    return np.asarray(np.sqrt((vectors * vectors).sum(axis=-1)))


DISTANCES: dict[str, Callable[[Colours, Colours], Floats]] = {
    "rgb": rgb_distance,
    "lab": lab_distance,
    "lch": lch_distance,
}
