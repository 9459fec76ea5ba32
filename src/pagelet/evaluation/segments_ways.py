"""Every way to segment a page that an evaluation asks, with the values of its parameter."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from time import thread_time
from typing import Any, Literal

from pagelet.columns.segments import Segments
from pagelet.evaluation.segments_baselines import (
    MOST,
    each_box,
    split_tree,
    three_bands,
    whole_page,
)
from pagelet.evaluation.segments_pages import Example
from pagelet.methods.segments_bcs import (
    PAPER,
    REFERENCE_2016,
    BcsOptions,
    choose,
    cluster_boxes,
)
from pagelet.methods.segments_options import SegmentsOptions
from pagelet.methods.segments_vips import VipsTree, cut_tree, vips_tree
from pagelet.methods.segments_ways import WAYS

THRESHOLDS = tuple(step / 10 for step in range(1, 11))  #: of BCS, as in the paper
DEGREES = tuple(range(1, 11))  #: of coherence, of VIPS, as in the paper
BCS, VIPS, OURS = "BCS paper", "VIPS", "default"

Granularity = Literal["blocks", "paragraphs", "fields"]
GRANULARITIES: tuple[Granularity, ...] = ("blocks", "paragraphs", "fields")


@dataclass(frozen=True, slots=True)
class Way:
    """A way to segment pages: what is done once a page, then the answer for each value."""

    name: str
    begin: Callable[[Example], Any]
    end: Callable[[Any, Any], Segments] = lambda begun, _: begun
    values: tuple[float, ...] = (0.0,)
    parameter: str = ""  #: what the values are of; empty for a way without a parameter

    def answers(self, example: Example) -> Iterator[tuple[Segments, float]]:
        """The answer for each value, and the milliseconds it takes by itself."""
        begun, once = timed(partial(self.begin, example))
        for value in self.values:
            found, more = timed(partial(self.end, begun, value))
            yield found, once + more


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """What a piece of work gives, and its milliseconds, whatever else the machine does."""
    began = thread_time()
    done = work()
    return done, (thread_time() - began) * 1000


def every_way() -> list[Way]:
    """All rows of the tables, trivial ones first."""
    return [*trivial_ways(), *thoughtful_ways()]


def thoughtful_ways() -> list[Way]:
    """The methods of the papers, then ours."""
    return [
        *bcs_ways(BCS, PAPER),
        *bcs_ways("BCS 2016", REFERENCE_2016),
        Way(VIPS, _areas, _cut, DEGREES, "PDoC"),
        *(_ours(size, with_dom=dom) for dom, size in product((False, True), GRANULARITIES)),
    ]


def trivial_ways() -> list[Way]:
    """Ways that take no thought; the last two look at the tree alone."""
    return [
        Way("whole page", lambda of: whole_page(of.boxes)),
        Way("each box", lambda of: each_box(of.boxes)),
        Way("three bands", lambda of: three_bands(of.boxes)),
        Way("tree, first branching", lambda of: split_tree(of.page, of.layout, of.boxes)),
        Way("tree, what covers most", lambda of: split_tree(of.page, of.layout, of.boxes, MOST)),
    ]


def bcs_ways(name: str, options: BcsOptions) -> list[Way]:
    """Box clustering by every threshold, and by one it finds."""
    auto = replace(options, stop="auto")
    return [
        Way(
            name,
            lambda of: cluster_boxes(of.boxes, options),
            lambda joins, threshold: joins.at(threshold),
            THRESHOLDS,
            "CT",
        ),
        Way(f"{name}, auto", lambda of: choose(cluster_boxes(of.boxes, auto), auto)),
    ]


def _areas(of: Example) -> tuple[Example, VipsTree]:
    return of, vips_tree(of.page, of.layout)


def _cut(begun: tuple[Example, VipsTree], degree: float) -> Segments:
    of, tree = begun
    return cut_tree(tree, of.boxes, int(degree))


def _ours(granularity: Granularity, *, with_dom: bool) -> Way:
    """The default profile as it is shipped, which finds its threshold."""
    options = SegmentsOptions(granularity=granularity, with_dom=with_dom)
    more = "--with-dom" if with_dom else "" if granularity == "fields" else "shipped"
    return Way(
        name_of(granularity, more),
        lambda of: WAYS[options.method](of.page, of.layout, of.boxes, options).segments,
    )


def name_of(granularity: Granularity, more: str = "") -> str:
    """The name of a row of the default profile; blocks when no granularity is named."""
    return ", ".join(filter(None, (OURS, granularity.removeprefix("blocks"), more)))
