"""What a large crawl would cost, from what a sample did.

Every figure is a ratio to the pages of the sample. Chunks of the sample are its repeated parts:
how much they differ tells how far off a ratio may be, as far as chance goes. Whether the sample
is like the crawl, it cannot tell.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path
from time import monotonic, process_time
from typing import TYPE_CHECKING

import numpy as np

from pagelet.arrays import Floats
from pagelet.bulk.chunk import Finished, Work
from pagelet.bulk.engine import Engine
from pagelet.bulk.inputs import Plan
from pagelet.bulk.options import BulkOptions
from pagelet.bulk.outputs import Dataset
from pagelet.bulk.ray_engine import WAITING
from pagelet.bulk.records import Source
from pagelet.bulk.row import PageWork
from pagelet.bulk.run import steps
from pagelet.bulk.sites import DIGESTS, LearnWork, write_templates
from pagelet.errors import OptionError
from pagelet.sources.warc.reader import Place

if TYPE_CHECKING:
    pass

# -- A sample that is worked on to be measured: what its chunks cost, and what came of them ---


@dataclass(frozen=True, slots=True)
class Costs:
    """What one pass over a sample cost; the arrays have an entry a chunk."""

    pages: Floats
    read: Floats  #: bytes of the input
    html: Floats  #: bytes of pages
    made: Floats  #: bytes of the tables before they are packed
    reading: Floats  #: processor seconds of workers
    working: Floats
    memory: int  #: most bytes that a worker held
    writing: float  #: processor seconds of the process that hands out and writes
    table: int  #: bytes of the files that were written
    entry: float  #: bytes of the manifest for each input in a part
    errors: int  #: error rows
    skips: int
    inputs: int
    seconds: float


class Gauge:
    """A sink that notes what each chunk cost, and has enough after some pages."""

    def __init__(self, dataset: Dataset, most: int) -> None:
        self.dataset, self.most = dataset, most
        self.pages = 0
        self.chunks: list[tuple[float, ...]] = []
        self.memory = 0

    def enough(self) -> bool:
        """Whether there are as many pages as were asked for."""
        return self.pages >= self.most

    def next_place(self, source: Source, place: Place) -> Place | None:
        """As the data set says."""
        return self.dataset.next_place(source, place)

    def add(self, made: Finished) -> None:
        """Take a finished chunk, and note what it cost."""
        self.dataset.add(made)
        result, cost = made.result, made.result.cost
        written = sum(table.nbytes for table in made.tables.values())
        listed = bool(made.source.names)
        read = result.bytes if listed else steps(made.source, made.start, made.end)
        sizes = (read, result.bytes, written)
        self.chunks.append((result.records, *sizes, cost.reading, cost.working))
        self.pages += result.records
        self.memory = max(self.memory, cost.memory)

    def unread(self, source: Source, error: str, reason: str) -> None:
        """As the data set does."""
        self.dataset.unread(source, error, reason)

    def tick(self) -> None:
        """As the data set does."""
        self.dataset.tick()


def measure(plan: Plan, work: Work, engine: Engine, folder: Path, most: int) -> Costs:
    """Work on pages of a sample, so many at most, and tell what that cost."""
    began, own = monotonic(), process_time()
    with Dataset(folder, work) as dataset:
        gauge = Gauge(dataset, most)
        engine.run(plan, work, gauge, gauge.enough)
        dataset.commit()
        whole, parts = dataset.totals(), dataset.manifest.parts
    writing, seconds = process_time() - own, monotonic() - began
    named = [json.dumps(part.sources, indent=1) for part in parts]
    tables = (folder / name for name in work.schemas())
    pages, read, html, made, reading, worked = _columns(gauge.chunks)
    return Costs(
        pages=pages,
        read=read,
        html=html,
        made=made,
        reading=reading,
        working=worked,
        memory=gauge.memory,
        writing=writing,
        table=sum(_bytes(table) for table in tables),
        entry=sum(map(len, named)) / max(sum(len(part.sources) for part in parts), 1),
        errors=sum(whole.errors.values()),
        skips=sum(whole.skips.values()),
        inputs=len({name for part in parts for name in part.sources}),
        seconds=seconds,
    )


def _columns(chunks: list[tuple[float, ...]]) -> Floats:
    return np.array(chunks or [(0.0,) * 6], np.float64).T


def _bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.glob("part-*"))


def passes(
    plan: Plan, options: BulkOptions, engine: Engine, folder: Path, most: int
) -> Sequence[Costs]:
    """What each pass over a sample costs: one, or with templates two; only the folder changes."""
    if not (options.templates and options.learn):
        return [measure(plan, PageWork(options), engine, folder / "out", most)]
    learned = measure(plan, LearnWork(options), engine, folder / "sites", most)
    write_templates(folder / "sites" / DIGESTS, str(folder / "templates"))
    told = replace(options, templates=str(folder / "templates"))
    return [learned, measure(plan, PageWork(told), engine, folder / "out", most)]


# -- What a large crawl would cost, from what a sample did ------------------------------------


SURE = 2.0  #: standard errors on either side, which hold 95 times in 100
BUSY = 0.5  #: share of its time that the process that writes may be at work
PER_HOUR = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Crawl:
    """The crawl that is to be estimated, and what it would run on."""

    pages: float = 3e9
    files: float = 90_000
    cores: int = 512
    file_rows: int = 50_000  #: rows of one file of the table

    def __post_init__(self) -> None:
        for name in ("pages", "files", "cores", "file_rows"):
            if not 1 <= getattr(self, name) < float("inf"):
                raise OptionError(name, getattr(self, name), "at least 1")


@dataclass(frozen=True, slots=True)
class Ratio:
    """An amount a page, and how far it may be off."""

    value: float
    off: float  #: on either side

    def __add__(self, other: "Ratio") -> "Ratio":
        return Ratio(self.value + other.value, self.off + other.off)

    def times(self, factor: float) -> "Ratio":
        """The same of so many pages, or in another unit."""
        return Ratio(self.value * factor, self.off * factor)


def ratio(amounts: Floats, pages: Floats) -> Ratio:
    """What a page takes, from what chunks took: r = Σa / Σp.

    Its variance is n / (n - 1) · Σ(a - r p)² / (Σp)²; n is the number of chunks.
    """
    total, chunks = float(pages.sum()), len(pages)
    if not total:
        raise OptionError("INPUT", "", "no pages in the sample; give more of the crawl")
    value = float(amounts.sum()) / total
    if chunks < 2:
        return Ratio(value, float("inf"))
    rest = float(((amounts - value * pages) ** 2).sum())
    return Ratio(value, SURE * float(np.sqrt(chunks / (chunks - 1) * rest)) / total)


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a page of the sample took, and what follows for the crawl; sizes are bytes."""

    crawl: Crawl
    html: Ratio  #: a page, as all ratios
    read: Ratio  #: of the input, by every pass
    digests: Ratio  #: of the first of two passes, on their way to the process that writes
    made: Ratio  #: rows on the same way
    table: Ratio  #: in files
    cpu: Ratio  #: processor seconds of workers, by every pass
    reading: Ratio  #: those of them until records were read
    writing: float  #: processor seconds of the process that hands out and writes
    memory: int  #: most that a worker held
    entry: float  #: of the manifest, for each input in a part
    chunk: float  #: pages of a chunk

    @property
    def core_hours(self) -> Ratio:
        """Of workers, for the crawl."""
        return self.cpu.times(self.crawl.pages / PER_HOUR)

    @property
    def hours(self) -> Ratio:
        """From begin to end, when all cores are busy."""
        return self.core_hours.times(1 / self.crawl.cores)

    @property
    def kept_busy(self) -> int:
        """Workers that one process that writes can serve."""
        return max(int(BUSY * self.cpu.value / max(self.writing, 1e-12)), 1)

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
        begun = WAITING * crawl.cores / self.runs + rows * crawl.files / crawl.pages
        return self.parts * max(min(begun, rows / self.chunk), 1.0) * self.entry

    @property
    def rate(self) -> float:
        """Bytes a second that are read from the store, by all cores."""
        return self.read.value / self.cpu.value * self.crawl.cores

    @property
    def whole_file(self) -> float:
        """Seconds that one file takes on one core, if it cannot be split."""
        return self.cpu.value * self.crawl.pages / self.crawl.files


def estimate(costs: Sequence[Costs], crawl: Crawl) -> Estimate:
    """What follows from the passes over a sample for a crawl; the last one writes the table."""
    last = costs[-1]
    made = ratio(last.made, last.pages)
    packed = last.table / max(float(last.made.sum()), 1.0)
    return Estimate(
        crawl=crawl,
        html=ratio(last.html, last.pages),
        read=_sum([ratio(each.read, each.pages) for each in costs]),
        digests=_sum([ratio(each.made, each.pages) for each in costs[:-1]]),
        made=made,
        table=made.times(packed),
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
