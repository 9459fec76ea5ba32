"""Worker processes of a bulk run: each reads chunks and makes tables of them, one by one.

Before each record a worker writes the record's place into its heartbeat, a few bytes that it
shares with the engine; so when it dies or hangs, the engine knows where.
"""

import gc
import mmap
import os
import struct
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from time import monotonic, process_time
from typing import Any

from pagelet.bulk.chunk import Cost, Result, Work, process_chunk, read_chunk, read_source
from pagelet.bulk.options import import_pyarrow
from pagelet.bulk.records import Chunk, Record, Source, SourceEntry, describe_error
from pagelet.processes import WARM_PAGE, Worker, limit_memory
from pagelet.sources.warc.reader import START, Failures, OnRecord, Place

BEAT = struct.Struct("=QQQB")  #: number of the beat, place, phase
HEARTBEAT_BYTES = mmap.PAGESIZE
IDLE, READING, WORKING = 0, 1, 2  #: phases of a worker
WARM_CHUNK = Chunk(
    Source("files", "", names=("",)), START, None, (Record("", START, "", body=WARM_PAGE),)
)


@dataclass(frozen=True, slots=True)
class ChunkTask:
    """A chunk to be done."""

    source: Source
    start: Place
    failed: Failures = field(default_factory=dict)  #: pages that brought workers down
    avoid: Failures = field(default_factory=dict)  #: records that did so while they were read


@dataclass(frozen=True, slots=True)
class ChunkRead:
    """Sent when a chunk is read: the next one may be read elsewhere."""

    end: Place | None  #: where the next chunk begins


@dataclass(frozen=True, slots=True)
class ChunkDone:
    """Sent when a chunk is done."""

    end: Place | None
    tables: dict[str, bytes]  #: Arrow streams by table
    result: Result  #: without its tables

    @property
    def spent(self) -> bool:
        """Whether the worker ran out of memory; what it still holds comes back with its end."""
        return MemoryError.__name__ in self.result.errors


@dataclass(frozen=True, slots=True)
class ReadFailed:
    """Sent when a source cannot be read, or not to its end."""

    error: str
    reason: str

    @property
    def spent(self) -> bool:
        """Whether the worker ran out of memory while it read."""
        return self.error == MemoryError.__name__


class Heartbeat:
    """Where a worker is: a few bytes in memory that it shares with the engine."""

    def __init__(self, file: int) -> None:
        self.memory = mmap.mmap(file, HEARTBEAT_BYTES)
        self.number = 0

    def write(self, place: Place, phase: int) -> None:
        """Note a place and a phase."""
        self.number += 1
        BEAT.pack_into(self.memory, 0, self.number, place.at, place.skip, phase)

    def read(self) -> tuple[int, Place, int]:
        """The number of the last beat, its place and its phase."""
        number, at, skip, phase = BEAT.unpack_from(self.memory, 0)
        return number, Place(at, skip), phase


class ChunkWorker(Worker):
    """A worker process that does chunks, and what it is at."""

    def __init__(self, work: Work) -> None:
        self.task: ChunkTask | None = None
        self.late: float | None = None  #: the time limit that it exceeded, in seconds
        self.beat = -1  #: number of the last beat that was seen
        self.since = monotonic()  #: when that beat was first seen
        with _shared_file() as file:
            file.truncate(HEARTBEAT_BYTES)
            self.heartbeat = Heartbeat(file.fileno())
            handler = ChunkHandler(work, file.fileno())
            super().__init__(handler, files=(file.fileno(),), quiet=True)

    @property
    def idle(self) -> bool:
        """Whether the process waits for a task."""
        return self.ready and self.task is None

    def give(self, task: ChunkTask) -> None:
        """Send a task; if the process is gone, its pipe will report that soon."""
        self.task, self.since = task, monotonic()
        with suppress(OSError):
            self.pipe.send(task)

    def position(self) -> tuple[Place, int]:
        """The place it is at, and the phase."""
        _, place, phase = self.heartbeat.read()
        return place, phase

    def silence(self) -> float:
        """Seconds since its heart last beat."""
        number, _, _ = self.heartbeat.read()
        if number != self.beat:
            self.beat, self.since = number, monotonic()
        return monotonic() - self.since

    def close(self) -> None:
        """Close the files that are shared with the process."""
        super().close()
        self.heartbeat.memory.close()


def _shared_file() -> Any:
    """A file for the heartbeat; in memory where that is possible, since a disk may be full."""
    if hasattr(os, "memfd_create"):
        return open(os.memfd_create("pagelet-heartbeat"), "w+b")
    return tempfile.TemporaryFile()


class ChunkHandler:
    """Reads chunks and makes tables of them, in a worker process."""

    def __init__(self, work: Work, heartbeat_file: int) -> None:
        self.work, self.heartbeat_file = work, heartbeat_file
        self._free = 0.0  #: when the last chunk was done
        self._open: tuple[str, Place | None, Iterator[SourceEntry]] | None = None

    def prepare(self) -> None:
        """Load models, for which no page is to be charged, and limit memory."""
        self.heartbeat = Heartbeat(self.heartbeat_file)
        process_chunk(WARM_CHUNK, self.work)
        import_pyarrow().set_cpu_count(1)
        limit_memory(self.work.options.memory)
        gc.disable()  # a page forms no cycles; garbage is collected after each chunk
        self.work.take_stages()  # those of the page for warming up
        self._free = monotonic()

    def handle(self, task: ChunkTask, send: Callable[[Any], None]) -> None:
        """Read a chunk, report where it ends, then send its tables."""
        self.heartbeat.write(task.start, READING)
        began = monotonic(), process_time()
        try:
            chunk = self._read(task)
        except Exception as error:  # noqa: BLE001 - whatever it is, it ends the source alone
            report: Any = ReadFailed(*describe_error(error))
        else:
            send(ChunkRead(chunk.end))
            report = self._process(chunk, task, began)
        self.heartbeat.write(Place(), IDLE)
        send(report)
        gc.collect()
        self._free = monotonic()

    def close(self) -> None:
        """Leave all files to the end of the process."""

    def _read(self, task: ChunkTask) -> Chunk:
        entries = self._entries(task)
        chunk = read_chunk(task.source, task.start, entries, self.work.options.chunk_records)
        if not chunk.broken:
            self._open = (task.source.key, chunk.end, entries)
        return chunk

    def _process(self, chunk: Chunk, task: ChunkTask, began: tuple[float, float]) -> ChunkDone:
        wall, cpu = began
        read = process_time()
        result = process_chunk(chunk, self.work, self._beat(WORKING), task.failed)
        tables = {name: pack_table(batch) for name, batch in result.tables.items()}
        used = process_time() - cpu
        idle, blocked = wall - self._free, max(monotonic() - wall - used, 0.0)
        cost = Cost(read - cpu, used - (read - cpu), peak_memory(), idle, blocked)
        return ChunkDone(chunk.end, tables, replace(result, tables={}, cost=cost))

    def _entries(self, task: ChunkTask) -> Iterator[SourceEntry]:
        """The source from the task's start on; where the last task ended, it is open already."""
        held, self._open = self._open, None
        if held and held[:2] == (task.source.key, task.start) and not task.avoid:
            return held[2]
        options, beat = self.work.options, self._beat(READING)
        return read_source(task.source, task.start, options, beat, task.avoid)

    def _beat(self, phase: int) -> OnRecord:
        return lambda place: self.heartbeat.write(place, phase)


def pack_table(batch: Any) -> bytes:
    """A record batch as an Arrow stream."""
    pa = import_pyarrow()
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    return bytes(sink.getvalue())


def unpack_table(data: bytes) -> Any:
    """The table of an Arrow stream."""
    return import_pyarrow().ipc.open_stream(data).read_all()


def peak_memory() -> int:
    """The most bytes that this process has ever held."""
    import resource  # noqa: PLC0415 - not everywhere

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
