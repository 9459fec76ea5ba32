"""What the annotator keeps: marks, and the pages they are made on."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any

import numpy as np

from pagelet.annotator.agreement import SEGMENT, SLOT, TEMPLATE, segment_numbers
from pagelet.errors import OptionError
from pagelet.labels import KINDS as LISTED
from pagelet.labels import own_rows, top_rows
from pagelet.page.table import Page
from pagelet.page.tags import TEXT
from pagelet.server.errors import HttpError

PERSON, SPREAD = "person", "spread"  #: sources of marks; a method's is SUGGESTION and its name
SUGGESTION = "suggestion:"


@dataclass(frozen=True, slots=True)
class Mark:
    """Something said of a page: by a person, by a method, or carried from another page."""

    kind: str
    paths: tuple[str, ...]
    source: str = PERSON  #: person, suggestion:METHOD, or spread
    suggested_by: str | None = None  #: what proposed it, once a person accepted it
    sure: float | None = None  #: of a mark that was carried, 0 to 1
    id: int = 0  #: 0 until it is kept
    made: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))

    @property
    def by_person(self) -> bool:
        """Whether a person made or accepted it."""
        return self.source == PERSON

    @property
    def proposed_by(self) -> str | None:
        """What proposed it: a method, or spread; None where a person made it alone."""
        return self.suggested_by if self.by_person else self.source.removeprefix(SUGGESTION)

    def form(self) -> dict[str, Any]:
        """It as JSON."""
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
class Stored:
    """A page as it is kept; its HTML is read when asked for."""

    id: int
    project: int
    name: str
    url: str | None
    digest: str


def mark_of(form: dict[str, Any]) -> Mark:
    """A mark from its JSON."""
    return Mark(**{**form, "paths": tuple(form["paths"])})


# -- What may be marked on a page, and how marks become what `evaluate` and `train` read ------


#: The kinds of marks: what they are called, and what they mean.
KINDS = {
    "menu": "the main menu",
    "content": "main content",
    "noise": "neither content nor part of a record",
    "clutter": "link lists and text advertisements",
    TEMPLATE: "what all pages of the site share",
    SLOT: "what is this page's own",
    SEGMENT: "one block that is seen as a whole",
}
MOST_PARTS = 200  #: elements of one mark
MOST_MARKS = 5000  #: marks of one annotator on a page
EVERYBODY = "*"  #: stands for what more than half of the annotators said
LONGEST_NAME = 300

Rows = Sequence[int]


def checked(page: Page, kind: str, rows: Rows) -> tuple[str, ...]:
    """The paths of a new mark, in document order; elements of the body, none inside another."""
    if kind not in KINDS:
        raise OptionError("kind", kind, f"one of {', '.join(KINDS)}")
    if not 0 < len(rows) <= MOST_PARTS:
        raise OptionError("rows", len(rows), f"mark 1 to {MOST_PARTS} elements at a time")
    wanted = np.unique(np.asarray(rows, np.int64))
    if wanted[0] < 0 or wanted[-1] >= len(page) or not page.counted[wanted].all():
        raise OptionError("rows", list(rows)[:5], "elements of the page's body can be marked")
    if (page.tag[wanted] == TEXT).any():
        raise OptionError("rows", list(rows)[:5], "mark the element around a text")
    mask = np.zeros(len(page), np.bool_)
    mask[wanted] = True
    above = np.append(page.inside(mask), False)[page.parent[wanted]]
    return tuple(page.path(int(row)) for row in wanted[~above])


def refuse_overlap(page: Page, paths: Iterable[str], others: Iterable[Mark]) -> None:
    """Refuse a segment that shares an element with another one."""
    own = page.inside(np.array(list(map(page.row, paths)), np.int32))
    taken = by_kind(page, others).get(SEGMENT, [])
    number = segment_numbers(page, taken)
    shared = np.flatnonzero(own & (number >= 0))
    if len(shared):
        where = _called(page, taken[number[shared[0]]][0])
        why = f"segments may not overlap, and this one does with the segment at {where}"
        raise HttpError(409, "Overlap", f"{why}; delete that one, or mark less")


def _called(page: Page, row: int) -> str:
    said = page.attributes_of(row)
    classes = "".join(f".{word}" for word in said.get("class", "").split()[:2])
    own = f"#{said['id']}" if said.get("id") else classes
    return f"<{page.name(row)}{own[:60]}>"


def safe_name(name: str) -> str:
    """The name of a page or file, relative and plain; it becomes a file when marks are exported."""
    parts = [
        part for part in PurePosixPath(name.replace("\\", "/")).parts if part not in ("/", ".")
    ]
    plain = "/".join(parts)
    if not plain or len(plain) > LONGEST_NAME or ".." in parts or not plain.isprintable():
        raise OptionError("name", name[:80], "give a plain relative name, such as news/a.html")
    return plain


# -- marks as labels --------------------------------------------------------------------------


def by_kind(page: Page, marks: Iterable[Mark]) -> dict[str, list[tuple[int, ...]]]:
    """What a person said, as top rows by kind."""
    found: dict[str, list[tuple[int, ...]]] = {}
    for mark in marks:
        if mark.by_person:
            found.setdefault(mark.kind, []).append(tuple(map(page.row, mark.paths)))
    return found


def labels_of(page: Page, marks: Sequence[Mark], looked: Iterable[str]) -> dict[str, Any]:
    """One page of gold.json: a key for each kind that was marked, or looked for in vain."""
    said = by_kind(page, marks)
    told = {*said, *looked}
    form: dict[str, Any] = {
        kind: [page.path(row) for rows in said.get(kind, ()) for row in rows]
        for kind in LISTED
        if kind in told
    }
    if {TEMPLATE, SLOT} & told:
        parts = ([row for rows in said.get(kind, ()) for row in rows] for kind in (TEMPLATE, SLOT))
        template, slots = parts
        own = top_rows(page, own_rows(page, template, slots))
        form["template"] = {"slots": [page.path(row) for row in own]}
    if SEGMENT in told:
        form["segments"] = [
            {"name": str(number), "paths": [page.path(row) for row in rows]}
            for number, rows in enumerate(said.get(SEGMENT, ()), 1)
        ]
    return form


def agreed(
    said: Mapping[str, tuple[Sequence[Mark], Sequence[str]]],
) -> tuple[list[Mark], list[str]]:
    """Marks and kinds of more than half of the annotators who looked for the kind."""
    looked: dict[str, int] = {}
    votes: dict[tuple[str, tuple[str, ...]], list[Mark]] = {}
    for marks, kinds in said.values():
        own = [mark for mark in marks if mark.by_person]
        for kind in {*kinds, *(mark.kind for mark in own)}:
            looked[kind] = looked.get(kind, 0) + 1
        for key in {(mark.kind, mark.paths): mark for mark in own}.items():
            votes.setdefault(key[0], []).append(key[1])
    kept = [marks[0] for (kind, _), marks in votes.items() if 2 * len(marks) > looked[kind]]
    return kept, sorted(looked)
