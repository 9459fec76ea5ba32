"""The review of pages: which an annotator has finished, and what was decided on disagreements."""

import json
from dataclasses import dataclass
from typing import Any

from pagelet.annotator.database import Database
from pagelet.annotator.marks import PERSON, MarkKey

#: Counts of the marks on each page of a project: own, proposed, and by how many others.
COUNTS = """
    SELECT pages.id, pages.name,
        TOTAL(marks.annotator = ?1 AND marks.source = ?2),
        TOTAL(marks.annotator = ?1 AND marks.source != ?2),
        COUNT(DISTINCT CASE WHEN marks.annotator != ?1 AND marks.source = ?2
            THEN marks.annotator END),
        EXISTS (SELECT 1 FROM reviewed WHERE page = pages.id AND annotator = ?1)
    FROM pages LEFT JOIN marks ON marks.page = pages.id
    WHERE pages.project = ?3 AND pages.deleted IS NULL
    GROUP BY pages.id ORDER BY pages.name
"""


@dataclass(frozen=True, slots=True)
class ReviewLog:
    """What is recorded about the review of pages."""

    database: Database

    def list_pages(self, project: int, annotator: str) -> list[dict[str, Any]]:
        """The pages of a project with the counts of marks, and whether the annotator is done."""
        own = self.database.annotator_id(annotator)
        rows = self.database.select(COUNTS, own, PERSON, project)
        return [
            {
                "id": int(number),
                "name": str(name),
                "made": int(made),
                "proposed": int(proposed),
                "others": int(others),
                "done": bool(done),
            }
            for number, name, made, proposed, others, done in rows
        ]

    def set_done(self, page: int, annotator: str, *, done: bool) -> None:
        """Record whether an annotator has finished a page."""
        self.database.page(page)
        own = self.database.ensure_annotator(annotator)
        sql = "INSERT OR IGNORE INTO reviewed VALUES (?, ?)"
        if not done:
            sql = "DELETE FROM reviewed WHERE page = ? AND annotator = ?"
        with self.database.transaction() as db:
            db.execute(sql, (page, own))

    def is_done(self, page: int, annotator: str) -> bool:
        """Whether an annotator has finished a page."""
        sql = "SELECT 1 FROM reviewed WHERE page = ? AND annotator = ?"
        return bool(self.database.select(sql, page, self.database.annotator_id(annotator)))

    def decide(self, page: int, annotator: str, key: MarkKey, *, kept: bool | None) -> None:
        """Decide on a mark that annotators disagree about; None takes the decision back."""
        self.database.page(page)
        own = self.database.ensure_annotator(annotator)
        kind, paths = key[0], json.dumps(key[1])
        with self.database.transaction() as db:
            db.execute(
                "DELETE FROM decisions WHERE page = ? AND kind = ? AND paths = ?",
                (page, kind, paths),
            )
            if kept is not None:
                db.execute(
                    "INSERT INTO decisions VALUES (?, ?, ?, ?, ?)", (page, kind, paths, kept, own)
                )

    def decisions(self, page: int) -> dict[MarkKey, bool]:
        """What was decided on marks of a page."""
        sql = "SELECT kind, paths, kept FROM decisions WHERE page = ?"
        return {
            (str(kind), tuple(json.loads(paths))): bool(kept)
            for kind, paths, kept in self.database.select(sql, page)
        }
