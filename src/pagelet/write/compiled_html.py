"""Markdown, and the clean HTML behind it, by the compiled core; `html_of_rows` is the twin."""

from contextlib import suppress
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from pagelet import core
from pagelet.arrays import Int32s, Ints, Mask
from pagelet.page.addresses import origin_of
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
    Style,
    html_of_rows,
    preformatted_blanks,
)
from pagelet.write.inline import SCRIPTS, find_scripts
from pagelet.write.markdown import (
    PLACEHOLDERS,
    render_blocks,
    render_markdown,
    write_emphasis,
)
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
from pagelet.write.media import between_kept
from pagelet.write.tables import WEIGHTS, Grid, lays_out, read_spans
from pagelet.write.text import BREAKS, CELLS, PREFORMATTED, gaps, preformatted

NO_KIND = 255  #: of a tag that is no block, or not inline
WEIGHT_SHIFT = 12  #: place of the weights among the bits of tags


def flat_markdown(page: Page, kept: Mask, *, links: bool = True) -> str:
    """The kept text rows as Markdown, without pictures."""
    if core.compiled:
        with suppress(UnicodeEncodeError):  # lone surrogates are left to Python
            return write_emphasis(_write(page, kept, _flat(links)).markdown(render_blocks).strip())
    return render_markdown(html_of_rows(page, kept, _flat(links)))


def _flat(links: bool) -> Style:  # noqa: FBT001
    return Style(links=links, images=False, flat=True)


def _write(page: Page, kept: Mask, style: Style) -> "core.kernels.FlatWriter":
    """What the compiled core writes of the kept text rows."""
    kept = kept & (page.tag == TEXT)
    rows = np.flatnonzero(kept)
    writer = core.kernels.FlatWriter(_names(), MAX_BLOCK_DEPTH)
    if not len(rows):
        return writer
    visited, cells = _choose_rows(page, kept)
    elements = Elements(page, cells, style, page.base_url)
    hrefs = page.href_writer(origin_of(page.base_url)) if style.links else None
    gap = gaps(page, rows)
    writer.write(
        (page.tag, page.size),
        visited,
        page.texts,
        page.ordinal,
        gap,
        preformatted_blanks(page, rows, gap, preformatted(page)),
        (cells.before, cells.after, partial(_attributes_of, elements), elements.link, hrefs),
    )
    return writer


def _attributes_of(elements: Elements, row: int) -> str | None:
    return elements.attributes(row, WRITTEN_NAMES[elements.page.tag[row]])


def _choose_rows(page: Page, kept: Mask) -> tuple[Int32s, Grid]:
    """The rows to write, and the empty cells of tables."""
    forced = [row for row, _, _ in find_scripts(page, kept)]
    rules: Ints = np.flatnonzero(page.tag == NUMBER["hr"])
    if len(rules):
        forced += rules[between_kept(page, kept, rules)].tolist()
    columns = (page.tag, page.size, page.parent, page.chars)
    chosen = core.kernels.WrittenRows(columns, kept.view(np.uint8), _tag_bits())
    asked = (partial(lays_out, page), partial(read_spans, page))
    rows = np.asarray(chosen.choose(page.foreign, forced, *asked))
    return rows, Grid(chosen.before, chosen.after)


# -- what the core knows of elements ----------------------------------------------------------


@cache
def _tag_bits() -> NDArray[np.uint16]:
    """What each tag is, a bit for each kind, and its weight as a sign of layout."""
    kinds = (
        (*BLOCKS, *INLINE),
        HEADINGS,
        (*STRUCTURE, *HEADINGS),
        PARAGRAPHS,
        BULLETED,
        numbers("li"),
        PREFORMATTED,
        SCRIPTS,
        *map(numbers, ("table", "tr")),
        CELLS,
        BREAKS,
    )
    bits = np.zeros(FIRST_CUSTOM_TAG + 1, np.uint16)
    for at, tags in enumerate(kinds):
        bits[list(tags)] |= 1 << at
    for tag, weight in WEIGHTS.items():
        bits[tag] |= weight << WEIGHT_SHIFT
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


def _inline_kind(name: str, inlines: list[str]) -> tuple[bytes, int, bool, int, bytes, bytes]:
    """The fields of a kind of inline elements; those with attributes are opened by half.

    1 stands for attributes, 2 for those of links, which have a function of their own.
    """
    asks = 2 if name == "a" else int(name in ATTRIBUTES and name not in SPANNING)
    opening, closing = PLACEHOLDERS.get(name, (f"<{name}" + ">" * (not asks), f"</{name}>"))
    likenesses = [ALIKE.get(each, each) for each in inlines]
    likeness = likenesses.index(ALIKE.get(name, name))
    return name.encode(), likeness, name in BOLD, asks, opening.encode(), closing.encode()
