"""The annotator's database: projects, pages, annotators, marks, and what was done, to undo it.

One SQLite file, which other processes may read meanwhile. One connection serves all threads, a
call at a time. Every change of marks is one transaction, written down as the marks before and
after it.
"""

import hashlib
import json
import sqlite3
import threading
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from pagelet.annotator.marks import Mark, Stored, mark_of
from pagelet.errors import OptionError
from pagelet.server.errors import HttpError

# -- The tables of the annotator's database, and how an older file becomes a newer one --------


STEPS = (
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
)
VERSION = len(STEPS)


def upgrade(db: sqlite3.Connection, name: str) -> None:
    """Take the steps that a file has not seen, all or none of them."""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version > VERSION:
        why = f"made by a later version of pagelet (schema {version}, this one knows {VERSION})"
        raise OptionError("database", name, why)
    if version == VERSION:
        return
    steps = "".join(STEPS[version:])
    db.executescript(f"BEGIN IMMEDIATE;{steps};PRAGMA user_version = {VERSION};COMMIT;")


# -- The annotator's database: projects, pages, annotators, marks, and what was done, to undo it


MOST_STEPS = 1000  #: changes of a page that can be undone
COLUMNS = "id, kind, paths, source, suggested_by, sure, made"


class Store:
    """The database, opened; made when there is none."""

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
        """End the connection."""
        with self._lock:
            self._db.close()

    @contextmanager
    def _change(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it or nothing."""
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def _all(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        with self._lock:
            return self._db.execute(sql, values).fetchall()

    def _id(self, table: Literal["projects", "annotators"], name: str) -> int:
        """The number of a name, given when it is new."""
        with self._change() as db:
            db.execute(f"INSERT OR IGNORE INTO {table} (name) VALUES (?)", (name,))  # noqa: S608
            found = db.execute(f"SELECT id FROM {table} WHERE name = ?", (name,))  # noqa: S608
            return int(found.fetchone()[0])

    # -- projects, pages, files ------------------------------------------------------------

    def project(self, name: str) -> int:
        """The number of a project, which is made when it is new."""
        return self._id("projects", name)

    def projects(self) -> list[tuple[int, str, int]]:
        """Number, name and count of pages of every project, by name."""
        sql = (
            "SELECT projects.id, projects.name, COUNT(pages.id) FROM projects LEFT JOIN pages"
            " ON pages.project = projects.id GROUP BY projects.id ORDER BY projects.name"
        )
        return [(int(at), str(name), int(count)) for at, name, count in self._all(sql)]

    def project_name(self, project: int) -> str:
        """The name of a project."""
        found = self._all("SELECT name FROM projects WHERE id = ?", project)
        if not found:
            raise HttpError(404, "NotFound", f"there is no project {project}")
        return str(found[0][0])

    def add_page(self, project: int, name: str, html: bytes, url: str | None = None) -> Stored:
        """Keep a page; one of the same name must be the same page, since marks refer to it."""
        digest = hashlib.sha256(html).hexdigest()
        with self._change() as db:
            found = db.execute(
                "SELECT id, digest FROM pages WHERE project = ? AND name = ?", (project, name)
            ).fetchone()
            if found is not None and found[1] != digest:
                why = f"{name} is there already, with other HTML; give it another name"
                raise HttpError(409, "NameTaken", why)
            if found is None:
                packed = zlib.compress(html)
                db.execute(
                    "INSERT INTO pages (project, name, url, digest, html) VALUES (?, ?, ?, ?, ?)",
                    (project, name, url, digest, packed),
                )
            sql = "SELECT id, url FROM pages WHERE project = ? AND name = ?"
            number, kept_url = db.execute(sql, (project, name)).fetchone()
        return Stored(number, project, name, kept_url, digest)

    def pages(self, project: int) -> list[Stored]:
        """The pages of a project, by name."""
        sql = "SELECT id, project, name, url, digest FROM pages WHERE project = ? ORDER BY name"
        return [Stored(*row) for row in self._all(sql, project)]

    def page(self, id: int) -> Stored:
        """A page by its number."""
        found = self._all("SELECT id, project, name, url, digest FROM pages WHERE id = ?", id)
        if not found:
            raise HttpError(404, "NotFound", f"there is no page {id}")
        return Stored(*found[0])

    def html(self, id: int) -> bytes:
        """The HTML of a page, as it came."""
        self.page(id)
        return zlib.decompress(self._all("SELECT html FROM pages WHERE id = ?", id)[0][0])

    def drop_page(self, id: int) -> None:
        """Forget a page and all that was said of it."""
        self.page(id)
        with self._change() as db:
            db.execute("DELETE FROM pages WHERE id = ?", (id,))

    def add_file(self, project: int, name: str, body: bytes) -> None:
        """Keep a picture, font or style sheet that pages of a project show."""
        with self._change() as db:
            db.execute(
                "INSERT OR REPLACE INTO files VALUES (?, ?, ?)",
                (project, name, zlib.compress(body)),
            )

    def files(self, project: int) -> Iterator[tuple[str, bytes]]:
        """Names and bytes of the files of a project."""
        for (name,) in self._all("SELECT name FROM files WHERE project = ?", project):
            sql = "SELECT body FROM files WHERE project = ? AND name = ?"
            for (body,) in self._all(sql, project, name):
                yield name, zlib.decompress(body)

    # -- marks -----------------------------------------------------------------------------

    def annotator(self, name: str) -> int:
        """The number of an annotator, given when the name is new."""
        return self._id("annotators", name)

    def annotators(self, project: int) -> list[str]:
        """Who said something of pages of a project, by name."""
        sql = (
            "SELECT DISTINCT annotators.name FROM annotators JOIN marks"
            " ON marks.annotator = annotators.id JOIN pages ON marks.page = pages.id"
            " WHERE pages.project = ? ORDER BY annotators.name"
        )
        return [name for (name,) in self._all(sql, project)]

    def _who(self, name: str) -> int:
        """The number of an annotator; 0 for nobody."""
        found = self._all("SELECT id FROM annotators WHERE name = ?", name)
        return int(found[0][0]) if found else 0

    def marks(self, page: int, annotator: str) -> list[Mark]:
        """What somebody said of a page, and what was proposed to them, in order."""
        sql = f"SELECT {COLUMNS} FROM marks WHERE page = ? AND annotator = ? ORDER BY id"  # noqa: S608
        return [_mark(row) for row in self._all(sql, page, self._who(annotator))]

    def change(
        self, page: int, annotator: str, drop: Sequence[int] = (), add: Sequence[Mark] = ()
    ) -> list[Mark]:
        """Take marks away and put marks there, as one step that can be undone."""
        self.page(page)
        own = self.annotator(annotator)
        with self._change() as db:
            before = [self._owned(db, page, own, number) for number in drop]
            _drop(db, [mark.id for mark in before])
            after = [_put(db, page, own, mark) for mark in add]
            db.execute(
                "DELETE FROM journal WHERE page = ? AND annotator = ? AND undone", (page, own)
            )
            db.execute(
                "INSERT INTO journal (page, annotator, before, after) VALUES (?, ?, ?, ?)",
                (page, own, _written(before), _written(after)),
            )
            db.execute(
                "DELETE FROM journal WHERE page = ? AND annotator = ? AND id NOT IN (SELECT id FROM"
                " journal WHERE page = ? AND annotator = ? ORDER BY id DESC LIMIT ?)",
                (page, own, page, own, MOST_STEPS),
            )
        return after

    def _owned(self, db: sqlite3.Connection, page: int, annotator: int, id: int) -> Mark:
        sql = f"SELECT {COLUMNS} FROM marks WHERE id = ? AND page = ? AND annotator = ?"  # noqa: S608
        row = db.execute(sql, (id, page, annotator)).fetchone()
        if row is None:
            raise HttpError(404, "NotFound", f"there is no mark {id} of yours on this page")
        return _mark(row)

    def step(self, page: int, annotator: str, way: Literal["undo", "redo"]) -> bool:
        """Undo the last step, or do again the last that was undone; false when there is none."""
        self.page(page)
        own, undone = self.annotator(annotator), way == "redo"
        order = "ASC" if undone else "DESC"
        with self._change() as db:
            row = db.execute(
                "SELECT id, before, after FROM journal WHERE page = ? AND annotator = ?"  # noqa: S608
                f" AND undone = ? ORDER BY id {order} LIMIT 1",
                (page, own, undone),
            ).fetchone()
            if row is None:
                return False
            before, after = _read(row[1]), _read(row[2])
            away, back = (before, after) if undone else (after, before)
            _drop(db, [mark.id for mark in away])
            for mark in back:
                _put(db, page, own, mark)
            db.execute("UPDATE journal SET undone = ? WHERE id = ?", (not undone, row[0]))
        return True

    def steps(self, page: int, annotator: str) -> tuple[int, int]:
        """How many steps can be undone, and how many done again."""
        sql = "SELECT COUNT(*) - TOTAL(undone), TOTAL(undone) FROM journal"
        sql += " WHERE page = ? AND annotator = ?"
        ((undo, redo),) = self._all(sql, page, self._who(annotator))
        return int(undo), int(redo)

    # -- kinds that were looked for --------------------------------------------------------

    def look(self, page: int, annotator: str, kind: str, *, looked: bool) -> None:
        """Write down that somebody looked for a kind on a page, or that they did not."""
        self.page(page)
        own = self.annotator(annotator)
        sql = "INSERT OR IGNORE INTO looked VALUES (?, ?, ?)"
        if not looked:
            sql = "DELETE FROM looked WHERE page = ? AND annotator = ? AND kind = ?"
        with self._change() as db:
            db.execute(sql, (page, own, kind))

    def looked(self, page: int, annotator: str) -> list[str]:
        """The kinds that somebody says to have looked for on a page."""
        sql = "SELECT kind FROM looked WHERE page = ? AND annotator = ? ORDER BY kind"
        return [kind for (kind,) in self._all(sql, page, self._who(annotator))]


def _mark(row: Sequence[Any]) -> Mark:
    number, kind, paths, source, suggested_by, sure, made = row
    return Mark(kind, tuple(json.loads(paths)), source, suggested_by, sure, number, made)


def _put(db: sqlite3.Connection, page: int, annotator: int, mark: Mark) -> Mark:
    """Keep a mark, under its old number if it had one."""
    values = (mark.kind, json.dumps(mark.paths), mark.source, mark.suggested_by, mark.sure)
    found = db.execute(
        "INSERT INTO marks (id, page, annotator, kind, paths, source, suggested_by, sure, made)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (mark.id or None, page, annotator, *values, mark.made),
    )
    return mark_of({**mark.form(), "id": found.lastrowid})


def _drop(db: sqlite3.Connection, ids: Sequence[int]) -> None:
    db.executemany("DELETE FROM marks WHERE id = ?", [(number,) for number in ids])


def _written(marks: Sequence[Mark]) -> str:
    return json.dumps([mark.form() for mark in marks])


def _read(written: str) -> list[Mark]:
    return [mark_of(form) for form in json.loads(written)]
