"""A snapshot of Chromium's DOMSnapshot domain as arrays: its nodes and layout objects."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pagelet.arrays import Floats, Int64s, Mask
from pagelet.page.words import measure_texts

Area = tuple[float, float, float, float]  #: left, top, width, height

ROOT_OBJECTS = 50  #: first layout objects, among which are those of the root and the body
ELEMENT, CHARACTERS, COMMENT, DOCTYPE = 1, 3, 8, 10  #: types of nodes


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The tree as drawn, with shadow trees and slotted content in place."""

    strings: list[str]
    document: dict[str, Any]
    styles: tuple[str, ...]  #: names of the computed styles
    scripts: bool = False  #: whether scripts ran; then the content of noscript is one text

    @property
    def nodes(self) -> dict[str, Any]:
        """The columns of the nodes."""
        return self.document["nodes"]  # type: ignore[no-any-return]

    @property
    def layout(self) -> dict[str, Any]:
        """The columns of the layout objects."""
        return self.document["layout"]  # type: ignore[no-any-return]

    def text(self, number: int) -> str:
        """A string by number; empty for -1."""
        return self.strings[number] if number >= 0 else ""

    @cached_property
    def parent(self) -> Int64s:
        """The parent of each node, in document order."""
        return np.array(self.nodes["parentIndex"], np.int64)

    @cached_property
    def kind(self) -> Int64s:
        """The type of each node."""
        return np.array(self.nodes["nodeType"], np.int64)

    @cached_property
    def names(self) -> list[str]:
        """The name of each node; those of HTML in capitals."""
        return [self.strings[number] for number in self.nodes["nodeName"]]

    @cached_property
    def values(self) -> list[str]:
        """The text of each node; empty for elements."""
        return [self.text(number) for number in self.nodes["nodeValue"]]

    @cached_property
    def generated(self) -> Mask:
        """Mark pseudo-elements such as ::before, and their contents."""
        made = np.zeros(len(self.kind), np.bool_)
        made[self.nodes["pseudoType"]["index"]] = True
        if made.any():
            for node, parent in enumerate(self.nodes["parentIndex"]):
                made[node] |= parent >= 0 and made[parent]
        return made

    @cached_property
    def blank(self) -> Mask:
        """Mark texts of white space only."""
        is_text = self.kind == CHARACTERS
        texts = np.flatnonzero(is_text)
        blank = np.zeros(len(self.kind), np.bool_)
        blank[texts] = measure_texts([self.values[node] for node in texts.tolist()])[0] == 0
        return blank

    @cached_property
    def is_row(self) -> Mask:
        """Mark the nodes that become rows of a page: elements, and texts that are not blank."""
        kinds = (self.kind == ELEMENT) | (self.kind == CHARACTERS) & ~self.blank
        return np.asarray(kinds & ~self.generated)

    @cached_property
    def layout_node(self) -> Int64s:
        """The node of each layout object."""
        return np.array(self.layout["nodeIndex"], np.int64)

    @cached_property
    def bounds(self) -> Floats:
        """Left, top, width, height of each layout object."""
        return np.array(self.layout["bounds"], np.float64).reshape(-1, 4)

    @cached_property
    def _style_numbers(self) -> Int64s:
        none = [-1] * len(self.styles)
        return np.array([row or none for row in self.layout["styles"]]).reshape(-1, len(none))

    def style(self, name: str) -> tuple[list[str], Int64s]:
        """The different values of a style, and which of them each layout object has."""
        used, which = np.unique(
            self._style_numbers[:, self.styles.index(name)], return_inverse=True
        )
        return [self.text(number) for number in used.tolist()], which

    def has_style(self, name: str, *values: str) -> Mask:
        """Mark the layout objects that have one of the values of a style."""
        texts, which = self.style(name)
        return np.array([value in values for value in texts], np.bool_)[which]

    def pixels(self, name: str) -> Floats:
        """A style that is a number, with or without unit; 0 where it is none."""
        texts, which = self.style(name)
        return np.array([_number(value) for value in texts], np.float64)[which]


def area_of(snapshot: Snapshot, metrics: dict[str, Any]) -> Area:
    """The area that can be scrolled to, in the coordinates of the snapshot.

    A page that is read from right to left may begin left of the origin; one that hides overflow
    at the side ends with the window.
    """
    size, window = metrics["cssContentSize"], metrics["cssLayoutViewport"]
    left = snapshot.document["scrollOffsetX"] - window["pageX"]
    top = snapshot.document["scrollOffsetY"] - window["pageY"]
    if _hides_overflow(snapshot):
        return 0.0, float(top), float(window["clientWidth"]), float(size["height"])
    return float(left), float(top), float(size["width"]), float(size["height"])


def _hides_overflow(snapshot: Snapshot) -> bool:
    """Whether the root, or else the body, cuts off what is wider than the window."""
    cut = snapshot.has_style("overflow-x", "hidden", "clip")
    is_set = snapshot.has_style("overflow-x", "hidden", "clip", "scroll", "auto")
    for name in ("HTML", "BODY"):
        for at, node in enumerate(snapshot.layout["nodeIndex"][:ROOT_OBJECTS]):
            if snapshot.names[node] == name and is_set[at]:
                return bool(cut[at])
    return False


def edges_of(bounds: Floats, area: Area) -> Floats:
    """Left, top, right, bottom from left, top, width, height, counted from the area's corner."""
    corner = bounds[:, :2] - np.array(area[:2])
    return np.concatenate([corner, corner + bounds[:, 2:]], axis=1)


def _number(text: str) -> float:
    try:
        return float(text.removesuffix("px"))
    except ValueError:
        return 0.0
