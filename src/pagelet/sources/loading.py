"""Pages by name: from a file, standard input, a URL, or a folder of files."""

import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from pagelet.errors import PageTooLarge, Unreachable
from pagelet.page.html import parse
from pagelet.page.table import Page
from pagelet.sources.folder import is_page_file
from pagelet.sources.names import check_name, is_address
from pagelet.sources.options import Limits


def load(
    source: str | Path,
    *,
    url: str | None = None,
    limits: Limits = Limits(),
    allow_private: tuple[str, ...] = (),
) -> Page:
    """Read a page from a URL, a file, or standard input (`-`).

    `url` overrides the address of the page, against which its links are resolved.
    Hosts without a public address are refused, except those in `allow_private`: HOST:PORT each.
    """
    source = check_name(source)
    if is_address(source):
        from pagelet.sources.http.loader import fetch  # noqa: PLC0415 - imports httpx, slowly

        response = fetch(source, limits, allow_private)
        address, charset = url or response.url, response.charset
        return parse(response.body, address, charset=charset, max_nodes=limits.max_nodes)
    data = read_stdin(limits) if source == "-" else read_page_file(Path(source), limits)
    try:
        return parse(data, url=url, max_nodes=limits.max_nodes)
    except PageTooLarge as error:
        raise PageTooLarge(source, error.limit, error.unit) from None


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
    return _check_size(sys.stdin.buffer.read(limits.max_bytes + 1), "-", limits)


def read_page_file(path: Path, limits: Limits) -> bytes:
    """Read a file up to the limit."""
    try:
        with path.open("rb") as file:
            return _check_size(file.read(limits.max_bytes + 1), str(path), limits)
    except (OSError, ValueError) as error:  # ValueError: a name with NUL
        why = getattr(error, "strerror", None) or str(error)
        raise Unreachable(str(path), f"{why}; give a file, a URL or -") from error


def _check_size(data: bytes, source: str, limits: Limits) -> bytes:
    if len(data) > limits.max_bytes:
        raise PageTooLarge(source, limits.max_bytes)
    return data
