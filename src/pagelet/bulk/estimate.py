"""What a large crawl would cost, from what a sample did.

Every figure is a ratio to the pages of the sample. Chunks of the sample are its repeated parts:
how much they differ tells how far off a ratio may be, as far as chance goes. Whether the sample
is like the crawl, it cannot tell.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray

from pagelet.bulk.ray_engine import WAITING
from pagelet.bulk.sample import Costs
from pagelet.errors import OptionError

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


def ratio(amounts: NDArray[np.float64], pages: NDArray[np.float64]) -> Ratio:
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
