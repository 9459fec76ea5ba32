"""From the nodes of a snapshot to rows of a Page, by way of HTML.

Where the parsed source has exactly the nodes of the browser, that is the page. Else the tree of
the browser is written as HTML and parsed. A second HTML, in which every node has a number, shows
which node became which row, whatever the parser makes of odd trees.
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
