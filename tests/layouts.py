"""Boxes of pages nobody drew: strategies, and layouts of any size."""

import numpy as np
from hypothesis import strategies as st

from pagelet.page.layout import Boxes, boxes_of


@st.composite
def layouts(draw, most: int = 12, reach: int = 12) -> Boxes:
    """A few boxes on a small board: many equal edges, gaps and colours, and overlaps."""
    edge = st.integers(0, reach)
    size = st.integers(1, max(1, reach // 3))
    lines = draw(st.lists(st.tuples(edge, edge, size, size), max_size=most))
    edges = [(x, y, x + width, y + height) for x, y, width, height in lines]
    shades = st.sampled_from(((0, 0, 0), (255, 255, 255), (200, 30, 30)))
    colour = [draw(shades) for _ in edges]
    return boxes_of(edges, np.array(colour, np.uint8).reshape(-1, 3))


def grid(boxes: int) -> Boxes:
    """As many boxes a row as there are rows, all alike."""
    across = max(1, int(np.sqrt(boxes)))
    at = np.arange(boxes)
    x, y = at % across * 100, at // across * 30
    return boxes_of(np.stack((x, y, x + 80, y + 20), axis=1))


def columns(boxes: int) -> Boxes:
    """Four columns of lines with ragged ends, in paragraphs of seven."""
    random = np.random.default_rng(0)
    at = np.arange(boxes)
    x, y = at % 4 * 300, at // 4 * 20 + at // 28 * 12
    shades = random.choice([0, 40, 90], (boxes, 1)).repeat(3, axis=1)
    return boxes_of(np.stack((x, y, x + random.integers(60, 280, boxes), y + 16), axis=1), shades)


def scattered(boxes: int) -> Boxes:
    """Boxes anywhere, some over others."""
    random = np.random.default_rng(0)
    at = random.integers(0, (1200, 12 * boxes), (boxes, 2))
    size = random.integers(5, (60, 20), (boxes, 2))
    return boxes_of(np.hstack((at, at + size)), random.integers(0, 255, (boxes, 3)))


def staircase(boxes: int) -> Boxes:
    """Two rows of boxes, each box over all others of its row."""
    at = np.arange(boxes)
    x, y = at // 2, at % 2 * 50
    return boxes_of(np.stack((x, y, x + boxes, y + 20), axis=1))


def sheets(boxes: int) -> Boxes:
    """Boxes as large as the page, each a little further down and right."""
    at = np.arange(boxes)
    return boxes_of(np.stack((at, at, at + boxes, at + boxes), axis=1))


def heap(boxes: int) -> Boxes:
    """Large boxes anywhere on a small page, each over hundreds of others."""
    random = np.random.default_rng(0)
    at, size = random.integers(0, 1000, (boxes, 2)), random.integers(5, 300, (boxes, 2))
    return boxes_of(np.hstack((at, at + size)), random.integers(0, 255, (boxes, 3)))
