"""Where and how the rows of a page were drawn: columns beside those of the page.

A layout belongs to one Page: entry i of a row column describes row i. Texts break into lines, so
lines have columns of their own, in document order. All positions are CSS pixels from the top left
corner of the page, however far it scrolls.

The visible boxes of a page are columns too, one entry per box, in the order of painting. A box is
a rectangle in CSS pixels with one colour. Rectangles are half-open and boxes that only touch do
not overlap.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

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
    page_missing_styles: int = 0  #: style sheets that could not be loaded

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


TEXT, IMAGE, SURFACE = 0, 1, 2  #: a line of text, an image, any other leaf with a background
KINDS = ("text", "image", "surface")  #: names of the kinds, by number

#: All other columns are float64.
_TYPES = {"colour": np.uint8, "kind": np.int8, "row": np.int32, "chars": np.int32}


@dataclass(frozen=True, eq=False)
class Boxes:
    """The boxes of one rendered page; every column has one entry per box and is read-only."""

    left: Floats
    top: Floats
    right: Floats  #: never less than left
    bottom: Floats  #: never less than top
    colour: Bytes  #: red, green, blue: font colour of a text, mean colour of an image
    kind: NDArray[np.int8]  #: TEXT, IMAGE or SURFACE
    row: Int32s  #: row of the Page; -1 when it has none
    chars: Int32s  #: characters of a line of text, white space folded; 0 for other kinds
    page_width: float
    page_height: float

    def __post_init__(self) -> None:
        for name in _columns():
            values = np.array(getattr(self, name), _TYPES.get(name, np.float64))
            values.flags.writeable = False
            object.__setattr__(self, name, values)
        if {len(getattr(self, name)) for name in _columns()} != {len(self)}:
            raise ValueError("the columns of boxes differ in length")
        if self.colour.shape != (len(self), 3):
            raise ValueError("a colour has three channels")
        if not (np.isfinite(self.edges).all() and (self.edges[:, :2] <= self.edges[:, 2:]).all()):
            raise ValueError("a box has an edge that is not finite, or ends before it begins")

    def __len__(self) -> int:
        return len(self.left)

    def __repr__(self) -> str:
        return f"Boxes({len(self)} boxes, page {self.page_width:g} × {self.page_height:g})"

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for name in _columns():
            getattr(self, name).flags.writeable = False

    @property
    def edges(self) -> Floats:
        """Left, top, right, bottom of every box, one line per box."""
        return np.stack((self.left, self.top, self.right, self.bottom), axis=1)

    @property
    def width(self) -> Floats:
        """Width of every box."""
        return self.right - self.left

    @property
    def height(self) -> Floats:
        """Height of every box."""
        return self.bottom - self.top

    @property
    def area(self) -> Floats:
        """Square pixels of every box."""
        return self.width * self.height

    def take(self, chosen: NDArray[Any]) -> "Boxes":
        """The chosen boxes, by mask or by number."""
        return replace(self, **{name: getattr(self, name)[chosen] for name in _columns()})


def boxes_of(
    edges: ArrayLike | Sequence[Sequence[float]],
    colour: ArrayLike = (0, 0, 0),
    kind: ArrayLike = TEXT,
    row: ArrayLike = -1,
    chars: ArrayLike = 0,
    page: tuple[float, float] | None = None,
) -> Boxes:
    """Boxes from lines of left, top, right, bottom; a single colour, kind or row serves them all.

    Without a page size, the page reaches as far as its boxes.
    """
    lines = np.asarray(edges, np.float64).reshape(-1, 4)
    boxes = len(lines)
    reach = (float(lines[:, 2].max(initial=0)), float(lines[:, 3].max(initial=0)))
    width, height = page or reach
    left, top, right, bottom = lines.T
    return Boxes(
        left,
        top,
        right,
        bottom,
        colour=np.broadcast_to(np.asarray(colour, np.uint8), (boxes, 3)),
        kind=np.broadcast_to(np.asarray(kind, np.int8), boxes),
        row=np.broadcast_to(np.asarray(row, np.int32), boxes),
        chars=np.broadcast_to(np.asarray(chars, np.int32), boxes),
        page_width=width,
        page_height=height,
    )


def _columns() -> list[str]:
    return [field.name for field in fields(Boxes) if not field.name.startswith("page_")]
