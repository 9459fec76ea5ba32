"""Marks that methods propose to an annotator: regions, roles of link groups and blocks, fields."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from pagelet.annotator.kinds import BLOCK, FIELD, FIELD_NAME, LINKS, SEPARATOR
from pagelet.annotator.marks import MAX_ELEMENTS, SUGGESTION, Mark
from pagelet.arrays import Mask
from pagelet.context import Context, find_method
from pagelet.errors import OptionError
from pagelet.methods import METHODS
from pagelet.methods.records.table import RecordTable
from pagelet.methods.registry import DEFAULT, Method, run
from pagelet.methods.segments.geometry.partition import whole_rows
from pagelet.page.table import Page
from pagelet.page.tags import TEXT
from pagelet.pagelets import Pagelets
from pagelet.wording import must_be_one_of

MAX_SUGGESTIONS = 500  #: marks that one method proposes
MODEL = "a model of the project"  #: stands for the file of a model that is in memory
#: Groups of kinds with roles, by the kind of the pagelets that have them.
ROLE_GROUPS = {"links": LINKS, "content": BLOCK, "dropped": BLOCK}
#: Suggestions of parts of an answer: the roles of its pagelets, or the fields of its records.
PARTS = ("links:roles", "content:roles", "records:fields")

Regions = list[tuple[str, Sequence[int]]]  #: kinds and rows of regions to mark


def list_suggestions() -> list[str]:
    """What can be suggested: methods by name, and parts of their answers as METHOD:PART."""
    return [*(name for name, method in METHODS.items() if method.kinds), *PARTS]


def split_suggestion(suggestion: str) -> tuple[Method, str]:
    """The method of a suggestion, and the part of its answer; OptionError for any other."""
    if suggestion not in list_suggestions():
        raise OptionError("method", suggestion[:80], must_be_one_of(list_suggestions()))
    name, _, part = suggestion.partition(SEPARATOR)
    return find_method(name), part


def suggest_marks(context: Context, suggestion: str, model: bytes = b"") -> list[Mark]:
    """What a method finds on a page as proposed marks; a model replaces the shipped one."""
    method, part = split_suggestion(suggestion)
    changes = {"explain": True} if part == "roles" else {}
    request = context.request(method, method.with_options(DEFAULT, changes))
    if model:
        request = replace(
            request,
            options=method.with_options(DEFAULT, {**changes, "model": MODEL}),
            evidence=replace(request.evidence, files={MODEL: model}),
        )
    marks: list[Mark] = []
    for kind, rows in FINDERS[part](context.page, method, run(request))[:MAX_SUGGESTIONS]:
        elements = _elements(context.page, rows)
        if elements:
            paths = tuple(map(context.page.path, elements))
            marks.append(Mark(kind, paths, f"{SUGGESTION}{suggestion}"))
    return marks


def _regions(page: Page, method: Method, result: Pagelets) -> Regions:
    """Kinds and rows of the regions to mark."""
    if method.holds_for in ("texts", "direct texts"):
        direct = method.holds_for == "direct texts"
        regions = _uniform_regions(page, _is_content(page, result, direct=direct))
        return [(kind, rows) for kind, rows in regions if kind in method.kinds]
    if method.holds_for == "boxes":
        return [(method.kinds[0], rows) for rows in _disjoint_segments(page, result)]
    return [(item.kind, item.rows) for item in result if item.kind in method.kinds]


def _role_regions(_page: Page, _method: Method, result: Pagelets) -> Regions:
    """Kinds and rows of link groups or blocks by their roles."""
    return [
        (f"{ROLE_GROUPS[item.kind]}{SEPARATOR}{item.role}", item.rows)
        for item in result
        if item.kind in ROLE_GROUPS and item.role
    ]


def _field_regions(page: Page, method: Method, result: Pagelets) -> Regions:
    """The records of a page, and their fields by the names of their columns."""
    regions = _regions(page, method, result)
    if not isinstance(result.source, RecordTable):
        return regions
    own = {number for number, at in enumerate(result.source.page_of) if at == 0}
    for column in result.source.columns:
        name = re.sub(r"[^a-z0-9_]+", "_", column.name.lower()).strip("_")[:30]
        if FIELD_NAME.fullmatch(name):
            rows = [each.row for number in own for each in column.fields.get(number, ())]
            regions += [(f"{FIELD}{SEPARATOR}{name}", (row,)) for row in rows]
    return regions


#: What finds the regions of each part of an answer; the empty part is the whole.
FINDERS: dict[str, Callable[[Page, Method, Pagelets], Regions]] = {
    "": _regions,
    "roles": _role_regions,
    "fields": _field_regions,
}


def _is_content(page: Page, result: Pagelets, *, direct: bool) -> Mask:
    """Mask of the texts that are content: all texts in a pagelet, or its direct texts."""
    rows = [row for item in result if item.kind == "content" for row in item.rows]
    if not direct:
        return page.inside(np.array(rows, np.int32))
    content = np.zeros(len(page) + 1, np.bool_)  # the last entry stands for no parent
    content[rows] = True
    return np.asarray(content[page.parent])


def _uniform_regions(page: Page, content: Mask) -> Regions:
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
