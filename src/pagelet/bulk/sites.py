"""The first of two passes: the template of every host is learned from a sample of its pages.

The digest of a page alone decides whether it is in the sample of its host, so the order of pages,
chunks and workers does not matter. A worker sends only pages that may still be in the sample, by
their name or by that of their upper structure, so a host with a million pages costs no more than
one with some thousands. Pages without a host, such as those of a folder, are taken for one.
"""

from bisect import insort
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

from pagelet.bulk.chunk import Row
from pagelet.bulk.manifest import write_atomically
from pagelet.bulk.options import BulkOptions, import_pyarrow
from pagelet.bulk.records import Record
from pagelet.bulk.templates import (
    MIN_HOST_PAGES,
    read_template,
    template_file,
    template_host,
)
from pagelet.methods.template.layouts import MIN_KEPT_PAGES, shape_key
from pagelet.methods.template.learned import (
    DIGEST_TYPES,
    LearnedTemplate,
    name_page,
    pack_digest,
    unpack_digest,
)
from pagelet.methods.template.table import MAX_PAGES, PageDigest, digest_page
from pagelet.page.html import parse, pause_collector

if TYPE_CHECKING:
    import pyarrow as pa

DIGESTS = "digests"  #: name of the table
MAX_HOSTS = 20_000  #: hosts whose samples a worker remembers
MAX_SHAPES = 256  #: structures of a host whose pages are sampled by themselves
MAX_DIGEST_BYTES = 500_000_000  #: bytes of digests that are held at once
DIGEST_EXPANSION = 3  #: bytes of digests in memory per byte of their files
BUCKETS = 1 << 16


@dataclass(eq=False)
class HostSample:
    """The smallest names of a host's pages that a worker has seen, in all and by structure."""

    names: list[str] = field(default_factory=list)
    shapes: dict[int, list[str]] = field(default_factory=dict)

    def admit(self, name: str, shape: int) -> bool:
        """Whether a page may be in the sample; if so, it is remembered."""
        first = _insert(self.names, name, MAX_PAGES)
        if shape not in self.shapes and len(self.shapes) >= MAX_SHAPES:
            return first
        return _insert(self.shapes.setdefault(shape, []), name, MIN_KEPT_PAGES) or first


def _insert(names: list[str], name: str, most: int) -> bool:
    """Insert a name into the smallest ones; False where it is not one of them, or not new."""
    if name in names or (len(names) >= most and name > names[-1]):
        return False
    insort(names, name)
    del names[most:]
    return True


@dataclass(frozen=True)
class LearnWork:
    """Makes the digests of pages that may be in the sample of their host."""

    options: BulkOptions
    samples: "OrderedDict[str, HostSample]" = field(default_factory=OrderedDict, compare=False)

    def schemas(self) -> "dict[str, pa.Schema]":
        """The schema of the only table."""
        pa = import_pyarrow()
        types = {"bucket": pa.int32(), "host": pa.string(), "name": pa.string()}
        types |= dict.fromkeys(DIGEST_TYPES, pa.binary())
        return {DIGESTS: pa.schema(list(types.items()))}

    def take_stages(self) -> dict[str, float]:
        """Nothing is measured."""
        return {}

    def rows(self, record: Record) -> dict[str, list[Row]]:
        """The digest of a page, unless it has none or cannot be in the sample."""
        if record.error is not None:
            return {DIGESTS: []}
        host = template_host(record.url)
        try:
            with pause_collector():
                page = digest_page(parse(record.body, record.url, charset=record.charset))
        except Exception:  # noqa: BLE001 - the second pass reports it
            return {DIGESTS: []}
        name = name_page(page)
        wanted = len(page) > 0 and self._sample(host).admit(name, shape_key(page))
        return {DIGESTS: [_row(host, name, page)] if wanted else []}

    def _sample(self, host: str) -> HostSample:
        """The sample of a host; that of the host seen longest ago is forgotten."""
        sample = self.samples.setdefault(host, HostSample())
        self.samples.move_to_end(host)
        if len(self.samples) > MAX_HOSTS:
            self.samples.popitem(last=False)
        return sample


def _row(host: str, name: str, page: PageDigest) -> Row:
    return {"bucket": host_bucket(host), "host": host, "name": name, **pack_digest(page)}


def host_bucket(host: str) -> int:
    """A number by which hosts are divided into shares."""
    return crc32(host.encode("utf-8", "replace")) % BUCKETS


def write_templates(digests: Path, folder: str) -> int:
    """Write the template of each host from its digests; existing templates are extended."""
    from pyarrow import dataset  # noqa: PLC0415 - an extra

    Path(folder).mkdir(parents=True, exist_ok=True)
    files = sorted(digests.glob("part-*"))
    if not files:
        return 0
    table = dataset.dataset([str(path) for path in files], format="parquet")
    shares = 1 + sum(path.stat().st_size for path in files) * DIGEST_EXPANSION // MAX_DIGEST_BYTES
    written = 0
    for share in range(shares):
        first, last = (BUCKETS * at // shares for at in (share, share + 1))
        bucket = dataset.field("bucket")
        rows = table.to_table(filter=(bucket >= first) & (bucket < last))
        hosts = _group_by_host(rows)
        written += sum(_write_template(host, pages, folder) for host, pages in hosts.items())
    return written


def _group_by_host(table: Any) -> dict[str, dict[str, PageDigest]]:
    hosts: dict[str, dict[str, PageDigest]] = {}
    for row in table.to_pylist():
        hosts.setdefault(row["host"], {})[row["name"]] = unpack_digest(row)
    return hosts


def _write_template(host: str, pages: dict[str, PageDigest], folder: str) -> int:
    """Write the template of a host; 0 when there are too few pages.

    Only pages that are kept count as learned: which others were sent depends on the workers.
    """
    file = template_file(folder, host)
    earlier = read_template(file)
    before = earlier or LearnedTemplate({})
    merged = before.merge(LearnedTemplate(pages))
    learned = replace(merged, seen=before.seen | merged.pages.keys())
    if len(learned.pages) < MIN_HOST_PAGES:
        return 0
    if earlier is None or earlier.pages.keys() != learned.pages.keys():
        write_atomically(file, learned.to_json())
    return 1
