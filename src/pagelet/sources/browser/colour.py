"""CSS colours of computed styles as red, green, blue and opacity."""

import math
import re

import numpy as np

from pagelet.arrays import Bytes

FUNCTION = re.compile(r"([a-z]+)\(([^()]*)\)\Z")
COLOUR_SPACES = frozenset(
    "display-p3 a98-rgb prophoto-rgb rec2020 srgb srgb-linear xyz xyz-d50 xyz-d65".split()
)
OKLAB = ((1, 0.3963377774, 0.2158037573), (1, -0.1055613458, -0.0638541728),
         (1, -0.0894841775, -1.2914855480))  # fmt: skip
OKLAB_RGB = ((4.0767416621, -3.3077115913, 0.2309699292),
             (-1.2684380046, 2.6097574011, -0.3413193965),
             (-0.0041960863, -0.7034186147, 1.7076147010))  # fmt: skip
#: XYZ with white point D50 to linear sRGB
XYZ_RGB = ((3.1341359, -1.6173864, -0.4906619), (-0.9787955, 1.9162544, 0.0334427),
           (0.0719553, -0.2289768, 1.4053860))  # fmt: skip
WHITE = (0.9642956764, 1.0, 0.8251046025)  #: XYZ of D50, the white point of Lab

Triple = tuple[float, float, float]


def parse_colours(texts: list[str]) -> Bytes:
    """Red, green, blue and opacity of each text, from 0 to 255; all 0 where it is no colour."""
    return np.array([_parse(text) for text in texts], np.uint8).reshape(-1, 4)


def _parse(text: str) -> tuple[int, ...]:
    match = FUNCTION.match(text.strip().lower())
    if match is None:
        return (0, 0, 0, 0)
    name, (channels, _, opacity) = match[1], match[2].replace(",", " ").partition("/")
    words = channels.split()
    space = words.pop(0) if words and words[0] in COLOUR_SPACES else name
    numbers = [_number(word) for word in words]
    if len(numbers) < 3:
        return (0, 0, 0, 0)
    if opacity:
        numbers[3:] = [_number(opacity)]
    red, green, blue = _to_srgb(space, (numbers[0], numbers[1], numbers[2]))
    alpha = numbers[3] if len(numbers) > 3 else 1.0
    return tuple(round(255 * min(max(part, 0.0), 1.0)) for part in (red, green, blue, alpha))


def _number(word: str) -> float:
    """A number, a percentage, or `none`, which counts as 0."""
    try:
        number = float(word.rstrip("%").removesuffix("deg"))
    except ValueError:
        return 0.0
    number = number / 100 if word.endswith("%") else number
    return number if math.isfinite(number) else 0.0


def _to_srgb(space: str, parts: Triple) -> Triple:
    """Red, green and blue from 0 to 1; wide-gamut spaces are taken as sRGB."""
    if space in ("rgb", "rgba"):
        return parts[0] / 255, parts[1] / 255, parts[2] / 255
    if space in ("lch", "oklch"):
        turn = math.radians(parts[2])
        parts = parts[0], parts[1] * math.cos(turn), parts[1] * math.sin(turn)
        space = space.replace("lch", "lab")
    if space == "oklab":
        long, medium, short = _multiply(OKLAB, parts)
        return _gamma(_multiply(OKLAB_RGB, (long**3, medium**3, short**3)))
    if space == "lab":
        return _gamma(_multiply(XYZ_RGB, _lab_to_xyz(parts)))
    return _gamma(parts) if space == "srgb-linear" else parts


def _lab_to_xyz(lab: Triple) -> Triple:
    middle = (lab[0] + 16) / 116
    x, y, z = (
        _lab_inverse(part) for part in (middle + lab[1] / 500, middle, middle - lab[2] / 200)
    )
    return x * WHITE[0], y * WHITE[1], z * WHITE[2]


def _lab_inverse(part: float) -> float:
    return part**3 if part > 6 / 29 else 3 * (6 / 29) ** 2 * (part - 4 / 29)


def _multiply(matrix: tuple[Triple, ...], parts: Triple) -> Triple:
    x, y, z = (sum(one * other for one, other in zip(row, parts, strict=True)) for row in matrix)
    return x, y, z


def _gamma(linear: Triple) -> Triple:
    red, green, blue = (
        12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055 for part in linear
    )
    return red, green, blue
