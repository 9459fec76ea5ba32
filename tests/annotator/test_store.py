"""The annotator's database: what is kept, undone and done again, by many at once."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagelet.annotator.marks import Mark
from pagelet.annotator.store import STEPS, VERSION, Store
from pagelet.errors import OptionError
from pagelet.server.errors import HttpError


@pytest.fixture
def store(tmp_path):
    opened = Store(tmp_path / "sub" / "marks.sqlite")
    yield opened
    opened.close()


@pytest.fixture
def page(store):
    return store.add_page(store.project("seeds"), "a.html", b"<p>x</p>", "https://x.example/").id


def said(store, page, name="ann"):
    return [(mark.kind, mark.paths) for mark in store.marks(page, name)]


def test_pages_come_back_as_they_came(store):
    body = bytes(range(256)) * 100
    kept = store.add_page(store.project("seeds"), "a.html", body, "https://x.example/")
    assert store.html(kept.id) == body
    assert store.page(kept.id) == kept
    assert store.projects() == [(kept.project, "seeds", 1)]


def test_a_page_keeps_its_name_and_its_html(store, page):
    project = store.page(page).project
    assert store.add_page(project, "a.html", b"<p>x</p>").id == page
    with pytest.raises(HttpError, match="other HTML"):
        store.add_page(project, "a.html", b"<p>y</p>")
    assert store.add_page(store.project("other"), "a.html", b"<p>y</p>").id != page


def test_what_lasts_is_in_the_file(tmp_path):
    path = tmp_path / "marks.sqlite"
    store = Store(path)
    page = store.add_page(store.project("seeds"), "a.html", b"<p>x</p>").id
    store.change(page, "ann", add=[Mark("menu", ("/html/body/p",), sure=0.5)])
    store.look(page, "ann", "noise", looked=True)
    store.close()
    again = Store(path)
    (mark,) = again.marks(page, "ann")
    assert (mark.kind, mark.paths, mark.sure, mark.source) == (
        "menu",
        ("/html/body/p",),
        0.5,
        "person",
    )
    assert again.looked(page, "ann") == ["noise"]
    assert again.step(page, "ann", "undo")
    assert again.marks(page, "ann") == []
    again.close()


def test_undo_and_redo(store, page):
    one = store.change(page, "ann", add=[Mark("menu", ("/a",))])[0]
    store.change(page, "ann", drop=[one.id], add=[Mark("noise", ("/b",)), Mark("noise", ("/c",))])
    both = [("noise", ("/b",)), ("noise", ("/c",))]
    assert store.steps(page, "ann") == (2, 0)
    assert store.step(page, "ann", "undo")
    assert store.marks(page, "ann") == [one]  # with its old number
    assert store.step(page, "ann", "undo")
    assert said(store, page) == []
    assert not store.step(page, "ann", "undo")
    assert store.steps(page, "ann") == (0, 2)
    assert store.step(page, "ann", "redo")
    assert store.step(page, "ann", "redo")
    assert not store.step(page, "ann", "redo")
    assert said(store, page) == both


def test_a_new_change_ends_what_could_be_done_again(store, page):
    store.change(page, "ann", add=[Mark("menu", ("/a",))])
    store.step(page, "ann", "undo")
    store.change(page, "ann", add=[Mark("menu", ("/b",))])
    assert store.steps(page, "ann") == (1, 0)


def test_annotators_do_not_meet(store, page):
    store.change(page, "ann", add=[Mark("menu", ("/a",))])
    assert said(store, page, "bob") == []
    assert not store.step(page, "bob", "undo")
    with pytest.raises(HttpError, match="no mark 1 of yours"):
        store.change(page, "bob", drop=[1])
    assert store.annotators(store.page(page).project) == ["ann"]


def test_a_change_is_made_whole_or_not_at_all(store, page):
    store.change(page, "ann", add=[Mark("menu", ("/a",))])
    with pytest.raises(HttpError):
        store.change(page, "ann", drop=[1, 99], add=[Mark("noise", ("/b",))])
    with pytest.raises(TypeError):
        store.change(page, "ann", drop=[1], add=[Mark("noise", (object(),))])
    assert said(store, page) == [("menu", ("/a",))]
    assert store.steps(page, "ann") == (1, 0)


def test_a_page_goes_with_all_that_was_said_of_it(store, page):
    store.change(page, "ann", add=[Mark("menu", ("/a",))])
    store.look(page, "ann", "menu", looked=True)
    store.drop_page(page)
    for table in ("marks", "journal", "looked", "pages"):
        assert store._all(f"SELECT COUNT(*) FROM {table}") == [(0,)]
    with pytest.raises(HttpError, match="no page"):
        store.page(page)


def test_the_journal_has_an_end(store, page, monkeypatch):
    monkeypatch.setattr("pagelet.annotator.store.MOST_STEPS", 3)
    for at in range(5):
        store.change(page, "ann", add=[Mark("menu", (f"/{at}",))])
    assert store.steps(page, "ann") == (3, 0)


def test_many_at_once(store, page):
    def work(name: str) -> None:
        for at in range(20):
            store.change(page, name, add=[Mark("menu", (f"/{at}",))])
            store.step(page, name, "undo" if at % 2 else "redo")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, [f"annotator {at}" for at in range(8)]))
    for at in range(8):
        assert len(store.marks(page, f"annotator {at}")) == 10


# -- the file ---------------------------------------------------------------------------------


def test_a_file_of_a_later_version_is_not_touched(tmp_path):
    path = tmp_path / "marks.sqlite"
    with sqlite3.connect(path) as db:
        db.execute(f"PRAGMA user_version = {VERSION + 1}")
    db.close()
    with pytest.raises(OptionError, match="later version"):
        Store(path)


def test_what_is_no_database_is_told(tmp_path):
    path = tmp_path / "marks.sqlite"
    path.write_text("not a database, but long enough to be looked at " * 20)
    with pytest.raises(OptionError, match="cannot be opened"):
        Store(path)


def test_steps_to_a_newer_version(tmp_path, monkeypatch):
    path = tmp_path / "marks.sqlite"
    store = Store(path)
    page = store.add_page(store.project("seeds"), "a.html", b"x").id
    store.close()
    more = "ALTER TABLE pages ADD COLUMN query TEXT;"
    monkeypatch.setattr("pagelet.annotator.store.STEPS", (*STEPS, more))
    monkeypatch.setattr("pagelet.annotator.store.VERSION", VERSION + 1)
    newer = Store(path)
    assert newer.page(page).name == "a.html"
    assert newer._all("SELECT query FROM pages") == [(None,)]
    newer.close()


# -- any work ---------------------------------------------------------------------------------

works = st.lists(
    st.tuples(st.sampled_from(("add", "drop", "undo", "redo")), st.integers(0, 5)), max_size=25
)


@settings(max_examples=60)
@given(works)
def test_any_work_equals_a_list_of_states(work):
    """The twin keeps every state whole: undoing is looking one back."""
    store = Store(":memory:")
    page = store.add_page(store.project("seeds"), "a.html", b"x").id
    states, at = [[]], 0
    for number, (what, which) in enumerate(work):
        now = states[at]
        if what == "undo":
            assert store.step(page, "ann", "undo") == (at > 0)
            at = max(at - 1, 0)
        elif what == "redo":
            assert store.step(page, "ann", "redo") == (at + 1 < len(states))
            at = min(at + 1, len(states) - 1)
        elif what == "add" or not now:
            kept = store.change(page, "ann", add=[Mark("menu", (f"/{number}",))])
            states, at = [*states[: at + 1], [*now, *kept]], at + 1
        else:
            gone = now[which % len(now)]
            store.change(page, "ann", drop=[gone.id])
            states, at = [*states[: at + 1], [mark for mark in now if mark != gone]], at + 1
        assert store.marks(page, "ann") == states[at]
        assert store.steps(page, "ann") == (at, len(states) - 1 - at)
    store.close()
