"""Labels of form fields, and where each label comes from."""

from collections.abc import Callable, Iterable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Ints, Mask
from pagelet.page.table import Page
from pagelet.page.tags import BLOCK, NUMBER, TEXT, numbers
from pagelet.page.tree import nearest

MAX_LABEL_CHARS = 200  #: characters of a label that are kept
MAX_NEARBY_CHARS = 120  #: characters of a nearby text that counts as a label
NEARBY_ROWS = 30  #: rows between a field and the text before or behind it
MAX_LABEL_TEXTS = 20  #: text rows of one label
MAX_LABELLEDBY = 5  #: elements that aria-labelledby may name
CHECKABLE = ("radio", "checkbox")  #: types whose label stands behind them
UNREAD_TAGS = numbers("select textarea button datalist script style noscript")
CELLS = numbers("td th")

Label = tuple[str, str]  #: text and source of a label
NO_LABEL: Label = ("", "")


def clean_label(text: str) -> str:
    """A label with white space folded, without a colon at its end or stars around it."""
    folded = " ".join(text.split()).rstrip(":：* ").lstrip("* ")
    return folded if len(folded) <= MAX_LABEL_CHARS else folded[: MAX_LABEL_CHARS - 1] + "…"


def first_label(texts: Iterable[tuple[str, str]]) -> Label:
    """The first of some texts, given with their sources, that is not empty."""
    cleaned = ((clean_label(text), source) for text, source in texts)
    return next((label for label in cleaned if label[0]), NO_LABEL)


class LabelTexts:
    """The texts of a page that may be labels, for quick look-ups."""

    def __init__(self, page: Page) -> None:
        text = (page.tag == TEXT) & (page.chars > 0)
        holding = page.is_tag(*UNREAD_TAGS)
        inert = page.inside_inert()
        self.page = page
        self.all = np.flatnonzero(text)
        self.readable = np.flatnonzero(text & ~page.inside(holding) & ~inert)

    def below(self, row: int) -> str:
        """All the text below a row, as written."""
        first, last = np.searchsorted(self.all, (row, self.page.end[row]))
        return "".join(self.page.text(int(at)) for at in self.all[first:last])

    def label_below(self, row: int) -> str:
        """The text below a row as a label, without the texts of fields."""
        first, last = np.searchsorted(self.readable, (row, self.page.end[row]))
        return self.join(self.readable[first : min(last, first + MAX_LABEL_TEXTS)].tolist())

    def join(self, rows: Iterable[int]) -> str:
        """The texts of some rows as one label."""
        return clean_label(" ".join(self.page.text(row)[: 2 * MAX_LABEL_CHARS] for row in rows))


class LabelFinder:
    """Finds the labels of fields; each look-up is short, whatever the page."""

    def __init__(self, page: Page, controls: NDArray[np.integer], texts: LabelTexts) -> None:
        self.page, self.texts = page, texts
        self._controls = controls  # visible controls
        self._cache: dict[int, str] = {}
        ids = page.attribute("id").items()
        self._ids = {value: row for row, value in reversed(ids)}
        self._for: dict[str, int] = {}
        for row, value in page.attribute("for").items():
            if page.tag[row] == NUMBER["label"] and self._label_below(row):
                self._for.setdefault(value, row)

    def of(self, row: int, kind: str, form: int) -> Label:
        """The label of a field of some type in the form that begins at a row."""
        sources: list[Callable[[], Label]] = [
            lambda: self._from_label(row),
            lambda: self._from_attributes(row),
            lambda: self._behind(row, form) if kind in CHECKABLE else NO_LABEL,
            lambda: self.before(row, form),
        ]
        return next((label for read in sources if (label := read())[0]), NO_LABEL)

    def before(self, row: int, form: int) -> Label:
        """The text before a field, or the table cell that labels it."""
        text = self._preceding(row, form)
        return (text, "preceding text") if text else self._cell(row)

    def legend(self, row: int, form: int) -> Label:
        """The legend of the field set around a field."""
        around = int(self._fieldset[row])
        if around < form:
            return NO_LABEL
        below = slice(around + 1, min(int(self.page.end[around]), around + NEARBY_ROWS))
        is_legend = self.page.tag[below] == NUMBER["legend"]
        legends = np.flatnonzero(is_legend & (self.page.parent[below] == around))
        if not len(legends):
            return NO_LABEL
        return self._label_below(around + 1 + int(legends[0])), "legend"

    # -- labels in the markup ---------------------------------------------------

    def _label_below(self, row: int) -> str:
        if row not in self._cache:
            self._cache[row] = self.texts.label_below(row)
        return self._cache[row]

    def _from_label(self, row: int) -> Label:
        name = self.page.attributes_of(row).get("id")
        if name and self._ids.get(name) == row and name in self._for:
            return self._label_below(self._for[name]), "label for"
        around = int(self._label[row])
        return (self._label_below(around), "label around") if around >= 0 else NO_LABEL

    def _from_attributes(self, row: int) -> Label:
        attrs = self.page.attributes_of(row)
        named = attrs.get("aria-labelledby", "").split()[:MAX_LABELLEDBY]
        joined = " ".join(self._label_below(self._ids[name]) for name in named if name in self._ids)
        texts = {
            "aria-labelledby": joined,
            **{name: attrs.get(name, "") for name in ("aria-label", "placeholder", "title")},
        }
        return first_label((text, name) for name, text in texts.items())

    @cached_property
    def _label(self) -> Ints:
        return nearest(self.page.parent, self.page.tag == NUMBER["label"])

    @cached_property
    def _fieldset(self) -> Ints:
        return nearest(self.page.parent, self.page.tag == NUMBER["fieldset"])

    # -- text beside a field ------------------------------------------------------

    def _preceding(self, row: int, form: int) -> str:
        """The last line of text before a field, with no other field between them."""
        readable, page = self.texts.readable, self.page
        last = int(np.searchsorted(readable, row)) - 1
        at = int(np.searchsorted(self._controls, row))
        before = int(self._controls[at - 1]) if at else -1
        floor = max(before, form if row < page.end[form] else -1, row - NEARBY_ROWS)
        if last < 0 or readable[last] <= floor or not self._beside(int(readable[last]), row):
            return ""
        return self._line(last, floor, -1)

    def _behind(self, row: int, form: int) -> Label:
        """The line of text right behind a field, before the next one."""
        readable, page = self.texts.readable, self.page
        first = int(np.searchsorted(readable, row))
        at = int(np.searchsorted(self._controls, row, side="right"))
        after = int(self._controls[at]) if at < len(self._controls) else len(page)
        roof = min(after, int(page.end[form]) if row < page.end[form] else after, row + NEARBY_ROWS)
        if (
            first >= len(readable)
            or readable[first] >= roof
            or not self._beside(readable[first], row)
        ):
            return NO_LABEL
        return self._line(first, roof, 1), "following text"

    def _beside(self, text: int, row: int) -> bool:
        """Whether a text is in the same table cell as a field, and in no link."""
        return bool(self._in_cell[text] == self._in_cell[row] and not self.page.link[text])

    def _line(self, at: int, bound: int, step: int) -> str:
        """The texts on one line from a text on, up to a row; empty when too long for a label."""
        readable, rows = self.texts.readable, [int(self.texts.readable[at])]
        while len(rows) < MAX_LABEL_TEXTS and 0 <= at + step < len(readable):
            at += step
            row = int(readable[at])
            if (row - bound) * step >= 0 or not self._same_line(row, rows[-1]):
                break
            rows.append(row)
        text = self.texts.join(rows[::step])
        return text if len(text) <= MAX_NEARBY_CHARS and any(map(str.isalnum, text)) else ""

    def _same_line(self, one: int, other: int) -> bool:
        low, high = np.searchsorted(self._breaks, (min(one, other), max(one, other)))
        return bool(low == high and self._block[one] == self._block[other])

    @cached_property
    def _breaks(self) -> Ints:
        return np.flatnonzero(self.page.is_tag(NUMBER["br"], NUMBER["hr"]))

    @cached_property
    def _block(self) -> Ints:
        return nearest(self.page.parent, self.page.is_tag(*BLOCK))

    @cached_property
    def _in_cell(self) -> Ints:
        return nearest(self.page.parent, self.page.is_tag(*CELLS))

    # -- tables --------------------------------------------------------------------------

    def _cell(self, row: int) -> Label:
        """The cell to the left of a field's cell, else the header above it."""
        left, above = self._neighbours.get(int(self._in_cell[row]), (-1, -1))
        if left >= 0:
            return self._label_below(left), "cell to the left"
        return (self._label_below(above), "header above") if above >= 0 else NO_LABEL

    @cached_property
    def _neighbours(self) -> dict[int, tuple[int, int]]:
        """For each table cell, the cells that may be its label: to the left, and above."""
        page, short, holds = self.page, self._short_text, self._has_field
        cells = np.flatnonzero(page.is_tag(*CELLS))
        tables = nearest(page.parent, page.tag == NUMBER["table"])[cells]
        spans = page.attribute("colspan")
        column: dict[int, int] = {}
        left: dict[int, int] = {}
        above: dict[tuple[int, int], int] = {}
        neighbours = {}
        for cell, line, table in zip(
            cells.tolist(), page.parent[cells].tolist(), tables.tolist(), strict=True
        ):
            at = column.get(line, 0)
            column[line] = at + _columns(spans.get(cell, ""))
            neighbours[cell] = left.get(line, -1), above.get((table, at), -1)
            if short[cell]:
                left[line] = above[table, at] = cell
            elif holds[cell]:
                left.pop(line, None)
        return neighbours

    @cached_property
    def _has_field(self) -> Mask:
        """The rows with a field in them."""
        first = np.searchsorted(self._controls, np.arange(len(self.page)))
        return np.asarray(first < np.searchsorted(self._controls, self.page.end))

    @cached_property
    def _short_text(self) -> Mask:
        """The rows whose text is short enough for a label, and that hold no field."""
        readable = np.zeros(len(self.page), np.int64)
        readable[self.texts.readable] = self.page.chars[self.texts.readable]
        chars = self.page.sum_subtree(readable)
        return np.asarray((chars > 0) & (chars <= MAX_NEARBY_CHARS) & ~self._has_field)


def _columns(value: str) -> int:
    """Columns that a cell takes."""
    return min(int(value), 1000) or 1 if value.isdecimal() and len(value) < 9 else 1
