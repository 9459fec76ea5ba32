"""The tables of the annotator's database, and how an older file becomes a newer one.

`PRAGMA user_version` tells how many of the steps a file has seen. A step is never changed once
it was released; a new one is added behind it.
"""

import sqlite3

from pagelet.errors import OptionError

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
