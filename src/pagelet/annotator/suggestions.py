"""Marks that methods propose to an annotator."""

from collections.abc import Sequence

import numpy as np

from pagelet.annotator.marks import MAX_ELEMENTS, SUGGESTION, Mark
from pagelet.arrays import Mask
from pagelet.context import Context, find_method
from pagelet.methods.registry import DEFAULT, Method
from pagelet.methods.segments.geometry.partition import whole_rows
from pagelet.page.layout import Rendering
from pagelet.page.table import Page
from pagelet.page.tags import TEXT
from pagelet.pagelets import Pagelets

MAX_SUGGESTIONS = 500  #: marks that one method proposes


def suggest_marks(
    page: Page, method: str, site: Sequence[Page] = (), rendering: Rendering | None = None
) -> list[Mark]:
    """The result of a method as proposed marks."""
    row = find_method(method)
    context = Context(page, site, rendering=rendering)
    result = context.run(row, row.profile(DEFAULT).options)
    marks: list[Mark] = []
    for kind, rows in _regions(page, row, result)[:MAX_SUGGESTIONS]:
        elements = _elements(page, rows)
        if elements:
            paths = tuple(map(page.path, elements))
            marks.append(Mark(kind, paths, f"{SUGGESTION}{method}"))
    return marks


def _regions(page: Page, method: Method, result: Pagelets) -> list[tuple[str, Sequence[int]]]:
    """Kinds and rows of the regions to mark."""
    if method.holds_for in ("texts", "direct texts"):
        direct = method.holds_for == "direct texts"
        regions = _uniform_regions(page, _is_content(page, result, direct=direct))
        return [(kind, rows) for kind, rows in regions if kind in method.kinds]
    if method.holds_for == "boxes":
        return [(method.kinds[0], rows) for rows in _disjoint_segments(page, result)]
    return [(item.kind, item.rows) for item in result]


def _is_content(page: Page, result: Pagelets, *, direct: bool) -> Mask:
    """Mask of the texts that are content: all texts in a pagelet, or its direct texts."""
    rows = [row for item in result if item.kind == "content" for row in item.rows]
    if not direct:
        return page.inside(np.array(rows, np.int32))
    content = np.zeros(len(page) + 1, np.bool_)  # the last entry stands for no parent
    content[rows] = True
    return np.asarray(content[page.parent])


def _uniform_regions(page: Page, content: Mask) -> list[tuple[str, Sequence[int]]]:
    """The largest elements whose texts are all content or all noise."""
    texts = np.flatnonzero((page.tag == TEXT) & page.counted)
    labels = content[texts].astype(np.intp)
    whole = whole_rows(page, texts, labels) & page.counted & page.element
    tops = np.flatnonzero(whole & ~np.append(whole, False)[page.parent])
    first = labels[np.searchsorted(texts, tops)]
    kinds = ("noise", "content")
    return [(kinds[kind], (row,)) for kind, row in zip(first.tolist(), tops.tolist(), strict=True)]


def _disjoint_segments(page: Page, result: Pagelets) -> list[list[int]]:
    """Segments as rows of the page, without those that overlap an earlier one."""
    taken = np.zeros(len(page), np.bool_)
    segments = []
    for item in result:
        rows = _elements(page, [page.row(result.page.path(row)) for row in item.rows])
        if rows and not any(taken[row : page.end[row]].any() for row in rows):
            for row in rows:
                taken[row : page.end[row]] = True
            segments.append(rows)
    return segments


def _elements(page: Page, rows: Sequence[int]) -> list[int]:
    """The elements among rows; a text that is an only child counts as its parent."""
    lifted = (
        int(page.parent[row]) if page.tag[row] == TEXT and page.children[page.parent[row]] == 1
        else int(row)
        for row in rows
    )  # fmt: skip
    kept = sorted({row for row in lifted if page.counted[row] and page.tag[row] != TEXT})
    return kept[:MAX_ELEMENTS]
