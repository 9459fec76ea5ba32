"""Where the annotator's work is done: pages from the database, their drawings, their marks."""

import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pagelet.annotator.agreement import SEGMENT, agreement, shared
from pagelet.annotator.marks import (
    KINDS,
    MOST_MARKS,
    PERSON,
    Mark,
    Stored,
    by_kind,
    checked,
    refuse_overlap,
    safe_name,
)
from pagelet.annotator.store import Store
from pagelet.errors import OptionError
from pagelet.page.html import parse
from pagelet.page.table import Page
from pagelet.report.drawing import draw
from pagelet.report.sources import Folder
from pagelet.server.errors import HttpError
from pagelet.server.settings import Settings

HEAD = '<!DOCTYPE html><meta charset="utf-8"><meta name="referrer" content="no-referrer">'
DATABASE = "annotations.sqlite"
HELD = 64  #: parsed pages that are kept
FILLER = ("a", "b", "c")  #: folders around the files of a project, as far up as a drawing looks
EXCERPT = 120  #: characters of a mark's text that are told


class Desk:
    """What the annotator's requests share; the database is opened when first needed."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._lock = threading.RLock()
        self._parsed = lru_cache(HELD)(self._parse)

    @cached_property
    def store(self) -> Store:
        """The database."""
        return Store(self.settings.database or default_database())

    def close(self) -> None:
        """End the connection, if there is one."""
        if "store" in self.__dict__:
            self.__dict__.pop("store").close()

    # -- pages -----------------------------------------------------------------------------

    def page(self, number: int) -> Page:
        """A page of the database, parsed."""
        return self._parsed(self.store.page(number))

    def _parse(self, known: Stored) -> Page:
        return parse(self.store.html(known.id), url=known.url)

    def others(self, number: int, wanted: Sequence[int] | None = None) -> list[Stored]:
        """The other pages of a page's project, or those of them that are wanted."""
        known = self.store.page(number)
        others = [each for each in self.store.pages(known.project) if each.id != number]
        return [each for each in others if wanted is None or each.id in set(wanted)]

    @contextmanager
    def folder(self, number: int) -> Iterator[tuple[Path, str]]:
        """The files of a page's project in a folder, and the name of the page there."""
        known = self.store.page(number)
        with TemporaryDirectory(prefix="pagelet-") as outer:
            root = Path(outer, *FILLER).resolve()
            place = root / known.name
            place.parent.mkdir(parents=True)
            write_files(root, self.store.files(known.project))
            yield root, known.name

    def drawing(self, number: int) -> str:
        """A page as HTML that can do nothing; every element says which row it is."""
        page = replace(self.page(number), url=None)  # nothing is loaded from its site
        with self.folder(number) as (root, name):
            return draw(page, [], Folder((root / name).parent), HEAD, rows=True)

    # -- marks -----------------------------------------------------------------------------

    def told(self, number: int, annotator: str) -> dict[str, Any]:
        """All that is known of a page for one annotator."""
        page, known = self.page(number), self.store.page(number)
        undo, redo = self.store.steps(number, annotator)
        return {
            "id": known.id,
            "name": known.name,
            "url": known.url,
            "marks": [told_mark(page, mark) for mark in self.store.marks(number, annotator)],
            "looked": self.store.looked(number, annotator),
            "undo": undo,
            "redo": redo,
        }

    def mark(self, number: int, annotator: str, kind: str, rows: Sequence[int]) -> None:
        """Make a mark; one that is there already stays as it is."""
        page = self.page(number)
        paths = checked(page, kind, rows)
        with self._lock:
            others = self.store.marks(number, annotator)
            same = [mark for mark in others if (mark.kind, mark.paths) == (kind, paths)]
            if any(mark.by_person for mark in same):
                return
            if len(others) >= MOST_MARKS:
                raise OptionError("marks", len(others), "no more marks fit on this page")
            if kind == SEGMENT:
                refuse_overlap(page, paths, others)
            taken = [mark.id for mark in same]  # it was proposed, and now made by hand
            by = same[0].proposed_by if same else None
            self.store.change(number, annotator, taken, [Mark(kind, paths, suggested_by=by)])

    def repair(self, number: int, annotator: str, mark: int, rows: Sequence[int]) -> None:
        """Put a mark elsewhere; a person says so, whoever proposed it."""
        page = self.page(number)
        with self._lock:
            marks = {each.id: each for each in self.store.marks(number, annotator)}
            old = marks.pop(mark, None)
            if old is None:
                raise HttpError(404, "NotFound", f"there is no mark {mark} of yours on this page")
            paths = checked(page, old.kind, rows)
            if old.kind == SEGMENT:
                refuse_overlap(page, paths, marks.values())
            new = Mark(old.kind, paths, suggested_by=old.proposed_by)
            self.store.change(number, annotator, [mark], [new])

    def accept(self, number: int, annotator: str, marks: Sequence[int]) -> None:
        """Make proposed marks a person's own, all of them or none."""
        page = self.page(number)
        with self._lock:
            kept = self.store.marks(number, annotator)
            asked = [mark for mark in kept if mark.id in set(marks) and not mark.by_person]
            new: list[Mark] = []
            for mark in asked:
                if mark.kind == SEGMENT:
                    refuse_overlap(page, mark.paths, [*kept, *new])
                new.append(Mark(mark.kind, mark.paths, PERSON, mark.proposed_by, mark.sure))
            if asked:
                self.store.change(number, annotator, [mark.id for mark in asked], new)

    def look(self, number: int, annotator: str, kind: str, *, looked: bool) -> None:
        """Write down that a kind was looked for, so that no mark means that there is none."""
        if kind not in KINDS:
            raise OptionError("kind", kind, f"one of {', '.join(KINDS)}")
        self.store.look(number, annotator, kind, looked=looked)

    def propose(self, number: int, annotator: str, source: str, marks: Sequence[Mark]) -> int:
        """Put new proposals in the place of the old ones of that source; how many are new."""
        with self._lock:
            kept = self.store.marks(number, annotator)
            old = [mark.id for mark in kept if mark.source == source]
            known = {(mark.kind, mark.paths) for mark in kept if mark.source != source}
            new = [mark for mark in marks if (mark.kind, mark.paths) not in known]
            if old or new:
                self.store.change(number, annotator, old, new)
        return len(new)

    def carried_well(
        self, number: int, annotator: str, carried: Sequence[Mark]
    ) -> dict[str, float]:
        """How well carried marks agree with what the annotator said of those kinds."""
        page = self.page(number)
        own = by_kind(page, self.store.marks(number, annotator))
        theirs = by_kind(page, (replace(mark, source=PERSON) for mark in carried))
        figures = agreement(page, own, theirs, shared(own, theirs))
        return {kind: round(value, 4) for kind, value in figures.items()}

    def agreement(self, number: int) -> list[dict[str, Any]]:
        """How well every two annotators of a page agree on kinds that both looked for."""
        page, known = self.page(number), self.store.page(number)
        names = self.store.annotators(known.project)
        said = {name: by_kind(page, self.store.marks(number, name)) for name in names}
        told = {name: {*said[name], *self.store.looked(number, name)} for name in names}
        found = []
        for one, other in combinations(names, 2):
            figures = agreement(page, said[one], said[other], shared(told[one], told[other]))
            if figures:
                rounded = {kind: round(value, 4) for kind, value in figures.items()}
                found.append({"one": one, "other": other, "figures": rounded})
        return found


def told_mark(page: Page, mark: Mark) -> dict[str, Any]:
    """A mark as the page of the annotator needs it."""
    rows = [page.row(path) for path in mark.paths]
    text = " ".join(page.inner_text(row) for row in rows[:3])
    shown = text if len(text) <= EXCERPT else f"{text[: EXCERPT - 1]}…"
    return {**mark.form(), "rows": rows, "text": shown}


def write_files(root: Path, files: Iterator[tuple[str, bytes]]) -> None:
    """Put files below a folder; their names were checked when they came."""
    for name, body in files:
        place = root / safe_name(name)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(body)


def default_database() -> Path:
    """Where marks are kept when nothing else is said: with the user's data, not with caches."""
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path.home() / ".local" / "share") / "pagelet" / DATABASE
