"""What a proposal may cost: a worker process makes it, and is ended when it takes too long."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from pagelet import parse
from pagelet.annotator import jobs, store
from pagelet.annotator.database import Database
from pagelet.annotator.marks import StoredPage
from pagelet.annotator.routes import API
from pagelet.annotator.store import PageCache, estimate_bytes
from pagelet.server.settings import Settings
from pagelet.server.work import WorkerContext
from tests.annotator.annotating import SITE, STORY, Annotator, annotating

GOOD = (SITE / STORY).read_bytes()
#: marks of these many parts, none of which the other page has, are looked for among all of its own
PARTS = b"<body><p>same</p>" + b"".join(b"<h2 class=k%d>x</h2>" % n for n in range(199))
CROWD = b"<body><p>same</p>" + b"".join(b"<p class=c%d>y</p>" % n for n in range(120_000))


@pytest.fixture(scope="module")
def ann(tmp_path_factory):
    """Somebody whose service has one worker and all the time there is."""
    database = tmp_path_factory.mktemp("limits") / "marks.sqlite"
    with annotating(database, timeout=600) as client:
        yield Annotator(client)


def wait_for_worker(pool: Any) -> None:
    """Wait until the worker is there again."""
    for _ in range(30_000):
        if pool.plain.pool.idle:
            return
        time.sleep(0.01)
    raise AssertionError("the worker is never replaced")


@contextmanager
def limited(
    ann: Annotator,
    seconds: float,
) -> Iterator[None]:
    """A limit for jobs; the worker stands still, so that the first one takes for ever."""
    pool = ann.client.app.state.pool
    before, pool.settings = pool.settings, replace(pool.settings, timeout=seconds)
    wait_for_worker(pool)
    (worker,) = pool.plain.pool.idle
    os.kill(worker.process.pid, signal.SIGSTOP)
    yield
    pool.settings = before


@pytest.mark.parametrize(
    ("method", "path", "form"),
    [
        ("post", "/suggest", {"method": "noise"}),
        ("get", "/drawing", {}),
        ("post", "/marks", {"kind": "noise", "rows": [5]}),
    ],
)
def test_whatever_reads_a_page_is_ended_when_it_takes_too_long(ann, method, path, form):
    page = ann.upload(ann.project("slow"), "slow.html", GOOD).json()["id"]
    with limited(ann, 0.5):
        told = getattr(ann, method)(f"/pages/{page}{path}", **form)
    assert (told.status_code, told.json()["error"]) == (503, "OverTime")
    assert told.json()["message"].startswith("slow.html: took more than 0.5 seconds")
    found = ann.get(f"/pages/{page}").json()
    assert (found["marks"], found["looked"]) == ([], [])
    answer = ann.post(f"/pages/{page}/suggest", method="menu")
    assert (answer.status_code, answer.json()["new"]) == (200, 1)
    ann.client.delete(f"{API}/pages/{page}")


def test_an_export_is_ended_when_a_page_takes_too_long(ann):
    project = ann.project("export")
    ann.upload(project, "slow.html", GOOD)
    with limited(ann, 0.5):
        told = ann.get(f"/projects/{project}/export")
    assert (told.status_code, told.json()["error"]) == (503, "OverTime")
    assert ann.get(f"/projects/{project}/export").status_code == 200


def test_no_page_is_parsed_in_the_process_of_the_service(ann, monkeypatch):
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("parsed in the process of the service")

    project = ann.project("elsewhere")
    page = ann.upload(project, "a.html", GOOD).json()["id"]
    monkeypatch.setattr(store, "parse", refuse)
    row = parse(GOOD).body
    for path in ("", "/drawing", "/agreement"):
        assert ann.get(f"/pages/{page}{path}").status_code == 200
    assert ann.post(f"/pages/{page}/marks", kind="noise", rows=[row]).status_code == 200
    for path in ("gold", "export"):
        assert ann.get(f"/projects/{project}/{path}").status_code == 200


def test_pages_are_kept_up_to_a_limit_of_bytes():
    page = parse(GOOD)
    size, stored = estimate_bytes(page), StoredPage(1, 1, "a", None, "")
    cache, made = PageCache(3 * size), []

    def make(number: int):
        return cache.get(("", replace(stored, id=number)), lambda: made.append(number) or page)

    for number in (1, 2, 3, 1, 4, 1, 2):
        assert make(number) is page
    assert made == [1, 2, 3, 4, 2]
    assert (len(cache), cache.size) == (3, 3 * size)
    small = PageCache(size - 1)
    assert small.get(("", stored), lambda: page) is page
    assert (len(small), small.size) == (0, 0)


def mark_parts(ann, key):
    page = parse(PARTS)
    rows = [row for row in range(len(page)) if page.name(row) == "h2"]
    assert ann.post(f"/pages/{key}/marks", kind="noise", rows=rows).status_code == 200


def test_a_page_that_takes_too_long_does_not_end_a_spread(ann):
    project = ann.project("crowd")
    key = ann.upload(project, "a.html", PARTS).json()["id"]
    ann.upload(project, "b.html", PARTS)
    ann.upload(project, "c.html", PARTS + b"<p>more")
    mark_parts(ann, key)
    with limited(ann, 5):  # many times what the other page takes
        answer = ann.post(f"/pages/{key}/spread").json()
    told = {page["name"]: page for page in answer["pages"]}
    assert told["b.html"]["problem"].startswith("b.html: took more than 5 seconds")
    assert "carried" not in told["b.html"]
    assert (told["c.html"]["carried"], told["c.html"]["sure"]) == (1, 1.0)


def test_a_spread_ends_when_every_page_takes_too_long(ann):
    project = ann.project("crowds")
    key = ann.upload(project, "a.html", PARTS).json()["id"]
    for name in "bcde":
        ann.upload(project, f"{name}.html", CROWD)
    mark_parts(ann, key)
    with limited(ann, 0.2):
        told = ann.post(f"/pages/{key}/spread")
    assert (told.status_code, told.json()["error"]) == (503, "OverTime")
    assert told.json()["message"].startswith("d.html")


def test_a_spread_that_takes_too_much_memory_is_given_up(tmp_path, monkeypatch):
    def greedy(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(jobs, "map_pages", greedy)
    database = Database(tmp_path / "marks.sqlite")
    page = database.add_page(database.ensure_project("p"), "a.html", GOOD).id
    database.close()
    context = WorkerContext(Settings(memory=321, database=tmp_path / "marks.sqlite"))
    job = jobs.AnnotatorJob("a.html", "spread", page, "ann", target=page)
    told = jobs.run_job(job, context)
    assert (told.status, told.spent) == (503, True)  # the worker is replaced
    assert b"a.html takes more than 321 MB" in told.body


def test_a_page_that_takes_the_place_of_another_is_read_anew(ann):
    project = ann.project("anew")
    first = ann.upload(project, "first.html", b"<p>one").json()["id"]
    row = parse(b"<p>one").row("/html/body/p")
    assert ann.post(f"/pages/{first}/marks", kind="noise", rows=[row]).status_code == 200
    ann.client.delete(f"/annotate/api/pages/{first}")
    second = ann.upload(project, "first.html", b"<p>two").json()["id"]
    assert second == first
    (mark,) = ann.post(f"/pages/{second}/marks", kind="noise", rows=[row]).json()["marks"]
    assert mark["text"] == "two"
    ann.client.delete(f"/annotate/api/pages/{second}")
