"""The Ray engine: chunks as tasks of a cluster, whatever happens to its nodes.

Only scheduling differs from the local engine. A task has its chunk done by a guarded worker
process of its own, as there, and tells where the chunk ends as soon as it is read, so that the
next one can be read elsewhere. A task that is lost with its worker or its node is sent again;
what it had made was not kept, so nothing is doubled.
"""

import os
import socket
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from queue import SimpleQueue
from time import monotonic
from typing import TYPE_CHECKING, Any, Self

from pagelet.bulk.chunk import Finished, Result, Work
from pagelet.bulk.engine import LocalRun, Sink
from pagelet.bulk.records import Source
from pagelet.bulk.worker import ChunkWorker
from pagelet.errors import MissingExtra, NoWorkers, OptionError
from pagelet.processes import stop_workers
from pagelet.sources.warc.reader import START, Place

if TYPE_CHECKING:
    import pyarrow as pa

# -- What runs on the nodes of a cluster: one chunk, done as the local engine does it ---------


@dataclass(frozen=True, slots=True)
class ReadUpTo:
    """Said when a chunk is read: where the next one begins."""

    end: Place | None


@dataclass(frozen=True, slots=True)
class Unread:
    """Said when a source cannot be read, or not to its end."""

    error: str
    reason: str


@dataclass(frozen=True, slots=True)
class Made:
    """Said when a chunk is done."""

    end: Place | None
    tables: "Mapping[str, pa.Table]"
    result: Result  #: without its tables


Said = ReadUpTo | Made | Unread
Heard = SimpleQueue[Said | Exception | None]


def chunk_task(source: Source, start: Place, work: Work) -> Iterator[Said]:
    """Say where the chunk ends as soon as that is known, then what was made of it.

    A source that cannot be split goes on to its end.
    """
    heard: Heard = SimpleQueue()
    _keeper().submit(_run, source, start, work, heard)
    while (said := heard.get()) is not None:
        if isinstance(said, Exception):
            raise said
        yield said


@cache
def _keeper() -> ThreadPoolExecutor:
    """The one thread that starts guarded processes: they end with the thread that started them."""
    return ThreadPoolExecutor(1)


class Kept:
    """The guarded process that a process of the cluster keeps from task to task."""

    def __init__(self) -> None:
        self.work: Work | None = None
        self.workers: list[ChunkWorker] = []

    def take(self, work: Work) -> list[ChunkWorker]:
        """The process, if it was started for the same work."""
        workers, self.workers = self.workers, []
        if self.work != work:
            stop_workers(workers)
            workers, self.work = [], work
        return workers


KEPT = Kept()


def _run(source: Source, start: Place, work: Work, heard: Heard) -> None:
    run = LocalRun(1, iter([source]), work, OneChunk(start, heard))
    try:
        run.workers = KEPT.take(work)
        run.loop(lambda: False)
        KEPT.workers = run.workers
        heard.put(None)
    except Exception as error:  # noqa: BLE001 - the task raises it
        stop_workers(run.workers)
        heard.put(error)


class OneChunk:
    """A sink that takes one chunk, or all of a source that cannot be split, and tells of it."""

    def __init__(self, start: Place, heard: Heard) -> None:
        self.start, self.heard, self.opened = start, heard, False

    def next_place(self, source: Source, place: Place) -> Place | None:
        """The start of the task at first; then the end of its chunk is known."""
        if not self.opened:
            self.opened = True
            return self.start
        self.heard.put(ReadUpTo(place))
        return None if source.splits else place

    def add(self, made: Finished) -> None:
        """Tell of a finished chunk."""
        self.heard.put(Made(made.end, dict(made.tables), made.result))

    def unread(self, source: Source, error: str, reason: str) -> None:  # noqa: ARG002
        """Tell of a source that cannot be read on."""
        self.heard.put(Unread(error, reason))

    def tick(self) -> None:
        """Nothing is due."""


# -- The Ray engine: chunks as tasks of a cluster, whatever happens to its nodes --------------


TICK = 0.1  #: seconds between two looks at the tasks
LOOK = 10.0  #: seconds between two looks at the size of the cluster
WAITING = 2  #: tasks a core of the cluster, so that some wait: more nodes are started for those
TRIES = 20  #: how often in a row a task may be lost
PATIENCE = 5.0  #: seconds in which the address of a cluster must answer
NEEDED = "start Ray on this machine as a node of the cluster, and give the head's HOST:PORT or auto"


@dataclass(frozen=True, slots=True)
class RayEngine:
    """The nodes of a Ray cluster: one that is there, else one that is started on this machine."""

    jobs: int | None = None  #: most tasks at once; by default by the size of the cluster
    address: str | None = None  #: of a cluster that is there, as HOST:PORT, or "auto"

    @contextmanager
    def connected(self) -> Iterator[Self]:
        """Keep a cluster for several runs; without it, each run connects by itself."""
        ray = ray_package()
        ours = not ray.is_initialized()
        if ours:
            connect(ray, self.address, self.jobs)
        try:
            yield self
        finally:
            if ours:
                ray.shutdown()

    def run(
        self, sources: Iterable[Source], work: Work, sink: Sink, stop: Callable[[], bool]
    ) -> None:
        """Work on all sources until they are done, or until it is to stop."""
        with self.connected():
            run = RayRun(ray_package(), self.jobs, iter(sources), work, sink)
            try:
                run.loop(stop)
            finally:
                run.end()


def ray_package() -> Any:
    """The package, which then tells nobody that it is used, and gives no advice."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        import ray  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtra("ray", "the Ray engine") from error
    return ray


def connect(ray: Any, address: str | None, jobs: int | None) -> None:
    """Connect to a cluster: the one named, the one that the environment names, or a new one."""
    quiet = {"log_to_driver": False, "logging_level": "ERROR"}
    named = address or os.environ.get("RAY_ADDRESS")
    if not named:
        ray.init(address="local", num_cpus=jobs, include_dashboard=False, **quiet)
        return
    if named != "auto":
        answers(named)
    try:
        ray.init(address=named, **quiet)
    except (OSError, RuntimeError, ValueError) as error:
        why = f"no cluster to join there; {NEEDED} ({str(error).partition(chr(10))[0]})"
        raise OptionError("address", named, why) from error


def answers(address: str) -> None:
    """Refuse an address where nobody answers, since Ray itself would wait for minutes."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit() or "//" in host:
        raise OptionError("address", address, f"it is not HOST:PORT or auto; {NEEDED}")
    try:
        socket.create_connection((host, int(port)), PATIENCE).close()
    except (OSError, OverflowError, UnicodeError) as error:
        why = f"nobody answers there; {NEEDED} ({error})"
        raise OptionError("address", address, why) from error


@dataclass(eq=False)
class Segment:
    """A part of a source that is handed out as a task: a chunk, or all where it cannot be split."""

    source: Source
    start: Place
    tries: int = 0
    read: bool = False  #: whether the end of the first chunk is known
    over: bool = False  #: whether all that is wanted of it was told


class RayRun:
    """One run of the engine."""

    def __init__(
        self, ray: Any, jobs: int | None, sources: Iterator[Source], work: Work, sink: Sink
    ) -> None:
        self.ray, self.jobs, self.sources, self.sink = ray, jobs, sources, sink
        self.work = ray.put(work)
        self.remote = ray.remote(num_cpus=1, max_retries=0, num_returns="streaming")(chunk_task)
        self.out: dict[Any, Segment] = {}
        self.again: deque[Segment] = deque()
        self.exhausted = False
        self.most, self.looked = 0, -LOOK

    def loop(self, stop: Callable[[], bool]) -> None:
        """Hand out and listen, until nothing is left."""
        while True:
            stopping = stop()
            if not stopping:
                self._hand_out()
            if not self.out and (stopping or (self.exhausted and not self.again)):
                return
            for tasks in self._ready():
                self._listen(tasks, stopping=stopping)
            self.sink.tick()

    def _ready(self) -> list[Any]:
        """The tasks that have something to say, all of them at once once there is one."""
        if not self.out:
            return []
        ready, rest = self.ray.wait(list(self.out), timeout=TICK)
        if not ready or not rest:
            return list(ready)
        more, _ = self.ray.wait(rest, num_returns=len(rest), timeout=0)
        return [*ready, *more]

    def end(self) -> None:
        """Leave what is still being done."""
        for tasks in self.out:
            self.ray.cancel(tasks, force=True)

    # -- handing out ----------------------------------------------------------------------

    def _hand_out(self) -> None:
        while len(self.out) < self._most() and (segment := self._next()):
            tasks = self.remote.remote(segment.source, segment.start, self.work)
            self.out[tasks] = segment

    def _most(self) -> int:
        """How many tasks may be out at once; a cluster may grow and shrink."""
        if self.jobs is not None:
            return self.jobs
        if monotonic() - self.looked > LOOK:
            cores = self.ray.cluster_resources().get("CPU", 1)
            self.most, self.looked = max(int(cores), 1) * WAITING, monotonic()
        return self.most

    def _next(self) -> Segment | None:
        """What was lost, what a source goes on with, or a new source."""
        if self.again:
            return self.again.popleft()
        for source in self.sources:
            place = self.sink.next_place(source, START)
            if place is not None:
                return Segment(source, place)
        self.exhausted = True
        return None

    # -- listening ------------------------------------------------------------------------

    def _listen(self, tasks: Any, *, stopping: bool) -> None:
        segment, problems = self.out[tasks], self.ray.exceptions
        try:
            said = self.ray.get(next(tasks))
        except StopIteration:
            del self.out[tasks]
            return
        except problems.RayTaskError:  # a mistake of ours
            raise
        except problems.RayError as error:  # a worker or a node is gone
            del self.out[tasks]
            if not segment.over:
                self._lost(segment, error)
            return
        self._heard(segment, said)
        if stopping and isinstance(said, Made) and not segment.over:
            self.ray.cancel(tasks, force=True)
            del self.out[tasks]

    def _heard(self, segment: Segment, said: Said) -> None:
        source = segment.source
        if isinstance(said, ReadUpTo):
            self._was_read(segment, said.end)
        elif isinstance(said, Unread):
            segment.over = True
            self.sink.unread(source, said.error, said.reason)
        else:
            self.sink.add(Finished(source, segment.start, said.end, said.tables, said.result))
            segment.over = source.splits or said.end is None
            if said.end is not None and not segment.over:
                segment.start, segment.tries = said.end, 0

    def _was_read(self, segment: Segment, end: Place | None) -> None:
        """Let the next chunk be read, the first time that a chunk is."""
        if segment.read or not segment.source.splits:
            return
        segment.read = True
        place = None if end is None else self.sink.next_place(segment.source, end)
        if place is not None:
            self.again.append(Segment(segment.source, place))

    def _lost(self, segment: Segment, error: Exception) -> None:
        """Send a task again that was lost on its way."""
        if segment.tries >= TRIES:
            raise NoWorkers(f"a task was lost {TRIES} times: {type(error).__name__}") from error
        self.again.appendleft(replace(segment, tries=segment.tries + 1))
