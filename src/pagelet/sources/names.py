"""What a text names: a web address, a file, or nothing because it is HTML itself."""

import re
from pathlib import Path
from typing import Any

from pagelet.errors import NotAPage

SCHEME = re.compile(r"\s*[A-Za-z][A-Za-z0-9+.-]*://")
ADDRESS = re.compile(SCHEME.pattern + r"[^\s<]*\s*")
MAX_NAME_CHARS = 4096  #: characters of the longest name of a file
SHOWN_CHARS = 60  #: characters of a wrong argument that a message shows


def is_address(text: str) -> bool:
    """Whether the name of a page is an address, not a file; the loader checks it further."""
    return SCHEME.match(text) is not None


def check_html(html: Any) -> None:
    """Refuse what is no HTML: other types, an address, the name of a file."""
    if not isinstance(html, str | bytes | bytearray | memoryview):
        raise NotAPage(
            f"{type(html).__name__} is no page;"
            " give HTML as str or bytes, a Path, a Page or a Rendering"
        )
    if not isinstance(html, str) or "<" in html or len(html) > MAX_NAME_CHARS:
        return
    if ADDRESS.fullmatch(html):
        raise NotAPage(f"{html.strip()!r} is an address, not HTML; pagelet.load(url) fetches it")
    if _names_file(html):
        raise NotAPage(f"{html!r} is the name of a file, not HTML; give Path({html!r})")


def check_name(source: Any) -> str:
    """The name of a page as text; HTML and other types are refused."""
    if isinstance(source, Path):
        return str(source)
    if not isinstance(source, str):
        raise NotAPage(f"{type(source).__name__} names no page; give a URL, a file or -")
    if "<" in source and not is_address(source):
        start = source.strip()[:SHOWN_CHARS]
        raise NotAPage(f"{start!r} is HTML, not the name of a page; pagelet.parse(html) reads it")
    return source


def _names_file(text: str) -> bool:
    name = text.strip()
    if not name or "\n" in name or "\0" in name or not Path(name).suffix:
        return False
    try:
        return Path(name).is_file()
    except OSError:
        return False
