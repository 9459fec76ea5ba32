"""The cost of a bulk run: pages per second with one worker and two, and of peers."""

import tempfile
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from time import perf_counter, process_time
from typing import Any

from tests.bulk.archives import page, write_warc
from tests.bulk.memory import peak

from bench.speed import peer_tools, read_pages
from pagelet.bulk.chunk import Work
from pagelet.bulk.engine import LocalEngine
from pagelet.bulk.inputs import InputPlan
from pagelet.bulk.options import DEFAULT_COLUMNS, BulkOptions, page_schema
from pagelet.bulk.outputs import Dataset
from pagelet.bulk.records import Record
from pagelet.bulk.row import PageWork, row_of
from pagelet.page.html import parse
from pagelet.sources.warc.reader import START

COPIES = 4  #: copies of the pages in the archive
CONTENT = BulkOptions(columns=("id", "url", "text", "error"))


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
        text = peer_tools()[self.name](body or b"<p>")
        row = {"source": record.source, "place": record.number, "id": record.id, "text": text}
        return {"pages": [row]}


def run(limit: int) -> None:
    name, html = read_pages(limit)
    size = sum(map(len, html)) / len(html) / 1000
    count = len(html) * COPIES
    print(f"\nbulk: {count} pages of {name}, {size:.0f} kB on average, one archive, gzip")
    with tempfile.TemporaryDirectory() as folder:
        records = (page(at, html[at % len(html)]) for at in range(count))
        archive = write_warc(Path(folder, "x.warc.gz"), records)
        rates = [timed(archive, PageWork(CONTENT), jobs, "content alone") for jobs in (1, 2)]
        print(f"  two workers are {rates[1] / rates[0]:.2f} times as fast as one")
        timed(archive, PageWork(BulkOptions(columns=DEFAULT_COLUMNS)), 2, "all default columns")
        for peer in ("resiliparse", "trafilatura"):
            if peer in peer_tools():
                timed(archive, PeerWork(peer), 2, peer)
    shares = parsing_share(html), parsing_share(html, DEFAULT_COLUMNS)
    print(f"  parsing takes {shares[0]:.0%} of the processor time of content alone,")
    print(f"  {shares[1]:.0%} of that of all default columns")


def timed(archive: Path, work: Work, jobs: int, name: str) -> float:
    """Pages per second of one run; prints its time, processor time and memory."""
    before, start, own = getrusage(RUSAGE_CHILDREN), perf_counter(), process_time()
    with (
        peak() as memory,
        tempfile.TemporaryDirectory() as out,
        Dataset(Path(out), work) as dataset,
    ):
        LocalEngine(jobs).run(InputPlan((str(archive),)), work, dataset, lambda: False)
        rows = dataset.totals().rows.get("pages", 0)
    seconds, after = perf_counter() - start, getrusage(RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(
        f"  {name:<20}{jobs} workers{rows / seconds:9.1f} pages/s"
        f"{rows / spent:9.1f} pages/CPU second{memory[0] / 1e6:8.0f} MB"
        f", parent {(process_time() - own) / spent:.1%} of the workers"
    )
    return rows / seconds


def parsing_share(html: list[bytes], columns: tuple[str, ...] = CONTENT.columns) -> float:
    """Share of the processor time of rows that is spent in the parser."""
    options = BulkOptions(columns=columns)
    parsing = rows = 0.0
    for body in html:
        start = process_time()
        parse(body)
        middle = process_time()
        row_of(Record("", START, "", body=body), options)
        parsing, rows = parsing + middle - start, rows + process_time() - middle
    return parsing / rows
