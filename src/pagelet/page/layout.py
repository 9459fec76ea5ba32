"""Where and how the rows of a page were drawn: columns beside those of the page.

A layout belongs to one Page: entry i of a row column describes row i. Texts break into lines, so
lines have columns of their own, in document order. All positions are CSS pixels from the top left
corner of the page, however far it scrolls.
"""

from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from pagelet.arrays import Bytes, Floats, Int32s, Mask
from pagelet.page.table import Page

LINE_PREFIX = "line_"  #: prefix of fields with one entry per line
PAGE_PREFIX = "page_"  #: prefix of fields with one number per page


@dataclass(frozen=True, eq=False)
class Layout:
    """How one page was drawn; every column is read-only."""

    left: Floats  #: left edge of an element's border box, or of all lines of a text; 0 if not drawn
    top: Floats
    right: Floats
    bottom: Floats
    drawn: Mask  #: rows with a place that can be seen: visibility not hidden, opacity not 0
    inline: Mask  #: elements whose computed display is inline
    background: Bytes  #: red, green, blue and opacity of the own background; 0 for none
    pictured: Mask  #: rows with a background image of their own
    border: Floats  #: width of the visible border at left, top, right, bottom
    colour: Bytes  #: red, green, blue of the font; mean colour of an image
    font_size: Floats  #: CSS pixels
    font_weight: Floats  #: 400 is normal, 700 is bold
    paint: Int32s  #: place in the order of painting; -1 if not drawn
    line_row: Int32s  #: text row of each line
    line_left: Floats
    line_top: Floats
    line_right: Floats
    line_bottom: Floats
    line_chars: Int32s  #: characters in the line, white space folded
    page_width: float
    page_height: float

    def __post_init__(self) -> None:
        for name in self._columns():
            array = np.asarray(getattr(self, name))
            array.flags.writeable = False
            object.__setattr__(self, name, array)
        for mark in (True, False):
            columns = [name for name in self._columns() if name.startswith(LINE_PREFIX) == mark]
            if len({len(getattr(self, name)) for name in columns}) != 1:
                raise ValueError("the columns of a layout differ in length")

    def __len__(self) -> int:
        return len(self.left)

    def __repr__(self) -> str:
        size = f"{self.page_width:g} × {self.page_height:g}"
        return f"Layout({len(self)} rows, {len(self.line_row)} lines, page {size})"

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for name in self._columns():
            getattr(self, name).flags.writeable = False

    def _columns(self) -> list[str]:
        return [part.name for part in fields(self) if not part.name.startswith(PAGE_PREFIX)]

    @property
    def edges(self) -> Floats:
        """Left, top, right, bottom of every row, one line per row."""
        return np.stack((self.left, self.top, self.right, self.bottom), axis=1)

    @property
    def line_edges(self) -> Floats:
        """Left, top, right, bottom of every line of text."""
        lines = (self.line_left, self.line_top, self.line_right, self.line_bottom)
        return np.stack(lines, axis=1)

    @property
    def area(self) -> Floats:
        """Square pixels of every row."""
        return np.asarray((self.right - self.left) * (self.bottom - self.top))


@dataclass(frozen=True)
class Rendering:
    """A page, its layout and its picture."""

    page: Page
    layout: Layout
    picture: bytes = field(default=b"", repr=False)  #: PNG of the whole page; may be empty
    scale: float = 1.0  #: pixels of the picture per CSS pixel
    notes: tuple[str, ...] = ()  #: problems during rendering, as sentences for people


def empty_layout(rows: int, size: tuple[float, float] = (0, 0), lines: int = 0) -> dict[str, Any]:
    """Columns of a layout on which nothing is drawn, to be filled and passed to Layout."""
    floats = ("left", "top", "right", "bottom", "font_size", "font_weight")
    columns: dict[str, Any] = {name: np.zeros(rows) for name in floats}
    for name in ("drawn", "inline", "pictured"):
        columns[name] = np.zeros(rows, np.bool_)
    columns["background"] = np.zeros((rows, 4), np.uint8)
    columns["border"] = np.zeros((rows, 4))
    columns["colour"] = np.zeros((rows, 3), np.uint8)
    columns["paint"] = np.full(rows, -1, np.int32)
    columns |= {f"{LINE_PREFIX}{name}": np.zeros(lines) for name in floats[:4]}
    columns |= {f"{LINE_PREFIX}{name}": np.zeros(lines, np.int32) for name in ("row", "chars")}
    return columns | {"page_width": float(size[0]), "page_height": float(size[1])}
