"""The cost of a bulk run: pages per second with one worker and two, beside resiliparse.

Peers go through the same reader, workers and writer, in turn with us. Pages per second are those of
a whole run, the start of its workers included; milliseconds per page are the processor time of
workers once they have started, which a busy neighbour changes less.
"""

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from tests.bulk.archives import page, write_warc
from tests.bulk.memory import peak

from bench.clock import ROUNDS
from bench.speed import read_pages
from pagelet.bulk.chunk import Finished, Work
from pagelet.bulk.engine import LocalEngine
from pagelet.bulk.inputs import InputPlan
from pagelet.bulk.options import DEFAULT_COLUMNS, BulkOptions, page_schema
from pagelet.bulk.outputs import Dataset
from pagelet.bulk.records import Record
from pagelet.bulk.row import PageWork, row_of
from pagelet.lab.peers import Extract, load_peers
from pagelet.page.html import parse
from pagelet.sources.warc.reader import START

COPIES = 4  #: copies of the pages in the archive
CONTENT = BulkOptions(columns=("id", "url", "text", "error"))
USUAL = BulkOptions(columns=DEFAULT_COLUMNS)
BESIDE = "resiliparse"  #: what everything is compared with
SLOW = "trafilatura"  #: timed once, with two workers


@cache
def load_peer(name: str) -> Extract | None:
    """A peer by itself, so that its workers load no other; None if it is not installed."""
    return load_peers((name,))[0].get(name)


@dataclass(frozen=True)
class PeerWork:
    """The text that a peer extracts, through the same reader and writer."""

    name: str
    options: BulkOptions = CONTENT

    def schemas(self) -> dict[str, Any]:
        return {"pages": page_schema(self.options.table_columns)}

    def take_stages(self) -> dict[str, float]:
        """Nothing is measured."""
        return {}

    def rows(self, record: Record) -> dict[str, list[dict[str, Any]]]:
        body = record.body.encode() if isinstance(record.body, str) else record.body
        peer = load_peer(self.name)
        assert peer is not None
        row = {"source": record.source, "place": record.number, "id": record.id}
        try:
            return {"pages": [row | {"text": peer(body or b"<p>", None)}]}
        except Exception as error:  # it is timed until it raises
            return {"pages": [row | {"error": type(error).__name__}]}


@dataclass(frozen=True, slots=True)
class Cost:
    """What one run took."""

    rate: float  #: pages per second, from begin to end
    reading: float  #: processor milliseconds of workers per page until it was read
    working: float  #: the same after that
    writing: float  #: processor milliseconds of the parent per page
    memory: int  #: most bytes of all processes together

    @property
    def worker(self) -> float:
        """Processor milliseconds of workers per page."""
        return self.reading + self.working


class CostedDataset(Dataset):
    """An output folder that adds up what its chunks took."""

    reading = working = 0.0

    def add(self, chunk: Finished) -> None:
        self.reading += chunk.result.cost.reading
        self.working += chunk.result.cost.working
        super().add(chunk)


def run(limit: int) -> None:
    name, html = read_pages(limit)
    size = sum(map(len, html)) / len(html) / 1000
    count = len(html) * COPIES
    print(f"\nbulk: {count} pages of {name}, {size:.0f} kB on average, one archive, gzip,")
    print(f"  the best of {ROUNDS} runs, in turn")
    with tempfile.TemporaryDirectory() as folder:
        records = (page(at, html[at % len(html)]) for at in range(count))
        archive = write_warc(Path(folder, "x.warc.gz"), records)
        works: dict[str, Work] = {"content": PageWork(CONTENT), "usual columns": PageWork(USUAL)}
        if load_peer(BESIDE):
            works[BESIDE] = PeerWork(BESIDE)
        print_costs({jobs: costs_in_turn(archive, works, jobs) for jobs in (1, 2)})
        if load_peer(SLOW):
            print_line(SLOW, 2, measure(archive, PeerWork(SLOW), 2))
    shares = [parsing_share(html, columns) for columns in (CONTENT.columns, DEFAULT_COLUMNS)]
    print(f"  parsing takes {shares[0]:.0%} of the processor time of content alone,")
    print(f"  {shares[1]:.0%} of that of all default columns")


def costs_in_turn(archive: Path, works: Mapping[str, Work], jobs: int) -> dict[str, Cost]:
    """The cost of each work, the best of some rounds in which they take turns."""
    rounds = [
        {name: measure(archive, work, jobs) for name, work in works.items()} for _ in range(ROUNDS)
    ]
    return {name: _best([each[name] for each in rounds]) for name in works}


def _best(costs: list[Cost]) -> Cost:
    """The best of each figure, and the most memory."""
    return Cost(
        max(each.rate for each in costs),
        min(each.reading for each in costs),
        min(each.working for each in costs),
        min(each.writing for each in costs),
        max(each.memory for each in costs),
    )


def measure(archive: Path, work: Work, jobs: int) -> Cost:
    """The cost of one run."""
    start, own = perf_counter(), process_time()
    with (
        peak() as memory,
        tempfile.TemporaryDirectory() as out,
        CostedDataset(Path(out), work) as dataset,
    ):
        LocalEngine(jobs).run(InputPlan((str(archive),)), work, dataset, lambda: False)
        rows = dataset.totals().rows.get("pages", 0)
    per_page = 1000 / rows
    return Cost(
        rate=rows / (perf_counter() - start),
        reading=dataset.reading * per_page,
        working=dataset.working * per_page,
        writing=(process_time() - own) * per_page,
        memory=memory[0],
    )


def print_costs(costs: Mapping[int, Mapping[str, Cost]]) -> None:
    """Every cost, what the second worker gains, and how fast we are beside the peer."""
    for jobs, by_name in costs.items():
        for name, cost in by_name.items():
            print_line(name, jobs, cost, by_name.get(BESIDE))
    for name, cost in costs[2].items():
        alone = costs[1][name]
        print(
            f"  {name:<14} two workers are {cost.rate / alone.rate:.2f} times as fast as one;"
            f" a page costs {cost.worker / alone.worker:.2f} times as much"
        )


def print_line(name: str, jobs: int, cost: Cost, beside: Cost | None = None) -> None:
    """One line: rates, processor time, memory, and speed beside the peer's."""
    line = (
        f"  {name:<14}{jobs} workers{cost.rate:8.1f} pages/s{cost.worker:8.3f} ms/page,"
        f" {cost.reading:.3f} of it reading; writer {cost.writing:.3f}; {cost.memory / 1e6:.0f} MB"
    )
    if beside is not None and beside is not cost:
        line += f"; {beside.worker / cost.worker:.2f} of {BESIDE} ({cost.rate / beside.rate:.2f})"
    print(line)


def parsing_share(html: list[bytes], columns: tuple[str, ...]) -> float:
    """Share of the processor time of rows that is spent in reading pages."""
    options = BulkOptions(columns=columns)
    parsing = rows = 0.0
    for body in html:
        start = process_time()
        parse(body)
        middle = process_time()
        row_of(Record("", START, "", body=body), options)
        parsing, rows = parsing + middle - start, rows + process_time() - middle
    return parsing / rows
