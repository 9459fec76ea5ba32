"""The operations of column programs in numpy.

Every column is an array of two dimensions: lines and places.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pagelet.page.signatures import MULTIPLIER, mix
from pagelet.page.tree import join_path, nearest, sum_path

if TYPE_CHECKING:
    from pagelet.models.columns.program import Instruction

Array = NDArray[Any]


def run_steps(
    instructions: "Sequence[Instruction]",
    constants: Sequence[Array],
    registers: list[Any],
    values: Sequence[Array],
    table: Array,
) -> None:
    """Execute instructions one after the other and fill the lines of a table."""
    for each in instructions:
        operation, operands = each.operation, each.operands
        if operation == "store":
            table[each.result : each.result + each.lines] = registers[operands[0]]
        elif operation == "input":
            value = values[each.number]
            registers[each.result] = value if value.ndim == 2 else value[None]
        elif operation == "constant":
            registers[each.result] = constants[each.number]
        elif operation == "part":
            part = slice(each.number, each.number + each.lines)
            registers[each.result] = registers[operands[0]][part]
        elif operation == "shift":
            registers[each.result] = _shift(registers[operands[0]], each.number)
        else:
            taken = [registers[operand] for operand in operands]
            registers[each.result] = OPERATIONS[operation](*taken)


def _gather(values: Array, places: Array) -> Array:
    if len(places) == 1:
        return np.asarray(values[:, places[0]])
    return np.asarray(values[:, places]).reshape(-1, places.shape[1])


def _shift(values: Array, by: int) -> Array:
    shifted = np.zeros_like(values)
    if by > 0:
        shifted[:, by:] = values[:, :-by]
    else:
        shifted[:, :by] = values[:, -by:]
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


def _numbered(values: Array) -> Array:
    order = np.argsort(values[0])
    ordered = values[0][order]
    new = np.ones(len(order), np.intp)
    new[1:] = ordered[1:] != ordered[:-1]
    number = np.empty((1, len(order)), np.intp)
    number[0, order] = np.cumsum(new) - 1
    return number


def hash_numbers(numbers: Array) -> NDArray[np.float64]:
    """A number below 2 ** 40 for each whole number; sums of different ones are unlikely equal.

    A product alone would not do: products of 1 and 4 add up to those of 2 and 3.
    """
    bits = mix(numbers.astype(np.uint64) + MULTIPLIER) >> np.uint64(24)
    return np.asarray(bits.astype(np.float64))


def _span(group: Array) -> Array:
    numbers, places = group[0], np.arange(group.shape[1])
    groups = int(numbers.max(initial=-1)) + 1
    begin, end = np.full(groups, len(places)), np.zeros(groups, np.intp)
    np.minimum.at(begin, numbers, places)
    np.maximum.at(end, numbers, places)
    return (end - begin)[None]


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
    "numbered": _numbered,
    "hashed": hash_numbers,
    "sum_by": lambda values, group: np.bincount(group[0], values[0])[None],
    "count_by": lambda group: np.bincount(group[0])[None],
    "span_by": _span,
    "nearest": lambda marked, parent: nearest(parent[0], marked[0])[None],
    "or_above": _or_above,
    "max_above": _max_above,
    "sum_above": _sum_above,
    "or_by_part": lambda bits, first: np.bitwise_or.reduceat(bits[0], first[0])[None],
}
