"""Parses HTML, as bytes or str, into a Page."""

import gc
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

import turbohtml
from turbohtml import CData, Document, DocumentFragment, Element, Namespace, Node, Text
from turbohtml.treebuild import TreeBuilder, parse_into

from pagelet.errors import PageTooLarge
from pagelet.page.builder import HTML, PageBuilder
from pagelet.page.expansion import MAX_NODES, check_expansion, find_notable
from pagelet.page.table import Page

BOMS = {b"\xef\xbb\xbf": "utf-8", b"\xfe\xff": "utf-16-be", b"\xff\xfe": "utf-16-le"}

NAMESPACES = {Namespace.HTML: HTML, Namespace.SVG: "svg", Namespace.MATHML: "math"}
#: Spellings of the attribute that declares a shadow root; no others occur in practice.
SHADOW_SPELLINGS = ("shadowrootmode", "shadowRootMode", "SHADOWROOTMODE")
SURROGATE = re.compile(r"[\ud800-\udfff]")


def parse(
    html: str | bytes,
    url: str | None = None,
    *,
    charset: str | None = None,
    max_nodes: int = MAX_NODES,
) -> Page:
    """Parse a page as a browser would, scripting off.

    Bytes are decoded by their byte-order mark, else as UTF-8 when they are valid UTF-8, else
    by `charset` (of the HTTP header), the page's own `meta`, or detection, in that order.
    A page of more than `max_nodes` elements and attributes is refused with PageTooLarge.
    """
    name = url or "the page"
    if isinstance(html, str):
        source = replace_surrogates(html)
    else:
        source = decode(html, charset, max_nodes=max_nodes, name=name)
    notable = find_notable(source)
    check_expansion(source, notable, max_nodes, name)
    builder = PageBuilder(max_nodes, name)
    with pause_collector():
        if notable["<template"] and any(word in source for word in SHADOW_SPELLINGS):
            _fill_with_shadows(source, builder)
        else:
            parse_into(source, cast("TreeBuilder[Any]", builder))
        return builder.page(url=url, source=source)


def parse_dom(source: str) -> Document:
    """The parser's own tree, with declared shadow roots: they are visible content."""
    return turbohtml.parse(source, positions=False, allow_declarative_shadow_roots=False)


def markup_text(markup: str) -> str:
    """The text of some HTML; empty if the parser would make too many nodes of it."""
    try:
        check_expansion(markup, find_notable(markup), MAX_NODES, "the markup")
    except PageTooLarge:
        return ""
    return turbohtml.parse(markup).to_text()


def _fill_with_shadows(source: str, builder: PageBuilder) -> None:
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


def replace_surrogates(html: str) -> str:
    """Replace lone surrogates by U+FFFD: no encoding can carry them."""
    try:
        html.encode()
    except UnicodeEncodeError:
        return SURROGATE.sub("\ufffd", html)
    return html


def decode(
    data: bytes,
    charset: str | None = None,
    *,
    max_nodes: int = MAX_NODES,
    name: str = "the page",
) -> str:
    """Decode bytes; a sequence that cannot be decoded becomes U+FFFD, nothing is dropped.

    PageTooLarge if a parser has to look for the encoding, and the page has too many nodes for it.
    """
    for mark, codec in BOMS.items():
        if data.startswith(mark):
            return data[len(mark) :].decode(codec, "replace")
    if b"\x1b" not in data and b"\0" not in data:  # those may be ISO-2022-JP or UTF-16
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            pass
    from turbohtml.detect import detect  # noqa: PLC0415 - loads the codecs, which UTF-8 does not need

    return _decode_as(data, charset) or _decode_detected(data, detect, (max_nodes, name))


def _decode_as(data: bytes, charset: str | None) -> str | None:
    if not charset:
        return None
    try:
        return data.decode(f"whatwg-{charset.strip().lower()}")
    except (LookupError, ValueError):  # an unknown charset counts as none
        return None


def _decode_detected(data: bytes, detect: Callable[[bytes], Any], limit: tuple[int, str]) -> str:
    match = detect(data)
    label = match.encoding
    if match.confidence < 1:  # a meta beyond the first kilobyte is seen only by a full parse
        for guess in ("windows-1252", label or "utf-8"):  # the tags are the same in most
            source = data.decode(f"whatwg-{guess.lower()}")
            check_expansion(source, find_notable(source), *limit)
        label = turbohtml.parse(data, detect_encoding=True, positions=False).encoding
    return data.decode(f"whatwg-{(label or 'utf-8').lower()}")
