"""Marks on pages: what may be marked, marks as labels, and what most annotators marked."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

import numpy as np

from pagelet.annotator.kinds import (
    BLOCK,
    FIELD,
    LINKS,
    RECORD,
    SEGMENT,
    SLOT,
    TEMPLATE,
    check_kind,
    group_of,
    split_kind,
)
from pagelet.arrays import Ints
from pagelet.errors import OptionError
from pagelet.labels import KINDS as LISTED
from pagelet.labels import own_rows, top_rows
from pagelet.page.table import Page
from pagelet.page.tags import TEXT
from pagelet.page.tree import nearest
from pagelet.server.errors import HttpError

PERSON, SPREAD = "person", "spread"  #: sources of marks
SUGGESTION = "suggestion:"  #: prefix of the source of a mark that a method proposed
MarkKey = tuple[str, tuple[str, ...]]  #: kind and paths of a mark
MarkedRows = Mapping[str, Sequence[Sequence[int]]]  #: top rows of each mark, by kind
MAX_ELEMENTS = 200  #: elements of one mark
MAX_MARKS = 5000  #: marks of one annotator on a page
MAJORITY = "*"  #: annotator name that stands for what more than half of the annotators marked


@dataclass(frozen=True, slots=True)
class Mark:
    """A kind given to elements of a page by a person or a method, or carried from another page."""

    kind: str
    paths: tuple[str, ...]
    source: str = PERSON  #: person, suggestion:METHOD, or spread
    suggested_by: str | None = None  #: what proposed it, if a person has accepted it
    sure: float | None = None  #: confidence of a carried mark, 0 to 1
    id: int = 0  #: 0 until it is stored
    made: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))

    @property
    def key(self) -> MarkKey:
        """What makes two marks the same."""
        return self.kind, self.paths

    @property
    def by_person(self) -> bool:
        """Whether a person made or accepted it."""
        return self.source == PERSON

    @property
    def proposed_by(self) -> str | None:
        """The method that proposed it, or spread; None if a person made it."""
        return self.suggested_by if self.by_person else self.source.removeprefix(SUGGESTION)

    @classmethod
    def from_dict(cls, form: dict[str, Any]) -> "Mark":
        """Read the JSON form."""
        return cls(**{**form, "paths": tuple(form["paths"])})

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "id": self.id,
            "kind": self.kind,
            "paths": list(self.paths),
            "source": self.source,
            "suggested_by": self.suggested_by,
            "sure": self.sure,
            "made": self.made,
        }


@dataclass(frozen=True, slots=True)
class StoredPage:
    """A page of the database, without its HTML."""

    id: int
    project: int
    name: str
    url: str | None
    digest: str


def check_mark(page: Page, kind: str, rows: Sequence[int]) -> tuple[str, ...]:
    """The paths of a new mark, in document order and without nested elements.

    OptionError unless all rows are elements of the body.
    """
    check_kind(kind)
    if not 0 < len(rows) <= MAX_ELEMENTS:
        raise OptionError("rows", len(rows), f"mark 1 to {MAX_ELEMENTS} elements at a time")
    marked = np.unique(np.asarray(rows, np.int64))
    if marked[0] < 0 or marked[-1] >= len(page) or not page.counted[marked].all():
        raise OptionError("rows", list(rows)[:5], "only elements of the body can be marked")
    if (page.tag[marked] == TEXT).any():
        raise OptionError("rows", list(rows)[:5], "mark the element that holds the text")
    mask = np.zeros(len(page), np.bool_)
    mask[marked] = True
    nested = np.append(page.inside(mask), False)[page.parent[marked]]
    return tuple(page.path(int(row)) for row in marked[~nested])


def check_overlap(page: Page, paths: Iterable[str], others: Iterable[Mark]) -> None:
    """Raise HttpError if a segment shares an element with another one."""
    own = page.inside(np.array(list(map(page.row, paths)), np.int32))
    segments = rows_by_kind(page, others).get(SEGMENT, [])
    number = number_rows(page, segments)
    shared = np.flatnonzero(own & (number >= 0))
    if len(shared):
        where = _describe_element(page, segments[number[shared[0]]][0])
        why = f"segments may not overlap, and this one overlaps the segment at {where}"
        raise HttpError(409, "Overlap", f"{why}; delete that one, or mark less")


def _describe_element(page: Page, row: int) -> str:
    attributes = page.attributes_of(row)
    classes = "".join(f".{word}" for word in attributes.get("class", "").split()[:2])
    selector = f"#{attributes['id']}" if attributes.get("id") else classes
    return f"<{page.name(row)}{selector[:60]}>"


# -- marks as labels --------------------------------------------------------------------------


def rows_by_kind(page: Page, marks: Iterable[Mark]) -> dict[str, list[tuple[int, ...]]]:
    """The top rows of each mark that a person made or accepted, by kind."""
    marked: dict[str, list[tuple[int, ...]]] = {}
    for mark in marks:
        if mark.by_person:
            marked.setdefault(mark.kind, []).append(tuple(map(page.row, mark.paths)))
    return marked


def make_labels(page: Page, marks: Sequence[Mark], looked: Iterable[str]) -> dict[str, Any]:
    """One page of gold.json: a key for each kind that was marked, or looked for without result."""
    marked = rows_by_kind(page, marks)
    labelled = {*map(group_of, marked), *looked}
    form: dict[str, Any] = {
        kind: [page.path(row) for rows in marked.get(kind, ()) for row in rows]
        for kind in LISTED
        if kind in labelled
    }
    if TEMPLATE in labelled:
        template, slots = (
            [row for rows in marked.get(kind, ()) for row in rows] for kind in (TEMPLATE, SLOT)
        )
        own = top_rows(page, own_rows(page, template, slots))
        form["template"] = {"slots": [page.path(row) for row in own]}
    if SEGMENT in labelled:
        form["segments"] = [
            {"name": str(number), "paths": [page.path(row) for row in rows]}
            for number, rows in enumerate(marked.get(SEGMENT, ()), 1)
        ]
    for group, key in ((LINKS, "links"), (BLOCK, "roles")):
        if group in labelled:
            form[key] = _roles(page, marked, group)
    if {RECORD, FIELD} & labelled:
        form["records"] = _records(page, marked)
    return form


def _roles(page: Page, marked: MarkedRows, group: str) -> dict[str, str]:
    """The role of each marked element, by path."""
    return {
        page.path(row): split_kind(kind)[1]
        for kind, marks in marked.items()
        if group_of(kind) == group
        for rows in marks
        for row in rows
    }


def _records(page: Page, marked: MarkedRows) -> list[dict[str, Any]]:
    """The records of a page, each with the fields in it; fields of none are one record."""
    records = marked.get(RECORD, ())
    number = number_rows(page, records)
    fields: list[dict[str, list[str]]] = [{} for _ in (*records, "none")]
    for kind, marks in marked.items():
        if group_of(kind) == FIELD:
            for row in (row for rows in marks for row in rows):
                fields[number[row]].setdefault(split_kind(kind)[1], []).append(page.path(row))
    listed = [
        {"paths": [page.path(row) for row in rows], "fields": each}
        for rows, each in zip(records, fields, strict=False)
    ]
    return [*listed, {"paths": [], "fields": fields[-1]}] if fields[-1] else listed


def number_rows(page: Page, marks: Sequence[Sequence[int]]) -> Ints:
    """The number of the innermost mark that each row lies in; -1 for none."""
    number = np.full(len(page) + 1, -1, np.intp)  # the last entry stands for no mark
    for at, rows in enumerate(marks):
        number[list(rows)] = at
    return np.asarray(number[nearest(page.parent, number[:-1] >= 0)])


def majority_marks(
    annotations: Iterable[tuple[Sequence[Mark], Sequence[str]]],
    decisions: Mapping[MarkKey, bool] = MappingProxyType({}),
) -> tuple[list[Mark], list[str]]:
    """Marks and kinds of more than half of the annotators who looked for the kind.

    A mark that was decided on is kept or left out as decided, whoever made it.
    """
    looked: dict[str, int] = {}
    votes: dict[MarkKey, list[Mark]] = {}
    for marks, kinds in annotations:
        own = [mark for mark in marks if mark.by_person]
        for kind in {*kinds, *(group_of(mark.kind) for mark in own)}:
            looked[kind] = looked.get(kind, 0) + 1
        for key, mark in {mark.key: mark for mark in own}.items():
            votes.setdefault(key, []).append(mark)
    kept = [
        marks[0]
        for key, marks in votes.items()
        if decisions.get(key, 2 * len(marks) > looked[group_of(key[0])])
    ]
    return kept, sorted(looked)
