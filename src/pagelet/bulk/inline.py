"""The engine without workers: everything in this process, for a look inside and for tests.

A page that crashes or hangs here takes the run with it.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pagelet.bulk.chunk import Finished, Work, entries_of, process_chunk, read_chunk
from pagelet.bulk.engine import Sink
from pagelet.bulk.records import START, Chunk, Source
from pagelet.errors import PageletError


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
