"""Blocks that people marked on pages that are drawn before they are scored.

`data-block="1"` marks a block, `data-block="2"` a block within one. The innermost block of a
level that holds a box is the box's own. The marks and traces of the labelling tool are removed;
marks of our own go with the page through the browser, which draws nothing for them, and are
removed before any method sees the page. Segments of the annotator's JSON are blocks too; a
segment of several parts is one block.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

import numpy as np
import turbohtml
from turbohtml import Document

from pagelet.arrays import Ints
from pagelet.errors import NoGold, PageError
from pagelet.lab.gold import GOLD_ATTRIBUTE, html_files, some_of_each, take_blocks
from pagelet.labels import AnnotatedPage, has_annotations, read_annotations
from pagelet.page.boxes import Boxes
from pagelet.page.dom import build_dom
from pagelet.page.html import decode
from pagelet.page.table import Page
from pagelet.page.tree import nearest
from pagelet.sources.browser.document import LOCAL_HOST

BASE = f"http://{LOCAL_HOST}/"  #: address of files in the browser
TOP, SUB = "1", "2"  #: levels of blocks, as the marks write them
MARK_PATTERN = re.compile(
    rf' {GOLD_ATTRIBUTE}="[0-9]*(?:-[0-9]+)?"'
)  #: our marks, as they stand in HTML


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
    for element, level, _ in take_blocks(document):
        element.attrs[GOLD_ATTRIBUTE] = level
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
    html = _without_refreshes(own.document, f"{BASE}{quote(annotated.name)}")
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
        if mark.partition("-")[0] == level:
            block[row] = first.setdefault(mark, row) if "-" in mark else row
    return np.asarray(block[nearest(page.parent, block[:-1] >= 0)])


def blocks_of_boxes(blocks: Ints, boxes: Boxes) -> Ints:
    """The number of the block each box lies in, from 0; -1 for none."""
    rows = np.append(blocks, -1)[boxes.row]
    names, numbers = np.unique(rows, return_inverse=True)
    return numbers - np.searchsorted(names, 0)
