"""Style sheets and pictures that lie beside a local page, in the folder of its site.

A saved page often names `../css/style.css`. The folder of its site is then above its own folder.
From there a page may have style sheets, pictures and fonts alone, and only while neither scripts
nor the network could carry them away.
"""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from pagelet.page.table import Page

MAX_LEVELS_UP = 3  #: folders above the page's own that can be the folder of its site
SHOWN_TYPES = ("text/css", "image/", "font/")  #: content types that are served from there
FONT_ENDINGS = (".woff", ".woff2", ".ttf", ".otf")
ADDRESS_ATTRIBUTES = ("href", "src")
ADDRESS_TAGS = ("link", "img")


def site_folder(page: Page, own: Path) -> Path:
    """The folder that holds the style sheets and pictures a page names: its own, or one above."""
    levels = max((_levels_up(address, own) for address in _addresses(page)), default=0)
    folder = own
    for _ in range(levels):
        if not _may_be_site(folder.parent):
            break
        folder = folder.parent
    return folder


def _may_be_site(folder: Path) -> bool:
    """Whether a folder may be that of a site: not the home folder, nor one that holds it."""
    home = Path.home().resolve()
    return folder != folder.parent and not home.is_relative_to(folder)


def _addresses(page: Page) -> Iterator[str]:
    """The addresses of style sheets and pictures."""
    for attribute in ADDRESS_ATTRIBUTES:
        for row, value in page.attribute(attribute).items():
            if page.name(row) in ADDRESS_TAGS:
                yield value.strip()


def _levels_up(address: str, own: Path) -> int:
    """Folders above the page's own in which the file of an address is; 0 where there is none."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return 0
    if parts.scheme or parts.netloc or not parts.path:
        return 0
    path = unquote(parts.path)
    if path.startswith("/"):
        return next((up for up in range(MAX_LEVELS_UP + 1) if _exists(own, up, path)), 0)
    steps = path.split("/")
    up = next((at for at, step in enumerate(steps) if step != ".."), len(steps))
    return up if up <= MAX_LEVELS_UP and _exists(own, up, "/".join(steps[up:])) else 0


def _exists(own: Path, up: int, name: str) -> bool:
    folder = own
    for _ in range(up):
        folder = folder.parent
    try:
        return (folder / name.lstrip("/")).is_file()
    except (OSError, ValueError):  # a name too long, or with NUL
        return False


def is_shown(content_type: str, path: Path) -> bool:
    """Whether a file is a style sheet, a picture or a font."""
    return content_type.startswith(SHOWN_TYPES) or path.suffix.lower() in FONT_ENDINGS
