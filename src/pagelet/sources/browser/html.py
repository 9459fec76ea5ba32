"""From a snapshot of Chromium's DOMSnapshot domain to rows of a Page, by way of HTML.

Where the parsed source has exactly the nodes of the browser, that is the page. Else the tree of
the browser is written as HTML and parsed. A second HTML, in which every node has a number, shows
which node became which row, whatever the parser makes of odd trees.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from typing import Any

import numpy as np

from pagelet.arrays import Floats, Int64s, Ints, Mask
from pagelet.page.html import parse
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER, TEXT
from pagelet.page.words import measure_texts

Area = tuple[float, float, float, float]  #: left, top, width, height

ROOT_OBJECTS = 50  #: first layout objects, among which are those of the root and the body
ELEMENT, CHARACTERS, COMMENT, DOCTYPE = 1, 3, 8, 10  #: types of nodes


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The tree as drawn, with shadow trees and slotted content in place."""

    strings: list[str]
    document: dict[str, Any]
    styles: tuple[str, ...]  #: names of the computed styles
    scripts: bool = False  #: whether scripts ran; then the content of noscript is one text

    @property
    def nodes(self) -> dict[str, Any]:
        """The columns of the nodes."""
        return self.document["nodes"]  # type: ignore[no-any-return]

    @property
    def layout(self) -> dict[str, Any]:
        """The columns of the layout objects."""
        return self.document["layout"]  # type: ignore[no-any-return]

    def text(self, number: int) -> str:
        """A string by number; empty for -1."""
        return self.strings[number] if number >= 0 else ""

    @cached_property
    def parent(self) -> Int64s:
        """The parent of each node, in document order."""
        return np.array(self.nodes["parentIndex"], np.int64)

    @cached_property
    def kind(self) -> Int64s:
        """The type of each node."""
        return np.array(self.nodes["nodeType"], np.int64)

    @cached_property
    def names(self) -> list[str]:
        """The name of each node; those of HTML in capitals."""
        return [self.strings[number] for number in self.nodes["nodeName"]]

    @cached_property
    def values(self) -> list[str]:
        """The text of each node; empty for elements."""
        return [self.text(number) for number in self.nodes["nodeValue"]]

    @cached_property
    def generated(self) -> Mask:
        """Mark pseudo-elements such as ::before, and their contents."""
        made = np.zeros(len(self.kind), np.bool_)
        made[self.nodes["pseudoType"]["index"]] = True
        if made.any():
            for node, parent in enumerate(self.nodes["parentIndex"]):
                made[node] |= parent >= 0 and made[parent]
        return made

    @cached_property
    def blank(self) -> Mask:
        """Mark texts of white space only."""
        is_text = self.kind == CHARACTERS
        texts = np.flatnonzero(is_text)
        blank = np.zeros(len(self.kind), np.bool_)
        blank[texts] = measure_texts([self.values[node] for node in texts.tolist()])[0] == 0
        return blank

    @cached_property
    def is_row(self) -> Mask:
        """Mark the nodes that become rows of a page: elements, and texts that are not blank."""
        kinds = (self.kind == ELEMENT) | (self.kind == CHARACTERS) & ~self.blank
        return np.asarray(kinds & ~self.generated)

    @cached_property
    def layout_node(self) -> Int64s:
        """The node of each layout object."""
        return np.array(self.layout["nodeIndex"], np.int64)

    @cached_property
    def bounds(self) -> Floats:
        """Left, top, width, height of each layout object."""
        return np.array(self.layout["bounds"], np.float64).reshape(-1, 4)

    @cached_property
    def _style_numbers(self) -> Int64s:
        none = [-1] * len(self.styles)
        return np.array([row or none for row in self.layout["styles"]]).reshape(-1, len(none))

    def style(self, name: str) -> tuple[list[str], Int64s]:
        """The different values of a style, and which of them each layout object has."""
        used, which = np.unique(
            self._style_numbers[:, self.styles.index(name)], return_inverse=True
        )
        return [self.text(number) for number in used.tolist()], which

    def has_style(self, name: str, *values: str) -> Mask:
        """Mark the layout objects that have one of the values of a style."""
        texts, which = self.style(name)
        return np.array([value in values for value in texts], np.bool_)[which]

    def pixels(self, name: str) -> Floats:
        """A style that is a number, with or without unit; 0 where it is none."""
        texts, which = self.style(name)
        return np.array([_number(value) for value in texts], np.float64)[which]


def area_of(snapshot: Snapshot, metrics: dict[str, Any]) -> Area:
    """The area that can be scrolled to, in the coordinates of the snapshot.

    A page that is read from right to left may begin left of the origin; one that hides overflow
    at the side ends with the window.
    """
    size, window = metrics["cssContentSize"], metrics["cssLayoutViewport"]
    left = snapshot.document["scrollOffsetX"] - window["pageX"]
    top = snapshot.document["scrollOffsetY"] - window["pageY"]
    if _hides_overflow(snapshot):
        return 0.0, float(top), float(window["clientWidth"]), float(size["height"])
    return float(left), float(top), float(size["width"]), float(size["height"])


def _hides_overflow(snapshot: Snapshot) -> bool:
    """Whether the root, or else the body, cuts off what is wider than the window."""
    cut = snapshot.has_style("overflow-x", "hidden", "clip")
    is_set = snapshot.has_style("overflow-x", "hidden", "clip", "scroll", "auto")
    for name in ("HTML", "BODY"):
        for at, node in enumerate(snapshot.layout["nodeIndex"][:ROOT_OBJECTS]):
            if snapshot.names[node] == name and is_set[at]:
                return bool(cut[at])
    return False


def edges_of(bounds: Floats, area: Area) -> Floats:
    """Left, top, right, bottom from left, top, width, height, counted from the area's corner."""
    corner = bounds[:, :2] - np.array(area[:2])
    return np.concatenate([corner, corner + bounds[:, 2:]], axis=1)


def _number(text: str) -> float:
    try:
        return float(text.removesuffix("px"))
    except ValueError:
        return 0.0


VOID_TAGS = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source"
    " track wbr".split()
)
RAW_TEXT_TAGS = frozenset("script style xmp iframe noembed noframes plaintext".split())
LINE_BREAK_TAGS = frozenset("pre textarea listing".split())  #: tags that drop a first line break
NODE_ATTRIBUTE = "data-pagelet-node"
NUMBER_START, NUMBER_END = "\ue000", "\ue001"  #: signs around the number of a text
NUMBERED = re.compile(f"{NUMBER_START}([0-9]+){NUMBER_END}")
TAG_NAME = re.compile(r"[A-Za-z][^\s/>\0<]*\Z")
ATTRIBUTE_NAME = re.compile(r"[^\s\"'<>/=\0]+\Z")
ESCAPES = {"\0": None, "\r": "&#13;", "&": "&amp;", "<": "&lt;", ">": "&gt;"}
TEXT_ESCAPES, VALUE_ESCAPES = str.maketrans(ESCAPES), str.maketrans({**ESCAPES, '"': "&quot;"})


def map_rows(snapshot: Snapshot, source: Page) -> tuple[Page, Int64s]:
    """The page that was drawn, and the row of each node of the snapshot; -1 for those with none."""
    same = match_nodes(snapshot, source)
    if same is not None:
        return source, same
    page = parse(write_html(snapshot), source.url)
    same = match_nodes(snapshot, page)
    if same is not None:
        return page, same
    numbered = parse(write_html(snapshot, numbered=True))
    return page, _map_by_number(page, numbered, len(snapshot.kind))


# -- the same nodes in the same order -----------------------------------------------------------


def match_nodes(snapshot: Snapshot, page: Page) -> Int64s | None:
    """The row of each node, if the page has exactly the nodes of the snapshot; else None."""
    nodes, rows = np.flatnonzero(snapshot.is_row), np.flatnonzero(~_inside_template(page))
    if len(nodes) != len(rows):
        return None
    row_of = np.full(len(snapshot.kind) + 1, -1, np.int64)  # one more for the parent of the first
    row_of[nodes] = rows
    same = np.array_equal(row_of[snapshot.parent[nodes]], page.parent[rows])
    return row_of[:-1] if same and _words(snapshot, nodes) == _page_words(page, rows) else None


def _inside_template(page: Page) -> Mask:
    """Mark the contents of templates, which the browser keeps apart."""
    template = np.append(page.tag == NUMBER["template"], False)  # the last is for parent -1
    return page.inside(template[page.parent])


def _words(snapshot: Snapshot, nodes: Int64s) -> list[str]:
    """The text of each text, the name of each element."""
    names, values, kind = snapshot.names, snapshot.values, snapshot.kind
    is_text = (kind == CHARACTERS).tolist()
    return [values[node] if is_text[node] else names[node].lower() for node in nodes.tolist()]


def _page_words(page: Page, rows: Ints) -> list[str]:
    texts = iter(page.texts)
    words = [next(texts) if tag == TEXT else page.names[tag].lower() for tag in page.tag.tolist()]
    wanted = np.zeros(len(page), np.bool_)
    wanted[rows] = True
    return list(compress(words, wanted.tolist()))


# -- writing HTML ----------------------------------------------------------------------------


def write_html(snapshot: Snapshot, *, numbered: bool = False) -> str:
    """The tree as HTML; if `numbered`, with numbers in place of texts and on elements."""
    return "".join(_write_nodes(snapshot, numbered=numbered))


def _write_nodes(snapshot: Snapshot, *, numbered: bool) -> Iterator[str]:
    writer = _HtmlWriter(snapshot, numbered=numbered)
    kinds, skipped = snapshot.kind.tolist(), snapshot.generated.tolist()
    for node, parent in enumerate(snapshot.nodes["parentIndex"]):
        if skipped[node]:
            continue
        yield from writer.end_up_to(parent)
        if kinds[node] == ELEMENT:
            yield from writer.start(node)
        elif kinds[node] == CHARACTERS:
            yield writer.characters(node)
        elif kinds[node] == COMMENT:
            yield f"<!--{snapshot.values[node].replace('>', '&gt;')}-->"
        elif kinds[node] == DOCTYPE:
            yield writer.doctype(node)
    yield from writer.end_up_to(-1)


class _HtmlWriter:
    """Writes one node after the other, and tracks the open elements."""

    def __init__(self, snapshot: Snapshot, *, numbered: bool) -> None:
        self._snapshot, self._numbered = snapshot, numbered
        self._open: list[tuple[int, str]] = []  # nodes and the names they were written with
        self._fresh = False  # whether nothing was written since the last start tag

    def end_up_to(self, parent: int) -> Iterator[str]:
        """End all elements inside the parent."""
        while self._open and self._open[-1][0] != parent:
            _, name = self._open.pop()
            self._fresh = False
            if name:
                yield f"</{name}>"

    def start(self, node: int) -> Iterator[str]:
        """Begin an element."""
        original = self._snapshot.names[node]
        name = original.lower() if original == original.upper() else original
        written = name if TAG_NAME.match(name) else ""
        if written:
            yield f"<{written}{self._attributes(node)}>"
        self._fresh = name in LINE_BREAK_TAGS
        self._open.append((node, "" if name in VOID_TAGS else written))

    def _attributes(self, node: int) -> str:
        strings, pairs = self._snapshot.strings, self._snapshot.nodes["attributes"][node]
        written = [f' {NODE_ATTRIBUTE}="{node}"'] if self._numbered else []
        for name, value in zip(pairs[::2], pairs[1::2], strict=True):
            if ATTRIBUTE_NAME.match(strings[name]) and strings[name] != NODE_ATTRIBUTE:
                escaped = self._snapshot.text(value).translate(VALUE_ESCAPES)
                written.append(f' {strings[name]}="{escaped}"')
        return "".join(written)

    def characters(self, node: int) -> str:
        """A text, escaped as its element requires."""
        holder, text = self._open[-1][1] if self._open else "", self._snapshot.values[node]
        fresh, self._fresh = self._fresh, False
        if holder == "noscript" and self._snapshot.scripts:
            return text  # tags and all
        if self._numbered and not self._snapshot.blank[node]:
            return f"{NUMBER_START}{node}{NUMBER_END}"
        if holder in RAW_TEXT_TAGS and not self._foreign():
            return re.sub(f"</(?={holder})", r"<\\/", text, flags=re.IGNORECASE)
        return ("\n" if fresh and text.startswith("\n") else "") + text.translate(TEXT_ESCAPES)

    def _foreign(self) -> bool:
        """Whether the element that is open is SVG or MathML."""
        name = self._snapshot.names[self._open[-1][0]]
        return name != name.upper()

    def doctype(self, node: int) -> str:
        """The doctype, which decides between standards and quirks mode."""
        document, text = self._snapshot.document, self._snapshot.text
        public, system = text(document["publicId"]), text(document["systemId"])
        words = [f"<!DOCTYPE {self._snapshot.names[node]}"]
        if public:
            words.append(f'PUBLIC "{public}"')
        elif system:
            words.append("SYSTEM")
        words.extend([f'"{system}"'] if system else [])
        return " ".join(words) + ">"


def _map_by_number(page: Page, twin: Page, nodes: int) -> Int64s:
    """The row of each node, by the numbers in a second parse of the same tree."""
    row_of = np.full(nodes, -1, np.int64)
    for row, number in reversed(
        twin.attribute(NODE_ATTRIBUTE).items()
    ):  # the first of several wins
        row_of[int(number)] = row
    for row, text in zip(np.flatnonzero(twin.tag == TEXT).tolist(), twin.texts, strict=True):
        for number in NUMBERED.findall(text):
            row_of[int(number)] = row
    return np.where(row_of < _same_rows(page, twin), row_of, -1)


def _same_rows(page: Page, twin: Page) -> int:
    """How many rows from the first on are the same in two pages."""
    rows = min(len(page), len(twin))
    differ = (page.tag[:rows] != twin.tag[:rows]) | (page.parent[:rows] != twin.parent[:rows])
    return int(np.argmax(differ)) if differ.any() else rows
