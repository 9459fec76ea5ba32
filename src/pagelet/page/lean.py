"""Pages that are parsed to be read once, as for their text: few attributes are kept.

A LeanPage answers everything that a Page does. What was not kept is read from its source again when
somebody asks for it, which what reads the main content hardly ever does.

Its columns are read from the tree as the parser writes it, and its source is not decoded: see
`scanning.pxi` and `references.pxi` of the compiled core, which do the work. A page that cannot be
read so becomes a Page as any other.
"""

import sys
from functools import cache, cached_property
from html.entities import html5
from typing import TYPE_CHECKING, Any

import turbohtml

from pagelet import core
from pagelet.errors import PageTooLarge
from pagelet.page.binary import check_bytes
from pagelet.page.builder import column_fields
from pagelet.page.expansion import MAX_NODES, check_expansion, scan_bytes
from pagelet.page.html import parse, pause_collector
from pagelet.page.table import Page, Pairs
from pagelet.page.tags import NAMES, RAW
from pagelet.page.words import WORD_TABLE

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
#: Kinds of elements, in the order of their bits in the compiled core.
KINDS = (
    "area base basefont bgsound br col embed frame hr img input link meta param source track wbr",
    "script style xmp iframe noembed noframes",
    "table",
    "svg math",
    "plaintext frameset",
    "input",
    "pre textarea listing",
    "table tbody thead tfoot tr select",
)


class LeanPage(Page):
    """A page of which only some attributes were kept."""

    if not TYPE_CHECKING:

        @cached_property
        def attrs(self) -> tuple[Pairs, ...]:
            """The attributes, one entry per element row; read from the source again."""
            return parse(self.source, max_nodes=sys.maxsize).attrs  # it was let through

        @cached_property
        def source(self) -> str:
            """The HTML that was parsed."""
            return self.utf8.decode()

    def __getstate__(self) -> dict[str, Any]:
        raise TypeError("a LeanPage stays in its process; parse the page")


def parse_lean(
    html: str | bytes,
    url: str | None = None,
    *,
    charset: str | None = None,
    max_nodes: int = MAX_NODES,
) -> Page:
    """Parse a page to be read once; without the compiled core it is a page as any other."""
    page = _scan_page(html, url, max_nodes) if core.compiled else None
    return parse(html, url, charset=charset, max_nodes=max_nodes) if page is None else page


def _scan_page(html: str | bytes, url: str | None, max_nodes: int) -> Page | None:
    """The page; None where it must be decoded, or its tree cannot be told from its text."""
    name = url or "the page"
    if isinstance(html, bytes):
        check_bytes(html, name)
    utf8 = _read_utf8(html)
    if utf8 is None:
        return None
    mask = core.kernels.SourceMask(utf8, _tags(), ROLES)
    masked = mask.mask()
    if masked is None:
        return None
    tags = scan_bytes(utf8)
    check_expansion(tags, max_nodes, name)
    if tags.declares_roots:
        return None
    with pause_collector():
        scanner = _scan_tree(mask, masked, max_nodes, name)
        if scanner is None:
            return None
        page = LeanPage.__new__(LeanPage)
        page.__dict__.update(
            column_fields(scanner), texts=scanner.texts, wanted=scanner.wanted, utf8=utf8,
            blank_texts=scanner.blanks, url=url,
            charset="utf-8" if isinstance(html, bytes) else None,
        )  # fmt: skip
        page.__post_init__()
        return page


def _read_utf8(html: str | bytes) -> bytes | None:
    """The bytes of a page; None where they must be looked at more closely."""
    if isinstance(html, bytes):
        return html.removeprefix(BYTE_ORDER_MARK)
    try:
        return None if html.startswith("\ufeff") else html.encode()
    except UnicodeEncodeError:  # a lone surrogate
        return None


def _scan_tree(
    mask: "core.kernels.SourceMask", masked: str, max_nodes: int, name: str
) -> "core.kernels.TreeScanner | None":
    """The nodes of a page; None where its tree cannot be told from its text."""

    def refuse() -> None:
        raise PageTooLarge(name, max_nodes, "nodes")

    document = turbohtml.parse(masked, positions=False, allow_declarative_shadow_roots=False)
    tree = document.serialize().encode("latin-1")
    scanner = core.kernels.TreeScanner(
        tree, _tags(), _references(), RAW, WORD_TABLE, (max_nodes, refuse), mask
    )
    return scanner if scanner.scan() else None


@cache
def _tags() -> "core.kernels.TagTable":
    """Numbers and kinds of tags for the compiled core."""
    return core.kernels.TagTable(NAMES, _tag_bits(KINDS))


def _tag_bits(kinds: tuple[str, ...]) -> bytes:
    """For each tag a byte with a bit for each of the kinds that name it."""
    named = [set(names.split()) for names in kinds]
    return bytes(sum((name in names) << bit for bit, names in enumerate(named)) for name in NAMES)


#: What tags mean where texts are cut out, in the order of the bits in the compiled core.
ROLES = _tag_bits(
    (
        "script style title textarea xmp iframe noembed noframes",
        "script style",
        "plaintext frameset template math",
        "svg",
        "select",
        "title",
        "a svg title script style",
    )
)


@cache
def _references() -> "core.kernels.References":
    """What reads character references for the compiled core."""
    names = {name: meaning for name, meaning in html5.items() if name.endswith(";")}
    return core.kernels.References(names, _read_text, _read_value)


def _read_text(written: str) -> str:
    """What a text with character references means."""
    escaped = written.replace("<", "&lt;")
    element = turbohtml.parse(f"<p>{escaped}", positions=False).select_one("p")
    return element.text if element is not None else written


def _read_value(written: str) -> str:
    """What the value of an attribute means, in which some references are none."""
    quoted = written.replace('"', "&quot;")
    element = turbohtml.parse(f'<p title="{quoted}">', positions=False).select_one("p")
    return str(element.attr("title")) if element is not None else written
