"""What a proposal may cost: a worker process makes it, and is ended when it takes too long."""

import pytest

from pagelet import parse
from pagelet.annotator import jobs
from pagelet.annotator.database import Database
from pagelet.server.settings import Settings
from pagelet.server.work import WorkerContext
from tests import hostile
from tests.annotator.annotating import SITE, STORY, Annotator, annotating

GOOD = (SITE / STORY).read_bytes()
SLOW = hostile.SOURCES["list of links"]().encode() * 10  #: a page whose noise takes twice as long
#: marks of these many parts, none of which the other page has, are looked for among all of its own
PARTS = b"<body><p>same</p>" + b"".join(b"<h2 class=k%d>x</h2>" % n for n in range(199))
CROWD = b"<body><p>same</p>" + b"".join(b"<p class=c%d>y</p>" % n for n in range(120_000))


@pytest.fixture(scope="module")
def ann(tmp_path_factory):
    """Somebody whose service has one worker and gives it four seconds."""
    database = tmp_path_factory.mktemp("limits") / "marks.sqlite"
    with annotating(database, timeout=4) as client:
        yield Annotator(client)


def test_a_suggestion_that_takes_too_long_is_ended(ann):
    project = ann.project("slow")
    slow = ann.upload(project, "slow.html", SLOW).json()["id"]
    told = ann.post(f"/pages/{slow}/suggest", method="noise")
    assert (told.status_code, told.json()["error"]) == (503, "OverTime")
    assert told.json()["message"].startswith("slow.html: took more than 4 seconds")
    assert ann.get(f"/pages/{slow}").json()["marks"] == []
    good = ann.upload(ann.project("good"), "good.html", GOOD).json()["id"]
    answer = ann.post(f"/pages/{good}/suggest", method="menu")
    assert (answer.status_code, answer.json()["new"]) == (200, 1)


def mark_parts(ann, key):
    page = parse(PARTS)
    rows = [row for row in range(len(page)) if page.name(row) == "h2"]
    assert ann.post(f"/pages/{key}/marks", kind="noise", rows=rows).status_code == 200


def test_a_page_that_takes_too_long_does_not_end_a_spread(ann):
    project = ann.project("crowd")
    key = ann.upload(project, "a.html", PARTS).json()["id"]
    ann.upload(project, "b.html", CROWD)
    ann.upload(project, "c.html", PARTS + b"<p>more")
    mark_parts(ann, key)
    told = {page["name"]: page for page in ann.post(f"/pages/{key}/spread").json()["pages"]}
    assert told["b.html"]["problem"].startswith("b.html: took more than 4 seconds")
    assert "carried" not in told["b.html"]
    assert (told["c.html"]["carried"], told["c.html"]["sure"]) == (1, 1.0)


def test_a_spread_ends_when_every_page_takes_too_long(ann):
    project = ann.project("crowds")
    key = ann.upload(project, "a.html", PARTS).json()["id"]
    for name in "bcde":
        ann.upload(project, f"{name}.html", CROWD)
    mark_parts(ann, key)
    told = ann.post(f"/pages/{key}/spread")
    assert (told.status_code, told.json()["error"]) == (503, "OverTime")
    assert told.json()["message"].startswith("d.html")


def test_a_spread_that_takes_too_much_memory_is_given_up(tmp_path, monkeypatch):
    def greedy(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(jobs, "map_pages", greedy)
    store = Database(tmp_path / "marks.sqlite")
    page = store.add_page(store.ensure_project("p"), "a.html", GOOD).id
    store.close()
    context = WorkerContext(Settings(memory=321, database=tmp_path / "marks.sqlite"))
    job = jobs.AnnotatorJob("a.html", "spread", page, "ann", target=page)
    told = jobs.run_job(job, context)
    assert told.status == 503
    assert b"a.html takes more than 321 MB" in told.body


def test_a_page_that_takes_the_place_of_another_is_read_anew(ann):
    project = ann.project("anew")
    first = ann.upload(project, "first.html", b"<p>one").json()["id"]
    row = parse(b"<p>one").row("/html/body/p")
    assert ann.post(f"/pages/{first}/marks", kind="noise", rows=[row]).status_code == 200
    ann.client.delete(f"/annotate/api/pages/{first}")
    second = ann.upload(project, "second.html", b"<p>two").json()["id"]
    assert second == first
    (mark,) = ann.post(f"/pages/{second}/marks", kind="noise", rows=[row]).json()["marks"]
    assert mark["text"] == "two"
    ann.client.delete(f"/annotate/api/pages/{second}")
