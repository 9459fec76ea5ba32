"""How pages come into the annotator: one by one over HTTP, or a folder from the command line."""

from collections.abc import Callable
from pathlib import Path

from pagelet.annotator.marks import safe_name
from pagelet.annotator.store import Store
from pagelet.errors import NoGold, PageTooLarge
from pagelet.report.sources import PICTURES_AND_FONTS, SHEETS
from pagelet.server.errors import HttpError
from pagelet.sources.folder import PAGE_ENDINGS

SHOWN = (*SHEETS, *PICTURES_AND_FONTS)  #: endings of what pages show
MOST_FILE = 16_000_000  #: bytes of a file of a folder


def add(store: Store, project: int, name: str, body: bytes, url: str | None = None) -> int:
    """Keep a page, or something that pages show; the number of the page, 0 for what is none."""
    plain = safe_name(name)
    ending = Path(plain).suffix.lower()
    if ending in SHOWN:
        store.add_file(project, plain, body)
        return 0
    if ending in PAGE_ENDINGS or not ending:
        return store.add_page(project, plain, body, url).id
    raise HttpError(
        415, "UnknownBody", f"{plain}: only pages, style sheets, pictures and fonts fit"
    )


def is_wanted(path: Path) -> bool:
    """Whether a file is a page or something that pages show."""
    return path.is_file() and path.suffix.lower() in (*PAGE_ENDINGS, *SHOWN)


def add_folder(
    store: Store, project: int, folder: Path, each: Callable[[str], None] = lambda _: None
) -> int:
    """Keep all pages below a folder and what they show; how many pages."""
    pages = 0
    for path in sorted(filter(is_wanted, folder.rglob("*"))):
        name = path.relative_to(folder).as_posix()
        if path.stat().st_size > MOST_FILE:
            raise PageTooLarge(str(path), MOST_FILE)
        pages += bool(add(store, project, name, path.read_bytes()))
        each(name)
    if not pages:
        raise NoGold(str(folder), "pages to be marked: files that end in .html")
    return pages
