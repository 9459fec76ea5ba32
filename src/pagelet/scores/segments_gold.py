"""Blocks that people marked on pages, for pages that are to be drawn first.

`data-block="1"` marks a block, `data-block="2"` a block within one. The innermost block of a
level that holds a box is the box's own. The marks of the labelling tool and its traces are taken
off; marks of our own go with the page through the browser, which draws nothing for them, and
are taken off before any method sees the page.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

import numpy as np
import turbohtml
from numpy.typing import NDArray
from turbohtml import Document

from pagelet.columns.boxes import Boxes
from pagelet.columns.page import Page
from pagelet.columns.tree import nearest
from pagelet.errors import NoGold
from pagelet.parse.html import decode
from pagelet.scores.gold import MARK, html_files, some_of_each, take_blocks
from pagelet.sources.browser_document import HOST

BASE = f"http://{HOST}/"  #: where the browser believes that files lie
TOP, SUB = "1", "2"  #: levels of blocks, as the marks write them
MARKED = re.compile(rf' {MARK}="[0-9]*"')  #: our marks, as they stand in HTML


@dataclass(frozen=True, slots=True)
class BlocksPage:
    """A page to be drawn, with our marks in it."""

    name: str
    site: str
    folder: Path  #: of the site: what its pages show lies in it
    html: str


def read_block_pages(folder: Path, most: int | None = None) -> list[BlocksPage]:
    """Pages whose blocks people marked, by name; some of them, evenly spaced."""
    files = html_files(folder, "*.blocks.html")
    if not files:
        raise NoGold(str(folder), "*.blocks.html, pages with data-block attributes")
    chosen = np.linspace(0, len(files) - 1, min(most or len(files), len(files))).round()
    wanted = [files[at] for at in chosen.astype(int).tolist()]
    return [_read(folder, site, path) for site, path in some_of_each(folder, wanted, None)]


def _read(folder: Path, site: str, path: Path) -> BlocksPage:
    root = folder / site if (folder / site).is_dir() else folder
    base = f"{BASE}{quote(path.relative_to(root).as_posix())}"
    html = marked_html(decode(path.read_bytes()), base)
    return BlocksPage(path.relative_to(folder).as_posix(), site, root, html)


def marked_html(html: str, base: str = BASE) -> str:
    """A page with our marks for those of the labelling tool, that stays where it is.

    Its links start from `base`, since it is drawn by itself, not from its file.
    """
    document = turbohtml.parse(html, positions=False)
    for refresh in _refreshes(document):
        refresh.extract()
    for element, level, _ in take_blocks(document):
        element.attrs[MARK] = level
    head = document.select_one("head")
    if head is not None:
        head.insert(0, turbohtml.Element("base", {"href": base}))
    return document.serialize()


def _refreshes(document: Document) -> Iterator[turbohtml.Element]:
    for element in document.select("meta[http-equiv]"):
        if (element.attr("http-equiv") or "").strip().lower() == "refresh":
            yield element


def take_marks(page: Page) -> tuple[Page, dict[str, NDArray[np.intp]]]:
    """A page without our marks, and for each level the row of the block each row lies in.

    -1 stands for none.
    """
    marks = page.attribute(MARK)
    blocks = {}
    for level in (TOP, SUB):
        marked = np.zeros(len(page), np.bool_)
        marked[[row for row, said in marks.items() if said == level]] = True
        blocks[level] = nearest(page.parent, marked)
    attrs = tuple(tuple(pair for pair in pairs if pair[0] != MARK) for pairs in page.attrs)
    source = None if page.source is None else MARKED.sub("", page.source)
    return replace(page, attrs=attrs, source=source), blocks


def blocks_of_boxes(blocks: NDArray[np.intp], boxes: Boxes) -> NDArray[np.intp]:
    """A number from 0 on for the block each box lies in; -1 for none."""
    found = np.append(blocks, -1)[boxes.row]
    names, numbers = np.unique(found, return_inverse=True)
    return numbers - np.searchsorted(names, 0)
