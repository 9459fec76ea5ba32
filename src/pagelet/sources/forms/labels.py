"""Labels of form fields, and where each label comes from."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from functools import cached_property

import numpy as np

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
ATTRIBUTES = ("aria-label", "placeholder", "title")  #: attributes with a field's label

Label = tuple[str, str]  #: text and source of a label
NO_LABEL: Label = ("", "")
NO_CELLS = (-1, -1)  #: to the left of a cell, and above it


def clean_label(text: str) -> str:
    """A label with white space folded, without a colon at its end or stars around it."""
    folded = " ".join(text.split()).rstrip(":：* ").lstrip("* ")
    return folded if len(folded) <= MAX_LABEL_CHARS else folded[: MAX_LABEL_CHARS - 1] + "…"


def control_attributes(page: Page, row: int) -> dict[str, str]:
    """The attributes of a control; read once."""
    controls: dict[int, dict[str, str]] = page.derived["controls"]
    if row not in controls:
        controls[row] = page.attributes_of(row)
    return controls[row]


def first_label(text: str, source: str, attrs: Mapping[str, str], names: Iterable[str]) -> Label:
    """A text as label, or the first of some attributes, whichever is not empty."""
    if text and (label := clean_label(text)):
        return label, source
    for name in names:
        if name in attrs and (label := clean_label(attrs[name])):
            return label, name
    return NO_LABEL


class LabelTexts:
    """The texts of a page that may be labels, for quick look-ups."""

    def __init__(self, page: Page, inert: Mask) -> None:
        """Find the texts; `inert` marks the rows that are no part of the page."""
        unread = page.inside(page.is_tag(*UNREAD_TAGS)) | inert
        self.page = page
        self.all = np.flatnonzero((page.tag == TEXT) & (page.chars > 0))
        self.readable = self.all[~unread[self.all]]

    def below(self, row: int) -> str:
        """All the text below a row, as written."""
        first, last = self.all.searchsorted((row, self.page.end[row])).tolist()
        texts = self.page.texts
        return "".join([texts[at] for at in self.page.ordinal[self.all[first:last]].tolist()])

    def below_each(self, rows: Ints) -> list[str]:
        """All the text below each row, as written; the rows are in order."""
        first, last = self.all.searchsorted((rows, self.page.end[rows]))
        texts, begin = self.page.texts, int(first[0])
        places = self.page.ordinal[self.all[begin : int(last.max())]].tolist()
        bounds = zip((first - begin).tolist(), (last - begin).tolist(), strict=True)
        return ["".join([texts[at] for at in places[one:end]]) for one, end in bounds]

    def label_below(self, row: int) -> str:
        """The text below a row as a label, without the texts of fields."""
        first, last = self.readable.searchsorted((row, self.page.end[row])).tolist()
        return self.join(self.readable[first : min(last, first + MAX_LABEL_TEXTS)].tolist())

    def join(self, rows: Iterable[int]) -> str:
        """The texts of some rows as one label."""
        return clean_label(" ".join(self.page.text(row)[: 2 * MAX_LABEL_CHARS] for row in rows))


class LabelFinder:
    """Finds the labels of fields; each look-up is short, whatever the page."""

    def __init__(self, page: Page, controls: list[int], texts: LabelTexts) -> None:
        self.page, self.texts = page, texts
        self._controls = controls  # visible controls, in order
        self._cache: dict[int, str] = {}

    def of(self, row: int, kind: str, form: int) -> Label:
        """The label of a field of some type in the form that begins at a row."""
        label = self._from_label(row)
        label = label if label[0] else self._from_attributes(row)
        if not label[0] and kind in CHECKABLE:
            label = self._behind(row, form)
        label = label if label[0] else self.before(row, form)
        return label if label[0] else NO_LABEL

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
        name = control_attributes(self.page, row).get("id")
        if name and name in self._for and self._ids.get(name) == row:
            labels = (self._label_below(label) for label in self._for[name])
            if text := next(filter(None, labels), ""):
                return text, "label for"
        around = int(self._label[row]) if self._label is not None else -1
        return (self._label_below(around), "label around") if around >= 0 else NO_LABEL

    def _from_attributes(self, row: int) -> Label:
        attrs, source, joined = control_attributes(self.page, row), "aria-labelledby", ""
        if source in attrs:
            named = [name for name in attrs[source].split()[:MAX_LABELLEDBY] if name in self._ids]
            joined = " ".join(self._label_below(self._ids[name]) for name in named)
        return first_label(joined, source, attrs, ATTRIBUTES)

    @cached_property
    def _ids(self) -> dict[str, int]:
        """The first row of each id."""
        return {value: row for row, value in reversed(self.page.attribute("id").items())}

    @cached_property
    def _for(self) -> dict[str, list[int]]:
        """The labels for each id."""
        labels: dict[str, list[int]] = {}
        for row, value in self.page.attribute("for").items():
            if self.page.tag[row] == NUMBER["label"]:
                labels.setdefault(value, []).append(row)
        return labels

    @cached_property
    def _label(self) -> Ints | None:
        """The label around each row, or -1; None where the page has no label."""
        labels = self.page.tag == NUMBER["label"]
        return nearest(self.page.parent, labels) if labels.any() else None

    @cached_property
    def _fieldset(self) -> Ints:
        return nearest(self.page.parent, self.page.tag == NUMBER["fieldset"])

    # -- text beside a field ------------------------------------------------------

    def _preceding(self, row: int, form: int) -> str:
        """The last line of text before a field, with no other field between them."""
        readable, page = self.texts.readable, self.page
        at = bisect_left(self._controls, row)
        last = self._texts_before[at] - 1
        before = self._controls[at - 1] if at else -1
        floor = max(before, form if row < page.end[form] else -1, row - NEARBY_ROWS)
        if last < 0 or readable[last] <= floor or not self._beside(int(readable[last]), row):
            return ""
        return self._line(last, floor, -1)

    def _behind(self, row: int, form: int) -> Label:
        """The line of text right behind a field, before the next one."""
        readable, page = self.texts.readable, self.page
        at = bisect_left(self._controls, row)
        first = self._texts_before[at]
        after = self._controls[at + 1] if at + 1 < len(self._controls) else len(page)
        roof = min(after, int(page.end[form]) if row < page.end[form] else after, row + NEARBY_ROWS)
        if (
            first >= len(readable)
            or readable[first] >= roof
            or not self._beside(readable[first], row)
        ):
            return NO_LABEL
        return self._line(first, roof, 1), "following text"

    @cached_property
    def _texts_before(self) -> list[int]:
        """How many readable texts stand before each visible control."""
        before: list[int] = self.texts.readable.searchsorted(self._controls).tolist()
        return before

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
        if self._block[one] != self._block[other]:
            return False
        low, high = (one, other) if one < other else (other, one)
        return bisect_left(self._breaks, low) == bisect_left(self._breaks, high)

    @cached_property
    def _breaks(self) -> list[int]:
        rows: list[int] = np.flatnonzero(self.page.is_tag(NUMBER["br"], NUMBER["hr"])).tolist()
        return rows

    @cached_property
    def _block(self) -> Ints:
        return nearest(self.page.parent, self.page.is_tag(*BLOCK))

    @cached_property
    def _in_cell(self) -> Ints:
        return nearest(self.page.parent, self.page.is_tag(*CELLS))

    # -- tables --------------------------------------------------------------------------

    def _cell(self, row: int) -> Label:
        """The cell to the left of a field's cell, else the header above it."""
        cell = int(self._in_cell[row])
        left, above = self._neighbours.get(cell, NO_CELLS) if cell >= 0 else NO_CELLS
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
        controls = np.array(self._controls, np.intp)
        first = controls.searchsorted(np.arange(len(self.page)))
        return np.asarray(first < controls.searchsorted(self.page.end))

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
