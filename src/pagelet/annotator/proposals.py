"""What is proposed to an annotator: what methods say, and what was marked on another page."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pagelet.annotator.marks import MAX_ELEMENTS, SPREAD, SUGGESTION, Mark
from pagelet.annotator.spread import LOST, Mapped, carry
from pagelet.arrays import Mask
from pagelet.context import Context, find_method
from pagelet.methods.registry import DEFAULT, Method
from pagelet.methods.segments.geometry.partition import whole_rows
from pagelet.page.layout import Rendering
from pagelet.page.table import Page
from pagelet.page.tags import TEXT
from pagelet.pagelets import Pagelets

MOST = 500  #: suggestions of one method


@dataclass(frozen=True, slots=True)
class Missed:
    """A mark that has no place on another page."""

    kind: str
    paths: tuple[str, ...]


def suggestions(
    page: Page, method: str, site: Sequence[Page] = (), rendering: Rendering | None = None
) -> list[Mark]:
    """The result of a method as marks that nobody accepted yet."""
    row = find_method(method)
    context = Context(page, site, rendering=rendering)
    result = context.run(row, row.profile(DEFAULT).options)
    marks: list[Mark] = []
    for kind, rows in _regions(page, row, result)[:MOST]:
        elements = _elements(page, rows)
        if elements:
            paths = tuple(map(page.path, elements))
            marks.append(Mark(kind, paths, f"{SUGGESTION}{method}"))
    return marks


def _regions(page: Page, method: Method, result: Pagelets) -> list[tuple[str, Sequence[int]]]:
    """The regions to mark: what the pagelets of a method hold for, in whole elements."""
    if method.holds_for in ("texts", "direct texts"):
        direct = method.holds_for == "direct texts"
        whole = _whole(page, _is_content(page, result, direct=direct))
        return [each for each in whole if each[0] in method.kinds]
    if method.holds_for == "boxes":
        return [(method.kinds[0], rows) for rows in _apart(result.page, page, result)]
    return [(item.kind, item.rows) for item in result]


def _is_content(page: Page, result: Pagelets, *, direct: bool) -> Mask:
    """Mark the texts that a method takes for content: all in a pagelet, or its direct texts."""
    rows = [row for item in result if item.kind == "content" for row in item.rows]
    if not direct:
        return page.inside(np.array(rows, np.int32))
    content = np.zeros(len(page) + 1, np.bool_)  # the last place stands for no parent
    content[rows] = True
    return np.asarray(content[page.parent])


def _whole(page: Page, content: Mask) -> list[tuple[str, Sequence[int]]]:
    """The largest elements whose texts are all content, or all noise."""
    texts = np.flatnonzero((page.tag == TEXT) & page.counted)
    said = content[texts].astype(np.intp)
    whole = whole_rows(page, texts, said) & page.counted & page.element
    tops = np.flatnonzero(whole & ~np.append(whole, False)[page.parent])
    first = said[np.searchsorted(texts, tops)]
    kinds = ("noise", "content")
    return [(kinds[kind], (row,)) for kind, row in zip(first.tolist(), tops.tolist(), strict=True)]


def _apart(drawn: Page, page: Page, found: Pagelets) -> list[list[int]]:
    """Segments as rows of the page, each row in the first segment that has it."""
    taken = np.zeros(len(page), np.bool_)
    apart = []
    for item in found:
        rows = _elements(page, [page.row(drawn.path(row)) for row in item.rows])
        if rows and not any(taken[row : page.end[row]].any() for row in rows):
            for row in rows:
                taken[row : page.end[row]] = True
            apart.append(rows)
    return apart


def _elements(page: Page, rows: Sequence[int]) -> list[int]:
    """The elements of some rows; for a text the one around it, if nothing else is in that."""
    lifted = (
        int(page.parent[row]) if page.tag[row] == TEXT and page.children[page.parent[row]] == 1
        else int(row)
        for row in rows
    )  # fmt: skip
    kept = sorted({row for row in lifted if page.counted[row] and page.tag[row] != TEXT})
    return kept[:MAX_ELEMENTS]


# -- spread -----------------------------------------------------------------------------------


def spread(mapped: Mapped, marks: Sequence[Mark]) -> tuple[list[Mark], list[Missed]]:
    """The marks of one page on another, and those that have no place there.

    A mark of several elements keeps those that were found, and is as sure as the least of them
    times the share of them. Of two marks that end at one place, the surer stays.
    """
    key, other = mapped.key.page, mapped.other.page
    carried: dict[tuple[str, tuple[str, ...]], Mark] = {}
    missed = []
    for mark in marks:
        found = carry(mapped, [key.row(path) for path in mark.paths])
        there = {each.row: each.sure for each in found if each.row != LOST}
        if not there:
            missed.append(Missed(mark.kind, mark.paths))
            continue
        sure = min(there.values()) * len(there) / len(mark.paths)
        paths = tuple(map(other.path, sorted(there)))
        known = carried.get((mark.kind, paths))
        if known is None or (known.sure or 0) < sure:
            carried[mark.kind, paths] = Mark(mark.kind, paths, SPREAD, sure=round(sure, 4))
    return list(carried.values()), missed
