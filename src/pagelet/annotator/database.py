"""The annotator's SQLite database: projects, pages, files, annotators, marks, and a journal.

One connection serves all threads, one call at a time; other processes may read meanwhile. Every
change of marks is one transaction, and the journal holds the marks before and after it.
"""

import hashlib
import json
import sqlite3
import threading
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from pagelet.annotator.marks import Mark, StoredPage
from pagelet.errors import OptionError
from pagelet.server.errors import HttpError

#: statements that bring a file from one schema version to the next
MIGRATIONS = (
    """
    CREATE TABLE projects (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE
    );
    CREATE TABLE pages (
        id INTEGER PRIMARY KEY,
        project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
        name TEXT NOT NULL,
        url TEXT,
        digest TEXT NOT NULL,
        html BLOB NOT NULL,
        UNIQUE (project, name)
    );
    CREATE TABLE files (
        project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
        name TEXT NOT NULL,
        body BLOB NOT NULL,
        PRIMARY KEY (project, name)
    );
    CREATE TABLE annotators (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE
    );
    CREATE TABLE marks (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        page INTEGER NOT NULL REFERENCES pages ON DELETE CASCADE,
        annotator INTEGER NOT NULL REFERENCES annotators,
        kind TEXT NOT NULL,
        paths TEXT NOT NULL,
        source TEXT NOT NULL,
        suggested_by TEXT,
        sure REAL,
        made TEXT NOT NULL
    );
    CREATE INDEX marks_by_page ON marks (page, annotator);
    CREATE TABLE looked (
        page INTEGER NOT NULL REFERENCES pages ON DELETE CASCADE,
        annotator INTEGER NOT NULL REFERENCES annotators,
        kind TEXT NOT NULL,
        PRIMARY KEY (page, annotator, kind)
    );
    CREATE TABLE journal (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        page INTEGER NOT NULL REFERENCES pages ON DELETE CASCADE,
        annotator INTEGER NOT NULL REFERENCES annotators,
        before TEXT NOT NULL,
        after TEXT NOT NULL,
        undone INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX journal_by_page ON journal (page, annotator, undone, id);
    """,
    """
    ALTER TABLE projects ADD COLUMN deleted TEXT;
    ALTER TABLE pages ADD COLUMN deleted TEXT;
    CREATE TABLE reviewed (
        page INTEGER NOT NULL REFERENCES pages ON DELETE CASCADE,
        annotator INTEGER NOT NULL REFERENCES annotators,
        PRIMARY KEY (page, annotator)
    );
    CREATE TABLE decisions (
        page INTEGER NOT NULL REFERENCES pages ON DELETE CASCADE,
        kind TEXT NOT NULL,
        paths TEXT NOT NULL,
        kept INTEGER NOT NULL,
        annotator INTEGER NOT NULL REFERENCES annotators,
        PRIMARY KEY (page, kind, paths)
    );
    CREATE TABLE models (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
        method TEXT NOT NULL,
        made TEXT NOT NULL,
        scores TEXT NOT NULL,
        used INTEGER NOT NULL DEFAULT 0,
        body BLOB NOT NULL
    );
    """,
    """
    CREATE TABLE readings (
        page INTEGER NOT NULL REFERENCES pages ON DELETE CASCADE,
        annotator INTEGER NOT NULL REFERENCES annotators,
        suggestion TEXT NOT NULL,
        names TEXT NOT NULL,
        PRIMARY KEY (page, annotator, suggestion)
    );
    """,
)
Named = Literal["projects", "pages"]  #: tables whose rows have names and can be deleted
SCHEMA_VERSION = len(MIGRATIONS)
MAX_UNDO_STEPS = 1000  #: changes of a page that can be undone
KEPT_DAYS = 7  #: days after which what was deleted cannot be restored
#: Query for the pages that were not deleted, nor their project.
SELECT_PAGES = (
    "SELECT pages.id, pages.project, pages.name, pages.url, pages.digest FROM pages JOIN projects"
    " ON projects.id = pages.project WHERE pages.deleted IS NULL AND projects.deleted IS NULL"
)
MARK_COLUMNS = "id, kind, paths, source, suggested_by, sure, made"


def upgrade(db: sqlite3.Connection, name: str) -> None:
    """Apply the migrations that a file lacks, all or none of them."""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version > SCHEMA_VERSION:
        why = f"made by a later version of pagelet (schema {version}, supported: {SCHEMA_VERSION})"
        raise OptionError("database", name, why)
    if version == SCHEMA_VERSION:
        return
    script = "".join(MIGRATIONS[version:])
    db.executescript(f"BEGIN IMMEDIATE;{script};PRAGMA user_version = {SCHEMA_VERSION};COMMIT;")


class Database:
    """An open database; a missing file is created."""

    def __init__(self, path: Path | str) -> None:
        self.path = str(path)
        self._lock = threading.RLock()
        try:
            if self.path != ":memory:":
                Path(path).parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(
                self.path, check_same_thread=False, isolation_level=None, timeout=30
            )
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.execute("PRAGMA foreign_keys = ON")
            upgrade(self._db, self.path)
        except (sqlite3.Error, OSError) as error:
            raise OptionError("database", self.path, f"cannot be opened: {error}") from error

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            self._db.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Commit everything at the end, or nothing after an error; others wait to write.

        A transaction within another is a part of it.
        """
        with self._lock:
            if self._db.in_transaction:
                yield self._db
                return
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def select(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        with self._lock:
            return self._db.execute(sql, values).fetchall()

    def ensure_annotator(self, name: str) -> int:
        """The id of an annotator, who is created if the name is new."""
        return self._ensure("annotators", name)

    def _ensure(self, table: Literal["projects", "annotators"], name: str) -> int:
        """The id of a name, which is inserted if it is new."""
        with self.transaction() as db:
            if table == "projects":
                db.execute("DELETE FROM projects WHERE name = ? AND deleted NOT NULL", (name,))
            db.execute(f"INSERT OR IGNORE INTO {table} (name) VALUES (?)", (name,))  # noqa: S608
            rows = db.execute(f"SELECT id FROM {table} WHERE name = ?", (name,))  # noqa: S608
            return int(rows.fetchone()[0])

    # -- projects, pages, files ------------------------------------------------------------

    def ensure_project(self, name: str) -> int:
        """The id of a project, which is created if it is new."""
        return self._ensure("projects", name)

    def list_projects(self) -> list[tuple[int, str, int]]:
        """Id, name and page count of all projects, sorted by name."""
        sql = (
            "SELECT projects.id, projects.name, COUNT(pages.id) FROM projects LEFT JOIN pages"
            " ON pages.project = projects.id AND pages.deleted IS NULL"
            " WHERE projects.deleted IS NULL GROUP BY projects.id ORDER BY projects.name"
        )
        return [(int(number), str(name), int(count)) for number, name, count in self.select(sql)]

    def project_name(self, project: int) -> str:
        """The name of a project."""
        rows = self.select("SELECT name FROM projects WHERE id = ? AND deleted IS NULL", project)
        if not rows:
            raise HttpError(404, "NotFound", f"there is no project {project}")
        return str(rows[0][0])

    def add_page(self, project: int, name: str, html: bytes, url: str | None = None) -> StoredPage:
        """Add a page; a page of that name must have the same HTML, since marks refer to it."""
        digest = hashlib.sha256(html).hexdigest()
        with self.transaction() as db:
            sql = "DELETE FROM pages WHERE project = ? AND name = ? AND deleted NOT NULL"
            db.execute(sql, (project, name))
            existing = db.execute(
                "SELECT id, url, digest FROM pages WHERE project = ? AND name = ?", (project, name)
            ).fetchone()
            if existing is None:
                inserted = db.execute(
                    "INSERT INTO pages (project, name, url, digest, html) VALUES (?, ?, ?, ?, ?)",
                    (project, name, url, digest, zlib.compress(html)),
                )
                existing = inserted.lastrowid, url, digest
            elif existing[2] != digest:
                why = f"{name} already exists with other HTML; choose another name"
                raise HttpError(409, "NameTaken", why)
        return StoredPage(existing[0], project, name, existing[1], digest)

    def list_pages(self, project: int) -> list[StoredPage]:
        """The pages of a project, sorted by name."""
        sql = SELECT_PAGES + " AND pages.project = ? ORDER BY pages.name"
        return [StoredPage(*row) for row in self.select(sql, project)]

    def page(self, id: int) -> StoredPage:
        """The page with an id."""
        rows = self.select(SELECT_PAGES + " AND pages.id = ?", id)
        if not rows:
            raise HttpError(404, "NotFound", f"there is no page {id}")
        return StoredPage(*rows[0])

    def read_html(self, id: int) -> bytes:
        """The HTML of a page, as it was added."""
        self.page(id)
        return zlib.decompress(self.select("SELECT html FROM pages WHERE id = ?", id)[0][0])

    # -- names, and what was deleted -------------------------------------------------------

    def rename(self, table: Named, id: int, name: str) -> None:
        """Give a project or a page another name, which no other has."""
        beside = "? > 0"  # all projects
        if table == "pages":
            beside = "project = (SELECT project FROM pages WHERE id = ?)"
        with self.transaction() as db:
            sql = f"DELETE FROM {table} WHERE {beside} AND name = ? AND deleted NOT NULL"  # noqa: S608
            db.execute(sql, (id, name))
            try:
                sql = f"UPDATE {table} SET name = ? WHERE id = ? AND deleted IS NULL"  # noqa: S608
                changed = db.execute(sql, (name, id)).rowcount
            except sqlite3.IntegrityError:
                why = f"there is a {table[:-1]} {name[:80]} already; choose another name"
                raise HttpError(409, "NameTaken", why) from None
        if not changed:
            raise HttpError(404, "NotFound", f"there is no {table[:-1]} {id}")

    def set_deleted(self, table: Named, id: int, *, deleted: bool) -> None:
        """Delete a project or a page with all its marks, or restore it."""
        now = datetime.now(UTC).isoformat(timespec="seconds") if deleted else None
        state = "IS NULL" if deleted else "NOT NULL"
        sql = f"UPDATE {table} SET deleted = ? WHERE id = ? AND deleted {state}"  # noqa: S608
        with self.transaction() as db:
            changed = db.execute(sql, (now, id)).rowcount
        if not changed:
            lost = "" if deleted else " to restore"
            raise HttpError(404, "NotFound", f"there is no {table[:-1]} {id}{lost}")

    def purge(self, days: float = KEPT_DAYS) -> None:
        """Delete for good what was deleted so many days ago."""
        before = (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="seconds")
        with self.transaction() as db:
            for table in ("pages", "projects"):
                db.execute(f"DELETE FROM {table} WHERE deleted <= ?", (before,))  # noqa: S608

    # -- files that pages use --------------------------------------------------------------

    def add_file(self, project: int, name: str, body: bytes) -> None:
        """Add or replace a picture, font or style sheet that pages of a project use."""
        with self.transaction() as db:
            db.execute(
                "INSERT OR REPLACE INTO files VALUES (?, ?, ?)",
                (project, name, zlib.compress(body)),
            )

    def list_files(self, project: int) -> list[tuple[str, int]]:
        """Names of the files of a project, and their bytes in the database."""
        sql = "SELECT name, LENGTH(body) FROM files WHERE project = ? ORDER BY name"
        return [(str(name), int(size)) for name, size in self.select(sql, project)]

    def delete_file(self, project: int, name: str) -> None:
        """Delete a file that pages of a project use."""
        with self.transaction() as db:
            sql = "DELETE FROM files WHERE project = ? AND name = ?"
            if not db.execute(sql, (project, name)).rowcount:
                raise HttpError(404, "NotFound", f"there is no file {name[:80]}")

    def read_files(self, project: int) -> Iterator[tuple[str, bytes]]:
        """Yield names and contents of the files of a project."""
        for (name,) in self.select("SELECT name FROM files WHERE project = ?", project):
            sql = "SELECT body FROM files WHERE project = ? AND name = ?"
            for (body,) in self.select(sql, project, name):
                yield name, zlib.decompress(body)

    # -- marks -----------------------------------------------------------------------------

    def list_annotators(self, project: int) -> list[str]:
        """Annotators who marked or looked for something in a project, sorted by name."""
        sql = (
            "SELECT name FROM annotators WHERE id IN (SELECT annotator FROM pages JOIN"
            " (SELECT page, annotator FROM marks UNION SELECT page, annotator FROM looked)"
            " ON page = pages.id WHERE pages.project = ? AND pages.deleted IS NULL) ORDER BY name"
        )
        return [name for (name,) in self.select(sql, project)]

    def annotator_id(self, name: str) -> int:
        """The id of an annotator; 0 if the name is new."""
        rows = self.select("SELECT id FROM annotators WHERE name = ?", name)
        return int(rows[0][0]) if rows else 0

    def list_marks(self, page: int, annotator: str) -> list[Mark]:
        """Marks of an annotator on a page, proposed ones included, in order of creation."""
        sql = f"SELECT {MARK_COLUMNS} FROM marks WHERE page = ? AND annotator = ? ORDER BY id"  # noqa: S608
        return [_read_mark(row) for row in self.select(sql, page, self.annotator_id(annotator))]

    def change_marks(
        self, page: int, annotator: str, delete: Sequence[int] = (), add: Sequence[Mark] = ()
    ) -> list[Mark]:
        """Delete marks and add others, as one step that can be undone; return the added ones."""
        self.page(page)
        own = self.ensure_annotator(annotator)
        with self.transaction() as db:
            before = [self._own_mark(db, page, own, number) for number in delete]
            _delete(db, [mark.id for mark in before])
            after = [_insert(db, page, own, mark) for mark in add]
            db.execute(
                "DELETE FROM journal WHERE page = ? AND annotator = ? AND undone", (page, own)
            )
            db.execute(
                "INSERT INTO journal (page, annotator, before, after) VALUES (?, ?, ?, ?)",
                (page, own, _dump(before), _dump(after)),
            )
            db.execute(
                "DELETE FROM journal WHERE page = ? AND annotator = ? AND id NOT IN (SELECT id FROM"
                " journal WHERE page = ? AND annotator = ? ORDER BY id DESC LIMIT ?)",
                (page, own, page, own, MAX_UNDO_STEPS),
            )
        return after

    def _own_mark(self, db: sqlite3.Connection, page: int, annotator: int, id: int) -> Mark:
        sql = f"SELECT {MARK_COLUMNS} FROM marks WHERE id = ? AND page = ? AND annotator = ?"  # noqa: S608
        row = db.execute(sql, (id, page, annotator)).fetchone()
        if row is None:
            raise HttpError(404, "NotFound", f"there is no mark {id} of yours on this page")
        return _read_mark(row)

    def step(self, page: int, annotator: str, way: Literal["undo", "redo"]) -> bool:
        """Undo the last change, or redo the last undone one; false if there is none."""
        self.page(page)
        own, undone = self.ensure_annotator(annotator), way == "redo"
        order = "ASC" if undone else "DESC"
        with self.transaction() as db:
            row = db.execute(
                "SELECT id, before, after FROM journal WHERE page = ? AND annotator = ?"  # noqa: S608
                f" AND undone = ? ORDER BY id {order} LIMIT 1",
                (page, own, undone),
            ).fetchone()
            if row is None:
                return False
            before, after = _load(row[1]), _load(row[2])
            deleted, restored = (before, after) if undone else (after, before)
            _delete(db, [mark.id for mark in deleted])
            for mark in restored:
                _insert(db, page, own, mark)
            db.execute("UPDATE journal SET undone = ? WHERE id = ?", (not undone, row[0]))
        return True

    def count_steps(self, page: int, annotator: str) -> tuple[int, int]:
        """Number of changes that can be undone, and that can be redone."""
        sql = "SELECT COUNT(*) - TOTAL(undone), TOTAL(undone) FROM journal"
        sql += " WHERE page = ? AND annotator = ?"
        ((undo, redo),) = self.select(sql, page, self.annotator_id(annotator))
        return int(undo), int(redo)

    # -- kinds the annotator has looked for ------------------------------------------------

    def set_looked(self, page: int, annotator: str, kind: str, *, looked: bool) -> None:
        """Record whether an annotator has looked for a kind on a page."""
        self.page(page)
        own = self.ensure_annotator(annotator)
        sql = "INSERT OR IGNORE INTO looked VALUES (?, ?, ?)"
        if not looked:
            sql = "DELETE FROM looked WHERE page = ? AND annotator = ? AND kind = ?"
        with self.transaction() as db:
            db.execute(sql, (page, own, kind))

    def list_looked(self, page: int, annotator: str) -> list[str]:
        """The kinds an annotator has looked for on a page."""
        sql = "SELECT kind FROM looked WHERE page = ? AND annotator = ? ORDER BY kind"
        return [kind for (kind,) in self.select(sql, page, self.annotator_id(annotator))]


def _read_mark(row: Sequence[Any]) -> Mark:
    number, kind, paths, source, suggested_by, sure, made = row
    return Mark(kind, tuple(json.loads(paths)), source, suggested_by, sure, number, made)


def _insert(db: sqlite3.Connection, page: int, annotator: int, mark: Mark) -> Mark:
    """Insert a mark, under its old id if it has one."""
    values = (mark.kind, json.dumps(mark.paths), mark.source, mark.suggested_by, mark.sure)
    inserted = db.execute(
        "INSERT INTO marks (id, page, annotator, kind, paths, source, suggested_by, sure, made)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (mark.id or None, page, annotator, *values, mark.made),
    )
    return replace(mark, id=inserted.lastrowid or 0)


def _delete(db: sqlite3.Connection, ids: Sequence[int]) -> None:
    db.executemany("DELETE FROM marks WHERE id = ?", [(number,) for number in ids])


def _dump(marks: Sequence[Mark]) -> str:
    return json.dumps([mark.to_dict() for mark in marks])


def _load(text: str) -> list[Mark]:
    return [Mark.from_dict(form) for form in json.loads(text)]
