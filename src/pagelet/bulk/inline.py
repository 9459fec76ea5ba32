"""The engine without workers: one chunk after another in this process, for debuggers and tests."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from pagelet.bulk.chunk import Finished, Work, process_chunk, read_chunk, read_source
from pagelet.bulk.engine import Sink
from pagelet.bulk.options import import_pyarrow
from pagelet.bulk.records import Chunk, Source
from pagelet.errors import PageletError
from pagelet.sources.warc.reader import START


@dataclass(frozen=True, slots=True)
class InlineEngine:
    """One chunk after another, in this process."""

    def run(
        self, sources: Iterable[Source], work: Work, sink: Sink, stop: Callable[[], bool]
    ) -> None:
        """Work on all sources until they are done, or until `stop` returns True."""
        from_batches = import_pyarrow().Table.from_batches
        for source in sources:
            try:
                for chunk in _read_chunks(source, work, sink):
                    if stop():
                        return
                    result = process_chunk(chunk, work)
                    tables = {name: from_batches([batch]) for name, batch in result.tables.items()}
                    sink.add(Finished(source, chunk.start, chunk.end, tables, result))
                    sink.tick()
            except (PageletError, OSError) as error:
                sink.unread(source, type(error).__name__, str(error))


def _read_chunks(source: Source, work: Work, sink: Sink) -> Iterator[Chunk]:
    """The chunks of a source that are not done, one after another."""
    place = sink.next_place(source, START)
    open_at, entries = None, None
    while place is not None:
        if entries is None or place != open_at:
            entries = read_source(source, place, work.options)
        chunk = read_chunk(source, place, entries, work.options.chunk_records)
        yield chunk
        open_at = chunk.end
        place = None if chunk.end is None else sink.next_place(source, chunk.end)
