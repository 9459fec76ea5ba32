"""Options of segmentation, and the options of each method that follow from them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypedDict

from pagelet.errors import OptionError
from pagelet.methods.registry import Options, option, with_defaults
from pagelet.models.trees import SHIPPED

if TYPE_CHECKING:
    from pagelet.methods.segments.bcs.options import BcsOptions
    from pagelet.methods.segments.vips import VipsOptions
    from pagelet.methods.segments.visual import VisualOptions

AUTO = "auto"  #: threshold that is found from the page


VISUAL, BCS, VIPS = "method visual", "method bcs", "method vips"


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentsOptions(Options):
    """Options of segmentation."""

    method: Literal["visual", "bcs", "vips"] = option(
        "visual", "segmentation method: our own, box clustering, or VIPS"
    )
    granularity: Literal["page", "blocks", "paragraphs", "fields"] = option(
        "blocks",
        "size of segments: columns and bands of the page, blocks of content, paragraphs, data"
        " fields",
        applies_to=VISUAL,
    )
    with_dom: bool = option(
        default=False, help="use the elements of the page too, not its looks alone",
        applies_to=VISUAL,
    )  # fmt: skip
    model: str = option(
        SHIPPED,
        "model of cuts, or of divisions with the elements: shipped, or an npz file",
        file=True,
        applies_to=VISUAL,
    )
    threshold: str = option(
        AUTO,
        "differences allowed inside a segment, from 0 (few) to 1 (many), or auto",
        applies_to=f"{VISUAL} or bcs",
    )
    segments: int = option(0, "wanted number of segments; 0 leaves it open", 0)
    pdoc: int = option(5, "minimum degree of coherence of a segment", 1, 11, applies_to=VIPS)
    block_width: int = option(
        350, "width of the smallest block that is not small, in pixels", 1, applies_to=VIPS
    )
    block_height: int = option(
        400, "height of the smallest block that is not small, in pixels", 1, applies_to=VIPS
    )
    divisions: int = option(
        20, "how often areas are divided again, at most", 1, 1000, applies_to=VIPS
    )
    capped: bool = option(
        default=True, help="separators thicker than 55 pixels weigh the same", applies_to=VIPS
    )
    tree: bool = option(
        default=False, help="add the tree of areas and separators to JSON", applies_to=VIPS
    )
    max_loose: float = option(
        0.0, "largest share of boxes outside all segments, for threshold auto", 0, 1,
        applies_to=BCS,
    )  # fmt: skip
    distance_weight: float = option(
        1.0, "weight of the gap between two boxes", 0, 100, applies_to=BCS
    )
    shape_weight: float = option(1.0, "weight of the shapes of two boxes", 0, 100, applies_to=BCS)
    colour_weight: float = option(1.0, "weight of the colours of two boxes", 0, 100, applies_to=BCS)
    style_weight: float = option(
        0.0, "weight of fonts and backgrounds, which the paper does not compare", 0, 100,
        applies_to=BCS,
    )  # fmt: skip
    colours: Literal["rgb", "lab", "lch"] = option(
        "rgb", "colour space in which colours are compared", applies_to=BCS
    )
    far: Literal["mean", "literal", "equidistant"] = option(
        "mean", "how the widest gap around two boxes counts", applies_to=BCS
    )
    aligned: bool = option(
        default=False, help="count boxes in line with many others as more similar", applies_to=BCS
    )
    rounds: int = option(
        1, "how often a segment may absorb boxes that it overlaps", 0, 8, applies_to=BCS
    )
    absorb: bool = option(
        default=False, help="let a segment absorb segments that it overlaps", applies_to=BCS
    )
    forget: bool = option(
        default=False, help="never look again at a pair that was discarded", applies_to=BCS
    )
    stop_early: bool = option(
        default=False, help="stop when fewer than two boxes are left", applies_to=BCS
    )
    explain: bool = option(default=False, help="list the reasons behind the result", local=True)

    def __post_init__(self) -> None:
        Options.__post_init__(self)
        if self.threshold != AUTO and not _is_share(self.threshold):
            raise OptionError(
                "threshold", self.threshold, "must be auto or a number between 0 and 1"
            )
        if not self.distance_weight + self.shape_weight + self.colour_weight:
            raise OptionError("distance_weight", 0, "one of the three weights must be above 0")

    @property
    def stop(self) -> Literal["threshold", "auto", "count"]:
        """The rule that ends the joining of boxes."""
        if self.segments:
            return "count"
        return "auto" if self.threshold == AUTO else "threshold"

    @property
    def visual(self) -> "VisualOptions":
        """Options of our own method."""
        from pagelet.methods.segments.visual import VisualOptions  # noqa: PLC0415 - imported on use

        return VisualOptions(
            granularity=self.granularity,
            with_dom=self.with_dom,
            threshold=None if self.threshold == AUTO else float(self.threshold),
            segments=self.segments,
        )

    @property
    def vips(self) -> "VipsOptions":
        """Options of VIPS."""
        from pagelet.methods.segments.vips import VipsOptions  # noqa: PLC0415 - as above

        return VipsOptions(
            pdoc=self.pdoc,
            width=self.block_width,
            height=self.block_height,
            rounds=self.divisions,
            capped=self.capped,
        )

    @property
    def bcs(self) -> "BcsOptions":
        """Options of box clustering."""
        from pagelet.methods.segments.bcs.options import BcsOptions  # noqa: PLC0415 - as above

        same = ("max_loose", "distance_weight", "shape_weight", "colour_weight",
                "style_weight", "colours", "far",
                "aligned", "rounds", "absorb", "forget", "stop_early")  # fmt: skip
        return BcsOptions(
            stop=self.stop,
            threshold=0.5 if self.threshold == AUTO else float(self.threshold),
            segments=self.segments or BcsOptions().segments,
            **{name: getattr(self, name) for name in same},
        )


def _is_share(text: str) -> bool:
    """Whether a text is a number between 0 and 1."""
    try:
        return 0 <= float(text) <= 1
    except ValueError:
        return False


class SegmentsChanges(TypedDict, total=False):
    """Options of segmentation as keywords."""

    method: Literal["visual", "bcs", "vips"]
    granularity: Literal["page", "blocks", "paragraphs", "fields"]
    with_dom: bool
    model: str
    threshold: str
    segments: int
    pdoc: int
    block_width: int
    block_height: int
    divisions: int
    capped: bool
    tree: bool
    max_loose: float
    distance_weight: float
    shape_weight: float
    colour_weight: float
    style_weight: float
    colours: Literal["rgb", "lab", "lch"]
    far: Literal["mean", "literal", "equidistant"]
    aligned: bool
    rounds: int
    absorb: bool
    forget: bool
    stop_early: bool
    explain: bool


PaperSegmentsOptions = with_defaults(
    "PaperSegmentsOptions", SegmentsOptions, "paper", method="bcs", threshold="0.5", far="literal"
)
#: values of the authors' last program
ReferenceSegmentsOptions = with_defaults(
    "ReferenceSegmentsOptions",
    SegmentsOptions,
    "2016",
    method="bcs",
    threshold="0.3",
    distance_weight=0.2,
    shape_weight=0.3,
    colour_weight=0.5,
    aligned=True,
    forget=True,
)
