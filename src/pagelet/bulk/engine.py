"""The local engine: chunks handed to worker processes, whatever happens to them.

A source is read as a chain of chunks: where one ends is known as soon as it is read, and then
the next one can be read elsewhere while its pages are worked on. A page that brings its worker
down, or takes too long, is named by the worker's board; the chunk is done again without it.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from multiprocessing.connection import wait
from signal import SIGKILL
from typing import Any, Protocol

from pagelet.bulk.chunk import Finished, Work, entries_of, process_chunk, read_chunk
from pagelet.bulk.records import Chunk, Source
from pagelet.bulk.worker import (
    IDLE,
    READING,
    WORKING,
    ChunkWorker,
    Done,
    ReadUpTo,
    Task,
    Unread,
    unpacked,
)
from pagelet.errors import NoWorkers, OverTime, PageError, PageletError, WorkerCrashed
from pagelet.processes import START_SECONDS, stop_workers
from pagelet.sources.warc.reader import START, Place

TICK = 0.05  #: seconds between two looks at the workers
TRIES = 2  #: how often a page may bring a worker down
KILLED_TRIES = 3  #: the same when the worker was killed, which may not be the page's doing
GIVE_UP = 6  #: deaths at one place, known or nobody's, after which the rest of a source is left
READ_SECONDS = 300.0  #: in which a record must be read
WEB_SECONDS = 1800.0  #: the same for a page on the web, polite waiting and retries among them
FAILED_STARTS = 5  #: workers in a row that end before they are ready


class Sink(Protocol):
    """Where finished chunks go; it knows what is done already."""

    def next_place(self, source: Source, place: Place) -> Place | None:
        """The first place from here on that is not done; None when all is."""

    def add(self, made: Finished) -> None:
        """Take a finished chunk."""

    def unread(self, source: Source, error: str, reason: str) -> None:
        """Take note of a source that cannot be read, or not to its end."""

    def tick(self) -> None:
        """Called many times a second, for whatever is due."""


class Engine(Protocol):
    """What runs work over sources; only scheduling differs between engines."""

    def run(
        self, sources: Iterable[Source], work: Work, sink: Sink, stop: Callable[[], bool]
    ) -> None:
        """Work on all sources until they are done, or until it is to stop."""


@dataclass(eq=False)
class Chain:
    """A source and the next place in it to be read."""

    source: Source
    place: Place | None
    reading: bool = False  #: whether a chunk is being read, and the next place is unknown
    holder: ChunkWorker | None = None  #: the worker that has it open


@dataclass(eq=False)
class Out:
    """A task that was handed out."""

    task: Task
    chain: Chain
    read: bool = False  #: whether its end is known
    tries: Counter[tuple[Place, int]] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class LocalEngine:
    """Worker processes of this machine."""

    jobs: int

    def run(
        self, sources: Iterable[Source], work: Work, sink: Sink, stop: Callable[[], bool]
    ) -> None:
        """Work on all sources until they are done, or until it is to stop."""
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
        self.out: dict[int, Out] = {}
        self.again: deque[Out] = deque()
        self.numbers = 0
        self.failed_starts = 0
        self.exhausted = False

    def loop(self, stop: Callable[[], bool]) -> None:
        """Hand out, listen, look after those that hang, until nothing is left."""
        while True:
            stopping = stop()
            if not stopping:
                self._hand_out()
            if not any(worker.task for worker in self.workers) and (stopping or self._is_done()):
                return
            for pipe in wait([worker.pipe for worker in self.workers], TICK):
                self._listen(next(worker for worker in self.workers if worker.pipe is pipe))
            for worker in list(self.workers):
                self._look_after(worker)
            self.sink.tick()

    def _is_done(self) -> bool:
        return self.exhausted and not self.chains and not self.again

    # -- handing out ----------------------------------------------------------------------

    def _hand_out(self) -> None:
        """Give every worker that waits something to do; start workers as long as there is."""
        for worker in self.workers:
            if worker.idle and (out := self._next(worker)):
                self._give(worker, out)
        wanting = sum(not worker.ready for worker in self.workers)
        if len(self.workers) < self.jobs and not self._is_done() and wanting <= self._open_work():
            self.workers.append(ChunkWorker(self.work))

    def _open_work(self) -> int:
        """How many more workers could find something to do; many, as long as sources are left."""
        if not self.exhausted:
            return self.jobs
        return len(self.again) + len(self.chains)

    def _next(self, worker: ChunkWorker) -> Out | None:
        """A chunk for a worker: one that failed, one of its own source, a new source, any."""
        if self.again:
            return self.again.popleft()
        free = [chain for chain in self.chains if not chain.reading and chain.place is not None]
        own = next((chain for chain in free if chain.holder is worker), None)
        chain = own or self._opened() or next(filter(_is_free, free), None)
        if chain is None or chain.place is None:
            return None
        self.numbers += 1
        out = Out(Task(self.numbers, chain.source, chain.place, {}, {}), chain)
        chain.reading = True
        return out

    def _opened(self) -> Chain | None:
        """The next source that is not done."""
        for source in self.sources:
            place = self.sink.next_place(source, START)
            if place is not None:
                chain = Chain(source, place)
                self.chains.append(chain)
                return chain
        self.exhausted = True
        return None

    def _give(self, worker: ChunkWorker, out: Out) -> None:
        out.chain.holder = worker
        self.out[out.task.number] = out
        worker.give(out.task)

    # -- listening ------------------------------------------------------------------------

    def _listen(self, worker: ChunkWorker) -> None:
        try:
            said = worker.pipe.recv()
        except (EOFError, OSError):
            self._died(worker)
            return
        if isinstance(said, str):
            self._started(worker, said)
            return
        out = self.out[said.task]
        if isinstance(said, ReadUpTo):
            self._was_read(out, said.end)
            return
        worker.task = None
        del self.out[said.task]
        if isinstance(said, Done):
            tables = {name: unpacked(data) for name, data in said.tables.items()}
            self.sink.add(Finished(out.chain.source, out.task.start, said.end, tables, said.result))
        elif isinstance(said, Unread):
            self._give_up(out, said.error, said.reason)

    def _started(self, worker: ChunkWorker, said: str) -> None:
        worker.confirm_start(said)
        self.failed_starts = 0

    def _was_read(self, out: Out, end: Place | None) -> None:
        """Let the next chunk be read, the first time that a chunk is."""
        if out.read:
            return
        out.read, chain = True, out.chain
        chain.reading = False
        chain.place = None if end is None else self.sink.next_place(chain.source, end)
        if chain.place is None:
            self.chains.remove(chain)

    def _give_up(self, out: Out, error: str, reason: str) -> None:
        """Leave the rest of a source."""
        self.sink.unread(out.chain.source, error, reason)
        if out.chain in self.chains:
            self.chains.remove(out.chain)

    # -- looking after --------------------------------------------------------------------

    def _look_after(self, worker: ChunkWorker) -> None:
        """End a worker that stands still for too long; its death is then heard of."""
        silence = worker.silence()
        if not worker.ready:
            limit = START_SECONDS
        elif worker.task is None:
            return
        else:
            limit = self._limit(worker.task, worker.position()[1])
        if silence > limit and worker.late is None:
            worker.late = limit
            worker.kill()

    def _limit(self, task: Task, phase: int) -> float:
        if phase == WORKING:
            return self.work.options.timeout
        return WEB_SECONDS if task.source.kind == "urls" else READ_SECONDS

    def _died(self, worker: ChunkWorker) -> None:
        """Have the chunk of a worker that ended done again, without the page it ended at."""
        self.workers.remove(worker)
        worker.reap()
        for chain in self.chains:
            if chain.holder is worker:
                chain.holder = None
        if not worker.ready:
            self.failed_starts += 1
            if self.failed_starts >= FAILED_STARTS:
                raise NoWorkers(
                    f"{self.failed_starts} in a row ended with {worker.exit_description()}"
                )
        elif worker.task is not None:
            self._blame(worker, self.out.pop(worker.task.number))
        worker.close()

    def _blame(self, worker: ChunkWorker, out: Out) -> None:
        """Name the page that a worker ended at, once it has done so too often."""
        place, phase = worker.position()
        out.tries[place, phase] += 1
        tries, how = out.tries[place, phase], worker.exit_description()
        known = out.task.avoid if phase == READING else out.task.failed
        if phase == IDLE or place in known:
            if tries >= GIVE_UP:
                self._give_up(out, WorkerCrashed.__name__, f"worker processes ended with {how}")
                return
        elif tries >= _tries(worker):
            more = {**known, place: _told(worker, out, how)}
            reading = phase == READING
            out.task = replace(out.task, avoid=more) if reading else replace(out.task, failed=more)
        self.again.append(out)


def _tries(worker: ChunkWorker) -> int:
    """How often a worker may end so before a page is to blame."""
    if worker.late is not None:
        return 1
    return KILLED_TRIES if worker.process.returncode == -SIGKILL else TRIES


def _is_free(chain: Chain) -> bool:
    """Whether any worker may go on with a source."""
    splits = chain.source.splits and chain.place is not None and not chain.place.skip
    return splits or chain.holder is None


def _told(worker: ChunkWorker, out: Out, how: str) -> tuple[str, str]:
    """Name and reason of what a page did."""
    place, phase = worker.position()
    what = "reading " if phase == READING else ""
    name = f"{what}{out.task.source.address or 'a file'} at {place.at}"
    late = worker.late
    error: PageError = WorkerCrashed(name, how) if late is None else OverTime(name, late)
    return type(error).__name__, str(error)


# -- The engine without workers: everything in this process, for a look inside and for tests --


@dataclass(frozen=True, slots=True)
class InlineEngine:
    """One chunk after the other, in this process."""

    def run(
        self, sources: Iterable[Source], work: Work, sink: Sink, stop: Callable[[], bool]
    ) -> None:
        """Work on all sources until they are done, or until it is to stop."""
        for source in sources:
            try:
                for chunk in chunks_of(source, work, sink):
                    if stop():
                        return
                    result = process_chunk(chunk, work)
                    tables = {name: _table(batch) for name, batch in result.tables.items()}
                    sink.add(Finished(source, chunk.start, chunk.end, tables, result))
                    sink.tick()
            except (PageletError, OSError) as error:
                sink.unread(source, type(error).__name__, str(error))


def chunks_of(source: Source, work: Work, sink: Sink) -> Iterator[Chunk]:
    """The chunks of a source that are not done, read one after the other."""
    place = sink.next_place(source, START)
    open_at, entries = None, None
    while place is not None:
        if entries is None or place != open_at:
            entries = entries_of(source, place, work.options)
        chunk = read_chunk(source, place, entries, work.options.chunk_records)
        yield chunk
        open_at = chunk.end
        place = None if chunk.end is None else sink.next_place(source, chunk.end)


def _table(batch: Any) -> Any:
    import pyarrow as pa  # noqa: PLC0415 - an extra

    return pa.Table.from_batches([batch])
