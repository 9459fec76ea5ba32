"""The visible boxes of a page as columns: one entry per box, in the order of painting.

A box is a rectangle in CSS pixels with one colour. Rectangles are half-open and boxes that
only touch do not overlap.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pagelet.arrays import Bytes, Floats, Int32s

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
