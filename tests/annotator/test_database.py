"""The annotator's database: what is kept, undone and done again, by many at once."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagelet.annotator.database import MIGRATIONS, SCHEMA_VERSION, Database
from pagelet.annotator.marks import Mark
from pagelet.errors import OptionError
from pagelet.server.errors import HttpError


@pytest.fixture
def database(tmp_path):
    opened = Database(tmp_path / "sub" / "marks.sqlite")
    yield opened
    opened.close()


@pytest.fixture
def page(database):
    return database.add_page(
        database.ensure_project("seeds"), "a.html", b"<p>x</p>", "https://x.example/"
    ).id


def said(database, page, name="ann"):
    return [(mark.kind, mark.paths) for mark in database.list_marks(page, name)]


def test_pages_come_back_as_they_came(database):
    body = bytes(range(256)) * 100
    kept = database.add_page(database.ensure_project("seeds"), "a.html", body, "https://x.example/")
    assert database.read_html(kept.id) == body
    assert database.page(kept.id) == kept
    assert database.list_projects() == [(kept.project, "seeds", 1)]


def test_a_page_keeps_its_name_and_its_html(database, page):
    project = database.page(page).project
    assert database.add_page(project, "a.html", b"<p>x</p>").id == page
    with pytest.raises(HttpError, match="other HTML"):
        database.add_page(project, "a.html", b"<p>y</p>")
    assert database.add_page(database.ensure_project("other"), "a.html", b"<p>y</p>").id != page


def test_what_lasts_is_in_the_file(tmp_path):
    path = tmp_path / "marks.sqlite"
    database = Database(path)
    page = database.add_page(database.ensure_project("seeds"), "a.html", b"<p>x</p>").id
    database.change_marks(page, "ann", add=[Mark("menu", ("/html/body/p",), sure=0.5)])
    database.set_looked(page, "ann", "noise", looked=True)
    database.close()
    again = Database(path)
    (mark,) = again.list_marks(page, "ann")
    assert (mark.kind, mark.paths, mark.sure, mark.source) == (
        "menu",
        ("/html/body/p",),
        0.5,
        "person",
    )
    assert again.list_looked(page, "ann") == ["noise"]
    assert again.step(page, "ann", "undo")
    assert again.list_marks(page, "ann") == []
    again.close()


def test_undo_and_redo(database, page):
    one = database.change_marks(page, "ann", add=[Mark("menu", ("/a",))])[0]
    database.change_marks(
        page, "ann", delete=[one.id], add=[Mark("noise", ("/b",)), Mark("noise", ("/c",))]
    )
    both = [("noise", ("/b",)), ("noise", ("/c",))]
    assert database.count_steps(page, "ann") == (2, 0)
    assert database.step(page, "ann", "undo")
    assert database.list_marks(page, "ann") == [one]  # with its old number
    assert database.step(page, "ann", "undo")
    assert said(database, page) == []
    assert not database.step(page, "ann", "undo")
    assert database.count_steps(page, "ann") == (0, 2)
    assert database.step(page, "ann", "redo")
    assert database.step(page, "ann", "redo")
    assert not database.step(page, "ann", "redo")
    assert said(database, page) == both


def test_a_new_change_ends_what_could_be_done_again(database, page):
    database.change_marks(page, "ann", add=[Mark("menu", ("/a",))])
    database.step(page, "ann", "undo")
    database.change_marks(page, "ann", add=[Mark("menu", ("/b",))])
    assert database.count_steps(page, "ann") == (1, 0)


def test_annotators_do_not_meet(database, page):
    database.change_marks(page, "ann", add=[Mark("menu", ("/a",))])
    assert said(database, page, "bob") == []
    assert not database.step(page, "bob", "undo")
    with pytest.raises(HttpError, match="no mark 1 of yours"):
        database.change_marks(page, "bob", delete=[1])
    assert database.list_annotators(database.page(page).project) == ["ann"]


def test_a_change_is_made_whole_or_not_at_all(database, page):
    database.change_marks(page, "ann", add=[Mark("menu", ("/a",))])
    with pytest.raises(HttpError):
        database.change_marks(page, "ann", delete=[1, 99], add=[Mark("noise", ("/b",))])
    with pytest.raises(TypeError):
        database.change_marks(page, "ann", delete=[1], add=[Mark("noise", (object(),))])
    assert said(database, page) == [("menu", ("/a",))]
    assert database.count_steps(page, "ann") == (1, 0)


def test_a_page_goes_with_all_that_was_said_of_it(database, page):
    database.change_marks(page, "ann", add=[Mark("menu", ("/a",))])
    database.set_looked(page, "ann", "menu", looked=True)
    database.set_deleted("pages", page, deleted=True)
    database.purge(0)
    for table in ("marks", "journal", "looked", "pages"):
        assert database.select(f"SELECT COUNT(*) FROM {table}") == [(0,)]
    with pytest.raises(HttpError, match="no page"):
        database.page(page)


def test_the_journal_has_an_end(database, page, monkeypatch):
    monkeypatch.setattr("pagelet.annotator.database.MAX_UNDO_STEPS", 3)
    for at in range(5):
        database.change_marks(page, "ann", add=[Mark("menu", (f"/{at}",))])
    assert database.count_steps(page, "ann") == (3, 0)


def test_many_at_once(database, page):
    def work(name: str) -> None:
        for at in range(20):
            database.change_marks(page, name, add=[Mark("menu", (f"/{at}",))])
            database.step(page, name, "undo" if at % 2 else "redo")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, [f"annotator {at}" for at in range(8)]))
    for at in range(8):
        assert len(database.list_marks(page, f"annotator {at}")) == 10


# -- the file ---------------------------------------------------------------------------------


def test_a_file_of_a_later_version_is_not_touched(tmp_path):
    path = tmp_path / "marks.sqlite"
    with sqlite3.connect(path) as db:
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    db.close()
    with pytest.raises(OptionError, match="later version"):
        Database(path)


def test_what_is_no_database_is_told(tmp_path):
    path = tmp_path / "marks.sqlite"
    path.write_text("not a database, but long enough to be looked at " * 20)
    with pytest.raises(OptionError, match="cannot be opened"):
        Database(path)


def test_steps_to_a_newer_version(tmp_path, monkeypatch):
    path = tmp_path / "marks.sqlite"
    database = Database(path)
    page = database.add_page(database.ensure_project("seeds"), "a.html", b"x").id
    database.close()
    more = "ALTER TABLE pages ADD COLUMN query TEXT;"
    monkeypatch.setattr("pagelet.annotator.database.MIGRATIONS", (*MIGRATIONS, more))
    monkeypatch.setattr("pagelet.annotator.database.SCHEMA_VERSION", SCHEMA_VERSION + 1)
    newer = Database(path)
    assert newer.page(page).name == "a.html"
    assert newer.select("SELECT query FROM pages") == [(None,)]
    newer.close()


# -- any work ---------------------------------------------------------------------------------

works = st.lists(
    st.tuples(st.sampled_from(("add", "drop", "undo", "redo")), st.integers(0, 5)), max_size=25
)


@settings(max_examples=60)
@given(works)
def test_any_work_equals_a_list_of_states(work):
    """The twin keeps every state whole: undoing is looking one back."""
    database = Database(":memory:")
    page = database.add_page(database.ensure_project("seeds"), "a.html", b"x").id
    states, at = [[]], 0
    for number, (what, which) in enumerate(work):
        now = states[at]
        if what == "undo":
            assert database.step(page, "ann", "undo") == (at > 0)
            at = max(at - 1, 0)
        elif what == "redo":
            assert database.step(page, "ann", "redo") == (at + 1 < len(states))
            at = min(at + 1, len(states) - 1)
        elif what == "add" or not now:
            kept = database.change_marks(page, "ann", add=[Mark("menu", (f"/{number}",))])
            states, at = [*states[: at + 1], [*now, *kept]], at + 1
        else:
            gone = now[which % len(now)]
            database.change_marks(page, "ann", delete=[gone.id])
            states, at = [*states[: at + 1], [mark for mark in now if mark != gone]], at + 1
        assert database.list_marks(page, "ann") == states[at]
        assert database.count_steps(page, "ann") == (at, len(states) - 1 - at)
    database.close()
