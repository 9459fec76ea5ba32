"""The drawing: the page as inert HTML that keeps its look and carries the numbers of pagelets."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from turbohtml import Comment, Element

from pagelet.arrays import Ints
from pagelet.page.dom import Dom, build_dom
from pagelet.page.table import Page
from pagelet.page.tags import TEXT
from pagelet.pagelets import Pagelets
from pagelet.report.assets import Assets
from pagelet.write.inert import WAS_MARK, Cleaning

MARK = "data-pagelet"  #: numbers of the pagelets that begin at an element
ROW_MARK = "data-row"  #: row of an element, in drawings with rows
TEXT_MARK = "data-pagelet-text"  #: number:n for pagelets that begin at its n-th text, not blank
OWN_MARKS = (MARK, TEXT_MARK, WAS_MARK)

#: Elements whose name or id can shadow a property of the document or of a form.
SHADOWING_TAGS = {"form", "img", "input", "button", "select", "textarea", "output", "fieldset"}
#: Properties that the script of the frame reads.
READ_PROPERTIES = {
    *("childNodes", "dataset", "host", "parentNode", "shadowRoot"),
    *("checkVisibility", "getBoundingClientRect", "querySelectorAll", "scrollIntoView"),
}


def draw(
    page: Page, results: Sequence[Pagelets], assets: Assets, head: str, *, rows: bool = False
) -> str:
    """Write the HTML of the frame: `head`, then the page made inert and marked.

    With `rows`, every element carries its row.
    """
    own = build_dom(page)
    for node in own.document.descendants:
        if isinstance(node, Comment):
            node.data = ""  # kept, since it separates the texts around it
    cleaning = Cleaning(assets)
    for node in own.nodes:
        if isinstance(node, Element):
            _remove_names(node)
            cleaning.clean(node)
    _mark_pagelets(page, own, results)
    if rows:
        _mark_rows(own)
    return head + own.document.serialize()


def _remove_names(element: Element) -> None:
    """Remove attributes that the script of the frame would take for its own."""
    shadowing = element.tag.lower() in SHADOWING_TAGS
    for name in list(element.attrs):
        lower = name.lower()
        hides = lower == "name" or (lower == "id" and element.attr(name) in READ_PROPERTIES)
        if lower in OWN_MARKS or (shadowing and hides):
            del element.attrs[name]


def _mark_pagelets(page: Page, own: Dom, results: Sequence[Pagelets]) -> None:
    """Write the number of each pagelet on its top nodes."""
    marks: defaultdict[tuple[int, str], list[str]] = defaultdict(list)
    place = count_texts_before(page)
    pagelets = (pagelet for result in results for pagelet in result)
    for number, pagelet in enumerate(pagelets):
        for row in pagelet.rows:
            if page.tag[row] != TEXT:
                marks[row, MARK].append(str(number))
            elif (parent := int(page.parent[row])) >= 0:
                marks[parent, TEXT_MARK].append(f"{number}:{place[row]}")
    for (row, name), numbers in marks.items():
        node = own.nodes[row]
        assert isinstance(node, Element)
        node.attrs[name] = " ".join(numbers)


def _mark_rows(own: Dom) -> None:
    """Write the row of every element on it."""
    for row, node in enumerate(own.nodes):
        if isinstance(node, Element):
            node.attrs[ROW_MARK] = str(row)


def count_texts_before(page: Page) -> Ints:
    """For each text, the number of texts, not blank, before it in its parent; 0 for elements."""
    texts = np.flatnonzero(page.tag == TEXT)
    texts = texts[np.argsort(page.parent[texts], kind="stable")]
    parent = page.parent[texts]
    first = np.searchsorted(parent, parent)
    before = np.zeros(len(page), np.intp)
    before[texts] = np.arange(len(texts)) - first
    return before
