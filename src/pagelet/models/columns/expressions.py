"""Expressions over columns, which record what is to be computed and compute nothing.

A column has lines of equal length, such as one line per kind of character and one value per text
block. Where two columns meet, a single line or a single value stands for as many as needed.
"""

from collections.abc import Sequence
from enum import IntEnum
from typing import Any, NamedTuple, Union

import numpy as np
from numpy.typing import NDArray


class Kind(IntEnum):
    """What the values of a column are."""

    MASK = 0
    INT = 1
    REAL = 2


DTYPES = {Kind.MASK: np.bool_, Kind.INT: np.int64, Kind.REAL: np.float64}
Number = bool | int | float


class ProgramStep(NamedTuple):
    """One operation of a program."""

    operation: str
    operands: tuple[int, ...]  #: places of the steps whose values are taken
    kind: Kind
    lines: int
    number: int = 0  #: a number that belongs to the operation, such as by how much to shift


class Trace:
    """The steps of a program in the order in which they were written; equal ones occur once."""

    def __init__(self) -> None:
        self.steps: list[ProgramStep] = []
        self.constants: list[NDArray[Any]] = []
        self._places: dict[object, int] = {}

    def add(self, step: ProgramStep) -> "FeatureColumn":
        """The column of a step, which is recorded if it is new."""
        place = self._places.get(step)
        if place is None:
            place = self._places[step] = len(self.steps)
            self.steps.append(step)
        return FeatureColumn(self, place)

    def constant(self, value: Number | NDArray[Any] | Sequence[int]) -> "FeatureColumn":
        """A number, or a table of numbers: one line, or several of one value each."""
        values = np.atleast_2d(np.asarray(value))
        kinds = {"b": Kind.MASK, "f": Kind.REAL}
        kind = kinds.get(values.dtype.kind, Kind.INT)
        values = np.ascontiguousarray(values, DTYPES[kind])
        key = (kind, values.shape, values.tobytes())
        if key not in self._places:
            self._places[key] = len(self.steps)
            self.steps.append(ProgramStep("constant", (), kind, len(values), len(self.constants)))
            self.constants.append(values)
        return FeatureColumn(self, self._places[key])


Operand = Union["FeatureColumn", Number]


class FeatureColumn:
    """The values of one step, as other steps use them."""

    __slots__ = ("place", "trace")

    def __init__(self, trace: Trace, place: int) -> None:
        self.trace, self.place = trace, place

    @property
    def kind(self) -> Kind:
        """What the values are."""
        return self.trace.steps[self.place].kind

    @property
    def lines(self) -> int:
        """The number of lines."""
        return self.trace.steps[self.place].lines

    # -- value by value ----------------------------------------------------------------------

    def __add__(self, other: Operand) -> "FeatureColumn":
        return _calculate("add", self, other)

    def __radd__(self, other: Operand) -> "FeatureColumn":
        return _calculate("add", other, self)

    def __sub__(self, other: Operand) -> "FeatureColumn":
        return _calculate("subtract", self, other)

    def __rsub__(self, other: Operand) -> "FeatureColumn":
        return _calculate("subtract", other, self)

    def __mul__(self, other: Operand) -> "FeatureColumn":
        return _calculate("multiply", self, other)

    def __rmul__(self, other: Operand) -> "FeatureColumn":
        return _calculate("multiply", other, self)

    def __truediv__(self, other: Operand) -> "FeatureColumn":
        return _pair("divide", *_as_kind((self, other), Kind.REAL), Kind.REAL)

    def __lt__(self, other: Operand) -> "FeatureColumn":
        return _compare("less", self, other)

    def __le__(self, other: Operand) -> "FeatureColumn":
        return _compare("less_equal", self, other)

    def __gt__(self, other: Operand) -> "FeatureColumn":
        return _compare("less", other, self)

    def __ge__(self, other: Operand) -> "FeatureColumn":
        return _compare("less_equal", other, self)

    def __eq__(self, other: Operand) -> "FeatureColumn":  # type: ignore[override]
        return _compare("equal", self, other)

    def __ne__(self, other: Operand) -> "FeatureColumn":  # type: ignore[override]
        return _compare("not_equal", self, other)

    __hash__ = None  # type: ignore[assignment]

    def __and__(self, other: Operand) -> "FeatureColumn":
        one, two = _as_kind((self, other), _bits_kind(self, other))
        return _pair("bit_and", one, two, one.kind)

    def __or__(self, other: Operand) -> "FeatureColumn":
        one, two = _as_kind((self, other), _bits_kind(self, other))
        return _pair("bit_or", one, two, one.kind)

    def __invert__(self) -> "FeatureColumn":
        return self._unary("invert", Kind.MASK)

    def root(self) -> "FeatureColumn":
        """The square root."""
        return self.to(Kind.REAL)._unary("root")

    def to(self, kind: Kind) -> "FeatureColumn":
        """The same values as another kind: truth as 0 and 1, whole numbers as real ones."""
        return self if self.kind == kind else self._unary("convert", kind)

    # -- places ------------------------------------------------------------------------------

    def __getitem__(self, place: "FeatureColumn") -> "FeatureColumn":
        """The values at places; a negative place counts from the end."""
        step = ProgramStep("gather", (self.place, place.place), self.kind, self.lines * place.lines)
        return self.trace.add(step)

    def line(self, first: int, count: int = 1) -> "FeatureColumn":
        """Some of the lines."""
        return self.trace.add(ProgramStep("part", (self.place,), self.kind, count, first))

    def shift(self, by: int) -> "FeatureColumn":
        """The values, that many places later; 0 where there is none."""
        return self.trace.add(ProgramStep("shift", (self.place,), self.kind, self.lines, by))

    def places(self) -> "FeatureColumn":
        """The numbers of the places: 0, 1, 2 and so on."""
        return self.trace.add(ProgramStep("places", (self.place,), Kind.INT, 1))

    def count(self) -> "FeatureColumn":
        """The number of places."""
        return self.trace.add(ProgramStep("count", (self.place,), Kind.INT, 1))

    def spread(self, place: "FeatureColumn", like: "FeatureColumn") -> "FeatureColumn":
        """These values at places of a column as long as another one; 0 elsewhere.

        Of values for one place the last one is kept.
        """
        operands = (self.place, place.place, like.place)
        return self.trace.add(ProgramStep("spread", operands, self.kind, self.lines))

    # -- sums and extremes -------------------------------------------------------------------

    def sum(self) -> "FeatureColumn":
        """The sum of each line. Exact for whole numbers below 2 ** 53, and meant for those."""
        return self._whole()._unary("sum")

    def running_sum(self) -> "FeatureColumn":
        """The sum up to each place, the place itself counted."""
        return self._whole()._unary("running_sum")

    def prefix(self) -> "FeatureColumn":
        """The sum before each place, and behind the last one the sum of all."""
        return self._whole()._unary("prefix")

    def running_max(self) -> "FeatureColumn":
        """The largest value up to each place."""
        return self._unary("running_max")

    def coming_min(self) -> "FeatureColumn":
        """The smallest value from each place on."""
        return self._unary("coming_min")

    def any(self) -> "FeatureColumn":
        """Whether any place is marked."""
        return self._unary("any", Kind.MASK)

    def first(self) -> "FeatureColumn":
        """The first place that is marked; 0 if none is."""
        return self._unary("first", Kind.INT)

    def least(self, values: "FeatureColumn") -> "FeatureColumn":
        """The first of the marked places with the smallest value; 0 if none is marked."""
        return self.trace.add(ProgramStep("least", (self.place, values.place), Kind.INT, 1))

    # -- groups ------------------------------------------------------------------------------

    def numbered(self) -> "FeatureColumn":
        """Numbers of groups from 0 on, equal for equal values; their order means nothing."""
        return self._unary("numbered", Kind.INT)

    def hashed(self) -> "FeatureColumn":
        """Whole numbers spread over 40 bits: sums of different ones are unlikely to be equal."""
        return self._unary("hashed", Kind.REAL)

    def sum_by(self, group: "FeatureColumn") -> "FeatureColumn":
        """The sum of each line over each group, in the order of places."""
        return self._by_group("sum_by", group)

    def max_by(self, group: "FeatureColumn") -> "FeatureColumn":
        """The largest value of each line in each group; at least 0."""
        return self._by_group("max_by", group)

    def count_by_group(self) -> "FeatureColumn":
        """How many places each group has, where the values are numbers of groups."""
        return self._whole()._unary("count_by", Kind.INT)

    def span_by_group(self) -> "FeatureColumn":
        """Places from the first to the last one of each group."""
        return self._whole()._unary("span_by", Kind.INT)

    # -- trees -------------------------------------------------------------------------------

    def nearest(self, parent: "FeatureColumn") -> "FeatureColumn":
        """The nearest marked row at or above each row; -1 where there is none."""
        return self.trace.add(ProgramStep("nearest", (self.place, parent.place), Kind.INT, 1))

    def or_above(self, parent: "FeatureColumn", depth: "FeatureColumn") -> "FeatureColumn":
        """The bits of each row and of all rows above it."""
        operands = (self.place, parent.place, depth.place)
        return self.trace.add(ProgramStep("or_above", operands, Kind.INT, 1))

    def max_above(self, parent: "FeatureColumn", depth: "FeatureColumn") -> "FeatureColumn":
        """The largest value of each row and of all rows above it; at least 0."""
        operands = (self.place, parent.place, depth.place)
        return self.trace.add(ProgramStep("max_above", operands, Kind.INT, 1))

    def sum_above(self, end: "FeatureColumn") -> "FeatureColumn":
        """The sum of each row and of all rows above it, given where the subtrees end."""
        values = self.to(Kind.REAL)
        return self.trace.add(
            ProgramStep("sum_above", (values.place, end.place), Kind.REAL, self.lines)
        )

    def or_by_part(self, first: "FeatureColumn") -> "FeatureColumn":
        """The bits of consecutive parts, given where each begins."""
        return self.trace.add(ProgramStep("or_by_part", (self.place, first.place), Kind.INT, 1))

    def _unary(self, operation: str, kind: Kind | None = None) -> "FeatureColumn":
        kind = self.kind if kind is None else kind
        return self.trace.add(ProgramStep(operation, (self.place,), kind, self.lines))

    def _by_group(self, operation: str, group: "FeatureColumn") -> "FeatureColumn":
        values = self.to(Kind.REAL)
        operands = (values.place, group._whole().place)
        return self.trace.add(ProgramStep(operation, operands, Kind.REAL, self.lines))

    def _whole(self) -> "FeatureColumn":
        return self.to(Kind.INT) if self.kind == Kind.MASK else self


def maximum(one: Operand, other: Operand) -> FeatureColumn:
    """The larger of two values."""
    return _calculate("maximum", one, other)


def minimum(one: Operand, other: Operand) -> FeatureColumn:
    """The smaller of two values."""
    return _calculate("minimum", one, other)


def either(which: FeatureColumn, yes: Operand, no: Operand) -> FeatureColumn:
    """One value where a mask is true, another where it is not."""
    kind = max(_column(which.trace, each).kind for each in (yes, no))
    one, two = _as_kind((yes, no), kind, which.trace)
    lines = max(which.lines, one.lines, two.lines)
    return which.trace.add(ProgramStep("either", (which.place, one.place, two.place), kind, lines))


def stack(*columns: FeatureColumn) -> FeatureColumn:
    """The lines of columns one below the other."""
    kind = max(column.kind for column in columns)
    trace = columns[0].trace
    places = tuple(column.to(kind).place for column in columns)
    return trace.add(ProgramStep("stack", places, kind, sum(column.lines for column in columns)))


def _column(trace: Trace, value: Operand) -> FeatureColumn:
    return value if isinstance(value, FeatureColumn) else trace.constant(value)


def _as_kind(
    pair: tuple[Operand, Operand], kind: Kind, trace: Trace | None = None
) -> tuple[FeatureColumn, FeatureColumn]:
    """Two operands as columns of one kind; a number is written as that kind at once."""
    trace = trace or next(each.trace for each in pair if isinstance(each, FeatureColumn))
    number = {Kind.MASK: bool, Kind.INT: int, Kind.REAL: float}[kind]
    one, two = (
        each.to(kind) if isinstance(each, FeatureColumn) else trace.constant(number(each))
        for each in pair
    )
    return one, two


def _pair(operation: str, one: FeatureColumn, two: FeatureColumn, kind: Kind) -> FeatureColumn:
    lines = max(one.lines, two.lines)
    return one.trace.add(ProgramStep(operation, (one.place, two.place), kind, lines))


def _kind_of(value: Operand) -> Kind:
    if isinstance(value, FeatureColumn):
        return value.kind
    return Kind.REAL if isinstance(value, float) else Kind.INT


def _calculate(operation: str, one: Operand, two: Operand) -> FeatureColumn:
    kind = max(Kind.INT, _kind_of(one), _kind_of(two))
    return _pair(operation, *_as_kind((one, two), kind), kind)


def _compare(operation: str, one: Operand, two: Operand) -> FeatureColumn:
    kind = max(Kind.INT, _kind_of(one), _kind_of(two))
    return _pair(operation, *_as_kind((one, two), kind), Kind.MASK)


def _bits_kind(one: Operand, two: Operand) -> Kind:
    kind = max(_kind_of(one), _kind_of(two))
    if kind == Kind.REAL:
        raise TypeError("real numbers have no bits")
    return kind
