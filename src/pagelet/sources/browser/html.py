"""From the nodes of a snapshot to rows of a Page, by way of HTML.

Where the parse of the source has the very nodes that the browser has, that is the page. Else the
tree of the browser is written as HTML and parsed; a second writing, in which every node bears a
number, tells which node became which row, whatever the parser makes of odd trees.
"""

import re
from collections.abc import Iterator
from itertools import compress

import numpy as np

from pagelet.arrays import Int64s, Ints, Mask
from pagelet.page.html import parse
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER, TEXT
from pagelet.sources.browser.snapshot import CHARACTERS, COMMENT, DOCTYPE, ELEMENT, Snapshot

VOID = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source"
    " track wbr".split()
)
RAW = frozenset("script style xmp iframe noembed noframes plaintext".split())
BREAK = frozenset("pre textarea listing".split())  #: a first line break in them is not counted
MARK = "data-pagelet-node"
FIRST, LAST = "\ue000", "\ue001"  #: around the number of a text
NUMBERED = re.compile(f"{FIRST}([0-9]+){LAST}")
NAME = re.compile(r"[A-Za-z][^\s/>\0<]*\Z")
ATTRIBUTE = re.compile(r"[^\s\"'<>/=\0]+\Z")
UNSAFE = {"\0": None, "\r": "&#13;", "&": "&amp;", "<": "&lt;", ">": "&gt;"}
IN_TEXT, IN_VALUE = str.maketrans(UNSAFE), str.maketrans({**UNSAFE, '"': "&quot;"})


def rows_of(snapshot: Snapshot, source: Page) -> tuple[Page, Int64s]:
    """The page that was drawn, and the row of each node of the snapshot; -1 for those with none."""
    same = match(snapshot, source)
    if same is not None:
        return source, same
    page = parse(write(snapshot), source.url)
    same = match(snapshot, page)
    if same is not None:
        return page, same
    return page, _numbered(page, parse(write(snapshot, numbered=True)), len(snapshot.kind))


# -- the same nodes in the same order -----------------------------------------------------------


def match(snapshot: Snapshot, page: Page) -> Int64s | None:
    """The row of each node, if the page has just the nodes of the snapshot."""
    nodes, rows = np.flatnonzero(snapshot.listed), np.flatnonzero(~_inert(page))
    if len(nodes) != len(rows):
        return None
    found = np.full(len(snapshot.kind) + 1, -1, np.int64)  # one more for the parent of the first
    found[nodes] = rows
    same = np.array_equal(found[snapshot.parent[nodes]], page.parent[rows])
    return found[:-1] if same and _words(snapshot, nodes) == _page_words(page, rows) else None


def _inert(page: Page) -> Mask:
    """Mark what is in a template; the browser keeps that apart."""
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


# -- written as HTML ----------------------------------------------------------------------------


def write(snapshot: Snapshot, *, numbered: bool = False) -> str:
    """The tree as HTML; with numbers in place of texts and on elements, if wanted."""
    return "".join(_written(snapshot, numbered=numbered))


def _written(snapshot: Snapshot, *, numbered: bool) -> Iterator[str]:
    writer = _Writer(snapshot, numbered=numbered)
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


class _Writer:
    """Writes one node after the other, and knows which elements are open."""

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
        called = self._snapshot.names[node]
        name = called.lower() if called == called.upper() else called
        written = name if NAME.match(name) else ""
        if written:
            yield f"<{written}{self._attributes(node)}>"
        self._fresh = name in BREAK
        self._open.append((node, "" if name in VOID else written))

    def _attributes(self, node: int) -> str:
        strings, pairs = self._snapshot.strings, self._snapshot.nodes["attributes"][node]
        written = [f' {MARK}="{node}"'] if self._numbered else []
        for name, value in zip(pairs[::2], pairs[1::2], strict=True):
            if ATTRIBUTE.match(strings[name]) and strings[name] != MARK:
                said = self._snapshot.text(value).translate(IN_VALUE)
                written.append(f' {strings[name]}="{said}"')
        return "".join(written)

    def characters(self, node: int) -> str:
        """A text, escaped as its place asks."""
        holder, text = self._open[-1][1] if self._open else "", self._snapshot.values[node]
        fresh, self._fresh = self._fresh, False
        if holder == "noscript" and self._snapshot.scripts:
            return text  # tags and all
        if self._numbered and not self._snapshot.blank[node]:
            return f"{FIRST}{node}{LAST}"
        if holder in RAW and not self._foreign():
            return re.sub(f"</(?={holder})", r"<\\/", text, flags=re.IGNORECASE)
        return ("\n" if fresh and text.startswith("\n") else "") + text.translate(IN_TEXT)

    def _foreign(self) -> bool:
        """Whether the element that is open is SVG or MathML."""
        called = self._snapshot.names[self._open[-1][0]]
        return called != called.upper()

    def doctype(self, node: int) -> str:
        """The doctype, which says how old the rules are that the page is drawn by."""
        document, text = self._snapshot.document, self._snapshot.text
        public, system = text(document["publicId"]), text(document["systemId"])
        words = [f"<!DOCTYPE {self._snapshot.names[node]}"]
        if public:
            words.append(f'PUBLIC "{public}"')
        elif system:
            words.append("SYSTEM")
        words.extend([f'"{system}"'] if system else [])
        return " ".join(words) + ">"


def _numbered(page: Page, twin: Page, nodes: int) -> Int64s:
    """The row of each node, by the numbers in a second parse of the same tree."""
    found = np.full(nodes, -1, np.int64)
    for row, number in reversed(twin.attribute(MARK).items()):  # the first of several wins
        found[int(number)] = row
    for row, text in zip(np.flatnonzero(twin.tag == TEXT).tolist(), twin.texts, strict=True):
        for number in NUMBERED.findall(text):
            found[int(number)] = row
    return np.where(found < _agreeing(page, twin), found, -1)


def _agreeing(page: Page, twin: Page) -> int:
    """How many rows from the first on are the same in two pages."""
    rows = min(len(page), len(twin))
    differ = (page.tag[:rows] != twin.tag[:rows]) | (page.parent[:rows] != twin.parent[:rows])
    return int(np.argmax(differ)) if differ.any() else rows
