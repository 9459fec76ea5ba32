"""Estimate of the cost of a large crawl, from the measured cost of a sample.

Every figure is a ratio to the pages of the sample. The spread between chunks of the sample gives
the error of a ratio as far as chance goes; it cannot show whether the sample is like the crawl.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path
from time import monotonic, process_time

import numpy as np

from pagelet.arrays import Floats
from pagelet.bulk.chunk import Finished, Work
from pagelet.bulk.engine import Engine
from pagelet.bulk.inputs import InputPlan
from pagelet.bulk.options import BulkOptions
from pagelet.bulk.outputs import Dataset
from pagelet.bulk.ray_engine import TASKS_PER_CORE
from pagelet.bulk.records import Source
from pagelet.bulk.row import PageWork
from pagelet.bulk.run import bytes_between
from pagelet.bulk.sites import DIGESTS, LearnWork, write_templates
from pagelet.errors import OptionError
from pagelet.sources.warc.reader import Place
from pagelet.wording import must_lie

# -- measuring a sample -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Costs:
    """The cost of one pass over a sample; the arrays have one entry per chunk."""

    pages: Floats
    read: Floats  #: bytes of the input
    html: Floats  #: bytes of pages
    made: Floats  #: bytes of the tables, uncompressed
    reading: Floats  #: processor seconds of workers until records were read
    working: Floats  #: processor seconds of workers after that
    memory: int  #: most bytes that a worker held
    writing: float  #: processor seconds of the process that schedules and writes
    table: int  #: bytes of the files that were written
    entry: float  #: bytes of the manifest per input in a part
    errors: int  #: error rows
    skips: int
    inputs: int
    seconds: float


class CostMeter:
    """A sink that records the cost of each chunk, until a number of pages is reached."""

    def __init__(self, dataset: Dataset, max_pages: int) -> None:
        self.dataset, self.max_pages = dataset, max_pages
        self.pages = 0
        self.chunks: list[tuple[float, ...]] = []
        self.memory = 0

    def is_full(self) -> bool:
        """Whether the number of pages is reached."""
        return self.pages >= self.max_pages

    def next_place(self, source: Source, place: Place) -> Place | None:
        """The first place from here on that is not done; None when all is."""
        return self.dataset.next_place(source, place)

    def add(self, chunk: Finished) -> None:
        """Write the rows of a finished chunk, and record its cost."""
        self.dataset.add(chunk)
        result, cost = chunk.result, chunk.result.cost
        made = sum(table.nbytes for table in chunk.tables.values())
        in_files = bool(chunk.source.names)
        read = result.bytes if in_files else bytes_between(chunk.source, chunk.start, chunk.end)
        sizes = (read, result.bytes, made)
        self.chunks.append((result.records, *sizes, cost.reading, cost.working))
        self.pages += result.records
        self.memory = max(self.memory, cost.memory)

    def unread(self, source: Source, error: str, reason: str) -> None:
        """Note a source that cannot be read, or not to its end."""
        self.dataset.unread(source, error, reason)

    def tick(self) -> None:
        """Commit a part that has been open for long."""
        self.dataset.tick()


def measure(plan: InputPlan, work: Work, engine: Engine, folder: Path, max_pages: int) -> Costs:
    """Work on pages of a sample, so many at most, and measure the cost."""
    began, own = monotonic(), process_time()
    with Dataset(folder, work) as dataset:
        meter = CostMeter(dataset, max_pages)
        engine.run(plan, work, meter, meter.is_full)
        dataset.commit()
        whole, parts = dataset.totals(), dataset.manifest.parts
    writing, seconds = process_time() - own, monotonic() - began
    entries = [json.dumps(part.sources, indent=1) for part in parts]
    tables = (folder / name for name in work.schemas())
    pages, read, html, made, reading, working = _columns(meter.chunks)
    return Costs(
        pages=pages,
        read=read,
        html=html,
        made=made,
        reading=reading,
        working=working,
        memory=meter.memory,
        writing=writing,
        table=sum(_file_bytes(table) for table in tables),
        entry=sum(map(len, entries)) / max(sum(len(part.sources) for part in parts), 1),
        errors=sum(whole.errors.values()),
        skips=sum(whole.skips.values()),
        inputs=len({name for part in parts for name in part.sources}),
        seconds=seconds,
    )


def _columns(chunks: list[tuple[float, ...]]) -> Floats:
    return np.array(chunks or [(0.0,) * 6], np.float64).T


def _file_bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.glob("part-*"))


def measure_passes(
    plan: InputPlan, options: BulkOptions, engine: Engine, folder: Path, max_pages: int
) -> Sequence[Costs]:
    """Measure each pass over a sample: one, or two with templates; all files go to a folder."""
    if not (options.templates and options.learn):
        return [measure(plan, PageWork(options), engine, folder / "out", max_pages)]
    learning = measure(plan, LearnWork(options), engine, folder / "sites", max_pages)
    write_templates(folder / "sites" / DIGESTS, str(folder / "templates"))
    second = PageWork(replace(options, templates=str(folder / "templates")))
    return [learning, measure(plan, second, engine, folder / "out", max_pages)]


# -- estimating a crawl -----------------------------------------------------------------------

STANDARD_ERRORS = 2.0  #: width of the interval on either side, which holds 95 times in 100
MAX_WRITER_LOAD = 0.5  #: share of its time that the process that writes may be busy
SECONDS_PER_HOUR = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Crawl:
    """The crawl to be estimated, and the cores it would run on."""

    pages: float = 3e9
    files: float = 90_000
    cores: int = 512
    file_rows: int = 50_000  #: rows of one file of the table

    def __post_init__(self) -> None:
        for name in ("pages", "files", "cores", "file_rows"):
            if not 1 <= getattr(self, name) < float("inf"):
                raise OptionError(name, getattr(self, name), must_lie(1, None))


@dataclass(frozen=True, slots=True)
class Ratio:
    """An amount per page, and its error."""

    value: float
    off: float  #: error on either side

    def __add__(self, other: "Ratio") -> "Ratio":
        return Ratio(self.value + other.value, self.off + other.off)

    def times(self, factor: float) -> "Ratio":
        """The ratio for so many pages, or in another unit."""
        return Ratio(self.value * factor, self.off * factor)


def ratio(amounts: Floats, pages: Floats) -> Ratio:
    """The amount per page from amounts per chunk: r = Σa / Σp.

    Its variance is n / (n - 1) · Σ(a - r p)² / (Σp)²; n is the number of chunks.
    """
    total, chunks = float(pages.sum()), len(pages)
    if not total:
        raise OptionError("INPUT", "", "no pages in the sample; give more of the crawl")
    value = float(amounts.sum()) / total
    if chunks < 2:
        return Ratio(value, float("inf"))
    rest = float(((amounts - value * pages) ** 2).sum())
    return Ratio(value, STANDARD_ERRORS * float(np.sqrt(chunks / (chunks - 1) * rest)) / total)


@dataclass(frozen=True, slots=True)
class Estimate:
    """Cost per page of the sample, and what follows for the crawl; sizes are bytes."""

    crawl: Crawl
    html: Ratio  #: bytes of HTML; all ratios are per page
    read: Ratio  #: bytes of the input, read by all passes
    digests: Ratio  #: bytes that the first of two passes sends to the process that writes
    made: Ratio  #: bytes of rows that are sent to the process that writes
    table: Ratio  #: bytes of the files of the table
    cpu: Ratio  #: processor seconds of workers, in all passes
    reading: Ratio  #: processor seconds of workers until records were read
    writing: float  #: processor seconds of the process that schedules and writes
    memory: int  #: most bytes that a worker held
    entry: float  #: bytes of the manifest per input in a part
    chunk: float  #: pages per chunk

    @property
    def core_hours(self) -> Ratio:
        """Core-hours of workers for the crawl."""
        return self.cpu.times(self.crawl.pages / SECONDS_PER_HOUR)

    @property
    def hours(self) -> Ratio:
        """Hours from begin to end, when all cores are busy."""
        return self.core_hours.times(1 / self.crawl.cores)

    @property
    def kept_busy(self) -> int:
        """Workers that one process that writes can serve."""
        return max(int(MAX_WRITER_LOAD * self.cpu.value / max(self.writing, 1e-12)), 1)

    @property
    def runs(self) -> int:
        """Runs side by side, each with a process that writes and a share of the files."""
        return ceil(self.crawl.cores / self.kept_busy)

    @property
    def parts(self) -> int:
        """Files of the table."""
        return ceil(self.crawl.pages / self.crawl.file_rows)

    @property
    def manifest(self) -> float:
        """Bytes of the manifests: a part names every input that one of its chunks is from."""
        rows, crawl = self.crawl.file_rows, self.crawl
        begun = TASKS_PER_CORE * crawl.cores / self.runs + rows * crawl.files / crawl.pages
        return self.parts * max(min(begun, rows / self.chunk), 1.0) * self.entry

    @property
    def rate(self) -> float:
        """Bytes per second that all cores read from the store."""
        return self.read.value / self.cpu.value * self.crawl.cores

    @property
    def whole_file(self) -> float:
        """Seconds that one file takes on one core, if it cannot be split."""
        return self.cpu.value * self.crawl.pages / self.crawl.files


def estimate(costs: Sequence[Costs], crawl: Crawl) -> Estimate:
    """Estimate a crawl from the passes over a sample; the last one writes the table."""
    last = costs[-1]
    made = ratio(last.made, last.pages)
    compression = last.table / max(float(last.made.sum()), 1.0)
    return Estimate(
        crawl=crawl,
        html=ratio(last.html, last.pages),
        read=_sum([ratio(each.read, each.pages) for each in costs]),
        digests=_sum([ratio(each.made, each.pages) for each in costs[:-1]]),
        made=made,
        table=made.times(compression),
        reading=_sum([ratio(each.reading, each.pages) for each in costs]),
        cpu=_sum([ratio(each.reading + each.working, each.pages) for each in costs]),
        writing=sum(each.writing / float(each.pages.sum()) for each in costs),
        memory=max(each.memory for each in costs),
        entry=last.entry,
        chunk=float(last.pages.sum()) / len(last.pages),
    )


def _sum(ratios: Sequence[Ratio]) -> Ratio:
    whole = Ratio(0.0, 0.0)
    for each in ratios:
        whole = whole + each
    return whole
