"""The sources that a user's inputs name: archives, tables, folders, lists, globs, any address."""

import glob
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from urllib.parse import urlsplit

from pagelet.bulk.addresses import (
    LIST_ENDINGS,
    file_size,
    file_system,
    is_local,
    is_web,
    open_address,
    same_file_name,
)
from pagelet.bulk.records import Kind, Source
from pagelet.bulk.tables import is_compressed, open_parquet
from pagelet.errors import OptionError, Unreachable
from pagelet.sources.folder import PAGE_ENDINGS, is_page_file

#: endings of file names by kind of input
ENDINGS: dict[Kind | str, tuple[str, ...]] = {
    "warc": (".warc", ".warc.gz", ".warc.zst", ".warc.lz4"),
    "jsonl": (".jsonl", ".jsonl.gz", ".jsonl.zst", ".ndjson", ".ndjson.gz", ".ndjson.zst"),
    "parquet": (".parquet",),
    "list": LIST_ENDINGS,
    "files": PAGE_ENDINGS,
}
FILES_PER_SOURCE = 64
ASSUMED_FILE_BYTES = 100_000  #: size of a page in a file of its own, for progress
MAX_LIST_URLS = 1_000_000  #: web addresses of one list, which are held in memory


@dataclass(frozen=True, slots=True)
class InputPlan:
    """The sources that some addresses name, in the same order each time they are iterated."""

    addresses: tuple[str, ...]

    def __iter__(self) -> Iterator[Source]:
        return self.sources(lambda _: None)

    def sources(self, on_repeat: Callable[[str], None]) -> Iterator[Source]:
        """The sources; a file that is named again, whatever its spelling, is only reported."""
        inputs = DistinctNames(on_repeat)
        names: list[str] = []
        for address in self.addresses:
            for name in filter(inputs.is_new, _expand(address)):
                kind = input_kind(name)
                if kind == "files":
                    names.append(name)
                    continue
                yield from _group_files(names, "files")
                names = []
                yield from _file_sources(name, kind, inputs)
            if len(names) >= FILES_PER_SOURCE:
                yield from _group_files(names, "files")
                names = []
        yield from _group_files(names, "files")


class DistinctNames:
    """Finds out whether a file was named before; of each name only a digest is kept."""

    def __init__(self, on_repeat: Callable[[str], None]) -> None:
        self.on_repeat = on_repeat
        self._digests: set[bytes] = set()

    def is_new(self, name: str) -> bool:
        """Whether a file was not named before; else it is reported."""
        spelling = same_file_name(name).encode("utf-8", "surrogatepass")
        digest = blake2b(spelling, digest_size=16).digest()
        if digest in self._digests:
            self.on_repeat(name)
            return False
        self._digests.add(digest)
        return True


def make_plan(addresses: Iterable[str]) -> InputPlan:
    """The plan for some addresses; an error if there is nothing at one of them."""
    plan = InputPlan(tuple(addresses))
    if not plan.addresses:
        raise OptionError("INPUT", "", "give at least one input")
    for address in plan.addresses:
        next(_expand(address))
    return plan


def input_kind(name: str) -> Kind | str:
    """The kind of a file by its name; a page when nothing else fits."""
    lower = name.lower()
    kinds = (kind for kind, endings in ENDINGS.items() if lower.endswith(endings))
    return next(kinds, "files")


def _group_files(names: Iterable[str], kind: Kind, address: str = "") -> Iterator[Source]:
    files = list(names)
    for at in range(0, len(files), FILES_PER_SOURCE):
        group = tuple(files[at : at + FILES_PER_SOURCE])
        yield Source(kind, address, names=group, size=ASSUMED_FILE_BYTES * len(group))


def _file_sources(name: str, kind: str, inputs: DistinctNames) -> Iterator[Source]:
    """The sources of one file that holds many pages."""
    if kind == "list":
        yield from _read_list(name, inputs)
    elif kind == "parquet":
        yield from _row_groups(name)
    elif kind == "jsonl":
        yield Source("jsonl", name, size=_size(name), splits=not is_compressed(name))
    else:
        yield Source("warc", name, size=_size(name))


def _size(name: str) -> int:
    """Bytes of a file; 0 if it cannot be opened, which is reported when it is read."""
    try:
        return file_size(name)
    except Exception:  # noqa: BLE001 - one line of a list must not end the run
        return 0


def _row_groups(name: str) -> Iterator[Source]:
    """The row groups of a file; one if it cannot be opened, which is reported when it is read."""
    try:
        with open_address(name) as file:
            metadata = open_parquet(file, name).metadata
            groups = [metadata.row_group(part) for part in range(metadata.num_row_groups)]
            sizes = [(group.num_rows, group.total_byte_size) for group in groups]
    except Exception:  # noqa: BLE001 - as above
        yield Source("parquet", name, splits=False)
        return
    before = 0
    for part, (rows, size) in enumerate(sizes):
        if rows:
            yield Source("parquet", name, part, before, size=size, splits=False)
        before += rows


def _read_list(name: str, inputs: DistinctNames) -> Iterator[Source]:
    """The files of a list, and its web addresses host by host, each once."""
    with open_address(name) as file:
        lines = (line.decode("utf-8", "replace").strip() for line in file)
        entries = dict.fromkeys(line for line in lines if line and not line.startswith("#"))
    pages: list[str] = []
    hosts: dict[str, list[str]] = {}
    for entry in filter(inputs.is_new, entries):
        if not is_web(entry):
            pages.append(entry)
        elif len(entries) > MAX_LIST_URLS:
            why = f"more than {MAX_LIST_URLS:,} lines with web addresses; split the list"
            raise OptionError("INPUT", name, why)
        else:
            hosts.setdefault(_authority(entry), []).append(entry)
    for page in pages:
        if _holds_pages(page):
            yield from _file_sources(page, input_kind(page), inputs)
    yield from _group_files([page for page in pages if not _holds_pages(page)], "files", name)
    for urls in hosts.values():
        size = ASSUMED_FILE_BYTES * len(urls)
        yield Source("urls", name, names=tuple(urls), size=size, splits=False)


def _authority(url: str) -> str:
    try:
        return urlsplit(url).netloc.lower()
    except ValueError:
        return ""


# -- from addresses to files ------------------------------------------------------------------


def _expand(address: str) -> Iterator[str]:
    """The files that an address names: itself, all in a folder, all that match a pattern."""
    if is_web(address):
        why = "a web address; put it into a list (.txt) and use --load, or save it as a file"
        raise OptionError("INPUT", address, why)
    empty = True
    for name in _expand_path(address) if is_local(address) else _expand_remote(address):
        empty = False
        yield name
    if empty:
        raise Unreachable(address, "no files that hold pages; check the address")


def _expand_path(address: str) -> Iterator[str]:
    path = Path(address)
    try:
        if path.is_dir():
            yield from _walk_folder(path)
        elif path.exists():
            yield address
        elif glob.has_magic(address):
            for name in sorted(glob.glob(address, recursive=True)):
                yield from _expand_path(name)
        else:
            raise Unreachable(address, "no such file; check the address")
    except ValueError as error:  # a name with NUL
        raise Unreachable(address, f"{error}; check the address") from error


def _walk_folder(folder: Path) -> Iterator[str]:
    """Files of a folder that hold pages, in order of name, folder by folder.

    What cannot be opened is among them, so that reading it gives an error row.
    """
    closed: list[str] = []
    for where, folders, names in os.walk(
        folder, onerror=lambda error: closed.append(error.filename)
    ):
        folders.sort()
        for name in sorted(names):
            path = Path(where, name)
            if _holds_pages(name) or _may_be_page(path):
                yield str(path)
    yield from closed


def _may_be_page(path: Path) -> bool:
    try:
        return is_page_file(path)
    except OSError:
        return True


def _holds_pages(name: str) -> bool:
    return input_kind(name) in ("warc", "jsonl", "parquet")


def _expand_remote(address: str) -> Iterator[str]:
    system, path = file_system(address)
    try:
        if glob.has_magic(path):
            names = system.glob(path)
        elif system.isdir(path):
            names = [
                name
                for name in system.find(path)
                if _holds_pages(name) or name.lower().endswith(PAGE_ENDINGS)
            ]
        else:
            names = [path] if system.exists(path) else []
    except OSError as error:
        raise Unreachable(address, f"{error}; check the address") from error
    for name in sorted(names):
        yield str(system.unstrip_protocol(name))
