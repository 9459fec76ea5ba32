"""Labelled pages drawn by Chromium, with the labelled block of each box; a cache of renderings."""

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
from pagelet.lab import Progress, ignore_progress
from pagelet.lab.segments.gold import (
    SUB,
    TOP,
    BlocksPage,
    blocks_of_boxes,
    read_block_pages,
    take_marks,
)
from pagelet.methods.segments.geometry.boxes import boxes_of_page
from pagelet.page.boxes import Boxes
from pagelet.page.html import parse
from pagelet.page.layout import Layout
from pagelet.page.table import Page
from pagelet.sources.browser import options as browser_options
from pagelet.sources.browser.options import RenderOptions
from pagelet.sources.http.cache import default_folder as user_folder

# -- renderings on disk: one file per page, its HTML and the columns of its layout --------------


FOLDER = "renderings"  #: folder in the user's cache folder
SOURCE, URL = "source", "url"  #: columns that hold text
DIGEST_CHARS = 24  #: characters of a digest in the name of a file
DAMAGED = (OSError, EOFError, ValueError, KeyError, TypeError, zipfile.BadZipFile)


@dataclass(frozen=True, slots=True)
class RenderingCache:
    """A folder of drawn pages."""

    folder: Path
    version: str  #: options and code version of the renderer

    def path(self, source: BlocksPage) -> Path:
        """The file of a page."""
        key = "\0".join((self.version, source.name, source.html))
        digest = hashlib.sha256(key.encode(errors="surrogateescape")).hexdigest()
        return self.folder / f"{digest[:DIGEST_CHARS]}.npz"

    def get(self, source: BlocksPage) -> tuple[Page, Layout] | None:
        """A page that was drawn before; None when its file is missing or damaged."""
        try:
            with self.path(source).open("rb") as raw, np.load(raw, allow_pickle=False) as file:
                columns = {part.name: file[part.name] for part in fields(Layout)}
                html, url = (file[name].tobytes().decode() for name in (SOURCE, URL))
        except DAMAGED:
            return None
        for name in ("page_width", "page_height"):
            columns[name] = columns[name].item()
        page, layout = parse(html, url or None), Layout(**columns)
        return (page, layout) if len(page) == len(layout) else None

    def put(self, source: BlocksPage, page: Page, layout: Layout) -> None:
        """Store a drawn page; its file is written whole or not at all."""
        texts = {SOURCE: page.source or "", URL: page.url or ""}
        columns = {part.name: getattr(layout, part.name) for part in fields(Layout)}
        columns |= {name: np.frombuffer(text.encode(), np.uint8) for name, text in texts.items()}
        path = self.path(source)
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(f".{os.getpid()}.part")
        with unfinished.open("wb") as file:
            np.savez_compressed(file, **columns)
        unfinished.replace(path)


def default_folder() -> Path | None:
    """The default folder of drawn pages."""
    folder = user_folder(os.environ)
    return None if folder is None else folder / FOLDER


# -- examples ---------------------------------------------------------------------------------


LEVELS = (TOP, SUB)

Draw = Callable[[BlocksPage], tuple[Page, Layout]]


@dataclass(frozen=True, eq=False)
class DrawnExample:
    """A drawn page, its boxes, and the labelled block of each box, by level."""

    name: str
    site: str
    page: Page
    layout: Layout
    boxes: Boxes
    gold: dict[str, Ints]  #: number of each box's block, from 0; -1 for none
    ms: float  #: milliseconds that finding the boxes took

    def marked(self, level: str) -> int:
        """Number of boxes that lie in a block of a level."""
        return int((self.gold[level] >= 0).sum())


def example_of(source: BlocksPage, page: Page, layout: Layout) -> DrawnExample:
    """The example of a drawn page that still has our marks."""
    page, blocks = take_marks(page)
    start = thread_time()
    boxes = boxes_of_page(page, layout)
    ms = (thread_time() - start) * 1000
    gold = {level: blocks_of_boxes(rows, boxes) for level, rows in blocks.items()}
    return DrawnExample(source.name, source.site, page, layout, boxes, gold, ms)


def draw_examples(
    folder: Path,
    *,
    pages: int | None = None,
    cache: Path | None = None,
    progress: Progress = ignore_progress,
) -> list[DrawnExample]:
    """The labelled pages of a folder, drawn; pages in the cache are not drawn again."""
    sources = read_block_pages(folder, pages)
    where = cache or default_folder()
    renderings = RenderingCache(where, renderer_version()) if where else None
    with page_renderer() as draw:
        return list(examples_of(sources, draw, renderings, progress))


def examples_of(
    pages: Sequence[BlocksPage], draw: Draw, cache: RenderingCache | None, progress: Progress
) -> Iterator[DrawnExample]:
    """Every page as an example, drawn unless it is in the cache."""
    for at, source in enumerate(pages):
        progress("drawing", at, len(pages))
        cached = cache.get(source) if cache else None
        page, layout = cached or draw(source)
        if cache and not cached:
            cache.put(source, page, layout)
        yield example_of(source, page, layout)
    progress("drawing", len(pages), len(pages))


# -- drawing: scripts and network off, files from the page's own folder ------------------------


OPTIONS = RenderOptions(javascript="off", network="off")
CODE = "*.py"  #: files of the package that draws and measures


def renderer_version(package: Path = Path(browser_options.__file__).parent) -> str:
    """The options of drawing and a digest of the code that draws."""
    code = b"\0".join(path.read_bytes() for path in sorted(package.glob(CODE)))
    return f"{hashlib.sha256(code).hexdigest()} {OPTIONS}"


@contextmanager
def page_renderer() -> Iterator[Draw]:
    """A function that draws labelled pages; the browser starts with the first of them."""
    from pagelet.sources.browser.render import Browser  # noqa: PLC0415 - other commands draw nothing

    with Browser(OPTIONS) as browser:

        def draw(source: BlocksPage) -> tuple[Page, Layout]:
            options = replace(OPTIONS, folder=str(source.folder))
            rendering = browser.render(source.html.encode(), options)
            return rendering.page, rendering.layout

        yield draw
