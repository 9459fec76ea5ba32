"""Readers of labelled pages: sites, marked blocks, label classes, the annotator's JSON.

`read_gold` knows the format by what lies in the folder. Every reader yields pages without
the labels: what a method sees is what a visitor of the page would have seen.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import turbohtml
from turbohtml import Document, Element

from pagelet.arrays import Mask
from pagelet.errors import NoGold
from pagelet.labels import (
    FILE,
    KINDS,
    has_annotations,
    read_annotations,
    suggested_note,
)
from pagelet.page.dom import select
from pagelet.page.html import decode, parse
from pagelet.page.table import Page
from pagelet.page.textblocks import text_blocks

MARK = "data-gold"  #: carries a label through one parse; no method ever sees it
TECO_PREFIX = "TECO_"
CLUTTER_BLOCKS = ("Menu", "LinkList")


@dataclass(frozen=True, slots=True)
class GoldPage:
    """A page and what people said of it."""

    page: Page
    group: str  #: the site; scores are averaged within groups, and folds never split one
    name: str
    labels: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  #: rows by label

    def rows(self, label: str) -> tuple[int, ...]:
        """Top rows that carry a label."""
        return self.labels.get(label, ())

    def mask(self, label: str) -> Mask:
        """Mark everything at or below the rows of a label."""
        return self.page.inside(np.array(self.rows(label), np.int32))


@dataclass(frozen=True, slots=True)
class Gold:
    """A labelled folder."""

    format: str  #: sites, annotations, blocks or teco
    pages: tuple[GoldPage, ...]
    notes: tuple[str, ...] = ()  #: what a reader of figures must know of the labels


def read_gold(folder: Path, per_site: int | None = None, *, wanted: str = "") -> Gold:
    """Read whatever labelled pages a folder holds.

    `wanted` is the kind of label that is asked for: not all annotated pages were looked at for it.
    """
    readers = {"sites": read_sites, "blocks": read_blocks, "teco": read_teco}
    kind = gold_format(folder)
    if kind == "annotations":
        pages = tuple(read_annotated_pages(folder, per_site, wanted))
    else:
        pages = tuple(readers[kind](folder, per_site))
    if not pages:
        raise NoGold(str(folder), "at least one labelled page")
    return Gold(kind, pages, suggested_note(folder, wanted))


def gold_format(folder: Path) -> str:
    """How the pages of a folder are labelled."""
    if (folder / "sites.json").is_file():
        return "sites"
    if has_annotations(folder):
        return "annotations"
    if html_files(folder, "*.blocks.html"):
        return "blocks"
    if any(TECO_PREFIX.encode() in path.read_bytes() for path in html_files(folder)):
        return "teco"
    raise NoGold(str(folder), f"sites.json, {FILE}, *.blocks.html or pages with TECO_ classes")


# -- sites.json: XPaths a site ----------------------------------------------------------------


def read_sites(folder: Path, per_site: int | None = None) -> Iterator[GoldPage]:
    """Pages of sites whose menu, content and other navigation are given as XPaths."""
    for name, said in json.loads((folder / "sites.json").read_text()).items():
        for path in site_files(folder / name)[:per_site]:
            url = f"https://{name}.example/{path.relative_to(folder / name)}"
            page = parse(path.read_bytes(), url=url)
            labels = {
                "menu": first_match(page, said.get("menu_xpath", "")),
                "content": first_match(page, said.get("main_xpath", "")),
                "navigation": tuple(
                    row
                    for expression in said.get("secondary_nav_xpath", [])
                    for row in select(page, expression)
                ),
            }
            if labels["menu"] or not said.get("menu_xpath"):
                yield GoldPage(page, name, str(path.relative_to(folder)), labels)


def site_files(folder: Path) -> list[Path]:
    """Pages of one site, in the order of PAGES.txt, else by name."""
    root = folder / "html" if (folder / "html").is_dir() else folder
    if (folder / "PAGES.txt").is_file():
        lines = (folder / "PAGES.txt").read_text().splitlines()
        listed = (root / line.partition(" <- ")[0] for line in lines)
        return [path for path in listed if path.is_file()]
    return html_files(root)


def html_files(folder: Path, pattern: str = "*.htm*") -> list[Path]:
    """Files below a folder that are named like pages."""
    return sorted(path for path in folder.rglob(pattern) if path.is_file())


def some_of_each(folder: Path, files: list[Path], per_site: int | None) -> list[tuple[str, Path]]:
    """At most so many files of each site, with the name of the site: the first folder."""
    taken: Counter[str] = Counter()
    found = []
    for path in files:
        site = path.relative_to(folder).parts[0]
        taken[site] += 1
        if per_site is None or taken[site] <= per_site:
            found.append((site, path))
    return found


def first_match(page: Page, expression: str) -> tuple[int, ...]:
    """First match of the first alternative of `A | B` that matches."""
    for alternative in expression.split(" | ") if expression else ():
        if rows := select(page, alternative):
            return (rows[0],)
    return ()


# -- gold.json: the annotator's ------------------------------------------------------------------


def read_annotated_pages(
    folder: Path, per_site: int | None = None, wanted: str = ""
) -> Iterator[GoldPage]:
    """Pages that people marked in the annotator."""
    for found in read_annotations(folder, wanted, per_site):
        labels = {kind: found.rows(kind) for kind in KINDS if kind in found.labels}
        yield GoldPage(found.page, found.site, found.name, labels)


# -- *.blocks.html: blocks marked by people ---------------------------------------------------


def read_blocks(folder: Path, per_site: int | None = None) -> Iterator[GoldPage]:
    """Pages whose blocks people marked with data-block attributes."""
    for site, path in some_of_each(folder, html_files(folder, "*.blocks.html"), per_site):
        document = turbohtml.parse(decode(path.read_bytes()), positions=False)
        labels = [(element, label) for element, _, label in take_blocks(document)]
        yield _labelled(document, labels, site, str(path.relative_to(folder)))


def take_blocks(document: turbohtml.Document) -> list[tuple[Element, str, str]]:
    """Take all traces of labelling off a document: the marked elements, their levels and types."""
    for trace in document.select("div.ui-dialog, style"):
        if trace.tag != "style" or "[data-block]" in trace.text:
            trace.extract()
    names = ("data-block", "data-block-type")
    found = []
    for element in document.select("[data-block], [data-block-type]"):
        level, label = (str(element.attr(name) or "") for name in names)
        found += [(element, level, label)] if "data-block" in element.attrs else []
        for name in names:
            if name in element.attrs:
                del element.attrs[name]
    return found


def _labelled(
    document: turbohtml.Document, marks: Sequence[tuple[Element, str]], group: str, name: str
) -> GoldPage:
    """A page without marks, and the rows where they were.

    The document is written twice, with and without the marks; both parse to the same rows.
    """
    page = parse(document.serialize(), url=f"https://{group}/")
    for element, label in marks:
        element.attrs[MARK] = f"{element.attr(MARK) or ''} {label}".strip()
    rows = parse(document.serialize()).attribute(MARK)
    labels: dict[str, list[int]] = {}
    for row, said in rows.items():
        for label in said.split():
            labels.setdefault(label, []).append(row)
    return GoldPage(page, group, name, {label: tuple(at) for label, at in labels.items()})


# -- TECO_ classes: the label suite of the menu paper's authors --------------------------------


def read_teco(folder: Path, per_site: int | None = None) -> Iterator[GoldPage]:
    """Pages labelled with classes such as TECO_mainMenu on every node of the region."""
    for site, path in some_of_each(folder, html_files(folder), per_site):
        document = turbohtml.parse(decode(path.read_bytes()), positions=False)
        marks = []
        for element in document.select(f"[class*='{TECO_PREFIX}']"):
            classes = (element.attr("class") or "").split()
            own = [word for word in classes if not word.startswith(TECO_PREFIX)]
            element.attrs["class"] = " ".join(own)
            said = [word for word in classes if word.startswith(TECO_PREFIX)]
            marks += [(element, teco_label(word)) for word in said]
        yield _labelled(document, marks, site, str(path.relative_to(folder)))


def teco_label(word: str) -> str:
    """Our name for one of their classes."""
    names = {"mainMenu": "menu", "mainContent": "content"}
    word = word.removeprefix(TECO_PREFIX)
    return names.get(word, word)


MARK_ATTRIBUTE, TYPE_ATTRIBUTE = "data-pagelet", "data-pagelet-type"


MARK_CLASS = "pagelet-"


CONTENT = "content"


TECO = {"TECO_mainContent": CONTENT, "TECO_mainMenu": "menu"}  #: their other classes are no marks


MARK_SELECTOR = (
    f"[{MARK_ATTRIBUTE}], [{TYPE_ATTRIBUTE}], [class*='{MARK_CLASS}'], [class*='{TECO_PREFIX}']"
)


def take_marks(document: Document) -> tuple[list[tuple[Element, str]], str]:
    """Take all marks off a document: the elements that had one, what it said, the page type."""
    marks, page_type = [], "unknown"
    for element in document.select(MARK_SELECTOR):
        page_type = str(element.attr(TYPE_ATTRIBUTE) or page_type)
        said = _said(element)
        if said:
            marks.append((element, CONTENT if CONTENT in said else "other"))
        for name in (MARK_ATTRIBUTE, TYPE_ATTRIBUTE):
            if name in element.attrs:
                del element.attrs[name]
        _set_classes(element, [word for word in _classes(element) if not _is_mark(word)])
    return marks, page_type


def _said(element: Element) -> set[str]:
    classes = _classes(element)
    ours = (word.removeprefix(MARK_CLASS) for word in classes if word.startswith(MARK_CLASS))
    theirs = (TECO[word] for word in classes if word in TECO)
    return {*str(element.attr(MARK_ATTRIBUTE) or "").split(), *ours, *theirs}


def _classes(element: Element) -> list[str]:
    return str(element.attr("class") or "").split()


def _is_mark(word: str) -> bool:
    return word.startswith((MARK_CLASS, TECO_PREFIX))


def _set_classes(element: Element, classes: Iterable[str]) -> None:
    written = " ".join(classes)
    if written:
        element.attrs["class"] = written
    elif "class" in element.attrs:
        del element.attrs["class"]


def marked_text(page: Page) -> Mask:
    """Mark the text rows whose nearest mark says content."""
    own = page.attribute(MARK_ATTRIBUTE)
    content: list[bool] = []
    for row, parent in enumerate(page.parent.tolist()):
        above = parent >= 0 and content[parent]
        content.append(own[row] == CONTENT if row in own else above)
    return _texts(page, np.array(content, np.bool_))


def _texts(page: Page, content: Mask) -> Mask:
    """The text rows among those that are content."""
    kept = np.zeros(len(page), np.bool_)
    rows = text_blocks(page).rows
    kept[rows] = content[rows]
    return kept
