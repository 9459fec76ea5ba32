"""Marks on pages: what may be marked, marks as labels, and agreement of two annotators."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import numpy as np

from pagelet.arrays import Ints, Mask
from pagelet.errors import OptionError
from pagelet.labels import KINDS as LISTED
from pagelet.labels import own_rows, top_rows
from pagelet.page.table import Page
from pagelet.page.tags import TEXT
from pagelet.page.tree import nearest
from pagelet.server.errors import HttpError
from pagelet.wording import must_be_one_of

Marks = Mapping[str, Sequence[Sequence[int]]]  #: top rows of each mark, by kind

SEGMENT, TEMPLATE, SLOT = "segment", "template", "slot"
PERSON, SPREAD = "person", "spread"  #: sources of marks
SUGGESTION = "suggestion:"  #: prefix of the source of a mark that a method proposed
#: kinds of marks, and their meaning
KINDS = {
    "menu": "the main menu",
    "content": "main content",
    "noise": "neither content nor part of a record",
    "clutter": "link lists and text advertisements",
    TEMPLATE: "what all pages of the site share",
    SLOT: "what belongs to this page only",
    SEGMENT: "one visual block",
}
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
    if kind not in KINDS:
        raise OptionError("kind", kind, must_be_one_of(KINDS))
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
    number = segment_numbers(page, segments)
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
    labelled = {*marked, *looked}
    form: dict[str, Any] = {
        kind: [page.path(row) for rows in marked.get(kind, ()) for row in rows]
        for kind in LISTED
        if kind in labelled
    }
    if {TEMPLATE, SLOT} & labelled:
        parts = (
            [row for rows in marked.get(kind, ()) for row in rows] for kind in (TEMPLATE, SLOT)
        )
        template, slots = parts
        own = top_rows(page, own_rows(page, template, slots))
        form["template"] = {"slots": [page.path(row) for row in own]}
    if SEGMENT in labelled:
        form["segments"] = [
            {"name": str(number), "paths": [page.path(row) for row in rows]}
            for number, rows in enumerate(marked.get(SEGMENT, ()), 1)
        ]
    return form


def majority_marks(
    annotations: Iterable[tuple[Sequence[Mark], Sequence[str]]],
) -> tuple[list[Mark], list[str]]:
    """Marks and kinds of more than half of the annotators who looked for the kind."""
    looked: dict[str, int] = {}
    votes: dict[tuple[str, tuple[str, ...]], list[Mark]] = {}
    for marks, kinds in annotations:
        own = [mark for mark in marks if mark.by_person]
        for kind in {*kinds, *(mark.kind for mark in own)}:
            looked[kind] = looked.get(kind, 0) + 1
        for key, mark in {(mark.kind, mark.paths): mark for mark in own}.items():
            votes.setdefault(key, []).append(mark)
    kept = [marks[0] for (kind, _), marks in votes.items() if 2 * len(marks) > looked[kind]]
    return kept, sorted(looked)


def shared_kinds(one: Iterable[str], other: Iterable[str]) -> set[str]:
    """The kinds that both annotators looked for; slots count as template."""
    first, second = (
        {TEMPLATE if kind == SLOT else kind for kind in kinds} for kinds in (one, other)
    )
    return first & second


def agreement(page: Page, one: Marks, other: Marks, kinds: Iterable[str]) -> dict[str, float]:
    """Agreement by kind; template and slots are complements, and count as `template`."""
    figures = {}
    for kind in sorted(kinds):
        if kind == SEGMENT:
            numbers = (segment_numbers(page, marks.get(kind, ())) for marks in (one, other))
            figures[kind] = rand_index(*(each[page.counted] for each in numbers))
        else:
            masks = (_mask(page, marks, kind) for marks in (one, other))
            figures[kind] = kappa(*(mask[page.counted] for mask in masks))
    return figures


def _mask(page: Page, marks: Marks, kind: str) -> Mask:
    if kind == TEMPLATE:
        template, slots = _rows(marks.get(TEMPLATE, ())), _rows(marks.get(SLOT, ()))
        return own_rows(page, template, slots)
    return page.inside(np.array(_rows(marks.get(kind, ())), np.int32))


def _rows(marks: Sequence[Sequence[int]]) -> list[int]:
    return [row for rows in marks for row in rows]


def kappa(one: Mask, other: Mask) -> float:
    """Cohen's kappa of two binary labellings.

        kappa = (P - E) / (1 - E)

    P: share of rows with the same label; E: the share expected by chance. Kappa is 1 if both give
    all rows the same label.
    """
    if not len(one):
        return 1.0
    P = float((one == other).mean())
    first, second = float(one.mean()), float(other.mean())
    E = first * second + (1 - first) * (1 - second)
    return (P - E) / (1 - E) if E < 1 else 1.0


def segment_numbers(page: Page, segments: Sequence[Sequence[int]]) -> Ints:
    """The number of the segment that each row lies in; -1 for none."""
    number = np.full(len(page) + 1, -1, np.intp)  # the last entry stands for no mark
    for at, rows in enumerate(segments):
        number[list(rows)] = at
    return np.asarray(number[nearest(page.parent, number[:-1] >= 0)])


def rand_index(one: Ints, other: Ints) -> float:
    """Adjusted Rand index over rows that lie in a segment of both; 0 if there are none."""
    both = (one >= 0) & (other >= 0)
    if not both.any():
        return 0.0
    lines, columns = one[both], other[both]
    pairs = lines * (int(columns.max()) + 1) + columns
    S, A, B = (_pairs(np.unique(each, return_counts=True)[1]) for each in (pairs, lines, columns))
    total = len(lines) * (len(lines) - 1) / 2
    E = A * B / total if total else 0.0
    below = (A + B) / 2 - E
    return (S - E) / below if below > 1e-12 * (A + B) else 1.0


def _pairs(counts: Ints) -> float:
    return float((counts * (counts - 1) / 2).sum())
