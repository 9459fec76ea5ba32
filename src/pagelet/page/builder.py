"""Collects the nodes of a document and builds the columns of a Page from them.

The method names are those of turbohtml's tree builder (and of parse5's adapter), so that
the parser fills a PageBuilder directly; a test or another reader of trees calls the same
methods by hand. Nodes must arrive in document order, each one linked by `append` before
the next is created.
"""

from collections.abc import Iterator
from itertools import chain, compress, count
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from pagelet import core
from pagelet.arrays import Int32s, Mask
from pagelet.errors import PageTooLarge
from pagelet.page.expansion import MAX_NODES
from pagelet.page.table import Page, Pairs, freeze
from pagelet.page.tags import FIRST_CUSTOM_TAG, NAMES, NUMBER, RAW
from pagelet.page.tree import subtree_sizes
from pagelet.page.words import WORD_TABLE, measure_texts

if TYPE_CHECKING:
    from typing_extensions import Buffer

HTML = "http://www.w3.org/1999/xhtml"

#: Handles: 0 is the document, k the k-th element, None a text, SKIPPED a node that is no row.
DOCUMENT, SKIPPED = 0, -1

UNCHECKED_ELEMENTS = 1_000  #: elements that arrive between two looks at the limit


class TagNumbers(dict[str, int]):
    """Tag numbers by name: a new name gets the next number."""

    def __missing__(self, name: str) -> int:
        self[name] = number = len(self)
        return number


class PageBuilder:
    """Collects nodes in document order and turns them into a Page."""

    def __init__(self, max_nodes: int = MAX_NODES, name: str = "the page") -> None:
        """Collect so many elements and attributes at most; the name is for errors."""
        self.max_nodes, self.name = max_nodes, name
        self._nodes = self._checked = 0  # elements and attributes counted, and elements of these
        self._number = TagNumbers(NUMBER)
        self._tags: list[int] = []
        self._attrs: list[Pairs] = []
        self._texts: list[str] = []
        self._foreign: list[int] = []
        self._links: list[int] = []  # handle of each node's parent, negative for a text
        self._bind()

    def _bind(self) -> None:
        """Make the methods that the parser calls for every node; closures are a tenth faster."""
        number, foreign, attributes = self._number, self._foreign, self._attrs
        add_tag, add_attrs, add_link = self._tags.append, attributes.append, self._links.append
        next_handle = chain.from_iterable(self._handles()).__next__  # as fast as to count

        def create_element(name: str, namespace: str = HTML, attrs: Pairs = ()) -> int:
            add_tag(number[name])
            add_attrs(attrs)
            handle = next_handle()
            if namespace != HTML:
                foreign.append(handle - 1)
            return handle

        def append(parent: int, child: int | None) -> None:
            if child is None:
                add_link(-parent)
            elif child != SKIPPED:
                add_link(parent)

        #: Add an element and return its handle.
        self.create_element = create_element
        #: Add a text; a blank one is kept for paths, but becomes no row.
        self.create_text = self._texts.append
        #: Link the node created last under its parent.
        self.append = append

    def _handles(self) -> Iterator[range]:
        """Handles of elements, a range at a time; PageTooLarge beyond the limit."""
        for first in count(1, UNCHECKED_ELEMENTS):
            yield range(first, first + UNCHECKED_ELEMENTS)
            self._check_nodes()

    def _check_nodes(self) -> None:
        """Refuse the page if it has too many elements and attributes by now."""
        self._nodes += sum(map(len, self._attrs[self._checked :]), len(self._attrs) - self._checked)
        self._checked = len(self._attrs)
        if self._nodes > self.max_nodes:
            raise PageTooLarge(self.name, self.max_nodes, "nodes")

    def create_document(self) -> int:
        """Return the handle of the document, which is no row."""
        return DOCUMENT

    def create_comment(self, data: str) -> int:  # noqa: ARG002 - the parser's protocol
        """Skip a comment."""
        return SKIPPED

    def create_doctype(self, name: str, public_id: str | None, system_id: str | None) -> int:  # noqa: ARG002
        """Skip the doctype."""
        return SKIPPED

    def create_pi(self, target: str, data: str) -> int:  # noqa: ARG002
        """Skip a processing instruction."""
        return SKIPPED

    def page(
        self, url: str | None = None, source: str | None = None, charset: str | None = None
    ) -> Page:
        """Build the columns from the collected nodes."""
        self._check_nodes()
        links = np.fromiter(self._links, np.int32, len(self._links))
        tags = np.fromiter(self._tags, np.int32, len(self._tags))
        is_text, holder = links < 0, np.abs(links) - 1
        chars, words, blank = _measure_texts(tags[holder[is_text]], self._texts)
        kept = np.ones(len(links), np.bool_)
        kept[is_text] = ~blank
        place = np.cumsum(kept, dtype=np.int32) - np.int32(1)  # row of each node that is kept
        elements, texts = place[~is_text], place[is_text][~blank]
        above = np.where(holder < 0, holder, elements[holder])
        size = subtree_sizes(above[kept])
        row_tag = _spread(tags, elements, len(size))
        return freeze(
            Page(
                tag=row_tag,
                size=size,
                parent=above[kept],
                chars=_spread(chars[~blank], texts, len(size)),
                words=_spread(words[~blank], texts, len(size)),
                texts=tuple(compress(self._texts, (~blank).tolist())),
                attrs=tuple(self._attrs),
                names=(*NAMES, *tuple(self._number)[FIRST_CUSTOM_TAG:]),
                foreign=elements[self._foreign],
                blank_row=place[~kept] + np.int32(1),
                blank_parent=above[~kept],
                body=_body(row_tag, above[kept]),
                url=url,
                source=source,
                charset=charset,
            )
        )


class CompiledBuilder:
    """A PageBuilder whose nodes the compiled core collects, already as columns."""

    def __init__(self, max_nodes: int = MAX_NODES, name: str = "the page") -> None:
        """Collect so many elements and attributes at most; the name is for errors."""

        def refuse() -> None:
            raise PageTooLarge(name, max_nodes, "nodes")

        self._nodes = nodes = core.kernels.NodeCollector(
            NUMBER, RAW, HTML, WORD_TABLE, max_nodes, refuse
        )
        self.create_element, self.create_text, self.append = nodes.bind()
        self.create_document, self.create_doctype = nodes.create_document, nodes.create_doctype
        self.create_pi, self.create_comment = nodes.create_pi, nodes.create_comment

    def page(
        self, url: str | None = None, source: str | None = None, charset: str | None = None
    ) -> Page:
        """The page; its arrays are the memory that the nodes were collected in."""
        nodes = self._nodes
        texts, attrs = tuple(nodes.texts), tuple(nodes.attrs)
        return Page(
            **column_fields(nodes), texts=texts, attrs=attrs, url=url, source=source,
            charset=charset,
        )  # fmt: skip


def column_fields(nodes: "core.kernels.NodeCollector | core.kernels.TreeColumns") -> dict[str, Any]:
    """The fields of a page that the compiled core has filled: its arrays are memory of the core."""
    body = nodes.finish(NUMBER["body"], NUMBER["frameset"])
    custom = tuple(nodes.custom)
    return {
        "tag": _column(nodes.tag),
        "size": _column(nodes.size),
        "parent": _column(nodes.parent),
        "chars": _column(nodes.chars),
        "words": _column(nodes.words),
        "names": (*NAMES, *custom) if custom else NAMES,
        "foreign": _column(nodes.foreign),
        "blank_row": _column(nodes.blank_row),
        "blank_parent": _column(nodes.blank_parent),
        "body": body,
    }


def make_builder(max_nodes: int, name: str) -> PageBuilder | CompiledBuilder:
    """The builder of the active core."""
    return (CompiledBuilder if core.compiled else PageBuilder)(max_nodes, name)


def _column(numbers: "Buffer") -> Int32s:
    """Collected numbers as an array, not copied."""
    return np.frombuffer(cast("Any", numbers), np.int32)


def _spread(values: NDArray[Any], rows: Int32s, length: int) -> NDArray[Any]:
    """A column with the values at these rows and 0 elsewhere."""
    column = np.zeros(length, values.dtype)
    column[rows] = values
    return column


def _measure_texts(holder: Int32s, texts: list[str]) -> tuple[Int32s, Int32s, Mask]:
    """Characters and words of texts, and which are blank, given the tags that hold them."""
    raw = (holder == RAW[0]) | (holder == RAW[1])
    chars, words = np.zeros((2, len(texts)), np.int32)
    chars[~raw], words[~raw] = measure_texts(list(compress(texts, (~raw).tolist())))
    blank = chars == 0
    blank[raw] = [not text or text.isspace() for text in compress(texts, raw.tolist())]
    return chars, words, blank


def _body(tag: Int32s, parent: Int32s) -> int:
    """Row of the body or frameset below the root."""
    bodies = (tag == NUMBER["body"]) | (tag == NUMBER["frameset"])
    rows = np.flatnonzero(bodies & (parent <= 0))
    return int(rows[0]) if len(rows) else -1
