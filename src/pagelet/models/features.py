"""A table of features: names beside values, laid out as trees read them fastest."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

Features = dict[str, Any]  #: for each name one value per item, or one number for all items

#: For each name one value per item, and for each tuple of names one line per name.
FeatureBlocks = dict[str | tuple[str, ...], Any]


@dataclass(frozen=True, slots=True, eq=False)
class FeatureTable:
    """The features of all items of a page, such as its text blocks or menu candidates."""

    names: tuple[str, ...]
    lines: NDArray[Any]  #: one line per feature, one column per item
    places: Mapping[str, int] | None = field(default=None, repr=False)  #: line of each name

    @classmethod
    def of(
        cls, features: Mapping[str, Any], items: int, dtype: DTypeLike = np.float32
    ) -> "FeatureTable":
        """Fill a table in the order of the features; a model depends on that order."""
        lines = np.empty((len(features), items), dtype)
        _fill(lines, features)
        return cls(tuple(features), lines)

    @classmethod
    def of_blocks(cls, blocks: FeatureBlocks, items: int) -> "FeatureTable":
        """Fill a table in the order of single features and of blocks of features."""
        names: list[str] = []
        for key in blocks:
            names.extend((key,) if isinstance(key, str) else key)
        lines, first = np.empty((len(names), items), np.float32), 0
        for key, values in blocks.items():
            if isinstance(key, str):
                lines[first] = values
                first += 1
            else:
                lines[first : first + len(key)] = values
                first += len(key)
        return cls(tuple(names), lines)

    @property
    def rows(self) -> NDArray[Any]:
        """A view with one row per item, for `Trees.predict`."""
        return self.lines.T

    def __getitem__(self, name: str) -> NDArray[Any]:
        """The values of one feature, not copied."""
        return np.asarray(self.lines[self.line(name)])

    def value(self, name: str, item: int) -> float:
        """The value of one feature of one item."""
        return float(self.lines[self.line(name), item])

    def line(self, name: str) -> int:
        """The number of a feature's line."""
        return self.names.index(name) if self.places is None else self.places[name]

    def lines_of(self, names: Iterable[str]) -> tuple[int, ...]:
        """The numbers of the lines of features."""
        return tuple(map(self.line if self.places is None else self.places.__getitem__, names))

    def extended(self, features: Mapping[str, Any]) -> "FeatureTable":
        """This table with more features behind its own."""
        own, items = self.lines.shape
        lines = np.empty((own + len(features), items), self.lines.dtype)
        lines[:own] = self.lines
        _fill(lines[own:], features)
        return FeatureTable((*self.names, *features), lines)

    def updated(self, features: Mapping[str, Any]) -> "FeatureTable":
        """A copy of this table in which some features have other values."""
        place = {name: at for at, name in enumerate(self.names)}
        lines = self.lines.copy()
        for name, values in features.items():
            lines[place[name]] = values
        return replace(self, lines=lines)


def _fill(lines: NDArray[Any], features: Mapping[str, Any]) -> None:
    for line, values in zip(lines, features.values(), strict=True):
        line[...] = values
