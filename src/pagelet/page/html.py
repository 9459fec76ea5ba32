"""Parses HTML, as bytes or str, into a Page."""

import gc
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, cast

import turbohtml
from turbohtml import CData, Document, DocumentFragment, Element, Namespace, Node, Text
from turbohtml.treebuild import TreeBuilder, parse_into

from pagelet import core
from pagelet.errors import PageTooLarge
from pagelet.page.binary import check_bytes
from pagelet.page.builder import HTML, CompiledBuilder, PageBuilder, make_builder
from pagelet.page.decoding import decode_page
from pagelet.page.expansion import (
    MAX_NODES,
    SHADOW_SPELLINGS,
    SourceTags,
    check_expansion,
    scan_tags,
)
from pagelet.page.lean import read_lean
from pagelet.page.table import Page, Pairs

NAMESPACES = {Namespace.HTML: HTML, Namespace.SVG: "svg", Namespace.MATHML: "math"}
SURROGATE = re.compile(r"[\ud800-\udfff]")


def parse(
    html: str | bytes,
    url: str | None = None,
    *,
    charset: str | None = None,
    max_nodes: int = MAX_NODES,
) -> Page:
    """Parse a page as a browser would, scripting off.

    Bytes are decoded by their byte-order mark, else as UTF-8 when they are valid UTF-8 but for
    some stray bytes, else by `charset` (of the HTTP header), the page's own `meta`, or detection,
    in that order; a label that is plainly wrong is overruled. NotHtml for a PDF, a picture, an
    archive and other bytes that are no text.
    A page of more than `max_nodes` elements and attributes is refused with PageTooLarge.
    """
    page = read_lean(html, url, max_nodes) if core.compiled else None
    return parse_whole(html, url, charset=charset, max_nodes=max_nodes) if page is None else page


def parse_whole(
    html: str | bytes,
    url: str | None = None,
    *,
    charset: str | None = None,
    max_nodes: int = MAX_NODES,
) -> Page:
    """Parse a page by the parser, which defines its tree; all texts and attributes are made."""
    name = url or "the page"
    read = read_source(html, charset, max_nodes, name)
    builder = make_builder(max_nodes, name)
    with pause_collector():
        fill_builder(read, builder)
        return builder.page(url=url, source=read.tags.source, charset=read.charset)


class ReadSource(NamedTuple):
    """The HTML of a page as text, safe to be parsed."""

    tags: SourceTags  #: the text, and the tags in it that matter before it is parsed
    charset: str | None  #: encoding of the bytes


def read_source(html: str | bytes, charset: str | None, max_nodes: int, name: str) -> ReadSource:
    """Decode a page, and refuse what is no HTML or may become too large."""
    if isinstance(html, str):
        source, data = replace_surrogates(html)
        used = None
    else:
        check_bytes(html, name)
        source, used = decode_page(html, charset, max_nodes=max_nodes, name=name)
        data = html
    tags = scan_tags(source, data if used in (None, "utf-8") else None)
    check_expansion(tags, max_nodes, name)
    return ReadSource(tags, used)


def fill_builder(read: ReadSource, builder: PageBuilder | CompiledBuilder) -> None:
    """Parse a page into a builder, declared shadow roots too."""
    if read.tags.declares_roots:
        _fill_with_roots(read.tags.source, builder)
    else:
        parse_into(read.tags.source, cast("TreeBuilder[Any]", builder))


def parse_dom(source: str) -> Document:
    """The parser's own tree, with declared shadow roots: they are visible content."""
    return turbohtml.parse(source, positions=False, allow_declarative_shadow_roots=False)


def markup_text(markup: str) -> str:
    """The text of some HTML; empty if the parser would make too many nodes of it."""
    try:
        check_expansion(scan_tags(markup), MAX_NODES, "the markup")
    except PageTooLarge:
        return ""
    return turbohtml.parse(markup).to_text()


MARK = "\ue000"  #: character that hides a name from the parser


def _fill_with_roots(source: str, builder: PageBuilder | CompiledBuilder) -> None:
    """Fill the builder; parse_into would omit declared shadow roots, so their name is hidden."""
    if MARK in source:
        _fill_with_shadows(source, builder)
        return
    for name in SHADOW_SPELLINGS:
        source = source.replace(name, f"{name[:6]}{MARK}{name[6:]}")
    parse_into(source, cast("TreeBuilder[Any]", RootBuilder(builder)))


class RootBuilder:
    """Gives a builder the nodes of a source in which the name of shadow roots was hidden."""

    def __init__(self, builder: PageBuilder | CompiledBuilder) -> None:
        self._create_element, self._create_text = builder.create_element, builder.create_text
        self.append, self.create_document = builder.append, builder.create_document
        self.create_comment, self.create_pi = builder.create_comment, builder.create_pi
        self.create_doctype = builder.create_doctype

    def create_element(self, name: str, namespace: str, attrs: Pairs) -> int:
        """Add an element with the attributes as they were."""
        for own, value in attrs:
            if MARK in own or (value is not None and MARK in value):
                attrs = tuple((_restore(own), value and _restore(value)) for own, value in attrs)
                break
        return self._create_element(_restore(name), namespace, attrs)

    def create_text(self, data: str) -> Any:
        """Add a text as it was."""
        return self._create_text(_restore(data))


def _restore(text: str) -> str:
    """A text of a source in which names were hidden, as it was."""
    return text.replace(MARK, "")


def _fill_with_shadows(source: str, builder: PageBuilder | CompiledBuilder) -> None:
    """Fill the builder node by node; parse_into would omit declared shadow roots."""
    document = parse_dom(source)
    handles: dict[Node, int] = {document: builder.create_document()}
    for node in document.descendants:
        assert node.parent is not None
        above = handles[node.parent]
        if isinstance(node, DocumentFragment):  # holds the nodes of a template
            handles[node] = above
        elif isinstance(node, Element):
            pairs = tuple((name, node.attr(name)) for name in node.attrs)
            handles[node] = builder.create_element(node.tag, NAMESPACES[node.namespace], pairs)
            builder.append(above, handles[node])
        elif isinstance(node, Text | CData):
            builder.append(above, builder.create_text(node.data))


@contextmanager
def pause_collector() -> Iterator[None]:
    """Pause garbage collection: parsing makes thousands of tuples, and none forms a cycle."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def replace_surrogates(html: str) -> tuple[str, bytes]:
    """The text with U+FFFD for lone surrogates, which no encoding can carry; and its bytes."""
    try:
        return html, html.encode()
    except UnicodeEncodeError:
        clean = SURROGATE.sub("\ufffd", html)
        return clean, clean.encode()


def decode(data: bytes, charset: str | None = None) -> str:
    """The text of a page's bytes."""
    return decode_page(data, charset).text
