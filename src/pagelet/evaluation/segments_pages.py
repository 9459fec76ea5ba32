"""Drawn pages with people's blocks: what every way to segment them is asked about."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from time import thread_time

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.boxes import Boxes
from pagelet.columns.layout import Layout
from pagelet.columns.page import Page
from pagelet.evaluation.segments_cache import Kept
from pagelet.measures.page_boxes import boxes_of_page
from pagelet.scores.segments_gold import SUB, TOP, BlocksPage, blocks_of_boxes, take_marks

LEVELS = (TOP, SUB)

Draw = Callable[[BlocksPage], tuple[Page, Layout]]
Each = Callable[[str, int, int], None]


@dataclass(frozen=True, eq=False)
class Example:
    """A drawn page, its boxes, and the block each box lies in, by level."""

    name: str
    site: str
    page: Page
    layout: Layout
    boxes: Boxes
    gold: dict[str, NDArray[np.intp]]  #: a number from 0 on for each box; -1 for none
    ms: float  #: milliseconds it took to find the boxes

    def marked(self, level: str) -> int:
        """How many boxes lie in a block of a level."""
        return int((self.gold[level] >= 0).sum())


def example_of(given: BlocksPage, page: Page, layout: Layout) -> Example:
    """A drawn page with our marks in it as an example."""
    page, blocks = take_marks(page)
    began = thread_time()
    boxes = boxes_of_page(page, layout)
    ms = (thread_time() - began) * 1000
    gold = {level: blocks_of_boxes(rows, boxes) for level, rows in blocks.items()}
    return Example(given.name, given.site, page, layout, boxes, gold, ms)


def examples_of(
    pages: Sequence[BlocksPage], draw: Draw, kept: Kept | None, each: Each
) -> Iterator[Example]:
    """Every page as an example; what was drawn before is not drawn again."""
    for at, given in enumerate(pages):
        each("drawing", at, len(pages))
        known = kept.get(given) if kept else None
        page, layout = known or draw(given)
        if kept and not known:
            kept.put(given, page, layout)
        yield example_of(given, page, layout)
    each("drawing", len(pages), len(pages))
