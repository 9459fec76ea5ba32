"""Pages by name: from a file, standard input, a URL, or a folder of files."""

import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from pagelet.errors import NotHtml, PageTooLarge, Unreachable
from pagelet.page.binary import check_bytes
from pagelet.page.decoding import decode_as
from pagelet.page.html import parse
from pagelet.page.table import Page
from pagelet.sources.folder import PAGE_ENDINGS, is_page_file
from pagelet.sources.names import check_name, is_address
from pagelet.sources.options import Limits
from pagelet.sources.unpacking import unpack_page
from pagelet.wording import describe_os_error

if TYPE_CHECKING:
    from pagelet.sources.http.loader import Loader

ADVICE = "give a file, a URL or -"  #: what to do about a page that is not there
HOST = re.compile(r"(?:[a-z0-9-]+\.)+(?P<top>[a-z]{2,})(?=[:/]|$)", re.IGNORECASE)
#: Hosts that seldom have a certificate: the machine itself, and those named by number.
LOCAL_HOST = re.compile(r"(?:localhost|\d{1,3}(?:\.\d{1,3}){3})(?=[:/]|$)", re.IGNORECASE)
#: Endings of files, which no host ends in.
FILE_SUFFIXES = (
    *PAGE_ENDINGS,
    ".br",
    ".gz",
    ".json",
    ".jsonl",
    ".mhtml",
    ".pdf",
    ".txt",
    ".warc",
    ".xml",
    ".zst",
)


def load(
    source: str | Path,
    *,
    url: str | None = None,
    charset: str | None = None,
    limits: Limits = Limits(),
    allow_private: tuple[str, ...] = (),
) -> Page:
    """Read a page from a URL, a file, or standard input (`-`).

    `url` overrides the address of the page, against which its links are resolved; `charset`
    overrides the encoding that the page or its server names. Files may be compressed with gzip,
    Zstandard or Brotli. Hosts without a public address are refused, except those in
    `allow_private`: HOST:PORT each.
    """
    return load_by(None, source, url=url, charset=charset, limits=limits, allowed=allow_private)


def load_by(
    loader: "Loader | None",
    source: str | Path,
    *,
    url: str | None = None,
    charset: str | None = None,
    limits: Limits = Limits(),
    allowed: tuple[str, ...] = (),
) -> Page:
    """Read a page as `load` does; a URL by the rules of a loader where one is given."""
    source = check_name(source)
    if is_address(source):
        from pagelet.sources.http.loader import fetch  # noqa: PLC0415 - imports httpx, slowly

        response = loader.load(source) if loader else fetch(source, limits, allowed)
        address = url or response.url
        if charset is None:
            label, nodes = response.charset, limits.max_nodes
            return parse(response.body, address, charset=label, max_nodes=nodes)
        return _parse_as(response.body, address, charset, limits.max_nodes)
    data = read_stdin(limits) if source == "-" else read_page_file(Path(source), limits)
    try:
        if charset is not None:
            return _parse_as(data, url, charset, limits.max_nodes)
        return parse(data, url=url, max_nodes=limits.max_nodes)
    except PageTooLarge as error:
        raise PageTooLarge(source, error.limit, error.unit) from None
    except NotHtml as error:
        raise NotHtml(source, *error.args[1:]) from None


def _parse_as(data: bytes, url: str | None, charset: str, max_nodes: int) -> Page:
    """Parse a page whose encoding the user names."""
    check_bytes(data, url or "the page")
    decoded = decode_as(data, charset)
    page = parse(decoded.text, url=url, max_nodes=max_nodes)
    return replace(page, charset=decoded.charset)


def load_folder(
    folder: Path, *, most: int, leave_out: str = "", limits: Limits = Limits()
) -> Iterator[Page]:
    """Read up to `most` pages of a folder in order of name, except the page at `leave_out`."""
    if not folder.is_dir():
        raise Unreachable(str(folder), "not a folder; give a folder with pages of the site")
    own = Path(leave_out).resolve() if leave_out else None
    others = (path for path in sorted(folder.rglob("*")) if path.resolve() != own)
    for path in islice(filter(is_page_file, others), most):
        yield parse(read_page_file(path, limits), max_nodes=limits.max_nodes)


def read_stdin(limits: Limits) -> bytes:
    """Read standard input up to the limit."""
    data = _check_size(sys.stdin.buffer.read(limits.max_bytes + 1), "-", limits)
    return unpack_page(data, "-", limits.max_bytes)


def read_page_file(path: Path, limits: Limits) -> bytes:
    """Read a file up to the limit, unpacked if it is compressed."""
    try:
        with path.open("rb") as file:
            data = _check_size(file.read(limits.max_bytes + 1), str(path), limits)
    except (OSError, ValueError) as error:  # ValueError: a name with NUL
        meant = guess_address(path.as_posix())
        advice = f"did you mean {meant} ?" if meant else ADVICE
        raise Unreachable(str(path), f"{describe_os_error(error)}; {advice}") from error
    return unpack_page(data, str(path), limits.max_bytes)


def guess_address(name: str) -> str:
    """The address that is meant by a name that is no file; empty where it is like none."""
    if LOCAL_HOST.match(name):
        return f"http://{name}"
    host = HOST.match(name)
    is_host = host is not None and f".{host['top']}" not in FILE_SUFFIXES
    return f"https://{name}" if is_host else ""


def _check_size(data: bytes, source: str, limits: Limits) -> bytes:
    if len(data) > limits.max_bytes:
        raise PageTooLarge(source, limits.max_bytes)
    return data
