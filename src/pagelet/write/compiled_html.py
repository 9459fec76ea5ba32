"""Clean HTML for Markdown by the compiled core; `html_of_rows` is its twin in Python."""

from contextlib import suppress
from functools import cache, partial

import numpy as np

from pagelet import core
from pagelet.arrays import Bytes, Int32s, Ints, Mask
from pagelet.page.table import Page
from pagelet.page.tags import FIRST_CUSTOM_TAG, HEADINGS, NAMES, NUMBER, TEXT, numbers
from pagelet.write.html import (
    ATTRIBUTES,
    BLOCKS,
    BOLD,
    BULLETED,
    INLINE,
    PARAGRAPHS,
    SPANNING,
    STRUCTURE,
    WRITTEN_NAMES,
    Elements,
    HtmlPlan,
    Style,
    html_of_rows,
    plan_html,
)
from pagelet.write.inline import SCRIPTS
from pagelet.write.markdown import PLACEHOLDERS
from pagelet.write.markup import (
    ALIKE,
    HOLDS,
    IN_TABLE,
    LINES,
    MAX_BLOCK_DEPTH,
    NESTED,
    PARAGRAPH,
    PARENTS,
    WRAPPERS,
)
from pagelet.write.media import kept_nearby
from pagelet.write.tables import Grid
from pagelet.write.text import CELLS, PREFORMATTED, ROWS, gaps

#: Elements around kept texts that the core leaves to Python.
RARE = (*PREFORMATTED, *ROWS, *CELLS, *SCRIPTS)
NO_KIND = 255  #: of a tag that is no block, or not inline


def flat_html(page: Page, kept: Mask, *, links: bool = True) -> str:
    """The kept text rows as clean HTML for Markdown, without pictures."""
    style = Style(links=links, images=False, flat=True)
    if core.compiled:
        with suppress(UnicodeEncodeError):  # lone surrogates are left to Python
            html = _write(page, kept & (page.tag == TEXT), style)
            if html is not None:
                return html
    return html_of_rows(page, kept, style)


def _write(page: Page, kept: Mask, style: Style) -> str | None:
    """The HTML by the compiled core; None where a text is preformatted."""
    rows, cells = np.flatnonzero(kept), Grid()
    if not len(rows):
        return ""
    visited = _choose_rows(page, kept)
    if visited is None:
        plan: HtmlPlan = plan_html(page, kept, style)
        if page.is_tag(*PREFORMATTED)[plan.visited].any():
            return None
        visited, cells = plan.visited.astype(np.int32), plan.cells
    elements = Elements(page, cells, style, page.base_url)
    writer = core.kernels.FlatWriter(_names(), MAX_BLOCK_DEPTH)
    return writer.write(
        (page.tag, page.size),
        visited,
        page.texts,
        page.ordinal,
        gaps(page, rows),
        cells.before,
        cells.after,
        partial(_attributes_of, elements),
    )


def _attributes_of(elements: Elements, row: int) -> str | None:
    return elements.attributes(row, WRITTEN_NAMES[elements.page.tag[row]])


def _choose_rows(page: Page, kept: Mask) -> Int32s | None:
    """The rows to write; None where some are in elements that are rare."""
    rules: Ints = np.flatnonzero(page.tag == NUMBER["hr"])
    if len(rules):
        rules = rules[kept_nearby(page, kept).between[rules]]
    columns, marked = (page.tag, page.size, page.parent), kept.view(np.uint8)
    rows = core.kernels.choose_written(columns, marked, _tag_bits(), page.foreign, rules)
    return None if rows is None else np.asarray(rows)


# -- what the core knows of elements ----------------------------------------------------------


@cache
def _tag_bits() -> Bytes:
    """A bit for each of: written, headings, structure, paragraphs, lists, items, rare."""
    kinds = ((*BLOCKS, *INLINE), HEADINGS, (*STRUCTURE, *HEADINGS), PARAGRAPHS, BULLETED)
    bits = np.zeros(FIRST_CUSTOM_TAG + 1, np.uint8)
    for at, tags in enumerate((*kinds, numbers("li"), RARE)):
        bits[list(tags)] |= 1 << at
    return bits


@cache
def _names() -> "core.kernels.HtmlNames":
    blocks, inlines = [*HOLDS], [*dict.fromkeys(WRITTEN_NAMES[tag] for tag in INLINE)]
    block_of, inline_of = np.full((2, FIRST_CUSTOM_TAG + 1), NO_KIND, np.uint8)
    for tag in range(len(NAMES)):
        if tag in INLINE:
            inline_of[tag] = inlines.index(WRITTEN_NAMES[tag])
        elif tag in BLOCKS:
            block_of[tag] = blocks.index(WRITTEN_NAMES[tag])
    return core.kernels.HtmlNames(
        tuple(_block_kind(name, blocks) for name in blocks),
        tuple(_inline_kind(name, inlines) for name in inlines),
        (block_of, inline_of),
        (NUMBER["hr"], NUMBER["br"]),
    )


def _block_kind(
    name: str, blocks: list[str]
) -> tuple[bytes, int, int, bool, bool, int, bytes, bytes]:
    """The fields of a kind of blocks, in the order in which the core reads them."""
    parents = sum(1 << blocks.index(each) for each in PARENTS.get(name, ()))
    wrapper = blocks.index(WRAPPERS[name]) if name in WRAPPERS else NO_KIND
    opening, closing = (each.encode() for each in LINES.get(name, PARAGRAPH))
    allowed = (name in IN_TABLE, name in NESTED)
    return name.encode(), HOLDS[name], parents, *allowed, wrapper, opening, closing


def _inline_kind(name: str, inlines: list[str]) -> tuple[bytes, int, bool, bool, bytes, bytes]:
    """The fields of a kind of inline elements; those with attributes are opened by half."""
    asks = name == "a" or (name in ATTRIBUTES and name not in SPANNING)
    opening, closing = PLACEHOLDERS.get(name, (f"<{name}" + ">" * (not asks), f"</{name}>"))
    likenesses = [ALIKE.get(each, each) for each in inlines]
    likeness = likenesses.index(ALIKE.get(name, name))
    return name.encode(), likeness, name in BOLD, asks, opening.encode(), closing.encode()
