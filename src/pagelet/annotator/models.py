"""Models that were trained on the marks of projects, kept in the annotator's database."""

import json
import zlib
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pagelet.annotator.database import Database
from pagelet.server.errors import HttpError

MAX_MODELS = 20  #: models of a project that are kept; one in use is always kept


@dataclass(frozen=True, slots=True)
class ModelShelf:
    """The models of all projects; at most one model of a method is used by a project."""

    database: Database

    def add(self, project: int, method: str, scores: dict[str, Any], body: bytes) -> int:
        """Keep a model with its scores, and the newest of the others; return its id."""
        made = datetime.now(UTC).isoformat(timespec="seconds")
        with self.database.transaction() as db:
            inserted = db.execute(
                "INSERT INTO models (project, method, made, scores, body) VALUES (?, ?, ?, ?, ?)",
                (project, method, made, json.dumps(scores), zlib.compress(body)),
            )
            db.execute(
                "DELETE FROM models WHERE project = ? AND NOT used AND id NOT IN (SELECT id FROM"
                " models WHERE project = ? ORDER BY id DESC LIMIT ?)",
                (project, project, MAX_MODELS),
            )
        return inserted.lastrowid or 0

    def list_models(self, project: int) -> list[dict[str, Any]]:
        """The models of a project without their files, the newest first."""
        sql = "SELECT id, method, made, scores, used FROM models WHERE project = ? ORDER BY id DESC"
        return [
            {
                "id": int(number),
                "method": str(method),
                "made": str(made),
                "scores": json.loads(scores),
                "used": bool(used),
            }
            for number, method, made, scores, used in self.database.select(sql, project)
        ]

    def _owner(self, model: int) -> tuple[int, str]:
        """The project and the method of a model."""
        rows = self.database.select("SELECT project, method FROM models WHERE id = ?", model)
        if not rows:
            raise HttpError(404, "NotFound", f"there is no model {model}")
        return int(rows[0][0]), str(rows[0][1])

    def read(self, model: int) -> tuple[str, bytes]:
        """The method of a model and its file."""
        _, method = self._owner(model)
        ((body,),) = self.database.select("SELECT body FROM models WHERE id = ?", model)
        return method, zlib.decompress(body)

    def set_used(self, model: int, *, used: bool) -> None:
        """Use a model for suggestions in its project, in place of another; or the shipped one."""
        project, method = self._owner(model)
        with self.database.transaction() as db:
            sql = "UPDATE models SET used = (id = ? AND ?) WHERE project = ? AND method = ?"
            db.execute(sql, (model, used, project, method))

    def used_model(self, project: int, method: str) -> bytes:
        """The file of the model that a project uses for a method; empty for the shipped one."""
        sql = "SELECT body FROM models WHERE project = ? AND method = ? AND used"
        rows = self.database.select(sql, project, method)
        return zlib.decompress(rows[0][0]) if rows else b""

    def delete(self, model: int) -> None:
        """Delete a model."""
        self._owner(model)
        with self.database.transaction() as db:
            db.execute("DELETE FROM models WHERE id = ?", (model,))
