"""The records of a result page: what is content, record by record, fields by position."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.page import Page
from pagelet.columns.tree import nearest
from pagelet.measures.signatures import own_signs, path_signs
from pagelet.methods.noise_judge import Judged
from pagelet.pagelets import Pagelet
from pagelet.parse.render import page_of_rows
from pagelet.tags import BLOCK, NUMBER, TEXT, numbers

SEVERAL = 1.5  #: fields that the elements of a group hold on average if they are records
GOOD = 0.7  #: of the best group's score
MOST = 0.5  #: share of a position's elements that are content where all of them are fields


@dataclass(frozen=True, slots=True)
class Record:
    """One record: the element that holds it, and its texts."""

    page: Page
    row: int
    fields: dict[int, str]  #: texts by position; alike elements of all records share a position

    def to_dict(self) -> dict[str, Any]:
        """The JSON form: one object a record."""
        fields = {str(position): text for position, text in self.fields.items()}
        return {"path": self.page.path(self.row), "fields": fields}

    @property
    def text(self) -> str:
        """One line a field."""
        return "\n".join(self.fields.values())


def records_of(page: Page, items: Iterable[Pagelet], judged: Judged | None) -> list[Record]:
    """All content of a page as records; what stands in no record is one by itself.

    An element that was taken for noise is a field too where most other records have content at
    its position; and a record that is a line of a table has all its cells.
    """
    units = np.array([item.row for item in items if item.kind == "content"], np.intp)
    if not len(units):
        return []
    holder = _holders(page, units, judged)
    if judged is not None:
        units, holder = _filled(page, units, holder, judged.sheet.units)
    position = _positions(holder, _signs(page, units))
    records: dict[int, dict[int, str]] = {}
    texts = whole_texts(page, units)
    for row, own, at in zip(holder.tolist(), texts, position.tolist(), strict=True):
        records.setdefault(row, {})[at] = _joined(page, own)
    return [Record(page, row, dict(sorted(fields.items()))) for row, fields in records.items()]


def _signs(page: Page, units: NDArray[np.intp]) -> NDArray[np.uint64]:
    """What tells positions apart: the path of tags and names, and in a table the column."""
    cells = np.flatnonzero(page.is_tag(*numbers("td th")))
    order = cells[np.argsort(page.parent[cells], kind="stable")]
    new = np.flatnonzero(np.diff(page.parent[order], prepend=-2))
    column = np.zeros(len(page) + 1, np.uint64)
    begin = np.repeat(new, np.diff(np.append(new, len(order))))
    column[order] = np.arange(len(order)) - begin + 1
    cell = nearest(page.parent, page.is_tag(*numbers("td th")))[units]
    return path_signs(page, own_signs(page, classes=True))[units] + column[cell]


def _filled(
    page: Page, units: NDArray[np.intp], holder: NDArray[np.intp], every: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The units and holders, with those that belong to the records all the same."""
    marked = np.zeros(len(page), np.bool_)
    marked[holder] = True
    own = nearest(page.parent, marked)[every]
    every, own = every[own >= 0], own[own >= 0]
    _, kind = np.unique(_signs(page, every), return_inverse=True)
    chosen = np.isin(every, units)
    share = np.bincount(kind, chosen) / np.maximum(np.bincount(kind), 1)
    kept = chosen | (share[kind] > MOST) | (page.tag[own] == NUMBER["tr"])
    return every[kept], own[kept]


def _holders(page: Page, units: NDArray[np.intp], judged: Judged | None) -> NDArray[np.intp]:
    """The element of its record for each unit that is content.

    Cells, lines and tables of one list cover the same texts. A record is the innermost element
    of a good group whose members hold several fields; else that of the best group.
    """
    if judged is None:
        return units
    groups, scores = judged.groups, judged.scores
    content = np.zeros(len(page))
    content[units] = 1
    fields = page.sum_subtree(content)[groups.rows]
    held = np.bincount(groups.group, fields, groups.count)
    some = np.bincount(groups.group, fields > 0, groups.count)
    good = (held >= SEVERAL * some) & (some > 1) & (scores >= GOOD * scores.max(initial=0))
    marked = np.zeros(len(page), np.bool_)
    marked[groups.rows[good[groups.group]]] = True
    inner = nearest(page.parent, marked)[units]
    best = judged.record[np.searchsorted(judged.sheet.units, units)]
    return np.where(inner >= 0, inner, np.where(best >= 0, best, units))


def _positions(holder: NDArray[np.intp], signs: NDArray[np.uint64]) -> NDArray[np.intp]:
    """A position for each unit: the same for the n-th unit of a path in every record."""
    counted: dict[tuple[int, int], int] = {}
    known: dict[tuple[int, int], list[float]] = {}
    keys, begun = [], dict[int, int]()
    for row, sign in zip(holder.tolist(), signs.tolist(), strict=True):
        counted[row, sign] = counted.get((row, sign), 0) + 1
        begun[row] = begun.get(row, 0) + 1
        key = (sign, counted[row, sign])
        keys.append(key)
        known.setdefault(key, []).append(begun[row])
    order = sorted(known, key=lambda key: (sum(known[key]) / len(known[key]), key))
    place = {key: at for at, key in enumerate(order, 1)}
    return np.array([place[key] for key in keys], np.intp)


def direct_text(page: Page, row: int) -> str:
    """The texts that are children of a row, white space folded."""
    return _joined(page, _direct(page, row))


def _joined(page: Page, rows: Sequence[int]) -> str:
    return " ".join(" ".join(page.text(row).split()) for row in rows)


def _direct(page: Page, row: int) -> list[int]:
    inner = slice(row, int(page.end[row]))
    own = (page.tag[inner] == TEXT) & page.counted[inner] & (page.parent[inner] == row)
    found: list[int] = (np.flatnonzero(own) + row).tolist()
    return found


def whole_texts(page: Page, units: NDArray[np.intp]) -> list[list[int]]:
    """Text rows of each unit: its own, and those below it that flow in the same line.

    A stressed word in a title is no field by itself, but the title would not be whole without
    it. A text belongs to the nearest unit above it.
    """
    texts = np.flatnonzero((page.tag == TEXT) & page.counted)
    marked = np.zeros(len(page), np.bool_)
    marked[units] = True
    unit = nearest(page.parent, marked)[texts]
    block = nearest(page.parent, page.is_tag(*BLOCK))
    same = (unit >= 0) & (block[texts] == block[unit])
    place = np.searchsorted(units, unit[same])
    found: list[list[int]] = [[] for _ in units]
    for at, text in zip(place.tolist(), texts[same].tolist(), strict=True):
        found[at].append(text)
    return found


def records_html(page: Page, items: Sequence[Pagelet]) -> str:
    """The page with the texts of its content alone, and what is above them."""
    units = np.array([item.row for item in items if item.kind == "content"], np.intp)
    return page_of_rows(page, [row for rows in whole_texts(page, units) for row in rows])
