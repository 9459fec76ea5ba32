"""The DOM of a page: HTML, text and links of rows, and rows by XPath or CSS selector.

The nodes are turbohtml's. They are parsed from the page's source on first use and cached for as
long as the page lives.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import turbohtml
from turbohtml import CData, Document, DocumentFragment, Element, Node, Text

from pagelet import core
from pagelet.errors import NoSuchNode, OptionError
from pagelet.page.addresses import strip_credentials
from pagelet.page.html import parse_dom
from pagelet.page.table import SHADOW_ATTRIBUTE, Page
from pagelet.page.tags import NUMBER, TEXT

MAX_DEPTH = 500  #: levels of a tree that is built from columns, as in the parser


class Link(NamedTuple):
    """A hyperlink: its text and its address, absolute when the page's URL is known."""

    text: str
    href: str


@dataclass(frozen=True, slots=True)
class Dom:
    """The parser's nodes of a page, one per row, and the row of each."""

    document: Node
    nodes: list[Node]
    row: dict[Node, int]


_DOMS: WeakKeyDictionary[Page, Dom] = WeakKeyDictionary()


def dom(page: Page) -> Dom:
    """Nodes of all rows, links made absolute; parsed once per page. Do not change them."""
    if page not in _DOMS:
        _DOMS[page] = build_dom(page)
    return _DOMS[page]


def build_dom(page: Page) -> Dom:
    """Nodes of all rows, which the caller may change."""
    document: Node = _build_tree(page) if page.source is None else parse_dom(page.source)
    if page.url:
        base = document.base_url(page.url) if isinstance(document, Document) else page.url
        with suppress(ValueError):  # no address at all: links stay as they are written
            document.resolve_links(base)
    nodes = [node for node in document.descendants if _is_row(node)]
    return Dom(document, nodes, {node: row for row, node in enumerate(nodes)})


def _is_row(node: Node) -> bool:
    if isinstance(node, Text | CData):
        return bool(node.data) and not node.data.isspace()
    return isinstance(node, Element)


def _build_tree(page: Page) -> Node:
    """A tree built from the columns of a page without source, leaves first.

    Nodes below the maximum depth are lifted to it.
    """
    holder = page.parent.tolist()
    for row in np.flatnonzero(page.depth > MAX_DEPTH).tolist():
        above = holder[row]
        holder[row] = above if page.depth[above] < MAX_DEPTH else holder[above]
    below: list[list[Node]] = [[] for _ in range(len(page) + 1)]
    for row in range(len(page) - 1, -1, -1):
        if page.tag[row] == TEXT:
            node: Node = Text(page.text(row))
        else:
            node = Element(page.name(row), page.attributes_of(row), reversed(below[row]))
        below[row] = []
        below[holder[row]].append(node)
    document = DocumentFragment()
    for node in reversed(below[-1]):
        document.append(node)
    return document


def html_of(page: Page, row: int) -> str:
    """The HTML of a row and all below it."""
    return dom(page).nodes[row].html


def links_of(page: Page, row: int) -> list[Link]:
    """The hyperlinks at or below a row, in document order."""
    return [link_of(page, anchor) for anchor in anchors_below(page, row)]


def anchors_below(page: Page, row: int) -> list[int]:
    """The rows of the hyperlinks at or below a row."""
    anchors = list_anchors(page)
    first = bisect_left(anchors, row)
    return anchors[first : bisect_left(anchors, row + int(page.size[row]), first)]


def list_anchors(page: Page) -> list[int]:
    """The rows of the hyperlinks; a list is searched faster than an array, value by value."""
    known = page.derived["anchors"]
    if "rows" not in known:
        known["rows"] = page.anchors.tolist()
    rows: list[int] = known["rows"]
    return rows


def link_of(page: Page, anchor: int) -> Link:
    """The text and address of one hyperlink."""
    href = page.href_of(anchor)
    address = resolve_link(page, page.value_of(anchor, "href") if href is None else href)
    return Link(label_of(page, anchor), strip_credentials(address.strip()))


def link_forms(
    page: Page, anchors: list[int], resolve: Callable[[str], str]
) -> list[dict[str, str]]:
    """Hyperlinks in JSON form; each address is made absolute once, however often it is written."""
    if not anchors:
        return []
    written = list(map(page.hrefs.__getitem__, anchors))
    address = {href: resolve(href) for href in dict.fromkeys(written)}
    labels = zip(label_each(page, anchors), written, strict=True)
    return [{"text": text, "href": address[href]} for text, href in labels]


_BASES: WeakKeyDictionary[Page, str] = WeakKeyDictionary()


def resolve_link(page: Page, href: str) -> str:
    """An address as the parser makes it absolute; as written where the page has no URL."""
    if (base := link_base(page)) is None:
        return href
    anchor = Element("a", {"href": href})
    try:
        Element("p", {}, [anchor]).resolve_links(base)
    except ValueError:  # no address at all
        return href
    return str(anchor.attr("href") or "")


def link_base(page: Page) -> str | None:
    """The address that links are relative to; None where the page has no URL."""
    if not page.url:
        return None
    if page not in _BASES:
        _BASES[page] = _read_base(page, page.url)
    return _BASES[page]


def _read_base(page: Page, url: str) -> str:
    """The address that links are relative to, as the parser finds it."""
    if page.source is None:
        return url
    rows = np.flatnonzero(page.tag == NUMBER["base"]).tolist()
    if rows:
        return parse_dom(page.source).base_url(url)
    return parse_dom("").base_url(url)


def label_of(page: Page, row: int) -> str:
    """The label of a link or button: its text, else the alternative text of its picture."""
    text = readable_text(page, row)
    if text:
        return text
    for inner in page.subtree(row):
        attributes = page.attributes_of(inner)
        for name in ("alt", "aria-label", "title"):
            if (label := attributes.get(name, "").strip()) != "":
                return " ".join(label.split())
    return ""


def label_each(page: Page, rows: list[int]) -> list[str]:
    """The labels of links; the compiled core reads the texts of those that show one."""
    texts = [""] * len(rows)
    if core.compiled:
        with suppress(UnicodeEncodeError):  # lone surrogates are left to Python
            columns = (page.tag, page.size, page.counted, page.ordinal)
            texts = core.kernels.inner_texts(page.texts, *columns, rows)
    return [text or label_of(page, row) for text, row in zip(texts, rows, strict=True)]


def readable_text(page: Page, row: int) -> str:
    """The text of a row, white space folded; in noscript too, when the row itself lies there."""
    if page.counted[row]:
        return page.inner_text(row)
    texts, at, end = [], row, int(page.end[row])
    while at < end:
        if page.tag[at] == NUMBER["template"] and SHADOW_ATTRIBUTE not in page.attributes_of(at):
            at = int(page.end[at])
            continue
        if page.chars[at]:
            texts.append(" ".join(page.text(at).split()))
        at += 1
    return " ".join(texts)


def select(page: Page, expression: str) -> list[int]:
    """Rows that an XPath (it begins with / or ( or .//) or a CSS selector matches.

    A path of `page.path` matches its row, also that of a text, or inside a template.
    """
    if expression.startswith("/"):
        with suppress(NoSuchNode):
            row = page.row(expression)
            if page.path(row) == expression:
                return [row]
    is_xpath = expression.lstrip().startswith(("/", "(", ".//"))
    from pagelet.page.selector_cost import check_selector  # noqa: PLC0415 - few pages have rules

    check_selector(page, expression, is_xpath=is_xpath)
    tree = dom(page)
    try:
        if is_xpath:
            matches = tree.document.xpath(expression)
            nodes: Iterable[object] = matches if isinstance(matches, list) else ()
        else:
            nodes = tree.document.select(expression)
    except (turbohtml.SelectorSyntaxError, ValueError, SyntaxError, re.error) as error:
        raise OptionError(
            "selector", expression, f"not a valid XPath or CSS selector: {error}"
        ) from error
    return [tree.row[node] for node in nodes if isinstance(node, Node) and node in tree.row]


def page_of_rows(page: Page, rows: Sequence[int]) -> str:
    """The page as a document of these rows, the rows above them, and the head."""
    own = build_dom(page)
    kept = np.zeros(len(page), np.bool_)
    for row in rows:
        kept[row : page.end[row]] = True
        above = int(page.parent[row])
        while above >= 0 and not kept[above]:
            kept[above] = True
            above = int(page.parent[above])
    kept |= page.inside(page.is_tag(NUMBER["head"]))
    kept[: min(1, len(page))] = True
    tops = np.flatnonzero(~kept & (page.parent >= 0))
    for row in tops[kept[page.parent[tops]]].tolist():
        own.nodes[row].extract()
    return own.document.serialize()
