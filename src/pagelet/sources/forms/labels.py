"""What people read beside a field of a form: its label, and where that label stands."""

from collections.abc import Callable, Iterable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Ints, Mask
from pagelet.page.table import Page
from pagelet.page.tags import BLOCK, NUMBER, TEXT, numbers
from pagelet.page.tree import nearest

LONG = 200  #: characters of a label that are kept
SHORT = 120  #: characters of the longest text that is taken for a label though nothing ties it
NEAR = 30  #: rows that may lie between a field and the text before or behind it
PIECES = 20  #: text rows a label is made of, at most
NAMED = 5  #: elements that aria-labelledby may name
TICKED = ("radio", "checkbox")  #: types whose label stands behind them
HOLDERS = numbers("select textarea button datalist script style noscript")
CELLS = numbers("td th")

Said = tuple[str, str]  #: a label, and what said it; both empty where nothing did
NONE: Said = ("", "")


def plain(text: str) -> str:
    """A label with white space folded, without a colon at its end or stars around it."""
    folded = " ".join(text.split()).rstrip(":：* ").lstrip("* ")
    return folded if len(folded) <= LONG else folded[: LONG - 1] + "…"


class Texts:
    """The texts of a page that may be labels, for quick look-ups."""

    def __init__(self, page: Page) -> None:
        text = (page.tag == TEXT) & (page.chars > 0)
        holding = page.is_tag(*HOLDERS)
        inert = page.inside_inert()
        self.page = page
        self.all = np.flatnonzero(text)
        self.spoken = np.flatnonzero(text & ~page.inside(holding) & ~inert)

    def below(self, row: int) -> str:
        """All the text below a row, as written."""
        first, last = np.searchsorted(self.all, (row, self.page.end[row]))
        return "".join(self.page.text(int(at)) for at in self.all[first:last])

    def spoken_below(self, row: int) -> str:
        """What a person reads below a row, the texts of fields left out; cut when it is long."""
        first, last = np.searchsorted(self.spoken, (row, self.page.end[row]))
        return self.joined(self.spoken[first : min(last, first + PIECES)].tolist())

    def joined(self, rows: Iterable[int]) -> str:
        """The texts of some rows as one label."""
        return plain(" ".join(self.page.text(row)[: 2 * LONG] for row in rows))


class Labels:
    """Finds the label of every field of a page; each look-up is short, whatever the page."""

    def __init__(self, page: Page, controls: NDArray[np.integer], texts: Texts) -> None:
        self.page, self.texts = page, texts
        self._fields = controls  # what can be seen and filled, or pressed
        self._known: dict[int, str] = {}
        ids = page.attribute("id").items()
        self._ids = {value: row for row, value in reversed(ids)}
        self._for: dict[str, int] = {}
        for row, value in page.attribute("for").items():
            if page.tag[row] == NUMBER["label"] and self._spoken(row):
                self._for.setdefault(value, row)

    def of(self, row: int, kind: str, form: int) -> Said:
        """The label of a field of some type in the form that begins at a row."""
        asked: list[Callable[[], Said]] = [
            lambda: self._tied(row),
            lambda: self._described(row),
            lambda: self._behind(row, form) if kind in TICKED else NONE,
            lambda: self.before(row, form),
        ]
        return next((said for ask in asked if (said := ask())[0]), NONE)

    def before(self, row: int, form: int) -> Said:
        """The text before a field, or the table cell that stands for it."""
        found = self._preceding(row, form)
        return (found, "preceding text") if found else self._cell(row)

    def legend(self, row: int, form: int) -> Said:
        """The legend of the field set around a field."""
        around = int(self._fieldset[row])
        if around < form:
            return NONE
        below = slice(around + 1, min(int(self.page.end[around]), around + NEAR))
        is_legend = self.page.tag[below] == NUMBER["legend"]
        found = np.flatnonzero(is_legend & (self.page.parent[below] == around))
        if not len(found):
            return NONE
        return self._spoken(around + 1 + int(found[0])), "legend"

    # -- what the page ties to a field ---------------------------------------------------

    def _spoken(self, row: int) -> str:
        if row not in self._known:
            self._known[row] = self.texts.spoken_below(row)
        return self._known[row]

    def _tied(self, row: int) -> Said:
        name = self.page.attributes_of(row).get("id")
        if name and self._ids.get(name) == row and name in self._for:
            return self._spoken(self._for[name]), "label for"
        around = int(self._label[row])
        return (self._spoken(around), "label around") if around >= 0 else NONE

    def _described(self, row: int) -> Said:
        attrs = self.page.attributes_of(row)
        named = attrs.get("aria-labelledby", "").split()[:NAMED]
        joined = " ".join(self._spoken(self._ids[name]) for name in named if name in self._ids)
        said = {
            "aria-labelledby": joined,
            **{name: attrs.get(name, "") for name in ("aria-label", "placeholder", "title")},
        }
        return next(((plain(text), name) for name, text in said.items() if plain(text)), NONE)

    @cached_property
    def _label(self) -> Ints:
        return nearest(self.page.parent, self.page.tag == NUMBER["label"])

    @cached_property
    def _fieldset(self) -> Ints:
        return nearest(self.page.parent, self.page.tag == NUMBER["fieldset"])

    # -- what stands beside a field ------------------------------------------------------

    def _preceding(self, row: int, form: int) -> str:
        """The last line of text before a field, with no other field between them."""
        spoken, page = self.texts.spoken, self.page
        last = int(np.searchsorted(spoken, row)) - 1
        at = int(np.searchsorted(self._fields, row))
        before = int(self._fields[at - 1]) if at else -1
        floor = max(before, form if row < page.end[form] else -1, row - NEAR)
        if last < 0 or spoken[last] <= floor or not self._beside(int(spoken[last]), row):
            return ""
        return self._line(last, floor, -1)

    def _behind(self, row: int, form: int) -> Said:
        """The line of text right behind a field, before the next one."""
        spoken, page = self.texts.spoken, self.page
        first = int(np.searchsorted(spoken, row))
        at = int(np.searchsorted(self._fields, row, side="right"))
        after = int(self._fields[at]) if at < len(self._fields) else len(page)
        roof = min(after, int(page.end[form]) if row < page.end[form] else after, row + NEAR)
        if first >= len(spoken) or spoken[first] >= roof or not self._beside(spoken[first], row):
            return NONE
        return self._line(first, roof, 1), "following text"

    def _beside(self, text: int, row: int) -> bool:
        """Whether a text is in the same table cell as a field, and in no link."""
        return bool(self._in_cell[text] == self._in_cell[row] and not self.page.link[text])

    def _line(self, at: int, bound: int, step: int) -> str:
        """The texts on one line from a text on, up to a row; empty when too long for a label."""
        spoken, rows = self.texts.spoken, [int(self.texts.spoken[at])]
        while len(rows) < PIECES and 0 <= at + step < len(spoken):
            at += step
            row = int(spoken[at])
            if (row - bound) * step >= 0 or not self._same_line(row, rows[-1]):
                break
            rows.append(row)
        text = self.texts.joined(rows[::step])
        return text if len(text) <= SHORT and any(map(str.isalnum, text)) else ""

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

    def _cell(self, row: int) -> Said:
        """The cell to the left of a field's cell, else the header above it."""
        left, above = self._neighbours.get(int(self._in_cell[row]), (-1, -1))
        if left >= 0:
            return self._spoken(left), "cell to the left"
        return (self._spoken(above), "header above") if above >= 0 else NONE

    @cached_property
    def _neighbours(self) -> dict[int, tuple[int, int]]:
        """For each table cell, the cells that may be its label: to the left, and above."""
        page, naming, holds = self.page, self._naming, self._holding
        cells = np.flatnonzero(page.is_tag(*CELLS))
        tables = nearest(page.parent, page.tag == NUMBER["table"])[cells]
        spans = page.attribute("colspan")
        column: dict[int, int] = {}
        left: dict[int, int] = {}
        above: dict[tuple[int, int], int] = {}
        found = {}
        for cell, line, table in zip(
            cells.tolist(), page.parent[cells].tolist(), tables.tolist(), strict=True
        ):
            at = column.get(line, 0)
            column[line] = at + _span(spans.get(cell, ""))
            found[cell] = left.get(line, -1), above.get((table, at), -1)
            if naming[cell]:
                left[line] = above[table, at] = cell
            elif holds[cell]:
                left.pop(line, None)
        return found

    @cached_property
    def _holding(self) -> Mask:
        """The rows with a field in them."""
        first = np.searchsorted(self._fields, np.arange(len(self.page)))
        return np.asarray(first < np.searchsorted(self._fields, self.page.end))

    @cached_property
    def _naming(self) -> Mask:
        """The rows whose text is short enough for a label, and that hold no field."""
        spoken = np.zeros(len(self.page), np.int64)
        spoken[self.texts.spoken] = self.page.chars[self.texts.spoken]
        chars = self.page.sum_subtree(spoken)
        return np.asarray((chars > 0) & (chars <= SHORT) & ~self._holding)


def _span(written: str) -> int:
    """Columns that a cell takes."""
    return min(int(written), 1000) or 1 if written.isdecimal() and len(written) < 9 else 1
