"""How tasks of a cluster are handed out and lost, with a cluster that does as a test says."""

import socket
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from pagelet.bulk.chunk import Finished, Result
from pagelet.bulk.ray_engine import MAX_LOSSES, TASKS_PER_CORE, RayRun, connect
from pagelet.bulk.records import Source
from pagelet.bulk.worker import ChunkRead, ReadFailed
from pagelet.errors import NoWorkers, OptionError
from pagelet.sources.warc.reader import Place

WARC = Source("warc", "a.warc")
PACKED = Source("jsonl", "b.jsonl.gz", splits=False)
DONE = Result({})


class RayError(Exception):
    """A worker or a node is gone."""


class RayTaskError(RayError):
    """The task itself went wrong."""


class Fake:
    """A cluster of two cores: a task is a list of what it says; an error in it is raised."""

    exceptions = SimpleNamespace(RayError=RayError, RayTaskError=RayTaskError)

    def __init__(self, tell: Callable[[Source, Place], list[Any]]) -> None:
        self.tell, self.begun = tell, list[tuple[str, int]]()
        self.cancelled, self.most = list[Any](), 0

    def put(self, value: Any) -> Any:
        return value

    def get(self, said: Any) -> Any:
        if isinstance(said, Exception):
            raise said
        return said

    def remote(self, **how: Any) -> Callable[..., Any]:
        assert how == {"num_cpus": 1, "max_retries": 0, "num_returns": "streaming"}
        return lambda _: SimpleNamespace(remote=self.task)

    def task(self, source: Source, start: Place, _work: Any) -> Iterator[Any]:
        self.begun.append((source.address, start.at))
        return iter(self.tell(source, start))

    def wait(
        self, tasks: list[Any], timeout: float, num_returns: int = 1
    ) -> tuple[list[Any], list[Any]]:
        self.most = max(self.most, len(tasks))
        return tasks[:num_returns], tasks[num_returns:]

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 2.0}

    def cancel(self, tasks: Any, force: bool) -> None:
        self.cancelled.append(tasks)


class Kept:
    """A sink that keeps the chunks it is given, and knows some that are done."""

    def __init__(self, done: dict[int, int | None] | None = None) -> None:
        self.chunks: list[tuple[str, int, int | None]] = []
        self.failed: list[tuple[str, str]] = []
        self.done = done or {}

    def next_place(self, source: Source, place: Place) -> Place | None:
        if place.at not in self.done:
            return place
        end = self.done[place.at]
        return None if end is None else Place(end)

    def add(self, chunk: Finished) -> None:
        self.chunks.append((chunk.source.address, chunk.start.at, chunk.end and chunk.end.at))

    def unread(self, source: Source, error: str, reason: str) -> None:
        self.failed.append((source.address, error))

    def tick(self) -> None:
        pass


def chunks(source: Source, start: Place, last: int = 3) -> list[Any]:
    """What a task says when nothing happens: places are 0 to `last`."""
    at, said = start.at, list[Any]()
    while True:
        end = None if at == last else Place(at + 1)
        said += [ChunkRead(end)] if end else []  # as the local engine asks for the next place
        said.append(Finished(source, Place(at), end, {}, DONE))
        if source.splits or end is None:
            return said
        at += 1


def run(fake: Fake, sink: Kept, *sources: Source, stop: Any = lambda: False) -> RayRun:
    made = RayRun(fake, None, iter(sources), None, sink)  # type: ignore[arg-type]
    made.loop(stop)
    return made


WHOLE = [(0, 1), (1, 2), (2, 3), (3, None)]


def spans(sink: Kept, source: Source) -> list[tuple[int, int | None]]:
    return sorted((start, end) for name, start, end in sink.chunks if name == source.address)


def test_nothing_happens():
    fake, sink = Fake(chunks), Kept()
    run(fake, sink, WARC, PACKED)
    assert spans(sink, WARC) == spans(sink, PACKED) == WHOLE
    assert fake.begun.count((PACKED.address, 0)) == 1  # one task goes on to the end
    assert len(fake.begun) == 4 + 1


def test_as_many_tasks_as_the_cluster_can_use():
    fake = Fake(lambda source, start: [Finished(source, start, None, {}, DONE)])
    sink = Kept()
    run(fake, sink, *(Source("warc", f"{at}.warc") for at in range(20)))
    assert fake.most == 2 * TASKS_PER_CORE
    assert len(sink.chunks) == 20


def losing(where: Callable[[list[Any]], list[Any]], source: str, at: int) -> Callable[..., Any]:
    """A cluster that loses one task once."""
    lost: list[int] = []

    def tell(found: Source, start: Place) -> list[Any]:
        said = chunks(found, start)
        if (found.address, start.at) == (source, at) and not lost:
            lost.append(1)
            return where(said)
        return said

    return tell


@pytest.mark.parametrize("kept", [0, 1, 2])
def test_a_task_that_is_lost_is_sent_again_and_nothing_is_doubled(kept):
    """Before it said anything, after it was read, and after it was done."""
    fake = Fake(losing(lambda said: [*said[:kept], RayError()], WARC.address, 1))
    sink = Kept()
    run(fake, sink, WARC, PACKED)
    assert spans(sink, WARC) == spans(sink, PACKED) == WHOLE
    assert fake.begun.count((WARC.address, 1)) == (1 if kept == 2 else 2)
    assert fake.begun.count((WARC.address, 2)) == 1


@pytest.mark.parametrize("kept", range(8))
def test_a_source_in_one_piece_goes_on_where_it_was_lost(kept):
    fake = Fake(losing(lambda said: [*said[:kept], RayError()], PACKED.address, 0))
    sink = Kept()
    run(fake, sink, PACKED)
    assert spans(sink, PACKED) == WHOLE
    begun = [at for _, at in fake.begun]
    assert begun == ([0] if kept == 7 else [0, kept // 2])


def test_what_is_done_is_passed_over():
    fake, sink = Fake(chunks), Kept({0: 1, 2: 3})
    run(fake, sink, WARC)
    assert spans(sink, WARC) == [(1, 2), (3, None)]


def test_a_source_that_cannot_be_read_ends_there():
    fake = Fake(lambda source, start: [ReadFailed("Unreachable", "gone")])
    sink = Kept()
    run(fake, sink, WARC, PACKED)
    assert sink.failed == [(WARC.address, "Unreachable"), (PACKED.address, "Unreachable")]


def test_a_task_that_is_always_lost_ends_the_run():
    fake = Fake(lambda source, start: [RayError()])
    with pytest.raises(NoWorkers, match=f"lost {MAX_LOSSES} times: RayError"):
        run(fake, Kept(), WARC)
    assert len(fake.begun) == MAX_LOSSES + 1


def test_a_mistake_of_ours_is_not_tried_again():
    fake = Fake(lambda source, start: [RayTaskError()])
    with pytest.raises(RayTaskError):
        run(fake, Kept(), WARC)
    assert len(fake.begun) == 1


@pytest.mark.parametrize("source", [WARC, PACKED])
def test_what_is_begun_is_finished_when_it_is_to_stop(source):
    sink = Kept()
    fake = Fake(chunks)
    left = run(fake, sink, source, stop=lambda: bool(fake.begun))
    assert spans(sink, source) == WHOLE[:1]
    assert len(fake.cancelled) == (0 if source.splits else 1)
    assert not left.tasks


def test_what_is_left_is_cancelled():
    fake = Fake(chunks)
    left = RayRun(fake, 1, iter([WARC]), None, Kept())  # type: ignore[arg-type]
    left._submit()
    left.end()
    assert fake.cancelled == list(left.tasks)
    assert len(left.tasks) == 1


# -- clusters -----------------------------------------------------------------------------------


@pytest.fixture
def init(monkeypatch) -> SimpleNamespace:
    """A package that notes how it is started, or fails."""
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    found = SimpleNamespace(told={}, error=None)

    def start(**told: Any) -> None:
        if found.error:
            raise found.error
        found.told = told

    found.init = start
    return found


def test_a_cluster_is_started_when_none_is_named(init):
    connect(init, None, 3)
    assert (init.told["address"], init.told["num_cpus"]) == ("local", 3)


@pytest.mark.parametrize("named", ["here", "environment"])
def test_a_cluster_that_is_there_is_joined_and_not_resized(init, monkeypatch, named):
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        if named == "environment":
            monkeypatch.setenv("RAY_ADDRESS", address)
        connect(init, address if named == "here" else None, 3)
    assert init.told["address"] == address
    assert "num_cpus" not in init.told


def test_the_cluster_of_this_machine_is_found(init):
    connect(init, "auto", None)
    assert init.told["address"] == "auto"


@pytest.mark.parametrize("error", [ConnectionError, RuntimeError, ValueError])
def test_a_cluster_that_cannot_be_joined_is_told(init, error):
    init.error = error("none is running\nand more")
    with pytest.raises(OptionError, match=r"no cluster to join there; .* \(none is running\)$"):
        connect(init, "auto", None)
