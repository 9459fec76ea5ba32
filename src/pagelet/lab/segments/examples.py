"""Drawn pages with people's blocks: what every way to segment them is asked about."""

import hashlib
import os
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path
from time import thread_time

import numpy as np

from pagelet.arrays import Ints
from pagelet.lab.segments.gold import SUB, TOP, BlocksPage, blocks_of_boxes, take_marks
from pagelet.methods.segments.geometry.boxes import boxes_of_page
from pagelet.page.boxes import Boxes
from pagelet.page.html import parse
from pagelet.page.layout import Layout
from pagelet.page.table import Page
from pagelet.sources.browser import options as browser_options
from pagelet.sources.browser.options import RenderOptions
from pagelet.sources.http.cache import default_folder as user_folder

# -- Drawn pages on disk: one file a page, its HTML and the columns of its layout -------------


FOLDER = "renderings"  #: in the user's folder for caches
SOURCE, URL = "source", "url"  #: the texts among the columns
SHOWN = 24  #: characters of a digest in a file's name
DAMAGED = (OSError, EOFError, ValueError, KeyError, TypeError, zipfile.BadZipFile)


@dataclass(frozen=True, slots=True)
class Kept:
    """A folder of drawn pages."""

    folder: Path
    how: str  #: options and version of what draws

    def path(self, given: BlocksPage) -> Path:
        """The file of a page."""
        said = "\0".join((self.how, given.name, given.html))
        digest = hashlib.sha256(said.encode(errors="surrogateescape")).hexdigest()
        return self.folder / f"{digest[:SHOWN]}.npz"

    def get(self, given: BlocksPage) -> tuple[Page, Layout] | None:
        """A page that was drawn before; None when there is none, or its file is damaged."""
        try:
            with self.path(given).open("rb") as raw, np.load(raw, allow_pickle=False) as file:
                columns = {part.name: file[part.name] for part in fields(Layout)}
                source, url = (file[name].tobytes().decode() for name in (SOURCE, URL))
        except DAMAGED:
            return None
        for name in ("page_width", "page_height"):
            columns[name] = columns[name].item()
        page, layout = parse(source, url or None), Layout(**columns)
        return (page, layout) if len(page) == len(layout) else None

    def put(self, given: BlocksPage, page: Page, layout: Layout) -> None:
        """Keep a drawn page; a file is there whole or not at all."""
        texts = {SOURCE: page.source or "", URL: page.url or ""}
        columns = {part.name: getattr(layout, part.name) for part in fields(Layout)}
        columns |= {name: np.frombuffer(text.encode(), np.uint8) for name, text in texts.items()}
        path = self.path(given)
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(f".{os.getpid()}.part")
        with unfinished.open("wb") as file:
            np.savez_compressed(file, **columns)
        unfinished.replace(path)


def default_folder() -> Path | None:
    """Where drawn pages are kept when nothing else is said."""
    folder = user_folder(os.environ)
    return None if folder is None else folder / FOLDER


# -- Drawn pages with people's blocks: what every way to segment them is asked about ----------


LEVELS = (TOP, SUB)

Draw = Callable[[BlocksPage], tuple[Page, Layout]]
Each = Callable[[str, int, int], None]


@dataclass(frozen=True, eq=False)
class Example:
    """A drawn page, its boxes, and the block each box lies in, by level."""

    name: str
    site: str
    page: Page
    layout: Layout
    boxes: Boxes
    gold: dict[str, Ints]  #: a number from 0 on for each box; -1 for none
    ms: float  #: milliseconds it took to find the boxes

    def marked(self, level: str) -> int:
        """How many boxes lie in a block of a level."""
        return int((self.gold[level] >= 0).sum())


def example_of(given: BlocksPage, page: Page, layout: Layout) -> Example:
    """A drawn page with our marks in it as an example."""
    page, blocks = take_marks(page)
    began = thread_time()
    boxes = boxes_of_page(page, layout)
    ms = (thread_time() - began) * 1000
    gold = {level: blocks_of_boxes(rows, boxes) for level, rows in blocks.items()}
    return Example(given.name, given.site, page, layout, boxes, gold, ms)


def examples_of(
    pages: Sequence[BlocksPage], draw: Draw, kept: Kept | None, each: Each
) -> Iterator[Example]:
    """Every page as an example; what was drawn before is not drawn again."""
    for at, given in enumerate(pages):
        each("drawing", at, len(pages))
        known = kept.get(given) if kept else None
        page, layout = known or draw(given)
        if kept and not known:
            kept.put(given, page, layout)
        yield example_of(given, page, layout)
    each("drawing", len(pages), len(pages))


# -- Labelled pages as Chromium draws them: scripts and network off, files from their own folder


OPTIONS = RenderOptions(javascript="off", network="off")
CODE = "*.py"  #: files that draw and measure, in the package of the browser


def how_drawn(room: Path = Path(browser_options.__file__).parent) -> str:
    """What tells one way of drawing from another: the options, and a digest of the code."""
    code = b"\0".join(path.read_bytes() for path in sorted(room.glob(CODE)))
    return f"{hashlib.sha256(code).hexdigest()} {OPTIONS}"


@contextmanager
def drawing() -> Iterator[Draw]:
    """Something that draws labelled pages; the browser starts with the first of them."""
    from pagelet.sources.browser.render import Browser  # noqa: PLC0415 - other commands draw nothing

    with Browser(OPTIONS) as browser:

        def draw(given: BlocksPage) -> tuple[Page, Layout]:
            options = replace(OPTIONS, folder=str(given.folder))
            drawn = browser.render(given.html.encode(), options)
            return drawn.page, drawn.layout

        yield draw
