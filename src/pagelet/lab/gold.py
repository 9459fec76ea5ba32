"""Readers of labelled pages: sites, marked blocks, label classes, the annotator's JSON.

`read_gold` recognises the format by the files of the folder. Every reader yields pages without
the labels, so that a method sees what a visitor of the page sees.

Marks in the pages themselves label main content. `data-pagelet="content"` on an element marks
its text as main content, any other value marks it as something else; the nearest mark at or
above a text decides, and text below no mark is not content. Classes do the same:
`pagelet-content` and `TECO_mainContent`, or `pagelet-` and another word. A page with a mark but
no content is a page without content; a page without marks is not labelled.
`data-pagelet-type` names the page type.
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
from pagelet.lab import Progress, ignore_progress, track_unknown
from pagelet.labels import (
    FILE,
    KINDS,
    has_annotations,
    nearest_label,
    read_annotations,
    suggested_note,
)
from pagelet.page.dom import select
from pagelet.page.html import decode, parse
from pagelet.page.table import Page
from pagelet.page.textblocks import text_blocks

MENUS = "menus.json"  #: main menus of single pages
GOLD_ATTRIBUTE = "data-gold"  #: carries a label through one parse; no method ever sees it
TECO_PREFIX = "TECO_"
CLUTTER_BLOCKS = ("Menu", "LinkList")  #: types of marked blocks that are link clutter
#: Types of marked blocks whose text outside menus and lists is clutter, though not marked so.
UNDECIDED_BLOCKS = ("Header", "Footer", "Sidebar", "Ad", "Searchbar")


@dataclass(frozen=True, slots=True)
class GoldPage:
    """A page and its labels."""

    page: Page
    group: str  #: the site; scores are averaged within groups, and folds never split one
    name: str
    labels: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  #: rows by label
    united: bool = False  #: whether the rows of a label are one region; else each is its own

    def rows(self, label: str) -> tuple[int, ...]:
        """Top rows that carry a label."""
        return self.labels.get(label, ())

    def regions(self, *labels: str) -> tuple[tuple[int, ...], ...]:
        """The top rows of each region that carries one of the labels."""
        rows = tuple(row for label in labels for row in self.rows(label))
        return ((rows,) if rows else ()) if self.united else tuple((row,) for row in rows)

    def mask(self, *labels: str) -> Mask:
        """Mark everything at or below the rows of some labels."""
        rows = [row for label in labels for row in self.rows(label)]
        return self.page.inside(np.array(rows, np.int32))


@dataclass(frozen=True, slots=True)
class Gold:
    """A labelled folder."""

    format: str  #: sites, annotations, menus, blocks or teco
    pages: tuple[GoldPage, ...]
    notes: tuple[str, ...] = ()  #: caveats about the labels, for readers of the figures


def read_gold(
    folder: Path,
    per_site: int | None = None,
    *,
    kind: str = "",
    progress: Progress = ignore_progress,
) -> Gold:
    """Read the labelled pages of a folder.

    `kind` is the kind of label to be scored: annotated pages need not be labelled for all kinds.
    """
    readers = {"sites": read_sites, "menus": read_menus, "blocks": read_blocks, "teco": read_teco}
    label_format = gold_format(folder)
    found = (
        read_annotated_pages(folder, per_site, kind)
        if label_format == "annotations"
        else readers[label_format](folder, per_site)
    )
    pages = tuple(track_unknown(found, f"reading {folder.name}", progress))
    if not pages:
        wanted = f"a page whose {kind} is marked" if kind else "at least one labelled page"
        raise NoGold(str(folder), wanted)
    return Gold(label_format, pages, suggested_note(folder, kind))


def gold_format(folder: Path) -> str:
    """The format of the labels of a folder."""
    if (folder / "sites.json").is_file():
        return "sites"
    if has_annotations(folder):
        return "annotations"
    if (folder / MENUS).is_file():
        return "menus"
    if html_files(folder, "*.blocks.html"):
        return "blocks"
    if any(TECO_PREFIX.encode() in path.read_bytes() for path in html_files(folder)):
        return "teco"
    wanted = f"sites.json, {FILE}, {MENUS}, *.blocks.html or pages with TECO_ classes"
    raise NoGold(str(folder), wanted)


# -- sites.json: XPaths per site --------------------------------------------------------------


def read_sites(folder: Path, per_site: int | None = None) -> Iterator[GoldPage]:
    """Pages of sites whose menu, content and other navigation are given as XPaths."""
    for name, site in json.loads((folder / "sites.json").read_text()).items():
        for path in site_files(folder / name)[:per_site]:
            url = f"https://{name}.example/{path.relative_to(folder / name)}"
            page = parse(path.read_bytes(), url=url)
            labels = {
                "menu": first_match(page, site.get("menu_xpath", "")),
                "content": first_match(page, site.get("main_xpath", "")),
                "navigation": tuple(
                    row
                    for expression in site.get("secondary_nav_xpath", [])
                    for row in select(page, expression)
                ),
            }
            if labels["menu"] or not site.get("menu_xpath"):
                yield GoldPage(page, name, str(path.relative_to(folder)), labels)


def site_files(folder: Path) -> list[Path]:
    """Pages of one site, in the order of PAGES.txt, else by name."""
    root = page_root(folder)
    if (folder / "PAGES.txt").is_file():
        lines = (folder / "PAGES.txt").read_text().splitlines()
        paths = (root / line.partition(" <- ")[0] for line in lines)
        return [path for path in paths if path.is_file()]
    return html_files(root)


def page_root(folder: Path) -> Path:
    """The folder below which the pages of a site lie: html/ where there is one."""
    return folder / "html" if (folder / "html").is_dir() else folder


def html_files(folder: Path, pattern: str = "*.htm*") -> list[Path]:
    """Files below a folder that are named like pages."""
    return sorted(path for path in folder.rglob(pattern) if path.is_file())


def some_of_each(folder: Path, files: list[Path], per_site: int | None) -> list[tuple[str, Path]]:
    """At most so many files per site, each with the name of its site, the first folder."""
    counts: Counter[str] = Counter()
    chosen = []
    for path in files:
        site = path.relative_to(folder).parts[0]
        counts[site] += 1
        if per_site is None or counts[site] <= per_site:
            chosen.append((site, path))
    return chosen


def first_match(page: Page, expression: str) -> tuple[int, ...]:
    """First match of the first alternative of `A | B` that matches."""
    for alternative in expression.split(" | ") if expression else ():
        if rows := select(page, alternative):
            return (rows[0],)
    return ()


# -- menus.json: the main menu of single pages -------------------------------------------------


def read_menus(folder: Path, per_site: int | None = None) -> Iterator[GoldPage]:
    """Pages whose main menu is given as XPaths, each a right answer; unsure ones are left out.

    Pages lie in html/, their addresses in ground-truth/; a page without a menu has null.
    """
    counts: Counter[str] = Counter()
    for name, label in json.loads((folder / MENUS).read_text()).items():
        url = json.loads((folder / "ground-truth" / f"{name}.json").read_text()).get("url")
        host = host_of(url or "") or name
        counts[host] += 1
        if label.get("unsure") or (per_site is not None and counts[host] > per_site):
            continue
        page = parse((folder / "html" / f"{name}.html").read_bytes(), url=url)
        paths = [label["menu"], *label.get("also", ())] if label["menu"] else []
        yield GoldPage(page, host, name, {"menu": tuple(map(page.row, paths))})


def host_of(url: str) -> str:
    """The host of an address in lower case, without www; empty where there is none."""
    return url.partition("//")[2].partition("/")[0].lower().removeprefix("www.")


def read_annotated_pages(
    folder: Path, per_site: int | None = None, kind: str = ""
) -> Iterator[GoldPage]:
    """Pages that people marked in the annotator."""
    for page in read_annotations(folder, kind, per_site):
        labels = {kind: page.rows(kind) for kind in KINDS if kind in page.labels}
        yield GoldPage(page.page, page.site, page.name, labels)


# -- *.blocks.html: blocks marked by people ---------------------------------------------------


def read_blocks(folder: Path, per_site: int | None = None) -> Iterator[GoldPage]:
    """Pages whose blocks people marked with data-block attributes."""
    for site, path in some_of_each(folder, html_files(folder, "*.blocks.html"), per_site):
        document = turbohtml.parse(decode(path.read_bytes()), positions=False)
        labels = [(element, label) for element, _, label in take_blocks(document)]
        yield _labelled_page(document, labels, site, str(path.relative_to(folder)))


def take_blocks(document: Document) -> list[tuple[Element, str, str]]:
    """Remove all traces of labelling from a document.

    Returns the marked elements with the levels and types of their blocks.
    """
    for trace in document.select("div.ui-dialog, style"):
        if trace.tag != "style" or "[data-block]" in trace.text:
            trace.extract()
    names = ("data-block", "data-block-type")
    blocks = []
    for element in document.select("[data-block], [data-block-type]"):
        level, label = (str(element.attr(name) or "") for name in names)
        blocks += [(element, level, label)] if "data-block" in element.attrs else []
        for name in names:
            if name in element.attrs:
                del element.attrs[name]
    return blocks


def _labelled_page(
    document: Document,
    labelled: Sequence[tuple[Element, str]],
    group: str,
    name: str,
    *,
    united: bool = False,
) -> GoldPage:
    """A page without labels, and the rows where they were.

    The document is written twice, with and without the labels; both parse to the same rows.
    """
    page = parse(document.serialize(), url=f"https://{group}/")
    for element, label in labelled:
        element.attrs[GOLD_ATTRIBUTE] = f"{element.attr(GOLD_ATTRIBUTE) or ''} {label}".strip()
    labels: dict[str, list[int]] = {}
    for row, words in parse(document.serialize()).attribute(GOLD_ATTRIBUTE).items():
        for label in words.split():
            labels.setdefault(label, []).append(row)
    rows_of = {label: tuple(rows) for label, rows in labels.items()}
    return GoldPage(page, group, name, rows_of, united)


# -- TECO_ classes: the label suite of the menu paper's authors --------------------------------


def read_teco(folder: Path, per_site: int | None = None) -> Iterator[GoldPage]:
    """Pages labelled with classes such as TECO_mainMenu on every node of the region.

    All nodes with a class make up one region, however many elements it lies in.
    """
    for site, path in some_of_each(folder, html_files(folder), per_site):
        document = turbohtml.parse(decode(path.read_bytes()), positions=False)
        labelled = []
        for element in document.select(f"[class*='{TECO_PREFIX}']"):
            classes = _classes(element)
            others = [word for word in classes if not word.startswith(TECO_PREFIX)]
            element.attrs["class"] = " ".join(others)
            labels = [word for word in classes if word.startswith(TECO_PREFIX)]
            labelled += [(element, teco_label(word)) for word in labels]
        name = str(path.relative_to(folder))
        yield _labelled_page(document, labelled, site, name, united=True)


def teco_label(word: str) -> str:
    """Our name for one of their classes."""
    names = {"mainMenu": "menu", "mainContent": "content"}
    word = word.removeprefix(TECO_PREFIX)
    return names.get(word, word)


# -- marks in the pages themselves ------------------------------------------------------------


MARK_ATTRIBUTE, TYPE_ATTRIBUTE = "data-pagelet", "data-pagelet-type"
MARK_CLASS = "pagelet-"
CONTENT = "content"
TECO_MARKS = {"TECO_mainContent": CONTENT, "TECO_mainMenu": "menu"}  #: other classes are no marks
MARK_SELECTOR = (
    f"[{MARK_ATTRIBUTE}], [{TYPE_ATTRIBUTE}], [class*='{MARK_CLASS}'], [class*='{TECO_PREFIX}']"
)


@dataclass(frozen=True, slots=True, eq=False)
class MarkedPage:
    """A page whose content was marked in its HTML, without the marks."""

    page: Page
    html: str
    content: Mask  #: text rows whose nearest mark is content
    page_type: str


def read_marked(path: Path) -> MarkedPage | None:
    """Read a page with marks; None for a page without any."""
    document = turbohtml.parse(decode(path.read_bytes()), positions=False)
    marks, page_type = take_marks(document)
    if not marks:
        return None
    html = document.serialize()
    for element, mark in marks:
        element.attrs[MARK_ATTRIBUTE] = mark
    content = marked_text(parse(document.serialize()))
    return MarkedPage(parse(html), html, content, page_type)


def take_marks(document: Document) -> tuple[list[tuple[Element, str]], str]:
    """Remove all marks from a document: the elements with their marks, and the page type."""
    marked, page_type = [], "unknown"
    for element in document.select(MARK_SELECTOR):
        page_type = str(element.attr(TYPE_ATTRIBUTE) or page_type)
        marks = _marks(element)
        if marks:
            marked.append((element, CONTENT if CONTENT in marks else "other"))
        for name in (MARK_ATTRIBUTE, TYPE_ATTRIBUTE):
            if name in element.attrs:
                del element.attrs[name]
        _set_classes(element, [word for word in _classes(element) if not _is_mark(word)])
    return marked, page_type


def _marks(element: Element) -> set[str]:
    classes = _classes(element)
    ours = (word.removeprefix(MARK_CLASS) for word in classes if word.startswith(MARK_CLASS))
    theirs = (TECO_MARKS[word] for word in classes if word in TECO_MARKS)
    return {*str(element.attr(MARK_ATTRIBUTE) or "").split(), *ours, *theirs}


def _classes(element: Element) -> list[str]:
    return str(element.attr("class") or "").split()


def _is_mark(word: str) -> bool:
    return word.startswith((MARK_CLASS, TECO_PREFIX))


def _set_classes(element: Element, classes: Iterable[str]) -> None:
    value = " ".join(classes)
    if value:
        element.attrs["class"] = value
    elif "class" in element.attrs:
        del element.attrs["class"]


def marked_text(page: Page) -> Mask:
    """Mark the text rows whose nearest mark is content."""
    marks = page.attribute(MARK_ATTRIBUTE)
    return text_rows(page, nearest_label(page, {row: marks[row] == CONTENT for row in marks}))


def text_rows(page: Page, chosen: Mask) -> Mask:
    """Mark the rows of text blocks among the chosen rows."""
    marked = np.zeros(len(page), np.bool_)
    rows = text_blocks(page).rows
    marked[rows] = chosen[rows]
    return marked
