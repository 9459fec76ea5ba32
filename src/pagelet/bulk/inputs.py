"""What a user names, as sources: archives, tables, folders, lists, globs, any address."""

import glob
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from pagelet.bulk.readers import is_local, is_packed, opened, parquet_file, size_of, system_of
from pagelet.bulk.records import Kind, Source
from pagelet.errors import OptionError, PageError, Unreachable
from pagelet.sources.folder import PAGE_ENDINGS, is_page_file

WARC = (".warc", ".warc.gz", ".warc.zst", ".warc.lz4")
JSONL = (".jsonl", ".jsonl.gz", ".jsonl.zst", ".ndjson", ".ndjson.gz", ".ndjson.zst")
PARQUET = (".parquet",)
LISTS = (".txt", ".lst", ".list")
ENDINGS: dict[Kind | str, tuple[str, ...]] = {
    "warc": WARC,
    "jsonl": JSONL,
    "parquet": PARQUET,
    "list": LISTS,
    "files": PAGE_ENDINGS,
}
GROUP = 64  #: files that make one source
FILE_SIZE = 100_000  #: bytes that a page in a file of its own is taken to have
WEB = ("http://", "https://")
MOST_URLS = 1_000_000  #: web addresses of one list, which are held in memory


@dataclass(frozen=True, slots=True)
class Plan:
    """The sources that some addresses name, in the same order each time they are gone through."""

    addresses: tuple[str, ...]

    def __iter__(self) -> Iterator[Source]:
        names: list[str] = []
        for address in self.addresses:
            for name in _expanded(address):
                kind = kind_of(name)
                if kind == "files":
                    names.append(name)
                    continue
                yield from _grouped(names, "files")
                names = []
                yield from _sources(name, kind)
            if len(names) >= GROUP:
                yield from _grouped(names, "files")
                names = []
        yield from _grouped(names, "files")

    def size(self) -> int:
        """Bytes of all sources, some of them a guess."""
        return sum(source.size for source in self)


def kind_of(name: str) -> Kind | str:
    """What a file is, by its name; a page when nothing else fits."""
    lower = name.lower()
    kinds = (kind for kind, endings in ENDINGS.items() if lower.endswith(endings))
    return next(kinds, "files")


def _grouped(names: Iterable[str], kind: Kind, address: str = "") -> Iterator[Source]:
    held = list(names)
    for at in range(0, len(held), GROUP):
        some = tuple(held[at : at + GROUP])
        yield Source(kind, address, names=some, size=FILE_SIZE * len(some))


def _sources(name: str, kind: str) -> Iterator[Source]:
    """The sources of one file that holds many pages."""
    if kind == "list":
        yield from _listed(name)
    elif kind == "parquet":
        yield from _row_groups(name)
    elif kind == "jsonl":
        yield Source("jsonl", name, size=size_of(name), splits=not is_packed(name))
    else:
        yield Source("warc", name, size=size_of(name))


def _row_groups(name: str) -> Iterator[Source]:
    with opened(name) as file:
        metadata = parquet_file(file, name).metadata
        before = 0
        for part in range(metadata.num_row_groups):
            group = metadata.row_group(part)
            size = group.total_byte_size
            if group.num_rows:
                yield Source("parquet", name, part, before, size=size, splits=False)
            before += group.num_rows


def _listed(name: str) -> Iterator[Source]:
    """The files of a list, and its web addresses host by host, each once."""
    with opened(name) as file:
        lines = (line.decode("utf-8", "replace").strip() for line in file)
        asked = dict.fromkeys(line for line in lines if line and not line.startswith("#"))
    pages: list[str] = []
    hosts: dict[str, list[str]] = {}
    for line in asked:
        if not line.lower().startswith(WEB):
            pages.append(line)
        elif len(asked) > MOST_URLS:
            why = f"more than {MOST_URLS:,} lines with web addresses; split the list"
            raise OptionError("INPUT", name, why)
        else:
            hosts.setdefault(_host(line), []).append(line)
    for page in pages:
        if kind_of(page) not in ("files", "list"):
            yield from _sources(page, kind_of(page))
    yield from _grouped((page for page in pages if kind_of(page) == "files"), "files", name)
    for urls in hosts.values():
        size = FILE_SIZE * len(urls)
        yield Source("urls", name, names=tuple(urls), size=size, splits=False)


def _host(url: str) -> str:
    try:
        return urlsplit(url).netloc.lower()
    except ValueError:
        return ""


# -- addresses to files -----------------------------------------------------------------------


def _expanded(address: str) -> Iterator[str]:
    """The files that an address names: itself, all in a folder, all that fit a pattern."""
    if address.lower().startswith(WEB):
        why = "a web address; put it into a list (.txt) and say --load, or save it as a file"
        raise OptionError("INPUT", address, why)
    found = _local(address) if is_local(address) else _remote(address)
    empty = True
    for name in found:
        empty = False
        yield name
    if empty:
        raise Unreachable(address, "no files that hold pages; check the address")


def _local(address: str) -> Iterator[str]:
    path = Path(address)
    try:
        if path.is_dir():
            yield from _walked(path)
        elif path.exists():
            yield address
        elif glob.has_magic(address):
            for name in sorted(glob.glob(address, recursive=True)):
                yield from _local(name)
        else:
            raise Unreachable(address, "no such file; check the address")
    except ValueError as error:  # a name with NUL
        raise Unreachable(address, f"{error}; check the address") from error


def _walked(folder: Path) -> Iterator[str]:
    """Files of a folder that hold pages, in order of name, folder by folder."""
    for where, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = Path(where, name)
            if _holds_pages(name) or is_page_file(path):
                yield str(path)


def _holds_pages(name: str) -> bool:
    return kind_of(name) in ("warc", "jsonl", "parquet")


def _remote(address: str) -> Iterator[str]:
    system, path = system_of(address)
    try:
        if glob.has_magic(path):
            found = system.glob(path)
        elif system.isdir(path):
            found = [
                name
                for name in system.find(path)
                if _holds_pages(name) or name.lower().endswith(PAGE_ENDINGS)
            ]
        elif system.exists(path):
            found = [path]
        else:
            found = []
    except OSError as error:
        raise Unreachable(address, f"{error}; check the address") from error
    for name in sorted(found):
        yield str(system.unstrip_protocol(name))


def check(addresses: Iterable[str]) -> Plan:
    """The plan of some addresses; refused when there is nothing at one of them."""
    plan = Plan(tuple(addresses))
    if not plan.addresses:
        raise OptionError("INPUT", "", "say what to read")
    for address in plan.addresses:
        try:
            next(_expanded(address))
        except PageError:
            raise
    return plan
