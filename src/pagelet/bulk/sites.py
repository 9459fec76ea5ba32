"""The first of two passes: the template of every host is learned from some of its pages.

A page goes into its host's sample by its own numbers alone, so the order of pages, chunks and
workers does not matter. A worker tells only of pages that may still be in the sample, so a host
with a million pages costs no more than one with a thousand.
"""

from bisect import insort
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np

from pagelet.bulk.chunk import Row
from pagelet.bulk.manifest import write_whole
from pagelet.bulk.options import BulkOptions, pyarrow
from pagelet.bulk.records import Record
from pagelet.bulk.row import host_of
from pagelet.bulk.templates import learned_by, template_file
from pagelet.methods.template.learned import COLUMNS, Learned, learn
from pagelet.methods.template.table import MOST, Digest
from pagelet.page.html import parse, pause_collector

if TYPE_CHECKING:
    import pyarrow as pa

DIGESTS = "digests"
LEAST = 3  #: pages from which on a host has a template
HOSTS = 20_000  #: hosts whose samples a worker remembers
AT_ONCE = 500_000_000  #: bytes of digests that are put together at once
BUCKETS = 1 << 16


@dataclass(frozen=True)
class LearnWork:
    """The digests of pages that may be in the sample of their host."""

    options: BulkOptions
    samples: "OrderedDict[str, list[str]]" = field(default_factory=OrderedDict, compare=False)

    def schemas(self) -> "dict[str, pa.Schema]":
        """The one table."""
        pa = pyarrow()
        kinds = {"bucket": pa.int32(), "host": pa.string(), "name": pa.string()}
        kinds |= dict.fromkeys(COLUMNS, pa.binary())
        return {DIGESTS: pa.schema(list(kinds.items()))}

    def rows(self, record: Record) -> dict[str, list[Row]]:
        """The digest of a page; nothing when there is none, or it cannot be in the sample."""
        host = host_of(record.url)
        if record.error is not None or host is None:
            return {DIGESTS: []}
        try:
            with pause_collector():
                found = learn([parse(record.body, record.url, charset=record.charset)])
        except Exception:  # noqa: BLE001 - the second pass tells it
            return {DIGESTS: []}
        pages = found.pages.items()
        return {DIGESTS: [_row(host, *each) for each in pages if self._may_be_in(host, each[0])]}

    def _may_be_in(self, host: str, name: str) -> bool:
        """Whether a page is among the smallest names of its host, as far as this worker knows."""
        names = self.samples.setdefault(host, [])
        self.samples.move_to_end(host)
        if len(self.samples) > HOSTS:
            self.samples.popitem(last=False)
        if name in names or (len(names) >= MOST and name > names[-1]):
            return False
        insort(names, name)
        del names[MOST:]
        return True


def _row(host: str, name: str, page: Digest) -> Row:
    columns = {each: getattr(page, each).astype(kind).tobytes() for each, kind in COLUMNS.items()}
    return {"bucket": bucket_of(host), "host": host, "name": name, **columns}


def bucket_of(host: str) -> int:
    """A number that hosts are shared out by."""
    return crc32(host.encode("utf-8", "replace")) % BUCKETS


def write_templates(digests: Path, folder: str) -> int:
    """Put the digests of each host together as its template; what is there already is kept."""
    from pyarrow import dataset  # noqa: PLC0415 - an extra

    Path(folder).mkdir(parents=True, exist_ok=True)
    files = sorted(digests.glob("part-*"))
    if not files:
        return 0
    table = dataset.dataset([str(path) for path in files], format="parquet")
    shares = 1 + sum(path.stat().st_size for path in files) * 3 // AT_ONCE
    written = 0
    for share in range(shares):
        first, last = (BUCKETS * at // shares for at in (share, share + 1))
        bucket = dataset.field("bucket")
        found = table.to_table(filter=(bucket >= first) & (bucket < last))
        written += sum(_write(host, pages, folder) for host, pages in _by_host(found).items())
    return written


def _by_host(table: Any) -> dict[str, dict[str, Digest]]:
    hosts: dict[str, dict[str, Digest]] = {}
    for row in table.to_pylist():
        hosts.setdefault(row["host"], {})[row["name"]] = _digest(row)
    return hosts


def _digest(row: Row) -> Digest:
    wide = {"place": np.uint64, "size": np.intp, "before": np.uint64, "after": np.uint64}
    parts: dict[str, Any] = {
        name: np.frombuffer(row[name], kind).astype(wide[name]) for name, kind in COLUMNS.items()
    }
    return Digest(**parts)


def _write(host: str, pages: dict[str, Digest], folder: str) -> int:
    """Write the template of a host; 0 when there are too few pages.

    Only pages that are kept count as learned: which others were told of depends on the workers.
    """
    file = template_file(folder, host)
    known = learned_by(file)
    before = known or Learned({})
    kept = before.joined(Learned(pages)).pages
    found = Learned(kept, before.seen | kept.keys())
    if len(found.pages) < LEAST:
        return 0
    if known is None or known.pages.keys() != found.pages.keys():
        write_whole(file, found.to_json())
    return 1
