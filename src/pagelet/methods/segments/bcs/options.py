"""Options of box clustering."""

from dataclasses import dataclass
from typing import Literal

from pagelet.methods.registry import option


@dataclass(frozen=True, slots=True, kw_only=True)
class BcsOptions:
    """Options of box clustering; the defaults are the paper's but for `far`."""

    stop: Literal["threshold", "auto", "count"] = option(
        "threshold", "when to stop: at a given threshold, at an automatic one, or at a count"
    )
    threshold: float = option(0.5, "dissimilarity that two parts of a segment may have", 0, 1)
    segments: int = option(8, "wanted number of segments (stop at a count)", 1)
    max_loose: float = option(
        0.0, "share of boxes that may lie in no segment (automatic threshold)", 0, 1
    )
    distance_weight: float = option(1.0, "weight of the gap between two boxes", 0)
    shape_weight: float = option(1.0, "weight of the difference in shape", 0)
    colour_weight: float = option(1.0, "weight of the difference in colour", 0)
    style_weight: float = option(
        0.0, "weight of the difference in fonts and backgrounds, where these are known", 0
    )
    colours: Literal["rgb", "lab", "lch"] = option("rgb", "colour space of the comparison")
    far: Literal["mean", "literal", "equidistant"] = option(
        "mean", "meaning of the widest gap next to a box"
    )
    aligned: bool = option(default=False, help="boxes aligned with many others are more similar")
    rounds: int = option(1, "rounds in which a segment takes in boxes that it overlaps", 0, 8)
    absorb: bool = option(default=False, help="a segment takes in segments that it overlaps")
    forget: bool = option(default=False, help="a discarded candidate is never tried again")
    stop_early: bool = option(default=False, help="stop when fewer than two boxes are left")


MEAN = BcsOptions()  #: a distance of 1 counts like any other, as in the authors' last program
PAPER = BcsOptions(far="literal")  #: equation 4 as printed: a distance of 1 is no similarity
REFERENCE_2016 = BcsOptions(
    threshold=0.3,
    distance_weight=0.2,
    shape_weight=0.3,
    colour_weight=0.5,
    aligned=True,
    forget=True,
)  #: weights, alignment and threshold of the authors' last program, without its faults
