"""The local engine: chunks handed to worker processes, whatever happens to them.

A source is read as a chain of chunks: the end of a chunk is known as soon as it is read, and then
another worker can read on while the pages of the first are processed. A page that brings its
worker down, or takes too long, is identified by the worker's heartbeat; the chunk is done again
without it. Without workers, one chunk after another is done in this process.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from multiprocessing.connection import wait
from signal import SIGKILL
from time import monotonic, process_time
from typing import Protocol

from pagelet.bulk.chunk import Cost, Finished, Work, process_chunk, read_chunk, read_source
from pagelet.bulk.options import import_pyarrow
from pagelet.bulk.records import Chunk, Source, describe_error
from pagelet.bulk.worker import (
    IDLE,
    READING,
    WORKING,
    ChunkDone,
    ChunkRead,
    ChunkTask,
    ChunkWorker,
    ReadFailed,
    unpack_table,
)
from pagelet.errors import NoWorkers, OverTime, PageError, WorkerCrashed
from pagelet.processes import START_SECONDS, stop_workers
from pagelet.sources.warc.reader import START, Place

TICK_SECONDS = 0.05  #: longest time between two looks at the workers
MAX_CRASHES = 2  #: times that a page may bring a worker down
MAX_KILLS = 3  #: the same if the worker was killed, for which the page may not be the cause
MAX_DEATHS = 6  #: deaths at one place, despite all measures, after which a source is given up
READ_SECONDS = 300.0  #: time within which a record must be read
LOAD_SECONDS = 1800.0  #: the same for a page on the web, including waits and retries
MAX_FAILED_STARTS = 5  #: workers in a row that may end before they are ready


class Sink(Protocol):
    """Takes finished chunks, and knows which ones are done already."""

    def next_place(self, source: Source, place: Place) -> Place | None:
        """The first place from here on that is not done; None when all is."""

    def add(self, chunk: Finished) -> None:
        """Take a finished chunk."""

    def unread(self, source: Source, error: str, reason: str) -> None:
        """Note a source that cannot be read, or not to its end."""

    def tick(self) -> None:
        """Do whatever is due; called many times per second."""


class Engine(Protocol):
    """Runs work over sources; engines differ in scheduling only."""

    def run(
        self, sources: Iterable[Source], work: Work, sink: Sink, stop: Callable[[], bool]
    ) -> None:
        """Work on all sources until they are done, or until `stop` returns True."""


@dataclass(eq=False)
class Chain:
    """A source and the next place in it to be read."""

    source: Source
    place: Place | None
    reading: bool = False  #: whether a chunk is being read, so that the next place is unknown
    holder: ChunkWorker | None = None  #: the worker that has the source open


@dataclass(eq=False)
class Assignment:
    """A task that was given to a worker."""

    task: ChunkTask
    chain: Chain
    read: bool = False  #: whether the end of its chunk is known
    deaths: Counter[tuple[Place, int]] = field(default_factory=Counter)  #: by place and phase


@dataclass(frozen=True, slots=True)
class LocalEngine:
    """Worker processes of this machine."""

    jobs: int  #: most worker processes

    def run(
        self, sources: Iterable[Source], work: Work, sink: Sink, stop: Callable[[], bool]
    ) -> None:
        """Work on all sources until they are done, or until `stop` returns True."""
        run = LocalRun(self.jobs, iter(sources), work, sink)
        try:
            run.loop(stop)
        finally:
            stop_workers(run.workers)


class LocalRun:
    """One run of the engine; a task of a cluster is a run of one chunk."""

    def __init__(self, jobs: int, sources: Iterator[Source], work: Work, sink: Sink) -> None:
        self.jobs, self.sources, self.work, self.sink = jobs, sources, work, sink
        self.workers: list[ChunkWorker] = []
        self.chains: list[Chain] = []
        self.assigned: dict[ChunkWorker, Assignment] = {}
        self.retries: deque[Assignment] = deque()
        self.failed_starts = 0
        self.exhausted = False  #: whether no sources are left

    def loop(self, stop: Callable[[], bool]) -> None:
        """Give out tasks, receive results, and end workers that hang, until nothing is left."""
        while True:
            stopping = stop()
            if not stopping:
                self._assign_tasks()
            if not self.assigned and (stopping or self._is_done()):
                return
            for pipe in wait([worker.pipe for worker in self.workers], TICK_SECONDS):
                self._receive(next(worker for worker in self.workers if worker.pipe is pipe))
            for worker in list(self.workers):
                self._check_heartbeat(worker)
            self.sink.tick()

    def _is_done(self) -> bool:
        return self.exhausted and not self.chains and not self.retries

    # -- giving out tasks -----------------------------------------------------------------

    def _assign_tasks(self) -> None:
        """Give every idle worker a task; start workers as long as there are enough tasks."""
        for worker in self.workers:
            if worker.idle and (assignment := self._next(worker)):
                self._assign(worker, assignment)
        starting = sum(not worker.ready for worker in self.workers)
        if len(self.workers) < self.jobs and not self._is_done() and starting <= self._open_tasks():
            self.workers.append(ChunkWorker(self.work))

    def _open_tasks(self) -> int:
        """How many more workers could have a task; as many as wanted while sources are left."""
        if not self.exhausted:
            return self.jobs
        return len(self.retries) + len(self.chains)

    def _next(self, worker: ChunkWorker) -> Assignment | None:
        """A chunk for a worker: one that failed, one of its own source, a new source, any."""
        if self.retries:
            return self.retries.popleft()
        free = [chain for chain in self.chains if not chain.reading and chain.place is not None]
        own = next((chain for chain in free if chain.holder is worker), None)
        chain = own or self._open_source() or next(filter(_is_free, free), None)
        if chain is None or chain.place is None:
            return None
        chain.reading = True
        return Assignment(ChunkTask(chain.source, chain.place), chain)

    def _open_source(self) -> Chain | None:
        """The next source that is not done."""
        for source in self.sources:
            place = self.sink.next_place(source, START)
            if place is not None:
                chain = Chain(source, place)
                self.chains.append(chain)
                return chain
        self.exhausted = True
        return None

    def _assign(self, worker: ChunkWorker, assignment: Assignment) -> None:
        assignment.chain.holder = worker
        self.assigned[worker] = assignment
        worker.give(assignment.task)

    # -- receiving results ----------------------------------------------------------------

    def _receive(self, worker: ChunkWorker) -> None:
        try:
            message = worker.pipe.recv()
        except (EOFError, OSError):
            self._remove(worker)
            return
        if isinstance(message, str):
            worker.confirm_start(message)
            self.failed_starts = 0
        elif isinstance(message, ChunkRead):
            self._continue_chain(self.assigned[worker], message.end)
        else:
            worker.task = None
            self._finish(self.assigned.pop(worker), message)
            if message.spent:
                self._dismiss(worker)

    def _continue_chain(self, assignment: Assignment, end: Place | None) -> None:
        """Let the next chunk be read, the first time that a chunk is."""
        if assignment.read:
            return
        assignment.read, chain = True, assignment.chain
        chain.reading = False
        chain.place = None if end is None else self.sink.next_place(chain.source, end)
        if chain.place is None:
            self.chains.remove(chain)

    def _finish(self, assignment: Assignment, message: ChunkDone | ReadFailed) -> None:
        if isinstance(message, ReadFailed):
            self._give_up(assignment, message.error, message.reason)
            return
        tables = {name: unpack_table(data) for name, data in message.tables.items()}
        source, start = assignment.chain.source, assignment.task.start
        self.sink.add(Finished(source, start, message.end, tables, message.result))

    def _give_up(self, assignment: Assignment, error: str, reason: str) -> None:
        """Leave the rest of a source unread."""
        self.sink.unread(assignment.chain.source, error, reason)
        if assignment.chain in self.chains:
            self.chains.remove(assignment.chain)

    # -- workers that hang or die ---------------------------------------------------------

    def _check_heartbeat(self, worker: ChunkWorker) -> None:
        """Kill a worker whose heart has not beaten for too long; its death is then noticed."""
        silence = worker.silence()
        if worker.idle:
            return
        limit = self._time_limit(worker) if worker.ready else START_SECONDS
        if silence > limit and worker.late is None:
            worker.late = limit
            worker.kill()

    def _time_limit(self, worker: ChunkWorker) -> float:
        """Seconds that a worker may take for what it is doing."""
        if worker.position()[1] == WORKING:
            return self.work.options.timeout
        on_web = worker.task is not None and worker.task.source.kind == "urls"
        return LOAD_SECONDS if on_web else READ_SECONDS

    def _dismiss(self, worker: ChunkWorker) -> None:
        """End an idle worker; another one is started in its place when there is a task."""
        self._forget(worker)
        worker.kill()
        worker.close()

    def _forget(self, worker: ChunkWorker) -> None:
        self.workers.remove(worker)
        for chain in self.chains:
            if chain.holder is worker:
                chain.holder = None

    def _remove(self, worker: ChunkWorker) -> None:
        """Remove a worker that ended; its chunk is done again, without the page it ended at."""
        self._forget(worker)
        worker.reap()
        if not worker.ready:
            self.failed_starts += 1
            if self.failed_starts >= MAX_FAILED_STARTS:
                how = worker.exit_description()
                raise NoWorkers(f"{self.failed_starts} in a row ended with {how}")
        elif worker in self.assigned:
            self._blame_page(worker, self.assigned.pop(worker))
        worker.close()

    def _blame_page(self, worker: ChunkWorker, assignment: Assignment) -> None:
        """Mark the page that a worker ended at as failed, if that happened too often."""
        place, phase = worker.position()
        assignment.deaths[place, phase] += 1
        deaths, task = assignment.deaths[place, phase], assignment.task
        blamed = task.avoid if phase == READING else task.failed
        if phase == IDLE or place in blamed:
            if deaths >= MAX_DEATHS:
                how = worker.exit_description()
                self._give_up(
                    assignment, WorkerCrashed.__name__, f"worker processes ended with {how}"
                )
                return
        elif deaths >= _max_deaths(worker):
            more = {**blamed, place: _describe_failure(worker, task)}
            reading = phase == READING
            assignment.task = replace(task, avoid=more) if reading else replace(task, failed=more)
        self.retries.append(assignment)


def _max_deaths(worker: ChunkWorker) -> int:
    """How often a worker may end in this way before the page is blamed."""
    if worker.late is not None:
        return 1
    return MAX_KILLS if worker.process.returncode == -SIGKILL else MAX_CRASHES


def _is_free(chain: Chain) -> bool:
    """Whether any worker may continue a source."""
    splits = chain.source.splits and chain.place is not None and not chain.place.skip
    return splits or chain.holder is None


def _describe_failure(worker: ChunkWorker, task: ChunkTask) -> tuple[str, str]:
    """Error and reason of the page that a worker ended at."""
    place, phase = worker.position()
    what = "reading " if phase == READING else ""
    name = f"{what}{task.source.address or 'a file'} at {place.at}"
    error: PageError
    if worker.late is None:
        error = WorkerCrashed(name, worker.exit_description())
    else:
        error = OverTime(name, worker.late)
    return type(error).__name__, str(error)


@dataclass(frozen=True, slots=True)
class InlineEngine:
    """One chunk after another, in this process."""

    def run(
        self, sources: Iterable[Source], work: Work, sink: Sink, stop: Callable[[], bool]
    ) -> None:
        """Work on all sources until they are done, or until `stop` returns True."""
        from_batches = import_pyarrow().Table.from_batches
        for source in sources:
            began = monotonic(), process_time()
            for chunk in _read_chunks(source, work, sink):
                if stop():
                    return
                read = process_time()
                made = process_chunk(chunk, work)
                tables = {name: from_batches([batch]) for name, batch in made.tables.items()}
                done = process_time()
                blocked = max(monotonic() - began[0] - (done - began[1]), 0.0)
                cost = Cost(read - began[1], done - read, blocked=blocked)
                result = replace(made, cost=cost)
                sink.add(Finished(source, chunk.start, chunk.end, tables, result))
                sink.tick()
                began = monotonic(), process_time()


def _read_chunks(source: Source, work: Work, sink: Sink) -> Iterator[Chunk]:
    """The chunks of a source that are not done, one after another, as far as it can be read."""
    place = sink.next_place(source, START)
    open_at, entries = None, None
    while place is not None:
        if entries is None or place != open_at:
            entries = read_source(source, place, work.options)
        try:
            chunk = read_chunk(source, place, entries, work.options.chunk_records)
        except Exception as error:  # noqa: BLE001 - whatever it is, it ends the source alone
            sink.unread(source, *describe_error(error))
            return
        yield chunk
        open_at = None if chunk.broken else chunk.end
        place = None if chunk.end is None else sink.next_place(source, chunk.end)
