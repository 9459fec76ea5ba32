"""A worker: a process that reads chunks and makes tables of them, one after the other.

Before each record it writes the record's place on a board, a few bytes that it shares with the
engine; so when it dies or hangs, the engine knows where.
"""

import ctypes
import gc
import mmap
import os
import signal
import struct
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from time import process_time
from typing import Any

from pagelet.bulk.chunk import Cost, Result, Work, entries_of, process_chunk, read_chunk
from pagelet.bulk.records import Chunk, Entry, Record, Source
from pagelet.errors import PageletError
from pagelet.sources.warc.reader import START, Failures, Place

BOARD = struct.Struct("=QQQB")  #: number of the note, place, phase
BOARD_BYTES = mmap.PAGESIZE
IDLE, READING, WORKING = 0, 1, 2  #: phases
WARM_PAGE = "<title>a</title><ul><li><a href=/>b</a><li><a href=/c>c</a></ul><p>words of a page"
WARM = Chunk(
    Source("files", "", names=("",)), START, None, (Record("", START, "", body=WARM_PAGE),)
)
DEATH_SIGNAL = 1  #: PR_SET_PDEATHSIG


@dataclass(frozen=True, slots=True)
class Task:
    """A chunk to be done."""

    number: int
    source: Source
    start: Place
    failed: Failures  #: pages that brought workers down
    avoid: Failures = field(default_factory=dict)  #: records that did so when they were read


@dataclass(frozen=True, slots=True)
class ReadUpTo:
    """Said when a chunk is read: where the next one begins."""

    task: int
    end: Place | None


@dataclass(frozen=True, slots=True)
class Done:
    """Said when a chunk is done; its tables are packed as Arrow streams."""

    task: int
    end: Place | None
    tables: dict[str, bytes]
    result: Result  #: without its tables


@dataclass(frozen=True, slots=True)
class Unread:
    """Said when a source cannot be read at all."""

    task: int
    error: str
    reason: str


class Board:
    """The shared note of where a worker is."""

    def __init__(self, file: int) -> None:
        self.memory = mmap.mmap(file, BOARD_BYTES)
        self.number = 0

    def write(self, place: Place, phase: int) -> None:
        """Note a place."""
        self.number += 1
        BOARD.pack_into(self.memory, 0, self.number, place.at, place.skip, phase)

    def read(self) -> tuple[int, Place, int]:
        """The number of the last note, its place and its phase."""
        number, at, skip, phase = BOARD.unpack_from(self.memory, 0)
        return number, Place(at, skip), phase


class Worker:
    """The loop of a worker."""

    def __init__(self, pipe: Connection, board: Board, work: Work) -> None:
        self.pipe, self.board, self.work = pipe, board, work
        self._open: tuple[str, Place | None, Iterator[Entry]] | None = None

    def run(self) -> None:
        """Do tasks until there are no more."""
        while (task := self.pipe.recv()) is not None:
            self.board.write(task.start, READING)
            try:
                said: Any = self._done(task)
            except (PageletError, OSError) as error:
                self._open = None
                said = Unread(task.number, type(error).__name__, str(error))
            self.board.write(Place(), IDLE)
            self.pipe.send(said)
            gc.collect()

    def _done(self, task: Task) -> Done:
        began = process_time()
        entries = self._entries(task)
        options = self.work.options
        chunk = read_chunk(task.source, task.start, entries, options.chunk_records)
        self.pipe.send(ReadUpTo(task.number, chunk.end))
        self._open = (task.source.key, chunk.end, entries)
        read = process_time()
        watch = self._watch(WORKING)
        result = process_chunk(chunk, self.work, watch, task.failed)
        tables = {name: packed(batch) for name, batch in result.tables.items()}
        cost = Cost(read - began, process_time() - read, most_memory())
        return Done(task.number, chunk.end, tables, replace(result, tables={}, cost=cost))

    def _entries(self, task: Task) -> Iterator[Entry]:
        """The source from the task's start on; where the last task ended, it is open already."""
        held, self._open = self._open, None
        if held and held[:2] == (task.source.key, task.start) and not task.avoid:
            return held[2]
        watch = self._watch(READING)
        return entries_of(task.source, task.start, self.work.options, watch, task.avoid)

    def _watch(self, phase: int) -> Any:
        return lambda place: self.board.write(place, phase)


def packed(batch: Any) -> bytes:
    """A batch as an Arrow stream."""
    import pyarrow as pa  # noqa: PLC0415 - an extra

    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    return bytes(sink.getvalue())


def unpacked(data: bytes) -> Any:
    """A table from an Arrow stream."""
    import pyarrow as pa  # noqa: PLC0415 - an extra

    return pa.ipc.open_stream(data).read_all()


def most_memory() -> int:
    """The most bytes that this process has ever held."""
    import resource  # noqa: PLC0415 - not everywhere

    told = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return told if sys.platform == "darwin" else told * 1024


def limit_memory(megabytes: int) -> None:
    """Refuse this process more memory than it has now and so much beside."""
    import resource  # noqa: PLC0415 - not everywhere

    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            now = int(file.read().split()[0]) * resource.getpagesize()
    except OSError:  # not Linux, where the limit would not be kept either
        return
    wanted = now + megabytes * 1_000_000
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard == resource.RLIM_INFINITY or wanted < hard:
        resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))


def end_with(parent: int) -> None:
    """Have the system end this process when its parent ends, where it can."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:  # it ended before we asked
        os._exit(1)


def main(pipe_file: int, board_file: int, parent: int) -> None:
    """Run a worker over the files it has inherited."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the engine decides when to stop
    end_with(parent)
    pipe = Connection(pipe_file)
    try:
        work = pipe.recv()
        process_chunk(WARM, work)  # loads models, which no page is to be charged for
        import pyarrow as pa  # noqa: PLC0415 - an extra

        pa.set_cpu_count(1)
        limit_memory(work.options.memory)
        gc.collect()
        gc.freeze()  # what is here now stays; later collections need not look at it
        gc.disable()  # a page forms no cycles; what does is looked for behind each chunk
        pipe.send("ready")
    except Exception:  # noqa: BLE001 - the engine tells it
        pipe.send(traceback.format_exc())
        return
    try:
        Worker(pipe, Board(board_file), work).run()
    except (EOFError, BrokenPipeError):  # the engine has ended
        return
