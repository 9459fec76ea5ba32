"""The annotation store: parsed pages of the database, their drawings, and changes of marks."""

import os
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pagelet.annotator.agreement import agreement, list_disagreements, shared_kinds
from pagelet.annotator.database import Database
from pagelet.annotator.kinds import LOOKED_FOR, SEGMENT
from pagelet.annotator.marks import (
    MAJORITY,
    MAX_MARKS,
    PERSON,
    Mark,
    StoredPage,
    check_mark,
    check_overlap,
    majority_marks,
    rows_by_kind,
)
from pagelet.annotator.names import file_names
from pagelet.annotator.readings import ReadingLog
from pagelet.annotator.review import ReviewLog
from pagelet.errors import OptionError
from pagelet.page.html import parse
from pagelet.page.table import Page
from pagelet.report.assets import LocalAssets
from pagelet.report.drawing import draw
from pagelet.server.answers import DRAWING_HEAD
from pagelet.server.errors import HttpError
from pagelet.server.settings import Settings
from pagelet.wording import must_be_one_of

DATABASE_NAME = "annotations.sqlite"
MAX_CACHED_BYTES = 64_000_000  #: parsed pages in memory, as estimated
ROW_BYTES = 500  #: memory of one row of a parsed page, about
SOURCE_FACTOR = 4  #: memory of the source of a page and its texts, per character, about
PARENT_FOLDERS = ("a", "b", "c")  #: folders above a project's files, as far up as a drawing looks
MAX_EXCERPT_CHARS = 120  #: characters of a mark's text


class PageCache:
    """Parsed pages, those used last up to a limit of bytes."""

    def __init__(self, limit: int = MAX_CACHED_BYTES) -> None:
        self.limit = limit
        self.size = 0  #: bytes of all pages, as estimated
        self._pages: OrderedDict[tuple[str, StoredPage], Page] = OrderedDict()

    def __len__(self) -> int:
        return len(self._pages)

    def get(self, key: tuple[str, StoredPage], make: Callable[[], Page]) -> Page:
        """A page, made unless it is there; a page beyond the limit is not kept."""
        if key in self._pages:
            self._pages.move_to_end(key)
            return self._pages[key]
        page = self._pages[key] = make()
        self.size += estimate_bytes(page)
        while self.size > self.limit:
            self.size -= estimate_bytes(self._pages.popitem(last=False)[1])
        return page


class AnnotationStore:
    """Pages and marks; the database is opened at the first use."""

    def __init__(self, settings: Settings, pages: "PageCache | None" = None) -> None:
        self.settings = settings
        self.pages = PageCache() if pages is None else pages

    @cached_property
    def database(self) -> Database:
        """The database of the settings, else that of the user."""
        return Database(self.settings.database or default_database())

    def close(self) -> None:
        """Close the database, if it is open."""
        if "database" in self.__dict__:
            self.__dict__.pop("database").close()

    # -- pages -----------------------------------------------------------------------------

    def page(self, number: int) -> Page:
        """A page of the database, parsed."""
        stored = self.database.page(number)
        return self.pages.get((self.database.path, stored), lambda: self._parse(stored))

    def _parse(self, stored: StoredPage) -> Page:
        html, most = self.database.read_html(stored.id), self.settings.max_nodes
        return parse(html, url=stored.url, max_nodes=most)

    def other_pages(self, number: int, chosen: Sequence[int] | None = None) -> list[StoredPage]:
        """The other pages of a page's project, or the chosen ones of them."""
        project = self.database.page(number).project
        others = [other for other in self.database.list_pages(project) if other.id != number]
        return [other for other in others if chosen is None or other.id in set(chosen)]

    @contextmanager
    def project_folder(self, number: int) -> Iterator[tuple[Path, str]]:
        """The files of a page's project in a temporary folder, and the name of the page there."""
        stored = self.database.page(number)
        listed = self.database.list_files(stored.project)
        names = file_names([stored.name, *(name for name, _ in listed)])
        with TemporaryDirectory(prefix="pagelet-") as outer:
            root = Path(outer, *PARENT_FOLDERS).resolve()
            (root / names[stored.name]).parent.mkdir(parents=True)
            for name, body in self.database.read_files(stored.project):
                file = root / names[name]
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(body)
            yield root, names[stored.name]

    def draw_page(self, number: int) -> str:
        """A page as inert HTML; `data-row` holds the row of each element."""
        page = replace(self.page(number), url=None)  # nothing is loaded from its site
        with self.project_folder(number) as (root, name):
            return draw(page, [], LocalAssets((root / name).parent), DRAWING_HEAD, rows=True)

    # -- marks -----------------------------------------------------------------------------

    def reviewed_marks(self, page: StoredPage, annotator: str) -> tuple[list[Mark], list[str]]:
        """Marks that the annotator made or accepted, and the kinds looked for.

        The annotator `*` stands for the majority.
        """
        if annotator == MAJORITY:
            log = ReviewLog(self.database)
            return majority_marks(self.annotations(page).values(), log.decisions(page.id))
        marks = self.database.list_marks(page.id, annotator)
        looked = self.database.list_looked(page.id, annotator)
        return [mark for mark in marks if mark.by_person], looked

    def annotations(self, page: StoredPage) -> dict[str, tuple[list[Mark], list[str]]]:
        """Marks on a page and kinds looked for, by annotator of its project."""
        database = self.database
        return {
            name: (database.list_marks(page.id, name), database.list_looked(page.id, name))
            for name in database.list_annotators(page.project)
        }

    def describe_page(self, number: int, annotator: str) -> dict[str, Any]:
        """The JSON form of a page with the marks of one annotator."""
        page, stored = self.page(number), self.database.page(number)
        undo, redo = self.database.count_steps(number, annotator)
        marks = self.database.list_marks(number, annotator)
        return {
            "id": stored.id,
            "name": stored.name,
            "url": stored.url,
            "marks": [describe_mark(page, mark) for mark in marks],
            "read": ReadingLog(self.database).names(number, annotator),
            "looked": self.database.list_looked(number, annotator),
            "done": ReviewLog(self.database).is_done(number, annotator),
            "undo": undo,
            "redo": redo,
            "agreement": self.compare_annotators(number),
            "disagreements": self.describe_disagreements(number),
        }

    def add_mark(self, number: int, annotator: str, kind: str, rows: Sequence[int]) -> None:
        """Add a mark, unless the annotator has it already; the same mark proposed is replaced."""
        page = self.page(number)
        paths = check_mark(page, kind, rows)
        with self.database.transaction():
            others = self.database.list_marks(number, annotator)
            same = [mark for mark in others if (mark.kind, mark.paths) == (kind, paths)]
            if any(mark.by_person for mark in same):
                return
            if len(others) >= MAX_MARKS:
                raise OptionError("marks", len(others), "this page has too many marks")
            if kind == SEGMENT:
                check_overlap(page, paths, others)
            proposed_by = same[0].proposed_by if same else None
            new = Mark(kind, paths, suggested_by=proposed_by)
            self.database.change_marks(number, annotator, [mark.id for mark in same], [new])

    def move_mark(self, number: int, annotator: str, mark: int, rows: Sequence[int]) -> None:
        """Move a mark to other elements; it is then the annotator's own."""
        page = self.page(number)
        with self.database.transaction():
            marks = {each.id: each for each in self.database.list_marks(number, annotator)}
            old = marks.pop(mark, None)
            if old is None:
                raise HttpError(404, "NotFound", f"there is no mark {mark} of yours on this page")
            paths = check_mark(page, old.kind, rows)
            if old.kind == SEGMENT:
                check_overlap(page, paths, marks.values())
            new = Mark(old.kind, paths, suggested_by=old.proposed_by)
            self.database.change_marks(number, annotator, [mark], [new])

    def accept_marks(self, number: int, annotator: str, ids: Sequence[int]) -> None:
        """Make proposed marks the annotator's own, all of them or none."""
        page = self.page(number)
        with self.database.transaction():
            marks = self.database.list_marks(number, annotator)
            accepted = [mark for mark in marks if mark.id in set(ids) and not mark.by_person]
            new: list[Mark] = []
            for mark in accepted:
                if mark.kind == SEGMENT:
                    check_overlap(page, mark.paths, [*marks, *new])
                new.append(Mark(mark.kind, mark.paths, PERSON, mark.proposed_by, mark.sure))
            if accepted:
                old = [mark.id for mark in accepted]
                self.database.change_marks(number, annotator, old, new)

    def set_looked(self, number: int, annotator: str, kind: str, *, looked: bool) -> None:
        """Record whether a kind was looked for; if so, no mark means that there is none."""
        if kind not in LOOKED_FOR:
            raise OptionError("kind", kind[:80], must_be_one_of(LOOKED_FOR))
        self.database.set_looked(number, annotator, kind, looked=looked)

    def decide(
        self, number: int, annotator: str, kind: str, rows: Sequence[int], *, kept: bool | None
    ) -> None:
        """Decide on a mark that annotators disagree about; None takes the decision back."""
        paths = check_mark(self.page(number), kind, rows)
        ReviewLog(self.database).decide(number, annotator, (kind, paths), kept=kept)

    def set_proposals(self, number: int, annotator: str, source: str, marks: Sequence[Mark]) -> int:
        """Replace the proposals of a source; return the number of new ones."""
        with self.database.transaction():
            present = self.database.list_marks(number, annotator)
            old = [mark.id for mark in present if mark.source == source]
            others = {(mark.kind, mark.paths) for mark in present if mark.source != source}
            new = [mark for mark in marks if (mark.kind, mark.paths) not in others]
            if old or new:
                self.database.change_marks(number, annotator, old, new)
        return len(new)

    # -- agreement -------------------------------------------------------------------------

    def compare_carried(
        self, number: int, annotator: str, carried: Sequence[Mark]
    ) -> dict[str, float]:
        """Agreement of carried marks with the annotator's own marks of those kinds."""
        page = self.page(number)
        own = rows_by_kind(page, self.database.list_marks(number, annotator))
        other = rows_by_kind(page, (replace(mark, source=PERSON) for mark in carried))
        return _round(agreement(page, own, other, shared_kinds(own, other)))

    def compare_annotators(self, number: int) -> list[dict[str, Any]]:
        """Agreement of each pair of annotators of a page, on kinds that both looked for."""
        page = self.page(number)
        annotations = self.annotations(self.database.page(number))
        if len(annotations) < 2:
            return []
        marks = {name: rows_by_kind(page, each) for name, (each, _) in annotations.items()}
        kinds = {name: {*marks[name], *looked} for name, (_, looked) in annotations.items()}
        pairs = []
        for one, other in combinations(annotations, 2):
            shared = shared_kinds(kinds[one], kinds[other])
            figures = _round(agreement(page, marks[one], marks[other], shared))
            if figures:
                pairs.append({"one": one, "other": other, "figures": figures})
        return pairs

    def describe_disagreements(self, number: int) -> list[dict[str, Any]]:
        """The JSON form of the marks on which annotators of a page differ."""
        page, log = self.page(number), ReviewLog(self.database)
        annotations = self.annotations(self.database.page(number))
        return [
            {
                **describe_mark(page, each.mark),
                "made_by": each.made_by,
                "missed_by": each.missed_by,
                "kept": each.kept,
            }
            for each in list_disagreements(annotations, log.decisions(number))
        ]


def _round(figures: dict[str, float]) -> dict[str, float]:
    return {kind: round(value, 4) for kind, value in figures.items()}


def estimate_bytes(page: Page) -> int:
    """About how much memory a parsed page takes."""
    return len(page) * ROW_BYTES + len(page.source or "") * SOURCE_FACTOR


def describe_mark(page: Page, mark: Mark) -> dict[str, Any]:
    """The JSON form of a mark, with its rows and the beginning of its text."""
    rows = [page.row(path) for path in mark.paths]
    text = " ".join(page.inner_text(row) for row in rows[:3])
    if len(text) > MAX_EXCERPT_CHARS:
        text = f"{text[: MAX_EXCERPT_CHARS - 1]}…"
    return {**mark.to_dict(), "rows": rows, "text": text}


def default_database() -> Path:
    """The database in the user's data folder."""
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path.home() / ".local" / "share") / "pagelet" / DATABASE_NAME
