"""Pages drawn by hand: one line for each text, from the top down."""

import numpy as np

from pagelet.page.layout import Layout, Rendering, empty_layout
from pagelet.page.table import Page
from pagelet.page.tags import TEXT

LINE, GAP, PARAGRAPH = 20, 4, 12  #: pixels


def drawn(page: Page, most: int = 300, *, uneven: bool = False) -> Rendering:
    """A page whose first texts have a line each; texts of other elements stand further apart.

    Uneven gaps differ by a pixel or two: lines that are equally far apart never join by equation 4
    of the BCS paper as it is printed.
    """
    texts = np.flatnonzero((page.tag == TEXT) & page.counted & (page.chars > 0))[:most]
    parted = np.diff(page.parent[texts], prepend=-2) != 0
    top = (np.cumsum(np.where(parted, LINE + PARAGRAPH, LINE + GAP)) - LINE).astype(float)
    top += np.cumsum(np.arange(len(texts)) % 3) if uneven else 0
    left = 10.0 * np.minimum(page.depth[texts], 20)
    edges = np.stack((left, top, left + np.clip(page.chars[texts] * 8, 8, 700), top + LINE), axis=1)
    return placed(page, dict(zip(texts.tolist(), edges.tolist(), strict=True)))


def placed(page: Page, lines: dict[int, tuple[float, float, float, float]]) -> Rendering:
    """A page with one line of text at each of some rows; elements lie around what they hold."""
    rows = np.array(sorted(lines), np.int32)
    edges = np.array([lines[row] for row in rows.tolist()], float).reshape(-1, 4)
    size = (max([800.0, *edges[:, 2]]), max([600.0, *edges[:, 3]]))
    columns = empty_layout(len(page), size, len(rows))
    first, last = np.searchsorted(rows, np.arange(len(page))), np.searchsorted(rows, page.end)
    some = last > first
    for at, name in enumerate(("left", "top", "right", "bottom")):
        best = np.minimum if at < 2 else np.maximum
        columns[f"line_{name}"] = edges[:, at]
        columns[name][some] = around(best, edges[:, at], first[some], last[some])
    columns |= {"drawn": some, "line_row": rows, "line_chars": page.chars[rows]}
    columns["paint"] = np.where(some, np.arange(len(page)), -1).astype(np.int32)
    return Rendering(page, Layout(**columns))


def around(best: np.ufunc, values: np.ndarray, first: np.ndarray, last: np.ndarray) -> np.ndarray:
    """The best of each slice of the values."""
    ends = np.stack((first, last), axis=1).ravel()
    return best.reduceat(np.append(values, values[-1:]), ends)[::2] if len(first) else values[:0]
