"""What a request may cost: bytes, time, memory, a place in the queue; and how the service ends."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from pagelet.server import work
from pagelet.server.bodies import Job
from pagelet.server.settings import Settings
from tests import hostile
from tests.chromium import wait_until
from tests.server.serving import Service, serving

BYTES = 5_000_000
SECONDS = 3  #: limit of a request, enough for a small page beside busy neighbours
#: a page whose noise takes longer than the limit
SLOW = hostile.WIDE["list of links"](hostile.MANY_ITEMS)
GOOD = {"html": "<nav><ul><li><a href=/a>one</a><li><a href=/b>two</a></ul></nav>"}


@pytest.fixture(scope="module")
def strict(tmp_path_factory) -> Iterator[Service]:
    """One worker, one place to wait, few seconds; a body may take its time."""
    limits = ["--max-bytes", BYTES, "--timeout", SECONDS, "--waiting", 1, "--body-timeout", 300]
    folder = tmp_path_factory.mktemp("strict")
    with serving(folder, "--workers", "1", *map(str, limits)) as running:
        assert running.post("/v1/menu", GOOD).status_code == 200
        yield running


@pytest.mark.parametrize("name", ["menu", "inspect"])
def test_large_bodies(strict, name):
    large = b'{"html": "' + b"x" * BYTES + b'"}'

    def pieces() -> Iterator[bytes]:  # of no length that is said before
        for start in range(0, len(large), 65536):
            yield large[start : start + 65536]

    for body in (large, pieces()):
        with strict.client() as client:
            header = {"content-type": "application/json"}
            told = client.post(f"/v1/{name}", content=body, headers=header)
        assert (told.status_code, told.json()["error"]) == (413, "PageTooLarge")


@pytest.mark.parametrize("piece", ["<font color=c#><p>", "<body a#>"])
def test_small_pages_of_huge_trees(strict, piece):
    html = "".join(piece.replace("#", str(number)) for number in range(6_000))
    for body in ({"html": html}, GOOD | {"site": [{"html": html}]}):
        answer = strict.post("/v1/template" if "site" in body else "/v1/content", body)
        assert (answer.status_code, answer.json()["error"]) == (413, "PageTooLarge")


def test_a_long_line_of_a_batch(strict):
    lines = b'{"html": ""}\n{"html": "' + b"x" * BYTES + b'"}\n'
    with strict.client() as client:
        header = {"content-type": "application/x-ndjson"}
        told = client.post("/v1/menu/batch", content=lines, headers=header).text.splitlines()
    assert [line for line in told if '"status": 413' in line] == told[1:]
    assert '"line": 0' in told[0]


def test_a_page_that_takes_too_long_is_given_up(strict):
    told = strict.post("/v1/noise", {"html": SLOW})
    assert (told.status_code, told.json()["error"]) == (503, "OverTime")
    assert "retry-after" not in told.headers  # another try would take as long
    assert strict.post("/v1/menu", GOOD).status_code == 200


def test_a_page_that_takes_too_much_memory_is_given_up(monkeypatch):
    def greedy(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(work, "answer_method", greedy)
    told = work.reply_to(Job("menu", b'{"html": ""}'), work.WorkerContext(Settings(memory=321)))
    assert told.status == 503
    assert b"321 MB" in told.body


def test_too_many_at_once(strict):
    page = {"html": SLOW}
    with ThreadPoolExecutor(6) as threads:
        asked = [threads.submit(strict.post, "/v1/noise", page) for _ in range(6)]
        with strict.client() as client:  # others are heard while a worker is busy
            assert client.get("/health").json()["status"] == "ok"
        told = [each.result() for each in asked]
    refused = [answer for answer in told if answer.status_code == 429]
    assert refused
    assert {answer.status_code for answer in told} == {429, 503}
    for answer in refused:
        assert answer.json()["error"] == "Busy"
        assert int(answer.headers["retry-after"]) >= 1


# -- workers ----------------------------------------------------------------------------------


def workers(service: Service) -> list[int]:
    """The processes of a service that look at pages."""
    tasks = Path(f"/proc/{service.process.pid}/task").iterdir()
    children = [int(child) for task in tasks for child in (task / "children").read_text().split()]
    return [child for child in children if is_worker(Path(f"/proc/{child}"))]


def is_worker(process: Path) -> bool:
    try:
        return b"pagelet.processes" in (process / "cmdline").read_bytes()
    except OSError:  # it has ended
        return False


def has_ended(process: int) -> bool:
    """Whether a process has ended; one that is killed goes on until it gets a processor."""
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return True
    return status.rpartition(")")[2].split()[0] == "Z"


def busy(service: Service) -> None:
    """Wait until something is worked on."""
    with service.client() as client:
        for _ in range(30_000):
            if client.get("/health").json()["waiting"]:
                return
            time.sleep(0.01)
    raise AssertionError("nothing is worked on")


def test_a_worker_that_dies_is_told_of_and_replaced(service):
    service.post("/v1/menu", GOOD)
    with ThreadPoolExecutor(1) as threads:
        asked = threads.submit(service.post, "/v1/noise", {"html": SLOW})
        busy(service)
        killed = workers(service)  # one is busy, one waits
        for worker in killed:
            os.kill(worker, signal.SIGKILL)
        told = asked.result()
    wait_until(lambda: all(map(has_ended, killed)), "a worker that was killed goes on")
    assert (told.status_code, told.json()["error"]) == (503, "WorkerCrashed")
    assert "SIGKILL" in told.json()["message"]
    for _ in range(3):
        assert service.post("/v1/menu", GOOD).status_code == 200


def test_what_was_accepted_is_finished(tmp_path):
    """The worker stands still until the service is ending, so that the request is still there."""
    answers: list[httpx.Response] = []
    with serving(tmp_path, "--workers", "1", "--timeout", "600") as running:
        post = threading.Thread(target=lambda: answers.append(running.post("/v1/content", GOOD)))
        assert running.post("/v1/menu", GOOD).status_code == 200
        (worker,) = workers(running)
        os.kill(worker, signal.SIGSTOP)
        post.start()
        busy(running)
        running.process.terminate()
        wait_until_refused(running)
        os.kill(worker, signal.SIGCONT)
        post.join()
        assert running.process.wait(300) == 0
    assert answers[0].status_code == 200
    assert not is_worker(Path(f"/proc/{worker}"))


def wait_until_refused(service: Service) -> None:
    """Wait until no more connections are taken."""
    for _ in range(30_000):
        try:
            service.post("/v1/menu", GOOD, timeout=0.1)
        except httpx.ConnectError:
            return
        except httpx.HTTPError:  # taken, but not answered: the worker stands still
            time.sleep(0.01)
    raise AssertionError("connections are taken for ever")
