"""What runs on the nodes of a cluster: one chunk, done as the local engine does it."""

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from queue import SimpleQueue
from typing import TYPE_CHECKING

from pagelet.bulk.chunk import Finished, Result, Work
from pagelet.bulk.crew import Member, ended
from pagelet.bulk.engine import LocalRun
from pagelet.bulk.records import Place, Source

if TYPE_CHECKING:
    import pyarrow as pa


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
        self.crew: list[Member] = []

    def take(self, work: Work) -> list[Member]:
        """The process, if it was started for the same work."""
        crew, self.crew = self.crew, []
        if self.work != work:
            ended(crew)
            crew, self.work = [], work
        return crew


KEPT = Kept()


def _run(source: Source, start: Place, work: Work, heard: Heard) -> None:
    run = LocalRun(1, iter([source]), work, OneChunk(start, heard))
    try:
        run.crew = KEPT.take(work)
        run.loop(lambda: False)
        KEPT.crew = run.crew
        heard.put(None)
    except Exception as error:  # noqa: BLE001 - the task raises it
        ended(run.crew)
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
