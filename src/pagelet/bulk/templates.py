"""What is known of the sites of a crawl: a learned template a host, in a folder of files."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote

from pagelet.methods.template import by_learned, shared_of
from pagelet.methods.template.learned import Learned, read_learned
from pagelet.page.site import SharedRows
from pagelet.page.table import Page


@dataclass(frozen=True, slots=True)
class Known:
    """What a page shares with its site, and by which template."""

    name: str  #: of the template
    share: float  #: of the page's characters that are template
    shared: SharedRows | None  #: for other methods


def template_file(folder: str, host: str) -> Path:
    """The file of a host's template."""
    return Path(folder) / f"{quote(host, safe='')}.json"


def learned_by(file: Path) -> Learned | None:
    """The template in a file, if there is one; read again when it has changed."""
    try:
        told = file.stat()
    except OSError:
        return None
    return _read(file, (told.st_mtime_ns, told.st_size))


@lru_cache(maxsize=32)
def _read(file: Path, _changed: tuple[int, int]) -> Learned:
    return read_learned(file.read_text(encoding="utf-8"), str(file))


def template_of(page: Page, host: str | None, folder: str) -> Known | None:
    """What is known of a page's template; None without one for its host, or if it does not fit."""
    if host is None:
        return None
    learned = learned_by(template_file(folder, host))
    if learned is None:
        return None
    found = by_learned(page, learned)
    if not found.known:
        return None
    chars = page.chars * page.counted
    share = int(chars[found.shared].sum()) / max(int(chars.sum()), 1)
    return Known(host, share, shared_of(found))
