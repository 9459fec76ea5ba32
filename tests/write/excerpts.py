"""What the tests of excerpts share: choices of rows, trees of marked words."""

import re

import numpy as np
from hypothesis import strategies as st

from pagelet import Page, parse
from pagelet.arrays import Mask
from pagelet.page.tags import TEXT
from tests.build import Tree

URL = "https://example.org/dir/page.html"
WORD = re.compile(r"q\d+z")  #: a marked word: no other text of a test looks like one

NAMES = (
    *("div", "p", "p", "ul", "ol", "li", "span", "b", "i", "em", "strong", "section", "h2", "h3"),
    *("table", "tbody", "tr", "td", "th", "caption", "pre", "code", "blockquote", "figure"),
    *("figcaption", "dl", "dt", "dd", "details", "summary", "sup", "ruby", "rt", "textarea"),
    *("button", "select", "option", "x-y", "o:p", "noscript", "script", "svg", "math", "form"),
)
EDGES = ("", "", " ", "\n ")
BLANKS = (" ", "\n", "\t ")


def body_texts(page: Page) -> Mask:
    """All texts of body that count."""
    return page.counted & (page.tag == TEXT)


def read(source: str, drop: str = "") -> tuple[Page, Mask]:
    """A page and its texts without those that are to be dropped."""
    page = parse(source, url=URL)
    kept = body_texts(page).copy()
    for row in np.flatnonzero(kept).tolist():
        kept[row] = page.text(row).strip() not in drop.split()
    return page, kept


def chosen(page: Page, bits: int) -> Mask:
    """Rows by the bits of a number."""
    return np.array([bits >> (row % 61) & 1 == 1 for row in range(len(page))], np.bool_)


def words(page: Page, kept: Mask) -> list[str]:
    """The marked words of the kept texts."""
    rows = np.flatnonzero(kept & (page.tag == TEXT)).tolist()
    return [word for row in rows for word in WORD.findall(page.text(row))]


def _element(children: st.SearchStrategy) -> st.SearchStrategy:
    below = st.lists(children, max_size=4)
    plain = st.builds(lambda name, kids: (name, *kids), st.sampled_from(NAMES), below)
    href = st.sampled_from(({"href": "/a"}, {"href": "javascript:x"}, {}))
    link = st.builds(lambda attrs, kids: ("a", attrs, *kids), href, below)
    cell = st.builds(
        lambda name, attrs, kids: (name, attrs, *kids),
        st.sampled_from(("td", "th")),
        st.sampled_from(({}, {"colspan": "2"}, {"rowspan": "2"}, {"colspan": "x"})),
        below,
    )
    row = st.builds(lambda cells: ("tr", *cells), st.lists(cell, max_size=3))
    table = st.builds(lambda rows: ("table", ("tbody", *rows)), st.lists(row, max_size=3))
    items = st.lists(st.builds(lambda kids: ("li", *kids), below), max_size=3)
    bullets = st.builds(lambda kids: ("ul", *kids), items)
    return plain | plain | link | table | bullets


_words = st.tuples(st.sampled_from(EDGES), st.sampled_from(EDGES))
leaves = (
    _words
    | _words
    | st.sampled_from(BLANKS)
    | st.sampled_from((("br",), ("img", {"src": "/a.png"}), ("hr",)))
)
shapes = st.lists(st.recursive(leaves, _element, max_leaves=30), min_size=1, max_size=6)


def marked(shape: list) -> Tree:
    """A page in which every text is a word of its own."""
    count = 0

    def write(node: object) -> Tree:
        nonlocal count
        if isinstance(node, tuple) and node and node[0] in EDGES and len(node) == 2:
            count += 1
            return f"{node[0]}q{count}z{node[1]}"
        if isinstance(node, tuple):
            return tuple(part if isinstance(part, dict) else write(part) for part in node)
        return node

    return ("html", ("body", *[write(node) for node in shape]))


trees = shapes.map(marked)
#: Bits well mixed, since small numbers are drawn most and would choose few rows.
choices = st.integers(1).map(lambda drawn: drawn * 0x15A3F0C96B5D2E87 % 2**61) | st.just(-1)
