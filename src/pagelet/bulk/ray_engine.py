"""The Ray engine: chunks as tasks of a cluster, whatever happens to its nodes.

Only scheduling differs from the local engine. A task has its chunk done by a worker process of
its own, as there, and reports where the chunk ends as soon as it is read, so that the next one
can be read elsewhere. A task that is lost with its process or its node is sent again; its results
were not kept, so nothing is doubled.
"""

import os
import socket
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from queue import SimpleQueue
from time import monotonic
from typing import Any, Self

from pagelet.bulk.chunk import Finished, Work
from pagelet.bulk.engine import LocalRun, Sink
from pagelet.bulk.records import Source
from pagelet.bulk.worker import ChunkRead, ChunkWorker, ReadFailed
from pagelet.errors import MissingExtra, NoWorkers, OptionError
from pagelet.processes import stop_workers
from pagelet.sources.warc.reader import START, Place

# -- on the nodes of a cluster ----------------------------------------------------------------

Report = ChunkRead | Finished | ReadFailed
Reports = SimpleQueue[Report | Exception | None]  #: None at the end


def run_chunk(source: Source, start: Place, work: Work) -> Iterator[Report]:
    """Report where the chunk ends as soon as that is known, then its tables.

    A source that cannot be split is read to its end.
    """
    reports: Reports = SimpleQueue()
    _starter_thread().submit(_run, source, start, work, reports)
    while (report := reports.get()) is not None:
        if isinstance(report, Exception):
            raise report
        yield report


@cache
def _starter_thread() -> ThreadPoolExecutor:
    """The one thread that starts workers: they end with the thread that started them."""
    return ThreadPoolExecutor(1)


class WorkerCache:
    """The worker that a process of the cluster keeps from task to task."""

    def __init__(self) -> None:
        self.work: Work | None = None
        self.workers: list[ChunkWorker] = []

    def take(self, work: Work) -> list[ChunkWorker]:
        """The worker, if it was started for the same work."""
        workers, self.workers = self.workers, []
        if self.work != work:
            stop_workers(workers)
            workers, self.work = [], work
        return workers


WORKER_CACHE = WorkerCache()


def _run(source: Source, start: Place, work: Work, reports: Reports) -> None:
    run = LocalRun(1, iter([source]), work, OneChunk(start, reports))
    try:
        run.workers = WORKER_CACHE.take(work)
        run.loop(lambda: False)
        WORKER_CACHE.workers = run.workers
        reports.put(None)
    except Exception as error:  # noqa: BLE001 - the task raises it
        stop_workers(run.workers)
        reports.put(error)


class OneChunk:
    """A sink that takes one chunk, or all of a source that cannot be split, and reports it."""

    def __init__(self, start: Place, reports: Reports) -> None:
        self.start, self.reports, self.opened = start, reports, False

    def next_place(self, source: Source, place: Place) -> Place | None:
        """The start of the task at first; then the end of its chunk is reported."""
        if not self.opened:
            self.opened = True
            return self.start
        self.reports.put(ChunkRead(place))
        return None if source.splits else place

    def add(self, chunk: Finished) -> None:
        """Report a finished chunk."""
        self.reports.put(chunk)

    def unread(self, source: Source, error: str, reason: str) -> None:  # noqa: ARG002
        """Report a source that cannot be read on."""
        self.reports.put(ReadFailed(error, reason))

    def tick(self) -> None:
        """Nothing is due."""


# -- on the node that started the run ---------------------------------------------------------

TICK_SECONDS = 0.1  #: longest time between two looks at the tasks
RESIZE_SECONDS = 10.0  #: time between two looks at the size of the cluster
TASKS_PER_CORE = 2  #: some tasks always wait, so that an autoscaler starts more nodes
MAX_LOSSES = 20  #: times in a row that a task may be lost
CONNECT_SECONDS = 5.0  #: time within which the address of a cluster must answer
ADVICE = "start Ray on this machine as a node of the cluster, and give the head's HOST:PORT or auto"


@dataclass(frozen=True, slots=True)
class RayEngine:
    """The nodes of a Ray cluster: a running one, else one that is started on this machine."""

    jobs: int | None = None  #: most tasks at once; by default it follows the size of the cluster
    address: str | None = None  #: HOST:PORT of a running cluster, or "auto"

    @contextmanager
    def connected(self) -> Iterator[Self]:
        """Keep a cluster for several runs; without it, each run connects by itself."""
        ray = import_ray()
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
        """Work on all sources until they are done, or until `stop` returns True."""
        with self.connected():
            run = RayRun(import_ray(), self.jobs, iter(sources), work, sink)
            try:
                run.loop(stop)
            finally:
                run.end()


def import_ray() -> Any:
    """The package ray, without usage reports and advice; MissingExtra if it is not installed."""
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
        check_address(named)
    try:
        ray.init(address=named, **quiet)
    except (OSError, RuntimeError, ValueError) as error:
        why = f"no cluster to join there; {ADVICE} ({str(error).partition(chr(10))[0]})"
        raise OptionError("address", named, why) from error


def check_address(address: str) -> None:
    """Refuse an address where nothing answers, since Ray itself would wait for minutes."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit() or "//" in host:
        raise OptionError("address", address, f"it is not HOST:PORT or auto; {ADVICE}")
    try:
        socket.create_connection((host, int(port)), CONNECT_SECONDS).close()
    except (OSError, OverflowError, UnicodeError) as error:
        why = f"nothing answers there; {ADVICE} ({error})"
        raise OptionError("address", address, why) from error


@dataclass(eq=False)
class RayTask:
    """A part of a source that is one task: a chunk, or all of a source that cannot be split."""

    source: Source
    start: Place
    losses: int = 0  #: times in a row that it was lost
    read: bool = False  #: whether the end of the first chunk is known
    complete: bool = False  #: whether all its results have arrived


class RayRun:
    """One run of the engine."""

    def __init__(
        self, ray: Any, jobs: int | None, sources: Iterator[Source], work: Work, sink: Sink
    ) -> None:
        self.ray, self.jobs, self.sources, self.sink = ray, jobs, sources, sink
        self.work = ray.put(work)
        self.remote = ray.remote(num_cpus=1, max_retries=0, num_returns="streaming")(run_chunk)
        self.tasks: dict[Any, RayTask] = {}  #: by the stream of its reports
        self.waiting: deque[RayTask] = deque()
        self.exhausted = False
        self.max_tasks, self.looked = 0, -RESIZE_SECONDS

    def loop(self, stop: Callable[[], bool]) -> None:
        """Submit tasks and receive reports, until nothing is left."""
        while True:
            stopping = stop()
            if not stopping:
                self._submit()
            if not self.tasks and (stopping or (self.exhausted and not self.waiting)):
                return
            for stream in self._ready():
                self._receive(stream, stopping=stopping)
            self.sink.tick()

    def _ready(self) -> list[Any]:
        """The streams that have a report; once there is one, all of them at once."""
        if not self.tasks:
            return []
        ready, rest = self.ray.wait(list(self.tasks), timeout=TICK_SECONDS)
        if not ready or not rest:
            return list(ready)
        more, _ = self.ray.wait(rest, num_returns=len(rest), timeout=0)
        return [*ready, *more]

    def end(self) -> None:
        """Cancel the tasks that are not done."""
        for stream in self.tasks:
            self.ray.cancel(stream, force=True)

    # -- submitting -----------------------------------------------------------------------

    def _submit(self) -> None:
        while len(self.tasks) < self._limit() and (task := self._next()):
            stream = self.remote.remote(task.source, task.start, self.work)
            self.tasks[stream] = task

    def _limit(self) -> int:
        """How many tasks may be submitted at once; a cluster may grow and shrink."""
        if self.jobs is not None:
            return self.jobs
        if monotonic() - self.looked > RESIZE_SECONDS:
            cores = self.ray.cluster_resources().get("CPU", 1)
            self.max_tasks, self.looked = max(int(cores), 1) * TASKS_PER_CORE, monotonic()
        return self.max_tasks

    def _next(self) -> RayTask | None:
        """A task that was lost, the next one of a source, or the first of a new source."""
        if self.waiting:
            return self.waiting.popleft()
        for source in self.sources:
            place = self.sink.next_place(source, START)
            if place is not None:
                return RayTask(source, place)
        self.exhausted = True
        return None

    # -- receiving ------------------------------------------------------------------------

    def _receive(self, stream: Any, *, stopping: bool) -> None:
        task, problems = self.tasks[stream], self.ray.exceptions
        try:
            report = self.ray.get(next(stream))
        except StopIteration:
            del self.tasks[stream]
            return
        except problems.RayTaskError:  # a mistake of ours
            raise
        except problems.RayError as error:  # a process or a node is gone
            del self.tasks[stream]
            if not task.complete:
                self._retry(task, error)
            return
        self._take(task, report)
        if stopping and isinstance(report, Finished) and not task.complete:
            self.ray.cancel(stream, force=True)
            del self.tasks[stream]

    def _take(self, task: RayTask, report: Report) -> None:
        if isinstance(report, ChunkRead):
            self._continue_chain(task, report.end)
        elif isinstance(report, ReadFailed):
            task.complete = True
            self.sink.unread(task.source, report.error, report.reason)
        else:
            self.sink.add(report)
            task.complete = task.source.splits or report.end is None
            if report.end is not None and not task.complete:
                task.start, task.losses = report.end, 0

    def _continue_chain(self, task: RayTask, end: Place | None) -> None:
        """Let the next chunk be read, the first time that a chunk is."""
        if task.read or not task.source.splits:
            return
        task.read = True
        place = None if end is None else self.sink.next_place(task.source, end)
        if place is not None:
            self.waiting.append(RayTask(task.source, place))

    def _retry(self, task: RayTask, error: Exception) -> None:
        """Send a lost task again."""
        if task.losses >= MAX_LOSSES:
            why = f"a task was lost {MAX_LOSSES} times: {type(error).__name__}"
            raise NoWorkers(why) from error
        self.waiting.appendleft(replace(task, losses=task.losses + 1))
