"""Where pages come from: files, standard input, the web, folders of a site."""

import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from pagelet.errors import PageTooLarge, Unreachable
from pagelet.page.html import parse
from pagelet.page.table import Page
from pagelet.sources.http.loader import Limits, fetch

HTML_NAMES = (".html", ".htm", ".xhtml", ".shtml", ".php", ".asp")


def load(
    source: str,
    *,
    url: str | None = None,
    limits: Limits = Limits(),
    allow_private: tuple[str, ...] = (),
) -> Page:
    """Read a page from a URL, a file, or standard input (`-`).

    `url` overrides where the page is said to come from, which its links are resolved against.
    Hosts without a public address are refused, but for those in `allow_private`: HOST:PORT each.
    """
    if "://" in source:
        found = fetch(source, limits, allow_private)
        return parse(found.body, url=url or found.url, charset=found.charset)
    if source == "-":
        return parse(_bounded(sys.stdin.buffer.read(limits.max_bytes + 1), "-", limits), url=url)
    return parse(_read(Path(source), limits), url=url)


def _read(path: Path, limits: Limits) -> bytes:
    try:
        with path.open("rb") as file:
            return _bounded(file.read(limits.max_bytes + 1), str(path), limits)
    except (OSError, ValueError) as error:  # ValueError: a name with NUL
        why = getattr(error, "strerror", None) or str(error)
        raise Unreachable(str(path), f"{why}; give a file, a URL or -") from error


def _bounded(data: bytes, source: str, limits: Limits) -> bytes:
    if len(data) > limits.max_bytes:
        raise PageTooLarge(source, limits.max_bytes)
    return data


def load_folder(
    folder: Path, *, most: int, leave_out: str = "", limits: Limits = Limits()
) -> Iterator[Page]:
    """Pages of a site kept in a folder, in order of name; the page itself is left out."""
    if not folder.is_dir():
        raise Unreachable(str(folder), "not a folder; give a folder with pages of the site")
    own = Path(leave_out).resolve() if leave_out else None
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    others = (path for path in files if path.resolve() != own and _is_html(path))
    for path in islice(others, most):
        yield parse(_read(path, limits))


def _is_html(path: Path) -> bool:
    """Whether a file is named like a page, or has no ending and begins like one."""
    if path.suffix:
        return path.suffix.lower() in HTML_NAMES
    with path.open("rb") as file:
        return file.read(512).lstrip().startswith(b"<")
