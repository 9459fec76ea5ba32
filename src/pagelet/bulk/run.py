"""A bulk run: pages are read from inputs, and their table is written to a folder."""

import json
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from pagelet.bulk.chunk import Finished
from pagelet.bulk.engine import Engine, LocalEngine
from pagelet.bulk.inputs import ASSUMED_FILE_BYTES, InputPlan, make_plan
from pagelet.bulk.manifest import write_atomically
from pagelet.bulk.options import BulkOptions
from pagelet.bulk.outputs import Dataset, OutputOptions
from pagelet.bulk.profile import ProfiledWork, RunProfile
from pagelet.bulk.records import Source
from pagelet.bulk.row import PageWork
from pagelet.bulk.sites import DIGESTS, LearnWork, write_templates
from pagelet.errors import OptionError
from pagelet.sources.warc.reader import Place

SITES_FOLDER = "_sites"  #: folder of the first pass
LEARNED_FILE = "_learned.json"  #: file in that folder which is written when the pass is done


@dataclass(slots=True)
class Progress:
    """The progress of a run."""

    size: int  #: bytes of all inputs, some of them estimated
    resumed: int = 0  #: bytes that earlier runs have done
    done: int = 0  #: bytes that this run has done
    pages: int = 0  #: rows that this run has written
    errors: int = 0  #: error rows among them
    skipped: int = 0
    began: float = field(default_factory=monotonic)

    @property
    def seconds(self) -> float:
        """Seconds since the run began."""
        return max(monotonic() - self.began, 1e-9)

    @property
    def rate(self) -> float:
        """Pages per second."""
        return self.pages / self.seconds

    @property
    def left(self) -> float | None:
        """Estimate of the seconds that are left."""
        if not self.done or not self.size:
            return None
        return max(self.size - self.resumed - self.done, 0) * self.seconds / self.done


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run did, and what the output holds after it."""

    rows: int  #: rows in the output
    records: int  #: records in the output
    errors: Mapping[str, int]
    skips: Mapping[str, int]
    failed: Sequence[tuple[str, str, str]]  #: inputs that cannot be read, error and reason
    pages: int  #: rows that this run has written
    seconds: float
    stopped: bool  #: whether it ended before everything was done
    damaged: Mapping[str, int] = field(default_factory=dict)  #: damage by input
    repeated: Sequence[str] = ()  #: inputs that were named again, and are read once
    unsure: int = 0  #: rows without text, since their confidence is too low
    profile: RunProfile | None = None  #: where the time went, if that was measured


def bulk(  # noqa: PLR0913 - keyword options
    inputs: Sequence[str | Path],
    output: str | Path,
    options: BulkOptions = BulkOptions(),
    *,
    how: OutputOptions = OutputOptions(),
    engine: Engine | None = None,
    resume: bool = False,
    profile: bool = False,
    on_progress: Callable[[Progress], None] = lambda _: None,
    stop: Callable[[], bool] = lambda: False,
) -> Summary:
    """Read pages from inputs and write a table of them into a folder.

    A page that fails is a row with an error. With `resume`, an earlier run is continued; with
    `profile`, the time of each stage is measured, and written into the manifest.
    """
    plan = make_plan([str(each) for each in inputs])
    work = ProfiledWork(options) if profile else PageWork(options)
    spent = RunProfile() if profile else None
    chosen, repeated = engine or LocalEngine(os.cpu_count() or 1), list[str]()
    with Dataset(Path(output), work, how, resume=resume) as dataset:
        size = _check_sizes(plan.sources(repeated.append), dataset)
        progress = Progress(size)
        with spent.running() if spent else nullcontext():
            if options.templates and options.learn:
                digests = Dataset(Path(output) / SITES_FOLDER, LearnWork(options), resume=True)
                learner = ProfilingSink(digests, spent, learns=True) if spent else digests
                sink = ProgressSink(digests, Progress(size), on_progress, learner)
                learn_sites(plan, sink, chosen, stop)
            writer = ProfilingSink(dataset, spent) if spent else dataset
            chosen.run(plan, work, ProgressSink(dataset, progress, on_progress, writer), stop)
            stopped = stop()
            writer.commit()
        if spent:
            spent.write(dataset.manifest.folder)
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
        damaged=damaged_inputs(dataset.manifest.damage),
        repeated=tuple(dict.fromkeys(repeated)),
        unsure=whole.unsure,
        profile=spent,
    )


def damaged_inputs(damage: Mapping[str, int]) -> dict[str, int]:
    """Damage by address, from damage by source."""
    inputs: Counter[str] = Counter()
    for key, count in damage.items():
        if count:
            inputs[key.partition(":")[2].rpartition("#")[0]] += count
    return dict(inputs)


def learn_sites(
    plan: InputPlan, sink: "ProgressSink", engine: Engine, stop: Callable[[], bool]
) -> None:
    """The first pass: learn the templates of all hosts, unless an earlier run has done so."""
    with sink.dataset as dataset:
        learned = dataset.folder / LEARNED_FILE
        if learned.exists():
            return
        engine.run(plan, dataset.work, sink, stop)
        dataset.commit()
        if not stop():
            with dataset.writing():
                count = write_templates(dataset.folder / DIGESTS, dataset.work.options.templates)
                write_atomically(learned, json.dumps({"hosts": count}))
            shutil.rmtree(dataset.folder / DIGESTS, ignore_errors=True)  # the templates are made


def _check_sizes(plan: Iterable[Source], dataset: Dataset) -> int:
    """Bytes of all inputs; an error if inputs of the earlier run have changed."""
    missing, size = dict(dataset.manifest.sizes), 0
    for source in plan:
        size += source.size
        if missing.pop(source.key, source.size) != source.size:
            why = "it has changed since it was read; give another output folder"
            raise OptionError("resume", source.address, why)
    if missing:
        why = "the earlier run has read it, but it is no longer there or has changed"
        raise OptionError("resume", next(iter(missing)), why)
    return size


def bytes_between(source: Source, start: Place, end: Place | None) -> int:
    """Bytes of an input between two places, or an estimate."""
    if source.names:
        return ((len(source.names) if end is None else end.at) - start.at) * ASSUMED_FILE_BYTES
    if source.splits:
        return (source.size if end is None else end.at) - start.at
    return source.size if end is None else 0


class ProfilingSink:
    """A data set whose writing is measured, and the chunks that are written."""

    def __init__(self, dataset: Dataset, profile: RunProfile, *, learns: bool = False) -> None:
        self.dataset, self.profile = dataset, profile
        self._count = profile.add_learning if learns else profile.add

    def add(self, chunk: Finished) -> None:
        """Write the rows of a finished chunk."""
        self._count(chunk)
        with self.profile.writing():
            self.dataset.add(chunk)

    def tick(self) -> None:
        """Commit a part that has been open for long."""
        with self.profile.writing():
            self.dataset.tick()

    def commit(self) -> None:
        """Finish the part that is open."""
        with self.profile.writing():
            self.dataset.commit()


class ProgressSink:
    """A data set that reports its progress."""

    def __init__(
        self,
        dataset: Dataset,
        progress: Progress,
        on_progress: Callable[[Progress], None],
        writer: "Dataset | ProfilingSink | None" = None,
    ) -> None:
        self.dataset, self.progress, self.on_progress = dataset, progress, on_progress
        self.writer = writer or dataset

    def next_place(self, source: Source, place: Place) -> Place | None:
        """The first place from here on that is not done; None when all is."""
        start = self.dataset.next_place(source, place)
        if start != place:
            self.progress.resumed += bytes_between(source, place, start)
        return start

    def add(self, chunk: Finished) -> None:
        """Write the rows of a finished chunk, and count them."""
        self.writer.add(chunk)
        progress, result = self.progress, chunk.result
        progress.done += bytes_between(chunk.source, chunk.start, chunk.end)
        progress.pages += result.records
        progress.errors += sum(result.errors.values())
        progress.skipped += sum(result.skips.values())

    def unread(self, source: Source, error: str, reason: str) -> None:
        """Note a source that cannot be read, or not to its end."""
        self.dataset.unread(source, error, reason)

    def tick(self) -> None:
        """Commit a part that has been open for long, and report the progress."""
        self.writer.tick()
        self.on_progress(self.progress)


def rows_of(folder: str | Path) -> Iterator[dict[str, object]]:
    """The rows of an output in Parquet, one after another."""
    from pyarrow import dataset  # noqa: PLC0415 - an extra

    for batch in dataset.dataset(str(Path(folder) / "pages")).to_batches():
        yield from batch.to_pylist()
