"""A web page as columns: one row per node, rows in document order.

The subtree of row i is the slice [i, i + size[i]). A sum over every subtree is one
prefix sum and one subtraction; no caller walks a tree.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cache, cached_property
from typing import Any, ClassVar
from urllib.parse import urljoin

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pagelet import core
from pagelet.arrays import Int32s, Int64s, Ints, Mask
from pagelet.page.addresses import strip_credentials
from pagelet.page.lazy import column, lazy_property, read_only
from pagelet.page.paths import PathIndex, index_paths
from pagelet.page.styles import style_hides
from pagelet.page.tags import NUMBER, TEXT, UNCOUNTED
from pagelet.page.tree import depths

Pairs = tuple[tuple[str, str | None], ...]  #: attributes as the parser gives them

FEW_TEXTS = 100  #: texts of a row that are folded when needed; for more, all texts are at once
SHADOW_ATTRIBUTE = "shadowrootmode"  #: marks the template of a declared shadow root, which is shown
_KEPT_NAMES: tuple[str, ...] = getattr(core.kernels, "WANTED_ATTRIBUTES", ())
#: The number of each attribute that the compiled core keeps by itself.
WANTED = {name: at for at, name in enumerate(_KEPT_NAMES)}


#: Rows, numbers and values of an attribute that a page does not have.
NO_VALUES: tuple[Ints, Ints, tuple[str, ...]] = (
    read_only(np.zeros(0, np.intp)),
    read_only(np.zeros(0, np.intp)),
    (),
)


@cache
def tag_table(tags: tuple[int, ...]) -> Mask:
    """Mark the tags among all numbers; the last one stands for all above."""
    table = np.zeros(max(tags, default=0) + 2, np.bool_)
    table[list(tags)] = True
    return read_only(table)


@dataclass(frozen=True, eq=False)
class Page:
    """One parsed page. Every array has one entry per row: an element or a text that is not blank.

    The fields are what the parser read; the cached properties are columns that follow from them
    and are computed on first use.
    """

    tag: Int32s  #: tag number; TEXT for a text row
    size: Int32s  #: rows in the subtree, the row itself counted
    parent: Int32s  #: row of the parent; -1 for the root
    chars: Int32s  #: characters of a text row, white space folded; 0 for elements, script, style
    words: Int32s  #: words of a text row; 0 where chars is 0
    texts: Sequence[str]  #: the texts as written, one per text row
    attrs: Sequence[Pairs]  #: the attributes, one entry per element row
    names: tuple[str, ...]  #: tag name by number; see tags.FIRST_CUSTOM_TAG
    foreign: Int32s  #: rows that are SVG or MathML elements
    blank_row: Int32s  #: for each blank text, the first row that follows it
    blank_parent: Int32s  #: for each blank text, the row of its parent
    body: int  #: row of body, or of frameset; -1 when there is neither
    url: str | None = None  #: where the page came from, the base of its links; no credentials
    source: str | None = None  #: the HTML that was parsed
    charset: str | None = None  #: encoding that the bytes of the page were decoded with
    #: the blank texts, where the page keeps them; others are in its source
    blank_texts: ClassVar[Sequence[str] | None] = None

    def __post_init__(self) -> None:
        if self.url:
            object.__setattr__(self, "url", strip_credentials(self.url))

    def __len__(self) -> int:
        return len(self.size)

    def __repr__(self) -> str:
        return f"Page({len(self)} rows, {int(self.chars.sum())} characters, url={self.url!r})"

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        freeze(self)

    # -- sums and masks ------------------------------------------------------------------

    def sum_subtree(self, values: ArrayLike) -> NDArray[Any]:
        """Sum values over each row's subtree, the row itself counted."""
        summed = np.asarray(values)
        prefix = np.zeros(len(self) + 1, summed.dtype if summed.dtype.kind == "f" else np.int64)
        np.cumsum(summed, out=prefix[1:])
        return prefix[self.end] - prefix[:-1]

    def sum_children(self, values: ArrayLike) -> NDArray[Any]:
        """Sum values over each row's children."""
        weights = np.asarray(values)
        summed = np.bincount(self.parent + 1, weights, minlength=len(self) + 1)[1:]
        return summed if weights.dtype.kind == "f" else summed.astype(np.int64)

    def inside(self, marked: Mask | NDArray[np.integer[Any]]) -> Mask:
        """Mark each row that is marked itself (by mask or by number) or lies below one that is."""
        by_mask = marked.dtype == np.bool_
        if core.compiled:
            rows = np.flatnonzero(marked) if by_mask else np.sort(marked).astype(np.intp)
            within = np.zeros(len(self), np.bool_)
            core.kernels.mark_inside(rows, self.size, within)
            return within
        first = np.flatnonzero(marked) if by_mask else marked
        change = np.bincount(first, minlength=len(self) + 1)
        change -= np.bincount(self.end[first], minlength=len(self) + 1)
        return np.asarray(np.cumsum(change)[:-1] > 0)

    def is_tag(self, *tags: int) -> Mask:
        """Mark the rows that have one of the tags."""
        return np.asarray(tag_table(tags).take(self.tag, mode="clip"))

    def first_tagged(self, most: int, *tags: int) -> list[int]:
        """The first rows that have one of the tags, at most so many."""
        if core.compiled:
            return core.kernels.find_tagged(self.tag, tag_table(tags), most)
        return list(np.flatnonzero(self.is_tag(*tags))[:most].tolist())

    @lazy_property
    def derived(self) -> defaultdict[Any, dict[Any, Any]]:
        """What methods computed of this page and share, by the part of the page that it is about.

        It must not refer to the page, or the page would be freed late.
        """
        return defaultdict(dict)

    @column
    def end(self) -> Ints:
        """First row after each subtree."""
        return np.arange(len(self)) + self.size

    @column
    def depth(self) -> Int32s:
        """Edges from each row up to the root."""
        return depths(self.end)

    @column
    def element(self) -> Mask:
        """Mark the rows that are elements."""
        return np.asarray(self.tag != TEXT)

    @column
    def children(self) -> Int64s:
        """Count each row's child rows."""
        return np.bincount(self.parent + 1, minlength=len(self) + 1)[1:]

    @column
    def link(self) -> Mask:
        """Mark the hyperlinks (`a` with `href`) and the rows inside them."""
        return self.inside(self.anchors)

    @column
    def anchors(self) -> Int32s:
        """Rows of the hyperlinks: `a` elements with an `href`."""
        if self._is_wanted("href"):
            return np.asarray(self.wanted.tagged_rows(WANTED["href"], self.tag, NUMBER["a"]))
        return np.fromiter(self.hrefs, np.int32, len(self.hrefs))

    def href_of(self, row: int) -> str | None:
        """Where a hyperlink leads, as written; None for any other row.

        For a few links of a page; `hrefs` has all of them.
        """
        if "hrefs" in self.__dict__ or not self._is_wanted("href"):
            return self.hrefs.get(row)
        is_link = self.tag.item(row) == NUMBER["a"]
        return self.wanted.value_at(WANTED["href"], row, None) if is_link else None

    def href_writer(self, origin: str | None) -> "core.kernels.HrefWriter | None":
        """What writes plain addresses of hyperlinks, those on the host of the page by its origin.

        None where the compiled core does not keep addresses.
        """
        if not self._is_wanted("href"):
            return None
        return core.kernels.HrefWriter(self.wanted, None if origin is None else origin.encode())

    @cached_property
    def hrefs(self) -> dict[int, str]:
        """Where each hyperlink leads, as written, by row."""
        rows, numbers, values = self.distinct("href")
        links = self.tag[rows] == NUMBER["a"]
        hrefs = map(values.__getitem__, numbers[links].tolist())
        return dict(zip(rows[links].tolist(), hrefs, strict=True))

    @column
    def hidden(self) -> Mask:
        """Mark the rows at or below `hidden`, inline display:none or visibility:hidden."""
        styled = self.rows_with("style", style_hides)
        return self.inside(np.array([*self.attribute("hidden"), *styled], np.int32))

    @column
    def aria_hidden(self) -> Mask:
        """Mark the rows at or below aria-hidden="true"."""
        values = self.attribute("aria-hidden").items()
        return self.inside(np.array([row for row, value in values if value == "true"], np.int32))

    @column
    def counted(self) -> Mask:
        """Mark the rows in body, outside script, style, noscript and inert templates."""
        counted = np.zeros(len(self), np.bool_)
        has_body = self.body >= 0 and self.tag[self.body] == NUMBER["body"]
        if has_body and core.compiled:
            left_out = (tag_table(UNCOUNTED), self._shadow_roots)
            core.kernels.mark_counted(self.tag, self.size, *left_out, self.body, counted)
        elif has_body:
            counted[self.body : self.end[self.body]] = True
            counted &= ~self.inside_inert(*UNCOUNTED)
        return counted

    @property
    def _shadow_roots(self) -> list[int]:
        """The templates that are declared shadow roots."""
        templates = self.first_tagged(len(self), NUMBER["template"])
        return [row for row in templates if row in self.attribute(SHADOW_ATTRIBUTE)]

    def inside_inert(self, *tags: int) -> Mask:
        """Mark the rows at or below one of the tags; a declared shadow root is not inert."""
        left_out = self.is_tag(*tags, NUMBER["template"])
        left_out[self._shadow_roots] = False
        return self.inside(left_out)

    # -- names, attributes, text ---------------------------------------------------------

    def name(self, row: int) -> str:
        """Tag name of a row; empty for a text row."""
        return self.names[int(self.tag[row])]

    def attributes_of(self, row: int) -> dict[str, str]:
        """All attributes of one row, in source order; one without a value has the empty string."""
        if self.tag[row] == TEXT:
            return {}
        return {name: value or "" for name, value in self.attrs[self.ordinal[row]]}

    def attributes_of_each(self, elements: Ints) -> list[dict[str, str]]:
        """All attributes of each of some rows that are elements."""
        places = self.ordinal[elements]
        if core.compiled:
            return core.kernels.map_attributes(self.attrs, places)
        return [
            {name: value or "" for name, value in self.attrs[place]} for place in places.tolist()
        ]

    def value_of(self, row: int, name: str) -> str:
        """The value of one attribute of a row; empty where it has none."""
        if self._is_wanted(name):
            return self.wanted.value_at(WANTED[name], row)
        return self.attribute(name).get(row, "")

    def values_of(self, name: str) -> tuple[str, ...]:
        """The values of an attribute, each once, in document order."""
        if self._is_wanted(name):
            return self.wanted.values_of(WANTED[name])
        return self.distinct(name)[2]

    def rows_with(self, name: str, is_wanted: Callable[[str], bool], stem: str = "") -> list[int]:
        """The rows whose value of an attribute is wanted, in document order; each is asked once.

        Every wanted value holds the stem, in small or in capital letters; it is in small ones.
        """
        if self._is_wanted(name):
            return self.wanted.rows_holding(WANTED[name], stem.encode(), is_wanted)
        rows, number, values = self.distinct(name)
        fits = [at for at, value in enumerate(values) if is_wanted(value)]
        return list(rows[np.isin(number, fits)].tolist()) if fits else []

    def rows_named(
        self,
        attributes: tuple[str, ...],
        names: tuple[str, ...],
        read: Callable[[str], tuple[str, ...]],
    ) -> list[int]:
        """The rows that have one of the names in a value of the attributes, in document order.

        Names are in small letters of ASCII; `read` gives those of a value, which holds them in any
        letters.
        """
        if all(map(self._is_wanted, attributes)):
            wanted = tuple(map(WANTED.__getitem__, attributes))
            return self.wanted.rows_named(wanted, names, read)
        sought = frozenset(names)
        found = (
            self.rows_with(name, lambda value: not sought.isdisjoint(read(value)))
            for name in attributes
        )
        return sorted(set().union(*found))

    def rows_of_value(self, name: str, *numbers: int) -> list[int]:
        """The rows that have one of some values of an attribute, by their places in `values_of`."""
        if self._is_wanted(name):
            return self.wanted.rows_having(WANTED[name], numbers)
        rows, every, _ = self.distinct(name)
        return list(rows[np.isin(every, numbers)].tolist())

    def may_hold(self, name: str, word: str) -> bool:
        """Whether a value of an attribute may hold a word in ASCII; false is certain."""
        if self._is_wanted(name):
            return self.wanted.may_hold(WANTED[name], word.encode())
        return any(word in value for value in self.values_of(name))

    @lazy_property
    def base_url(self) -> str | None:
        """The address that links are relative to: that of the first `base`, else the page's."""
        bases = self.first_tagged(len(self), NUMBER["base"])
        hrefs = self.attribute("href") if bases else {}
        href = next((hrefs[row] for row in bases if row in hrefs), "").strip()
        try:
            base = urljoin(self.url or "", href)
        except ValueError:  # not an address
            return self.url
        return base if base.lower().startswith(("http:", "https:", "file:")) else self.url

    def attribute(self, name: str) -> dict[int, str]:
        """Map each row that has the attribute to its value, in document order."""
        if not core.compiled or "_index" in self.__dict__ or "wanted" not in self.__dict__:
            return self._index.get(name, {})
        if name not in self._single:
            self._single[name] = self._find_attribute(name)
        return self._single[name]

    def _find_attribute(self, name: str) -> dict[int, str]:
        """The same for one attribute alone, while the compiled core keeps those that are wanted."""
        if name not in WANTED:
            return core.kernels.find_attributes(self.tag, self.attrs, (name,))[0]
        rows, numbers, values = self.distinct(name)
        return dict(zip(rows.tolist(), map(values.__getitem__, numbers.tolist()), strict=True))

    @lazy_property
    def _single(self) -> dict[str, dict[int, str]]:
        """Results of `_find_attribute` by name."""
        return {}

    def _is_wanted(self, name: str) -> bool:
        """Whether the compiled core keeps an attribute, unless all of them are indexed already."""
        known = self.__dict__
        return core.compiled and name in WANTED and ("wanted" in known or "_index" not in known)

    def distinct(self, name: str) -> tuple[Ints, Ints, tuple[str, ...]]:
        """Rows that have the attribute, the number of each one's value, and the values."""
        if name not in self._distinct and self._is_wanted(name):
            self._distinct[name] = self._distinct_compiled(WANTED[name])
        elif name not in self._distinct:
            values = self.attribute(name)
            if not values:
                return NO_VALUES
            rows, numbers, different = _number_values(values)
            self._distinct[name] = (read_only(rows), read_only(numbers), different)
        return self._distinct[name]

    def _distinct_compiled(self, name: int) -> tuple[Ints, Ints, tuple[str, ...]]:
        """The same by the compiled core, given the number of a wanted attribute."""
        count = self.wanted.count_rows(name)
        if not count:
            return NO_VALUES
        rows, numbers = np.empty((2, count), np.intp)
        self.wanted.fill_numbers(name, rows, numbers)
        return read_only(rows), read_only(numbers), self.wanted.values_of(name)

    @cached_property
    def wanted(self) -> "core.kernels.WantedAttributes":
        """The attributes that say most about a page, as the compiled core keeps them."""
        wanted = core.kernels.WantedAttributes()
        wanted.read(self.tag, self.attrs)
        return wanted

    @lazy_property
    def _distinct(self) -> dict[str, tuple[Ints, Ints, tuple[str, ...]]]:
        """Results of `distinct` by attribute name."""
        return {}

    @column
    def ordinal(self) -> Ints:
        """Place of each element among the elements, of each text among the texts."""
        if core.compiled:
            ordinal = np.empty(len(self), np.intp)
            core.kernels.fill_ordinals(self.tag, ordinal)
            return ordinal
        elements = np.cumsum(self.element)
        return np.where(self.element, elements - 1, np.arange(len(self)) - elements)

    @cached_property
    def _index(self) -> dict[str, dict[int, str]]:
        """Every attribute by name, then by row."""
        if core.compiled:
            return core.kernels.index_attributes(self.tag, self.attrs)
        index: defaultdict[str, dict[int, str]] = defaultdict(dict)
        for row, pairs in zip(np.flatnonzero(self.element).tolist(), self.attrs, strict=True):
            for name, value in pairs:
                index[name][row] = value or ""
        return index

    @lazy_property
    def title_element(self) -> str:
        """The text of the first `title` as written; empty where there is none."""
        if core.compiled:
            text = core.kernels.find_text_of(self.tag, self.size, NUMBER["title"])
            return self.texts[text] if text >= 0 else ""
        rows = np.flatnonzero(self.tag == NUMBER["title"])[:1].tolist()
        return "".join(self.text(row + 1) for row in rows if self.size[row] > 1)

    def subtree(self, row: int) -> range:
        """Rows of the subtree of row, row itself first."""
        return range(row, row + int(self.size[row]))

    def text(self, row: int) -> str:
        """Text of a text row as written; empty for an element."""
        return "" if self.tag[row] else self.texts[self.ordinal[row]]

    def inner_text(self, row: int) -> str:
        """Counted text below a row, pieces joined by one space, white space folded."""
        rows, places = self._counted_texts
        first = bisect_left(rows, row)
        last = bisect_left(rows, row + int(self.size[row]), first)
        if last - first > FEW_TEXTS:
            return " ".join(self._folded_texts[first:last])
        return " ".join(" ".join(self.texts[at].split()) for at in places[first:last])

    @cached_property
    def _counted_texts(self) -> tuple[list[int], list[int]]:
        """Rows of the counted texts, and the place of each in `texts`."""
        rows = np.flatnonzero((self.tag == TEXT) & self.counted)
        return rows.tolist(), self.ordinal[rows].tolist()

    @cached_property
    def _folded_texts(self) -> list[str]:
        """The counted texts, white space folded."""
        return [" ".join(self.texts[at].split()) for at in self._counted_texts[1]]

    # -- paths ---------------------------------------------------------------------------

    def path(self, row: int) -> str:
        """XPath from /html that selects exactly this row."""
        return self._paths.path(row)

    def paths(self, rows: list[int]) -> list[str]:
        """The XPaths of many rows, faster than one by one."""
        return self._paths.paths(rows)

    def row(self, path: str) -> int:
        """Row that a path names; raises NoSuchNode."""
        return self._paths.row(path)

    def path_steps(self) -> list[str]:
        """The last step of each row's path."""
        return self._paths.steps()

    @cached_property
    def _paths(self) -> PathIndex:
        blanks, foreign = (self.blank_row, self.blank_parent), self.inside(self.foreign)
        return index_paths(self.tag, self.parent, self.end, self.names, blanks, foreign)


def _number_values(values: dict[int, str]) -> tuple[Ints, Ints, tuple[str, ...]]:
    """Rows, the number of each one's value, and the different values."""
    if core.compiled:
        rows, numbers = np.empty((2, len(values)), np.intp)
        return rows, numbers, core.kernels.number_values(values, rows, numbers)
    number = {value: at for at, value in enumerate(dict.fromkeys(values.values()))}
    numbers = np.fromiter(map(number.__getitem__, values.values()), np.intp, len(values))
    return np.fromiter(values, np.intp, len(values)), numbers, tuple(number)


def freeze(page: Page) -> Page:
    """Make every array of a page read-only."""
    for array in (
        page.tag, page.size, page.parent, page.chars, page.words,
        page.foreign, page.blank_row, page.blank_parent,
    ):  # fmt: skip
        read_only(array)
    return page


def same_page(one: Page, other: Page) -> bool:
    """Whether two pages have equal columns."""
    plain = ("attrs", "names", "body", "url", "source")
    if tuple(one.texts) != tuple(other.texts):
        return False
    return all(getattr(one, name) == getattr(other, name) for name in plain) and all(
        np.array_equal(a, b) for a, b in zip(_arrays(one), _arrays(other), strict=True)
    )


def _arrays(page: Page) -> list[NDArray[Any]]:
    values = [getattr(page, field.name) for field in fields(page)]
    return [value for value in values if isinstance(value, np.ndarray)]
