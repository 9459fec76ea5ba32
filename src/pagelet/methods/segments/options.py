"""What may be asked of a segmentation, and what that means for each way to segment."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pagelet.errors import OptionError
from pagelet.methods.registry import option

if TYPE_CHECKING:
    from pagelet.methods.segments.bcs.options import BcsOptions
    from pagelet.methods.segments.visual import VisualOptions

AUTO = "auto"  #: the threshold is found by itself


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentsOptions:
    """Options of segmentation; those marked (visual), (bcs) or (vips) act in that method only."""

    method: Literal["visual", "bcs", "vips"] = option(
        "visual", "how to segment: our own way, box clustering, or VIPS"
    )
    granularity: Literal["blocks", "paragraphs", "fields"] = option(
        "blocks", "how large segments are: blocks of content, paragraphs, data fields (visual)"
    )
    with_dom: bool = option(
        default=False, help="look at the elements too, not at what is seen alone (visual)"
    )
    threshold: str = option(
        AUTO, "0 few, 1 many differences inside a segment; auto finds it by itself (visual, bcs)"
    )
    segments: int = option(0, "how many segments are wanted; 0 when it is left open", 0)
    pdoc: int = option(5, "how coherent segments have to be, at least (vips)", 1, 11)
    max_loose: float = option(
        0.0, "most boxes that may lie in no segment, as a share; for auto (bcs)", 0, 1
    )
    distance_weight: float = option(1.0, "weight of the gap between two boxes (bcs)", 0, 100)
    shape_weight: float = option(1.0, "weight of the shapes of two boxes (bcs)", 0, 100)
    colour_weight: float = option(1.0, "weight of the colours of two boxes (bcs)", 0, 100)
    colours: Literal["rgb", "lab", "lch"] = option("rgb", "how colours are compared (bcs)")
    far: Literal["mean", "literal", "equidistant"] = option(
        "mean", "what the widest gap around two boxes means for them (bcs)"
    )
    aligned: bool = option(
        default=False, help="boxes in line with many others are more alike (bcs)"
    )
    rounds: int = option(1, "how often a segment may take in boxes that it overlaps (bcs)", 0, 8)
    absorb: bool = option(default=False, help="a segment takes in segments that it overlaps (bcs)")
    forget: bool = option(
        default=False, help="what was discarded once is never looked at again (bcs)"
    )
    stop_early: bool = option(default=False, help="stop when fewer than two boxes are left (bcs)")

    def __post_init__(self) -> None:
        if self.threshold != AUTO and not _is_share(self.threshold):
            raise OptionError("threshold", self.threshold, "auto, or a number between 0 and 1")
        if not self.distance_weight + self.shape_weight + self.colour_weight:
            raise OptionError("distance_weight", 0, "one of the three weights must be above 0")

    @property
    def stop(self) -> Literal["threshold", "auto", "count"]:
        """What says how large segments become."""
        if self.segments:
            return "count"
        return "auto" if self.threshold == AUTO else "threshold"

    @property
    def visual(self) -> "VisualOptions":
        """What is asked of our own way."""
        from pagelet.methods.segments.visual import VisualOptions  # noqa: PLC0415 - when asked for

        return VisualOptions(
            granularity=self.granularity,
            with_dom=self.with_dom,
            threshold=None if self.threshold == AUTO else float(self.threshold),
            segments=self.segments,
        )

    @property
    def bcs(self) -> "BcsOptions":
        """What is asked of box clustering."""
        from pagelet.methods.segments.bcs.options import BcsOptions  # noqa: PLC0415 - when asked for

        same = ("max_loose", "distance_weight", "shape_weight", "colour_weight", "colours", "far",
                "aligned", "rounds", "absorb", "forget", "stop_early")  # fmt: skip
        return BcsOptions(
            stop=self.stop,
            threshold=0.5 if self.threshold == AUTO else float(self.threshold),
            segments=self.segments or BcsOptions().segments,
            **{name: getattr(self, name) for name in same},
        )


def _is_share(said: str) -> bool:
    """Whether a text is a number between 0 and 1."""
    try:
        return 0 <= float(said) <= 1
    except ValueError:
        return False


PAPER = SegmentsOptions(method="bcs", threshold="0.5")
REFERENCE_2016 = SegmentsOptions(
    method="bcs",
    threshold="0.3",
    distance_weight=0.2,
    shape_weight=0.3,
    colour_weight=0.5,
    aligned=True,
    forget=True,
)
