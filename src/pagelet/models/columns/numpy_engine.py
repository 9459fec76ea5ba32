"""The operations of column programs in numpy.

Every column is an array of two dimensions: lines and places.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Ints
from pagelet.page.signatures import MULTIPLIER, mix
from pagelet.page.tree import join_path, nearest, sum_path

if TYPE_CHECKING:
    from pagelet.models.columns.program import Instruction, Program

Array = NDArray[Any]


class NumpyStep(NamedTuple):
    """An instruction, ready to be called."""

    function: Callable[..., Array] | None  #: None for a column that is stored in the table
    result: int  #: register, or the line of the table
    operands: tuple[int, ...]


class NumpyEngine:
    """A program in numpy: functions that are called one after the other."""

    def __init__(self, program: "Program") -> None:
        self._steps = list(map(_make_step, filter(_is_called, program.instructions)))
        self._inputs = [
            (each.result, each.number) for each in program.instructions if each.operation == "input"
        ]
        self._registers: list[Any] = [None] * program.registers
        for each in program.instructions:
            if each.operation == "constant":
                self._registers[each.result] = program.constants[each.number]

    def run(self, values: Sequence[Array], table: Array) -> None:
        """Fill the lines of a table from the inputs of one page."""
        registers = self._registers.copy()
        for register, number in self._inputs:
            value = values[number]
            registers[register] = value if value.ndim == 2 else value[None]
        for function, result, operands in self._steps:
            if function is None:
                stored = registers[operands[0]]
                if len(stored) == 1:
                    table[result] = stored[0]
                else:
                    table[result : result + len(stored)] = stored
            elif len(operands) == 2:
                registers[result] = function(registers[operands[0]], registers[operands[1]])
            elif len(operands) == 1:
                registers[result] = function(registers[operands[0]])
            else:
                registers[result] = function(*[registers[operand] for operand in operands])


def _is_called(instruction: "Instruction") -> bool:
    return instruction.operation not in ("input", "constant")


def _make_step(instruction: "Instruction") -> NumpyStep:
    operation, number = instruction.operation, instruction.number
    function = OPERATIONS.get(operation)
    if operation == "part":
        function = partial(_part, number, number + instruction.lines)
    elif operation == "shift":
        function = partial(_shift, number)
    return NumpyStep(function, instruction.result, instruction.operands)


def _part(first: int, last: int, values: Array) -> Array:
    return values[first:last]


def _gather(values: Array, places: Array) -> Array:
    if len(values) == 1:
        return np.asarray(values[0].take(places))
    if len(places) == 1:
        return np.asarray(values.take(places[0], axis=1))
    return np.asarray(values.take(places, axis=1)).reshape(-1, places.shape[1])


def _shift(by: int, values: Array) -> Array:
    shifted = np.zeros_like(values)
    places = values.shape[1]
    moved = max(places - abs(by), 0)
    shifted[:, max(by, 0) : max(by, 0) + moved] = values[:, max(-by, 0) : max(-by, 0) + moved]
    return shifted


def _prefix(values: Array) -> Array:
    sums = np.zeros((len(values), values.shape[1] + 1), _sum_type(values))
    np.cumsum(values, axis=1, out=sums[:, 1:])
    return sums


def _running_sum(values: Array) -> Array:
    return np.cumsum(values, axis=1, dtype=_sum_type(values))


def _sum_type(values: Array) -> type:
    return np.float64 if values.dtype.kind == "f" else np.int64


def _spread(values: Array, places: Array, like: Array) -> Array:
    spread = np.zeros((len(values), like.shape[1]), values.dtype)
    spread[:, places[0]] = values
    return spread


def _least(marked: Array, values: Array) -> Array:
    places = np.flatnonzero(marked[0])
    least = places[np.argmin(values[0][places])] if len(places) else 0
    return np.array([[least]])


def number_values(values: Array) -> Ints:
    """A number for each value, equal for equal values."""
    order = np.argsort(values)
    ordered = values[order]
    new = np.ones(len(order), np.intp)
    new[1:] = ordered[1:] != ordered[:-1]
    number = np.empty(len(order), np.intp)
    number[order] = np.cumsum(new) - 1
    return number


def hash_numbers(numbers: Array) -> NDArray[np.float64]:
    """A number below 2 ** 40 for each whole number; sums of different ones are unlikely equal.

    A product alone would not do: products of 1 and 4 add up to those of 2 and 3.
    """
    bits = mix(numbers.astype(np.uint64) + MULTIPLIER) >> np.uint64(24)
    return np.asarray(bits.astype(np.float64))


def _sum_by(values: Array, group: Array) -> Array:
    if len(values) == 1:
        return np.bincount(group[0], values[0])[None]
    groups, lines = int(group.max(initial=-1)) + 1, len(values)
    places = group + groups * np.arange(lines)[:, None]
    return np.bincount(places.ravel(), values.ravel(), lines * groups).reshape(lines, groups)


def _max_by(values: Array, group: Array) -> Array:
    largest = np.zeros((len(values), int(group.max(initial=-1)) + 1))
    for line, each in zip(largest, values, strict=True):
        np.maximum.at(line, group[0], each)
    return largest


def _span(group: Array) -> Array:
    numbers, places = group[0], np.arange(group.shape[1])
    groups = int(numbers.max(initial=-1)) + 1
    begin, end = np.full(groups, len(places)), np.zeros(groups, np.intp)
    np.minimum.at(begin, numbers, places)
    np.maximum.at(end, numbers, places)
    return np.asarray((end - begin)[None])


def _sum_above(values: Array, end: Array) -> Array:
    return np.array([sum_path(end[0], line) for line in values]).reshape(values.shape)


def _or_above(bits: Array, parent: Array, depth: Array) -> Array:
    return join_path(parent[0], int(depth.max(initial=0)), bits[0], np.bitwise_or, 0)[None]


def _max_above(values: Array, parent: Array, depth: Array) -> Array:
    return join_path(parent[0], int(depth.max(initial=0)), values[0], np.maximum, 0)[None]


def _convert(values: Array) -> Array:
    """Truth as numbers; whole numbers are made real ones where they meet them."""
    return values.astype(np.int64) if values.dtype == np.bool_ else values


OPERATIONS: dict[str, Callable[..., Array]] = {
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "divide": np.divide,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "less": np.less,
    "less_equal": np.less_equal,
    "equal": np.equal,
    "not_equal": np.not_equal,
    "bit_and": np.bitwise_and,
    "bit_or": np.bitwise_or,
    "invert": np.logical_not,
    "convert": _convert,
    "root": np.sqrt,
    "either": np.where,
    "stack": lambda *lines: np.concatenate(lines),
    "gather": _gather,
    "places": lambda like: np.arange(like.shape[1])[None],
    "count": lambda like: np.array([[like.shape[1]]]),
    "spread": _spread,
    "sum": lambda values: values.sum(axis=1, keepdims=True),
    "running_sum": _running_sum,
    "prefix": _prefix,
    "running_max": lambda values: np.maximum.accumulate(values, axis=1),
    "coming_min": lambda values: np.minimum.accumulate(values[:, ::-1], axis=1)[:, ::-1],
    "any": lambda marked: marked.any(axis=1, keepdims=True),
    "first": lambda marked: np.argmax(marked, axis=1, keepdims=True),
    "least": _least,
    "numbered": lambda values: number_values(values[0])[None],
    "hashed": hash_numbers,
    "sum_by": _sum_by,
    "max_by": _max_by,
    "count_by": lambda group: np.bincount(group[0])[None],
    "span_by": _span,
    "nearest": lambda marked, parent: nearest(parent[0], marked[0])[None],
    "or_above": _or_above,
    "max_above": _max_above,
    "sum_above": _sum_above,
    "or_by_part": lambda bits, first: np.bitwise_or.reduceat(bits[0], first[0])[None],
}
