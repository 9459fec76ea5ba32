"""Labelled pages drawn by Chromium, with the labelled block of each box; a cache of renderings.

`data-block="1"` marks a block, `data-block="2"` a block within one. The innermost block of a
level that holds a box is the box's own. The marks and traces of the labelling tool are removed;
marks of our own go with the page through the browser, which draws nothing for them, and are
removed before any method sees the page. Segments of the annotator's JSON are blocks too; a
segment of several parts is one block.
"""

import hashlib
import os
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from time import thread_time
from urllib.parse import quote

import numpy as np
import turbohtml
from turbohtml import Document

from pagelet.arrays import Ints
from pagelet.errors import NoGold, PageError
from pagelet.lab import Progress, ignore_progress
from pagelet.lab.gold import GOLD_ATTRIBUTE, html_files, some_of_each, take_blocks
from pagelet.labels import AnnotatedPage, has_annotations, read_annotations
from pagelet.methods.segments.geometry.boxes import boxes_of_page
from pagelet.page.dom import build_dom
from pagelet.page.html import decode, parse
from pagelet.page.layout import Boxes, Layout
from pagelet.page.table import Page
from pagelet.page.tree import nearest
from pagelet.sources.browser import options as browser_options
from pagelet.sources.browser.options import RenderOptions
from pagelet.sources.browser.resources import LOCAL_HOST
from pagelet.sources.http.cache import default_folder as user_folder

BASE = f"http://{LOCAL_HOST}/"  #: address of files in the browser
TOP, SUB = "1", "2"  #: levels of blocks, as the marks write them
MARK_PATTERN = re.compile(
    rf' {GOLD_ATTRIBUTE}="[0-9]*(?:-[0-9]+)?(?::[A-Za-z]*)?"'
)  #: our marks, as they stand in HTML: a level, then a number or the type of the block


@dataclass(frozen=True, slots=True)
class BlocksPage:
    """The HTML of a page to be drawn, with our marks in it."""

    name: str
    site: str
    folder: Path  #: folder of the site, which holds the files its pages use
    html: str


def read_block_pages(folder: Path, limit: int | None = None) -> list[BlocksPage]:
    """Pages whose blocks people marked, by name; with a limit, some of them, evenly spaced."""
    if has_annotations(folder):
        annotated = list(read_annotations(folder, "segments"))
        return [_of_segments(annotated[at]) for at in _evenly(folder, len(annotated), limit)]
    files = html_files(folder, "*.blocks.html")
    wanted = [files[at] for at in _evenly(folder, len(files), limit)]
    return [_read(folder, site, path) for site, path in some_of_each(folder, wanted, None)]


def _evenly(folder: Path, count: int, limit: int | None) -> list[int]:
    if not count:
        raise NoGold(str(folder), "*.blocks.html, pages with data-block attributes; or segments")
    chosen: list[int] = (
        np.linspace(0, count - 1, min(limit or count, count)).round().astype(int).tolist()
    )
    return chosen


def _read(folder: Path, site: str, path: Path) -> BlocksPage:
    root = folder / site if (folder / site).is_dir() else folder
    base = f"{BASE}{quote(path.relative_to(root).as_posix())}"
    html = marked_html(decode(path.read_bytes()), base)
    return BlocksPage(path.relative_to(folder).as_posix(), site, root, html)


def marked_html(html: str, base: str = BASE) -> str:
    """A page with our marks instead of those of the labelling tool, without refreshes.

    Its links start from `base`, since it is not drawn from its file.
    """
    document = turbohtml.parse(html, positions=False)
    for element, level, label in take_blocks(document):
        element.attrs[GOLD_ATTRIBUTE] = f"{level}:{label}" if label.isalpha() else level
    return _without_refreshes(document, base)


def _of_segments(annotated: AnnotatedPage) -> BlocksPage:
    """An annotated page with a mark at every part of every segment."""
    own = build_dom(replace(annotated.page, url=None))  # its links stay as they are written
    for number, rows in enumerate(annotated.segments):
        for row in rows:
            node = own.nodes[row]
            if not isinstance(node, turbohtml.Element):
                raise PageError(str(annotated.file), "a segment is made of elements, not of texts")
            node.attrs[GOLD_ATTRIBUTE] = f"{TOP}-{number}"
    assert isinstance(own.document, Document)
    name = annotated.file.relative_to(annotated.folder).as_posix()
    html = _without_refreshes(own.document, f"{BASE}{quote(name)}")
    return BlocksPage(annotated.name, annotated.site, annotated.folder, html)


def _without_refreshes(document: Document, base: str) -> str:
    """The HTML of a document without refreshes, its links starting from `base`."""
    for refresh in list(_refreshes(document)):
        refresh.extract()
    head = document.select_one("head")
    if head is not None:
        head.insert(0, turbohtml.Element("base", {"href": base}))
    return document.serialize()


def _refreshes(document: Document) -> Iterator[turbohtml.Element]:
    for element in document.select("meta[http-equiv]"):
        if (element.attr("http-equiv") or "").strip().lower() == "refresh":
            yield element


def take_marks(page: Page) -> tuple[Page, dict[str, Ints]]:
    """A page without our marks, and for each level the row of the block each row lies in.

    -1 stands for none.
    """
    marks = page.attribute(GOLD_ATTRIBUTE)
    blocks = {level: _blocks(page, marks, level) for level in (TOP, SUB)}
    attrs = tuple(
        tuple(pair for pair in pairs if pair[0] != GOLD_ATTRIBUTE) for pairs in page.attrs
    )
    source = None if page.source is None else MARK_PATTERN.sub("", page.source)
    return replace(page, attrs=attrs, source=source), blocks


def _blocks(page: Page, marks: Mapping[int, str], level: str) -> Ints:
    """The row of the block each row lies in; of several parts, the row of the first."""
    block = np.full(len(page) + 1, -1, np.intp)  # the last place stands for no block
    first: dict[str, int] = {}
    for row, mark in marks.items():
        if _level_of(mark) == level:
            block[row] = first.setdefault(mark, row) if "-" in mark else row
    return np.asarray(block[nearest(page.parent, block[:-1] >= 0)])


def _level_of(mark: str) -> str:
    return mark.partition(":")[0].partition("-")[0]


def block_types(page: Page) -> dict[int, str]:
    """The type of each marked row that people gave one, such as Menu or Footer."""
    marks = page.attribute(GOLD_ATTRIBUTE).items()
    return {row: mark.partition(":")[2] for row, mark in marks if ":" in mark}


def blocks_of_boxes(blocks: Ints, boxes: Boxes) -> Ints:
    """The number of the block each box lies in, from 0; -1 for none."""
    rows = np.append(blocks, -1)[boxes.row]
    names, numbers = np.unique(rows, return_inverse=True)
    return numbers - np.searchsorted(names, 0)


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
        for name in ("page_width", "page_height", "page_missing_styles"):
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
    types: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  #: of each block, by level

    def marked(self, level: str) -> int:
        """Number of boxes that lie in a block of a level."""
        return int((self.gold[level] >= 0).sum())


def example_of(source: BlocksPage, page: Page, layout: Layout) -> DrawnExample:
    """The example of a drawn page that still has our marks."""
    labels = block_types(page)
    page, blocks = take_marks(page)
    start = thread_time()
    boxes = boxes_of_page(page, layout)
    ms = (thread_time() - start) * 1000
    gold = {level: blocks_of_boxes(rows, boxes) for level, rows in blocks.items()}
    types = {level: _types(labels, rows, boxes) for level, rows in blocks.items()}
    return DrawnExample(source.name, source.site, page, layout, boxes, gold, ms, types)


def _types(labels: Mapping[int, str], blocks: Ints, boxes: Boxes) -> tuple[str, ...]:
    """The type of each block that holds a box, by its number; empty for none."""
    names = np.unique(np.append(blocks, -1)[boxes.row])
    return tuple(labels.get(row, "") for row in names[names >= 0].tolist())


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
