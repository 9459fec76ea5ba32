"""Search applications that other people wrote, filled with rows we know, on loopback."""

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.apps.finds import FINDS, showing
from tests.apps.serving import HOST, App, free_port, run, serving

HERE = Path(__file__).parent
COLUMNS = ("title", "maker", "town", "year", "price", "note")
APPS = ("datasette", "trac", "roundup", "pydoc")
# Trac does without Babel, but falls over a later one than it knows; other tools bring one.
TRAC = """import sys; sys.modules["babel"] = None
from trac.web.standalone import main; sys.exit(main())"""


FIGURES = pytest.StashKey[list[str]]()


@pytest.fixture(scope="session")
def figures(pytestconfig: pytest.Config) -> list[str]:
    """Lines that are printed when the run ends."""
    return pytestconfig.stash.setdefault(FIGURES, [])


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    for line in config.stash.get(FIGURES, []):
        terminalreporter.write_line(line)


@pytest.fixture(scope="session", params=APPS)
def app(request: pytest.FixtureRequest) -> App:
    """Each application in turn."""
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="session")
def datasette(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """A table of a SQLite file with full-text search, twenty rows a page."""
    folder, port = tmp_path_factory.mktemp("datasette"), free_port()
    with closing(sqlite3.connect(folder / "museum.db")) as database:
        columns, marks = ", ".join(COLUMNS), ", ".join("?" for _ in COLUMNS)
        database.execute(f"create table finds (id integer primary key, {columns})")
        database.executemany(
            f"insert into finds ({columns}) values ({marks})",
            [tuple(row.values()) for row in showing(*COLUMNS)],
        )
        database.execute(f'create virtual table words using fts5({columns}, content="finds")')
        database.execute("insert into words (words) values ('rebuild')")
        database.commit()
    url = f"http://{HOST}:{port}"
    program = ("-m", "datasette", "serve", "museum.db", "--host", HOST, "--port", str(port))
    page = f"{url}/museum/finds"
    with serving(folder, page, *program, "--setting", "default_page_size", "20"):
        yield App("datasette", url, page, "_search", showing(*COLUMNS))


@pytest.fixture(scope="session")
def trac(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """Tickets of a project, found by its search page, ten a page."""
    folder, port = tmp_path_factory.mktemp("trac"), free_port()
    run(folder, "-m", "trac.admin.console", "env", "initenv", "Museum", "sqlite:db/trac.db")
    run(folder, str(HERE / "fill_trac.py"), "env", given=json.dumps(FINDS))
    url = f"http://{HOST}:{port}"
    program = ("-c", TRAC, "--single-env", "--hostname", HOST, "--port", str(port), "env")
    with serving(folder, f"{url}/search", *program):
        yield App("trac", url, f"{url}/search", "q", showing("title", "note", "maker"))


@pytest.fixture(scope="session")
def roundup(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """Issues of a tracker, fifty a page; notes are searched but not shown."""
    folder, port = tmp_path_factory.mktemp("roundup"), free_port()
    url = f"http://{HOST}:{port}/museum/"
    settings = f"tracker_web={url},mail_domain=museum.example,mail_host={HOST}"
    admin = ("-m", "roundup.scripts.roundup_admin", "-i", "tracker")
    run(folder, *admin, "install", "classic", "sqlite", settings)
    run(folder, *admin, "initialise", "secret")
    run(folder, str(HERE / "fill_roundup.py"), "tracker", given=json.dumps(FINDS))
    # It wants to be told its user before it runs as root.
    program = ("-m", "roundup.scripts.roundup_server", "-u", str(os.getuid()), "-t", "none")
    page = f"{url}issue?@template=search"
    with serving(folder, page, *program, "-n", HOST, "-p", str(port), "museum=tracker"):
        yield App("roundup", url, page, "@search_text", showing("title", "state"))


@pytest.fixture(scope="session")
def pydoc(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """Modules with one line of text each; all on one page, nothing escaped, no tags a record."""
    folder, port = tmp_path_factory.mktemp("pydoc"), free_port()
    for row in FINDS:
        text = f'"""{row["title"]}; {row["note"]}"""\n'
        (folder / f"{row['name']}.py").write_text(text, encoding="utf-8")
    url = f"http://{HOST}:{port}/"
    with serving(folder, url, "-SB", "-m", "pydoc", "-n", HOST, "-p", str(port)):
        yield App("pydoc", url, url, "key", showing("name", "title", "note"))
