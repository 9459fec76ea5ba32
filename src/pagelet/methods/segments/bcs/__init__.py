"""Box Clustering Segmentation: Zeleny, Burget, Zendulka, IP&M 53(3), 2017.

Boxes of a rendered page that lie next to each other and look alike are joined, the most alike
first; clusters may not overlap. Nothing but the boxes is seen: no tags, no tree.
"""

from dataclasses import dataclass
from typing import Literal

from pagelet.methods.registry import option
from pagelet.methods.segments.bcs.joins import Joins, auto_segments, counted_segments
from pagelet.methods.segments.bcs.merge import Overlaps, join_all
from pagelet.methods.segments.bcs.similarity import Likeness, base_similarity
from pagelet.methods.segments.geometry.neighbours import relations
from pagelet.methods.segments.geometry.partition import Segments
from pagelet.page.boxes import Boxes


@dataclass(frozen=True, slots=True, kw_only=True)
class BcsOptions:
    """Options of box clustering; the values of the paper where it has some."""

    stop: Literal["threshold", "auto", "count"] = option(
        "threshold", "when to stop: at a threshold, at one found by itself, at a count"
    )
    threshold: float = option(0.5, "how unlike two parts of a segment may be", 0, 1)
    segments: int = option(8, "how many segments are wanted (stop at a count)", 1)
    max_loose: float = option(
        0.0, "most boxes that may lie in no segment, as a share (stop by itself)", 0, 1
    )
    distance_weight: float = option(1.0, "weight of the gap between two boxes", 0)
    shape_weight: float = option(1.0, "weight of their shapes", 0)
    colour_weight: float = option(1.0, "weight of their colours", 0)
    colours: Literal["rgb", "lab", "lch"] = option("rgb", "how colours are compared")
    far: Literal["mean", "literal", "equidistant"] = option(
        "mean", "what the widest gap around two boxes means for them"
    )
    aligned: bool = option(default=False, help="boxes in line with many others are more alike")
    rounds: int = option(1, "how often a segment may take in boxes that it overlaps", 0, 8)
    absorb: bool = option(default=False, help="a segment takes in segments that it overlaps")
    forget: bool = option(default=False, help="what was discarded once is never looked at again")
    stop_early: bool = option(default=False, help="stop when fewer than two boxes are left")

    @property
    def likeness(self) -> Likeness:
        """How boxes are compared."""
        return Likeness(
            distance=self.distance_weight,
            shape=self.shape_weight,
            colour=self.colour_weight,
            colours=self.colours,
            far=self.far,
            aligned=self.aligned,
        )

    @property
    def overlaps(self) -> Overlaps:
        """What happens where segments overlap."""
        return Overlaps(
            rounds=self.rounds,
            absorb=self.absorb,
            forget=self.forget,
            stop_early=self.stop_early,
        )


PAPER = BcsOptions()
REFERENCE_2016 = BcsOptions(
    threshold=0.3,
    distance_weight=0.2,
    shape_weight=0.3,
    colour_weight=0.5,
    aligned=True,
    forget=True,
)  #: weights, alignment and threshold of the authors' last program, without its slips


def cluster_boxes(boxes: Boxes, options: BcsOptions = PAPER) -> Joins:
    """All joins of the boxes; segments for any threshold follow from them at no cost."""
    pairs = relations(boxes)
    similarity = base_similarity(boxes, pairs, options.likeness)
    return join_all(boxes, pairs, similarity, options.overlaps)


def segment_bcs(boxes: Boxes, options: BcsOptions = PAPER) -> Segments:
    """Segments of a page from its boxes; boxes that are in none are its `loose` ones."""
    return choose(cluster_boxes(boxes, options), options)


def choose(joins: Joins, options: BcsOptions) -> Segments:
    """The segments that the options ask for."""
    if options.stop == "auto":
        return auto_segments(joins, options.max_loose)
    if options.stop == "count":
        return counted_segments(joins, options.segments)
    return joins.at(options.threshold)
