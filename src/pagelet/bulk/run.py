"""One call: inputs, an output folder, and what is wanted; rows come out, whatever happens."""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from pagelet.bulk.chunk import Finished
from pagelet.bulk.engine import Engine, LocalEngine
from pagelet.bulk.inputs import FILE_SIZE, Plan, check
from pagelet.bulk.manifest import write_whole
from pagelet.bulk.options import BulkOptions
from pagelet.bulk.outputs import Dataset, OutputOptions
from pagelet.bulk.records import Source
from pagelet.bulk.row import PageWork
from pagelet.bulk.sites import DIGESTS, LearnWork, write_templates
from pagelet.errors import OptionError
from pagelet.sources.warc.reader import Place

if TYPE_CHECKING:
    pass


SITES, LEARNED = "sites", "learned.json"  #: folder of the first pass, and what ends it


@dataclass(slots=True)
class Progress:
    """How far a run is."""

    size: int  #: bytes of all inputs, some of them a guess
    resumed: int = 0  #: bytes that earlier runs have done
    done: int = 0  #: bytes that this run has done
    pages: int = 0  #: rows that this run has written
    errors: int = 0  #: error rows among them
    skipped: int = 0
    began: float = field(default_factory=monotonic)

    @property
    def seconds(self) -> float:
        """Since the run began."""
        return max(monotonic() - self.began, 1e-9)

    @property
    def rate(self) -> float:
        """Pages a second."""
        return self.pages / self.seconds

    @property
    def left(self) -> float | None:
        """Seconds that are left, as far as one can tell."""
        if not self.done or not self.size:
            return None
        return max(self.size - self.resumed - self.done, 0) * self.seconds / self.done


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run did, and what the output holds now."""

    rows: int  #: in the output
    records: int
    errors: Mapping[str, int]
    skips: Mapping[str, int]
    failed: Sequence[tuple[str, str, str]]  #: inputs that cannot be read, the error, and why
    pages: int  #: rows of this run
    seconds: float
    stopped: bool  #: before everything was done


def bulk(  # noqa: PLR0913 - what a run is told
    inputs: Sequence[str | Path],
    output: str | Path,
    options: BulkOptions = BulkOptions(),
    *,
    how: OutputOptions = OutputOptions(),
    engine: Engine | None = None,
    resume: bool = False,
    told: Callable[[Progress], None] = lambda _: None,
    stop: Callable[[], bool] = lambda: False,
) -> Summary:
    """Read pages from inputs and write a table of them into a folder.

    A page that fails is a row that says so. With `resume`, what an earlier run has done is kept.
    """
    plan = check([str(each) for each in inputs])
    work = PageWork(options)
    chosen = engine or LocalEngine(os.cpu_count() or 1)
    with Dataset(Path(output), work, how, resume=resume) as dataset:
        size = _known(plan, dataset)
        if options.templates and options.learn:
            sink = _Told(_sites(Path(output), options), Progress(size), told)
            learn_sites(plan, sink, chosen, stop)
        progress = Progress(size)
        chosen.run(plan, work, _Told(dataset, progress, told), stop)
        stopped = stop()
        dataset.commit()
        whole = dataset.totals()
    return Summary(
        rows=whole.rows.get("pages", 0),
        records=whole.records,
        errors=dict(whole.errors.most_common()),
        skips=dict(whole.skips.most_common()),
        failed=tuple(dataset.failed),
        pages=progress.pages,
        seconds=progress.seconds,
        stopped=stopped,
    )


def _sites(output: Path, options: BulkOptions) -> Dataset:
    """Where the first pass writes; it goes on by itself."""
    return Dataset(output / SITES, LearnWork(options), resume=True)


def learn_sites(plan: Plan, sink: "_Told", engine: Engine, stop: Callable[[], bool]) -> None:
    """The first pass: learn the templates of all hosts, unless an earlier run has done so."""
    with sink.dataset as dataset:
        learned = dataset.folder / LEARNED
        if learned.exists():
            return
        engine.run(plan, dataset.work, sink, stop)
        dataset.commit()
        if not stop():
            count = write_templates(dataset.folder / DIGESTS, dataset.work.options.templates)
            write_whole(learned, json.dumps({"hosts": count}))


def _known(plan: Plan, dataset: Dataset) -> int:
    """Bytes of all inputs; refused when what an earlier run has read is not the same now."""
    missing, size = dict(dataset.manifest.sizes), 0
    for source in plan:
        size += source.size
        if missing.pop(source.key, source.size) != source.size:
            why = "it has changed since it was read; give another output folder"
            raise OptionError("resume", source.address, why)
    if missing:
        why = "it was read by the run that is to go on, and is no longer there or has changed"
        raise OptionError("resume", next(iter(missing)), why)
    return size


def steps(source: Source, start: Place, end: Place | None) -> int:
    """Bytes of an input between two places, as far as one can tell."""
    if source.names:
        return ((len(source.names) if end is None else end.at) - start.at) * FILE_SIZE
    if source.splits:
        return (source.size if end is None else end.at) - start.at
    return source.size if end is None else 0


class _Told:
    """A data set whose growth is told."""

    def __init__(
        self, dataset: Dataset, progress: Progress, told: Callable[[Progress], None]
    ) -> None:
        self.dataset, self.progress, self.told = dataset, progress, told

    def next_place(self, source: Source, place: Place) -> Place | None:
        found = self.dataset.next_place(source, place)
        if found != place:
            self.progress.resumed += steps(source, place, found)
        return found

    def add(self, made: Finished) -> None:
        self.dataset.add(made)
        progress, result = self.progress, made.result
        progress.done += steps(made.source, made.start, made.end)
        progress.pages += result.records
        progress.errors += sum(result.errors.values())
        progress.skipped += sum(result.skips.values())

    def unread(self, source: Source, error: str, reason: str) -> None:
        self.dataset.unread(source, error, reason)

    def tick(self) -> None:
        self.dataset.tick()
        self.told(self.progress)


def rows_of(folder: str | Path) -> Iterator[dict[str, object]]:
    """The rows of an output in Parquet, one after the other."""
    from pyarrow import dataset  # noqa: PLC0415 - an extra

    for batch in dataset.dataset(str(Path(folder) / "pages")).to_batches():
        yield from batch.to_pylist()
