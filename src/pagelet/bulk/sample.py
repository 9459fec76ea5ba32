"""A sample that is worked on to be measured: what its chunks cost, and what came of them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic, process_time
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pagelet.bulk.chunk import Finished, Work
from pagelet.bulk.engine import Engine
from pagelet.bulk.inputs import Plan
from pagelet.bulk.options import BulkOptions
from pagelet.bulk.outputs import Dataset
from pagelet.bulk.records import Place, Source
from pagelet.bulk.row import PageWork
from pagelet.bulk.run import steps
from pagelet.bulk.sites import DIGESTS, LearnWork, write_templates

if TYPE_CHECKING:
    pass


@dataclass(frozen=True, slots=True)
class Costs:
    """What one pass over a sample cost; the arrays have an entry a chunk."""

    pages: NDArray[np.float64]
    read: NDArray[np.float64]  #: bytes of the input
    html: NDArray[np.float64]  #: bytes of pages
    made: NDArray[np.float64]  #: bytes of the tables before they are packed
    reading: NDArray[np.float64]  #: processor seconds of workers
    working: NDArray[np.float64]
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


def _columns(chunks: list[tuple[float, ...]]) -> NDArray[np.float64]:
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
