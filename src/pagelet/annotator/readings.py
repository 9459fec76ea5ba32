"""What suggestions have read: the other pages of the project that their methods were given."""

import json
from dataclasses import dataclass

from pagelet.annotator.database import Database


@dataclass(frozen=True, slots=True)
class ReadingLog:
    """Names of the other pages that the last suggestion of each method has read."""

    database: Database

    def record(self, page: int, annotator: str, suggestion: str, names: list[str]) -> None:
        """Keep the names, in place of those of an earlier suggestion."""
        own = self.database.ensure_annotator(annotator)
        with self.database.transaction() as db:
            sql = "INSERT OR REPLACE INTO readings VALUES (?, ?, ?, ?)"
            db.execute(sql, (page, own, suggestion, json.dumps(names)))

    def names(self, page: int, annotator: str) -> dict[str, list[str]]:
        """Names of the pages by suggestion."""
        sql = "SELECT suggestion, names FROM readings WHERE page = ? AND annotator = ?"
        rows = self.database.select(sql, page, self.database.annotator_id(annotator))
        return {str(suggestion): json.loads(names) for suggestion, names in rows}
