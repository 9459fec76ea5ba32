"""Kept text rows as clean HTML: few elements, few attributes, blocks around inline elements.

The elements that hold kept texts are visited in document order and written out at once. Lines
follow from the gaps between the texts, so `p` and `div` are never visited: a line that no
other block holds becomes a `p`. An inline element that reaches over several lines is written
once in each of them.
"""

import re
from dataclasses import dataclass, field
from html import escape

import numpy as np

from pagelet.arrays import Bytes, Ints, Mask
from pagelet.page.table import Page
from pagelet.page.tags import HEADINGS, NAMES, NUMBER, TEXT, numbers
from pagelet.page.words import fold_each
from pagelet.write.inline import SCRIPTS, find_scripts
from pagelet.write.markdown import PLACEHOLDER, PLACEHOLDERS, without_placeholders
from pagelet.write.markup import HOLDS, NO_MARKS, HtmlWriter
from pagelet.write.media import between_kept, kept_nearby, link_address, pictures
from pagelet.write.tables import Grid, grid, layout_tables
from pagelet.write.text import CELLS, LINE, PREFORMATTED, gaps, preformatted, preformatted_gaps

# -- the language of code ---------------------------------------------------------------------

#: Classes by which pages name the language: language-x, lang-x, highlight-x, brush: x.
LANGUAGE_CLASS = re.compile(
    r"(?:^|\s)(?:lang(?:uage)?-|highlight-(?:source-)?|brush:\s*)([\w+#-]{1,30})"
)
LANGUAGE_ATTRIBUTES = ("data-lang", "data-language")
WORD = re.compile(r"[\w+#-]{1,30}\Z")
NO_LANGUAGE = ("none", "default", "text", "plain", "plaintext", "auto")
LANGUAGE_ANCESTORS = 3  #: elements above a `pre` that may name its language


def language(page: Page, row: int) -> str:
    """The language of the code in a `pre`, as itself, its `code` or the elements above name it."""
    places, above = [row], row
    if page.size[row] > 1 and page.tag[row + 1] == NUMBER["code"]:
        places.append(row + 1)
    for _ in range(LANGUAGE_ANCESTORS):
        above = int(page.parent[above])
        if above < 0:
            break
        places.append(above)
    for place in places:
        if name := _language_name(page, place):
            return "" if name in NO_LANGUAGE else name
    return ""


def _language_name(page: Page, row: int) -> str:
    for name in LANGUAGE_ATTRIBUTES:
        if WORD.match(value := page.value_of(row, name).strip()):
            return value.lower()
    match = LANGUAGE_CLASS.search(page.value_of(row, "class")[:1000])
    return match[1].lower() if match else ""


# -- formulas ---------------------------------------------------------------------------------

#: Elements of a plain formula; a formula with any other becomes text.
PLAIN_MATH = frozenset(
    "math semantics annotation mi mn mo ms mtext mspace mrow mfrac msqrt mroot mstyle merror"
    " mpadded mphantom msub msup msubsup munder mover munderover mmultiscripts mprescripts"
    " none mtable mtr mtd menclose".split()
)
MAX_FORMULA_ROWS = 500  #: rows of the largest formula that is written as MathML


def formulas(page: Page, kept: Mask) -> dict[int, str]:
    """Formulas whose texts are all kept, as HTML without attributes, by row."""
    roots = page.foreign[page.tag[page.foreign] == NUMBER["math"]]
    roots = roots[page.size[roots] <= MAX_FORMULA_ROWS]
    texts = page.tag == TEXT
    written: dict[int, str] = {}
    past = 0  # first row after the last formula
    for row in roots.tolist():
        inner = slice(row, int(page.end[row]))
        whole = bool((kept[inner] == texts[inner]).all()) and bool(kept[inner].any())
        if row >= past and whole and _is_plain(page, row):
            past = inner.stop
            written[row] = _write_formula(page, row)
    return written


def _is_plain(page: Page, row: int) -> bool:
    tags = np.unique(page.tag[row : page.end[row]]).tolist()
    return all(tag == TEXT or page.names[tag] in PLAIN_MATH for tag in tags)


def _write_formula(page: Page, row: int) -> str:
    out: list[str] = []
    open_elements: list[tuple[int, str]] = []
    for inner in page.subtree(row):
        while open_elements and open_elements[-1][0] <= inner:
            out.append(f"</{open_elements.pop()[1]}>")
        if page.tag[inner] == TEXT:
            out.append(escape(" ".join(page.text(inner).split()), quote=False))
        else:
            out.append(f"<{page.name(inner)}>")
            open_elements.append((int(page.end[inner]), page.name(inner)))
    return "".join([*out, *(f"</{name}>" for _, name in reversed(open_elements))])


# -- elements, blocks and lines ---------------------------------------------------------------

#: Elements that are written under another name.
RENAMED = {
    **dict.fromkeys(("dir", "menu"), "ul"),
    **dict.fromkeys((NAMES[tag] for tag in PREFORMATTED), "pre"),
    "tt": "code",
    "strike": "s",
}
INLINE = numbers(
    "a abbr b cite code del em i ins kbd mark q rb rp rt rtc ruby s samp strike strong sub sup"
    " time tt var"
)
INLINE_TAGS = frozenset(INLINE)
WRITTEN_NAMES = tuple(RENAMED.get(name, name) for name in NAMES)  #: by tag
BLOCKS = numbers(" ".join({*HOLDS, *RENAMED} - {"", "tt", "strike"}))
BULLETED = numbers("ul ol menu dir")
BOLD = ("b", "strong")
SPANNING = ("td", "th")
ATTRIBUTES = {
    **dict.fromkeys(SPANNING, ("colspan", "rowspan")),
    "abbr": ("title",),
    "time": ("datetime",),
}
#: Elements of which a heading may not hold two, and those it may not hold at all.
PARAGRAPHS, STRUCTURE = numbers("p"), numbers("ul ol dl table pre blockquote figure")


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """Which elements are written."""

    links: bool = True
    images: bool = True
    flat: bool = False  #: for Markdown: layout tables unwrapped, other tables without spans


#: The gap before an item, the number of `br` in it, and the white space, where it is kept.
Step = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class HtmlPlan:
    """The rows to write, in document order."""

    items: Ints  #: rows of kept texts, pictures and formulas
    visited: Ints  #: rows of items and of the elements to write
    ready: dict[int, str]  #: pictures and formulas as HTML, by row
    steps: list[Step]  #: one for each item
    cells: Grid


def html_of_rows(page: Page, kept: Mask, style: Style) -> str:
    """The kept text rows as clean HTML."""
    plan = plan_html(page, kept & (page.tag == TEXT), style)
    if not len(plan.items):
        return ""
    return _write_plan(page, plan, style)


def plan_html(page: Page, kept: Mask, style: Style) -> HtmlPlan:
    """Choose the rows to write."""
    raw, rules = preformatted(page), np.flatnonzero(page.tag == NUMBER["hr"])
    ready = pictures(page, kept_nearby(page, kept)) if style.images else {}
    items = kept.copy()
    for row, html in ({} if style.flat else formulas(page, kept)).items():
        ready[row] = html
        items[row : page.end[row]] = False
    items[[row for row in ready if raw is None or not raw[row]]] = True
    holds = page.sum_subtree(items) > 0
    shown = _elements(page, holds, raw)
    cells = Grid()
    if style.flat:
        shown &= ~layout_tables(page, kept, holds)
        tables = np.flatnonzero(shown & (page.tag == NUMBER["table"]))
        cells = grid(page, tables, holds) if len(tables) else cells
        shown &= ~page.is_tag(*SCRIPTS)
        shown[[row for row, _, _ in find_scripts(page, kept)]] = True
    shown[rules[between_kept(page, kept, rules)]] = True
    rows, visited = np.flatnonzero(items), np.flatnonzero(items | shown)
    if style.flat:
        visited = _without_hollow(page, visited)
    return HtmlPlan(rows, visited, ready, _steps(page, rows, raw), cells)


def _without_hollow(page: Page, visited: Ints) -> Ints:
    """Leave out list items that begin with a list, and that list: the bullet would be empty."""
    listed = page.is_tag(*BULLETED)
    if not listed.any():
        return visited
    inner = np.append(listed, False)[page.parent] & (page.tag == NUMBER["li"])
    hollow = np.zeros(len(visited), np.bool_)
    hollow[:-1] = inner[visited[:-1]] & listed[visited[1:]]
    hollow[1:] |= hollow[:-1].copy()
    return visited[~hollow]


def _elements(page: Page, holds: Mask, raw: Mask | None) -> Mask:
    """Mark the elements to write: supported ones with an item, and the cells of table rows."""
    above = np.append(holds & (page.tag == NUMBER["tr"]), False)[page.parent]
    shown = (holds & page.is_tag(*BLOCKS, *INLINE)) | (above & page.is_tag(*CELLS))
    shown[page.foreign] = False
    structure = 2 * page.is_tag(*STRUCTURE, *HEADINGS) + page.is_tag(*PARAGRAPHS)
    below = page.sum_subtree(structure * holds) - structure
    shown &= ~page.is_tag(*HEADINGS) | (below < 2)
    return shown if raw is None else shown & ~np.append(raw, False)[page.parent]


def _steps(page: Page, rows: Ints, raw: Mask | None) -> list[Step]:
    """The gap before each item."""
    gap = gaps(page, rows)
    breaks = np.diff(np.searchsorted(np.flatnonzero(page.tag == NUMBER["br"]), rows))
    blank = preformatted_blanks(page, rows, gap, raw)
    blanks = [blank.get(at, "\n") for at in range(len(gap))] if blank else ["\n"] * len(gap)
    return [(0, 0, ""), *zip(gap.tolist(), breaks.tolist(), blanks, strict=True)]


def preformatted_blanks(page: Page, rows: Ints, gap: Bytes, raw: Mask | None) -> dict[int, str]:
    """The white space between preformatted texts, by the place of the gap."""
    if raw is None or len(rows) < 2:
        return {}
    return preformatted_gaps(page, rows, gap, raw[rows[1:]] & raw[rows[:-1]] & (gap < LINE))


def _write_plan(page: Page, plan: HtmlPlan, style: Style) -> str:
    """Visit the rows and write each."""
    writer = HtmlWriter(PLACEHOLDERS if style.flat else NO_MARKS)
    texts = _texts(page, plan.items)
    if style.flat and PLACEHOLDER.search("".join(texts)):
        texts = list(map(without_placeholders, texts))
    next_step = iter(plan.steps).__next__
    next_text = zip(texts, escape_each(fold_each(texts)), strict=True).__next__
    elements = Elements(page, plan.cells, style, page.base_url)
    tags, ends = page.tag[plan.visited].tolist(), page.end[plan.visited].tolist()
    item = np.isin(plan.visited, plan.items, assume_unique=True).tolist()
    for row, tag, end, is_item in zip(plan.visited.tolist(), tags, ends, item, strict=True):
        if row >= writer.nearest_end:
            writer.leave(row)
        if is_item:
            _write_item(writer, next_step(), NO_TEXT if tag else next_text(), plan.ready.get(row))
        elif tag == NUMBER["hr"]:
            writer.rule()
        else:
            elements.write(writer, row, tag, end)
    return writer.finish()


def escape_each(texts: list[str]) -> list[str]:
    """The texts as HTML; they are joined, since few have anything to escape."""
    joined = "\0".join(texts)
    if "&" not in joined and "<" not in joined and ">" not in joined:
        return texts
    if joined.count("\0") >= len(texts):  # a text holds the separator
        return [escape(text, quote=False) for text in texts]
    return escape(joined, quote=False).split("\0")


def _texts(page: Page, items: Ints) -> list[str]:
    """The texts among the items, in order."""
    places = page.ordinal[items[page.tag[items] == TEXT]].tolist()
    return list(map(page.texts.__getitem__, places))


NO_TEXT = ("", "")


def _write_item(writer: HtmlWriter, step: Step, text: tuple[str, str], html: str | None) -> None:
    """Write a text, given as it is and as HTML, a picture or a formula."""
    gap, breaks, blank = step
    if writer.preformatted(blank, text[0]):
        return
    writer.gap(gap, breaks)
    if html is None:
        writer.text(*text)
    else:
        writer.element(html)


@dataclass(frozen=True, slots=True)
class Elements:
    """Writes elements with the attributes that are kept."""

    page: Page
    cells: Grid
    style: Style
    base: str | None
    links: dict[str, str | None] = field(default_factory=dict)  #: what was made of each href

    def write(self, writer: HtmlWriter, row: int, tag: int, end: int) -> None:
        """Write the start of an element."""
        name = WRITTEN_NAMES[tag]
        if tag in INLINE_TAGS:
            if self.style.flat and name in BOLD and writer.in_heading:
                return  # a heading is bold by itself
            attributes = self.attributes(row, name)
            if attributes is not None:
                writer.inline(end, name, attributes)
            return
        writer.empty_cells(self.cells.before.get(row, 0))
        writer.block(end, name, self.attributes(row, name) or "", self.cells.after.get(row, 0))

    def attributes(self, row: int, name: str) -> str | None:
        """The attributes as HTML; None when the element is useless without one it lacks."""
        if name == "a":
            return self.link(row)
        if name == "pre":
            name = language(self.page, row)
            return f' class="language-{name}"' if name else ""
        if name not in ATTRIBUTES or (self.style.flat and name in SPANNING):
            return ""
        own = {one: self.page.attribute(one) for one in ATTRIBUTES[name]}
        kept = ((one, values[row].strip()) for one, values in own.items() if row in values)
        return "".join(
            f' {one}="{escape(value)}"'
            for one, value in kept
            if value.isdecimal() or name not in SPANNING
        )

    def link(self, row: int) -> str | None:
        """The address of a link as an attribute; None when it leads nowhere."""
        href = self.page.href_of(row) if self.style.links else None
        if href is None:
            return None
        if href not in self.links:
            address = link_address(href, self.base)
            self.links[href] = None if address is None else f' href="{escape(address)}"'
        return self.links[href]
