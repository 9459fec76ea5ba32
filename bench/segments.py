"""The cost of segmentation without drawing: 500 and 5,000 boxes on pages of several shapes."""

from collections.abc import Callable, Sequence
from functools import partial
from math import log

from tests import layouts
from tests.drawn import placed

from bench.clock import ROUNDS
from pagelet import parse
from pagelet.lab.segments.gold import DrawnExample
from pagelet.lab.segments.segmenters import BCS, VIPS, Segmenter, method_segmenters, timed
from pagelet.methods.segments.geometry.boxes import boxes_of_page
from pagelet.methods.segments.geometry.partition import Segments
from pagelet.page.layout import Boxes

SHAPES = {"grid": layouts.grid, "columns": layouts.columns, "scattered": layouts.scattered}
SIZES = (500, 5000)
ELEMENT_LINES = 20  #: lines of text in one element
BOX_FINDING = "finding the boxes"


def example(shape: Callable[[int], Boxes], boxes: int) -> DrawnExample:
    """A page of so many lines of text where a layout has its boxes."""
    lines = "".join(f"<p>line {at}</p>" for at in range(ELEMENT_LINES))
    page = parse(f"<body>{f'<div>{lines}</div>' * (boxes // ELEMENT_LINES)}</body>")
    texts = (~page.element).nonzero()[0].tolist()
    drawn = placed(page, dict(zip(texts, shape(len(texts)).edges.tolist(), strict=True)))
    placed_boxes = boxes_of_page(drawn.page, drawn.layout)
    return DrawnExample("", "", drawn.page, drawn.layout, placed_boxes, {}, 0.0)


def once(segmenter: Segmenter, page: DrawnExample) -> Segments:
    """The segments for one value, from the boxes on."""
    value = segmenter.values[len(segmenter.values) // 2]
    return segmenter.segment(segmenter.prepare(page), value)


def times(pages: Sequence[DrawnExample]) -> dict[str, list[float]]:
    """Milliseconds of processor time of each segmenter for each page, the best of the rounds."""
    tools: dict[str, Callable[[DrawnExample], object]] = {
        BOX_FINDING: lambda page: boxes_of_page(page.page, page.layout)
    }
    tools |= {each.name: partial(once, each) for each in method_segmenters()}
    return {
        name: [min(timed(partial(tool, page))[1] for _ in range(ROUNDS)) for page in pages]
        for name, tool in tools.items()
    }


def run(_: int) -> None:
    even = SIZES[1] * log(SIZES[1]) / SIZES[0] / log(SIZES[0])
    print("\nSegmentation without drawing; growth: time of ten times the boxes over time of the")
    print(f"boxes, {even:.1f} where time grows as n log n")
    for name, shape in SHAPES.items():
        pages = [example(shape, size) for size in SIZES]
        counts = [f"{len(page.boxes):,} boxes" for page in pages]
        print(f"\n  {name:<34}{counts[0]:>14}{counts[1]:>16}{'growth':>9}")
        by_name = times(pages)
        for segmenter, (small, large) in by_name.items():
            print(f"  {segmenter:<34}{small:11.1f} ms{large:13.1f} ms{large / small:9.1f}")
        ratios = [slow / fast for slow, fast in zip(by_name[VIPS], by_name[BCS], strict=True)]
        print(f"  {f'{VIPS} over {BCS}':<34}{ratios[0]:14.2f}{ratios[1]:16.2f}")
