"""The templates of a crawl: a folder with one file per host."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote

from pagelet.methods.template import find_by_learned
from pagelet.methods.template.learned import LearnedTemplate, learn, read_learned
from pagelet.page.html import parse
from pagelet.page.site import SharedRows, host_of
from pagelet.page.table import Page

MIN_HOST_PAGES = 3  #: pages from which on a host has a template
NO_HOST = "(no host)"  #: stands for the host of pages without one, such as those of a folder


@dataclass(frozen=True, slots=True)
class TemplateMatch:
    """The learned template that fits a page, and what the page shares with its site."""

    name: str  #: name of the template: its host, with the number of the layout if there are several
    share: float  #: share of the page's characters that are template
    shared: SharedRows | None  #: evidence for other methods


def template_host(url: str | None) -> str:
    """The host whose template a page has; pages without one count as one host."""
    return host_of(url) or NO_HOST


def template_file(folder: str, host: str) -> Path:
    """The file of a host's template."""
    return Path(folder) / f"{quote(host, safe='')}.json"


def read_template(file: Path) -> LearnedTemplate | None:
    """The template in a file, if there is one; it is read again when the file has changed."""
    try:
        status = file.stat()
    except OSError:
        return None
    return _read(file, (status.st_mtime_ns, status.st_size))


@lru_cache(maxsize=32)
def _read(file: Path, _changed: tuple[int, int]) -> LearnedTemplate:
    return read_learned(file.read_bytes(), str(file))


def match_template(page: Page, host: str | None, folder: str) -> TemplateMatch | None:
    """The template of a page's host; None if there is none, or if it does not fit."""
    host = host or NO_HOST
    learned = read_template(template_file(folder, host))
    if learned is None:
        return None
    result = find_by_learned(page, learned)
    if not result.determined:
        return None
    chars = page.chars * page.counted
    share = int(chars[result.shared].sum()) / max(int(chars.sum()), 1)
    several = result.facts["layouts"] > 1
    name = f"{host}#{result.facts['layout']}" if several else host
    return TemplateMatch(name, share, result.to_shared())


def learn_host(host: str, pages: Sequence[tuple[str, str | None]], folder: str) -> None:
    """Learn the template of a host from pages with their addresses, and write its file."""
    learned = learn(parse(html, url) for html, url in pages)
    template_file(folder, host).write_text(learned.to_json(), encoding="utf-8")
