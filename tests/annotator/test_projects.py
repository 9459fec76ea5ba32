"""Names, deleting, the review queue, suggestions by roles, and trainings over HTTP."""

import os
import time
from pathlib import Path

import pytest

from pagelet import parse
from pagelet.annotator import models, training
from pagelet.annotator.database import Database
from pagelet.annotator.routes import API
from pagelet.annotator.training import Training
from tests.annotator.annotating import Annotator, annotating

HTML = b"<title>T</title><nav><a href=/a>A</a><a href=/b>B</a></nav><p>Some words of a page."
ROWS = [parse(HTML).row("/html/body/nav")]
PATIENCE_SECONDS = 120


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with annotating(tmp_path_factory.mktemp("annotator") / "marks.sqlite") as started:
        yield started


@pytest.fixture
def ann(client, request):
    return Annotator(client, request.node.name[:60])


@pytest.fixture
def project(ann):
    return ann.project(ann.name)


@pytest.fixture
def page(ann, project):
    return ann.upload(project, "news/a.html", HTML).json()["id"]


def names(ann, project):
    return [each["name"] for each in ann.get(f"/projects/{project}/pages").json()["pages"]]


def test_a_renamed_page_stays_in_its_folder(ann, project, page):
    assert ann.client.put(f"{API}/pages/{page}", json={"name": "b.html"}).status_code == 200
    assert names(ann, project) == ["news/b.html"]
    away = ann.client.put(f"{API}/pages/{page}", json={"name": "../b.html"})
    assert (away.status_code, "without a folder" in away.json()["message"]) == (422, True)
    ann.upload(project, "news/c.html", HTML)
    taken = ann.client.put(f"{API}/pages/{page}", json={"name": "c.html"})
    assert (taken.status_code, taken.json()["error"]) == (409, "NameTaken")


def test_a_deleted_page_comes_back_with_its_marks(ann, project, page):
    ann.post(f"/pages/{page}/marks", kind="menu", rows=ROWS)
    before = ann.get(f"/pages/{page}").json()["marks"]
    assert before
    ann.client.delete(f"{API}/pages/{page}")
    assert names(ann, project) == []
    assert ann.get(f"/pages/{page}").status_code == 404
    assert ann.post(f"/pages/{page}/restore").status_code == 200
    assert ann.get(f"/pages/{page}").json()["marks"] == before
    ann.client.delete(f"{API}/pages/{page}")
    ann.upload(project, "news/a.html", HTML + b"x")  # its name is free
    assert ann.client.post(f"{API}/pages/{page}/restore").status_code == 404


def test_a_deleted_project_comes_back(ann, project, page):
    other = ann.project("another")
    taken = ann.client.put(f"{API}/projects/{other}", json={"name": ann.name})
    assert taken.json()["error"] == "NameTaken"
    ann.client.delete(f"{API}/projects/{project}")
    assert ann.get(f"/projects/{project}/pages").status_code == 404
    assert ann.get(f"/pages/{page}").status_code == 404
    assert ann.name not in [each["name"] for each in ann.get("/projects").json()]
    ann.client.post(f"{API}/projects/{project}/restore")
    assert names(ann, project) == ["news/a.html"]


def test_pages_are_done_for_one_annotator(ann, project, page):
    assert ann.post(f"/pages/{page}/finish", done=True).json()["done"]
    (listed,) = ann.get(f"/projects/{project}/pages").json()["pages"]
    assert (listed["done"], listed["others"]) == (True, 0)
    bob = Annotator(ann.client, "bob")
    assert not bob.get(f"/projects/{project}/pages").json()["pages"][0]["done"]
    assert not ann.post(f"/pages/{page}/finish", done=False).json()["done"]


def test_decisions_are_taken_and_taken_back(ann, page):
    bob = Annotator(ann.client, "bob")
    ann.post(f"/pages/{page}/marks", kind="noise", rows=ROWS)
    bob.post(f"/pages/{page}/looked", kind="noise", looked=True)
    (told,) = bob.get(f"/pages/{page}").json()["disagreements"]
    assert (told["made_by"], told["missed_by"], told["kept"]) == ([ann.name], ["bob"], None)
    decided = {"kind": "noise", "rows": ROWS}
    (told,) = bob.post(f"/pages/{page}/decide", **decided, kept=True).json()["disagreements"]
    assert told["kept"] is True
    (told,) = bob.post(f"/pages/{page}/decide", **decided, kept=None).json()["disagreements"]
    assert told["kept"] is None


@pytest.mark.parametrize(
    ("suggestion", "kind"), [("links:roles", "links:"), ("content:roles", "block:")]
)
def test_roles_are_suggested(ann, page, suggestion, kind):
    marks = ann.post(f"/pages/{page}/suggest", method=suggestion).json()["marks"]
    assert marks
    assert all(mark["kind"].startswith(kind) for mark in marks)


def test_the_newest_models_are_kept_and_the_one_in_use(tmp_path, monkeypatch):
    monkeypatch.setattr(models, "MAX_MODELS", 2)
    database = Database(tmp_path / "marks.sqlite")
    shelf, project = models.ModelShelf(database), database.ensure_project("seeds")
    first = shelf.add(project, "menu", {}, b"first")
    shelf.set_used(first, used=True)
    kept = [shelf.add(project, "menu", {}, b"more") for _ in range(3)][1:]
    assert [each["id"] for each in shelf.list_models(project)] == [*kept[::-1], first]
    assert shelf.used_model(project, "menu") == b"first"
    shelf.set_used(kept[0], used=True)
    assert shelf.used_model(project, "menu") == b"more"
    assert shelf.used_model(project, "links") == b""
    database.close()


# -- trainings --------------------------------------------------------------------------------


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def wait_for(condition) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_training_needs_labels_and_a_method(ann, project, page):
    answer = ann.post(f"/projects/{project}/train", method="menu")
    assert (answer.status_code, answer.json()["error"]) == (409, "NoLabels")
    answer = ann.post(f"/projects/{project}/train", method="../menu")
    assert answer.status_code == 422


def test_one_training_at_a_time_and_its_process_ends(ann, project, page):
    ann.post(f"/pages/{page}/marks", kind="menu", rows=ROWS)
    started = ann.post(f"/projects/{project}/train", method="menu", all_projects=False).json()
    assert started["state"] == "running"
    second = ann.post(f"/projects/{project}/train", method="menu", all_projects=False)
    assert (second.status_code, second.json()["error"]) == (409, "TrainingRuns")
    cancelled = ann.client.delete(f"{API}/trainings/{started['id']}")
    assert cancelled.status_code == 200

    def told():
        return ann.get(f"/projects/{project}/training").json()

    wait_for(lambda: told()["training"]["state"] != "running")
    assert told()["training"]["state"] == "cancelled"
    assert told()["models"] == []


@pytest.mark.parametrize(
    ("limit", "state", "problem"),
    [("cancel", "cancelled", ""), ("time", "failed", "Stopped: it took more than 0 s.")],
)
def test_a_training_is_ended_with_its_process(monkeypatch, limit, state, problem):
    """The program is one that never ends by itself."""
    monkeypatch.setattr(training, "PROGRAM", "import time; time.sleep(3600) # {parent} {memory}")
    monkeypatch.setattr(training, "MAX_SECONDS", 0.3 if limit == "time" else 3600)
    room = training.TrainingQueue()
    files = iter([("gold.json", b'{"schema": 1, "folder": "pages", "pages": {}}')])
    started = room.start(1, "menu", corpora=False, files=files, keep=lambda *_: 0)
    wait_for(lambda: started._process is not None or started.state != "running")
    process = started._process
    if limit == "cancel":
        started.stop()
    wait_for(lambda: started.state != "running")
    assert (started.state, started.problem) == (state, problem)
    assert process is None or not is_running(process.pid)
    room.close()


def test_a_training_that_breaks_is_no_longer_running():
    room = training.TrainingQueue()
    files = iter([("gold.json", b"{}")])
    started = room.start(1, "menu", corpora=False, files=files, keep=lambda *_: 0)
    wait_for(lambda: started.state != "running")
    assert started.state == "failed"
    room.close()


def test_lines_show_no_path_and_one_line_per_task():
    ended = Training(1, 1, "menu", False, lambda *_: 0)
    for line in ("reading: 1 of 3", "reading: 2 of 3", "/tmp/x/labels: nothing", "\x1b[2J", ""):
        ended._note(line, Path("/tmp/x"))
    assert ended.lines[:2] == ["reading: 2 of 3", "labels: nothing"]
    assert "\x1b" not in "".join(ended.lines)
